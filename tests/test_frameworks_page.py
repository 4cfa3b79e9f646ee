"""The page on frameworks is what its command prints, and its code what the tests run. No framework is needed."""

import ast

import pytest

from tests.test_package import PINNED
from tests.verification.frameworks.__main__ import FRAMEWORKS
from tests.verification.frameworks.page import PAGE, RESULTS, ROOT, read_snippets, renew


def test_page__is_what_its_command_prints() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert renew(page) == page, "run: python -m tests.verification.frameworks.page"


def test_page__has_code_and_a_result_for_every_framework() -> None:
    assert read_snippets().keys() == FRAMEWORKS.keys()
    assert {path.stem for path in RESULTS.glob("*.json")} == FRAMEWORKS.keys()
    assert "\n".join(read_snippets().values()).count("```") == 0


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_framework__is_named_tested_and_installable(name: str) -> None:
    framework = FRAMEWORKS[name]
    ast.parse(read_snippets()[name])
    for line in (ROOT / framework.constraints).read_text(encoding="utf-8").splitlines():
        assert line.startswith("#") or PINNED.fullmatch(line), line
    tests = (ROOT / "tests" / "verification" / "frameworks" / framework.tests).read_text(encoding="utf-8")
    assert f'run("{name}")' in tests
    assert f"pip install -e '.[{framework.extra}]'" in tests
    assert f"\n{framework.extra} = [" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
