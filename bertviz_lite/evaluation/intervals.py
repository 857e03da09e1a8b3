"""How sure is a measured share? Intervals that hold it in 95 of 100 cases.

``interval`` (Wilson's) is for counts of independent answers: 43 right of 50, or 430 of 500.
``bootstrap_interval`` is for the mean of any numbers, such as differences of two methods.
``binomial_interval`` goes the other way: from a known share to the counts that it leads to.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from bertviz_lite.basics.arguments import ArgumentError, a_or_an, share as checked_share, shown, whole_number


def interval(count: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share, `count` of `n`.

    Source: Wilson, 1927, "Probable inference, the law of succession, and statistical inference".

    Raises
    ------
    ValueError
        Where there is nothing to count, or more is counted than there is.

    Examples
    --------
    >>> [round(bound, 3) for bound in interval(9, 10)]
    [0.596, 0.982]
    """
    for name, value in {"count": count, "n": n}.items():
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
            raise ArgumentError(f"{name}={shown(value)}: a number is needed, not {a_or_an(value)}.")
    if not 0 <= count <= n or n == 0:
        raise ArgumentError(f"count={count}, n={n}: give 0 <= count <= n, and n of 1 or more.")
    z = 1.959963984540054
    middle = (count + z * z / 2) / (n + z * z)
    half = z * math.sqrt(count * (n - count) / n + z * z / 4) / (n + z * z)
    return max(0.0, middle - half), min(1.0, middle + half)


def binomial_interval(count: int, share: float, level: float = 0.95) -> tuple[int, int]:
    """Return the range in which the hits of ``count`` independent tries lie, each a hit with ``share``.

    Central: fewer hits than the first number, and more than the second, have a probability of at most
    ``(1 - level) / 2`` each.

    Parameters
    ----------
    count
        Number of tries.
    share
        Probability of a hit, from 0 to 1.
    level
        Probability of the range, above 0 and below 1.

    Examples
    --------
    >>> binomial_interval(100, 0.15)
    (8, 22)
    """
    count, share = whole_number("count", count, least=0), checked_share("share", share)
    if not 0 < level < 1:
        raise ArgumentError(f"level={level}: a probability above 0 and below 1 is needed.")
    if share <= 0.0 or share >= 1.0:
        certain = count if share >= 1.0 else 0
        return certain, certain
    hits = np.arange(count)
    steps = np.log((count - hits) / (hits + 1)) + math.log(share / (1 - share))
    below = np.exp(np.concatenate([[0.0], np.cumsum(steps)]) + count * math.log1p(-share)).cumsum()
    tail = (1 - level) / 2
    low, high = np.searchsorted(below, [tail, 1 - tail], side="right")
    return int(low), int(min(high, count))


def bootstrap_interval(values: ArrayLike, rounds: int = 2_000) -> tuple[float, float]:
    """Return the interval that holds the mean of ``values`` in 95 of 100 bootstrap samples.

    Each sample draws as many values as there are, with replacement: as if the test were made anew. Give the
    difference of two methods' hits to compare the methods on the same questions.

    Source: Efron, 1979, "Bootstrap methods: another look at the jackknife" (percentile interval).

    Raises
    ------
    ValueError
        Where there is no value, or one of them is not a number.

    Examples
    --------
    >>> bootstrap_interval([1, 0, 1, 1] * 50)
    (0.69, 0.81)
    """
    try:
        given = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(f"values={shown(values)}: give one or more numbers, (n,), all finite.") from None
    if given.ndim != 1 or len(given) == 0 or not np.isfinite(given).all():
        raise ArgumentError(f"values has shape {given.shape}: give one or more numbers, (n,), all finite.")
    draws = np.random.default_rng(0).integers(0, len(given), (rounds, len(given)))
    low, high = np.quantile(given[draws].mean(axis=1), (0.025, 0.975))
    return float(low), float(high)
