"""How far chance may move a share of right answers, and whether two shares are further apart than that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["around", "set_apart"]


def around(share: float, count: int) -> tuple[float, float]:
    """Return a share of `count` answers less and plus two standard errors, within 0 and 1.

    >>> around(0.5, 100)
    (0.4, 0.6)
    """
    error = (share * (1 - share) / count) ** 0.5
    return max(0.0, share - 2 * error), min(1.0, share + 2 * error)


def set_apart(some: Sequence[bool], others: Sequence[bool]) -> str:
    """Say how far two shares of right answers to the same questions are apart, and whether that's chance.

    The answers are compared one by one: the error is that of the mean difference.
    """
    difference = np.asarray(some, dtype=float) - np.asarray(others, dtype=float)
    points, error = 100 * abs(difference.mean()), 100 * difference.std() / len(difference) ** 0.5
    verdict = "too close to tell" if points <= 2 * error else "more than chance"
    return f"{points:.0f} points apart, ± {2 * error:.0f}: {verdict}"
