"""How many parameters do BERT's relatives have? Bars of two parts, with their sum at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.lettering import describe_axes, entitle, legend, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

__all__ = ["stacked"]

_MILLION = 1e6
_ROOM = 0.1
"""A part gets its number where it is at least so much of the longest bar; else behind the sum."""


def stacked(counts: Mapping[str, tuple[int, int]], *, title: str = "") -> Axes:
    """Draw a bar for each model: its word embedding, and on its right all else.

    Parameters
    ----------
    counts
        For each model the parameters of its word embedding, and all others.
    title
        The finding, in a sentence.
    """
    longest = max(map(sum, counts.values())) / _MILLION
    with style():
        _, ax = plt.subplots(figsize=(8.0, 4.2))
        begins = [0.0] * len(counts)
        for part, name in enumerate(("word embedding", "all else")):
            sizes = [count[part] / _MILLION for count in counts.values()]
            drawn = ax.barh(range(len(counts)), sizes, left=begins, height=0.7, color=CYCLE[part], label=name)
            long = [min(count) / _MILLION >= _ROOM * longest for count in counts.values()]
            written = [f"{size:.0f}" if room else "" for size, room in zip(sizes, long, strict=True)]
            ax.bar_label(drawn, written, label_type="center", color="white", fontsize=11)
            begins = [begin + size for begin, size in zip(begins, sizes, strict=True)]
        for row, (total, parts) in enumerate(zip(begins, counts.values(), strict=True)):
            short = min(parts) / _MILLION < _ROOM * longest
            place = {"textcoords": "offset points", "va": "center", "fontsize": 12, "fontweight": "bold"}
            behind = f" = {parts[0] / _MILLION:.0f} + {parts[1] / _MILLION:.0f}" if short else ""
            ax.annotate(f"{total:.0f}{behind}", (total, row), (6, 0), **place)  # type: ignore[arg-type]
        write_ticks(ax.yaxis, range(len(counts)), list(counts))
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
        ax.margins(x=0.12)
        describe_axes(ax, "millions of parameters, each number rounded")
        legend(ax)
        entitle(ax, title)
    return ax
