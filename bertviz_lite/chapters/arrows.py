"""Vectors of two numbers as arrows with their names, in figures of several chapters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.plots.lettering import HALO

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

    Floats = npt.NDArray[np.float64]

__all__ = ["draw_arrow"]

_SLANT = 0.3
"""Below this share of its length an arrow counts as level, or as upright."""


def draw_arrow(ax: Axes, vector: Floats, name: str, colour: str, share: float = 1.0) -> None:
    """Draw an arrow from the origin, its name beyond the tip, beside the axes; the zero vector is a dot.

    `share` of 1, and not below 0, makes it as thick as an arrow gets.
    """
    length = float(np.hypot(*vector))
    away = vector / length if length else np.array([1.0, -1.0])
    if length:
        look = {"color": colour, "lw": 1.0 + 2.5 * share, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 16}
        ax.annotate("", xy=tuple(vector), xytext=(0, 0), arrowprops={"arrowstyle": "-|>", **look})
    else:
        ax.plot(0, 0, "o", color=colour, markersize=6)
    ax.annotate(
        name,
        xy=tuple(vector),
        xytext=tuple(6 * away + 4 * (np.abs(away) < _SLANT)),  # off the axis that the arrow runs along
        textcoords="offset points",
        ha="left" if away[0] > -_SLANT else "right",
        va="bottom" if away[1] > -_SLANT else "top",
        color=colour,
        fontsize=12,
        path_effects=HALO,
    )
