"""Scores turned into weights."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _softmax_cases() -> Iterator[Case]:
    yield Case(torch.tensor([0.0, math.log(3.0)], dtype=torch.float64))
    yield Case(torch.tensor([[2.0, 1.0, 0.0], [1.0, 1.0, 4.0]], dtype=torch.float64))
    yield Case(3 * normal(2, 4, 5), label="random scores of shape (2, 4, 5)")
    yield Case(torch.tensor([[1000.0, 1001.0, 999.0], [0.0, 1.0, 2.0]], dtype=torch.float64))


@exercise(
    cases=_softmax_cases,
    hints=(
        "exp() of every score, then divide each by the sum of its own row; keepdim=True keeps the axis.",
        "exp(1000) is infinite. Scores that are all smaller by the same number give the same weights.",
        "So subtract the largest score of the row first: scores - scores.amax(dim=-1, keepdim=True).",
    ),
    note="The same numbers as torch.softmax gives, large scores too.",
)
def softmax_row(scores: Tensor) -> Tensor:
    """Turn scores into weights along the last axis, without torch.softmax: the shape stays the same."""
    shares = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    return shares / shares.sum(dim=-1, keepdim=True)


softmax_row.forbid(
    "softmax",
    "log_softmax",
    feedback="The numbers are right, but torch's own softmax has made them: build them from exp() and sum().",
)
softmax_row.mistake(
    "exp() of a large score is infinite: subtract the largest of the row first, the weights stay the same.",
    lambda scores: scores.exp() / scores.exp().sum(dim=-1, keepdim=True),
)
softmax_row.mistake(
    "The largest of the whole tensor is subtracted: far below it every exp() is 0. Take each row's own.",
    lambda x: (x - x.max()).exp() / (x - x.max()).exp().sum(dim=-1, keepdim=True),
)
softmax_row.mistake(
    "The weights of the whole tensor sum to one; those of each row should.",
    lambda scores: (scores - scores.max()).exp() / (scores - scores.max()).exp().sum(),
)
softmax_row.mistake(
    "exp() is missing: these are shares of the scores.", lambda x: x / x.sum(-1, keepdim=True)
)
softmax_row.mistake(
    "exp() is there, but nothing divides by the sum of the row.",
    lambda scores: (scores - scores.amax(dim=-1, keepdim=True)).exp(),
)
softmax_row.mistake(
    "This runs along the first axis; a row runs along the last.", lambda scores: scores.softmax(dim=0)
)
