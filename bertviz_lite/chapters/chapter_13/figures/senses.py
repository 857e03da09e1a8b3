"""After which layer is a sense told right? Drawn beside a rule that never looks at the word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.evaluation.intervals import bootstrap_interval
from bertviz_lite.plots import draw_lines
from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import describe_axes, entitle, take_literally, write, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["draw", "lost"]


def lost(
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
    """Draw the share right over the layers, matched and crossed; below, what the last one loses.

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
        The upper panel, with four lines and the mean of the crossed sentences before the last layer. The
        lower one, in points: how far the last layer is below that mean, `lost`, with its 95 % interval.
    """
    baseline, *heights = hits
    places = range(len(heights))
    last = places[-1]
    drawn = {
        f"{name}{rival}": [hits[baseline if rival else height][which].mean() for height in heights]
        for name, which in {"matched": ~crossed, "crossed": crossed}.items()
        for rival in ("", f", {baseline}")
    }
    with style():
        figure, (ax, below) = plt.subplots(2, 1, figsize=(8.8, 5.2), height_ratios=[6, 1])
        draw_lines(ax, places, [*drawn.values()], [*drawn])
        level, name = float(np.mean(drawn["crossed"][1:-1])), f"crossed, mean of layers 0 to {last - 2}"
        ax.plot([1, last], [level] * 2, color=INK, linewidth=1.5, linestyle=(0, (1, 1)), label=name)
        write_ticks(ax.xaxis, places, ["input", *map(str, places[:-1])])
        ax.set_ylim(top=1.02)
        describe_axes(ax, "after layer (counted from 0)", "share right")
        take_literally(figure.legend(*ax.get_legend_handles_labels(), loc="outside right center"))
        label = f"crossed, last layer: points below the mean of layers 0 to {last - 2}"
        _what_is_lost(below, 100 * lost(hits, crossed), label)
        entitle(ax, title)
    return [ax, below]


def _what_is_lost(ax: Axes, points: npt.NDArray[np.floating], label: str) -> None:
    """Draw a mean with its interval, beside a line at 0, where nothing is lost."""
    mean, (low, high) = float(points.mean()), bootstrap_interval(points)
    ax.axvline(0, color=INK, linewidth=1.5, linestyle=":")
    ax.hlines([0], [low], [high], color=CYCLE[2], linewidth=6, alpha=0.4)
    ax.plot([mean], [0], "o", color=CYCLE[2], markersize=9)
    write(ax, high, 0, f"  {mean:.0f} ({low:.0f} to {high:.0f})", ha="left", size=12)
    ax.set(xlim=(min(-10, low - 5), max(50, high + 20)), ylim=(-1, 1), yticks=[])
    ax.spines["left"].set_visible(False)
    describe_axes(ax, label)
