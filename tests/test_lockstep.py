"""The core against the reference engine, with games that are new each day; and the lockstep itself.

The games of a day follow from its date in UTC; ``LOCKSTEP_SEED`` sets another seed, ``LOCKSTEP_GAMES`` their number.
"""

import json
import os
import random
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from steam_env import Game
from tests.verification.lockstep.compare import Twins, begin_reference, describe, replay
from tests.verification.lockstep.coverage import LEAST_MET
from tests.verification.lockstep.differences import Difference, find_differences
from tests.verification.lockstep.minimise import minimise
from tests.verification.lockstep.play import play_game
from tests.verification.lockstep.played import Found, Played, seed_of
from tests.verification.lockstep.players import Players
from tests.verification.lockstep.report import find_rare, tell_runs
from tests.verification.lockstep.scenarios import MAX_CONTRACTS, Scenario, draw_scenario, draw_start
from tests.verification.lockstep.shrinking import read_found, write_found
from tests.verification.reference import Reference

SEED = int(os.environ.get("LOCKSTEP_SEED", f"{datetime.now(UTC):%Y%m%d}"))
GAMES = int(os.environ.get("LOCKSTEP_GAMES", "240"))
SLICES = 2  # so that they can be played side by side
SURE = 20  # what is met so often in 10,000 decisions is met in every slice


# --- the slice of the day ------------------------------------------------------------------------------------
@pytest.mark.parametrize("part", range(SLICES))
def test_lockstep__core_and_reference_agree(part: int) -> None:
    total = Played()
    for number in range(part, GAMES, SLICES):
        total.add(play_game(seed_of(SEED, number)))
        for found in total.found:
            pytest.fail(tell_difference(number, minimise(found)))
    rare = find_rare(total.met, {what: count for what, count in LEAST_MET.items() if count >= SURE})
    assert not rare, f"LOCKSTEP_SEED={SEED}: met too seldom in {total.decisions} decisions (times, wanted): {rare}"


def tell_difference(number: int, found: Found) -> str:
    return (
        f"{found.difference}\n"
        f"to meet it again: python -m tests.verification.lockstep --seed {SEED} --first {number} --scenarios 1\n"
        f"smaller: after the moves {list(found.moves)} from {json.dumps(dict(found.start))}"
    )


# --- scenarios -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(4))
def test_scenarios__are_complete_and_fixed_by_their_seed(seed: int) -> None:
    scenario = draw_scenario(seed)
    assert scenario == draw_scenario(seed)
    one, other = (Game.from_scenario(scenario, seed=chance) for chance in (1, 2))
    assert one.record.tobytes() == other.record.tobytes()


WANTED: dict[str, Callable[[Scenario], Any]] = {
    **{f"seats {n}": lambda table, n=n: table["rules"].get("num_players", 1) == n for n in (1, 2, 3, 4, 5)},
    "automas": lambda table: table["rules"]["automas"],
    "links": lambda table: table["links"],
    "incomplete": lambda table: any("open" in link for link in table["links"]),
    "factories": lambda table: table["factories"],
    "known": lambda table: "known" in table["seats"],
    "generation": lambda table: "generation" in table["deck"],
    "discards": lambda table: table.get("automa", {}).get("discards"),
    "coins": lambda table: any(table.get("automa", {}).get("coins", [])),
    "no deck": lambda table: not table["deck"]["order"],
    "all contracts": lambda table: len(table["contracts"]) == MAX_CONTRACTS,
    "poor": lambda table: 0 in table["seats"]["money"],
    "few hexes": lambda table: len(table["map"]["hexes"]) < 36,
    "many hexes": lambda table: len(table["map"]["hexes"]) > 100,
}


def test_scenarios__are_of_every_kind() -> None:
    starts = [draw_start(seed) for seed in range(60)]
    tables = [start["scenario"] for start in starts if "scenario" in start]
    assert len(tables) < len(starts)  # the others are deals
    assert [name for name, has in WANTED.items() if not any(map(has, tables))] == []


# --- the comparison ------------------------------------------------------------------------------------------
def test_compare__differences_name_the_place() -> None:
    core = {"seat": 1, "legal": {"money", "done"}, "state": {"hands": [[1, 2], []], "off": {"white": 1}}}
    other = {"seat": 1, "legal": {"money", "head N"}, "state": {"hands": [[1, 3], [4]], "off": {}}}
    assert list(find_differences(core, core)) == []
    assert list(find_differences(core, other)) == [
        Difference("legal", "only ['done']", "only ['head N']"),
        Difference("state.hands.0.1", 2, 3),
        Difference("state.hands.1.0", "nothing more", [4]),
        Difference("state.off.white", 1, "missing"),
    ]
    assert Difference("state.hands.0.1", 2, 3).topic == "state.hands"


def test_compare__the_description_is_what_the_game_tells() -> None:
    game, players = Game.from_scenario(draw_scenario(4), seed=0), Players(random.Random(4))
    for _ in range(40):
        state = describe(game)
        assert state["links"] == game.links()
        for name, city in state["cities"].items():
            assert city == {key: value for key, value in game.city(name).items() if key != "group"}
        assert state["hands"] == [game.hand(seat) for seat in range(game.rules.seats)]
        assert state["fulfilled"] == [game.fulfilled(seat) for seat in range(game.rules.seats)]
        assert (len(state["deck"]), state["money"], state["off_map"]) == (game.deck_size, game.money, game.off_map)
        game.step(players.choose(game))


def test_compare__a_reference_that_breaks_down_is_a_difference() -> None:
    class Breaks(Reference):
        def legal(self) -> set[str]:
            raise KeyError("broken")

    twins = Twins({"scenario": draw_scenario(1)}, partial(begin_reference, engine=Breaks))
    assert twins.difference == Difference("raised.KeyError", "goes on", "'broken'")


# --- making differences small --------------------------------------------------------------------------------
class FreeCrossings(Reference):
    """Thinks that crossings are free."""

    gained = 0

    def step(self, text: str, outcomes: Iterable[int] = ()) -> Any:
        events = super().step(text, outcomes)
        self.gained += sum(event["cost"] for event in events if event["kind"] == "place" and event["crossing"])
        return events

    def state(self) -> dict[str, Any]:
        state = super().state()
        return {**state, "money": [state["money"][0] + self.gained, *state["money"][1:]]}


def test_minimise__a_fault_is_found_made_small_and_kept(tmp_path: Path) -> None:
    begin = partial(begin_reference, engine=FreeCrossings)
    played = (play_game(seed_of(2, number), begin) for number in range(20))
    found = next(game.found[0] for game in played if game.found)
    small = minimise(found, begin)
    assert small.difference.topic == found.difference.topic == "state.money"
    assert len(small.moves) <= 3
    scenario = small.start["scenario"]
    assert len(scenario["contracts"]) == 1
    assert len(scenario["map"]["hexes"]) < 15
    start, moves = read_found(write_found(small, tmp_path))
    assert replay(start, moves, begin).difference == small.difference
    assert replay(start, moves).difference is None


# --- the page ------------------------------------------------------------------------------------------------
def test_report__runs_are_added_up() -> None:
    run = {
        **{"seed": 1, "first": 0, "games": 10, "deals": 1, "decisions": 400, "differences": [], "seconds": 60.0},
        **{"processes": 1, "met": {"decisions": 400, "flip": 4, "event flip": 4}},
        "software": {
            **{"python": "3.11", "numpy": "2", "numba": "1"},
            "git": {"commit": "0123456789abcdef", "dirty": False},
        },
    }
    told = tell_runs([run, run])
    assert "**800 decisions in 20 games, no differences**" in told
    assert "| flip | 8 | 100.0 |" in told
    assert "event flip" not in told
    assert told.count("| 0123456789 |") == 2
    run["software"]["git"]["dirty"] = True
    assert tell_runs([run]).count("| 0123456789 and changes |") == 1
