"""A training run in a folder: iterations, evaluations, checkpoints, and going on after a kill."""

from __future__ import annotations

import hashlib
import io
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.utils.tensorboard import SummaryWriter

from steam_env.agents import Agent
from steam_env.agents.grounds import LEAGUE
from steam_env.agents.growing import begin_with, check_older
from steam_env.agents.policy_files import SUFFIX, find_policy, load_policy, save_policy
from steam_env.agents.trained import TrainedAgent
from steam_env.data.generate import find_worlds
from steam_env.evaluation.agent_names import HABIT, make_any_agent, split_habit
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.evaluation.provenance import describe_machine, describe_setting, describe_software
from steam_env.evaluation.summary import summarise
from steam_env.kit.errors import AgentError, NotFiniteError
from steam_env.kit.files import name_file, write_whole
from steam_env.kit.json_text import dump_json, parse_json, read_json
from steam_env.kit.show import show_error
from steam_env.kit.text_files import MAX_MADE_BYTES, read_text
from steam_env.table.engine import load_setting
from steam_env.training.clock import PARTS, Clock
from steam_env.training.config import TrainConfig, make_config, read_lineup
from steam_env.training.league import TERM, League
from steam_env.training.learner import Learner, open_games
from steam_env.training.teachers import make_teacher

CONFIG, HISTORY, CHECKPOINT = "config.json", "history.jsonl", "checkpoint.pt"
POLICY, BEST, CURVE = "policy.safetensors", "best.safetensors", "curve.svg"
LEARNER = "learner"  # what the learner is called in evaluations
FIRST_SEED = 2**40  # of evaluations: the best policy is chosen by deals that no match with a usual seed plays
SCHEMA = 2  # of the files of a run


@dataclass(frozen=True)
class Progress:
    """The result of an iteration.

    Attributes:
        iteration: its number, from 1.
        decisions: learnt from so far.
        entry: its line of the history.
    """

    iteration: int
    decisions: int
    entry: dict[str, Any]


class Run:
    """A training run.

    Each iteration ends with a checkpoint that holds all that the next one depends on: weights, optimizer, games,
    league, random states. So a run that is killed and goes on continues as if it had not been.

    Args:
        folder: where its files are.
        config: what it is.
        device: of torch: `cpu`, `cuda`, or `auto`.

    Attributes:
        iteration: iterations that are over.
        saved: the iteration of checkpoint and policy; 0 if there are none.
    """

    def __init__(self, folder: str | os.PathLike[str], config: TrainConfig, device: str = "auto") -> None:
        self.folder, self.config = Path(folder), config
        self.clock = Clock()
        self.iteration = self.saved = 0
        self._origin = describe_run(config)
        seeds = np.random.SeedSequence(config.seed).generate_state(4)
        torch.manual_seed(int(seeds[0]))  # what Stable-Baselines3 draws weights and actions from
        self.league = League(
            config.past_most,
            config.latest,
            int(seeds[1]),
            config.kind.find_encoding(config.spec).name,
            config.past_at_once,
        )
        games = open_games(config, self.league, self.clock)
        self.learner = Learner(config, games, self.clock, device)
        self.learner.shuffler.bit_generator.state = np.random.default_rng(int(seeds[2])).bit_generator.state
        self.league.follow(self.learner.network)
        self.learner.begin(int(seeds[3]) % 2**31)
        self._teacher = make_teacher(config, self.learner.network)
        for text in config.evaluate:  # a file that is not there is told of before the first evaluation
            for name in read_lineup(text, config.spec).opponents:
                self._make_agent(name_learner(name))

    # --- files -------------------------------------------------------------------------------------------

    @classmethod
    def start(cls, folder: str | os.PathLike[str], config: TrainConfig, device: str = "auto") -> Run:
        """A new run in an empty or new folder.

        Raises:
            ValueError: if there is a run already, or for a policy to begin with that cannot be read.
            OSError: if the folder cannot be written.
        """
        folder = Path(folder)
        if (folder / CONFIG).exists():
            raise ValueError(f"{folder}: there is a run already: go on with --resume, or give another folder")
        start = None if config.start is None else load_policy(config.start).network
        if start is not None:
            try:
                check_older(start, config.kind.network, config.network)
            except ValueError as error:
                raise ValueError(f"start={config.start!r}: {error}") from None
        folder.mkdir(parents=True, exist_ok=True)
        run = cls(folder, config, device)
        content = {"schema": SCHEMA, "config": config.to_dict(), **run._origin}
        write_whole(folder / CONFIG, dump_json(content, indent=2) + "\n")
        if start is not None:
            begin_with(run.learner.network, start)
        return run

    @classmethod
    def resume(cls, folder: str | os.PathLike[str], device: str = "auto") -> Run:
        """A run as its last checkpoint left it.

        Raises:
            ValueError: if there is none, or its files are broken or of another version.
        """
        folder = Path(folder)
        run = cls(folder, read_config(folder), device)
        path = folder / CHECKPOINT
        if path.exists():
            run._restore(read_checkpoint(path, run.learner.device))
        keep_history(folder, run.iteration)
        return run

    def save(self) -> None:
        """Write the checkpoint and the policy; a kill meanwhile leaves the old ones.

        Raises:
            OSError: naming the file that cannot be written; the older one is as it was.
        """
        learner = self.learner
        content = {
            "schema": SCHEMA,
            "iteration": self.iteration,
            "num_timesteps": learner.num_timesteps,
            "weights": learner.policy.state_dict(),
            "optimizer": learner.policy.optimizer.state_dict(),
            "observations": learner._last_obs,
            "starts": learner._last_episode_starts,
            "games": learner.env,
            "league": self.league,
            "shuffle": learner.shuffler.bit_generator.state,
            "torch": torch.get_rng_state(),
        }
        memory = io.BytesIO()  # for torch tells what fails, but not that it is a full disk
        torch.save(content, memory)
        write_whole(self.folder / CHECKPOINT, memory.getvalue())
        self._save_policy(POLICY)
        self.saved = self.iteration

    def _save_policy(self, name: str, **more: Any) -> None:
        """Write the policy as it is now, with what else is to be known about it."""
        about = {"config": self.config.to_dict(), "decisions": self.learner.num_timesteps, **self._origin, **more}
        save_policy(self.learner.network, self.folder / name, about, self.config.game)

    def _keep_best(self, entry: dict[str, Any]) -> None:
        """Write the policy as the best one if no evaluation in the history is better than this iteration's.

        This comes before the checkpoint: a run that is killed between them comes to the same once more.
        """
        best = find_best(read_history(self.folder))
        if best is not None and best["iteration"] == self.iteration:
            self._save_policy(BEST, evaluation=entry["evaluation"])

    def _restore(self, content: dict[str, Any]) -> None:
        try:
            self._take_up(content)
        except (KeyError, TypeError, AttributeError, RuntimeError, ValueError) as error:
            raise ValueError(f"{self.folder / CHECKPOINT}: is not of this run: {show_error(error, __file__)}") from None

    def _take_up(self, content: dict[str, Any]) -> None:
        learner = self.learner
        learner.policy.load_state_dict(content["weights"])
        learner.policy.optimizer.load_state_dict(content["optimizer"])
        learner.num_timesteps = content["num_timesteps"]
        learner._last_obs, learner._last_episode_starts = content["observations"], content["starts"]
        learner.env = content["games"]
        self.league = content["league"]
        self.clock = learner.clock = learner.table_games.clock  # the one that came with the games
        self.league.follow(learner.network)
        learner.shuffler.bit_generator.state = content["shuffle"]
        torch.set_rng_state(content["torch"])
        self.iteration = self.saved = content["iteration"]

    # --- iterations --------------------------------------------------------------------------------------

    def play(self) -> Iterator[Progress]:
        """Play iterations to the end of the run; yields after each, when its checkpoint is written.

        Raises:
            NotFiniteError: at the first loss that is not finite; checkpoint and policy are those of the iteration
                before.
            AgentError: naming a teacher or an opponent that fails; likewise.
            OSError: naming the file that cannot be written.
        """
        with SummaryWriter(str(self.folder / "tensorboard"), purge_step=self.learner.num_timesteps + 1) as writer:
            while self.iteration < self.config.iterations:
                with name_iteration(self.iteration + 1):
                    entry = self._iterate()
                append_line(self.folder / HISTORY, dump_json(entry))
                if "evaluation" in entry:
                    self._keep_best(entry)
                for name, value in flatten(entry):
                    writer.add_scalar(name, value, self.learner.num_timesteps)
                self.save()
                yield Progress(self.iteration, self.learner.num_timesteps, entry)

    def _iterate(self) -> dict[str, Any]:
        self.clock.take()  # what was compiled and evaluated before counts for nothing
        begun = time.perf_counter()
        imitates = self.iteration < self.config.imitations
        self._set_progress(imitates=imitates)
        told = self.learner.imitate(self._teacher) if imitates and self._teacher else self.learner.improve()
        self.learner.check_network()
        spent = time.perf_counter() - begun
        self.iteration += 1
        if not imitates or self.config.evaluations is not None:  # who imitates an agent is not yet worth remembering
            self._tend_league()
        seconds = self.clock.take()
        entry: dict[str, Any] = {
            "iteration": self.iteration,
            "decisions": self.learner.num_timesteps,
            "stage": "imitation" if imitates else "self-play",
            "seconds": round(spent, 3),
            "decisions_per_second": round(self.config.iteration / spent, 1),
            "share": {part: round(seconds[part] / spent, 4) for part in PARTS},
            "train": {name: None if value is None else round(value, 5) for name, value in told.items()},
        }
        every = self.config.evaluate_every
        if every and (self.iteration % every == 0 or self.iteration == self.config.iterations):
            entry["evaluation"] = self.evaluate()
        return entry

    def _tend_league(self) -> None:
        """Let the league remember the learner now and then, and change who of the past plays."""
        if self.iteration % self.config.past_every == 0:
            self.league.remember(f"iteration {self.iteration}")
        elif self.iteration % TERM == 0:
            self.league.rotate()

    def _set_progress(self, *, imitates: bool) -> None:
        first, last = (0, self.config.imitations) if imitates else (self.config.imitations, self.config.iterations)
        self.learner.set_progress((self.iteration - first) / max(1, last - first), imitates=imitates)

    def _make_agent(self, name: str) -> Agent:
        """The learner as it is now, with a habit or without, or another agent."""
        base, give_habit = split_habit(name, self.config.game)
        if base != LEARNER:
            return make_any_agent(name, self.config.game)
        agent: Agent = TrainedAgent(self.learner.network, self.config.kind.find_encoding(self.config.spec).name)
        return agent if give_habit is None else give_habit(agent)

    def evaluate(self) -> dict[str, dict[str, float]]:
        """By opponents, the learner's win rate and margin when it plays its likeliest actions."""
        told = {}
        for number, text in enumerate(self.config.evaluate):
            config = make_match(self.config, text, self.config.evaluate_deals, FIRST_SEED + number)
            result = play_match(config, make_agent=self._make_agent)
            learner = summarise(result).agents[0]
            told[text] = {"win_rate": round(learner.win_rate.mean, 4), "margin": round(learner.margin.mean, 2)}
        return told


@contextmanager
def name_iteration(number: int) -> Iterator[None]:
    """Let what fails in an iteration name it; the learner's network may fail as an agent, too."""
    try:
        yield
    except (NotFiniteError, AgentError) as error:
        cause = error.__cause__ if isinstance(error, AgentError) else error
        if isinstance(cause, NotFiniteError):
            raise NotFiniteError(f"iteration {number}: {error}") from None
        raise AgentError(f"iteration {number}: {error}") from cause


def make_match(config: TrainConfig, text: str, deals: int, seed: int) -> MatchConfig:
    """The match of the learner against the opponents of a lineup, on held-out maps; `league` is the learner itself."""
    lineup = read_lineup(text, config.spec)
    against = tuple(map(name_learner, lineup.names))
    held_out = {} if config.held_out is None else find_worlds(config.game).name_fields(config.held_out)
    rules = {**dict(config.rules), **dict(lineup.given), **held_out}
    return MatchConfig(LEARNER, against, deals=deals, seed=seed, game=config.game, **rules)


def name_learner(name: str) -> str:
    """The name of an opponent in an evaluation, where the learner itself, with its habit, stands for the league."""
    return LEARNER + name.removeprefix(LEAGUE) if name.split(HABIT)[0] == LEAGUE else name


def describe_run(config: TrainConfig) -> dict[str, Any]:
    """The software, the machine, map and deck of a run, and the policies that it needs."""
    setting = load_setting(config.make_rules(read_lineup(config.tables[0], config.spec)))
    software = {**describe_software(), "torch": torch.__version__}
    told = {"software": software, "machine": describe_machine(), **describe_setting(setting)}
    return {**told, "policies": hash_policies(config)}


def hash_policies(config: TrainConfig) -> dict[str, str]:
    """By name the SHA-256 of the file of each policy that a run begins with, meets or is evaluated against.

    Raises:
        ValueError: for one that is not there.
    """
    lineups = [*config.lineups, *(read_lineup(text, config.spec) for text in config.evaluate)]
    met = [*(name for lineup in lineups for name in lineup.opponents), *config.list_stand_ins()]
    names = {config.start or LEAGUE, *(split_habit(name, config.game)[0] for name in met)}
    policies = sorted(name for name in names if name in config.spec.players.policies or name.endswith(SUFFIX))
    return {name: hashlib.sha256(find_policy(name).read_bytes()).hexdigest() for name in policies}


def read_config(folder: str | os.PathLike[str]) -> TrainConfig:
    """The configuration of the run in a folder.

    Raises:
        ValueError: if there is no run, or it cannot be read.
    """
    path = Path(folder) / CONFIG
    if not path.exists():
        missing = "it is no folder" if path.parent.exists() else "there is no such folder"
        raise ValueError(f"{folder}: there is no run: {f'{CONFIG} is missing' if path.parent.is_dir() else missing}")
    content = read_json(path, "run's configuration")
    try:
        return make_config(content["config"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: no run's configuration can be read: {show_error(error, __file__)}") from None


def read_history(folder: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The lines of a run's history; one that a kill has cut is left out, with all that follow.

    Raises:
        ValueError: if it cannot be read as text.
    """
    path = Path(folder) / HISTORY
    entries: list[dict[str, Any]] = []
    for line in read_text(path, "history", ValueError, most=MAX_MADE_BYTES).splitlines() if path.exists() else ():
        try:
            entries.append(parse_json(line))
        except ValueError:
            break
    return entries


def find_best(entries: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """The entry of a history with the highest win rate in its evaluation, the latest of equal ones.

    The rate is the mean over all opponents that the run is evaluated against.
    """
    evaluated = [entry for entry in entries if entry.get("evaluation")]
    return max(reversed(evaluated), key=rate_evaluation, default=None)


def rate_evaluation(entry: dict[str, Any]) -> float:
    """The mean win rate in the evaluation of an entry of a history."""
    return float(np.mean([told["win_rate"] for told in entry["evaluation"].values()]))


def append_line(path: Path, line: str) -> None:
    """Write a line at the end of a file.

    Raises:
        OSError: naming the file.
    """
    with name_file(path), path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def read_checkpoint(path: Path, device: torch.device) -> dict[str, Any]:
    """What a checkpoint holds. Reading one runs what stands in it, as with any pickle.

    Raises:
        ValueError: if it is none, or one of another version.
    """
    try:
        content = torch.load(path, map_location=device, weights_only=False)
    except Exception as error:  # whatever a pickle of other bytes may raise
        raise ValueError(f"{path}: no checkpoint can be read: {show_error(error, __file__)}; was it cut?") from None
    schema = content.get("schema") if isinstance(content, dict) else None
    if schema != SCHEMA:
        raise ValueError(f"{path}: schema {schema!r}: {SCHEMA} is allowed")
    assert isinstance(content, dict)
    return content


def weigh_share(entries: Sequence[dict[str, Any]], part: str) -> float:
    """The share of a part of the clock in the time of several iterations of a history."""
    spent = sum(entry["seconds"] for entry in entries)
    return float(sum(entry["seconds"] * entry["share"][part] for entry in entries) / max(spent, 1e-9))


def keep_history(folder: Path, iterations: int) -> None:
    """Drop the history's lines after the last checkpoint: those iterations are played again."""
    kept = [entry for entry in read_history(folder) if entry["iteration"] <= iterations]
    if (folder / HISTORY).exists():
        write_whole(folder / HISTORY, "".join(dump_json(entry) + "\n" for entry in kept))


def flatten(entry: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    """The numbers of a line of the history with their names, for TensorBoard."""
    for name, value in entry.items():
        if isinstance(value, dict):
            yield from flatten(value, f"{prefix}{name}/")
        elif isinstance(value, int | float):
            yield f"{prefix}{name}", value
