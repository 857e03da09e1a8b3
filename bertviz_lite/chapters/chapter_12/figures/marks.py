"""The exam's marks drawn: two bars for each model, how many of how many, and a coin beside the pairs.

An arrow marks what is fewer than the first model has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt

from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import HALO, describe_axes, entitle, legend, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    Marks = Mapping[str, Mapping[str, tuple[int, int]]]

__all__ = ["draw_marks", "in_words"]

_COIN = 0.5
_ROOM = 0.15
"""A bar at least this long has room for its numbers inside, unless they would lie on the coin's mark."""


def draw_marks(marks: Marks, *, title: str = "") -> Axes:
    """Draw a bar for each model and subject, with a mark for the coin across those of pairs.

    Parameters
    ----------
    marks
        What `Exam.mark` returned, by the model's name.
    title
        The finding, in a sentence.
    """
    subjects = list(next(iter(marks.values())))
    thick = 0.8 / len(subjects)
    with style():
        _, ax = plt.subplots(figsize=(8.6, 0.5 * len(marks) + 1.2))
        for k, subject in enumerate(subjects):
            rows = [row + (k - (len(subjects) - 1) / 2) * thick for row in range(len(marks))]
            counts = [mark[subject] for mark in marks.values()]
            shares = [right / of for right, of in counts]
            ax.barh(rows, shares, height=thick * 0.92, color=CYCLE[k], label=subject)
            for row, share, (right, of) in zip(rows, shares, counts, strict=True):
                on_coin = subject == "pairs" and _COIN < share < _COIN + _ROOM
                is_inside = share > _ROOM and not on_coin
                fewer = " ↓" if share < shares[0] else ""
                ax.annotate(
                    f"{right} of {of}{fewer}", (share, row), (-6 if is_inside else 6, 0),
                    textcoords="offset points", ha="right" if is_inside else "left", va="center", fontsize=11,
                    color="white" if is_inside else INK, path_effects=[] if is_inside else HALO, zorder=4,
                )  # fmt: skip
            if subject == "pairs":
                coin: dict[str, Any] = {"color": INK, "markersize": 14, "markeredgewidth": 2.5}
                ax.plot([_COIN] * len(rows), rows, "|", label="a coin, for pairs", **coin)
        write_ticks(ax.yaxis, range(len(marks)), list(marks))
        ax.invert_yaxis()
        ax.tick_params(axis="y", length=0)
        ax.set_xlim(0, 1)
        describe_axes(ax, f"share of right answers (↓ fewer than {next(iter(marks))})")
        legend(ax, markerscale=0.7)
        entitle(ax, title)
    return ax


def in_words(marks: Marks) -> str:
    """Say what the picture shows: every count, in one line."""
    told = (
        f"{name}: " + ", ".join(f"{subject} {right} of {of}" for subject, (right, of) in mark.items())
        for name, mark in marks.items()
    )
    return "; ".join(told) + "."
