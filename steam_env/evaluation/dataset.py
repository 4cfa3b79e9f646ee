"""``evaluate.py --record``: the games of a match as a Minari data set, for offline learning and imitation.

Minari (https://minari.farama.org) keeps a data set as HDF5; its own ``load_dataset`` reads this one. An episode is what
one seat decided in one game, and of every game there is one for each agent: ``docs/datasets.md`` says what is in it.

The match is played without a thought to observations. A game follows from its seed and its actions, so the writer plays
a few games at a time again and writes what their seats saw: memory does not grow with the match. Needs the extra
``record``.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from gymnasium import spaces

import steam_env
from steam_env.encoding import Observations, pick
from steam_env.envs.aec import GameAEC
from steam_env.evaluation.match import MatchConfig
from steam_env.evaluation.provenance import describe_setting, describe_software
from steam_env.evaluation.recording import Plays
from steam_env.kit.checks import look_up
from steam_env.spec import GameSpec, find_spec
from steam_env.table.batch import GameBatch
from steam_env.table.engine import load_setting
from steam_env.table.rewards import REWARDS, TOTAL
from steam_env.words.seats import name_seat

NEEDED = ("minari", "h5py", "PIL")
HOW_TO_INSTALL = "pip install -c constraints.txt -e '.[tools,record]'"
GAMES_AT_ONCE = 32  # played again together; some 100 MB with the encoding `flat` on a large map
NAME = re.compile(r"[-\w]+-v\d+")  # what Minari takes as the name of a data set
MARK = Path("data") / "metadata.json"  # what a data set has, and no other folder


@dataclass(frozen=True)
class RecordConfig:
    """The options of a data set: where it goes, and what is in it.

    Attributes:
        folder: the folder of data sets.
        name: of this one.
        encoding: of the observations.
        reward: a name of ``steam_env.table.rewards.REWARDS``.
        replace: whether an older one of this name may be replaced.
        game: whose games are recorded.

    Raises:
        ValueError: naming the value and what is allowed.
    """

    folder: Path
    name: str
    encoding: str = "flat"
    reward: str = "win"
    replace: bool = False
    game: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", Path(self.folder))
        if not NAME.fullmatch(self.name):
            raise ValueError(f"record_name={self.name!r}: letters, digits, - and _ are allowed, and -v0 at the end")
        look_up(find_spec(self.game).sight.encodings, "record_encoding", self.encoding)
        look_up(REWARDS, "record_reward", self.reward)

    @property
    def path(self) -> Path:
        """The folder of the data set."""
        return self.folder / self.name


def name_dataset(match: MatchConfig) -> str:
    """The name of a match's data set if none is given: ``greedy-against-random-v0``."""
    words = "-".join([match.labels[0], "against", *match.labels[1:]])
    return f"{re.sub(r'[^a-zA-Z0-9_]+', '-', words).strip('-')}-v0"


def check_record(config: RecordConfig) -> None:
    """Refuse a data set that cannot be written, without touching anything but an empty folder.

    Raises:
        ValueError: if not, with the reason.
    """
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise ValueError(f"--record needs {', '.join(missing)}: {HOW_TO_INSTALL}")
    if config.path.exists() and not (config.path / MARK).is_file():
        raise ValueError(f"{config.path}: is there, and is no data set")
    if config.path.exists() and not config.replace:
        raise ValueError(f"{config.path}: there is a data set of this name: --record-name or --record-replace")
    try:
        config.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{config.folder}: data sets cannot be written there: {error.strerror or error}") from None
    if not os.access(config.folder, os.W_OK):
        raise ValueError(f"{config.folder}: data sets cannot be written there")


class DatasetWriter:
    """Writes a match's games into a data set, table by table; used in a ``with`` statement.

    It is written beside its place and moved there when the statement ends, so that a data set holds all of its match or
    does not exist.

    Args:
        config: where it goes.
        match: what is played.

    Attributes:
        episodes: written so far.
        decisions: written so far.
    """

    def __init__(self, config: RecordConfig, match: MatchConfig) -> None:
        self.config, self.match = config, match
        self.episodes = self.decisions = 0
        # absolute: Minari asks for the size of files at a relative path and does not find them
        self._draft = config.folder.resolve() / f".{config.name}.{os.getpid()}.part"

    def __enter__(self) -> Self:
        from minari.dataset.minari_storage import MinariStorage

        (self._draft / MARK.parent).mkdir(parents=True)
        self._storage = MinariStorage.new(
            self._draft / MARK.parent,
            make_observation_space(self.match.spec, self.config.encoding),
            spaces.Discrete(self.match.spec.facts.num_actions),
        )
        self._storage.update_metadata(self._describe())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._move()
        finally:
            shutil.rmtree(self._draft, ignore_errors=True)

    def _move(self) -> None:
        """Put the draft where it belongs; an older data set is deleted once the new one is there."""
        older = self._draft.with_suffix(".old")
        replaces = self.config.replace and self.config.path.exists()
        if replaces:
            self.config.path.rename(older)
        try:
            self._draft.rename(self.config.path)
        except OSError:
            if replaces:
                older.rename(self.config.path)
            raise
        if replaces:
            shutil.rmtree(older)

    def _describe(self) -> dict[str, Any]:
        """The metadata of the data set."""
        import minari

        setting = load_setting(self.match.rules)
        return {
            "dataset_id": self.config.name,
            "minari_version": minari.__version__,
            "algorithm_name": ", ".join(self.match.labels),
            "requirements": [f"steam-env=={steam_env.__version__}"],
            "description": f"Games of {self.match.spec.facts.title}: {self.match.command()}. An episode is what one "
            "seat decided in one game. Read docs/datasets.md for what each array means.",
            "agents": list(self.match.labels[: self.match.num_players]),
            "steam_env": {
                "command": self.match.command(),
                "encoding": self.config.encoding,
                "reward": self.config.reward,
                "rules": self.match.rules.to_dict(),
                "seed": self.match.seed,
                "deals": self.match.deals,
                **describe_setting(setting),
                "software": describe_software(),
            },
        }

    def write(self, plays: Plays) -> None:
        """Write all games of a table.

        Raises:
            OSError: if that fails.
        """
        for first in range(0, len(plays.seeds), GAMES_AT_ONCE):
            chunk = range(first, min(first + GAMES_AT_ONCE, len(plays.seeds)))
            self._storage.update_episodes(self._make_episodes(plays, chunk))

    def tell(self) -> str:
        """Say what was written, and how to read it."""
        size = sum(file.stat().st_size for file in self.config.path.rglob("*") if file.is_file()) / 1e6
        return (
            f"data set: {self.config.path}: {self.episodes:,} episodes, {self.decisions:,} decisions, {size:,.0f} MB; "
            f'minari.load_dataset("{self.config.name}") reads it with MINARI_DATASETS_PATH={self.config.folder}'
        )

    def _make_episodes(self, plays: Plays, chunk: range) -> Iterator[Any]:
        """The episodes of some games, in the order of games and, in each, of seats."""
        from minari.data_collector import EpisodeBuffer

        replay = _Replay(plays, chunk, self.match, self.config)
        for game, number in enumerate(chunk):
            for seat, agent in enumerate(plays.players[number].tolist()):
                places = replay.find(game, seat)
                count = len(places)
                self.episodes += 1
                self.decisions += count
                rewards = np.zeros(count)
                rewards[-1] = replay.rewards[game, seat]
                yield EpisodeBuffer(
                    seed=int(plays.seeds[number]),
                    options={
                        "deal": int(plays.deals[number]),
                        "rotation": int(plays.rotations[number]),
                        "seat": seat,
                        "agent": self.match.labels[agent],
                        "victory_points": int(replay.totals[game, seat]),
                        "win": float(replay.shares[game, seat]),
                    },
                    observations=replay.observe(game, seat, places),
                    actions=replay.actions[places],
                    rewards=rewards,
                    terminations=np.arange(count) == count - 1,
                    truncations=np.zeros(count, np.bool_),
                    infos={
                        "behavior_probability": np.append(replay.probabilities[places], np.nan),
                        "seat": np.full(count + 1, seat),
                        "agent": np.full(count + 1, agent),
                    },
                )


class _Replay:
    """Some games of a table, played again, with what their seats saw; arrays by decision unless said otherwise.

    Attributes:
        actions: (decisions,) int64.
        probabilities: (decisions,) float64.
        rewards, totals, shares: (games, seats) what each game paid, victory points, and shares of the win.
    """

    def __init__(self, plays: Plays, chunk: range, match: MatchConfig, config: RecordConfig) -> None:
        starts = plays.starts[chunk.start : chunk.stop + 1]
        batch = GameBatch(match.rules, len(chunk), seed=plays.seeds[chunk.start : chunk.stop], reward=config.reward)
        self.rewards = np.zeros_like(batch.rewards)
        rows, seats, places, masks, seen = [], [], [], [], []
        for step in range(int(np.diff(starts).max())):
            active = np.flatnonzero(~batch.done)
            place = starts[active] + step
            rows.append(active)
            seats.append(batch.seats[active].astype(np.int64))
            places.append(place)
            masks.append(batch.mask[active].astype(np.int8))
            seen.append(pick(batch.observe(config.encoding), active))
            actions = np.zeros(len(batch), np.int64)
            actions[active] = plays.actions[place]
            batch.step(actions)
            self.rewards += batch.rewards
        every = np.concatenate(places)
        self.actions, self.probabilities = plays.actions[every], plays.probabilities[every]
        self._num_seats = match.num_seats
        self._keys = np.concatenate(rows) * self._num_seats + np.concatenate(seats)
        self._masks, self._seen = np.concatenate(masks), _join(seen)
        looks = [np.full(len(batch), seat) for seat in range(match.num_players)]
        self._last = [batch.observe(config.encoding, seats=look) for look in looks]
        scores, winners = batch.scores()
        self.totals, self.shares = scores[:, :, TOTAL], winners / winners.sum(axis=1, keepdims=True)

    def find(self, game: int, seat: int) -> np.ndarray:
        """The decisions of a seat in a game, in order."""
        return np.flatnonzero(self._keys == game * self._num_seats + seat)

    def observe(self, game: int, seat: int, places: np.ndarray) -> dict[str, Observations]:
        """What the seat saw at those decisions, and at the end."""
        end = pick(self._last[seat], slice(game, game + 1))
        return {
            "observation": _join([pick(self._seen, places), end]),
            "action_mask": np.vstack([self._masks[places], np.zeros((1, self._masks.shape[1]), np.int8)]),
        }


def make_observation_space(spec: GameSpec, encoding: str) -> spaces.Space[Any]:
    """The space of an observation: that of the game's PettingZoo environment with this encoding."""
    return GameAEC(game=spec.game, encoding=encoding).observation_space(name_seat(0))


def _join(parts: Sequence[Observations]) -> Observations:
    """Observations one after the other, in one array or in one of each name."""
    by_name = [part for part in parts if isinstance(part, dict)]
    if by_name:
        return {name: np.concatenate([part[name] for part in by_name]) for name in by_name[0]}
    return np.concatenate([part for part in parts if not isinstance(part, dict)])
