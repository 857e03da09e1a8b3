"""Which word of the table is nearest to a word's row once a position and a segment are added to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor

__all__ = ["Nearest", "nearest_to_sums"]


class Nearest(NamedTuple):
    """The sums at one place."""

    right: int
    """How many are nearest to their own word."""
    tried: int
    missed: set[int]
    """Rows that were nearest to the other sums."""


def nearest_to_sums(
    ids: Tensor, words: Tensor, positions: Tensor, segments: Tensor, places: Iterable[int]
) -> dict[int, Nearest]:
    """Add to each word's row a position's and each segment's, and find the nearest row, by the cosine.

    Parameters
    ----------
    ids
        Which rows of `words` are added to, shape (n,).
    words, positions, segments
        The three tables, each (rows, hidden_size).
    places
        Which positions.

    Returns
    -------
    dict of int to Nearest
        By place; each word is tried with every segment.
    """
    directions = torch.nan_to_num(words / words.norm(dim=-1, keepdim=True))
    own = ids.repeat(len(segments))
    found = {}
    for place in places:
        sums = torch.cat([words[ids] + positions[place] + segment for segment in segments])
        nearest = (sums @ directions.T).argmax(dim=-1)
        wrong = nearest != own
        found[place] = Nearest(int((~wrong).sum()), len(own), set(nearest[wrong].tolist()))
    return found
