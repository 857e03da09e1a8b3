"""Exercises of chapter 09, the NSP head: the variant: two parts in the wrong order."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise


def _swap_cases() -> Iterator[Case]:
    yield Case(torch.tensor([2, 11, 12, 13, 3, 21, 22, 3]), torch.tensor([0, 0, 0, 0, 0, 1, 1, 1]))
    yield Case(torch.tensor([101, 7, 102, 8, 9, 10, 102]), torch.tensor([0, 0, 0, 1, 1, 1, 1]))
    yield Case(torch.tensor([2, 5, 3, 6, 3]), torch.tensor([0, 0, 0, 1, 1]))


@exercise(
    cases=_swap_cases,
    hints=(
        "The part A with its [SEP] is input_ids[1:n], where n positions are in segment 0.",
        "[CLS] stays first; after it B with its [SEP], then A with its [SEP].",
        "Segment 0 now is as long as [CLS] and B with its [SEP].",
    ),
    note="With label 1 for such a pair, this is the task that ALBERT is trained on in place of NSP.",
)
def swap_parts(input_ids: Tensor, token_type_ids: Tensor) -> tuple[Tensor, Tensor]:
    """Build the variant: turn [CLS] A [SEP] B [SEP] into [CLS] B [SEP] A [SEP], with the segments that fit.

    Both are (seq_len,), without padding; the result is (input_ids, token_type_ids).
    """
    first = int((token_type_ids == 0).sum())
    swapped = torch.cat([input_ids[:1], input_ids[first:], input_ids[1:first]])
    segments = torch.zeros_like(token_type_ids)
    segments[len(input_ids) - first + 1 :] = 1
    return swapped, segments


def _swapped(ids: Tensor, first: int) -> Tensor:
    return torch.cat([ids[:1], ids[first:], ids[1:first]])


swap_parts.mistake(
    "The segments are those from before: segment 0 must now be as long as [CLS] and B with its [SEP].",
    lambda ids, types: (_swapped(ids, int((types == 0).sum())), types),
)
swap_parts.mistake(
    "The segments went along with their texts: now B is in segment 1 and is first. Segment 0 is the "
    "part that is first.",
    lambda ids, types: (_swapped(ids, int((types == 0).sum())), _swapped(types, int((types == 0).sum()))),
)
swap_parts.mistake(
    "[CLS] went along with A; it stays at the start.",
    lambda ids, types: (
        torch.cat([ids[types == 1], ids[types == 0]]),
        torch.cat([types[types == 1] * 0, types[types == 0] * 0 + 1]),
    ),
)
swap_parts.mistake(
    "The texts are right; the segments are 1 - token_type_ids. The first part is segment 0, and it is as "
    "long as [CLS] and B with its [SEP].",
    lambda ids, types: (_swapped(ids, int((types == 0).sum())), 1 - types),
)
swap_parts.mistake(
    "[CLS] went along with A, and the segments with their texts: [CLS] stays at the start, and the first "
    "part is segment 0.",
    lambda ids, types: (
        torch.cat([ids[types == 1], ids[types == 0]]), torch.cat([types[types == 1], types[types == 0]])
    ),
)  # fmt: skip
swap_parts.mistake(
    "Segment 0 is one too short: [CLS] belongs to it as well.",
    lambda ids, types: (
        _swapped(ids, int((types == 0).sum())),
        (torch.arange(len(ids)) >= int((types == 1).sum())).long(),
    ),
)
