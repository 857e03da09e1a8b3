"""Exercises of chapter 12, the whole BERT: the first tensor that differs."""

from collections.abc import Callable, Iterator
from functools import partial

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise


def _runs() -> Iterator[Case]:
    def numbers(*values: float) -> Tensor:
        return torch.tensor(values, dtype=torch.float64)

    same = [numbers(1, 2), numbers(3, 4), numbers(5, 6)]
    yield Case(same, [numbers(1, 2), numbers(3, 4.5), numbers(7, 6)], 0.1, label="tensor 1 is off by 0.5")
    yield Case(
        same, [numbers(1, 2), numbers(2, 4), numbers(5, 6)], 0.1, label="tensor 1 is off by 1, downwards"
    )
    yield Case(
        same, [numbers(1, 2.01), numbers(3, 4), numbers(5, 6)], 0.1, label="off by 0.01, tolerance 0.1"
    )
    yield Case(
        [*same, numbers(*[0] * 9, 1)], [*same, numbers(*[0] * 10)], 0.5, label="one of ten numbers off by 1"
    )
    nan = [numbers(1, 2), numbers(float("nan"), 4), numbers(5, 6)]
    yield Case(nan, same, 0.1, label="tensor 1 holds a NaN")


@exercise(
    cases=_runs,
    hints=(
        "Go through both lists together. Of two tensors, the largest absolute difference counts.",
        "NaN is not above any number, and not below: test `not largest <= tolerance`.",
    ),
    note="This is what `compare` does, with names.",
)
def first_wrong(ours: list[Tensor], theirs: list[Tensor], tolerance: float) -> int:
    """Find where (from 0) two lists of tensors first differ by more than `tolerance`; -1 if nowhere.

    A tensor with NaN in it differs from anything.
    """
    for place, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        largest = (our - their).abs().max()
        if not largest <= tolerance:
            return place
    return -1


def _first(
    ours: list[Tensor],
    theirs: list[Tensor],
    tolerance: float,
    *,
    differ: Callable[[Tensor, float], object] = lambda gap, tolerance: not gap.abs().max() <= tolerance,
) -> int:
    gaps = [our - their for our, their in zip(ours, theirs, strict=True)]
    wrong = [place for place, gap in enumerate(gaps) if differ(gap, tolerance)]
    return wrong[0] if wrong else -1


first_wrong.mistake(
    "NaN is taken for equal: it is not above the tolerance, but not below either.",
    partial(_first, differ=lambda gap, tolerance: gap.abs().max() > tolerance),
)
first_wrong.mistake(
    "Differences of one sign are not seen: take the absolute value.",
    partial(_first, differ=lambda gap, tolerance: gap.max() > tolerance),
)
first_wrong.mistake(
    "It takes the mean difference, in which one wrong number among many is lost: take the largest.",
    partial(_first, differ=lambda gap, tolerance: not gap.abs().mean() <= tolerance),
)
first_wrong.mistake(
    "The tolerance is not used: any difference counts.",
    partial(_first, differ=lambda gap, _: gap.abs().max() != 0),
)
first_wrong.mistake("Places are counted from 1; count from 0.", lambda *arguments: _first(*arguments) + 1)
