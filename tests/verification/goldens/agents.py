"""Goldens of the shipped agents: their actions in whole games."""

from __future__ import annotations

from typing import Any

import numpy as np

from steam_env import Rules
from tests.test_agents import play
from tests.verification.goldens.digest import Fields, Trail, digest
from tests.verification.goldens.kinds import SEED

GAMES, GAMES_OF_TRAINED = 64, 24
MINI = {"map": "mini", "contracts": "mini"}
RESTING = 0  # the action of games that are over, which is ignored

MATCHES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "greedy-two": (("greedy", "greedy"), {}),
    "greedy-three-mini": (("greedy",) * 3, MINI),
    "greedy-automas-alps": (("greedy", "greedy"), {"automas": 2, "automa_level": "hard", "map": "alps"}),
    "greedy-five-cheapest": (("greedy",) * 5, {"routing": "cheapest"}),
    "greedy-preview": (("greedy", "greedy", "random"), {"edition": "preview"}),
    "greedy-solo": (("greedy",), {"mode": "solo"}),
    "random-two-mini": (("random", "random"), MINI),
    "random-automa": (("random",), {"automas": 1}),
    "random-four": (("random", "greedy", "random", "random"), {"map": "mini"}),
    "duel-two": (("duel", "duel"), {}),
    "duel-greedy-alps": (("duel", "greedy"), {"map": "alps"}),
    "duel-mini": (("duel", "random"), MINI),
    "duel-automa": (("duel",), {"automas": 1, "automa_level": "very_hard"}),
    "table-three": (("table",) * 3, {}),
    "table-four-greedy": (("table", "greedy", "table", "greedy"), {"map": "alps"}),
    "table-five-automas": (("table",) * 3, {"automas": 2}),
    "table-five-mini": (("table",) * 5, {"map": "mini", "max_rounds": 9}),
}
TRAINED = {"duel", "table"}  # they need torch


def hash_match(kind: str, fields: Fields) -> dict[str, Any]:
    """Games between agents: every action, and who won."""
    names, options = MATCHES[kind]
    seats = None if options.get("mode") == "solo" else len(names) + options.get("automas", 0)
    games = GAMES
    if TRAINED & set(names):
        import torch

        torch.set_num_threads(1)  # which is the same each time and soon done
        games = GAMES_OF_TRAINED
    played = play(Rules(num_players=seats, **options), games, SEED, names)
    actions = Trail()
    for chosen in played.chosen:
        actions.feed(np.maximum(chosen, RESTING))
    scores, winners = played.batch.scores()
    return {"actions": actions.close(), "end": digest([scores, winners]), "wins": winners.sum(axis=0).tolist()}
