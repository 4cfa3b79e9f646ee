"""Every test of the rules is run with every engine."""

import pytest

from tests.rules_steam.engines import ENGINES, Engine


@pytest.fixture(params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest) -> type[Engine]:
    return ENGINES[request.param]
