"""What one inner number tells apart: two facts as a square with four corners, and dots of two kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import CYCLE, SIGNED
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import entitle, headline, number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

__all__ = ["corners", "dots"]

_EDGE = 0.4
"""How far the paper goes beyond the square."""
_GREY = "#59636e"
_GAP = 0.024
"""Between the names of two dots, as a share of the axis."""


def corners(*, title: str = "") -> list[Axes]:
    """Draw thirsty + glass - 1 over the square of two facts, before and after it is cut off below 0.

    Parameters
    ----------
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        Before the cut and after it, of one figure; blue is below 0, orange above.
    """
    places = np.linspace(-_EDGE, 1 + _EDGE, 121)
    field = np.round(places[None, :] + places[:, None] - 1, 1)  # in steps: few colours, a small picture
    around = (-_EDGE, 1 + _EDGE, -_EDGE, 1 + _EDGE)
    lowest = {"inner number: thirsty + glass − 1": -np.inf, "after the cut: what is below 0 becomes 0": 0.0}
    with style():
        figure, grid = plt.subplots(1, 2, figsize=(9.4, 4.7), sharey=True)
        headline(figure, title)
        axes: list[Axes] = list(grid)
        for ax, (name, low) in zip(axes, lowest.items(), strict=True):
            ax.imshow(
                np.maximum(field, low), extent=around, origin="lower", cmap=SIGNED, vmin=-3, vmax=3,
                interpolation="nearest",
            )  # fmt: skip
            ax.plot([-_EDGE, 1 + _EDGE], [1 + _EDGE, -_EDGE], color=_GREY, lw=1.5, ls="--")
            ax.plot([0, 1, 1, 0, 0], [0, 0, 1, 1, 0], color=INK, lw=1)
            for thirsty in (0, 1):
                for glass in (0, 1):
                    value = max(thirsty + glass - 1, low)
                    _corner(ax, (thirsty, glass), value)
            ax.set_title(name, fontsize=12, fontweight="normal")
            ax.set_xticks([0, 1], ["0: no", "1: yes"])
            ax.set_yticks([0, 1], ["0: no", "1: yes"])
            ax.set_xlabel("was thirsty heard?")
        axes[0].set_ylabel("was glass heard?")
        axes[0].text(
            0.52, 0.52, "0 along this line", rotation=-45, rotation_mode="anchor", ha="center", va="bottom",
            fontsize=11,
        )  # fmt: skip
        axes[1].text(0.32, 0.3, "0 on all\nthis side", ha="center", va="center", fontsize=11)
    return axes


def _corner(ax: Axes, place: tuple[int, int], value: float) -> None:
    colour = "white" if value == 0 else CYCLE[1 if value > 0 else 0]
    ax.plot(*place, marker="o", ms=30, color=colour, markeredgecolor=INK, markeredgewidth=1.5)
    ink = INK if value == 0 else "white"
    ax.text(*place, number(value), ha="center", va="center", fontsize=14, fontweight="bold", color=ink)


def dots(kinds: Mapping[str, Mapping[str, float]], *, label: str = "", title: str = "") -> Axes:
    """Draw a dot for each word at its number, a row for each kind, every word named above its dot.

    0 is always in sight, with a line.

    Parameters
    ----------
    kinds
        For each kind its words, each with a number.
    label
        What the number is.
    title
        The finding, in a sentence.
    """
    every = [value for row in kinds.values() for value in row.values()]
    room = 0.12 * (max(every) - min(every) or 1)
    low, high = min(0, *every) - room, max(0, *every) + room
    with style():
        _, ax = plt.subplots(figsize=(9.4, 4.2))
        ax.set(xlim=(low, high), ylim=(len(kinds) - 0.75, -0.7), xlabel=label)
        for place, (row, colour) in enumerate(zip(kinds.values(), CYCLE[1::-1], strict=False)):
            words = sorted(row, key=lambda word: row[word])
            values = [row[word] for word in words]
            ax.plot(values, [place] * len(values), "o", ms=9, color=colour, alpha=0.75, ls="none")
            for word, value, at in zip(words, values, _spread(values, _GAP * (high - low)), strict=True):
                ax.plot([value, at], [place - 0.07, place - 0.2], color=_GREY, lw=0.8)
                ax.text(at, place - 0.22, word, rotation=90, ha="center", va="bottom", fontsize=12)
        ax.set_yticks(range(len(kinds)), [*kinds], fontsize=13)
        ax.axvline(0, color=INK, lw=0.8)
        ax.spines["left"].set_visible(False)
        ax.tick_params(axis="y", length=0)
        entitle(ax, title)
    return ax


def _spread(values: Sequence[float], gap: float) -> list[float]:
    """Move rising values as little as it takes to have them a gap apart."""
    wanted = np.asarray(values, float) - gap * np.arange(len(values))
    groups: list[list[float]] = []
    for value in wanted:  # neighbours that are too close share the mean of their places
        groups.append([float(value)])
        while len(groups) > 1 and np.mean(groups[-2]) > np.mean(groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
    means = [float(np.mean(group)) for group in groups for _ in group]
    return [mean + gap * order for order, mean in enumerate(means)]
