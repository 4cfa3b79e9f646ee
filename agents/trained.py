"""Trained policies: a net as an agent. Needs torch, of the extra `train`."""

from __future__ import annotations

from collections.abc import Hashable
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
        network: the net: logits and a value from observations; agents may share it, so nobody may change it.
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

    @property
    def twin(self) -> Hashable | None:
        """The net, if it alone says what is played, see ``SteadyAgent``."""
        on_cpu = next(self.network.parameters()).device.type == "cpu"
        return self.network if self.is_greedy and on_cpu and getattr(self.network, "is_steady", False) else None

    def reset(self, seed: int) -> None:
        """Draw anew from this seed."""
        self._rng = np.random.default_rng(seed)

    def act(self, observations: Observations | None, masks: np.ndarray, views: View | None) -> np.ndarray:
        """(n,) int64 legal actions."""
        assert observations is not None  # as there is an encoding
        if not self.is_greedy:
            return draw_actions(judge(self.network, observations, masks)[0], masks, self._rng)
        actions: np.ndarray = masks.argmax(axis=1)
        rows = np.flatnonzero(count_legal(masks) > 1)  # in all others there is but one legal action
        if len(rows):
            log_probs, _ = judge(self.network, observations, masks, rows)
            actions[rows] = log_probs.argmax(axis=1)
        return actions

    def explain(
        self, observations: Observations | None, masks: np.ndarray, views: View
    ) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities (n, actions) and values (n,), in units of the reward that it was trained with."""
        assert observations is not None
        log_probs, values = judge(self.network, observations, masks)
        return np.exp(log_probs), values


def count_legal(masks: np.ndarray) -> np.ndarray:
    """(n,) how many actions are legal, of masks (n, actions) bool."""
    counts: np.ndarray = masks.view(np.uint8).sum(axis=1, dtype=np.uint16)  # three times as fast as of bools
    return counts


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


def judge(
    network: Module, observations: Observations, masks: np.ndarray, rows: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Logarithms of the actions' probabilities (k, actions) and values (k,), both float32.

    Args:
        network: the net.
        observations: (n, ...), as it takes them.
        masks: (n, actions) bool, the legal actions.
        rows: (k,) int64, which of them; ``None``: all.
    """
    import torch

    from steam_env.agents.masking import judge_legal

    chosen = np.arange(len(masks)) if rows is None else rows
    device = next(network.parameters()).device
    log_probs = np.empty((len(chosen), masks.shape[1]), np.float32)
    values = np.empty(len(chosen), np.float32)
    with torch.inference_mode():
        for start in range(0, len(chosen), MOST_ROWS):
            part = chosen[start : start + MOST_ROWS]
            count = len(part)
            told = slice(start, start + count)
            if getattr(network, "is_steady", False):
                part = fill_up(part)
            seen, legal = to_tensors(pick(observations, part), device), torch.from_numpy(masks[part]).to(device)
            found, worth = judge_legal(network, seen, legal)
            log_probs[told], values[told] = found[:count].cpu().numpy(), worth[:count].cpu().numpy()
    return log_probs, values


def fill_up(rows: np.ndarray) -> np.ndarray:
    """Numbers of rows, and the last one again up to a round number of them, see ``dense``."""
    from steam_env.agents.dense import round_up

    return np.pad(rows, (0, round_up(len(rows)) - len(rows)), mode="edge")
