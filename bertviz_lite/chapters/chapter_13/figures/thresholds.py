"""How many pairs of texts lie above each threshold? A curve for each relation, with its name beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import draw_lines
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import HALO, describe_axes, entitle

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["draw"]

_PLACES = {"same topic": (0.35, "right"), "same meaning": (0.85, "left")}
"""How high on its curve a name stands, as a share of the pairs, and on which side; else halfway, right."""


def draw(cuts: npt.ArrayLike, passed: Mapping[str, npt.ArrayLike], *, marked: float, title: str = "") -> Axes:
    """Draw how many pairs pass, over the threshold.

    Parameters
    ----------
    cuts
        Thresholds, ascending, (n,).
    passed
        For each relation how many of its pairs lie above each threshold, (n,).
    marked
        The threshold that gets an upright line and a name.
    title
        The finding, in a sentence.
    """
    across = np.asarray(cuts, float)
    rows = {name: np.asarray(row, float) for name, row in passed.items()}
    most = max(row.max() for row in rows.values())
    with style():
        _, ax = plt.subplots(figsize=(8.0, 4.4))
        draw_lines(ax, across, list(rows.values()), list(rows))
        for line, (name, row) in zip(ax.lines, rows.items(), strict=True):
            share, side = _PLACES.get(name, (0.5, "left"))
            place = across[int((row >= share * most).sum()) - 1], share * most
            look: dict[str, Any] = {"color": line.get_color(), "fontsize": 12, "path_effects": HALO}
            apart = (14 if side == "left" else -8, 0)
            ax.annotate(name, place, apart, textcoords="offset points", ha=side, va="center", **look)
        ax.plot([marked] * 2, [0, 1.06 * most], color=INK, linestyle=":", linewidth=1.5)
        ax.text(marked, 1.07 * most, f"threshold {marked:g}", ha="center", va="bottom", fontsize=12)
        ax.set(xlim=(across[0], across[-1] + 0.12), ylim=(0, 1.16 * most))
        ax.set_yticks(np.linspace(0, most, 5))
        describe_axes(ax, "threshold", f"pairs above it, of {most:g}")
        entitle(ax, title)
    return ax
