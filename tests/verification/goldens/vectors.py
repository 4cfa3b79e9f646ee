"""Goldens of the Gymnasium vector environments: rollouts of learners who choose by chance."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from steam_env.agents import AGENTS
from tests.verification.goldens.digest import Fields, Trail
from tests.verification.goldens.environments import MINI, ONE_LEARNER, SOLO, close, prize_money
from tests.verification.goldens.kinds import SEED

ENVS = 12
STEPS = 200
SPOIL_EVERY = 50  # steps between two illegal actions of the first game where they are a forfeit

VECTOR_KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "same-step": (ONE_LEARNER, {"map": "mini"}),
    "next-step-margin": (ONE_LEARNER, {**MINI, "num_players": 3, "autoreset_mode": "NEXT_STEP", "reward": "margin"}),
    "disabled-score": (ONE_LEARNER, {**MINI, "autoreset_mode": "DISABLED", "reward": "score", "skip_forced": True}),
    "greedy-shaped": (
        ONE_LEARNER,
        {"opponents": AGENTS["greedy"], "num_players": 3, **MINI, "shaping": prize_money, "gamma": 0.5},
    ),
    "random-and-automa-graph": (
        ONE_LEARNER,
        {"opponents": [AGENTS["random"]], "automas": 1, "map": "alps", "max_rounds": 5, "encoding": "graph"},
    ),
    "forfeit-grid": (ONE_LEARNER, {**MINI, "illegal": "forfeit", "encoding": "grid", "seat": 0, "copy": False}),
    "solo": (SOLO, {"map": "mini"}),
    "solo-own-reward": (SOLO, {"map": "alps", "max_rounds": 3, "reward": prize_money, "autoreset_mode": "NEXT_STEP"}),
}


def hash_vector(kind: str, fields: Fields) -> dict[str, Any]:
    """A rollout of the vector environment: all that the learners are told, ends of games included."""
    name, options = VECTOR_KINDS[kind]
    envs = gymnasium.make_vec(name, num_envs=ENVS, vectorization_mode="vector_entry_point", **options)
    told, positions = Trail(), Trail()
    rng = np.random.default_rng(SEED)
    observations, infos = envs.reset(seed=SEED)
    told.feed(observations, infos)
    names, ended = set(infos), 0
    for step in range(STEPS):
        actions = _choose(infos["action_mask"], rng)
        if options.get("illegal") == "forfeit" and step % SPOIL_EVERY == SPOIL_EVERY - 1:
            actions[0] = np.flatnonzero(infos["action_mask"][0] == 0)[0]
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        told.feed(observations, rewards, terminated, truncated, infos)
        positions.feed_records(envs.unwrapped.games.records, fields)
        names |= set(infos)
        ended += int(terminated.sum())
        if options.get("autoreset_mode") == "DISABLED" and terminated.any():
            observations, infos = envs.reset(options={"reset_mask": terminated})
            told.feed(observations, infos)
    spaces = [str(envs.single_observation_space), str(envs.action_space)]
    return {**close(envs, told, positions, spaces), "infos": sorted(names), "ended": ended}


def _choose(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) a legal action of each game by chance."""
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
