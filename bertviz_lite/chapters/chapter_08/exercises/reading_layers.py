"""Exercises of chapter 08, the LM head: from which layer on an answer stays first."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _settled_cases() -> Iterator[Case]:
    first, not_first = [1.0, 0.0, 0.0], [0.0, 1.0, 2.0]  # word 0
    yield Case(torch.tensor([[not_first], [not_first], [first], [first]]), 0, 0)
    yield Case(torch.tensor([[first], [not_first], [first], [first]]), 0, 0)
    yield Case(torch.tensor([[first], [first], [first], [not_first]]), 0, 0)
    yield Case(torch.tensor([[first], [first], [first]]), 0, 0)
    logits = normal(6, 4, 5)
    logits[3:, 2, 4] = 9
    logits[4, 2, 4] = 12
    logits[1, 2, 4] = 9
    logits[2, 2, 0] = 9
    yield Case(logits, 2, 4, label="logits of shape (6, 4, 5); from row 3 on word 4 is first at position 2")


@exercise(
    cases=_settled_cases,
    hints=(
        "logits[:, position].argmax(-1) is the first word at every layer.",
        "Go from the last layer down, as long as the answer is first.",
    ),
    note="Counted as the lens counts: 0 is the input embeddings.",
)
def settled_layer(logits: Tensor, position: int, answer: int) -> int:
    """Find the row of a lens from which on one word stays first, up to the last row.

    `logits` is (layers + 1, seq_len, vocab_size), `answer` the id of the word. -1 if it is not first in the
    last row.
    """
    first = logits[:, position].argmax(-1) == answer
    row = len(first)
    while row > 0 and first[row - 1]:
        row -= 1
    return row if row < len(first) else -1


def _firsts(logits: Tensor, position: int, answer: int) -> list[bool]:
    return [bool(word == answer) for word in logits[:, position].argmax(-1)]


@settled_layer.mistake("The word is first there, but it does not stay first up to the last row.")
def _first_time(logits: Tensor, position: int, answer: int) -> int:
    firsts = _firsts(logits, position, answer)
    return firsts.index(True) if True in firsts else -1


@settled_layer.mistake("The rows are counted from 1; the input embeddings are row 0.")
def _from_one(logits: Tensor, position: int, answer: int) -> int:
    row = settled_layer.reference(logits, position, answer)
    assert isinstance(row, int)
    return row + 1 if row >= 0 else -1


@settled_layer.mistake("That is how many rows have the word first; give the row where that begins.")
def _how_many(logits: Tensor, position: int, answer: int) -> int:
    return sum(_firsts(logits, position, answer))


@settled_layer.mistake("If the word is not first in the last row, the answer is -1.")
def _never(logits: Tensor, position: int, answer: int) -> int:
    row = settled_layer.reference(logits, position, answer)
    assert isinstance(row, int)
    return row if row >= 0 else len(logits)
