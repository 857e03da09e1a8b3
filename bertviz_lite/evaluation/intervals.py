"""How sure is a counted share? Its 95 % interval, for 43 right of 50 as for 430 of 500.

Left out: shares of examples that hang together, as several words of one text do (the bootstrap of
``similarity`` and ``task_scores`` is for them).
"""

from __future__ import annotations

import math


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
