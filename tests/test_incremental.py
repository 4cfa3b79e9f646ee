"""What masks and searches look up in tables is what the rules' own words give; fields kept current: ``invariants``."""

from collections.abc import Iterator

import numpy as np
import pytest

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.sampling import pick_legal
from steam_env.core.steam_power.actions import MONEY, NUM_ACTIONS
from steam_env.core.steam_power.carriage import contract_cost, listed_cost, survey
from steam_env.core.steam_power.reasons import OK
from steam_env.core.steam_power.route_ways import begin_ways, entries_of, exits_of
from steam_env.core.steam_power.state import OVER, new_work
from steam_env.core.steam_power.step import find_problem_of
from steam_env.core.steam_power.track import ground_problem, shape_problem
from steam_env.data.steam_power.rules import Rules
from steam_env.table.batch import GameBatch

GAMES = 8
STEPS_BETWEEN = 9
CHECKS = 40
TABLES = {
    "two seats": Rules(),
    "five seats on a small map": Rules(map="mini", num_players=5),
    "three seats, preview": Rules(num_players=3, edition="preview", routing="cheapest"),
    "Automas": Rules(num_players=4, automas=2),
    "solo": Rules(mode="solo"),
}
each_table = pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES.keys())


def play_some(rules: Rules, seed: int) -> Iterator[tuple[GameBatch, int]]:
    """A batch of random games at moments far apart, and each time one game of it that goes on."""
    batch = GameBatch(rules, GAMES, seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(CHECKS):
        for _ in range(STEPS_BETWEEN):
            batch.step(batch.sample_legal(rng))
        batch.reset(batch.done)
        yield batch, int(rng.integers(GAMES))


@each_table
def test_masks__allow_exactly_what_no_rule_forbids(rules: Rules) -> None:
    work = new_work()[0]
    for batch, index in play_some(rules, 3):
        setting = batch.setting
        game = batch.records[index : index + 1]
        problems = [find_problem_of(game, setting.boards, setting.decks, work, action) for action in range(NUM_ACTIONS)]
        if game["phase"][0] == OVER:
            problems[MONEY] = OK  # so that no row is empty
        assert batch.mask[index].tolist() == [problem == OK for problem in problems]


@each_table
def test_price_lists__say_what_a_contract_costs(rules: Rules) -> None:
    work = new_work()[0]
    for batch, index in play_some(rules, 4):
        game, board, deck = batch.records[index], batch.setting.boards[0], batch.setting.decks[0]
        survey(game, board, work, max(int(game.seat), 0))
        for contract in range(deck.num_contracts):
            assert listed_cost(deck, work, contract) == contract_cost(deck, work, contract)


@pytest.mark.parametrize("rules", [TABLES["two seats"], TABLES["Automas"]], ids=["two seats", "Automas"])
def test_exits__are_the_far_edges_of_all_legal_tiles(rules: Rules) -> None:
    work = new_work()[0]
    for batch, index in list(play_some(rules, 5))[::8]:
        game, board = batch.records[index], batch.setting.boards[0]
        begin_ways(game, board, work, 0)
        for hex_index in range(board.num_hexes):
            exits = np.zeros((NUM_EDGES, NUM_EDGES), bool)
            for entry in range(NUM_EDGES):
                if ground_problem(game, board, hex_index, entry) == OK:
                    staying = int(game.track[hex_index, 0])
                    for edge in range(NUM_EDGES):
                        problem = shape_problem(game, board, hex_index, staying, entry, edge, NONE)
                        exits[entry, edge] = problem == OK
            for edge in range(NUM_EDGES):
                assert exits_of(game, board, work, hex_index, edge) == as_bits(exits[edge])
                assert entries_of(game, board, work, hex_index, edge) == as_bits(exits[:, edge])


def as_bits(flags: np.ndarray) -> int:
    return int(sum(1 << index for index in np.flatnonzero(flags)))


# --- sampling -------------------------------------------------------------------------------------


def test_picks__are_uniform_over_the_legal_actions() -> None:
    """The same fraction picks what counting through the row picks."""
    rng = np.random.default_rng(6)
    masks = np.zeros((400, NUM_ACTIONS), np.bool_)
    for row, legal in zip(masks, rng.integers(1, NUM_ACTIONS + 1, len(masks)), strict=True):
        row[rng.permutation(NUM_ACTIONS)[: legal if legal % 2 else 1 + legal % 9]] = True
    fractions = rng.random(len(masks))
    fractions[:2] = 0.0, np.nextafter(1.0, 0.0)
    actions = np.empty(len(masks), np.int64)
    pick_legal(masks, fractions, actions)
    wanted = [np.flatnonzero(row)[int(part * row.sum())] for row, part in zip(masks, fractions, strict=True)]
    assert actions.tolist() == wanted
