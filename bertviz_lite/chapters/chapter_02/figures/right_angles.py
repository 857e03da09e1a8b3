"""How near random vectors are to a right angle: their cosines as histograms, by their size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.lettering import headline, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["draw_cosines"]


def draw_cosines(
    cosines: Mapping[int, npt.ArrayLike],
    *,
    title: str,
    outlined: tuple[str, npt.ArrayLike] | None = None,
) -> list[Axes]:
    """Draw a histogram of cosines from −1 to 1 for each size of vectors, beside each other.

    Parameters
    ----------
    cosines
        By how many numbers the vectors have, their cosines.
    title
        The finding, in a sentence.
    outlined
        A name and other cosines, drawn as an outline over the last histogram.
    """
    with style():
        figure, grid = plt.subplots(1, len(cosines), figsize=(9.0, 2.7), squeeze=False)
        axes: list[Axes] = list(grid[0])
        for ax, (size, values) in zip(axes, cosines.items(), strict=True):
            shares, edges = _shares(values)
            ax.stairs(shares, edges, fill=True, color=CYCLE[0])
            ax.axvline(0, color="0.4", linestyle=":", linewidth=1)
            ax.set(xlim=(-1, 1), yticks=[], xlabel="cosine")
            write_ticks(ax.xaxis, [-1, 0, 1], ["−1", "0: right angle", "1"])
            ax.spines["left"].set_visible(False)
            ax.set_title(f"{size} numbers", fontsize=12, fontweight="normal", loc="center")
        if outlined is not None:
            shares, edges = _shares(outlined[1])
            axes[-1].stairs(shares, edges, color=CYCLE[1], linewidth=2)
            axes[-1].text(
                *(0.97, 0.9, outlined[0]),
                transform=axes[-1].transAxes,
                ha="right",
                va="top",
                color=CYCLE[1],
                fontsize=12,
                fontweight="bold",
            )
        headline(figure, title)
    return axes


def _shares(cosines: npt.ArrayLike) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    counts, edges = np.histogram(np.ravel(cosines), bins=40, range=(-1, 1))
    return counts / counts.sum(), edges
