"""The learner: MaskablePPO of sb3-contrib, which can also imitate a teacher."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from torch.nn import functional

from steam_env.agents.masking import draw_legal
from steam_env.agents.policy_files import check_finite
from steam_env.agents.trained import to_tensors
from steam_env.encoding import pick
from steam_env.envs.cast import Cast
from steam_env.envs.midgame import Midgame
from steam_env.envs.sb3 import SteamVecEnv
from steam_env.kit.arrays import IntArray
from steam_env.kit.errors import NotFiniteError
from steam_env.table.rewards import WinAndMargin
from steam_env.training.clock import ENVIRONMENT, INFERENCE, OPPONENTS, TEACHER, UPDATE, Clock
from steam_env.training.config import Lineup, TrainConfig
from steam_env.training.league import League
from steam_env.training.policy import LeanBuffer, NetworkPolicy, choose_buffer
from steam_env.training.population import find_opponent, gather
from steam_env.training.teachers import Teacher

TOLD = ("approx_kl", "clip_fraction", "entropy_loss", "explained_variance", "value_loss")  # of an update
CHECKED_ROWS = 64  # positions that show whether a network is still one


class TimedCast(Cast):
    """Opponents whose time is measured: what it takes them to observe and to choose."""

    def __init__(self, cast: Cast, clock: Clock) -> None:
        vars(self).update(vars(cast))
        self._clock = clock

    def choose(self, *asked: Any) -> IntArray:
        """(k,) legal actions, see ``Cast``."""
        with self._clock.measure(OPPONENTS):
            return super().choose(*asked)


class TrainingGames(SteamVecEnv):
    """The learner's games, whose time is measured."""

    clock = Clock()

    def step_wait(self) -> Any:
        """Do what ``SteamVecEnv.step_wait`` does, and measure it."""
        with self.clock.measure(ENVIRONMENT):
            return super().step_wait()


def open_games(config: TrainConfig, league: League, clock: Clock) -> TrainingGames:
    """The games of all tables of a run, as one environment."""
    pay = WinAndMargin(config.win, config.margin, config.late_cost, config.late_round)
    shape = WinAndMargin(0.0, config.margin)

    def open_table(lineup: Lineup, count: int) -> TrainingGames:
        opponents = [find_opponent(name, league, config.spec) for name in lineup.opponents]
        return TrainingGames(
            count,
            rules=config.make_rules(lineup),
            opponents=opponents or None,
            encoding=config.kind.find_encoding(config.spec).name,
            reward=pay,
            shaping=shape if config.margin else None,
            gamma=config.gamma,
            skip_forced=True,
            midgame=open_midgame(config, league),
        )

    games = TrainingGames.join(*(open_table(lineup, count) for lineup, count in config.share_games()))
    assert isinstance(games, TrainingGames)
    games.clock = clock
    for tables in games.groups:
        tables.cast = TimedCast(tables.cast, clock)
        if tables.reserve is not None:
            ahead = tables.reserve.tables
            ahead.cast = TimedCast(ahead.cast, clock)
    return games


def open_midgame(config: TrainConfig, league: League) -> Midgame | None:
    """Which games the learner joins in the middle, and who stands in for it before."""
    if not config.midgame:
        return None
    return Midgame(config.midgame, config.midgame_rounds, gather(config.list_stand_ins(), league, config.spec))


class Learner(MaskablePPO):  # type: ignore[misc, unused-ignore]  # an extra
    """MaskablePPO on the games of a run: each iteration plays a number of decisions and learns from them.

    Args:
        config: the run.
        games: the environment.
        clock: tells where the time goes.
        device: of torch.
    """

    def __init__(self, config: TrainConfig, games: TrainingGames, clock: Clock, device: str) -> None:
        self._rate = config.learning_rate
        super().__init__(
            NetworkPolicy,
            games,
            learning_rate=lambda progress: self._rate,
            n_steps=config.steps,
            batch_size=config.batch_size,
            n_epochs=config.epochs,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            clip_range=config.clip,
            ent_coef=config.entropy,
            vf_coef=config.value_weight,
            rollout_buffer_class=choose_buffer(games.observation_space),
            policy_kwargs={"game": config.spec.game, "network": config.network},
            device=device,
        )
        self.config, self.clock = config, clock
        self.set_logger(Logger(folder=None, output_formats=[]))

    @property
    def network(self) -> Any:
        """The net that learns."""
        assert isinstance(self.policy, NetworkPolicy)
        return self.policy.network

    @property
    def lean_buffer(self) -> LeanBuffer:
        """The rollouts."""
        buffer: Any = self.rollout_buffer
        assert isinstance(buffer, LeanBuffer)
        return buffer

    @property
    def shuffler(self) -> np.random.Generator:
        """The random generator that shuffles rollouts."""
        return self.lean_buffer.rng

    @property
    def table_games(self) -> TrainingGames:
        """The environment that the learner plays in."""
        assert isinstance(self.env, TrainingGames)
        return self.env

    def begin(self, seed: int) -> None:
        """Begin all games."""
        self.table_games.seed(seed)
        self._last_obs = self.table_games.reset()
        self._last_episode_starts = np.ones(self.n_envs, np.bool_)
        self.ep_info_buffer, self.ep_success_buffer = deque(maxlen=1), deque(maxlen=1)  # not used: infos tell nothing

    def set_progress(self, progress: float, *, imitates: bool) -> None:
        """Set learning rate and entropy bonus for this share of the run, 0 to 1."""
        fade = 0.1 + 0.9 * 0.5 * (1.0 + float(np.cos(np.pi * progress)))
        self._rate = (self.config.imitation_rate if imitates else self.config.learning_rate) * fade
        self.ent_coef = self.config.entropy * fade

    def improve(self) -> dict[str, float | None]:
        """Do one iteration of PPO; returns figures of its update.

        Raises:
            NotFiniteError: at the first loss that is not finite; the network has learnt from those before.
        """
        with self.clock.measure(INFERENCE):  # the environment and opponents are measured inside
            self.collect_rollouts(self.table_games, _Silent(self), self.rollout_buffer, n_rollout_steps=self.n_steps)
        with self.clock.measure(UPDATE), name_loss():
            self.train()
        told = {name: float(self.logger.name_to_value[f"train/{name}"]) for name in TOLD}
        explained = told.pop("explained_variance")  # none where all returns are the same
        check_told(told)
        return {**told, "explained_variance": None if np.isnan(explained) else explained}

    def check_network(self) -> None:
        """Refuse a network whose weights, or whose opinion of the positions at hand, are not finite.

        Raises:
            NotFiniteError: naming the first tensor that is not.
        """
        check_finite("weights", self.policy.state_dict())
        rows = slice(min(CHECKED_ROWS, self.n_envs))
        seen: Any = self._last_obs
        with torch.no_grad():
            seen = to_tensors(pick(seen, rows), self.device)
            _, values, log_probs = self.policy(seen, True, self.table_games.action_masks()[rows])
        check_finite("network", {"values": values, "logarithms of probabilities": log_probs})

    # --- imitation --------------------------------------------------------------------------------------

    def imitate(self, teacher: Teacher) -> dict[str, float | None]:
        """Do one iteration of imitation; returns figures of its update.

        In half of the games the teacher plays, in the other half the learner itself, so that it also learns what to
        do where its own play leads (Ross et al. 2011, DAgger). The value learns what all this play earned.
        """
        with self.clock.measure(INFERENCE):
            targets, agreement = self._collect_lessons(teacher)
        with self.clock.measure(UPDATE), name_loss():
            told = self._learn_lessons(targets, teacher.epochs)
        check_told(told)
        return {**told, "agreement": agreement, **teacher.take_figures()}

    def _collect_lessons(self, teacher: Teacher) -> tuple[np.ndarray, float]:
        """(steps, games, actions) float16, what is to be learnt; and how often the learner held it to be likeliest."""
        env, buffer = self.table_games, self.rollout_buffer
        seen: Any = self._last_obs
        self.policy.set_training_mode(False)
        buffer.reset()
        leads = np.arange(self.n_envs) % 2 == 0
        dones = np.zeros(self.n_envs, np.bool_)
        targets = np.empty((self.n_steps, *env.action_masks().shape), np.float16)
        agreed = 0
        for step in range(self.n_steps):
            masks, starts = env.action_masks(), self._last_episode_starts
            found, own, values, log_probs = self._consider(seen, masks)
            with self.clock.measure(TEACHER):
                lesson = teacher.teach(env.groups, masks)
            targets[step] = lesson.targets
            agreed += int((found.argmax(1).cpu().numpy() == lesson.best).sum())
            actions = np.where(leads, lesson.played, own.cpu().numpy())
            following: Any = env.step(actions)
            buffer.add(seen, actions.reshape(-1, 1), following[1], starts, values, log_probs, action_masks=masks)
            seen, _, dones, _ = following
            self._last_obs, self._last_episode_starts = seen, dones
            self.num_timesteps += self.n_envs
        with torch.no_grad():
            values = self.policy.predict_values(to_tensors(seen, self.device))
        buffer.compute_returns_and_advantage(last_values=values, dones=dones)
        return targets, agreed / (self.n_steps * self.n_envs)

    def _consider(self, seen: Any, masks: np.ndarray) -> tuple[torch.Tensor, ...]:
        """Logarithms of all probabilities (n, actions), drawn actions (n,), values (n, 1), logarithms of those (n,)."""
        policy: Any = self.policy
        with torch.no_grad():
            legal = policy.to_masks(masks)
            found, values = policy.judge(to_tensors(seen, self.device), legal)
            own = draw_legal(found, legal)
            return found, own, values.unsqueeze(1), found.gather(1, own.unsqueeze(1)).squeeze(1)

    def _learn_lessons(self, targets: np.ndarray, epochs: int) -> dict[str, float]:
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        policy, buffer = self.policy, self.lean_buffer
        assert isinstance(policy, NetworkPolicy)
        told: list[tuple[float, float, float]] = []
        for places in (places for _ in range(epochs) for places in buffer.shuffle(self.batch_size)):
            lesson, wanted = buffer.take(places), torch.from_numpy(targets[places]).to(self.device).float()
            log_probs, values = policy.judge(lesson.observations, policy.to_masks(lesson.action_masks))
            surprise = -(wanted * log_probs).sum(1).mean()
            entropy = -(torch.softmax(log_probs.detach(), 1) * log_probs.detach()).sum(1).mean()
            value_loss = functional.mse_loss(values, lesson.returns)
            loss = surprise + self.vf_coef * value_loss
            self.policy.optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
            torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
            self.policy.optimizer.step()
            told.append((surprise.item(), value_loss.item(), entropy.item()))
        means = np.mean(told, axis=0).tolist()
        return {"imitation_loss": means[0], "value_loss": means[1], "entropy_loss": -means[2]}


@contextmanager
def name_loss() -> Iterator[None]:
    """Let what is not finite in an update tell that it is about the loss."""
    try:
        yield
    except NotFiniteError as error:
        raise NotFiniteError(f"the loss is not finite: {error}") from None


def check_told(told: Mapping[str, float]) -> None:
    """Refuse what is told of an update if it holds what is not finite.

    Raises:
        NotFiniteError: naming it.
    """
    for name, value in told.items():
        if not np.isfinite(value):
            raise NotFiniteError(f"{name}={value} is not finite")


class _Silent(BaseCallback):  # type: ignore[misc, unused-ignore]
    """A callback that does nothing: the run looks at the learner from outside."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.init_callback(model)

    def _on_step(self) -> bool:
        return True
