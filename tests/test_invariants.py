"""A slice of the invariants on every run: see ``tests.invariants``, which also says how to play for longer."""

import copy
import random
from collections.abc import Iterator
from functools import cache

import pytest

from steam_env import Rules
from steam_env.core.steam_power.state import GAME_FIELDS, NUM_PHASES, PHASE_NAMES
from steam_env.words.events import Event
from tests.invariants import (
    ALL_RULES,
    POSITION_INVARIANTS,
    Care,
    InvariantError,
    RandomStates,
    Snapshot,
    Watch,
    check_batch,
    check_step,
    draw_game,
    watch_game,
)

SEED = 1
PARTS = 24
GAMES_IN_PART = 7
DECISIONS = 12
STRIDE = len(ALL_RULES) * 2 // (PARTS * GAMES_IN_PART) | 1  # odd: deals and scenarios take turns
CARE = Care(illegal=6, every_action=60, futures=10, looks=12)


@pytest.mark.parametrize("part", range(PARTS))
def test_games__keep_every_invariant(part: int) -> None:
    for index in range(part * GAMES_IN_PART, (part + 1) * GAMES_IN_PART):
        assert watch_game(index * STRIDE, SEED, DECISIONS, CARE) > 0


@pytest.mark.parametrize("rules", ALL_RULES[::9], ids=lambda rules: f"{rules.mode}-{rules.seats}-{rules.automas}")
def test_batches__are_the_single_games_at_every_step(rules: Rules) -> None:
    check_batch(rules, 3, seed=SEED, steps=60)


def test_configurations__are_all_there() -> None:
    for name, values in {
        "seats": {1, 2, 3, 4, 5},
        "automas": {0, 1, 2, 3, 4},
        "edition": {"final", "preview"},
        "mode": {"multiplayer", "solo"},
        "routing": {"any", "cheapest"},
        "map": {"mini", "midwest", "alps"},
        "contracts": {"standard", "mini"},
        "automa_level": {"very_easy", "easy", "normal", "hard", "very_hard"},
    }.items():
        assert {getattr(rules, name) for rules in ALL_RULES} == values
    pairs = {(rules.seats, rules.automas) for rules in ALL_RULES}
    assert pairs == {(1, 0), *((seats, automas) for seats in (2, 3, 4, 5) for automas in range(seats))}


# --- the invariants themselves --------------------------------------------------------------------------------

UNGUARDED = {"rng"}  # chance: any words would do
Step = tuple[Snapshot, Snapshot, list[Event], int]  # the positions before and after, the events, the action


def steps(number: int, count: int) -> list[Step]:
    """Steps of a random game."""
    watch = Watch(draw_game(number, SEED), number, Care(0, 0, 0, 0, 0))
    watch.skip(20)
    found: list[Step] = []
    while not watch.game.done and len(found) < count:
        before, step = watch.now, watch.game.num_steps
        watch.step(watch.game.parse(watch.players.choose(watch.game)))
        found.append((before, watch.now, watch.game.events_since(step), watch.game.actions[-1]))
    return found


@cache
def various_steps() -> list[Step]:
    """Steps into every phase, with and without Automas, and in solo."""
    found: dict[tuple[int, bool, bool], Step] = {}
    for number in range(60):
        for step in steps(number, 40):
            after = step[1]
            found[after.phase, after.solo, after.num_automas > 0] = step
    return list(found.values())


def test_invariants__are_tried_in_every_phase() -> None:
    assert {after.phase for _, after, _, _ in various_steps()} == set(range(NUM_PHASES))
    assert {(after.solo, after.num_automas > 0) for _, after, _, _ in various_steps()} == {
        (False, False),
        (False, True),
        (True, False),
    }


def tampered(now: Snapshot, name: str) -> Iterator[Snapshot]:
    """The position with one number of the field changed, for some of them."""
    values = getattr(now, name)
    if isinstance(values, int):
        for value in (values + 1, values - 1):
            other = copy.copy(now)
            setattr(other, name, value)
            yield other
        return
    for index in range(0, len(values), max(1, len(values) // 5)):
        other = copy.copy(now)
        changed = copy.deepcopy(values)
        place = changed[index] if isinstance(changed[index], list) else changed
        place[0 if place is not changed else index] += 1
        setattr(other, name, changed)
        yield other


def is_caught(before: Snapshot, after: Snapshot, events: list[Event], action: int) -> bool:
    vars(after).pop("routes", None)  # worked out before the change
    try:
        for invariant in POSITION_INVARIANTS:
            invariant(after)
        check_step(before, after, events, action)
    except (InvariantError, IndexError, KeyError):  # a number so wrong that nothing can be followed
        return True
    return False


@pytest.mark.parametrize("name", [field.name for field in GAME_FIELDS if field.name not in UNGUARDED])
def test_invariants__notice_any_other_number_in_any_field(name: str) -> None:
    for before, after, events, action in various_steps():
        for wrong in tampered(after, name):
            where = f"{name}, {PHASE_NAMES[after.phase]}, {after.setting.rules}"
            assert is_caught(before, wrong, events, action), where


TOLD = {
    *("money", "place", "start", "build", "source", "purchase", "hop", "flip", "reward", "draw", "take", "round"),
    *("end", "reveal", "discard", "stack", "automa", "compensation", "train", "bag", "aside"),
}


def test_invariants__notice_events_that_are_left_out() -> None:
    tried = set()
    for number in range(40):
        for before, after, events, action in steps(number, 25):
            for index, event in enumerate(events):
                if event.kind in TOLD and event.values.get("amount") != 0:
                    tried.add(event.kind)
                    assert is_caught(before, after, events[:index] + events[index + 1 :], action), event
    assert tried == TOLD


def test_random_states__are_watched() -> None:
    with pytest.raises(InvariantError, match="random state"), RandomStates():
        random.random()
