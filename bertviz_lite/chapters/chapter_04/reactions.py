"""How the outputs of a stack of layers react to a nudge of its inputs: whose, and how strongly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from transformers import BertConfig, BertModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from torch import Tensor

__all__ = ["Reactions", "fresh_model", "measure"]

_SIZE = 64
_AS_BASE = 0.02 * (768 / _SIZE) ** 0.5
"""The spread of weights that act on narrow vectors as strongly as BERT-Base's, of 0.02, on its wide ones."""


@dataclass(frozen=True)
class Reactions:
    """How each output of a stack of layers reacts to each of its inputs."""

    shares: Tensor
    """Shape (seq_len, seq_len): of each output's reaction, row, the share of each input, column.

    A reaction is the squared length of a gradient; each row sums to 1.
    """
    lengths: Tensor
    """Shape (layers + 1,): how long the gradient is, from the output, where it is 1, down to the input."""

    @property
    def own(self) -> float:
        """The mean share of an output's reaction that comes from its own token."""
        return float(self.shares.diagonal().mean())


def fresh_model(layers: int = 24, seed: int = 0) -> tuple[BertModel, Tensor]:
    """Return a narrow BERT with random weights, and a random direction in which to look at its outputs.

    The weights are as strong as BERT-Base's at its start, and in float64; the direction has the shape
    (hidden_size,).
    """
    config = BertConfig(
        vocab_size=50,
        hidden_size=_SIZE,
        intermediate_size=4 * _SIZE,
        num_hidden_layers=layers,
        num_attention_heads=4,
        initializer_range=_AS_BASE,
    )
    before = torch.get_default_dtype()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        torch.set_default_dtype(torch.float64)
        try:
            return BertModel(config).eval(), torch.randn(_SIZE)
        finally:
            torch.set_default_dtype(before)


def measure(
    x: Tensor, blocks: Iterable[Any], step: Callable[[Any, Tensor], Tensor], direction: Tensor
) -> Reactions:
    """Run layers one after the other and ask, for each output, for its gradient at every height.

    Parameters
    ----------
    x
        What goes in, shape (1, seq_len, hidden_size).
    blocks
        The layers, the lowest first.
    step
        A function of a layer and of what goes into it, which returns what comes out of it.
    direction
        Along which the outputs are watched, shape (hidden_size,).
    """
    heights = [x.detach().requires_grad_()]
    with torch.enable_grad():
        for block in blocks:
            heights.append(step(block, heights[-1]))
        watched = heights[-1][0] @ direction  # one number for each output token
        # for each of them the gradients at all heights, each of shape (1, seq_len, hidden_size)
        slopes = [torch.autograd.grad(output, heights, retain_graph=True) for output in watched]
    squared = torch.stack([at[0][0].square().sum(dim=-1) for at in slopes])
    lengths = torch.tensor([[at.norm() for at in each] for each in slopes]).mean(dim=0)
    return Reactions(
        shares=squared / squared.sum(dim=1, keepdim=True),
        lengths=(lengths / lengths[-1]).flip(0),
    )
