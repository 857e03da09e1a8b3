"""Exercises of chapter 10, pre-training: one step of AdamW."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _adamw_cases() -> Iterator[Case]:
    zero = torch.zeros(2, dtype=torch.float64)
    yield Case(torch.tensor([1.0, -2.0]).double(), torch.tensor([0.5, 4.0]).double(), zero, zero, 1, 0.1, 0.0)
    yield Case(torch.tensor([1.0, -2.0]).double(), zero, zero, zero, 1, 0.1, 0.1)
    tiny = torch.tensor([1e-6, -2e-7]).double()  # as small as these, eps and its place are seen
    yield Case(torch.tensor([1.0, -2.0]).double(), tiny, zero, zero, 1, 0.1, 0.0)
    first, second = 0.1 * normal(3, seed=4), 0.01 * normal(3, seed=5) ** 2
    yield Case(
        normal(3, seed=6), normal(3, seed=7), first, second, 5, 0.01, 0.1, label="step 5 of three weights"
    )


_FIRST, _SECOND, _EPS = 0.9, 0.98, 1e-8


@exercise(
    cases=_adamw_cases,
    hints=(
        "mean = 0.9 · mean + 0.1 · gradient; square = 0.98 · square + 0.02 · gradient².",
        "Both start at 0, so early they are too small: divide by 1 - 0.9**step and by 1 - 0.98**step.",
        "The weight first loses rate · decay of itself, then rate · mean / (√square + 1e-8).",
    ),
    note="The weight decay never passes through the division by √square: that is the W in AdamW.",
)
def adamw(
    weight: Tensor, gradient: Tensor, mean: Tensor, square: Tensor, step: int, rate: float, decay: float
) -> Tensor:
    """Give the weights after step `step` (from 1) of AdamW with betas 0.9 and 0.98 and eps 1e-8.

    `mean` and `square` are the running means of the gradient and of its square, as they were before.
    """
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.98 * square + 0.02 * gradient**2
    mean_hat = mean / (1 - 0.9**step)
    square_hat = square / (1 - 0.98**step)
    return weight - rate * decay * weight - rate * mean_hat / (square_hat.sqrt() + 1e-8)


def _adam(
    *,
    betas: tuple[float, float] = (_FIRST, _SECOND),
    corrected_by: tuple[float, float] = (_FIRST, _SECOND),
    late: int = 0,
    root: bool = True,
    inside: float = 0.0,
    decayed: str = "by rate",
) -> Callable[..., Tensor]:
    """Make AdamW, or a version of it with a mistake."""
    first, second = betas

    def answer(w: Tensor, g: Tensor, m: Tensor, s: Tensor, step: int, rate: float, decay: float) -> Tensor:
        if decayed == "in the gradient":
            g = g + decay * w
        m, s = first * m + (1 - first) * g, second * s + (1 - second) * g**2
        m, s = (mean / (1 - beta ** (step + late)) for mean, beta in zip((m, s), corrected_by, strict=True))
        change = rate * m / (((s + inside).sqrt() if root else s) + (0.0 if inside else _EPS))
        return w - {"by rate": rate * decay, "without rate": decay}.get(decayed, 0.0) * w - change

    return answer


adamw.mistake(
    "The weight decay went into the gradient, and so through the division: that is Adam with an L2 term.",
    _adam(decayed="in the gradient"),
)
adamw.mistake("The weight decay is missing.", _adam(decayed="not at all"))
adamw.mistake("The weight decay is not multiplied by the learning rate.", _adam(decayed="without rate"))
adamw.mistake(
    "The two means are not corrected for their start at 0: divide by 1 - 0.9**step, 1 - 0.98**step.",
    _adam(corrected_by=(0.0, 0.0)),
)
adamw.mistake("`step` counts from 1 already: divide by 1 - 0.9**step and 1 - 0.98**step.", _adam(late=1))
adamw.mistake(
    "The shares are swapped: 0.9 and 0.98 are what stays of the old means.",
    _adam(betas=(1 - _FIRST, 1 - _SECOND)),
)
adamw.mistake(
    "β₂ is 0.999, the library's default; take 0.98, in the mean of the squares and in its correction.",
    _adam(betas=(_FIRST, 0.999), corrected_by=(_FIRST, 0.999)),
)
adamw.mistake("The root of the mean square is missing.", _adam(root=False))
adamw.mistake("eps is added under the root; add it to the root.", _adam(inside=_EPS))
adamw.mistake(
    "That is the change of the weights; give the weights after it.",
    lambda w, *rest: _adam()(w, *rest) - w,
)
