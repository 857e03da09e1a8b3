"""What can still be read from a word and a position in fewer and fewer numbers, added or end to end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
from matplotlib.ticker import PercentFormatter

from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.lettering import describe_axes, entitle, legend

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

__all__ = ["draw_crowded"]


def draw_crowded(sizes: Sequence[int], series: Mapping[str, Sequence[float]], *, title: str) -> Axes:
    """Draw a line for each series: words blue, positions orange; added solid, end to end dashed.

    Parameters
    ----------
    sizes
        How many numbers there are in all.
    series
        The shares that are read right, by a name such as "word, added" or "position, end to end".
    title
        The finding, in a sentence.
    """
    with style():
        _, ax = plt.subplots(figsize=(9.0, 4.2))
        for name, shares in series.items():
            part, way = name.split(", ")
            look: dict[str, Any] = {
                "color": CYCLE[part == "position"],
                "linestyle": "-" if way == "added" else "--",
            }
            ax.plot(sizes, shares, marker="o", markersize=5, linewidth=2, label=name, **look)
        ax.set_xscale("log", base=2)
        ax.set_xticks(sizes, [str(size) for size in sizes], minor=False)
        ax.set_ylim(0, 1.05)
        ax.yaxis.set_major_formatter(PercentFormatter(1.0))
        describe_axes(ax, "numbers in all (logarithmic)", "read right")
        legend(ax)
        entitle(ax, title)
    return ax
