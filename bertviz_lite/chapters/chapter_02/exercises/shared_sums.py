"""A position table that spoils the sums: any two words meet in one."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _cases() -> Iterator[Case]:
    counted = "how many pairs of words share a sum, and how many positions differ"
    tiny = torch.tensor([[2.0, 0.0], [0.0, 3.0], [1.0, 1.0]], dtype=torch.float64)
    yield Case(tiny, label=f"words = [[2, 0], [0, 3], [1, 1]]: {counted}")
    yield Case(normal(5, 8), label=f"five words of eight numbers: {counted}")


def _shared(answer: Callable[[Tensor], Any], words: Tensor) -> object:
    """Count the pairs of words that share a sum, and the positions that differ."""
    given = answer(words.clone())
    if given is None or given is ...:
        return given
    positions = torch.as_tensor(given, dtype=torch.float64)
    if positions.shape != words.shape:
        message = (
            f"The positions are {tuple(positions.shape)}; as many as the words are {tuple(words.shape)}."
        )
        raise ValueError(message)
    sums = words[:, None] + positions  # of each word at each place
    close = 1e-9 * (1 + float(sums.abs().max()))
    pairs = combinations(range(len(words)), 2)
    meet = sum(float(torch.cdist(sums[one], sums[other]).min()) < close for one, other in pairs)
    apart = torch.cdist(positions, positions) + torch.eye(len(positions)).double()
    return torch.tensor([meet, int((apart > close).all(dim=1).sum())])


@exercise(
    cases=_cases,
    call=_shared,
    hints=(
        "Take two words, a and b. Which two rows p and q make a + p the same as b + q?",
        "Numbers can be added in either order: a + b is b + a.",
    ),
    note="Different rows alone don't keep the parts apart: the directions must differ, too.",
)
def spoiled_positions(words: Tensor) -> Tensor:
    """Design positions, all different, with which any two words share a sum.

    `words` is (n, hidden_size); so is the answer. For any two words a and b there must be two places i and j
    so that words[a] + positions[i] is the same as words[b] + positions[j].
    """
    return words.clone()


spoiled_positions.mistake(
    "All positions are the same row, so no place can be told, and still no two words share a sum.",
    torch.zeros_like,
)
spoiled_positions.mistake(
    "No two words share a sum. Begin with two words and two places: what must the rows of the places be?",
    lambda words: normal(*words.shape, seed=9),
)


@spoiled_positions.mistake("One pair of words shares a sum; any two should.")
def _one_pair(words: Tensor) -> Tensor:
    positions = normal(*words.shape, seed=9)
    positions[1] = words[0] + positions[0] - words[1]
    return positions
