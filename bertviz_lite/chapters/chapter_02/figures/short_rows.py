"""How long the rows of a table are: those that are always found in their sums, and those that get lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.lettering import describe_axes, headline

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["draw_lengths"]


def draw_lengths(
    lengths: npt.ArrayLike, lost: npt.ArrayLike, *, bound: float = 1.5
) -> tuple[list[Axes], str]:
    """Draw two histograms of rows' lengths, one above the other: of rows never lost, and of the others.

    Parameters
    ----------
    lengths
        Of every row.
    lost
        Whether it is sometimes lost.
    bound
        The length that parts short rows from long ones in the finding.

    Returns
    -------
    tuple of list of Axes and str
        The two axes, and the finding that is written above them.
    """
    values, gone = np.asarray(lengths, dtype=np.float64), np.asarray(lost, dtype=bool)
    short = values < bound
    counts = [f"{gone[kind].sum():,} of {kind.sum():,}" for kind in (short, ~short)]
    finding = f"Lost: {counts[0]} rows shorter than {bound:g}, but {counts[1]} others"
    with style():
        figure, axes = plt.subplots(2, 1, figsize=(9.0, 3.8), sharex=True)
        for ax, kind, name, colour in zip(
            axes, (~gone, gone), ("never lost", "sometimes lost"), CYCLE, strict=False
        ):
            heights, edges = np.histogram(values[kind], bins=40, range=(0, max(values.max(), bound)))
            ax.stairs(heights, edges, fill=True, color=colour)
            ax.axvline(bound, color="0.4", linestyle=":", linewidth=1.2)
            ax.set(xlim=(0, edges[-1]), ylim=(0, 1.15 * max(1, heights.max())))
            ax.set_title(f"{name}: {kind.sum():,} rows", fontsize=12, fontweight="normal", loc="left")
            describe_axes(ax, up="rows")
        describe_axes(axes[1], "length of the row", "rows")
        headline(figure, finding)
    return list(axes), finding
