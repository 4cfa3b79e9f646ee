"""``MaskedModule``: a net for RLlib's PPO that plays legal actions only. Needs the extra `rllib`.

The environment itself needs nothing of ours: ``ray.rllib.env.wrappers.pettingzoo_env.PettingZooEnv`` takes the
PettingZoo environment as it is.
"""

from __future__ import annotations

from typing import Any

from gymnasium import spaces
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns
from torch import Tensor

from steam_env.agents.masking import mask_logits


class MaskedModule(DefaultPPOTorchRLModule):  # type: ignore[misc, unused-ignore]  # an extra
    """RLlib's default module for PPO, with an observation ``{"observation": Box, "action_mask": int8}``.

    The net sees the observation, and actions whose mask is 0 have probability 0 before anything is drawn, measured
    or learned. ``model_config`` and the rest are as for RLlib's own module.

    Args:
        observation_space: the space of a seat, with the mask beside the observation.
        others: see ``ray.rllib.core.rl_module.rl_module.RLModule``.

    Raises:
        ValueError: for a space without a mask.
    """

    def __init__(self, *, observation_space: spaces.Dict, **others: Any) -> None:
        if not isinstance(observation_space, spaces.Dict) or set(observation_space) != {"observation", "action_mask"}:
            raise ValueError(
                f"observation_space={observation_space}: a Dict of 'observation' and 'action_mask' is allowed, "
                'what the PettingZoo environment has with mask_in="observation"'
            )
        self._masked_space = observation_space
        super().__init__(observation_space=observation_space["observation"], **others)

    def setup(self) -> None:
        """Build the nets for the observation alone, then declare the input that is fed in: with the mask."""
        super().setup()
        self.observation_space = self._masked_space

    def _forward(self, batch: dict[str, Any], **others: Any) -> dict[str, Any]:
        """Logits to draw actions from."""
        return self._mask_logits(super()._forward(self._leave_mask(batch), **others), batch)

    def _forward_train(self, batch: dict[str, Any], **others: Any) -> dict[str, Any]:
        """Logits to learn from."""
        return self._mask_logits(super()._forward_train(self._leave_mask(batch), **others), batch)

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        """(n,) float32, what the critic expects."""
        values: Tensor = super().compute_values(self._leave_mask(batch), embeddings)
        return values

    @staticmethod
    def _leave_mask(batch: dict[str, Any]) -> dict[str, Any]:
        """The batch as RLlib's own nets want it; the given one is not changed."""
        return {**batch, Columns.OBS: batch[Columns.OBS]["observation"]}

    @staticmethod
    def _mask_logits(outputs: dict[str, Any], batch: dict[str, Any]) -> dict[str, Any]:
        masked = mask_logits(outputs[Columns.ACTION_DIST_INPUTS], batch[Columns.OBS]["action_mask"])
        return {**outputs, Columns.ACTION_DIST_INPUTS: masked}
