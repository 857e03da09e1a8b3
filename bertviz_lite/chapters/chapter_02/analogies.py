"""Where a − b + c lands in a table of word embeddings, for pairs of a man and a woman."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import Tensor

__all__ = ["FAMILY", "analogies", "nearest_to_sum"]

FAMILY = (
    ("father", "mother"),
    ("grandfather", "grandmother"),
    ("brother", "sister"),
    ("son", "daughter"),
    ("man", "woman"),
    ("boy", "girl"),
    ("husband", "wife"),
    ("uncle", "aunt"),
    ("king", "queen"),
    ("prince", "princess"),
)


def nearest_to_sum(table: Tensor, rows_of: Mapping[str, int], a: str, b: str, c: str) -> list[str]:
    """Return all words, the nearest first, by cosine with a − b + c of rows of length 1 (as word2vec does).

    Parameters
    ----------
    table
        Rows of length 1, shape (vocab_size, hidden_size); a row may be empty.
    rows_of
        The row of each word.
    a, b, c
        Words of the table.
    """
    target = table[rows_of[a]] - table[rows_of[b]] + table[rows_of[c]]
    return _nearest(table, rows_of, target)


def analogies(
    table: Tensor, rows_of: Mapping[str, int], pairs: Sequence[tuple[str, str]]
) -> tuple[dict[str, int], int]:
    """Try every pair with every other, in both directions, and count how often the right word is nearest.

    Returns
    -------
    dict, int
        How many are right: with the three words of the sum left out, with them kept in, and with the first
        word alone in place of the sum (the three left out); and the number of tries.
    """
    counts = {"the three words left out": 0, "none left out": 0, "the first word alone": 0}
    tries = 0
    for (a, wanted), (b, c) in permutations([*pairs], 2):
        for first, second, third, answer in ((a, b, c, wanted), (wanted, c, b, a)):
            given = {first, second, third}
            landed = nearest_to_sum(table, rows_of, first, second, third)
            alone = _nearest(table, rows_of, table[rows_of[first]])
            counts["the three words left out"] += _first_other(landed, given) == answer
            counts["none left out"] += landed[0] == answer
            counts["the first word alone"] += _first_other(alone, given) == answer
            tries += 1
    return counts, tries


def _nearest(table: Tensor, rows_of: Mapping[str, int], target: Tensor) -> list[str]:
    word_of = {row: word for word, row in rows_of.items()}
    order = (table @ target).argsort(descending=True, stable=True)
    return [word_of[row] for row in torch.as_tensor(order).tolist()]


def _first_other(words: Sequence[str], given: set[str]) -> str:
    return next(word for word in words if word not in given)
