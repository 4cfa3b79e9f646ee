"""Steam's kernels against its reference engine, with games that are new each day; and the lockstep itself.

The games of a day follow from its date in UTC; ``LOCKSTEP_SEED`` sets another seed, ``LOCKSTEP_GAMES`` their number.
"""

import os
import random
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.rules_steam.boards import scenario
from tests.verification.lockstep.played import Played, seed_of
from tests.verification.lockstep.run import Options, Run
from tests.verification.lockstep.shrinking import read_found, write_found
from tests.verification.lockstep_steam.minimise import FOUND_STEAM, minimise
from tests.verification.lockstep_steam.play import play_game, tell_difference
from tests.verification.lockstep_steam.scenarios import MOST_LINKS, SIDES, crowd, draw_start, find_sites
from tests.verification.lockstep_steam.twins import Twins, begin_reference, replay
from tests.verification.reference_steam import Reference, track
from tests.verification.reference_steam.geometry import name_hex

SEED = int(os.environ.get("LOCKSTEP_SEED", f"{datetime.now(UTC):%Y%m%d}"))
GAMES = int(os.environ.get("LOCKSTEP_GAMES", "24"))
SURE = ("phase take", "phase build", "phase tile", "phase goods", "new", "lapse", "raise", "an unowned link")


# --- the slice of the day ------------------------------------------------------------------------------------
def test_lockstep__kernels_and_reference_agree() -> None:
    total = Played()
    for number in range(GAMES):
        total.add(play_game(seed_of(SEED, number)))
        for found in total.found:
            pytest.fail(f"LOCKSTEP_SEED={SEED}, game {number}: {tell_difference(minimise(found))}")
    assert [what for what in SURE if not total.met[what]] == []


# --- starts --------------------------------------------------------------------------------------------------
STARTS = [draw_start(seed) for seed in range(20)]
WANTED: dict[str, Callable[[dict[str, Any]], Any]] = {
    **{f"seats {count}": lambda table, count=count: table["rules"]["num_players"] == count for count in (3, 4, 5)},
    "links": lambda table: table.get("links"),
    "unowned": lambda table: any(link["owner"] < 0 for link in table.get("links", [])),
    "marks": lambda table: any(link.get("extended") for link in table.get("links", [])),
    "few tiles": lambda table: "tiles" in table,
    "poor": lambda table: 0 in table.get("seats", {}).get("money", []),
    "large": lambda table: len(table["map"]["rows"].split("\n")) >= 2 * SIDES[-4],
    "small": lambda table: len(table["map"]["rows"].split("\n")) <= 2 * SIDES[3],
}


def test_starts__are_fixed_by_their_seed() -> None:
    assert STARTS[:3] == [draw_start(seed) for seed in range(3)]


@pytest.mark.parametrize("what", WANTED)
def test_starts__have_everything(what: str) -> None:
    assert any(WANTED[what](start.get("scenario", start)) for start in STARTS)


# --- differences are found -----------------------------------------------------------------------------------
class FreeTracks(Reference):
    """Gives everybody $99 as soon as there is track."""

    def state(self) -> dict[str, Any]:
        state = super().state()
        return {**state, "money": [99 for _ in state["money"]]} if state["tiles"] else state


class Forgetful(Reference):
    """Does not know that a turn can be ended."""

    def legal(self) -> list[str]:
        return [text for text in super().legal() if text != "pass"]


class Broken(Reference):
    def state(self) -> dict[str, Any]:
        raise KeyError("broken")


START = {"scenario": scenario()}


def test_twins__agree_on_a_game() -> None:
    twins = replay(START, ["build B4", "tile SE-NW", "pass"])
    assert (twins.difference, twins.state["tiles"]) == (None, {"B4": "SE-NW"})


@pytest.mark.parametrize(
    ("engine", "moves", "path"),
    [
        (FreeTracks, ["build B4", "tile SE-NW"], "state.money.0"),
        (Forgetful, [], "legal"),
        (Broken, [], "raised.KeyError"),
    ],
)
def test_twins__tell_what_differs(engine: type[Reference], moves: list[str], path: str) -> None:
    twins = replay(START, moves, partial(begin_reference, engine=engine))
    assert twins.difference is not None
    assert twins.difference.path.startswith(path)


def test_twins__both_refuse_or_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"scenario": scenario(tile=[1, 1, 5])}
    with pytest.raises(ValueError, match="1 is taken already"):
        Twins(wrong)
    assert play_game(0, start=wrong).met == {"scenario that both refuse": 1}
    good = Reference.from_scenario(START["scenario"])
    monkeypatch.setattr(Reference, "from_scenario", lambda _: good)
    assert str(Twins(wrong).difference).startswith("refused: core")
    assert play_game(0, start=wrong).found[0].difference.topic == "refused"


def test_play_game__ends_at_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(track, "COST_OF_HILLS", 3)
    found = next(game.found for game in map(play_game, range(20)) if game.found)
    assert found[0].difference.topic in ("numbers", "state.money", "state.income", "state.vp")
    told = tell_difference(found[0])
    assert all(move in told for move in found[0].moves)


# --- making differences small --------------------------------------------------------------------------------
class FreeHills(Reference):
    """Gives $1 for each tile that lies on hills."""

    def state(self) -> dict[str, Any]:
        state = super().state()
        gained = sum(at in state["tiles"] for at in map(name_hex, self.table.board.hills))
        return {**state, "money": [state["money"][0] + gained, *state["money"][1:]]}


def test_minimise__a_fault_is_found_made_small_and_kept(tmp_path: Path) -> None:
    begin = partial(begin_reference, engine=FreeHills)
    found = next(game.found[0] for game in (play_game(seed_of(2, number), begin) for number in range(20)) if game.found)
    small = minimise(found, begin)
    assert small.difference.topic == found.difference.topic == "state.money"
    assert len(small.moves) <= 2
    scenario = small.start["scenario"]
    assert len(find_sites(scenario["map"])) < 10
    assert sum(len(link["path"]) for link in scenario["links"]) <= 3
    start, moves = read_found(write_found(small, tmp_path))
    assert replay(start, moves, begin).difference == small.difference
    assert replay(start, moves).difference is None


@pytest.mark.parametrize("path", sorted(FOUND_STEAM.glob("*.json")), ids=lambda path: path.stem)
def test_found__both_engines_agree_where_they_once_differed(path: Path) -> None:
    start, moves = read_found(path)
    assert replay(start, moves).difference is None


def test_crowded_starts__have_as_many_links_as_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    scenarios = [crowd(random.Random(seed)) for seed in range(4)]
    assert max(len(scenario["links"]) for scenario in scenarios) == MOST_LINKS
    full = next({"scenario": scenario} for scenario in scenarios if len(scenario["links"]) == MOST_LINKS)
    assert Twins(full).difference is None
    monkeypatch.setattr(track, "MOST_LINKS", MOST_LINKS + 1)
    assert Twins(full).difference is not None


# --- runs ----------------------------------------------------------------------------------------------------
def play_little(seed: int) -> Played:
    return Played(games=1, met=Counter({"decisions": 10, f"seed {seed}": 1}))


def test_runs__are_taken_up_where_they_ended(tmp_path: Path) -> None:
    output = tmp_path / "run.json"
    for wanted in (30, 100):
        run = Run.begin(Options(seed=4, decisions=wanted, output=output), {"decisions": 1})
        run.play(play_little)
    summary = run.summarise()
    assert (summary["games"], summary["decisions"], summary["first"]) == (10, 100, 0)
    assert {what for what in summary["met"] if what.startswith("seed")} == {f"seed {seed_of(4, n)}" for n in range(10)}
    assert sum(summary["commits"].values()) == 100
    with pytest.raises(SystemExit, match="seed 4 and 0 differences"):
        Run.begin(Options(seed=5, output=output), {})
