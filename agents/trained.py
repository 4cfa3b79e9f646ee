"""Trained policies: a network's weights from a safetensors file, as an agent. Needs torch, of the extra `train`."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from steam_env.kit.errors import MissingExtraError
from steam_env.table.view import View

if TYPE_CHECKING:
    from steam_env.agents.network import SteamNetwork

SUFFIX = ".safetensors"
SHIPPED = ("duel", "table")  # files of this package: for 2 seats, and for 3 to 5
FORMAT = "steam_env policy 1"
MOST_ROWS = 1024  # observations that the network looks at together: more do not fit into a core's cache


class TrainedAgent:
    """A policy that a network tells; it remembers nothing.

    Args:
        network: looks at `flat` observations.
        is_greedy: whether it plays the likeliest action; else it draws one by the probabilities.
        about: what its file tells of it: how, on what and by which version it was trained.
    """

    encoding: str | None = "flat"

    def __init__(self, network: SteamNetwork, *, is_greedy: bool = True, about: dict[str, Any] | None = None) -> None:
        self.network = network
        self.is_greedy = is_greedy
        self.about = about or {}
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Draw anew from this seed."""
        self._rng = np.random.default_rng(seed)

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View | None) -> np.ndarray:
        """(n,) int64 legal actions."""
        assert observations is not None  # as there is an encoding
        log_probs, _ = judge(self.network, observations, masks)
        if self.is_greedy:
            actions: np.ndarray = log_probs.argmax(axis=1)
            return actions
        return draw_actions(log_probs, masks, self._rng)

    def explain(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities (n, 372) and values (n,), in units of the reward that it was trained with."""
        assert observations is not None
        log_probs, values = judge(self.network, observations, masks)
        return np.exp(log_probs), values


def draw_actions(log_probs: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) int64, an action of each row drawn by its probabilities (Gumbel 1954: the greatest of noisy logarithms)."""
    noisy = np.where(masks, log_probs + rng.gumbel(size=log_probs.shape), -np.inf)
    actions: np.ndarray = noisy.argmax(axis=1)
    return actions


def judge(network: SteamNetwork, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Logarithms of the actions' probabilities (n, 372) and values (n,), both float32."""
    import torch

    from steam_env.agents.masking import mask_logits

    device = next(network.parameters()).device
    log_probs = np.empty(masks.shape, np.float32)
    values = np.empty(len(masks), np.float32)
    with torch.inference_mode():
        for start in range(0, len(masks), MOST_ROWS):
            part = slice(start, start + MOST_ROWS)
            logits, worth = network(torch.from_numpy(observations[part]).to(device))
            told = mask_logits(logits, torch.from_numpy(masks[part]).to(device))
            log_probs[part], values[part] = told.cpu().numpy(), worth.cpu().numpy()
    return log_probs, values


def load_policy(name: str | Path, *, is_greedy: bool = True) -> TrainedAgent:
    """A trained policy by the name of a shipped one, or by the path of a file.

    Raises:
        ValueError: naming what is there, or what is wrong with the file.
        MissingExtraError: without the extra `train`.

    Example:
        >>> load_policy("duel")  # doctest: +SKIP
    """
    try:
        from safetensors import SafetensorError, safe_open

        from steam_env.agents.network import NetworkConfig, SteamNetwork
    except ImportError as error:
        raise MissingExtraError(f"{error}; trained policies need: pip install 'steam-env[train]'") from None
    path = find_policy(name)
    try:
        with safe_open(path, framework="pt") as content:
            about = json.loads((content.metadata() or {}).get("about", "{}"))
            weights = {key: content.get_tensor(key) for key in content.keys()}  # noqa: SIM118 - no mapping
    except (SafetensorError, OSError, json.JSONDecodeError) as error:
        raise ValueError(f"{path}: no policy can be read: {error}") from None
    if about.get("format") != FORMAT:
        raise ValueError(f"{path}: format {about.get('format')!r}: {FORMAT!r} is allowed")
    network = SteamNetwork(NetworkConfig(**about["network"]))
    try:
        network.load_state_dict(weights)
    except RuntimeError as error:
        raise ValueError(f"{path}: its weights are not those of this version's network: {error}") from None
    return TrainedAgent(network, is_greedy=is_greedy, about=about)


def find_policy(name: str | Path) -> Path:
    """The file of a policy.

    Raises:
        ValueError: for a name that is neither a shipped policy nor a file.
    """
    path = Path(str(files("steam_env.agents") / "policies" / f"{name}{SUFFIX}")) if name in SHIPPED else Path(name)
    if path.suffix != SUFFIX or not path.is_file():
        raise ValueError(f"policy {str(name)!r}: {', '.join(map(repr, SHIPPED))} or a file *{SUFFIX} is allowed")
    return path


def save_policy(network: SteamNetwork, path: Path, about: dict[str, Any]) -> None:
    """Write a network as a policy file, with what is to be known ``about`` it: JSON.

    Raises:
        OSError: if it cannot be written.
    """
    from dataclasses import asdict

    from safetensors.torch import save

    weights = {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
    told = {"format": FORMAT, "network": asdict(network.config), **about}
    path.write_bytes(save(weights, {"about": json.dumps(told, sort_keys=True)}))
