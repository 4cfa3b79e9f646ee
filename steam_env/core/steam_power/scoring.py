"""Rules 3.3 and 9.4: the final score, and who wins."""

import numpy as np

from steam_env.core.bits import bit, has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.players import player_of
from steam_env.core.steam_power.state import (
    FLIPPED_VP,
    MAX_SEATS,
    MONEY_PER_VP,
    PLACE_FULFILLED,
    PREVIEW,
    PURPLE,
    PURPLE_VP,
    SOLO,
)

# Columns of a score.
SCORE_PARTS = ("total", "contracts", "factories", "cities", "money")
TOTAL, FROM_CONTRACTS, FROM_FACTORIES, FROM_CITIES, FROM_MONEY = range(len(SCORE_PARTS))
NUM_SCORE_PARTS = len(SCORE_PARTS)


@kernel
def rarity_bonus(game: np.record, color: int) -> int:
    """1 VP for each City tile of the colour beside the map; nothing in the preview edition (rule 10)."""
    return 0 if game.edition == PREVIEW else int(game.off_map[color])


@kernel
def counts_as_linked(game: np.record, board: np.record, seat: int, city: int) -> bool:
    """Whether a purple city counts for the seat: its group, or in the preview edition that very tile (rule 10)."""
    if game.edition == PREVIEW:
        return has(game.linked[city], seat)
    return has(game.network[seat], board.group[city])


@kernel
def num_scores(game: np.record) -> int:
    """How many seats score; in solo there is one score (rule 9.4)."""
    return 1 if game.mode == SOLO else int(game.num_seats)


@kernel
def score_game(game: np.record, board: np.record, deck: np.record, scores: np.ndarray) -> None:
    """Write the scores of the position as it stands, (seats, ``SCORE_PARTS``)."""
    scores[:] = 0
    for contract in range(deck.num_contracts):
        seat = game.place[contract] - PLACE_FULFILLED
        if 0 <= seat < num_scores(game):
            scores[seat, FROM_CONTRACTS] += deck.vp[contract]
    for city in range(board.num_cities):
        color = game.color[city]
        if game.owner[city] != NONE and game.resources[city] == 0:
            scores[player_of(game, int(game.owner[city])), FROM_FACTORIES] += FLIPPED_VP + rarity_bonus(game, color)
        if color == PURPLE:
            _share_purple(game, board, city, scores)
    for seat in range(num_scores(game)):
        scores[seat, FROM_MONEY] = game.money[seat] // MONEY_PER_VP
        for part in range(FROM_CONTRACTS, NUM_SCORE_PARTS):
            scores[seat, TOTAL] += scores[seat, part]


@kernel
def _share_purple(game: np.record, board: np.record, city: int, scores: np.ndarray) -> None:
    """Share a purple city's worth among the seats linked to it, rounded down."""
    sharers = 0
    for seat in range(game.num_seats):
        sharers += 1 if counts_as_linked(game, board, seat, city) else 0
    if game.mode == SOLO:
        scores[0, FROM_CITIES] += sharers  # rule 9.4: one for each company
        return
    if sharers == 0:
        return
    share = (PURPLE_VP + rarity_bonus(game, PURPLE)) // sharers
    for seat in range(game.num_seats):
        if counts_as_linked(game, board, seat, city):
            scores[seat, FROM_CITIES] += share


@kernel
def find_winners(game: np.record, scores: np.ndarray) -> int:
    """A bit mask of the winners: most VP, then more fulfilled contracts, then shared."""
    winners = 0
    best = -1
    for seat in range(num_scores(game)):
        rank = int(scores[seat, TOTAL]) * 64 + int(game.num_fulfilled[seat])
        if rank > best:
            best = rank
            winners = 0
        if rank == best:
            winners |= bit(seat)
    return winners


@kernel
def score_games(
    games: np.ndarray, boards: np.ndarray, decks: np.ndarray, scores: np.ndarray, winners: np.ndarray
) -> None:
    """Write the scores (n, seats, parts) and winner flags (n, seats) of many games."""
    for index in range(games.shape[0]):
        game = games[index]
        score_game(game, boards[game.board_index], decks[game.deck_index], scores[index])
        won = find_winners(game, scores[index])
        for seat in range(MAX_SEATS):
            winners[index, seat] = has(won, seat)


def rank_seats(records: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """How each seat stands, (n, seats) int64, greater is better: most VP, then more fulfilled contracts (rule 3.3)."""
    strength: np.ndarray = scores[:, :, TOTAL] * 64 + records["num_fulfilled"][:, : scores.shape[1]]
    return strength
