"""A random source that gives the same draws on every machine and supported Python.

Only ``Random.random`` is used: its sequence for a seed is the one promise that the standard library makes
across versions (``choice``, ``shuffle`` and ``sample`` have changed before).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Seeded draws.

    >>> Dice("7/0").pick("abc") == Dice("7/0").pick("abc")
    True
    """

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed).random

    def below(self, n: int) -> int:
        """Return a whole number from 0 to ``n - 1``."""
        return int(self.random() * n)

    def chance(self, share: float) -> bool:
        """Return True in ``share`` of all calls."""
        return self.random() < share

    def pick(self, items: Sequence[T]) -> T:
        """Return one of ``items``."""
        return items[int(self.random() * len(items))]

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """Return ``k`` different items in random order."""
        rest = list(items)
        return [rest.pop(int(self.random() * len(rest))) for _ in range(k)]
