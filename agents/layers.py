"""What the nets are made of, whatever game they are for. Needs torch, of the extra `train`.

A net looks at things of a kind one by one and sums up what it finds; a trunk makes something of the whole position, and
from that come the answers.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from steam_env.agents.dense import Dense

POSITION_UNITS = 64  # of the layer between the trunk and the position's value
ALIKE = 0.01  # gain of a last layer whose answers begin about alike

Parts = tuple[tuple[int, int], ...]  # what an encoding tells of each thing of a kind: (first value, values each)


def list_columns(parts: Parts, count: int) -> Tensor:
    """(count, values) int64, where the values of each of ``count`` things stand in the vector."""
    rows = [[start + number * length + k for start, length in parts for k in range(length)] for number in range(count)]
    return torch.tensor(rows, dtype=torch.int64)


def count_values(parts: Parts) -> int:
    """How many values the encoding tells of each thing."""
    return sum(length for _, length in parts)


def rectify() -> nn.Module:
    """A rectifier that writes over what it is given: nobody else needs that."""
    return nn.ReLU(inplace=True)


def make_trunk(inputs: int, width: int) -> nn.Sequential:
    """Two layers, from what is seen (n, inputs) to what the trunk makes of it (n, width)."""
    return nn.Sequential(Dense(inputs, width), rectify(), Dense(width, width), rectify())


def look_again(width: int) -> nn.Sequential:
    """One more layer, whose answer is added to the trunk's (n, width)."""
    return nn.Sequential(Dense(width, width), rectify())


def judge_things(entity: int, answers: int) -> nn.Sequential:
    """A net from what is known of each thing (..., entity) to ``answers`` logits."""
    return nn.Sequential(rectify(), Dense(entity, entity), rectify(), Dense(entity, answers))


def judge_position(width: int) -> nn.Sequential:
    """A net from the trunk's answer (n, width) to the position's value (n, 1)."""
    return nn.Sequential(Dense(width, POSITION_UNITS), rectify(), Dense(POSITION_UNITS, 1))


def initialise(net: nn.Module, position: nn.Sequential, *alike: nn.Module) -> None:
    """Begin with orthogonal weights.

    Args:
        net: all of it.
        position: its answer, the value, begins on the scale of what it is given.
        alike: layers, or nets with a last layer, whose answers begin about alike.
    """
    for module in net.modules():
        if isinstance(module, nn.Linear):
            nn.init.orthogonal_(module.weight, gain=2**0.5)
            nn.init.zeros_(module.bias)
        if isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=0.1)
    for layer, gain in (*((one, ALIKE) for one in alike), (position, 1.0)):
        last = layer[-1] if isinstance(layer, nn.Sequential) else layer
        assert isinstance(last, nn.Linear)
        nn.init.orthogonal_(last.weight, gain=gain)
