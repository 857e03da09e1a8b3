"""Exercises of chapter 10, pre-training: the gradients of three knobs, by hand."""

import math
from collections.abc import Callable

from bertviz_lite.exercises import Case, exercise

Answer = Callable[[float, float, float, float], list[float]]


@exercise(
    cases=lambda: [
        Case(2.0, 0.5, 0.0, -1.5),
        Case(1.0, 1.0, -0.5, 2.0),
        Case(-1.0, 0.8, 0.3, -0.7),
        Case(0.0, 0.4, 0.25, 1.2),
    ],
    hints=(
        "At w2 · h the gradient is p now, not p - 1: the loss falls as w2 · h falls.",
        "From there: times h for w2; times w2, then times 1 - h², to come before tanh.",
        "What is brought before tanh is b's gradient; times x, it is that of w1.",
    ),
    note="b's slope is 1, so it keeps what was brought: that's why a bias needs no input.",
)
def gradients(x: float, w1: float, b: float, w2: float) -> list[float]:
    """Give the gradients of L = -ln(1 - p) for w1, b and w2, in this order.

    h = tanh(w1 · x + b), and p = σ(w2 · h) is the probability of *was*; but the text says *were*.
    """
    h = math.tanh(w1 * x + b)
    p = 1 / (1 + math.exp(-w2 * h))
    before_tanh = p * w2 * (1 - h**2)
    return [before_tanh * x, before_tanh, p * h]


def _back(
    *,
    start: Callable[[float], float] = lambda p: p,
    slope: Callable[[float], float] = lambda h: 1 - h**2,
    times_w2: bool = True,
    order: tuple[int, int, int] = (0, 1, 2),
    bias: Callable[[float, float], float] = lambda brought, _: brought,
) -> Answer:
    """Make an answer with a mistake."""

    def answer(x: float, w1: float, b: float, w2: float) -> list[float]:
        h = math.tanh(w1 * x + b)
        at = start(1 / (1 + math.exp(-w2 * h)))
        brought = at * (w2 if times_w2 else 1.0) * slope(h)
        found = [brought * x, bias(brought, x), at * h]
        return [found[k] for k in order]

    return answer


gradients.mistake("p - 1 is for a text that says *was*; this one says *were*.", _back(start=lambda p: p - 1))
gradients.mistake("These go the other way: the gradient points uphill.", _back(start=lambda p: -p))
gradients.mistake("The slope of tanh is missing: 1 - h².", _back(slope=lambda _: 1.0))
gradients.mistake("The slope of tanh is 1 - h², not 1 - h.", _back(slope=lambda h: 1 - h))
gradients.mistake("On its way to h the gradient is multiplied by w2.", _back(times_w2=False))
gradients.mistake("The order is w1, b, w2.", _back(order=(2, 1, 0)))
gradients.mistake("b isn't multiplied by x, so its slope is 1.", _back(bias=lambda brought, x: brought * x))
