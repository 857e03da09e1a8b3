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

__all__ = ["draw", "draw_fall", "fall"]

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
    hits: Mapping[str, npt.NDArray[np.floating]],
    crossed: npt.NDArray[np.bool_],
    *,
    title: str,
    other_means: tuple[float, float],
) -> Axes:
    """Draw the share right over the layers, matched and crossed, beside the baseline of each.

    Parameters
    ----------
    hits
        For the baseline first, then for the input and each layer: how right it is about each sentence.
    crossed
        Which sentences are crossed.
    title
        The finding, in a sentence.
    other_means
        By means from crossed sentences, the share of these right: for the last layer, and the baseline.

    Returns
    -------
    Axes
        Each kind of sentence in one colour, its baseline dashed in the same; chance; a 95 % interval at each
        layer of the crossed; at the last layer, an open dot and a short dash for ``other_means``.
    """
    baseline, *heights = hits
    places = range(len(heights))
    last = places[-1]
    ends: dict[str, tuple[float, str]] = {}
    with style():
        _, ax = plt.subplots(figsize=(8.8, 4.8))
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
        of_last, of_baseline = other_means
        ax.plot([last], [of_last], "o", color=CYCLE[1], markerfacecolor="white", markersize=10, zorder=4)
        ax.plot((last - 0.3, last + 0.15), [of_baseline] * 2, ":", color=CYCLE[1], linewidth=2.5)
        ends["crossed, other means"] = of_last, CYCLE[1]
        ends[f"other means, {baseline}"] = of_baseline, CYCLE[1]
        ax.plot((0, last), [0.5] * 2, color=INK, linewidth=1.2, linestyle=":", zorder=1)
        ends["chance"] = 0.5, INK
        spread = apart([level for level, _ in ends.values()], _ROOM)
        for (name, (_, colour)), level in zip(ends.items(), spread, strict=True):
            write(ax, last + 0.22, level, name, color=colour, ha="left", size=11.5)
        write_ticks(ax.xaxis, places, ["input", *map(str, places[:-1])])
        ax.set(xlim=(-0.3, 1.52 * last), ylim=(None, 1.03))
        ax.spines["bottom"].set_bounds(-0.3, last)
        describe_axes(ax, "after layer (from 0; at the input a tie counts half)", "share right")
        ax.xaxis.set_label_coords(0.36, -0.12)
        entitle(ax, title)
    return ax


def draw_fall(
    hits: Mapping[str, npt.NDArray[np.floating]], which: npt.NDArray[np.bool_], *, title: str
) -> Axes:
    """Draw `fall` in points, a dot for each sentence; below, its mean with the 95 % interval.

    Parameters
    ----------
    hits
        For the baseline first, then for the input and each layer: how right it is about each sentence.
    which
        The sentences that are asked for.
    title
        The finding, in a sentence.
    """
    points = 100 * fall(hits, which)
    mean, (low, high) = float(points.mean()), bootstrap_interval(points)
    with style():
        _, ax = plt.subplots(figsize=(8.0, 3.6))
        most = 0
        for place in np.unique(points.round(6)):
            count = int(np.isclose(points, place).sum())
            ax.plot([place] * count, range(1, count + 1), "o", color=CYCLE[1], markersize=8, alpha=0.8)
            most = max(most, count)
        ax.plot([0, 0], [-2, most + 0.6], color=INK, linewidth=1.5, linestyle=":")
        ax.hlines([-1], [low], [high], color=CYCLE[1], linewidth=6, alpha=0.4)
        ax.plot([mean], [-1], "D", color=CYCLE[1], markersize=8)
        write(ax, high, -1, f"  mean {mean:.0f} ({low:.0f} to {high:.0f})", ha="left", size=12)
        ax.set(xlim=(-110, 110), ylim=(-2, most + 0.8), yticks=[])
        ax.spines["left"].set_visible(False)
        before = len(hits) - 4
        label = f"share of layers 0 to {before} that are right, less the last layer (points)"
        describe_axes(ax, f"{label}; one dot per sentence")
        entitle(ax, title)
    return ax
