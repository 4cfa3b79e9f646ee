"""A game's net as a policy of sb3-contrib's MaskablePPO, and a rollout buffer that costs less than its own."""

from __future__ import annotations

from collections.abc import Generator
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.buffers import (
    MaskableDictRolloutBuffer,
    MaskableRolloutBuffer,
    MaskableRolloutBufferSamples,
)
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor, nn

from steam_env.agents.masking import draw_legal, judge_legal
from steam_env.agents.networks import find_network, find_network_of
from steam_env.agents.policy_files import check_finite
from steam_env.agents.scaling import Scaling
from steam_env.agents.trained import to_tensors
from steam_env.encoding import Observations, pick
from steam_env.spec import find_spec
from steam_env.table.engine import load_setting


class NetworkPolicy(MaskableActorCriticPolicy):  # type: ignore[misc, unused-ignore]  # an extra
    """A policy of MaskablePPO that is a game's net: actor and critic share it.

    Args:
        observation_space, action_space, lr_schedule: given by the learner.
        game: whose net it is, by id.
        network: how large it is.
        encoding: of the observations, if they are digits of what the net looks at, such as ``"flat:tight"``: float32
            is made of them.
        rules: of the games, which a tight form is for.
    """

    def __init__(
        self,
        observation_space: Any,
        action_space: Any,
        lr_schedule: Schedule,
        game: str | None = None,
        network: Any = None,
        encoding: str | None = None,
        rules: Any = None,
        **options: Any,
    ) -> None:
        self.game, self.network_config, self.encoding, self.rules = game, network, encoding, rules
        super().__init__(observation_space, action_space, lr_schedule, **options)

    def _build(self, lr_schedule: Schedule) -> None:
        spec = find_spec(self.game)
        kind = find_network(spec) if self.network_config is None else find_network_of(spec, self.network_config)
        self.network: Any = kind.network(self.network_config)
        setting = None if self.rules is None else load_setting(self.rules)
        self.scaling: Any = nn.Identity()
        if self.encoding is not None:
            self.scaling = Scaling(spec.sight.find_encoding(self.encoding, setting=setting))
        fused = {"fused": True} if self.optimizer_class is torch.optim.Adam else {}
        options: dict[str, Any] = {"lr": lr_schedule(1), **fused, **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **options)
        self.optimizer.register_step_pre_hook(self._check_gradients)

    def _check_gradients(self, *_: Any) -> None:
        """Refuse to learn from a loss that is not finite: its gradients are not, either."""
        gradients = {name: weight.grad for name, weight in self.named_parameters() if weight.grad is not None}
        norms = torch._foreach_norm(list(gradients.values()))
        if not torch.stack(norms).isfinite().all():
            check_finite("gradients", gradients)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        parameters: dict[str, Any] = super()._get_constructor_parameters()
        own = {"game": self.game, "network": self.network_config, "encoding": self.encoding, "rules": self.rules}
        return {**parameters, **own}

    def judge(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Logarithms of probabilities (n, actions) and values (n,)."""
        return judge_legal(self.network, self.scaling(observations), masks)

    def to_masks(self, masks: Any) -> Tensor:
        """(n, actions) bool, on the device of the net."""
        return torch.as_tensor(masks, dtype=torch.bool, device=self.device)

    # --- what the learner asks for ----------------------------------------------------------------------

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions (n,), values (n, 1) and logarithms of the actions' probabilities (n,)."""
        masks = self.to_masks(action_masks)
        log_probs, values = self.judge(obs, masks)
        actions = choose(log_probs, masks, deterministic)
        return actions, values.unsqueeze(1), log_probs.gather(1, actions.unsqueeze(1)).squeeze(1)

    def evaluate_actions(self, obs: Tensor, actions: Tensor, action_masks: Any = None) -> tuple[Tensor, Tensor, Tensor]:
        """Values (n, 1), logarithms of the actions' probabilities (n,) and entropies (n,)."""
        log_probs, values = self.judge(obs, self.to_masks(action_masks))
        probabilities = torch.softmax(log_probs, dim=1)  # exp takes ten times as long where it comes to 0
        entropies = -(probabilities * log_probs).sum(1)
        return values.unsqueeze(1), log_probs.gather(1, actions.long().view(-1, 1)).squeeze(1), entropies

    def predict_values(self, obs: Any) -> Tensor:
        """Values (n, 1)."""
        values: Tensor = self.network(self.scaling(obs))[1]
        return values.unsqueeze(1)

    def _predict(  # type: ignore[override, unused-ignore]  # as in the base class itself
        self, observation: Any, deterministic: bool = False, action_masks: Any = None
    ) -> Tensor:
        masks = self.to_masks(action_masks)
        return choose(self.judge(observation, masks)[0], masks, deterministic)


def choose(log_probs: Tensor, masks: Tensor, deterministic: bool) -> Tensor:
    """(n,) int64, the likeliest actions or drawn ones, of logarithms of probabilities and masks (n, actions)."""
    return log_probs.argmax(1) if deterministic else draw_legal(log_probs, masks)


class LeanBuffer:
    """What rollout buffers of one array and of several have in common.

    It keeps masks as bools, and shuffles by a generator of its own, ``rng``, without copying all observations first:
    sb3-contrib's buffers copy a rollout to put it in another order before it is shuffled, 400 MB each time.
    """

    rng: np.random.Generator
    observations: Observations

    def reset(self: Any) -> None:
        """Forget the rollout; memory is kept."""
        if getattr(self, "action_masks", None) is None or self.action_masks.dtype != np.bool_:
            super().reset()  # type: ignore[misc]
            self.action_masks = self.action_masks.astype(np.bool_)
            self.rng = np.random.default_rng(0)
        self.advantages = np.zeros((self.buffer_size, self.n_envs), np.float32)
        self.generator_ready, self.pos, self.full = False, 0, False

    def get(self: Any, batch_size: int | None = None) -> Generator[MaskableRolloutBufferSamples, None, None]:
        """The rollout in parts, shuffled."""
        for places in self.shuffle(batch_size):
            yield self.take(places)

    def shuffle(self: Any, batch_size: int | None = None) -> Generator[tuple[np.ndarray, np.ndarray], None, None]:
        """The places of all decisions in parts, shuffled: (k,) int64 steps and (k,) int64 games.

        One row alone, whose advantages have no spread, joins the part before.
        """
        total = self.buffer_size * self.n_envs
        order = self.rng.permutation(total)
        size = min(batch_size or total, total)
        bounds = [*range(0, total - 1, size), total]
        for start, stop in pairwise(bounds):
            yield np.divmod(order[start:stop], self.n_envs)

    def take(self: Any, places: tuple[np.ndarray, np.ndarray]) -> MaskableRolloutBufferSamples:
        """The decisions at these places, see ``shuffle``."""
        columns = (
            self.actions[:, :, 0],
            self.values,
            self.log_probs,
            self.advantages,
            self.returns,
            self.action_masks,
        )
        seen = to_tensors(pick(self.observations, places), self.device)
        return MaskableRolloutBufferSamples(seen, *(self.to_torch(column[places]) for column in columns))


class LeanRolloutBuffer(LeanBuffer, MaskableRolloutBuffer):  # type: ignore[misc, unused-ignore]
    """For observations of one array."""


class LeanDictRolloutBuffer(LeanBuffer, MaskableDictRolloutBuffer):  # type: ignore[misc, unused-ignore]
    """For observations of arrays by name."""


def choose_buffer(space: spaces.Space[Any]) -> type[Any]:
    """The rollout buffer for observations of this space."""
    return LeanDictRolloutBuffer if isinstance(space, spaces.Dict) else LeanRolloutBuffer
