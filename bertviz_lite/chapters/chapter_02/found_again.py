"""Which words are found again in their sums with every position and segment, and how often texts use them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from bertviz_lite.world import stories

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase

__all__ = ["found_again", "uses"]


def found_again(words: Tensor, positions: Tensor, segments: Tensor) -> Tensor:
    """Add every position and segment to every word, and say of which sums the word's own row is the nearest.

    Parameters
    ----------
    words
        Rows without an empty one, shape (words, hidden_size).
    positions, segments
        Their tables.

    Returns
    -------
    Tensor
        Shape (positions, segments, words): True where the own row has the largest cosine with the sum.
    """
    directions = words / words.norm(dim=-1, keepdim=True)
    itself = torch.arange(len(words))
    alone = words @ directions.T  # r · w by r's length: the same at every place
    scores = torch.empty_like(alone)
    found = torch.empty(len(positions), len(segments), len(words), dtype=torch.bool)
    for place, position in enumerate(positions):
        for side, segment in enumerate(segments):
            push = directions @ (position + segment)  # r · p + r · s
            torch.add(alone, push, out=scores)
            found[place, side] = scores.argmax(dim=1) == itself
    return found


def uses(tokenizer: PreTrainedTokenizerBase, n: int = 2_000) -> Tensor:
    """Return how often `n` of the town's texts use each entry of the vocabulary, shape (vocab_size,)."""
    texts = [str(story) for story in stories(seed=63, n=n)]
    rows = tokenizer(texts, add_special_tokens=False, verbose=False)["input_ids"]
    ids = torch.tensor([number for row in rows for number in row])
    return torch.bincount(ids, minlength=len(tokenizer))
