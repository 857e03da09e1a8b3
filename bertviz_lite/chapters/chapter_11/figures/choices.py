"""Counts that answer a doubt: which tags a word got."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.lettering import HALO, describe_axes, entitle, legend, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

__all__ = ["tags_given"]

_NARROW = 0.02


def tags_given(
    counts: Mapping[str, Sequence[int]], tags: Sequence[str], *, title: str = "", label: str = ""
) -> Axes:
    """Draw how often each tag was given as one bar a change, in parts laid end to end, with their numbers.

    Parameters
    ----------
    counts
        By the name of the change, how often each of `tags` was given.
    tags
        The tags, in the order of the parts.
    title
        The finding, in a sentence.
    label
        What is counted.
    """
    table = np.array([*counts.values()])
    with style():
        _, ax = plt.subplots(figsize=(8.0, 0.5 * len(table) + 1.4))
        before = np.zeros(len(table), dtype=int)
        for k, tag in enumerate(tags):
            drawn = ax.barh(
                range(len(table)), table[:, k], left=before, color=CYCLE[k], height=0.7, label=tag
            )
            wide = table[:, k] > table.sum(axis=1) * _NARROW  # else there's no room for the number
            numbers = [str(count) if fits else "" for count, fits in zip(table[:, k], wide, strict=True)]
            ax.bar_label(drawn, numbers, label_type="center", fontsize=11, path_effects=HALO)
            before += table[:, k]
        write_ticks(ax.yaxis, range(len(table)), list(counts))
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
        describe_axes(ax, label)
        legend(ax)
        entitle(ax, title)
    return ax
