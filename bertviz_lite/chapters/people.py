"""People and what they say, drawn for the stories from life that chapters tell before a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.patches import Circle, FancyBboxPatch, Wedge

from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import headline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

__all__ = ["draw_box", "draw_person", "fit_line", "scenes"]

_GREY = "#59636e"


def scenes(
    names: Sequence[str],
    *,
    figsize: tuple[float, float],
    xlim: tuple[float, float],
    ylim: tuple[float, float],
    title: str,
) -> list[Axes]:
    """Return empty scenes side by side, each with its name above; one unit of the axes is about an inch."""
    with style():
        figure, axes = plt.subplots(1, len(names), figsize=figsize)
        headline(figure, title)
    for ax, name in zip(axes, names, strict=True):
        ax.set(xlim=xlim, ylim=ylim, aspect="equal")
        ax.axis("off")
        ax.set_title(name, fontsize=12, fontweight="normal")
    return list(axes)


def draw_person(ax: Axes, x: float, y: float, name: str) -> None:
    """Draw a head and shoulders, with a name below; one unit of the axes is an inch."""
    ax.add_patch(Circle((x, y + 0.22), 0.14, color=_GREY, lw=0))
    ax.add_patch(Wedge((x, y - 0.18), 0.25, 0, 180, color=_GREY, lw=0))
    ax.text(x, y - 0.36, name, ha="center", va="center", fontsize=11, color=INK)


def draw_box(ax: Axes, middle: tuple[float, float], words: str, colour: str, *, width: float) -> None:
    """Write words into a box with a coloured edge, as high as they need."""
    x, y = middle
    height = 0.30 + 0.24 * (words.count("\n") + 1)
    corner = (x - width / 2, y - height / 2)
    edge = "round,pad=0,rounding_size=0.1"
    box = FancyBboxPatch(corner, width, height, edge, facecolor="white", edgecolor=colour, lw=2, zorder=2)
    ax.add_patch(box)
    ax.text(x, y, words, ha="center", va="center", fontsize=11, color=INK, zorder=3)


def fit_line(
    ax: Axes, start: tuple[float, float], end: tuple[float, float], colour: str, *, fit: float
) -> None:
    """Draw a line, the thicker and darker the better two things fit (0 to 1)."""
    (x, y), (to_x, to_y) = start, end
    ax.plot([x, to_x], [y, to_y], color=colour, lw=1.0 + 8.0 * fit, alpha=0.35 + 0.55 * fit, zorder=1)
