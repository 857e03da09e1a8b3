"""Which events are near each other, in each of two languages: two tables of cosines, and their pairs."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.heat_maps import draw_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray
    from torch import Tensor

__all__ = ["by_topic", "draw_tables"]

_MOST = 0.3
"""Where the colours end: few means of two topics are larger."""

_COLOURS = 21
"""So few that the palette of a small PNG holds them all."""


def by_topic(table: Tensor, topics: Sequence[str]) -> NDArray[np.float64]:
    """Return the mean cosine of the events of two topics, without any event's cosine with itself.

    Parameters
    ----------
    table
        Shape (n, n).
    topics
        What each of the n events is about; those of a topic stand together.

    Returns
    -------
    ndarray of float64, shape (topics, topics)
    """
    cosines = table.numpy().copy()
    np.fill_diagonal(cosines, np.nan)  # an event with itself: 1, and no finding
    sizes = [len(list(those)) for _, those in groupby(topics)]
    bounds = np.cumsum(sizes)[:-1]
    return np.array(
        [
            [np.nanmean(part) for part in np.split(rows, bounds, axis=1)]
            for rows in np.split(cosines, bounds, axis=0)
        ]
    )


def draw_tables(
    near: Mapping[str, Tensor],
    topics: Sequence[str],
    *,
    title: str,
    named: Mapping[tuple[int, int], str],
) -> list[Axes]:
    """Draw topics by topics for each of two languages, then a dot for each pair of events.

    Parameters
    ----------
    near
        For each language its table, as `likeness` returns it: (n, n), with the events in the same order.
    topics
        What each of the n events is about; those of a topic stand together.
    title
        The finding, in a sentence.
    named
        What is written beside the dots of some pairs of events.

    Returns
    -------
    list of Axes
        The two squares of means, by topic; then the dots, the first language across.
    """
    names = [topic for topic, _ in groupby(topics)]
    with style():
        figure, axes = plt.subplots(1, 3, figsize=(11.8, 4.9), layout="constrained")
        for number, (ax, (language, table)) in enumerate(zip(axes, near.items(), strict=False)):
            image = draw_cells(ax, by_topic(table, topics), _MOST, signed=True)
            image.set_cmap(image.get_cmap().resampled(_COLOURS))
            lettering.write_ticks(ax.yaxis, range(len(names)), names if number == 0 else [""] * len(names))
            lettering.write_ticks(ax.xaxis, range(len(names)), names, rotation=90)
            lettering.bare(ax)
            ax.set_title(language, fontsize=13)
        bar: dict[str, Any] = {
            "label": "mean cosine",
            "shrink": 0.6,
            "aspect": 30,
            "extend": "both",
            "ticks": [-_MOST, 0, _MOST],
            "location": "bottom",
        }
        figure.colorbar(image, ax=list(axes[:2]), **bar)
        _draw_pairs(axes[2], near, named)
        lettering.headline(figure, title)
    return list(axes)


def _draw_pairs(ax: Axes, near: Mapping[str, Tensor], named: Mapping[tuple[int, int], str]) -> None:
    """Draw a dot for each pair of events, and the straight line that fits them best."""
    tables = [table.numpy() for table in near.values()]
    above = np.triu_indices(len(tables[0]), k=1)
    across, up = (table[above] for table in tables)
    ax.scatter(across, up, s=14, color=CYCLE[0], alpha=0.45, linewidths=0)
    slope, start = np.polyfit(across, up, 1)
    ends = np.array([across.min(), across.max()])
    ax.plot(ends, start + slope * ends, color=CYCLE[1], linewidth=2.5)
    middle = (across.min() + across.max()) / 2
    for pair, name in named.items():
        x, y = (float(table[pair]) for table in tables)
        ax.scatter([x], [y], s=110, facecolor="none", edgecolor=INK, linewidth=2.0)
        # towards the middle, where there is room
        side: dict[str, Any] = {"ha": "right" if x > middle else "left", "va": "bottom", "fontsize": 11}
        side["path_effects"] = lettering.HALO
        ax.annotate(name, (x, y), (-7 if x > middle else 7, 7), textcoords="offset points", **side)
    for line in (ax.axhline, ax.axvline):
        line(0, color="0.75", linewidth=1, zorder=0)
    lettering.describe_axes(ax, *(f"cosine in {language}" for language in near))
    ax.set_box_aspect(1)
