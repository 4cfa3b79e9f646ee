"""Trained policies: a net as an agent. Needs torch, of the extra `train`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from steam_env.encoding import Observations, pick
from steam_env.table.view import View

if TYPE_CHECKING:
    from torch.nn import Module

MOST_ROWS = 1024  # observations that the net looks at together: more do not fit into a core's cache


class TrainedAgent:
    """An agent that plays by a net; it remembers nothing.

    Args:
        network: the net: logits and a value from observations.
        encoding: the name of the encoding that it looks at.
        is_greedy: whether it plays the likeliest action; else it draws one by the probabilities.
        about: what its file tells of it: how, on what and by which version it was trained.
    """

    encoding: str | None

    def __init__(
        self, network: Module, encoding: str, *, is_greedy: bool = True, about: dict[str, Any] | None = None
    ) -> None:
        self.network, self.encoding = network, encoding
        self.is_greedy = is_greedy
        self.about = about or {}
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Draw anew from this seed."""
        self._rng = np.random.default_rng(seed)

    def act(self, observations: Observations | None, masks: np.ndarray, views: View | None) -> np.ndarray:
        """(n,) int64 legal actions."""
        assert observations is not None  # as there is an encoding
        log_probs, _ = judge(self.network, observations, masks)
        if self.is_greedy:
            actions: np.ndarray = log_probs.argmax(axis=1)
            return actions
        return draw_actions(log_probs, masks, self._rng)

    def explain(
        self, observations: Observations | None, masks: np.ndarray, views: View
    ) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities (n, actions) and values (n,), in units of the reward that it was trained with."""
        assert observations is not None
        log_probs, values = judge(self.network, observations, masks)
        return np.exp(log_probs), values


def draw_actions(log_probs: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) int64, an action of each row drawn by its probabilities (Gumbel 1954: the greatest of noisy logarithms)."""
    places = np.flatnonzero(masks)
    noisy = np.full(log_probs.shape, -np.inf)
    noisy.flat[places] = log_probs.flat[places] + rng.gumbel(size=len(places))
    actions: np.ndarray = noisy.argmax(axis=1)
    return actions


def to_tensors(observations: Observations, device: Any) -> Any:
    """Observations as a net takes them: a tensor, or tensors by name."""
    import torch

    if isinstance(observations, dict):
        return {name: torch.from_numpy(values).to(device) for name, values in observations.items()}
    return torch.from_numpy(observations).to(device)


def judge(network: Module, observations: Observations, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Logarithms of the actions' probabilities (n, actions) and values (n,), both float32."""
    import torch

    from steam_env.agents.masking import judge_legal

    device = next(network.parameters()).device
    log_probs = np.empty(masks.shape, np.float32)
    values = np.empty(len(masks), np.float32)
    with torch.inference_mode():
        for start in range(0, len(masks), MOST_ROWS):
            part = slice(start, start + MOST_ROWS)
            seen, legal = to_tensors(pick(observations, part), device), torch.from_numpy(masks[part]).to(device)
            told, worth = judge_legal(network, seen, legal)
            log_probs[part], values[part] = told.cpu().numpy(), worth.cpu().numpy()
    return log_probs, values
