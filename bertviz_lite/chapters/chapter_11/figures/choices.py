"""Counts that answer a doubt: which tags a word got, and what a chosen run promised and delivered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.plots import CYCLE, histogram, style
from bertviz_lite.plots.course_style import INK
from bertviz_lite.plots.lettering import HALO, describe_axes, entitle, headline, legend, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["promised", "tags_given"]

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


def promised(
    scores: Mapping[str, npt.ArrayLike],
    edges: npt.ArrayLike,
    *,
    title: str = "",
    reference: Mapping[str, float] | None = None,
    ticks: Mapping[str, npt.ArrayLike] | None = None,
) -> list[Axes]:
    """Draw scores as histograms one above the other, on one scale, each with its mean marked.

    Parameters
    ----------
    scores
        By what they are, numbers of any count.
    edges
        Where the bins begin and end.
    title
        The finding, in a sentence.
    reference
        Levels to compare with, each named in the lowest histogram: {"all runs": 0.5}.
    ticks
        Scores, (numbers,), to stand as short ticks in the lowest histogram; what they are, below its axis.
    """
    with style():
        figure, axes = plt.subplots(
            len(scores), 1, figsize=(8.0, 2.0 * len(scores) + 0.9), sharex=True, sharey=True, squeeze=False
        )
        panels = list(axes[:, 0])
        for k, (ax, (name, numbers)) in enumerate(zip(panels, scores.items(), strict=True)):
            histogram(numbers, edges, title=name, ax=ax)
            for patch in ax.patches:
                patch.set_facecolor(CYCLE[k])
            mean = float(np.mean(np.asarray(numbers)))
            _mark(ax, mean, f"mean {mean:.2f}", "--")
        panels[0].set_ylim(0, 1.3 * panels[0].get_ylim()[1])  # room for the names of the lines
        for name, level in (reference or {}).items():
            _mark(panels[-1], level, f"{name} {level:.2f}", ":", left=True)  # the means are mostly above
        across = "share right"
        for name, numbers in (ticks or {}).items():
            places = np.asarray(numbers)
            panels[-1].plot(
                places, np.full(len(places), 0.06), "|", transform=panels[-1].get_xaxis_transform(),
                color=INK, markersize=13, markeredgewidth=1.5,
            )  # fmt: skip
            across += f" (ticks: {name})"
        panels[-1].set_xlabel(across)
        headline(figure, title)
    return panels


def _mark(ax: Axes, place: float, words: str, dash: str, *, left: bool = False) -> None:
    ax.axvline(place, color=INK, linewidth=1.5, linestyle=dash)
    ax.annotate(
        words, (place, 1), (-5 if left else 5, -3), xycoords=ax.get_xaxis_transform(),
        textcoords="offset points", ha="right" if left else "left", va="top", fontsize=11,
        path_effects=HALO, parse_math=False,
    )  # fmt: skip
