"""Which events are near each other, in each of two languages: two tables of cosines, and their pairs."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle

from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.heat_maps import draw_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from torch import Tensor

__all__ = ["draw_tables"]

_MOST = 0.6
"""Where the colours end: few cosines of two events are larger."""

_RING: dict[str, Any] = {"facecolor": "none", "edgecolor": INK, "linewidth": 2.0}


def draw_tables(
    near: Mapping[str, Tensor], topics: Sequence[str], *, title: str, ringed: tuple[int, int]
) -> list[Axes]:
    """Draw a square of cosines for each of two languages, then a dot for each pair of events.

    Parameters
    ----------
    near
        For each language its table, as `likeness` returns it: (n, n), with the events in the same order.
    topics
        What each of the n events is about; those of a topic stand together.
    title
        The finding, in a sentence.
    ringed
        Two events: their pair has a ring in both squares and around its dot.

    Returns
    -------
    list of Axes
        The two squares, where lines part the topics; then the dots, the first language across.
    """
    sizes = [(topic, len(list(those))) for topic, those in groupby(topics)]
    ends = np.cumsum([0, *(size for _, size in sizes)]) - 0.5
    middles = ((ends[1:] + ends[:-1]) / 2).tolist()
    with style():
        figure, axes = plt.subplots(1, 3, figsize=(11.8, 4.9), layout="constrained")
        for number, (ax, (language, table)) in enumerate(zip(axes, near.items(), strict=False)):
            cosines = table.numpy().copy()
            np.fill_diagonal(cosines, np.nan)  # an event with itself: 1, and no finding
            ax.set_facecolor("0.75")
            image = draw_cells(ax, cosines, _MOST, signed=True)
            for end in ends[1:-1]:
                for line in (ax.axhline, ax.axvline):
                    line(end, color=INK, linewidth=0.6)
            ax.add_patch(Circle((max(ringed), min(ringed)), 1.5, clip_on=False, **_RING))
            names = [topic if number == 0 else "" for topic, _ in sizes]
            lettering.write_ticks(ax.yaxis, middles, names)
            lettering.write_ticks(ax.xaxis, [], [])
            lettering.bare(ax)
            ax.set_xlabel(language, fontsize=13)
        bar: dict[str, Any] = {
            "label": "cosine",
            "shrink": 0.6,
            "aspect": 30,
            "extend": "both",
            "ticks": [-_MOST, 0, _MOST],
            "location": "bottom",
        }
        figure.colorbar(image, ax=list(axes[:2]), **bar)
        _draw_pairs(axes[2], near, ringed)
        lettering.headline(figure, title)
    return list(axes)


def _draw_pairs(ax: Axes, near: Mapping[str, Tensor], ringed: tuple[int, int]) -> None:
    """Draw a dot for each pair of events, and the straight line that fits them best."""
    tables = [table.numpy() for table in near.values()]
    above = np.triu_indices(len(tables[0]), k=1)
    across, up = (table[above] for table in tables)
    ax.scatter(across, up, s=14, color=CYCLE[0], alpha=0.45, linewidths=0)
    slope, start = np.polyfit(across, up, 1)
    ends = np.array([across.min(), across.max()])
    ax.plot(ends, start + slope * ends, color=CYCLE[1], linewidth=2.5)
    ring_across, ring_up = ([table[ringed]] for table in tables)
    ax.scatter(ring_across, ring_up, s=170, **_RING)
    for line in (ax.axhline, ax.axvline):
        line(0, color="0.75", linewidth=1, zorder=0)
    lettering.describe_axes(ax, *(f"cosine in {language}" for language in near))
    ax.set_box_aspect(1)
