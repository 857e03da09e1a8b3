"""Exercises of chapter 09, the NSP head: whether the head prefers the true continuation."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _preference_cases() -> Iterator[Case]:
    yield Case(
        torch.tensor([3.0, 1.0, -2.0, 4.0], dtype=torch.float64),
        torch.tensor([1.0, 2.0, -5.0, -1.0], dtype=torch.float64),
    )
    yield Case(torch.tensor([1.0, 2.0]).double(), torch.tensor([1.0, 3.0]).double())
    yield Case(normal(40, seed=3) + 1, normal(40, seed=4), label="40 pairs of log-odds")
    yield Case(normal(50, seed=5), 0.5 * normal(50, seed=6) - 1, label="50 pairs of log-odds, most below 0")


@exercise(
    cases=_preference_cases,
    hints=(
        "For each A compare two numbers: true[i] and false[i].",
        "Comparisons give True and False; their mean, as numbers, is the share.",
        "A tie is worth half, as guessing is: (true > false) plus half of (true == false).",
    ),
    note="It needs no threshold: a head that says yes to everything can still prefer the true B.",
)
def prefers_true(true: Tensor, false: Tensor) -> Tensor:
    """Give the share of As for which the true B gets more log-odds than the false one; a tie counts half.

    Both are (pairs,): the log-odds with the true B and with the false B of the same A.
    """
    return (true > false).double().mean() + (true == false).double().mean() / 2


prefers_true.mistake("A tie counts half; here it counts nothing.", lambda t, f: (t > f).double().mean())
prefers_true.mistake("A tie counts half; here it counts in full.", lambda t, f: (t >= f).double().mean())
prefers_true.mistake(
    "This is the share for which the false B gets more.",
    lambda t, f: (f > t).double().mean() + (t == f).double().mean() / 2,
)
prefers_true.mistake(
    "This is the accuracy with 0 as a threshold; compare the two of each A instead.",
    lambda t, f: ((t > 0).double().mean() + (f <= 0).double().mean()) / 2,
)
prefers_true.mistake(
    "Every true pair is compared with every false one; compare those of the same A.",
    lambda t, f: (t[:, None] > f[None]).double().mean() + (t[:, None] == f[None]).double().mean() / 2,
)
prefers_true.mistake("This is an answer for each A; give the share of them, one number.", lambda t, f: t > f)
prefers_true.mistake(
    "True and False have no mean: make numbers of them first, with .double().", lambda t, f: (t > f).mean()
)
