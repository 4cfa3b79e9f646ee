"""Goldens of the environments of one game: PettingZoo's AEC and Gymnasium's."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from steam_env import Rules, steam_power_v0
from steam_env.agents import make_agent
from tests.verification.goldens.digest import Fields, Trail, digest
from tests.verification.goldens.kinds import SEED

GAMES = 3  # one after the other
MOST_STEPS = 400  # of a game
STATE_EVERY = 25  # steps between two looks at the full state, and at what the others see
LEARNERS_SEAT = "seat"
MINI = {"map": "mini", "contracts": "mini"}


def prize_money(records: np.ndarray, rules: Rules) -> np.ndarray:
    """(n, seats): a reward, or a potential, of a user's own."""
    seats = int(records["num_seats"][0]) if rules.mode == "multiplayer" else 1
    return records["money"][:, :seats] / 16.0


AEC_KINDS: dict[str, dict[str, Any]] = {
    "two": {},
    "three-mini-margin-skip": {"num_players": 3, **MINI, "reward": "margin", "skip_forced": True, "mask_in": "info"},
    "four-grid-shaped": {"num_players": 4, "map": "alps", "encoding": "grid", "shaping": prize_money, "gamma": 0.5},
    "five-graph-own-reward": {"num_players": 5, "max_rounds": 3, "encoding": "graph", "reward": prize_money},
    "two-and-automas-score": {"num_players": 4, "automas": 2, "map": "mini", "reward": "score", "illegal": "forfeit"},
    "preview-no-events": {"num_players": 2, "edition": "preview", "max_rounds": 9, "events": False},
    "solo": {"mode": "solo", "map": "alps"},
    "solo-shaped": {"mode": "solo", "map": "mini", "shaping": prize_money, "max_rounds": 4},
}
ONE_LEARNER, SOLO = "SteamPower-v0", "SteamPowerSolo-v0"
GYMNASIUM_KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "default": (ONE_LEARNER, {}),
    "three-seats-margin-mini": (ONE_LEARNER, {"num_players": 3, **MINI, "reward": "margin", "skip_forced": True}),
    "greedy-and-automa-shaped": (
        ONE_LEARNER,
        {"opponents": [make_agent("greedy")], "automas": 1, "map": "alps", "shaping": prize_money, "gamma": 0.9},
    ),
    "two-random-graph-score": (
        ONE_LEARNER,
        {"opponents": [make_agent("random")] * 2, **MINI, "encoding": "graph", "reward": "score"},
    ),
    "fixed-seat-grid-own-reward": (
        ONE_LEARNER,
        {"opponents": make_agent("random"), "seat": 1, "map": "mini", "encoding": "grid", "reward": prize_money},
    ),
    "forfeit": (ONE_LEARNER, {"automa_level": "very_hard", "illegal": "forfeit", "map": "mini"}),
    "solo": (SOLO, {}),
    "solo-mini-shaped": (SOLO, {"map": "mini", "shaping": prize_money, "encoding": "graph"}),
}


def hash_aec(kind: str, fields: Fields) -> dict[str, Any]:
    """A few games of the AEC environment, played by chance: all that agents are told, and the full state."""
    options = AEC_KINDS[kind]
    env = steam_power_v0.env(**options)
    told, positions = Trail(), Trail()
    rng = np.random.default_rng(SEED)
    for number in range(GAMES):
        env.reset(seed=SEED if number == 0 else None)
        spoils = options.get("illegal") == "forfeit" and number == GAMES - 1
        _play_aec(env, rng, told, positions, fields, spoils_at=MOST_STEPS // 10 if spoils else None)
    spaces = [(str(env.observation_space(agent)), str(env.action_space(agent))) for agent in env.possible_agents]
    return close(env, told, positions, [*spaces, str(env.unwrapped.state_space)])


def close(env: Any, told: Trail, positions: Trail, spaces: list[Any]) -> dict[str, Any]:
    """The golden of an environment: trails of what was told and of positions, and what is the same in all games."""
    always = {"board features": digest(env.unwrapped.board_features), "spaces": digest(spaces)}
    return {"told": told.close(), "positions": positions.close(), **always}


def _play_aec(
    env: Any, rng: np.random.Generator, told: Trail, positions: Trail, fields: Fields, spoils_at: int | None
) -> None:
    for step, agent in enumerate(env.agent_iter(MOST_STEPS)):
        observation, reward, terminated, truncated, info = env.last()
        told.feed(agent, observation, reward, terminated, truncated, info)
        positions.feed_records(env.unwrapped.game.records, fields)
        if step % STATE_EVERY == 0:
            told.feed(env.state(), [env.observe(other) for other in env.agents])
        if terminated or truncated:
            env.step(None)
            continue
        mask = info["action_mask"] if "action_mask" in info else observation["action_mask"]
        env.step(_choose(mask, rng, spoils=step == spoils_at))


def _choose(mask: np.ndarray, rng: np.random.Generator, *, spoils: bool = False) -> int:
    """A legal action by chance, or the first illegal one."""
    return int(np.flatnonzero(mask == 0)[0]) if spoils else int(rng.choice(np.flatnonzero(mask)))


def hash_gymnasium(kind: str, fields: Fields) -> dict[str, Any]:
    """A few games of the Gymnasium environment, played by chance: all that the learner is told."""
    name, options = GYMNASIUM_KINDS[kind]
    env = gymnasium.make(name, **options)
    told, positions = Trail(), Trail()
    rng = np.random.default_rng(SEED)
    for number in range(GAMES):
        observation, info = env.reset(seed=SEED if number == 0 else None)
        told.feed(observation, info)
        over, step = False, 0
        while not over and step < MOST_STEPS:
            spoils = options.get("illegal") == "forfeit" and number == GAMES - 1 and step == GAMES
            observation, reward, over, _, info = env.step(_choose(info["action_mask"], rng, spoils=spoils))
            told.feed(observation, reward, over, info)
            positions.feed_records(env.unwrapped.game.records, fields)
            step += 1
    return close(env, told, positions, [str(env.observation_space), str(env.action_space)])
