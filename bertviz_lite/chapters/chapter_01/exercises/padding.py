"""Rows of ids filled up to a rectangle, with the mask that says so."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise


def _pad_cases() -> Iterator[Case]:
    yield Case([[2, 7, 8, 3], [2, 9, 3]], 0)
    yield Case([[2, 3], [2, 5, 6, 7, 3], [2, 4, 3]], 1)
    yield Case([[101, 0, 102], [101, 12, 13, 14, 102]], 0)


def _longest(rows: list[list[int]]) -> int:
    return max(map(len, rows))


def _masked(rows: list[list[int]], real: int = 1) -> Tensor:
    return torch.tensor([[real] * len(row) + [1 - real] * (_longest(rows) - len(row)) for row in rows])


def _filled(rows: list[list[int]], pad_id: int) -> Tensor:
    return torch.tensor([row + [pad_id] * (_longest(rows) - len(row)) for row in rows])


def _left(rows: list[list[int]], fill: int, real: int | None = None) -> Tensor:
    inner = rows if real is None else [[real] * len(row) for row in rows]
    return torch.tensor([[fill] * (_longest(rows) - len(row)) + row for row in inner])


@exercise(
    cases=_pad_cases,
    hints=(
        "How long is the longest row? Every other gets as many pad_id at its end as it lacks.",
        "The mask has the shape of the ids: 1 for what was in the row, 0 for what was added.",
        "torch.tensor(list of equally long lists) makes the rectangle.",
    ),
    note="The mask comes from the lengths, not from the ids: the id of [PAD] may occur in a text.",
)
def pad(rows: list[list[int]], pad_id: int) -> tuple[Tensor, Tensor]:
    """Make a rectangle of rows of ids: (input_ids, attention_mask), both of shape (batch, longest row).

    Short rows are filled up at the end with `pad_id`; the mask is 1 for real tokens and 0 for padding.
    """
    longest = max(len(row) for row in rows)
    input_ids = [row + [pad_id] * (longest - len(row)) for row in rows]
    attention_mask = [[1] * len(row) + [0] * (longest - len(row)) for row in rows]
    return torch.tensor(input_ids), torch.tensor(attention_mask)


pad.mistake(
    "The mask is the wrong way round: 1 is for real tokens.",
    lambda rows, pad_id: (_filled(rows, pad_id), _masked(rows, real=0)),
)
pad.mistake(
    "The rows are filled up at the start; positions count from the first token, so fill up at the end.",
    lambda rows, pad_id: (_left(rows, pad_id), _left(rows, 0, real=1)),
)
pad.mistake(
    "The padding is always 0: use pad_id, which is another number in another vocabulary.",
    lambda rows, pad_id: (_filled(rows, 0), _masked(rows)),
)
pad.mistake(
    "The mask is made from the ids, so a real token with the id pad_id is masked: go by the lengths.",
    lambda rows, pad_id: (_filled(rows, pad_id), (_filled(rows, pad_id) != pad_id).long()),
)
pad.mistake(
    "The mask is 1 everywhere: the model would read the padding.",
    lambda rows, pad_id: (_filled(rows, pad_id), torch.ones_like(_filled(rows, pad_id))),
)
pad.mistake(
    "Only the ids are given: the mask is needed too, as (input_ids, attention_mask).",
    _filled,
)
pad.mistake(
    "The two are the wrong way round: input_ids come first, then attention_mask.",
    lambda rows, pad_id: (_masked(rows), _filled(rows, pad_id)),
)
