"""The deals of a match: their seeds, those of the agents that play them, and who sits where."""

from __future__ import annotations

from typing import Any

import numpy as np

from steam_env.data.generate import SEPARATOR, WorldSet, find_set, find_worlds, is_set_name, list_world_fields
from steam_env.kit.arrays import IntArray
from steam_env.kit.show import show

SEED_BITS = 53  # seeds that every reader of JSON keeps exactly
DEAL_KEY, AGENT_KEY = range(2)  # the two families of seeds under the match's seed


def draw_deal_seeds(seed: int, deals: int) -> IntArray:
    """(deals,) int64, the seed of each deal of a match with this seed; more deals begin with the same ones."""
    source = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(DEAL_KEY,)))
    return source.integers(0, 2**SEED_BITS, deals, dtype=np.int64)


def spread_numbers(deals: int, count: int) -> IntArray:
    """(deals,) int64, numbers from 0 to below ``count`` that rise evenly: each as often as another, or left out."""
    return np.arange(deals, dtype=np.int64) * count // deals


def find_map_set(rules: Any) -> tuple[str, WorldSet]:
    """The set of maps that rules name, and its name.

    Raises:
        ValueError: if they name none.
    """
    name = next((getattr(rules, field) for field in list_world_fields(rules.game)), None)
    if not is_set_name(name):
        raise ValueError(f"map={show(name)}: to play on each map of a set, name one, such as gen-v1:test")
    return str(name), find_set(str(name), find_worlds(rules.game).families, "map")


def list_maps(rules: Any, deals: int) -> list[str]:
    """The names of the maps of so many deals, which go evenly through the set that the rules name."""
    name, worlds = find_map_set(rules)
    return [f"{name}{SEPARATOR}{number}" for number in spread_numbers(deals, worlds.count)]


def draw_agent_seed(seed: int, shard: int, rotation: int, agent: int) -> int:
    """The seed of the agent that plays one rotation of one shard's deals."""
    source = np.random.SeedSequence(seed, spawn_key=(AGENT_KEY, shard, rotation, agent))
    return int(source.generate_state(1, np.uint64)[0]) >> (64 - SEED_BITS)


def seat_agents(num_players: int, num_scripted: int = 0) -> IntArray:
    """(rotations, agents) int64, the seat of each agent: one further in each rotation; scripted ones stay last."""
    players = np.add.outer(np.arange(num_players), np.arange(num_players)) % num_players
    scripted = np.arange(num_players, num_players + num_scripted)
    return np.hstack([players, np.broadcast_to(scripted, (num_players, num_scripted))])
