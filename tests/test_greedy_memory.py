"""What greedy remembers of ways changes no choice, and all that ways depend on is part of what it goes by."""

from collections.abc import Callable

import numpy as np
import pytest

from steam_env.agents import advising
from steam_env.agents.greedy import choose_all, compile_greedy
from steam_env.agents.greedy_memory import MEMORY, mark_map
from steam_env.agents.greedy_plan import EFFORT, FAR, PLAN, WEIGHTS, Weights
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.actions import REMOVE
from steam_env.core.steam_power.state import ACTION, HEAD, TRACK, new_work
from steam_env.data.steam_power.rules import Rules
from steam_env.spec import Setting
from steam_env.table.batch import GameBatch
from steam_env.table.engine import load_setting
from tests.seen import play_on

SEED = 5


def choose(
    records: np.ndarray, masks: np.ndarray, setting: Setting, plans: np.ndarray, weights: Weights = WEIGHTS
) -> np.ndarray:
    """Greedy's choices, by what is in this memory."""
    compile_greedy()
    boards, decks = setting.statics
    actions = np.empty(len(records), np.int64)
    choose_all(records, boards, decks, new_work()[0], plans, masks, weights, actions)
    return actions


def choose_anew(records: np.ndarray, masks: np.ndarray, setting: Setting) -> np.ndarray:
    """Greedy's choices, each by a memory of nothing."""
    rows = [slice(row, row + 1) for row in range(len(records))]
    return np.concatenate([choose(records[row], masks[row], setting, np.zeros(1, PLAN)) for row in rows])


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("maps", ["midwest", "gen-v1:train"])
def test_choices_are_the_same_with_a_memory_that_many_games_have_filled(maps: str, seats: int) -> None:
    rules = Rules(num_players=seats, map=maps, contracts="standard" if maps == "midwest" else maps)
    batch, rng = GameBatch(rules, 24, seed=SEED), np.random.default_rng(SEED)
    for _ in range(120):
        rows = np.flatnonzero(~batch.done & (batch.mask.sum(axis=1) > 1))
        records, masks = batch.records[rows].copy(), batch.mask[rows]
        anew = choose_anew(records, masks, batch.setting)
        for _ in range(2):  # the second time everything is kept
            assert (choose(records, masks, batch.setting, MEMORY.plans) == anew).all()
        actions = batch.sample_legal(rng)
        actions[rows[::2]] = anew[::2]
        batch.step(actions)


@pytest.mark.parametrize("trains", ["as they are", "none"])
def test_estimates_are_the_same_whatever_was_looked_at_before(trains: str) -> None:
    batch, others = GameBatch(Rules(), 48, seed=SEED), GameBatch(Rules(map="mini", contracts="mini"), 48, seed=SEED)
    play_on(others, 40)
    looked_ahead = 0
    for _ in range(25):
        play_on(batch, 6)
        batch.reset(where=batch.done)
        asked = batch.clone()
        if trains == "none":  # then no link can be begun, and greedy looks for no way
            asked.records["trains"] = 0
            asked = GameBatch.from_records(asked.records, Rules())
        MEMORY.plans.view(np.uint8)[:] = 0
        anew = asked.observe("advised")["advice"].copy()
        others.observe("advised")
        batch.observe("advised")
        assert (asked.observe("advised")["advice"] == anew).all()
        looked_ahead += int((anew[:, advising.RATES :] > 0).any(axis=1).sum())
    assert looked_ahead > 200


# --- what ways depend on --------------------------------------------------------------------------------


def list_positions(phase: int, *, tail: bool) -> tuple[np.ndarray, np.ndarray, Setting]:
    """Records and masks of positions in a phase, with a network, with an incomplete link or without."""
    batch = GameBatch(Rules(), 16, seed=SEED)
    records, masks = [], []
    for _ in range(90):
        seats = np.maximum(batch.records["seat"], 0)
        rows = np.arange(len(batch))
        meant = (batch.records["phase"] == phase) & (batch.records["network"][rows, seats] != 0)
        meant &= (batch.records["tail_link"][rows, seats] != NONE) == tail
        records.append(batch.records[meant].copy())
        masks.append(batch.mask[meant].copy())
        batch.step(choose(batch.records, batch.mask, batch.setting, np.zeros(1, PLAN)))
    return np.concatenate(records)[:40], np.concatenate(masks)[:40], batch.setting


def find_ways(
    records: np.ndarray, masks: np.ndarray, setting: Setting, plans: np.ndarray, weights: Weights
) -> list[np.ndarray]:
    """Of each position the ways that greedy has in mind."""
    found = []
    for row in range(len(records)):
        choose(records[row : row + 1], masks[row : row + 1], setting, plans, weights)
        ways = plans["group_ways"][0].astype(np.int64)
        found.append(np.where(ways[EFFORT] < FAR, ways, FAR))
    return found


def of_mover(name: str, value: int) -> Callable[[np.ndarray, np.ndarray], None]:
    """Give a field of the mover's another value."""

    def change(records: np.ndarray, masks: np.ndarray) -> None:
        records[name][np.arange(len(records)), records["seat"]] = value

    return change


def turn(name: str) -> Callable[[np.ndarray, np.ndarray], None]:
    """Turn an edge of the mover's link."""

    def change(records: np.ndarray, masks: np.ndarray) -> None:
        rows = (np.arange(len(records)), records["seat"]) if name.startswith("tail") else slice(None)
        records[name][rows] = (records[name][rows] + 1) % NUM_EDGES

    return change


def lose_tiles(records: np.ndarray, masks: np.ndarray) -> None:
    records["tiles"][:, 0] = 0


def lose_track(records: np.ndarray, masks: np.ndarray) -> None:
    records["track"], records["met"] = NONE, 0


def forbid_removal(records: np.ndarray, masks: np.ndarray) -> None:
    masks[:, REMOVE] = False


def start_elsewhere(records: np.ndarray, masks: np.ndarray) -> None:
    records["start_city"] = (records["start_city"] + 1) % 8


def leave_from_elsewhere(records: np.ndarray, masks: np.ndarray) -> None:
    records["link_start"] = (records["link_start"] + 1) % 8


def move_tail(records: np.ndarray, masks: np.ndarray) -> None:
    rows = (np.arange(len(records)), records["seat"])
    records["tail_hex"][rows] = records["tail_hex"][rows] - 1


CHANGES: dict[str, tuple[int, bool, Callable[[np.ndarray, np.ndarray], None]]] = {
    "tiles in stock": (ACTION, False, lose_tiles),
    "track": (ACTION, False, lose_track),
    "network": (ACTION, False, of_mover("network", 3)),
    "trains": (ACTION, False, of_mover("trains", 1)),
    "start city": (HEAD, False, start_elsewhere),
    "start edge": (HEAD, False, turn("start_edge")),
    "tail's hex": (TRACK, True, move_tail),
    "tail's entry": (TRACK, True, turn("tail_entry")),
    "tail's exit": (TRACK, True, turn("tail_exit")),
    "tail's first city": (TRACK, True, leave_from_elsewhere),
    "what may be taken back": (TRACK, True, forbid_removal),
}


@pytest.mark.parametrize("name", CHANGES)
def test_ways__are_found_anew_where_what_they_depend_on_has_changed(name: str) -> None:
    phase, tail, change = CHANGES[name]
    records, masks, setting = list_positions(phase, tail=tail)
    if change is not forbid_removal:
        forbid_removal(records, masks)  # so that nobody follows back a link that is not there
    plans = np.zeros(1, PLAN)
    before = find_ways(records, masks, setting, plans, WEIGHTS)
    change(records, masks)
    assert_found_anew(before, records, masks, setting, plans, WEIGHTS)


@pytest.mark.parametrize("weights", [WEIGHTS._replace(placement=1.0), WEIGHTS._replace(longest=12.0)])
def test_ways__are_found_anew_by_other_weights(weights: Weights) -> None:
    records, masks, setting = list_positions(ACTION, tail=False)
    plans = np.zeros(1, PLAN)
    before = find_ways(records, masks, setting, plans, WEIGHTS)
    assert_found_anew(before, records, masks, setting, plans, weights)


def assert_found_anew(
    before: list[np.ndarray],
    records: np.ndarray,
    masks: np.ndarray,
    setting: Setting,
    plans: np.ndarray,
    weights: Weights,
) -> None:
    """The ways found by a memory that knows those before are those found without: others, somewhere."""
    after = find_ways(records, masks, setting, plans, weights)
    anew = find_ways(records, masks, setting, np.zeros(1, PLAN), weights)
    assert len(records) > 3
    assert any((one != other).any() for one, other in zip(before, after, strict=True))
    for one, other in zip(after, anew, strict=True):
        assert (one == other).all()


def test_first_links__are_found_anew_on_another_map() -> None:
    plans, choices = np.zeros(1, PLAN), []
    for maps in ("midwest", "alps", "midwest"):
        batch = GameBatch(Rules(map=maps), 8, seed=SEED)
        choices.append(choose(batch.records, batch.mask, batch.setting, plans))
        assert (choices[-1] == choose_anew(batch.records, batch.mask, batch.setting)).all()
    assert (choices[0] == choices[2]).all()
    assert (choices[0] != choices[1]).any()


def test_maps__have_marks_of_their_own() -> None:
    named = ("midwest", "alps", "mini", *(f"gen-v1:test:{number}" for number in range(60)))
    boards = [load_setting(Rules(map=name)).boards[0] for name in named]
    assert len({mark_map(board) for board in boards}) == len(named)
    assert mark_map(boards[0]) == mark_map(load_setting(Rules(num_players=3)).boards[0])
