"""Exercises of chapter 10, pre-training: the learning rate, up and down."""

import math
from collections.abc import Callable

from bertviz_lite.exercises import Case, exercise


@exercise(
    cases=lambda: [
        Case(5, 0.004, 10, 110),
        Case(0, 0.004, 10, 110),
        Case(10, 0.004, 10, 110),
        Case(60, 0.004, 10, 110),
        Case(85, 0.004, 10, 110),
        Case(110, 0.004, 10, 110),
    ],
    hints=(
        "Two parts: for step < warmup a straight line up, after it a straight line down.",
        "How many steps are left, of how many after the warm-up?",
        "At the warm-up's end steps - warmup are left, all of them: the share is 1. At `steps` none is: 0.",
    ),
    note="The same numbers as those of get_linear_schedule_with_warmup, the schedule of the paper.",
)
def learning_rate(step: int, peak: float, warmup: int, steps: int) -> float:
    """Give the learning rate of a step, from 0: a line up to `peak` over `warmup` steps, then a line to 0.

    The second line reaches 0 at `steps`.
    """
    if step < warmup:
        return peak * step / warmup
    return peak * (steps - step) / (steps - warmup)


def _rate(after: Callable[[int, int, int], float], shift: int = 0) -> Callable[[int, float, int, int], float]:
    """Make an answer whose second part is `after(step, warmup, steps)`, times the peak."""

    def answer(step: int, peak: float, warmup: int, steps: int) -> float:
        return peak * (step + shift) / warmup if step < warmup else peak * after(step, warmup, steps)

    return answer


learning_rate.mistake(
    "The warm-up starts at 1/warmup; at step 0 the rate is 0.",
    _rate(lambda s, w, n: (n - s) / (n - w), shift=1),
)
learning_rate.mistake(
    "After the warm-up the rate stays at its peak; it falls along a line to 0.", _rate(lambda *_: 1.0)
)
learning_rate.mistake(
    "After the warm-up it falls along a cosine, as in this chapter's training; the paper's line is straight.",
    _rate(lambda s, w, n: (1 + math.cos(math.pi * (s - w) / (n - w))) / 2),
)
learning_rate.mistake(
    "The fall counts from step 0, so that it jumps where the warm-up ends: count from the warm-up's end.",
    _rate(lambda s, _, n: (n - s) / n),
)
learning_rate.mistake(
    "That is the share of the peak: multiply it by the peak.",
    lambda step, _, warmup, steps: learning_rate.reference(step, 1.0, warmup, steps),
)
learning_rate.mistake(
    "After the warm-up the rate goes on rising: it should be what is left of the way, not what is over.",
    _rate(lambda s, w, n: (s - w) / (n - w)),
)
learning_rate.mistake(
    "That is the fall without a warm-up: in the first steps the rate grows.",
    lambda step, peak, _, steps: peak * (steps - step) / steps,
)
