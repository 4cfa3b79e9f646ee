"""Rules 12 and 13.5: the score, and who wins."""

import numpy as np

from steam_env.core.jit import kernel
from steam_env.core.steam.links import count_complete
from steam_env.core.steam.state import BANKRUPT_SCORE, DEBT_VP, INCOME_PER_VP, MAX_SEATS, NUM_TILES

# Columns of a score.
SCORE_PARTS = ("total", "vp", "income", "links", "bankruptcy")
TOTAL, FROM_VP, FROM_INCOME, FROM_LINKS, FROM_BANKRUPTCY = range(len(SCORE_PARTS))
NUM_SCORE_PARTS = len(SCORE_PARTS)

# A rank holds score, income and action tile one after the other, each in digits of its own (rule 12.2).
INCOME_DIGITS, TILE_DIGITS = 1 << 16, 1 << 4
BANKRUPT_RANK = -(1 << 40)  # + the turn of the bankruptcy: behind all others (rule 13.5)


@kernel
def score_game(game: np.record, scores: np.ndarray) -> None:
    """Write the scores of the position as it stands, (seats, ``SCORE_PARTS``) (rule 12.1)."""
    scores[:] = 0
    for seat in range(game.num_seats):
        if game.bankrupt[seat] != 0:
            scores[seat, FROM_BANKRUPTCY] = BANKRUPT_SCORE
        else:
            income = int(game.income[seat])
            scores[seat, FROM_VP] = game.vp[seat]
            scores[seat, FROM_INCOME] = income // INCOME_PER_VP if income > 0 else DEBT_VP * income
            scores[seat, FROM_LINKS] = count_complete(game, seat)
        for part in range(FROM_VP, NUM_SCORE_PARTS):
            scores[seat, TOTAL] += scores[seat, part]


@kernel
def rank_seat(game: np.record, seat: int, total: int) -> int:
    """How the seat stands, greater is better: score, then income, then the lower action tile (rules 12.2, 13.5)."""
    if game.bankrupt[seat] != 0:
        return BANKRUPT_RANK + int(game.bankrupt[seat])
    by_score = total * INCOME_DIGITS + int(game.income[seat])
    return by_score * TILE_DIGITS + NUM_TILES - int(game.tile[seat])


@kernel
def score_games(games: np.ndarray, boards: np.ndarray, scores: np.ndarray, winners: np.ndarray) -> None:
    """Write the scores (n, seats, parts) and winner flags (n, seats) of many games."""
    for index in range(games.shape[0]):
        game = games[index]
        score_game(game, scores[index])
        best = 2 * BANKRUPT_RANK
        for seat in range(game.num_seats):
            best = max(best, rank_seat(game, seat, scores[index, seat, TOTAL]))
        for seat in range(MAX_SEATS):
            present = seat < game.num_seats
            winners[index, seat] = present and rank_seat(game, seat, scores[index, seat, TOTAL]) == best


@kernel
def write_ranks(games: np.ndarray, scores: np.ndarray, ranks: np.ndarray) -> None:
    """Write ``rank_seat`` of every seat, (n, seats)."""
    for index in range(games.shape[0]):
        for seat in range(ranks.shape[1]):
            ranks[index, seat] = rank_seat(games[index], seat, scores[index, seat, TOTAL])


def rank_seats(records: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """How each seat stands, (n, seats) int64, greater is better (rules 12.2, 13.5)."""
    ranks = np.empty(scores.shape[:2], np.int64)
    write_ranks(records, scores, ranks)
    return ranks
