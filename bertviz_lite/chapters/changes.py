"""What changes of a recipe bring, seed by seed: the figure of the chapters that read ablations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import CYCLE, MARKERS, style
from bertviz_lite.plots.lettering import describe_axes, entitle, take_literally, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from bertviz_lite.evaluation.recorded.by_seed import BySeed

__all__ = ["BAND", "changes"]

BAND = "as far as seeds differ without the change"
"""What the legend calls the grey bands."""


def changes(
    found: BySeed,
    names: Mapping[str, str],
    measures: Mapping[str, Sequence[str | int]],
    *,
    title: str = "",
    label: str = "percentage points: with the change minus without it, same seed",
) -> Axes:
    """Draw what each change brings, a mark a seed, on a grey band as wide as seeds differ without it.

    Parameters
    ----------
    found
        The recorded numbers.
    names
        The changes: variants, and what the legend calls each of them.
    measures
        The rows: a name, and where its number is; see ``BySeed.values``.
    title
        The finding, in a sentence.
    label
        What the marks are.
    """
    apart = 0.8 / len(names)
    with style():
        _, ax = plt.subplots(figsize=(8.0, 2.4 + 0.5 * len(measures)))
        for k, (name, called) in enumerate(names.items()):
            marks = []
            for row, path in enumerate(measures.values()):
                gain, height = found.gain(name, *path), row + apart * (k - (len(names) - 1) / 2)
                half = 0.45 * apart
                ax.fill_betweenx(
                    [height - half, height + half],
                    -gain.spread,
                    gain.spread,
                    color="0.85",
                    linewidth=0,
                    label=BAND if row == k == 0 else None,
                )
                ax.plot(gain.each, [height] * len(gain.each), color=CYCLE[k], linewidth=1.5, zorder=2.3)
                marks += [(each, height) for each in gain.each]
            across, up = np.transpose(marks)
            marks_of = ax.scatter(
                across, up, s=60, color=CYCLE[k], marker=MARKERS[k], label=called, zorder=2.5
            )
            marks_of.set(edgecolor="white", linewidth=0.8)  # so that marks that overlap can be counted
        ax.axvline(0, color="#1a1a1a", linewidth=1, zorder=2)
        write_ticks(ax.yaxis, range(len(measures)), list(measures))
        ax.set_ylim(len(measures) - 0.4, -0.6)
        ax.xaxis.set_major_formatter(lambda share, _: _points(share))
        ax.tick_params(axis="y", length=0)
        ax.grid(axis="x", color="0.9")
        ax.set_axisbelow(True)
        describe_axes(ax, label)
        take_literally(ax.figure.legend(loc="outside lower left"))
        entitle(ax, title)
    return ax


def _points(share: float) -> str:
    points = round(100 * share, 2)
    return f"{points:+g}".replace("-", "−") if points else "0"
