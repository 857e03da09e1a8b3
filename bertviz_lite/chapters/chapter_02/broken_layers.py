"""Four embedding layers of one model, one healthy and three with a mistake, and what moves a word's vector.

The mistakes are those that everyone makes: every position 0, no segments, and a LayerNorm across the tokens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor
    from transformers.models.bert.modeling_bert import BertEmbeddings

    Layer = Callable[[Tensor, Tensor], Tensor]

__all__ = ["broken_layers"]


def broken_layers(embeddings: BertEmbeddings) -> dict[str, Layer]:
    """Return four layers of input_ids and token_type_ids: "healthy", and "A", "B" and "C" with a mistake.

    Dropout must be off.
    """

    def without_segments(input_ids: Tensor, _token_type_ids: Tensor) -> Tensor:
        result: Tensor = embeddings(input_ids)
        return result

    def across_tokens(input_ids: Tensor, token_type_ids: Tensor) -> Tensor:
        total = (
            embeddings.word_embeddings(input_ids)
            + embeddings.position_embeddings(torch.arange(input_ids.shape[1]))
            + embeddings.token_type_embeddings(token_type_ids)
        )
        norm = embeddings.LayerNorm
        mean = total.mean(dim=1, keepdim=True)
        variance = total.var(dim=1, correction=0, keepdim=True)
        result: Tensor = norm.weight * (total - mean) / (variance + norm.eps).sqrt() + norm.bias
        return result

    def at_place_0(input_ids: Tensor, token_type_ids: Tensor) -> Tensor:
        result: Tensor = embeddings(input_ids, token_type_ids, torch.zeros_like(input_ids))
        return result

    return {"healthy": embeddings, "A": without_segments, "B": across_tokens, "C": at_place_0}
