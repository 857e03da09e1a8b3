"""Exercises of chapter 10, pre-training: a limit for the norm of all gradients."""

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _clip_cases() -> Iterator[Case]:
    yield Case([torch.tensor([3.0, 0.0], dtype=torch.float64), torch.tensor([[4.0]]).double()], 1.0)
    yield Case([torch.tensor([0.3, 0.0], dtype=torch.float64), torch.tensor([[0.4]]).double()], 1.0)
    yield Case([normal(3, seed=1), 5 * normal(2, 2, seed=2), normal(4, seed=3)], 2.0)


@exercise(
    cases=_clip_cases,
    hints=(
        "The norm is that of all numbers of all gradients together: the root of the sum of all squares.",
        "Where it is above `most`, every gradient is multiplied by the same factor, most / norm.",
        "Where it is not, nothing changes: the factor is min(1, most / norm).",
    ),
    note="All gradients keep their direction; torch adds 1e-6 to the norm, which changes next to nothing.",
    call=lambda answer, gradients, most: _flat(answer(gradients, most)),
)
def clipped(gradients: list[Tensor], most: float) -> list[Tensor]:
    """Shorten gradients, all by one factor, so that their norm, taken of all together, is at most `most`."""
    norm = math.sqrt(sum(float((gradient**2).sum()) for gradient in gradients))
    factor = min(1.0, most / norm)
    return [factor * gradient for gradient in gradients]


def _flat(answer: object) -> object:
    """Join the gradients of an answer to one row, so that they can be compared."""
    if (
        isinstance(answer, list | tuple)
        and answer
        and all(isinstance(gradient, Tensor) for gradient in answer)
    ):
        return torch.cat([gradient.flatten() for gradient in answer])
    return answer


def _norm(gradients: list[Tensor]) -> float:
    return math.sqrt(sum(float((gradient**2).sum()) for gradient in gradients))


clipped.mistake(
    "Each gradient is clipped by its own norm; the norm is taken of all together.",
    lambda gradients, most: [gradient * min(1.0, most / float(gradient.norm())) for gradient in gradients],
)
clipped.mistake(
    "Each number is clipped by itself, which changes the direction; all are multiplied by one factor.",
    lambda gradients, most: [gradient.clamp(-most, most) for gradient in gradients],
)
clipped.mistake(
    "Short gradients are made longer; only what is above `most` changes.",
    lambda gradients, most: [gradient * most / _norm(gradients) for gradient in gradients],
)
clipped.mistake(
    "The root is missing: that is divided by the sum of squares.",
    lambda gradients, most: [gradient * min(1.0, most / _norm(gradients) ** 2) for gradient in gradients],
)
clipped.mistake(
    "The norms of the gradients are added up; it is the root of the sum of all squares.",
    lambda gradients, most: [
        gradient * min(1.0, most / sum(float(other.norm()) for other in gradients)) for gradient in gradients
    ],
)
clipped.mistake(
    "They are divided by the norm, whatever `most` is.",
    lambda gradients, _most: [gradient / max(1.0, _norm(gradients)) for gradient in gradients],
)
