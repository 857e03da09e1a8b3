"""Exercises of chapter 09, pre-training: the learning rate, up and down."""

import math
from collections.abc import Callable

from bertviz_lite.exercises import Case, exercise, question


@question(
    hints=(
        "In the warm-up the rate grows by the same amount in every step, from 0 at step 0.",
        "After 15 of 60 steps it is at 15/60 of its peak.",
    ),
    note="At step 0 it is 0: the first step of all changes nothing.",
)
def rate_in_warmup() -> float:
    """Give the learning rate at step 15 (steps count from 0), where 60 steps of warm-up lead to 0.004."""
    return 0.004 * 15 / 60


rate_in_warmup.mistake("That is the peak; at step 15 the warm-up is not over.", 0.004)
rate_in_warmup.mistake("Steps count from 0, and step 0 has the rate 0: no 1 is added.", 0.004 * 16 / 60)
rate_in_warmup.mistake("That is the share of the warm-up that is over; multiply it by the peak.", 0.25)


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
        "Two parts: for step < warmup a straight line, after it half a wave of the cosine.",
        "After the warm-up, progress runs from 0 to 1: (step - warmup) / (steps - warmup).",
        "cos(0) is 1 and cos(π) is -1, so (1 + cos(π · progress)) / 2 runs from 1 to 0.",
    ),
    note="The same numbers as those of get_cosine_schedule_with_warmup.",
)
def learning_rate(step: int, peak: float, warmup: int, steps: int) -> float:
    """Give the learning rate of a step, from 0: a line up to `peak` over `warmup` steps, then a cosine to 0.

    The cosine reaches 0 at `steps`.
    """
    if step < warmup:
        return peak * step / warmup
    progress = (step - warmup) / (steps - warmup)
    return peak * (1 + math.cos(math.pi * progress)) / 2


def _rate(after: Callable[[int, int, int], float], shift: int = 0) -> Callable[[int, float, int, int], float]:
    """Make an answer whose second part is `after(step, warmup, steps)`, times the peak."""

    def answer(step: int, peak: float, warmup: int, steps: int) -> float:
        return peak * (step + shift) / warmup if step < warmup else peak * after(step, warmup, steps)

    return answer


learning_rate.mistake(
    "The warm-up starts at 1/warmup; at step 0 the rate is 0.",
    _rate(lambda s, w, n: (1 + math.cos(math.pi * (s - w) / (n - w))) / 2, shift=1),
)
learning_rate.mistake(
    "After the warm-up the rate stays at its peak; it falls along a cosine.", _rate(lambda *_: 1.0)
)
learning_rate.mistake(
    "After the warm-up it falls along a straight line, as BERT's did in 2018; here it is a cosine.",
    _rate(lambda s, w, n: (n - s) / (n - w)),
)
learning_rate.mistake(
    "The cosine counts from step 0, so that it jumps where the warm-up ends: count from the warm-up's end.",
    _rate(lambda s, _, n: (1 + math.cos(math.pi * s / n)) / 2),
)
learning_rate.mistake(
    "That is the share of the peak: multiply it by the peak.",
    lambda step, _, warmup, steps: learning_rate.reference(step, 1.0, warmup, steps),
)
learning_rate.mistake(
    "The cosine alone falls to -1: add 1 and halve it.",
    _rate(lambda s, w, n: math.cos(math.pi * (s - w) / (n - w))),
)
learning_rate.mistake(
    "That is the cosine without a warm-up: in the first steps the rate grows.",
    lambda step, peak, _, steps: peak * (1 + math.cos(math.pi * step / steps)) / 2,
)
learning_rate.mistake(
    "That is a quarter of a wave: it must run to cos(π), not to cos(π/2).",
    _rate(lambda s, w, n: math.cos(math.pi / 2 * (s - w) / (n - w))),
)
