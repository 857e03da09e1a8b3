"""After which layer is a sense told right? Drawn beside a rule that never looks at the word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.evaluation.intervals import bootstrap_interval, interval
from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import describe_axes, entitle, write, write_ticks
from bertviz_lite.plots.point_names import apart

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["draw", "fall"]

_ROOM = 0.055
"""How far apart two names are written, at least, as a share."""


def fall(
    hits: Mapping[str, npt.NDArray[np.floating]], which: npt.NDArray[np.bool_]
) -> npt.NDArray[np.floating]:
    """Say for each sentence how much the last layer is below the mean of the layers before it.

    Parameters
    ----------
    hits
        For the baseline first, then for the input and each layer: how right it is about each sentence.
    which
        The sentences that are asked for.
    """
    _, _, *layers = hits.values()
    earlier = np.mean([layer[which] for layer in layers[:-1]], axis=0)
    difference: npt.NDArray[np.floating] = earlier - layers[-1][which]
    return difference


def draw(
    hits: Mapping[str, npt.NDArray[np.floating]], crossed: npt.NDArray[np.bool_], *, title: str
) -> list[Axes]:
    """Draw the share right over the layers, matched and crossed; below, how far the last one falls.

    Parameters
    ----------
    hits
        For the baseline first, then for the input and each layer: how right it is about each sentence.
    crossed
        Which sentences are crossed.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        The upper panel: each kind of sentence in one colour, its baseline dashed in the same; chance, and the
        mean of the crossed sentences before the last layer; a 95 % interval at each layer of the crossed. The
        lower one, in points: how far the last layer is below that mean, `fall`, with its 95 % interval.
    """
    baseline, *heights = hits
    places = range(len(heights))
    last = places[-1]
    ends: dict[str, tuple[float, str]] = {}
    with style():
        _, (ax, below) = plt.subplots(2, 1, figsize=(8.8, 5.6), height_ratios=[7, 1])
        for (name, which), colour in zip(
            {"matched": ~crossed, "crossed": crossed}.items(), CYCLE, strict=False
        ):
            shares = [hits[height][which].mean() for height in heights]
            rival = hits[baseline][which].mean()
            ax.plot(places, shares, "o-", color=colour, linewidth=2.5, zorder=3)
            ax.plot((0, last), [rival] * 2, "--", color=colour, linewidth=1.8)
            ends |= {name: (shares[-1], colour), f"{name}, {baseline}": (rival, colour)}
        low = 0.0
        for place, height in enumerate(heights[1:], start=1):
            of_it = hits[height][crossed]
            low, high = interval(round(of_it.sum()), len(of_it))
            ax.vlines(place, low, high, color=CYCLE[1], linewidth=6, alpha=0.25)
        write(ax, last + 0.22, low + 0.02, "bars: 95 % intervals", color=CYCLE[1], ha="left", size=11.5)
        earlier = [hits[height][crossed].mean() for height in heights[1:-1]]
        for name, start, level in (
            (f"crossed, mean of layers 0 to {last - 2}", 1, float(np.mean(earlier))),
            ("chance", 0, 0.5),
        ):
            ax.plot((start, last), [level] * 2, color=INK, linewidth=1.2, linestyle=":", zorder=1)
            ends[name] = level, INK
        spread = apart([level for level, _ in ends.values()], _ROOM)
        for (name, (_, colour)), level in zip(ends.items(), spread, strict=True):
            write(ax, last + 0.22, level, name, color=colour, ha="left", size=11.5)
        write_ticks(ax.xaxis, places, ["input", *map(str, places[:-1])])
        ax.set(xlim=(-0.3, 1.72 * last), ylim=(None, 1.03))
        ax.spines["bottom"].set_bounds(-0.3, last)
        describe_axes(ax, "after layer (from 0; at the input a draw counts half)", "share right")
        ax.xaxis.set_label_coords(0.33, -0.12)
        label = f"crossed, last layer: points below the mean of layers 0 to {last - 2}"
        _how_far(below, 100 * fall(hits, crossed), label)
        entitle(ax, title)
    return [ax, below]


def _how_far(ax: Axes, points: npt.NDArray[np.floating], label: str) -> None:
    """Draw a mean with its interval, beside a line at 0, where nothing has fallen."""
    mean, (low, high) = float(points.mean()), bootstrap_interval(points)
    ax.axvline(0, color=INK, linewidth=1.5, linestyle=":")
    ax.hlines([0], [low], [high], color=CYCLE[1], linewidth=6, alpha=0.4)
    ax.plot([mean], [0], "o", color=CYCLE[1], markersize=9)
    write(ax, high, 0, f"  {mean:.0f} ({low:.0f} to {high:.0f})", ha="left", size=12)
    ax.set(xlim=(min(-10, low - 5), max(50, high + 20)), ylim=(-1, 1), yticks=[])
    ax.spines["left"].set_visible(False)
    describe_axes(ax, label)
