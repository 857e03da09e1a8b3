"""Two vectors beside each other: their cosine, and whether all of their numbers are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["compare"]


def compare(one: npt.ArrayLike, other: npt.ArrayLike) -> str:
    """Write the cosine of two vectors, and whether they are the same in every number.

    >>> print(compare([1, 0], [0, 2]))
    cosine: 0.00
    the very same numbers: False
    """
    first, second = (np.asarray(row, dtype=np.float64) for row in (one, other))
    cosine = float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))
    return f"cosine: {cosine:.2f}\nthe very same numbers: {np.array_equal(first, second)}"
