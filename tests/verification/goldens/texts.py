"""Goldens of what is said and drawn of positions along games that chance plays."""

from __future__ import annotations

from typing import Any

import numpy as np

from steam_env import Game, Rules
from tests.verification.goldens.digest import Fields, digest_records
from tests.verification.goldens.kinds import KINDS, SEED
from tests.verification.goldens.positions import describe_texts

TOLD = (
    "two",
    "three-mini",
    "preview-four-mini",
    "cheapest-three-alps",
    "two-automas-alps",
    "four-automas",
    "solo",
    "short-five",
)
SHARES = (0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.0)  # of a game, after which positions are looked at


def hash_texts(kind: str, fields: Fields) -> dict[str, Any]:
    """Some positions of one game: what is legal, why the rest is not, logs, pictures."""
    actions = play_to_end(kind)
    looked_at = {round(share * len(actions)) for share in SHARES}
    game = Game(Rules(**KINDS[kind]), seed=SEED)
    told: dict[str, Any] = {"actions": len(actions)}
    for number in range(len(actions) + 1):
        if number in looked_at:
            told[f"after {number}"] = {"record": digest_records(game.records, fields), **describe_texts(game)}
        if number < len(actions):
            game.step(actions[number])
    return told


def play_to_end(kind: str) -> list[int]:
    """The actions of a whole game that chance plays."""
    game, rng = Game(Rules(**KINDS[kind]), seed=SEED), np.random.default_rng(SEED)
    while not game.done:
        game.step(int(rng.choice(game.legal())))
    return game.actions
