"""Prioritised level replay on generated maps, beside uniform sampling. Needs the extra `train`.

    python examples/level_replay.py --out runs/level_replay

A small ``nomad`` learns from random weights, without trust in the advice that it sees, to earn points by deliveries in
short games beside a random player, twice: once each game is on a map drawn evenly, once on a map that promises to
teach most (Jiang, Grefenstette and Rocktäschel 2021, Prioritized Level Replay). A map's score is the mean size of the
advantages in the last game on it, its weight falls with its rank among the scores, and maps that were not played for
long are mixed in. Both policies are measured on maps that neither has learnt from. The command above takes under ten
minutes on one core that is left alone; it writes both curves as JSON and as a picture.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import torch

from steam_env import Rules
from steam_env.agents import RandomAgent
from steam_env.agents.masking import mask_logits
from steam_env.agents.nomad import NomadConfig, NomadNetwork
from steam_env.agents.trained import to_tensors
from steam_env.encoding import pick
from steam_env.envs.vector import SteamVectorEnv
from steam_env.spec import Setting
from steam_env.table.engine import find_engine

UNIFORM, REPLAY = "uniform", "prioritised"
LEARN, VALID = "gen-v1:learn", "gen-v1:valid"


@dataclass(frozen=True)
class Plan:
    """What is done; each way of drawing maps gets as much.

    Attributes:
        levels: maps to learn from, the first of the set.
        decisions: to learn from.
        games: at once.
        steps: decisions of each game between two updates.
        evaluations: how often the policy is measured, beside the start.
        test_games: of each measurement, one on each map.
        rounds: after which a game ends at the latest.
        seed: all follows from it.
    """

    levels: int = 100
    decisions: int = 163_840
    games: int = 64
    steps: int = 32
    evaluations: int = 10
    test_games: int = 64
    rounds: int = 10
    seed: int = 1


# --- which maps ---------------------------------------------------------------------------------------------
class Levels:
    """The maps, and which of them are drawn next.

    Args:
        count: how many there are.
        prioritised: whether those are drawn that promise most; else evenly.
        seed: of the draws.
    """

    TEMPERATURE, STALENESS = 0.1, 0.1  # as in the paper

    def __init__(self, count: int, *, prioritised: bool, seed: int) -> None:
        self.scores = np.zeros(count)
        self.last = np.zeros(count)  # when each was last drawn, counted in draws; 0: never
        self.draws = 0
        self._is_prioritised, self._rng = prioritised, np.random.default_rng(seed)

    def draw(self, count: int) -> np.ndarray:
        """(count,) int64, numbers of maps."""
        return np.array([self._draw_one() for _ in range(count)], np.int64)

    def _draw_one(self) -> int:
        seen = self.last > 0
        replays = self._is_prioritised and self._rng.random() < seen.mean()
        weights = self.weigh() if replays else (~seen if self._is_prioritised else np.ones(len(seen))).astype(float)
        number = int(self._rng.choice(len(seen), p=weights / weights.sum()))
        self.draws += 1
        self.last[number] = self.draws
        return number

    def weigh(self) -> np.ndarray:
        """(maps,) probabilities of being replayed: by the rank of the score, and by how long ago it was."""
        seen = self.last > 0
        ranks = np.empty(len(seen))
        ranks[np.argsort(-np.where(seen, self.scores, -1.0), kind="stable")] = np.arange(1, len(seen) + 1)
        by_rank = seen * ranks ** (-1 / self.TEMPERATURE)
        by_age = seen * (self.draws - self.last)
        shares = [weights / max(weights.sum(), 1e-12) for weights in (by_rank, by_age)]
        mixed: np.ndarray = (1 - self.STALENESS) * shares[0] + self.STALENESS * shares[1]
        return mixed

    def note(self, number: int, score: float) -> None:
        """Note how much a game on a map had to teach."""
        self.scores[number] = score


@dataclass(frozen=True)
class Deliveries:
    """The points of contracts, factories and cities: what a learner is paid as it earns them, and measured by.

    Points of money are left out: who only takes money beats a random player, and learns nothing else for long.
    """

    scale: float = 20.0

    def count(self, records: np.ndarray, setting: Setting) -> np.ndarray:
        """(n, seats), what the positions are worth: a ``SettingReward``, and the potential of its shaping."""
        scores, _ = find_engine(setting.rules.game).score(records, setting)
        return add_up(scores) / self.scale


def add_up(scores: np.ndarray) -> np.ndarray:
    """(...,) of scores (..., parts): all but the total and the points of money."""
    points: np.ndarray = scores[..., 1:-1].sum(axis=-1).astype(float)
    return points


# --- games --------------------------------------------------------------------------------------------------
def open_games(plan: Plan, maps: str, count: int) -> SteamVectorEnv:
    """Games of two seats that begin anew when they are told to."""
    rules = Rules(map=maps, contracts=maps, max_rounds=plan.rounds)
    options = {"encoding": NomadNetwork.encoding, "reward": Deliveries(), "shaping": Deliveries(), "skip_forced": True}
    return SteamVectorEnv(count, autoreset_mode="DISABLED", opponents=RandomAgent, rules=rules, **options)


def name_maps(maps: str, numbers: np.ndarray) -> list[str]:
    """The names of maps of a set."""
    return [f"{maps}:{number}" for number in numbers.tolist()]


def measure(network: NomadNetwork, plan: Plan, maps: str) -> float:
    """Mean points on the first maps of a set, a game on each; actions are drawn, as they are when it learns."""
    drawn = torch.Generator().manual_seed(plan.seed)
    envs = open_games(plan, maps, plan.test_games)
    seen, infos = envs.reset(seed=10**6, options={"map": name_maps(maps, np.arange(plan.test_games))})
    told: dict[str, float] = {}
    while len(told) < plan.test_games:
        log_probs, _ = judge(network, seen, infos["action_mask"])
        actions = torch.multinomial(log_probs.exp(), 1, generator=drawn).squeeze(1).numpy()
        seen, _, ended, _, infos = envs.step(actions)
        for row in np.flatnonzero(ended):
            told.setdefault(infos["map"][row], float(add_up(infos["scores"][row, infos["seat"][row]])))
        if ended.any():  # games that are over are played again, so that all go on; what they come to does not count
            begun = ended.copy()
            seen, infos = envs.reset(options={"reset_mask": begun})
    return float(np.mean(list(told.values())))


# --- learning -----------------------------------------------------------------------------------------------
def judge(network: NomadNetwork, seen: Any, masks: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
    """Logarithms of the actions' probabilities, and values."""
    with torch.no_grad():
        logits, values = network(to_tensors(seen, "cpu"))
        return mask_logits(logits, torch.from_numpy(masks)), values


class Learner:
    """PPO (Schulman et al. 2017) on games whose maps ``levels`` chooses."""

    GAMMA, LAMBDA, CLIP, ENTROPY, RATE, EPOCHS, PARTS = 1.0, 0.95, 0.2, 0.01, 1e-3, 2, 4

    def __init__(self, plan: Plan, levels: Levels) -> None:
        torch.manual_seed(plan.seed)
        self.network = NomadNetwork(NomadConfig(width=64, entity=16, trust=0.0, lead=0.0, heed=0.0))
        self.levels, self.plan = levels, plan
        self._optimizer = torch.optim.Adam(self.network.parameters(), lr=self.RATE)
        self._envs = open_games(plan, LEARN, plan.games)
        self._playing = levels.draw(plan.games)
        self._seen, self._infos = self._envs.reset(seed=plan.seed, options={"map": name_maps(LEARN, self._playing)})
        self._sizes: list[list[float]] = [[] for _ in range(plan.games)]  # of the advantages in each game under way

    def improve(self) -> None:
        """Play and learn once."""
        rows: list[tuple[Any, ...]] = []
        for _ in range(self.plan.steps):
            masks = self._infos["action_mask"].copy()
            log_probs, values = judge(self.network, self._seen, masks)
            actions = torch.multinomial(log_probs.exp(), 1).squeeze(1)
            before, played = self._seen, self._playing.copy()
            self._seen, rewards, ended, _, self._infos = self._envs.step(actions.numpy())
            chosen = log_probs.gather(1, actions.unsqueeze(1)).squeeze(1)
            rows.append((before, masks, actions, chosen, values, torch.from_numpy(rewards).float(), ended, played))
            if ended.any():
                self._begin(ended)
        self._learn(rows, self._count_advantages(rows))

    def _begin(self, ended: np.ndarray) -> None:
        """Begin games anew, each on the map that is drawn for it."""
        self._playing[ended] = self.levels.draw(int(ended.sum()))
        options = {"reset_mask": ended, "map": name_maps(LEARN, self._playing)}
        self._seen, self._infos = self._envs.reset(options=options)

    def _count_advantages(self, rows: list[tuple[Any, ...]]) -> torch.Tensor:
        """(steps, games), generalised advantages (Schulman et al. 2016); maps get their scores."""
        following = judge(self.network, self._seen, self._infos["action_mask"])[1]
        advantages, ahead = [], torch.zeros(self.plan.games)
        for *_, values, rewards, ended, _ in reversed(rows):
            goes_on = torch.from_numpy(~ended).float()
            ahead = rewards + goes_on * self.GAMMA * (following + self.LAMBDA * ahead) - values
            advantages.append(ahead)
            following = values
        advantages.reverse()
        for (*_, ended, played), sizes in zip(rows, torch.stack(advantages).abs().numpy(), strict=True):
            for game in range(self.plan.games):
                self._sizes[game].append(float(sizes[game]))
                if ended[game]:
                    self.levels.note(int(played[game]), float(np.mean(self._sizes[game])))
                    self._sizes[game] = []
        return torch.stack(advantages)

    def _learn(self, rows: list[tuple[Any, ...]], advantages: torch.Tensor) -> None:
        seen = {name: np.concatenate([row[0][name] for row in rows]) for name in rows[0][0]}
        masks = torch.from_numpy(np.concatenate([row[1] for row in rows]))
        actions, chosen, values = (torch.cat([row[place] for row in rows]) for place in (2, 3, 4))
        gains = advantages.flatten()
        returns = gains + values
        for _ in range(self.EPOCHS):
            for part in torch.randperm(len(actions)).chunk(self.PARTS):
                logits, worth = self.network(to_tensors(pick(seen, part.numpy()), "cpu"))
                log_probs = mask_logits(logits, masks[part])
                ratio = (log_probs.gather(1, actions[part].unsqueeze(1)).squeeze(1) - chosen[part]).exp()
                gain = (gains[part] - gains[part].mean()) / (gains[part].std() + 1e-8)
                surrogate = torch.minimum(ratio * gain, ratio.clamp(1 - self.CLIP, 1 + self.CLIP) * gain)
                entropy = -(log_probs.exp() * log_probs).sum(1)
                loss = (0.5 * (worth - returns[part]) ** 2 - surrogate - self.ENTROPY * entropy).mean()
                self._optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self._optimizer.step()


def learn(plan: Plan, way: str) -> dict[str, Any]:
    """Learn with maps drawn in a way; returns its curve."""
    levels = Levels(plan.levels, prioritised=way == REPLAY, seed=plan.seed)
    learner = Learner(plan, levels)
    iterations = -(-plan.decisions // (plan.games * plan.steps))
    every = max(1, iterations // plan.evaluations)
    curve, begun = [], time.process_time()
    for iteration in range(iterations + 1):
        if iteration % every == 0 or iteration == iterations:
            decisions, points = iteration * plan.games * plan.steps, measure(learner.network, plan, VALID)
            curve.append({"decisions": decisions, "points": points})
            print(f"{way} {decisions:,}: {points:.2f} points", flush=True)
        if iteration < iterations:
            learner.improve()
    seconds = time.process_time() - begun
    known = measure(learner.network, plan, LEARN)
    return {
        "way": way,
        "curve": curve,
        "learnt_from": known,
        "cpu_seconds": seconds,
        "maps": int((levels.last > 0).sum()),
    }


# --- telling ------------------------------------------------------------------------------------------------
def draw(curves: list[dict[str, Any]], path: Path) -> None:
    """A picture of the curves."""
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "level_replay"
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(7, 3.5), layout="constrained")
    for told in curves:
        points = told["curve"]
        axis.plot([one["decisions"] for one in points], [one["points"] for one in points], label=told["way"])
    axis.set(xlabel="decisions", ylabel="points by deliveries,\non maps not learnt from")
    axis.grid(alpha=0.3)
    axis.legend()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main(arguments: list[str] | None = None) -> list[dict[str, Any]]:
    """Learn in both ways; returns both curves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs/level_replay"), help="folder for curves and picture")
    for name, value in asdict(Plan()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=value)
    given = vars(parser.parse_args(arguments))
    out = given.pop("out")
    plan = Plan(**given)
    torch.set_num_threads(1)
    curves = [learn(plan, way) for way in (UNIFORM, REPLAY)]
    out.mkdir(parents=True, exist_ok=True)
    (out / "level_replay.json").write_text(json.dumps({"plan": asdict(plan), "curves": curves}, indent=1) + "\n")
    draw(curves, out / "level_replay.svg")
    return curves


if __name__ == "__main__":
    main()
