"""What a model answers after each of some restarts: a dot each, between one label and the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt

from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import describe_axes, entitle, write, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

__all__ = ["draw_restarts", "stacked"]

_WITHIN = 0.018
_BETWEEN = 1.6
"""From the highest dot of a row to the next row, where a dot is one high."""


def stacked(values: Sequence[float], within: float = _WITHIN) -> list[tuple[float, int]]:
    """Return each value and how many lie below it in its tower: a new one begins where the first is far away.

    >>> stacked([0.1, 0.5, 0.11], within=0.02)
    [(0.1, 0), (0.11, 1), (0.5, 0)]
    """
    placed: list[tuple[float, int]] = []
    start, height = 0.0, 0
    for value in sorted(values):
        if placed and value - start <= within:
            height += 1
        else:
            start, height = value, 0
        placed.append((value, height))
    return placed


def draw_restarts(rows: Mapping[str, Sequence[float]], *, title: str) -> Axes:
    """Draw a row of dots for each model: what it says after each restart, on the way from label 0 to label 1.

    Parameters
    ----------
    rows
        A name -> the probability of ``LABEL_1`` after each restart.
    title
        The finding, in a sentence.

    Returns
    -------
    Axes
        Dots that would hide each other stand in a tower.
    """
    towers = {name: stacked(values) for name, values in rows.items()}
    highest = {name: max((height for _, height in dots), default=0) + 1 for name, dots in towers.items()}
    top = sum(highest.values()) + _BETWEEN * len(rows)
    with style():
        _, ax = plt.subplots(figsize=(9.6, 0.16 * top + 1.4))
        ground, names, places = 0.0, list[str](), list[float]()
        for number, (name, dots) in enumerate(reversed(towers.items())):
            ax.axhline(ground, color="0.8", linewidth=1.2, zorder=1)
            look: dict[str, Any] = {
                "color": CYCLE[number % 2],
                "edgecolor": "white",
                "linewidth": 0.6,
                "zorder": 3,
            }
            ax.scatter([x for x, _ in dots], [ground + 0.5 + y for _, y in dots], s=70, **look)
            names, places = [*names, name], [*places, ground + highest[name] / 2]
            ground += highest[name] + _BETWEEN
        ax.axvline(0.5, color=INK, linewidth=1.2, linestyle="--", zorder=2)
        write(ax, 0.49, top - 0.4, "← LABEL_0", ha="right")
        write(ax, 0.51, top - 0.4, "LABEL_1 →", ha="left")
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.3, top + 0.4))
        write_ticks(ax.yaxis, places, names)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        describe_axes(ax, "probability of LABEL_1")
        entitle(ax, title)
    return ax
