"""How sure is a counted share? Its 95 % interval, for 43 right of 50 as for 430 of 500.

Left out: shares of examples that hang together, as several words of one text do (the bootstrap of
``similarity`` and ``task_scores`` is for them).
"""

from __future__ import annotations

import math

import numpy as np


def interval(count: int, n: int) -> tuple[float, float]:
    """Give the 95 % interval of a share, `count` of `n`.

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
    if not 0 <= count <= n or n == 0:
        raise ValueError(f"count={count}, n={n}: give 0 <= count <= n, and n of 1 or more.")
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
    if share <= 0.0 or share >= 1.0:
        certain = count if share >= 1.0 else 0
        return certain, certain
    hits = np.arange(count)
    steps = np.log((count - hits) / (hits + 1)) + math.log(share / (1 - share))
    below = np.exp(np.concatenate([[0.0], np.cumsum(steps)]) + count * math.log1p(-share)).cumsum()
    tail = (1 - level) / 2
    low, high = np.searchsorted(below, [tail, 1 - tail], side="right")
    return int(low), int(min(high, count))
