"""Positions turned onto the directions of the words, how many those are, and what a probe reads then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

__all__ = ["as_table", "cosine_apart", "directions_for", "turned_onto"]


def cosine_apart(words: npt.ArrayLike, seats: npt.ArrayLike) -> float:
    """Return the typical cosine of two tables' rows, with the mean row of each taken off.

    The mean is the same in every sum, so it tells no word and no seat from another.

    >>> cosine_apart([[3, 1], [3, -1]], [[5, 2], [5, 4]])
    1.0
    """
    units = []
    for given in (words, seats):
        rows = np.asarray(given, dtype=np.float64)
        rows = rows - rows.mean(axis=0)
        units.append(rows / np.linalg.norm(rows, axis=1, keepdims=True))
    return float(np.sqrt(((units[0] @ units[1].T) ** 2).mean()))


def turned_onto(seats: npt.ArrayLike, words: npt.ArrayLike) -> Floats:
    """Turn a table as a whole, so that the directions in which it varies most are those of another.

    The lengths and angles within the table stay, once its mean is taken off; the mean stays where it is. The
    seats must not be more than the words.
    """
    rows, other = (np.asarray(given, dtype=np.float64) for given in (seats, words))
    mean = rows.mean(axis=0)
    left, sizes, _ = np.linalg.svd(rows - mean, full_matrices=False)
    _, _, directions = np.linalg.svd(other - other.mean(axis=0), full_matrices=False)
    return np.asarray(mean + (left * sizes) @ directions[: len(sizes)], dtype=np.float64)


def as_table(right: Mapping[str, Mapping[str, float]], cosines: Mapping[str, float]) -> str:
    """Write what was read right of each part, a way to join them a line, and the cosines that are known."""
    width = max(len(way) for way in right)
    parts = list(next(iter(right.values())))
    lines = [f"{'':{width}}  cosine" + "".join(f"{part:>10}" for part in parts)]
    for way, shares in right.items():
        cosine = f"{cosines[way]:.2f}" if way in cosines else ""
        lines.append(f"{way:{width}}{cosine:>8}" + "".join(f"{shares[part]:10.0%}" for part in parts))
    return "\n".join(lines)


def directions_for(rows: npt.ArrayLike, share: float = 0.9) -> int:
    """Return the least number of directions that hold a share of the variance of a table's rows.

    Parameters
    ----------
    rows
        Shape (rows, size).
    share
        From 0 to 1.

    Examples
    --------
    >>> directions_for([[4, 0, 0], [-4, 0, 0], [0, 1, 0], [0, -1, 0]]), directions_for([[1, 0], [0, 1]])
    (1, 1)
    """
    table = np.asarray(rows, dtype=np.float64)
    variances = np.linalg.svd(table - table.mean(axis=0), compute_uv=False) ** 2
    held = variances.cumsum() / variances.sum()
    return int((held < share).sum()) + 1
