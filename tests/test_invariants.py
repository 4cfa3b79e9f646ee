"""A slice of the invariants on every run: see ``tests.verification.invariants``, which can play for longer."""

import random
from collections.abc import Iterator
from functools import cache

import pytest

from steam_env import Game, Rules
from steam_env.core.steam_power.state import GAME_FIELDS, PHASE_NAMES
from tests.verification.invariants import (
    ALL_RULES,
    Care,
    InvariantError,
    RandomStates,
    check_batch,
    check_position,
    draw_game,
    watch_game,
)
from tests.verification.lockstep.compare import describe, look_at_game
from tests.verification.lockstep.players import Players

SEED = 1
PARTS = 5
GAMES_IN_PART = 14
DECISIONS = 12
STRIDE = len(ALL_RULES) * 2 // (PARTS * GAMES_IN_PART) | 1  # odd: deals and scenarios take turns
CARE = Care(illegal=6, every_action=60, futures=10, looks=12)


@pytest.mark.parametrize("part", range(PARTS))
def test_games__keep_every_invariant(part: int) -> None:
    for index in range(part * GAMES_IN_PART, (part + 1) * GAMES_IN_PART):
        assert watch_game(index * STRIDE, SEED, DECISIONS, CARE) > 0


@pytest.mark.parametrize("rules", ALL_RULES[::18], ids=lambda rules: f"{rules.mode}-{rules.seats}-{rules.automas}")
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

FOLLOWS = {  # what only the decisions that follow tell: legal actions and events of the lockstep
    *("rng", "first_player", "start_city", "start_edge", "build_city", "contract", "visited"),
    *("placements_left", "takes_left"),
}


@cache
def various_games() -> dict[tuple[str, bool, bool], Game]:
    """Games in every phase, with and without Automas, and in solo."""
    found = {}
    for number in range(60):
        game, players = draw_game(number, SEED), Players(random.Random(number))
        for _ in range(60):
            found[game.phase, game.rules.mode == "solo", game.rules.automas > 0] = game.clone()
            if not game.done:
                game.step(players.choose(game))
    return found


def test_invariants__are_tried_in_every_phase() -> None:
    assert {phase for phase, _, _ in various_games()} == set(PHASE_NAMES)
    assert {(solo, automas) for _, solo, automas in various_games()} >= {(False, False), (False, True), (True, False)}


def tampered(game: Game, name: str) -> Iterator[Game]:
    """The game with one number of the field changed, for some of them."""
    for index in range(0, game.records[name].size, max(1, game.records[name].size // 5)):
        twin = game.clone()
        twin.records[name].flat[index] += 1
        yield twin


def is_noticed(game: Game, twin: Game) -> bool:
    """By an invariant, or by what the lockstep compares with the reference engine at every decision."""
    try:
        check_position(twin)
        return look_at_game(twin, describe) != look_at_game(game, describe)
    except (InvariantError, IndexError, KeyError, ValueError):  # a number so wrong that nothing can be followed
        return True


@pytest.mark.parametrize("name", [field.name for field in GAME_FIELDS if field.name not in FOLLOWS])
def test_invariants__notice_any_other_number_in_any_field(name: str) -> None:
    for game in various_games().values():
        for twin in tampered(game, name):
            assert is_noticed(game, twin), f"{name}, {game.phase}, {game.rules}"


def test_random_states__are_watched() -> None:
    with pytest.raises(InvariantError, match="random state"), RandomStates():
        random.random()
