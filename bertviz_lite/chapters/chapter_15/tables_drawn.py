"""Which events are near each other, in each of two languages: two tables of cosines, side by side."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.heat_maps import draw_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from torch import Tensor

__all__ = ["draw_tables"]

_MOST = 0.6
"""Where the colours end: few cosines of two events are larger."""


def draw_tables(near: Mapping[str, Tensor], topics: Sequence[str], *, title: str) -> list[Axes]:
    """Draw a square of cosines for each language, with the events in the same order.

    Parameters
    ----------
    near
        For each language its table, as `likeness` returns it: (n, n).
    topics
        What each of the n events is about; those of a topic stand together.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One for each language; lines part the topics.
    """
    sizes = [(topic, len(list(those))) for topic, those in groupby(topics)]
    ends = np.cumsum([0, *(size for _, size in sizes)]) - 0.5
    middles = ((ends[1:] + ends[:-1]) / 2).tolist()
    with style():
        figure, axes = plt.subplots(1, len(near), figsize=(9.6, 4.6), layout="constrained")
        for number, (ax, (language, table)) in enumerate(zip(axes, near.items(), strict=True)):
            cosines = table.numpy().copy()
            np.fill_diagonal(cosines, np.nan)  # an event with itself: 1, and no finding
            ax.set_facecolor("0.75")
            image = draw_cells(ax, cosines, _MOST, signed=True)
            for end in ends[1:-1]:
                for line in (ax.axhline, ax.axvline):
                    line(end, color=INK, linewidth=0.6)
            names = [topic if number == 0 else "" for topic, _ in sizes]
            lettering.write_ticks(ax.yaxis, middles, names)
            lettering.write_ticks(ax.xaxis, [], [])
            lettering.bare(ax)
            ax.set_xlabel(language, fontsize=13)
        bar: dict[str, Any] = {
            "label": "cosine",
            "shrink": 0.75,
            "extend": "both",
            "ticks": [-_MOST, -0.3, 0, 0.3, _MOST],
        }
        figure.colorbar(image, ax=axes, **bar)
        lettering.headline(figure, title)
    return list(axes)
