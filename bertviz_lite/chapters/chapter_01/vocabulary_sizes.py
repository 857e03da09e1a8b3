"""What a larger vocabulary saves: in all, and for each of the entries that it has more."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.lettering import describe_axes, headline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

__all__ = ["draw_sizes"]


def draw_sizes(sizes: Sequence[int], rates: Sequence[float], *, title: str) -> list[Axes]:
    """Draw tokens per word over the sizes of vocabularies, and what 100 entries more save from size to size.

    Parameters
    ----------
    sizes
        Entries of each vocabulary.
    rates
        Tokens per word with each.
    title
        The finding, in a sentence.
    """
    saved = [
        100 * (less - more) / (size - smaller)
        for (smaller, size), (less, more) in zip(pairwise(sizes), pairwise(rates), strict=True)
    ]
    with style():
        figure, axes = plt.subplots(1, 2, figsize=(9.0, 3.9))
        axes[0].plot(sizes, rates, marker="o", color=CYCLE[0])
        axes[1].stairs(saved, sizes, fill=True, color=CYCLE[1])
        for ax, values in zip(axes, (rates, saved), strict=True):
            ax.set_ylim(0, 1.08 * max(values))
            ax.set_xlim(0, 1.05 * max(sizes))
        describe_axes(axes[0], "entries of the vocabulary", "tokens per word")
        describe_axes(axes[1], "entries of the vocabulary", "tokens per word saved\nby 100 more entries")
        headline(figure, title)
        figure.canvas.draw_idle()
    return list(axes)
