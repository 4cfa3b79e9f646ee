"""The results of the games of a match, as arrays by deal, rotation and agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from steam_env.kit.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class Games:
    """The results of a match, game by game. Arrays are indexed by deal, rotation and, with a third axis, agent.

    Attributes:
        shares: (deals, rotations, agents) float64, the win: 1/W to each of a game's W winners.
        scores: (deals, rotations, agents, parts) int64, points by ``Facts.score_parts``.
        ranks: (deals, rotations, agents) float64, 1 = best; equal agents share the mean of their ranks.
        turns: (deals, rotations, agents) int64, place in the turn order, 0 = first player.
        actions: (deals, rotations, agents, kinds) int64, actions of each of ``Facts.action_kinds``; 0 where scripted.
        openings: (deals, rotations, agents) int64, by ``Facts.openings``, -1 where none was played, and where scripted.
        rounds: (deals, rotations) int64, the round in which the game ended.
        decisions: (deals, rotations) int64, decisions of all seats.
        truncated: (deals, rotations) bool, whether the round limit alone ended the game.
        forfeits: (deals, rotations, agents) bool, whether the agent has lost the game by a fault of its own.
    """

    shares: FloatArray
    scores: IntArray
    ranks: FloatArray
    turns: IntArray
    actions: IntArray
    openings: IntArray
    rounds: IntArray
    decisions: IntArray
    truncated: BoolArray
    forfeits: BoolArray


def join_games(parts: Sequence[Games]) -> Games:
    """Games of several tables as one, deal after deal."""
    return Games(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Games)))


def rank_rows(strength: IntArray) -> FloatArray:
    """(games, seats) ranks from 1 = strongest; equals share the mean of the ranks that they take up."""
    mine, others = strength[:, :, None], strength[:, None, :]
    better = (others > mine).sum(axis=2)
    equal = (others == mine).sum(axis=2)
    return np.asarray(1.0 + better + (equal - 1) / 2)
