"""How alike are the vectors of two models that share no token and no axis? Compare what is near to what.

A vector of one model and a vector of another can't be compared: their numbers mean different things, and here
there aren't even equally many. But within each model one can ask which events lie near each other, and these
two lists of likenesses can.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["agreement", "length_gaps", "likeness", "sentence_vectors", "shuffled"]


def sentence_vectors(
    tokenizer: PreTrainedTokenizerBase,
    model: PreTrainedModel,
    texts: Sequence[str],
    without: Collection[str] = (),
) -> Tensor:
    """Return the mean vector of each text's own tokens, after the embeddings and after each layer.

    Parameters
    ----------
    tokenizer, model
        A BERT with its tokenizer.
    texts
        Some texts.
    without
        Tokens that the model reads, but that are left out of the mean, such as *the*. Some others must stay.

    Returns
    -------
    Tensor
        Shape (num_layers + 1, len(texts), hidden_size).
    """
    batch = tokenizer(list(texts), padding=True, return_tensors="pt")
    with torch.no_grad():
        hidden_states = model(**batch, output_hidden_states=True).hidden_states
    ids = batch["input_ids"]
    own = ~torch.isin(ids, torch.tensor(tokenizer.all_special_ids))
    own |= ids == tokenizer.unk_token_id
    own &= ~torch.isin(ids, torch.tensor(tokenizer.convert_tokens_to_ids(sorted(without)), dtype=ids.dtype))
    weights = (own / own.sum(dim=1, keepdim=True)).to(hidden_states[0].dtype)
    return torch.stack([(weights[:, None] @ states)[:, 0] for states in hidden_states])


def likeness(vectors: Tensor) -> Tensor:
    """Return the cosine of each pair of vectors, after their common mean is taken away: (..., n, n)."""
    centred = vectors - vectors.mean(dim=-2, keepdim=True)
    unit: Tensor = centred / centred.norm(dim=-1, keepdim=True)
    return torch.matmul(unit, unit.mT)


def agreement(one: Tensor, other: Tensor, kept: Tensor | None = None, given: Sequence[Tensor] = ()) -> float:
    """Return the correlation of two tables of likenesses, each pair once and none with itself.

    Parameters
    ----------
    one, other
        Shape (n, n), of the same n things in the same order.
    kept
        Boolean, shape (n, n): which pairs count; all if None.
    given
        Other tables, (n, n): what follows from them is taken off both, so that they can't be the reason.

    Returns
    -------
    float
        From −1 to 1; 0 where the one says nothing about the other.
    """
    above = torch.ones_like(one, dtype=torch.bool).triu(diagonal=1)
    counted = above if kept is None else above & kept
    tables = torch.stack([one[counted], other[counted]])
    if given:
        known = torch.stack([torch.ones_like(tables[0]), *(table[counted] for table in given)], dim=1)
        tables = tables - (known @ torch.linalg.lstsq(known, tables.T).solution).T
    return float(torch.corrcoef(tables)[0, 1])


def length_gaps(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str]) -> Tensor:
    """Return how far each two texts are apart in length, in tokens: float64, (n, n)."""
    lengths = torch.tensor([len(tokenizer(text)["input_ids"]) for text in texts], dtype=torch.float64)
    return (lengths[:, None] - lengths).abs()


def shuffled(one: Tensor, other: Tensor, kept: Tensor | None = None, times: int = 200) -> list[float]:
    """Return the agreement where the second table's things are in a random order, in rising order."""
    generator = torch.Generator().manual_seed(0)
    orders = (torch.randperm(len(other), generator=generator) for _ in range(times))
    return sorted(agreement(one, other[order][:, order], kept) for order in orders)
