"""Dense layers that are fast on every processor. Needs torch, of the extra `train`.

For float32 torch multiplies matrices by MKL, which on processors of others than Intel leaves half of their vector units
idle; oneDNN, which torch brings along, does not. Products are as exact: only the order of their sums differs. And that
order is the same for any number of rows and threads: what comes of a row does not depend on those beside it.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

FEWEST_ROWS = 2  # a row alone is summed up in another order, so it gets a companion
STEPS = 8  # sizes of batches between a power of two and the next one, see ``round_up``
HAS_ONEDNN: bool = torch._C._has_mkldnn and hasattr(torch.ops.mkldnn, "_linear_pointwise")


def round_up(rows: int) -> int:
    """As many rows or up to an eighth more: oneDNN compiles code for each number of rows, best it meets few of them."""
    step = max(1, (1 << rows.bit_length() - 1) // STEPS) if rows else 1
    return -(-rows // step) * step


class Dense(nn.Linear):
    """``nn.Linear`` in all that it says and holds: faster for float32 on the CPU, and row by row the same."""

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - as the base class calls it
        """(..., out_features) of (..., in_features)."""
        return multiply(input, self.weight, self.bias)


def multiply(inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``functional.linear``: (..., outputs) of inputs (..., width), a weight (outputs, width) and a bias (outputs,)."""
    is_fit = HAS_ONEDNN and inputs.device.type == "cpu" and inputs.dtype == weight.dtype == torch.float32
    if not is_fit or not inputs.numel() or torch.is_autocast_enabled("cpu"):
        return functional.linear(inputs, weight, bias)
    inputs = inputs.contiguous()  # gradients of a part of wider rows take oneDNN a hundred times as long
    is_alone = inputs.numel() < FEWEST_ROWS * inputs.shape[-1]
    if torch.is_grad_enabled():
        if is_alone:
            return functional.linear(inputs, weight, bias)
        told: Tensor = _Product.apply(inputs, weight, bias)  # type: ignore[no-untyped-call, unused-ignore]
        return told
    if is_alone:
        filled = inputs.reshape(1, -1).expand(FEWEST_ROWS, -1).contiguous()
        return _multiply(filled, weight, bias)[0].view(*inputs.shape[:-1], -1)
    return _multiply(inputs, weight, bias)


def _multiply(inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    told: Tensor = torch.ops.mkldnn._linear_pointwise(inputs, weight, bias, "none", [], "")
    return told


class _Product(torch.autograd.Function):
    """The product by oneDNN, and its gradients likewise."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(inputs, weight)
        return _multiply(inputs, weight, bias)

    @staticmethod
    @once_differentiable  # type: ignore[misc, untyped-decorator, unused-ignore]
    def backward(ctx: Any, gradients: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
        inputs, weight = ctx.saved_tensors
        wants_inputs, wants_weight, wants_bias = ctx.needs_input_grad
        rows, seen = gradients.reshape(-1, gradients.shape[-1]), inputs.reshape(-1, inputs.shape[-1])
        to_inputs = _multiply(gradients, weight.t()) if wants_inputs else None
        to_weight = None
        if wants_weight:
            is_tall = len(rows) > weight.numel()  # oneDNN copies what it has to sum up over many rows
            to_weight = rows.t() @ seen if is_tall else _multiply(rows.t(), seen.t())
        return to_inputs, to_weight, rows.sum(0) if wants_bias else None
