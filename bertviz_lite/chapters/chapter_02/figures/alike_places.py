"""Which positions have similar rows: their cosines as a map, and how many resemble a near one most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite import plots
from bertviz_lite.plots.lettering import describe_axes

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["draw_alike", "most_alike"]


def most_alike(rows: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return for each position the other one whose row has the largest cosine with its own.

    >>> most_alike([[1, 0], [0, 1], [1, 0.2]]).tolist()
    [2, 2, 0]
    """
    cosines = _cosines(rows)
    np.fill_diagonal(cosines, -np.inf)
    likest: npt.NDArray[np.int64] = cosines.argmax(axis=1)
    return likest


def _cosines(rows: npt.ArrayLike) -> npt.NDArray[np.float64]:
    vectors = np.asarray(rows, dtype=np.float64)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines: npt.NDArray[np.float64] = unit @ unit.T
    return cosines


def draw_alike(rows: npt.ArrayLike, *, near: int = 3) -> tuple[Axes, int, str]:
    """Draw the cosine of every position with every other.

    Returns
    -------
    tuple of Axes, int and str
        The axes; how many positions resemble one most that is up to `near` away; and the finding that is
        their title.
    """
    likest = most_alike(rows)
    close = int((np.abs(likest - np.arange(len(likest))) <= near).sum())
    what = "An orange band" if close > len(likest) / 2 else "No band"
    if close > len(likest) / 2 and (_cosines(rows) > 0).all():
        what = "All orange, the band deepest"
    finding = f"{what}: {close} of {len(likest)} places resemble a near one most (up to {near} away)"
    ax = plots.similarity_map(rows, title=finding)
    describe_axes(ax, "position", "position")
    return ax, close, finding
