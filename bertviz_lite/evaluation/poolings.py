"""Four ways to make one vector of a text's last hidden states."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import BertModel


Pool = Callable[[Any, "Tensor", "Tensor"], "Tensor"]
"""``pool(bert, last_hidden_state, attention_mask)`` returns (texts, size): one vector for each text."""


def poolings() -> dict[str, Pool]:
    """Return the four ways of chapter 07 to make one vector of a text's last hidden states, by name."""
    import torch

    def mean(_: BertModel, hidden: Tensor, real: Tensor) -> Tensor:
        weights = real[..., None].to(hidden.dtype)
        return (hidden * weights).sum(dim=1) / weights.sum(dim=1)

    return {
        "[CLS]": lambda _bert, hidden, _real: hidden[:, 0],
        "pooler": lambda bert, hidden, _real: bert.pooler(hidden),
        "mean": mean,
        "max": lambda _bert, hidden, real: hidden.masked_fill(real[..., None] == 0, -torch.inf).amax(dim=1),
    }
