"""How far chance may move a share of right answers."""

from __future__ import annotations

__all__ = ["around"]


def around(share: float, count: int) -> tuple[float, float]:
    """Return a share of `count` answers less and plus two standard errors, within 0 and 1.

    >>> around(0.5, 100)
    (0.4, 0.6)
    """
    error = (share * (1 - share) / count) ** 0.5
    return max(0.0, share - 2 * error), min(1.0, share + 2 * error)
