"""Steps of a training run along a line, by their logarithm."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["place", "steps_of_ten"]

_ZERO = 0.04  # where step 0 is drawn, which has no place on a scale of powers
_START, _END = 0.12, 0.97  # where the first step after it and the last one are drawn


def place(step: float, steps: Sequence[int]) -> float:
    """Return where a step is drawn, from left (0) to right (1): by its logarithm, with step 0 apart.

    >>> [round(place(step, [0, 10, 100, 1000]), 3) for step in (0, 10, 100, 1000)]
    [0.04, 0.12, 0.545, 0.97]
    """
    first = next((later for later in steps if later > 0), 1)
    if step < first:
        return _ZERO
    span = math.log(max(steps[-1], first) / first)
    return _START + (_END - _START) * (math.log(step / first) / span if span > 0 else 0)


def steps_of_ten(steps: Sequence[int]) -> list[int]:
    """Return the powers of ten among the steps, and 0 if it is a moment: the marks of the axis."""
    first, last = next((step for step in steps if step > 0), 1), steps[-1]
    powers = [10**k for k in range(12) if first <= 10**k <= last]
    return [*([0] if steps[0] == 0 else []), *powers]
