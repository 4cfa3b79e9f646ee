"""The workloads of this package: random play of batches and of single games, copies."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.timing import SECONDS, Workload
from steam_env import Game, GameBatch, Rules, steam_power_v0
from steam_env.core.fields import NONE

MAPS = {  # by name: what ``Rules`` take
    "mini": Rules(map="mini", contracts="mini"),
    "midwest": Rules(),
    "alps": Rules(map="alps"),
    "largest": Rules(map=str(Path(__file__).with_name("largest.toml"))),
}
ENCODING = "flat"
PARENT_GAMES = 256  # whole games from which positions are drawn
POSITION_SHARE = 1 / 16  # of their decisions
STEPS_BETWEEN_LOOKS = 8  # steps between two samples of a batch's decisions
SAMPLES = 8
STEPS_FROM_A_STAGE = 8  # so few that a game stays in its stage
REPLAYED_GAMES = 4


Choose = Callable[[GameBatch, np.random.Generator], np.ndarray]
"""What each game of a batch plays."""


class SteadyPlay:
    """A batch of random players in which each game that ends is dealt anew at once.

    It begins with games of all ages: a run of any length sees each stage, and ends of games, as often as whole games
    do. So this is what playing game after game comes to, and the peers are timed doing just that.

    Args:
        rules: the configuration.
        size: games.
        seed: everything random follows from it.
        observed: whether the mover's observation is written before each step.
        choose: what is played; any legal action unless it is said.
    """

    def __init__(
        self, rules: Any, size: int, seed: int, *, observed: bool = False, choose: Choose = GameBatch.sample_legal
    ) -> None:
        positions = spread(collect_positions(rules, seed, choose), size)
        self._start(GameBatch.from_records(positions, rules), seed, observed, choose)

    def _start(self, batch: GameBatch, seed: int, observed: bool, choose: Choose) -> None:
        self.batch = batch
        self._choose = choose
        self._rng = np.random.default_rng(seed)
        self._next_seed = seed
        self._out = batch.observe(ENCODING) if observed else None

    @property
    def observation_bytes(self) -> int:
        """Bytes of one observation; 0 without."""
        return 0 if self._out is None else self._out.nbytes // len(self._out)

    @classmethod
    def resized(cls, play: SteadyPlay, size: int, seed: int) -> SteadyPlay:
        """The same play with more or fewer games; the positions are repeated, their futures differ."""
        twin = cls.__new__(cls)
        records = np.resize(play.batch.records, size)
        batch = GameBatch.from_records(records, play.batch.rules)
        twin._start(batch, seed, play._out is not None, play._choose)
        return twin

    def step(self) -> int:
        """Play one decision in each game; returns how many games ended."""
        batch = self.batch
        if self._out is not None:
            batch.observe(ENCODING, out=self._out)
        batch.step(self._choose(batch, self._rng))
        done = batch.done
        ended = int(np.count_nonzero(done))
        if ended:
            self._next_seed += len(batch)
            batch.reset(done, seed=self._next_seed)
        return ended

    def __call__(self, seconds: float) -> dict[str, float]:
        """Play for ``seconds``; returns decisions and games that ended."""
        steps = games = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            games += self.step()
            steps += 1
        return {"decisions": steps * len(self.batch), "games": games}


def collect_positions(rules: Any, seed: int, choose: Choose = GameBatch.sample_legal) -> np.ndarray:
    """Records of positions drawn from all decisions of whole games, each decision with the same chance.

    So they are as old, and have as long to go, as games that have been played one after the other for ever. (Games of
    about one length that start together, or evenly spread, would end too rarely or too often for a long time.)
    """
    rng = np.random.default_rng(seed)
    batch, positions = GameBatch(rules, PARENT_GAMES, seed=seed), []
    while not batch.done.all():
        drawn = ~batch.done & (rng.random(PARENT_GAMES) < POSITION_SHARE)
        positions.append(batch.records[drawn])
        batch.step(choose(batch, rng))
    return np.concatenate(positions)


def spread(positions: np.ndarray, count: int) -> np.ndarray:
    """``count`` of the positions, evenly from first to last; some several times if there are too few."""
    return positions[np.linspace(0, len(positions) - 1, count).astype(int)]


def look_at(play: SteadyPlay) -> dict[str, float]:
    """What the decisions and positions of a play are like, on average; the play goes on meanwhile."""
    portraits = []
    for _ in range(SAMPLES):
        portraits.append(portray(play.batch))
        for _ in range(STEPS_BETWEEN_LOOKS):
            play.step()
    return {name: round(float(np.mean([face[name] for face in portraits])), 4) for name in portraits[0]}


def portray(batch: GameBatch) -> dict[str, float]:
    """Means over the running games of a batch, of what could make their decisions slow."""
    running = ~batch.done
    records, legal = batch.records[running], batch.mask[running].sum(axis=1)
    return {
        "legal": legal.mean(),
        "choice_share": (legal > 1).mean(),
        "hand": records["hand_size"][np.arange(len(records)), records["seat"]].mean(),
        "segments": (records["track"] != NONE).sum(axis=(1, 2)).mean(),
        "round": records["round_number"].mean(),
    }


class WholeGames:
    """A batch of random players from the deal until its last game is over. A run is one batch, however long.

    Towards the end few games are still running in a batch of many: steps are then mostly overhead.
    """

    def __init__(self, rules: Rules, size: int, seed: int) -> None:
        self._batch = GameBatch(rules, size, seed=seed)
        self._rng = np.random.default_rng(seed)
        self._next_seed = seed

    def __call__(self, seconds: float) -> dict[str, float]:
        """Play one batch; returns decisions and games."""
        batch, decisions = self._batch, 0
        self._next_seed += len(batch)
        batch.reset(seed=self._next_seed)
        running = len(batch)
        while running:
            batch.step(batch.sample_legal(self._rng))
            decisions += running
            running = len(batch) - int(np.count_nonzero(batch.done))
        return {"decisions": decisions, "games": len(batch)}


class InThreads:
    """Several plays at once, each in a thread of its own."""

    def __init__(self, plays: list[SteadyPlay]) -> None:
        self._plays = plays
        self._pool = ThreadPoolExecutor(len(plays))

    def __call__(self, seconds: float) -> dict[str, float]:
        """Play for ``seconds`` in each thread; returns the sums over all."""
        counts = list(self._pool.map(lambda play: play(seconds), self._plays))
        return {unit: sum(count[unit] for count in counts) for unit in counts[0]}


class StagePlay:
    """Random steps from positions of one stage of the game, which are put back every few steps, untimed."""

    def __init__(self, records: np.ndarray, rules: Rules, seed: int) -> None:
        self.start = GameBatch.from_records(records, rules)
        self._batch = self.start.clone()
        self._rng = np.random.default_rng(seed)

    def __call__(self, seconds: float) -> dict[str, float]:
        """Step for ``seconds``; returns decisions."""
        decisions, spent = 0, 0.0
        while spent < seconds:
            self.start.clone(out=self._batch)
            begun = time.perf_counter()
            for _ in range(STEPS_FROM_A_STAGE):
                decisions += len(self._batch)
                self._batch.step(self._batch.sample_legal(self._rng))
            spent += time.perf_counter() - begun
        return {"decisions": decisions, SECONDS: spent}


class Copies:
    """``clone(out=...)`` of a batch with games of all ages."""

    def __init__(self, play: SteadyPlay) -> None:
        self._batch = play.batch
        self._out = play.batch.clone()

    @property
    def games(self) -> int:
        """Games of the batch."""
        return len(self._batch)

    @property
    def batch_bytes(self) -> int:
        """Bytes of its records and masks."""
        return self._batch.records.nbytes + self._batch.mask.nbytes

    def __call__(self, seconds: float) -> dict[str, float]:
        """Copy for ``seconds``; returns copies of games."""
        copies = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self._batch.clone(out=self._out)
            copies += len(self._batch)
        return {"copies": copies}


class SingleSteps:
    """``Game.step`` and nothing else: random games recorded beforehand are played once more."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self._rules = rules
        self._games = [(seed + number, self._record(seed + number)) for number in range(REPLAYED_GAMES)]

    def _record(self, seed: int) -> list[int]:
        game, rng, actions = Game(self._rules, seed=seed), np.random.default_rng(seed), []
        while not game.done:
            actions.append(pick_legal(game.mask, rng))
            game.step(actions[-1])
        return actions

    def __call__(self, seconds: float) -> dict[str, float]:
        """Step whole games for ``seconds``; returns decisions."""
        decisions, spent = 0, 0.0
        while spent < seconds:
            for seed, actions in self._games:
                game = Game(self._rules, seed=seed)
                begun = time.perf_counter()
                for action in actions:
                    game.step(action)
                spent += time.perf_counter() - begun
                decisions += len(actions)
        return {"decisions": decisions, SECONDS: spent}


class AECPlay:
    """Random play through any PettingZoo AEC environment: ``last``, a legal action by the mask, ``step``."""

    def __init__(self, env: Any, seed: int) -> None:
        self._env = env
        self._rng = np.random.default_rng(seed)

    def __call__(self, seconds: float) -> dict[str, float]:
        """Play whole games for ``seconds``; returns decisions and games."""
        env, rng = self._env, self._rng
        decisions = games = 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            env.reset(seed=int(rng.integers(1 << 31)))
            for _ in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                else:
                    env.step(pick_legal(observation["action_mask"], rng))
                    decisions += 1
            games += 1
        return {"decisions": decisions, "games": games}


def pick_legal(mask: np.ndarray, rng: np.random.Generator) -> int:
    """A uniformly random legal action."""
    legal = np.flatnonzero(mask)
    return int(legal[int(rng.random() * len(legal))])


def open_own_aec(rules: Rules) -> Any:
    """Our AEC environment with its standard wrappers."""
    return steam_power_v0.env(rules=rules)


def with_choices(workload: Workload, share: float) -> Workload:
    """The workload, its decisions with more than one legal action told beside the others.

    The share is found before: counting in the run would slow it down.
    """

    def play(seconds: float) -> Mapping[str, float]:
        counts = workload(seconds)
        return {**counts, "choices": share * counts["decisions"]}

    return play
