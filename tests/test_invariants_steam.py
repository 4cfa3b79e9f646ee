"""Random games of Steam, new each day, with what must hold at every decision; and the checks themselves.

The games of a day follow from its date in UTC; ``STEAM_SEED`` sets another first game, ``STEAM_GAMES`` their number
for each engine.
"""

import copy
import os
import random
from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.rules_steam.boards import TINY, play, position
from tests.rules_steam.engines import ENGINES, Engine
from tests.verification.invariants_steam import watch_game
from tests.verification.ledger_steam import Chart, InvariantError, check_state, check_step
from tests.verification.maps_steam import draw_map
from tests.verification.reference_steam import Reference
from tests.verification.reference_steam.board import read_board

SEED = int(os.environ.get("STEAM_SEED", f"{datetime.now(UTC):%Y%m%d}000"))
GAMES = int(os.environ.get("STEAM_GAMES", "80"))
SLICES = 4  # so that they can be played side by side
LEAST_MET = {"take": 50, "tile": 50, "grow": 2, "urbanize": 2, "from": 10, "income": 10, "vp": 10, "locomotive": 10}


@pytest.mark.parametrize("name", sorted(ENGINES))
@pytest.mark.parametrize("part", range(SLICES))
def test_random_games_keep_every_invariant(name: str, part: int) -> None:
    met: Counter[str] = Counter()
    for seed in range(SEED + part, SEED + GAMES, SLICES):
        try:
            met += watch_game(ENGINES[name], seed)
        except Exception as error:
            error.add_note(f"python -m tests.verification.invariants_steam --engine {name} --games 1 --seed {seed}")
            raise
    assert [word for word, least in LEAST_MET.items() if met[word] < least] == []


@pytest.mark.parametrize("seed", range(30))
def test_random_maps_are_maps(seed: int) -> None:
    board = draw_map(random.Random(seed))
    assert read_board(board).name == "drawn"
    assert board == draw_map(random.Random(seed))


# --- the checks find what is wrong ----------------------------------------------------------------
def spoil(state: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The state with another value at a place such as ``money.0``."""
    spoilt = copy.deepcopy(state)
    *way, last = path.split(".")
    at: Any = spoilt
    for step in way:
        at = at[int(step) if isinstance(at, list) else step]
    at[int(last) if isinstance(at, list) else last] = value
    return spoilt


def busy(engine: type[Engine] = Reference) -> Engine:
    track = ("0: Alder B4 Usk", "1: Usk Cedar", "0: Usk C3 >SE", "-: Birch G5 >SW")
    return position(engine, *track, cubes="Alder RY, Dale B", supply="1 RP", vp=3)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        *(("money.0", -1), ("income.1", -11), ("vp.2", -1), ("level.0", 7), ("scores.0", 9), ("bankrupt.0", 1)),
        *(("complete_links.0", 2), ("cubes.Alder", "Y"), ("cubes.Alder", "YR"), ("supply.3", "R"), ("bag.R", 99)),
        *(("grown", ["Elm"]), ("new_left.red", 0), ("stock.K1", 85), ("tiles.B4", "N-NW"), ("tiles.A5", "N-S")),
        *(("links.0.open", "N"), ("links.2.path", ["Usk", "B2"]), ("links.0.owner", 2), ("tile.1", 1)),
        *(("order", [0, 1]), ("round", 1), ("mover", None), ("winners", [0]), ("chain", {})),
    ],
)
def test_a_wrong_position_is_found(path: str, value: Any) -> None:
    chart, state = Chart(TINY), busy().state()
    check_state(chart, state)
    with pytest.raises((InvariantError, StopIteration, ValueError)):
        check_state(chart, spoil(state, path, value))


@pytest.mark.parametrize(
    ("path", "value"),
    [("money.0", 99), ("money.1", 99), ("income.0", -1), ("vp.0", 4), ("links.0.owner", 2), ("cubes.Alder", "R")],
)
def test_a_wrong_step_is_found(path: str, value: Any) -> None:
    game = busy()
    game.apply("build G5")
    before = game.state()
    after = play(game, "tile N-S").state()
    check_step(Chart(TINY), {}, before, "tile N-S", after)
    with pytest.raises(InvariantError):
        check_step(Chart(TINY), {}, before, "tile N-S", spoil(after, path, value))


@pytest.mark.parametrize("name", sorted(ENGINES))
def test_the_pass_that_ends_the_tracks_may_ruin_who_passes(name: str) -> None:
    """Rules 10.3, 13.1: with nothing to carry, income comes in the same step, and takes the link just marked (8.10)."""
    game = position(ENGINES[name], money=[8, 30, 30], income=[-10, 0, 0], level=6, order=[1, 2, 0], seat=0)
    play(game, "build F4", "tile N-NE")
    before = game.state()
    assert [(link["owner"], link.get("extended")) for link in before["links"]] == [(0, True)]
    after = play(game, "pass").state()
    assert (after["bankrupt"][0], [link["owner"] for link in after["links"]]) == (before["turn"], [-1])
    check_step(Chart(TINY), {}, before, "pass", after)
