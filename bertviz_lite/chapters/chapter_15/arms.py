"""Four trainings that differ in one thing, with several seeds each: what their models get right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt

from bertviz_lite.plots import CYCLE, MARKERS, style
from bertviz_lite.plots.lettering import describe_axes, entitle, take_literally, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from bertviz_lite.evaluation.recorded.by_seed import BySeed

__all__ = ["ARMS", "draw_arms"]

ARMS = {
    "characters": "single characters",
    "whole words": "the town's words",
    "segmented words": "a segmenter's words",
    "shuffled words": "random pieces",
}
"""The arms, and what is hidden together in each."""


def draw_arms(
    found: BySeed,
    measures: Mapping[str, Sequence[str | int]],
    *,
    title: str,
    label: str,
) -> Axes:
    """Draw a row for each measure: in it a line for each arm, from its lowest seed to its highest.

    Parameters
    ----------
    found
        The recorded numbers "chinese_masking".
    measures
        The rows: a name, and where its number is; see ``BySeed.values``.
    title
        The finding, in a sentence.
    label
        What is counted.
    """
    apart = 0.72 / len(ARMS)
    with style():
        _, ax = plt.subplots(figsize=(8.0, 2.0 + 0.72 * len(measures)))
        for row in range(0, len(measures), 2):
            ax.axhspan(row - 0.5, row + 0.5, color="0.96", zorder=0)
        for k, (name, called) in enumerate(ARMS.items()):
            marks = []
            for row, path in enumerate(measures.values()):
                values = found.values(name, *path).tolist()
                height = row + apart * (k - (len(ARMS) - 1) / 2)
                ax.plot([min(values), max(values)], [height, height], color=CYCLE[k], linewidth=2, zorder=2)
                marks += [(value, height) for value in values]
            across, up = zip(*marks, strict=True)
            # hollow: seeds that lie on top of each other can still be counted
            edges: dict[str, Any] = {"facecolors": "none", "edgecolors": CYCLE[k], "linewidths": 1.8}
            ax.scatter(across, up, s=55, marker=MARKERS[k], label=called, zorder=3, **edges)
        write_ticks(ax.yaxis, range(len(measures)), list(measures))
        ax.set_ylim(len(measures) - 0.5, -0.5)
        ax.set_xlim(right=1)
        ax.tick_params(axis="y", length=0)
        ax.grid(axis="x", color="0.9")
        ax.set_axisbelow(True)
        describe_axes(ax, label)
        take_literally(ax.figure.legend(loc="outside lower center", ncols=2))
        entitle(ax, title)
    return ax
