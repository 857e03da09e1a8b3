"""Sums of two rows, drawn tip to tail: a word's arrow, then a place's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import entitle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    Row = tuple[float, float]

__all__ = ["draw_sums"]


def draw_sums(words: Mapping[str, Row], places: Mapping[str, Row], *, title: str) -> Axes:
    """Draw the sum of each word's row and a place's: two arrows, the second from the tip of the first.

    Parameters
    ----------
    words
        By its name, the row of each word, of two numbers.
    places
        By its name, the row that is added to each word's, in the same order.
    title
        The finding, in a sentence.
    """
    with style():
        _, ax = plt.subplots(figsize=(6.4, 3.9))
        sums = {}
        for (word, row), (place, more) in zip(words.items(), places.items(), strict=True):
            total = (row[0] + more[0], row[1] + more[1])
            _arrow(ax, (0.0, 0.0), row, f"{word} {_numbers(row)}", CYCLE[0])
            _arrow(ax, row, total, f"+ {place} {_numbers(more)}", CYCLE[1])
            sums[total] = f"sum {_numbers(total)}"
        for total, name in sums.items():
            ax.plot(*total, "o", color=INK, markersize=9, zorder=3)
            ax.annotate(
                name, total, (8, 8), textcoords="offset points", color=INK, fontweight="bold", fontsize=13
            )
        right, top = (max(total[axis] for total in sums) for axis in (0, 1))
        ax.set(aspect="equal", xlim=(-0.3, right + 1.3), ylim=(-0.35, top + 0.5))
        ax.set(xticks=range(int(right) + 2), yticks=range(int(top) + 1))
        entitle(ax, title)
    return ax


def _numbers(row: Row) -> str:
    return f"({row[0]:g}, {row[1]:g})"


def _arrow(ax: Axes, start: Row, end: Row, name: str, colour: str) -> None:
    """Draw an arrow with its name: below or above one that is level, to the right of one that rises."""
    look = {"arrowstyle": "-|>", "color": colour, "lw": 2.5, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 18}
    ax.annotate("", end, start, arrowprops=look)
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    level = start[1] == end[1]
    upright = start[0] == end[0]
    place = (0, -8 if end[1] == 0 else 8) if level else (10, 0) if upright else (-10, 4)
    ax.annotate(
        name,
        middle,
        place,
        textcoords="offset points",
        ha="center" if level else "left" if upright else "right",
        va=("top" if end[1] == 0 else "bottom") if level else "center",
        color=colour,
        fontsize=12,
    )
