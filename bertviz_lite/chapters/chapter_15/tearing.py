"""Words that a mask tears: some of their characters chosen, some not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["torn_words"]


def torn_words(chosen: Tensor, continues: Tensor) -> tuple[int, int]:
    """Return how many of the words of two characters or more are torn, and how many such words there are.

    Parameters
    ----------
    chosen
        Boolean, (batch, seq_len): True where a token is to be predicted.
    continues
        Boolean, of the same shape: True where a token goes on with the word of the token before it.
    """
    word = (~continues).flatten().cumsum(0)  # a number for each word
    sizes = word.bincount()
    taken = word.bincount(chosen.flatten().double(), len(sizes))
    return int(((taken > 0) & (taken < sizes)).sum()), int((sizes > 1).sum())
