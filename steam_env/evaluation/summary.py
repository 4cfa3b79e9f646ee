"""A match in numbers: per agent, per seat, and how the games went."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from steam_env.evaluation.deals import seat_agents
from steam_env.evaluation.intervals import Estimate, estimate_mean, estimate_rate
from steam_env.evaluation.match import MatchResult
from steam_env.evaluation.openings import OpeningSpread, measure_openings
from steam_env.kit.arrays import FloatArray
from steam_env.table.mixture import as_mixture
from steam_env.table.rewards import TOTAL


@dataclass(frozen=True)
class AgentSummary:
    """The results of one agent, or of one scripted opponent.

    Attributes:
        label: its name, numbered where several seats have the same.
        name: as ``make_agent`` knows it, or a scripted opponent's.
        games: games played.
        wins: games won, a shared win counted 1/W.
        win_rate: wins / games, with its interval.
        victory_points: mean points at the end, with its interval.
        margin: its points less the mean of the others', with its interval.
        sources: mean points by where they come from; they sum to the mean.
        rank: mean rank, 1 = best.
        actions: mean of the actions of each kind in a game; None for a scripted opponent.
        openings: how it opened its games; None for a scripted opponent, and in a game without ``Facts.openings``.
        by_seat: win rate on each seat; None where it never sits.
        by_turn: win rate as first player, second, ...; None where it never is.
        forfeits: games lost by faults of its own.
    """

    label: str
    name: str
    games: int
    wins: float
    win_rate: Estimate
    victory_points: Estimate
    margin: Estimate
    sources: dict[str, float]
    rank: float
    actions: dict[str, float] | None
    openings: OpeningSpread | None
    by_seat: tuple[float | None, ...]
    by_turn: tuple[float | None, ...]
    forfeits: int


@dataclass(frozen=True)
class Spread:
    """The mean and the spread of a number over the games."""

    mean: float
    least: int
    lower_quartile: float
    median: float
    upper_quartile: float
    most: int


@dataclass(frozen=True)
class MatchSummary:
    """A match in numbers.

    Attributes:
        games: games played.
        chance: 1/n, the win rate of equal agents; n counts all seats.
        agents: the agent that is measured first, scripted ones last.
        by_seat: win rate of each seat, whoever sat there.
        by_turn: win rate of the first player, the second, ..., whoever it was.
        rounds: game length in rounds.
        decisions: game length in decisions of all seats.
        ended_by_contracts: games that their rules ended, not the round limit.
        ended_by_round_limit: games ended by the round limit alone.
    """

    games: int
    chance: float
    agents: tuple[AgentSummary, ...]
    by_seat: tuple[float | None, ...]
    by_turn: tuple[float | None, ...]
    rounds: Spread
    decisions: Spread
    ended_by_contracts: int
    ended_by_round_limit: int


def summarise(result: MatchResult) -> MatchSummary:
    """The numbers of a match."""
    games, num_seats = result.games, result.config.num_seats
    truncated = int(games.truncated.sum())
    return MatchSummary(
        games=games.rounds.size,
        chance=1 / num_seats,
        agents=tuple(_summarise_agent(result, index) for index in range(num_seats)),
        by_seat=_mean_by(_find_seats(result), games.shares, num_seats),
        by_turn=_mean_by(games.turns, games.shares, num_seats),
        rounds=_spread(games.rounds),
        decisions=_spread(games.decisions),
        ended_by_contracts=games.rounds.size - truncated,
        ended_by_round_limit=truncated,
    )


def _summarise_agent(result: MatchResult, index: int) -> AgentSummary:
    config, games, facts = result.config, result.games, result.config.spec.facts
    shares, scores = games.shares[:, :, index], games.scores[:, :, index]
    means, actions = scores.mean(axis=(0, 1)), games.actions[:, :, index].mean(axis=(0, 1)).tolist()
    return AgentSummary(
        label=config.labels[index],
        name=config.names[index],
        games=shares.size,
        wins=float(shares.sum()),
        win_rate=estimate_rate(shares.mean(axis=1)),
        victory_points=estimate_mean(scores[:, :, TOTAL].mean(axis=1)),
        margin=estimate_mean(_find_margins(games.scores[:, :, :, TOTAL], index).mean(axis=1)),
        sources={source: float(means[part]) for part, source in enumerate(facts.score_parts[TOTAL + 1 :], TOTAL + 1)},
        rank=float(games.ranks[:, :, index].mean()),
        actions=dict(zip(facts.action_kinds, actions, strict=True)) if index < config.num_players else None,
        openings=_find_openings(result, index),
        by_seat=_mean_by(_find_seats(result)[:, :, index], shares, config.num_seats),
        by_turn=_mean_by(games.turns[:, :, index], shares, config.num_seats),
        forfeits=int(games.forfeits[:, :, index].sum()),
    )


def _find_openings(result: MatchResult, index: int) -> OpeningSpread | None:
    openings = result.config.spec.facts.openings
    if openings is None or index >= result.config.num_players:
        return None
    if as_mixture(result.setting) is not None:  # on each map the same number is another opening
        return None
    return measure_openings(result.games.openings[:, :, index], openings.names(result.setting))


def _find_margins(totals: NDArray[np.int64], index: int) -> FloatArray:
    """(deals, rotations) an agent's points less the mean of the others'."""
    mine = totals[:, :, index]
    return np.asarray(mine - (totals.sum(axis=2) - mine) / (totals.shape[2] - 1))


def _find_seats(result: MatchResult) -> NDArray[np.int64]:
    """(deals, rotations, agents) the seat of each agent."""
    shape = result.games.shares.shape
    seating = seat_agents(result.config.num_players, len(result.config.scripted))
    return np.broadcast_to(seating[: shape[1]], shape)


def _mean_by(group: NDArray[np.int64], values: FloatArray, count: int) -> tuple[float | None, ...]:
    """The mean of ``values`` in each of ``count`` groups, None where there are none."""
    sums = np.bincount(group.ravel(), values.ravel(), count).tolist()
    sizes = np.bincount(group.ravel(), minlength=count).tolist()
    return tuple(total / size if size else None for total, size in zip(sums, sizes, strict=True))


def _spread(values: NDArray[np.int64]) -> Spread:
    lower, median, upper = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
    return Spread(float(values.mean()), int(values.min()), lower, median, upper, int(values.max()))
