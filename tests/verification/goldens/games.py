"""Goldens of many games played by chance: positions and what is told of them, and what seats see."""

from __future__ import annotations

from typing import Any

import numpy as np

from steam_env import GameBatch
from tests.verification.goldens.digest import Fields, Trail, digest
from tests.verification.goldens.kinds import SEED, deal

GAMES = 200
GAMES_SEEN = 24
LOOK_EVERY = 25  # steps between two looks at the seats' observations
ENCODINGS = ("flat", "grid", "graph")
TOTAL = 0  # the place of the sum among the parts of a score


def hash_play(kind: str, fields: Fields) -> dict[str, Any]:
    """Two hundred games to their ends: after each step the records, and what the batch tells."""
    batch = deal(kind, GAMES)
    rng = np.random.default_rng(SEED)
    records, told = Trail(), Trail()
    _note(batch, fields, records, told)
    while not batch.done.all():
        batch.step(batch.sample_legal(rng))
        _note(batch, fields, records, told)
    scores, winners = batch.scores()
    return {
        "records": records.close(),
        "told": told.close(),
        "end": digest([scores, winners]),
        "wins": winners.sum(axis=0).tolist(),
        "points": scores[:, :, TOTAL].sum(axis=0).tolist(),
    }


def _note(batch: GameBatch, fields: Fields, records: Trail, told: Trail) -> None:
    records.feed_records(batch.records, fields)
    told.feed(batch.mask, batch.rewards, batch.seats, batch.done, batch.truncated)


def hash_sights(kind: str, fields: Fields) -> dict[str, Any]:
    """What the mover and each seat see along games: in every encoding, as views, and as redeals."""
    batch = deal(kind, GAMES_SEEN)
    rng = np.random.default_rng(SEED)
    trails = {name: Trail() for name in (*ENCODINGS, "views", "redeals")}
    step = 0
    while not batch.done.all():
        if step % LOOK_EVERY == 0:
            for observers in _list_observers(batch):
                _look(batch, observers, fields, trails)
        for trail in trails.values():
            trail.end_step()
        batch.step(batch.sample_legal(rng))
        step += 1
    return {name: trail.close() for name, trail in trails.items()}


def _list_observers(batch: GameBatch) -> list[np.ndarray]:
    """(n,) who looks: the mover, then each seat; in solo, where seats are companies, the mover alone."""
    fixed = [] if batch.rules.mode == "solo" else [np.full(len(batch), seat) for seat in range(batch.rewards.shape[1])]
    return [batch.seats.astype(np.int64), *fixed]


def _look(batch: GameBatch, observers: np.ndarray, fields: Fields, trails: dict[str, Trail]) -> None:
    for name in ENCODINGS:
        trails[name].add(batch.observe(name, seats=observers))
    trails["views"].add_records(batch.views(observers).records, fields)
    again = batch.redeal(observers, np.arange(len(batch)) + SEED)
    trails["redeals"].add_records(again.records, fields)
