"""Nets that begin with the weights of one that sees less. Needs torch, of the extra `train`."""

from __future__ import annotations

from dataclasses import asdict

from torch import nn


def check_older(older: nn.Module, kind: type[nn.Module], config: object) -> None:
    """Refuse a net whose weights one of this kind and configuration cannot take over, see ``begin_with``.

    Raises:
        ValueError: naming both configurations.
    """
    if not issubclass(kind, type(older)) or asdict(older.config) != asdict(config):  # type: ignore[call-overload]
        raise ValueError(f"its network is {older.config}, not {config}")


def begin_with(network: nn.Module, older: nn.Module) -> None:
    """Take over the weights of a net of the same kind, or of the kind from which this one is derived.

    A net of a derived kind may see more, after all that the older one sees. It answers what that one answers: what it
    sees besides counts for nothing at first, and what else it has begins as in any new net (Chen et al. 2016, Net2Net).
    """
    weights = network.state_dict()
    for name, values in older.state_dict().items():
        weights[name].zero_()
        weights[name][..., : values.shape[-1]] = values
    network.load_state_dict(weights)
