"""Habits for agents of Steam are kept, and the search for holes takes them; the balance of its maps is measured."""

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from steam_env.agents.steam_deviations import DEVIATIONS, HABITS, LAST_TURNS, RICH
from steam_env.core.steam.actions import BUILD_ON, FROM, HOP_TO, IMPROVE, LAY, PASS, TO_INCOME, TO_VP
from steam_env.core.steam.state import BUILD, GOODS, NUM_TILES, TAKE
from steam_env.evaluation import holes
from steam_env.evaluation.agent_names import hash_agent, make_any_agent
from steam_env.evaluation.match import MatchConfig
from steam_env.pages import balance
from steam_env.pages.steam.balance import BALANCE, DEMANDS
from steam_env.pages.steam.results import tabulate_demands, tabulate_turns
from steam_env.spec import Deviations
from steam_env.steam import GameBatch, Rules
from steam_env.table.batch import GameBatch as Batch
from steam_env.table.engine import load_setting

SETTING = load_setting(Rules(map="mini"))
BOARD = SETTING.statics[0][0]
GAMES = 6
Decision = tuple[np.record, np.ndarray, int]
OPTIONS = ["--game", "steam", "--map", "mini", "--seats", "3", "--turns", "2", "--quiet"]


def play(name: str) -> Iterator[Decision]:
    """Record, mask and action of every decision of an agent on the first seat, among others without the habit."""
    batch: Batch = GameBatch(Rules(map="mini"), GAMES, seed=1)
    agents = [make_any_agent(name, "steam"), *(make_any_agent("greedy", "steam") for _ in range(2))]
    while not batch.done.all():
        views, masks, actions = batch.views(), batch.mask.copy(), np.full(GAMES, PASS, np.int64)
        records, seats = batch.records.copy(), batch.seats.copy()
        for seat, agent in enumerate(agents):
            answers = agent.act(None, masks, views)
            actions[seats == seat] = answers[seats == seat]
        yield from zip(records[seats == 0], masks[seats == 0], actions[seats == 0].tolist(), strict=True)
        batch.step(actions)


def is_early(game: np.record) -> bool:
    return bool(2 * (game["num_turns"] - game["round_number"]) >= game["num_turns"])


def builds(action: int) -> bool:
    return BUILD_ON <= action < LAY


def is_late(game: np.record) -> bool:
    return bool(game["num_turns"] - game["round_number"] + 1 <= LAST_TURNS)


def is_dear(action: int) -> bool:
    return builds(action) and BOARD["terrain_cost"][action - BUILD_ON] > 0


HOLDS: dict[str, Callable[[np.record, np.ndarray, int], bool]] = {
    "take:free": lambda game, mask, action: game["phase"] != TAKE or action not in (4, 5, 6),
    "engine:never": lambda game, mask, action: action != IMPROVE,
    "engine:first": lambda game, mask, action: game["phase"] != GOODS or not mask[IMPROVE] or action == IMPROVE,
    "engine:late": lambda game, mask, action: action != IMPROVE or not is_early(game),
    "points:income": lambda game, mask, action: action != TO_VP or not mask[TO_INCOME],
    "points:vp": lambda game, mask, action: action != TO_INCOME,
    "points:late": lambda game, mask, action: action != TO_VP or not mask[TO_INCOME] or is_late(game),
    "moves:late": lambda game, mask, action: not (is_early(game) and FROM <= action < HOP_TO),
    "build:plain": lambda game, mask, action: not is_dear(action),
    "build:early": lambda game, mask, action: not builds(action) or is_early(game) or not mask[PASS],
    "build:late": lambda game, mask, action: not builds(action) or not is_early(game) or not mask[PASS],
    "build:never": lambda game, mask, action: not builds(action),
    "rush": lambda game, mask, action: not (game["phase"] == BUILD and action == PASS) or mask.sum() == 1,
    "hoard:money": lambda game, mask, action: not builds(action) or game["money"][0] >= RICH,
    "take:3": lambda game, mask, action: game["phase"] != TAKE or not mask[2] or action == 2,
}


@pytest.mark.parametrize("name", HOLDS)
def test_habit__is_kept_at_every_decision(name: str) -> None:
    assert all(HOLDS[name](*decision) for decision in play(f"greedy+{name}"))


def test_greedy__has_few_of_the_habits_itself() -> None:
    decisions = list(play("greedy"))
    own = {name for name, holds in HOLDS.items() if all(holds(*decision) for decision in decisions)}
    assert own <= {"engine:first", "points:late", "build:plain"}


def test_habit__first_city_is_where_the_first_placement_lies() -> None:
    milan = SETTING.map.stops.index("Milan")
    near = set(BOARD["beyond"][BOARD["stop_hex"][milan]].tolist())
    decisions = play("greedy+first:Milan")
    first = [action - BUILD_ON for game, _, action in decisions if builds(action) and not game["served"][0]]
    assert first
    assert set(first) <= near


def test_habit__first_city_must_be_one_of_the_map() -> None:
    with pytest.raises(Exception, match=r"city 'Paris': the map mini has .*Milan"):
        list(play("greedy+first:Paris"))


def test_habits__of_a_map_are_cities_tiles_and_ways_of_playing_and_each_is_made() -> None:
    names = DEVIATIONS.names(SETTING)
    assert {"first:Milan", "take:1", f"take:{NUM_TILES}", *HABITS} < set(names)
    assert "first:Parma" not in names  # a town
    assert all(DEVIATIONS.make(name) is not None for name in names)
    assert {DEVIATIONS.make(name) for name in ("take:0", "take:8", "take:x", "rushed")} == {None}
    assert hash_agent("greedy+rush", "steam") != hash_agent("greedy", "steam")


@pytest.mark.parametrize("name", [*HABITS, "first:Detroit", "take:3", "any"])
def test_habits__travel_with_checkpoints_of_training(name: str) -> None:
    agent = make_any_agent(f"greedy+{name}", "steam")
    batch: Batch = GameBatch(Rules(), 3, seed=2)
    played = []
    for one in (agent, pickle.loads(pickle.dumps(agent))):
        one.reset(5)
        played.append(one.act(None, batch.mask, batch.views()).tolist())
    assert played[0] == played[1]


def test_search__takes_the_habits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = Deviations(lambda setting: ("rush", "take:3"), DEVIATIONS.make, {})
    monkeypatch.setattr(holes, "find_deviations", lambda game: few)
    words = ["greedy", *OPTIONS, "--own-only", "--screen", "2", "--deals", "2", "--worst", "1", "--out", str(tmp_path)]
    assert holes.main(words) in (0, holes.HOLE_FOUND)
    names = {match["name"] for match in holes.RESULTS.read(tmp_path / "greedy-mini.json")["matches"]}
    assert names == {"greedy+rush", "greedy+take:3"}


# --- balance ------------------------------------------------------------------------------------------


def test_balance__counts_turns_tiles_and_deliveries_once() -> None:
    match = MatchConfig("greedy", "greedy", seats=3, deals=5, game="steam", map="mini")
    part = balance.play_part(match, BALANCE)
    played = part["played"]
    assert {demand.measure for demand in DEMANDS} <= {*played, *part["board"]}
    assert sum(played[f"tile {number}"] for number in range(1, NUM_TILES + 1)) == pytest.approx(3)
    assert 0 < played["deliveries"] <= 2 * 10
    assert 1 <= played["links"] <= 6
    assert {f"{what} {turn}" for what in ("income", "vp") for turn in (1, 10)} < set(played)
    assert "income 11" not in played
    assert played["vp 10"] > played["vp 1"] >= 0
    assert tabulate_turns([part], "mini").count("\n") == 3
    assert "First Build" in tabulate_demands([part], "mini")


def test_balance__plays_the_numbers_of_seats_that_a_map_is_made_for() -> None:
    options = balance.options_of(balance.find_spec("steam"))(game="steam", worlds=("mini", "rhineland"))
    assert [match.num_seats for match in options.list_matches()] == [3, 4, 3, 4, 5]
