"""The kinds of games that goldens are taken of: combinations of rules that play differently."""

from __future__ import annotations

from typing import Any

from steam_env import GameBatch, Rules

SEED = 1829

KINDS: dict[str, dict[str, Any]] = {
    "two": {"num_players": 2},
    "three-mini": {"num_players": 3, "map": "mini", "contracts": "mini"},
    "four-alps": {"num_players": 4, "map": "alps"},
    "five": {"num_players": 5},
    "preview-two": {"num_players": 2, "edition": "preview"},
    "preview-four-mini": {"num_players": 4, "edition": "preview", "map": "mini"},
    "preview-three-cheapest": {"num_players": 3, "edition": "preview", "map": "alps", "routing": "cheapest"},
    "cheapest-three-alps": {"num_players": 3, "map": "alps", "routing": "cheapest"},
    "cheapest-five-mini": {"num_players": 5, "map": "mini", "routing": "cheapest"},
    "one-automa": {"num_players": 2, "automas": 1},
    "one-automa-three-seats": {"num_players": 3, "automas": 1, "automa_level": "easy", "first_player": "player_0"},
    "two-automas-alps": {"num_players": 4, "automas": 2, "automa_level": "hard", "map": "alps"},
    "three-automas-mini": {"num_players": 4, "automas": 3, "automa_level": "very_easy", "map": "mini"},
    "four-automas": {"num_players": 5, "automas": 4, "automa_level": "very_hard"},
    "automa-cheapest-mini": {"num_players": 2, "automas": 1, "map": "mini", "contracts": "mini", "routing": "cheapest"},
    "solo": {"mode": "solo"},
    "solo-mini": {"mode": "solo", "map": "mini", "routing": "cheapest", "max_rounds": 5},
    "short-five": {"num_players": 5, "max_rounds": 3},
    "few-contracts-mini": {"num_players": 2, "map": "mini", "contracts": "mini", "contracts_to_end": 2},
    "few-contracts-automa": {"num_players": 3, "automas": 2, "map": "alps", "contracts_to_end": 4},
    "first-player-fixed": {"num_players": 3, "map": "alps", "contracts": "mini", "first_player": "player_0"},
}
QUICK = ("three-mini", "three-automas-mini", "solo")  # kinds that are soon played


def deal(kind: str, num_games: int) -> GameBatch:
    """Games of a kind, dealt by the seed of all goldens."""
    return GameBatch(Rules(**KINDS[kind]), num_games, seed=SEED)
