"""What holds for all tests."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")  # of networks: threads that wait for each other take much longer


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser, for tests that are skipped where there is none."""
    from tests.browser import open_browser

    with open_browser(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture(scope="module")
def address() -> Iterator[Any]:
    """Where games for browsers are served."""
    from tests.web_server import serve

    with serve() as served:
        yield served
