"""Sums of a word's row and a place's: tip to tail, and on two axes at a right angle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import entitle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    Row = tuple[float, float]

__all__ = ["draw_shadows", "draw_sums"]


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


def draw_shadows(word: tuple[str, float], place: tuple[str, float], *, title: str) -> Axes:
    """Draw the sum of two rows at a right angle, and how far it reaches along each row's axis.

    A thin dashed line goes straight from the sum's tip to each axis; a band on the axis, from the start to
    where the line lands, is what can be read off there.

    Parameters
    ----------
    word, place
        The name and the length of each. The word's row lies along the level axis.
    title
        The finding, in a sentence.
    """
    (name, across), (seat, up) = word, place
    with style():
        _, ax = plt.subplots(figsize=(6.4, 3.9))
        for end, colour in (((across, 0.0), CYCLE[0]), ((0.0, up), CYCLE[1])):
            ax.axline((0.0, 0.0), end, color=colour, linewidth=0.8, zorder=1)
            ax.annotate("", end, (0.0, 0.0), arrowprops=_look(colour))
            ax.plot(*zip((across, up), end, strict=True), "--", color=colour, linewidth=1.0)
            ax.plot(
                *zip((0.0, 0.0), end, strict=True),
                color=colour,
                linewidth=14,
                alpha=0.3,
                solid_capstyle="butt",
            )
        ax.annotate("", (across, up), (0.0, 0.0), arrowprops=_look(INK))
        corner = 0.05 * max(across, up)
        for x, y in ((across - corner, 0.0), (0.0, up - corner)):
            ax.add_patch(Rectangle((x, y), corner, corner, fill=False, edgecolor=INK))
        for words, at, away, sides, colour in (
            (name, (across / 2, 0.0), (0, 9), ("center", "bottom"), CYCLE[0]),
            (seat, (0.0, up / 2), (11, 0), ("left", "center"), CYCLE[1]),
            (f"sum: {name} + {seat}", (across, up), (9, 0), ("left", "bottom"), INK),
            (f"how much {name}", (across / 2, 0.0), (0, -11), ("center", "top"), CYCLE[0]),
            (f"how much\n{seat}", (0.0, up / 2), (-13, 0), ("right", "center"), CYCLE[1]),
        ):
            look: dict[str, Any] = {
                "color": colour,
                "fontsize": 13,
                "ha": sides[0],
                "va": sides[1],
                "parse_math": False,
            }
            ax.annotate(words, at, away, textcoords="offset points", **look)
        ax.set(aspect="equal", xlim=(-0.35 * across, 1.75 * across), ylim=(-0.3 * up, 1.35 * up))
        ax.axis("off")
        entitle(ax, title)
    return ax


def _look(colour: str) -> dict[str, Any]:
    return {"arrowstyle": "-|>", "color": colour, "lw": 2.5, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 18}


def _numbers(row: Row) -> str:
    return f"({row[0]:g}, {row[1]:g})"


def _arrow(ax: Axes, start: Row, end: Row, name: str, colour: str) -> None:
    """Draw an arrow with its name: below or above one that is level, to the right of one that rises."""
    ax.annotate("", end, start, arrowprops=_look(colour))
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
