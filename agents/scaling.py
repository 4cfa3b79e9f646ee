"""Nets on compact observations: digits are made the float32 that a net knows, on the device where it is.

``Scaled(network, encoding)`` looks at ``flat:compact`` or ``flat:tight`` as ``network`` does at ``flat``: its answers
are the same, bit for bit, and a third of the bytes or fewer go to the device. Needs torch, of the extra `train`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from steam_env.core.fields import NONE
from steam_env.encoding import Encoding
from steam_env.encoding.compact import Expansion
from steam_env.encoding.digits import Digits


class Scaling(nn.Module):
    """Makes the float32 observations of digits, an array or a dict of arrays, see ``steam_env.encoding.compact``.

    Args:
        encoding: whose observations it is given; one of float32 passes as it is.
    """

    def __init__(self, encoding: Encoding) -> None:
        super().__init__()
        expansions = encoding.expansions
        self.is_dict = isinstance(expansions, dict)
        named = expansions if self.is_dict else {} if expansions is None else {"all": expansions}
        self.arrays = nn.ModuleDict({name: _ScaleArray(one) for name, one in named.items()})

    def forward(self, observations: Any) -> Any:
        """Float32 observations (n, ...)."""
        if not self.arrays:
            return observations
        if self.is_dict:
            return {name: scale(observations[name]) for name, scale in self.arrays.items()}
        return self.arrays["all"](observations)


class Scaled(nn.Module):
    """A net that looks at the digits of what it was made for.

    Args:
        network: the net.
        encoding: of the digits, as ``Sight.find_encoding`` gives it.
    """

    def __init__(self, network: nn.Module, encoding: Encoding) -> None:
        super().__init__()
        self.network, self.scaling = network, Scaling(encoding)
        self.encoding = encoding.name
        self.takes_masks: bool = getattr(network, "takes_masks", False)
        self.is_steady: bool = getattr(network, "is_steady", False)

    def forward(self, observations: Any, *masks: Tensor) -> Any:
        """What the net answers, which may take masks."""
        return self.network(self.scaling(observations), *masks)


class _ScaleArray(nn.Module):
    """Makes one array of float32 from its digits, row by row."""

    rows: Tensor

    def __init__(self, expansion: Expansion) -> None:
        super().__init__()
        self.shape, self.num_rows = expansion.values.shape, expansion.num_rows
        self.digits = None if expansion.digits is None else _AddUp(expansion.digits)
        self._is_full = expansion.is_full
        self.register_buffer("rows", torch.from_numpy(np.array(expansion.rows)), persistent=False)

    def forward(self, packed: Tensor) -> Tensor:
        count, rows = len(packed), len(self.rows)
        if self.digits is None:
            values = packed.reshape(count, rows, 1).long()
        else:
            values = self.digits(packed.reshape(count * rows, -1)).reshape(count, rows, -1)
        if not self._is_full:
            values = values.new_zeros(count, self.num_rows, values.shape[2]).index_copy_(1, self.rows, values)
        return values.reshape(count, *self.shape)


class _AddUp(nn.Module):
    """Makes the values of rows (n, values) of their digits (n, size) uint8.

    Numbers are at most 2**24, which float32 has exactly, and a quotient is rounded once.
    """

    divisor: Tensor
    divided: Tensor
    saturating: Tensor
    listed: Tensor
    tables: Tensor
    table: Tensor

    def __init__(self, digits: Digits) -> None:
        super().__init__()
        for level, (source, weight) in enumerate(zip(digits.source, digits.weight, strict=True)):
            self._keep_level(f"number{level}", source, weight)
        divided = np.flatnonzero(digits.over_weight.any(axis=0))
        for level, (source, weight) in enumerate(zip(digits.over, digits.over_weight, strict=True)):
            self._keep_level(f"divisor{level}", np.where(weight > 0, source, NONE), weight)
        self.levels, self.num_values = len(digits.source), digits.num_values
        self._keep("divisor", digits.divisor.astype(np.float32))
        self._keep("divided", divided)
        self._keep("saturating", np.flatnonzero(digits.saturates))
        listed = np.flatnonzero(digits.table != NONE)
        self._keep("listed", listed)
        self._keep("tables", digits.tables)
        self._keep("table", digits.table[listed])

    def _keep(self, name: str, values: np.ndarray) -> None:
        self.register_buffer(name, torch.from_numpy(np.array(values)), persistent=False)

    def _keep_level(self, name: str, source: np.ndarray, weight: np.ndarray) -> None:
        there = np.flatnonzero(source != NONE)
        self._keep(f"{name}_to", there)
        self._keep(f"{name}_from", source[there])
        self._keep(f"{name}_weight", weight[there].astype(np.float32))

    def _add_up(self, name: str, digits: Tensor) -> Tensor:
        """(n, values) float32 numbers."""
        total = torch.zeros(len(digits), self.num_values, device=digits.device)
        for level in range(self.levels):
            places = getattr(self, f"{name}{level}_from")
            if len(places):
                told = digits.index_select(1, places).float() * getattr(self, f"{name}{level}_weight")
                total.index_add_(1, getattr(self, f"{name}{level}_to"), told)
        return total

    def forward(self, digits: Tensor) -> Tensor:
        numbers = self._add_up("number", digits)
        divisors = self.divisor.expand_as(numbers)
        if len(self.saturating) or len(self.divided):
            divisors = divisors.clone()
            divisors[:, self.saturating] += numbers[:, self.saturating]
            divisors[:, self.divided] = self._add_up("divisor", digits)[:, self.divided].clamp(min=1)
        values = numbers / divisors
        if len(self.listed):
            values[:, self.listed] = self.tables[self.table + numbers[:, self.listed].long()]
        return values
