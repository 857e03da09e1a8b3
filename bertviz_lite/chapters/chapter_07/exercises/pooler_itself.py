"""The pooler of BERT: what it makes possible, and its gradient."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal


def _corners() -> Iterator[Case]:
    for corner in ([1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]):
        h = torch.tensor(corner, dtype=torch.float64)
        yield Case(h, label="h = ({:g}, {:g})".format(*corner))


def _head_says(answer: Callable[[], object], h: Tensor) -> object:
    """Send h through the pooler of an answer, and let the head speak: yes or no."""
    weights: Any = answer()
    if weights is None or weights is ...:
        return weights
    if not isinstance(weights, tuple | list) or len(weights) != 2:
        raise TypeError("return two things, W and b")
    if ... in (*weights, *weights[0], *weights[1]):
        raise NotImplementedError
    weight, bias = (torch.as_tensor(part, dtype=torch.float64) for part in weights)
    shapes = tuple(weight.shape), tuple(bias.shape)
    if shapes != ((2, 2), (2,)):
        raise ValueError("W must be (2, 2) and b (2,); yours are {} and {}".format(*shapes))
    p = torch.tanh(weight @ h + bias)
    return "yes" if p[0] - p[1] + 1 > 0 else "no"


@exercise(
    cases=_corners,
    call=_head_says,
    hints=(
        "Add up the two numbers of each h. Which sums get a yes, which a no?",
        "So let both rows of W see the sum, say twice: [[2, 2], [2, 2]]. Now W h is 4, 0 or -4.",
        "The head says no only where p_0 is near -1 and p_1 near 1. Let b do that for 0, not for 4 or -4.",
    ),
    note="tanh made two switches of two sums; b says where each of them flips.",
)
def two_switches() -> tuple[list[list[int]], list[int]]:
    """Give W and b of a pooler after which a linear head can say whether h has two equal numbers.

    The four h are (1, 1), (-1, -1), (1, -1), (-1, 1); the head says yes where p_0 - p_1 + 1 is above 0.
    """
    weight = [[2, 2], [2, 2]]  # W h is twice the sum of h, in both places: 4, -4, 0, 0
    bias = [-2, 2]  # so p_0 flips between 0 and 4, p_1 between -4 and 0
    return weight, bias  # at 0, p is near (-1, 1): no; else both are near 1, or near -1: yes


two_switches.mistake(
    "(-1, 1) gets its no, (1, -1) doesn't: your W h tells them apart, though both are unequal.",
    lambda: ([[1, 0], [0, 1]], [0, 0]),
)
two_switches.mistake(
    "(1, -1) gets its no, (-1, 1) doesn't: your W h tells them apart, though both are unequal.",
    lambda: ([[-1, 0], [0, -1]], [0, 0]),
)
two_switches.mistake(
    "All four get a yes: nowhere is p_0 below p_1 by more than 1. Let b shift them apart.",
    lambda: ([[2, 2], [2, 2]], [0, 0]),
)
two_switches.mistake(
    "All four get a no: b outweighs W h, so p_0 and p_1 are the same whatever h is.",
    lambda: ([[0.1, 0.1], [0.1, 0.1]], [-3, 3]),
)
two_switches.mistake(
    "(-1, -1) still gets a no: for it, p_0 and p_1 should be near the same number.",
    lambda: ([[2, 2], [2, 2]], [-2, 6]),
)
two_switches.mistake(
    "(1, 1) still gets a no: for it, p_0 and p_1 should be near the same number.",
    lambda: ([[2, 2], [2, 2]], [-6, 2]),
)
two_switches.mistake(
    "That's the reverse: yes where the numbers differ. Your W subtracts them, so for equal ones it gives 0.",
    lambda: ([[2, -2], [2, -2]], [-2, 2]),
)


def _tanh_cases() -> Iterator[Case]:
    pooled = torch.tensor([0.0, 0.5, -0.5, 0.9, 0.999], dtype=torch.float64)
    yield Case(torch.ones(5, dtype=torch.float64), pooled)
    label = "numbers of shape (2, 4), pooled between -1 and 1"
    yield Case(normal(2, 4), torch.tanh(normal(2, 4, seed=1)), label=label)


@exercise(
    cases=_tanh_cases,
    hints=(
        "The slope of tanh at x is 1 - tanh(x)². What is tanh(x) here?",
        "`pooled` is tanh(x) already. Chain rule: what arrives, times the slope.",
    ),
    note="Where pooled is 0.999, two thousandths of the gradient are left.",
)
def through_tanh(gradient: Tensor, pooled: Tensor) -> Tensor:
    """Send a gradient back through tanh: from the pooled vector to what the linear map has given.

    `gradient` is that of the loss with respect to `pooled`, which is what tanh has given; of equal shape.
    """
    return gradient * (1 - pooled**2)


through_tanh.mistake(
    "tanh is applied once more: `pooled` is what tanh has given already.",
    lambda gradient, pooled: gradient * (1 - torch.tanh(pooled) ** 2),
)
through_tanh.mistake(
    "That is the slope alone: multiply it by the gradient that arrives.", lambda _, pooled: 1 - pooled**2
)
through_tanh.mistake("The square is missing.", lambda gradient, pooled: gradient * (1 - pooled))
through_tanh.mistake(
    "That is the slope of the sigmoid, p (1 - p).", lambda gradient, pooled: gradient * pooled * (1 - pooled)
)
through_tanh.mistake(
    "That multiplies by tanh itself; multiply by its slope.", lambda gradient, pooled: gradient * pooled
)
