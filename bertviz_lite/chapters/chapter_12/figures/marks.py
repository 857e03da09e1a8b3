"""The exam's marks drawn: a panel for each subject, a bar for each patient, the healthy model as a line.

Patients whose marks are within one answer of the healthy model's in every subject, or above, are coloured,
the others are grey.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt

from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import HALO, describe_axes, headline, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    Marks = Mapping[str, Mapping[str, tuple[int, int]]]

__all__ = ["draw_marks", "in_words", "unnoticed"]

_COIN = 0.5
_CHANCE = 1
"""Answers that a model may have fewer than the healthy one: so few can be chance."""
_ROOM = 0.23
"""A bar at least this long has room for its numbers inside, unless they would lie on the coin's line."""
_LOWER, _UNNOTICED = "#c3c9cf", CYCLE[0]


def draw_marks(marks: Marks, *, title: str = "") -> list[Axes]:
    """Draw a panel for each subject: the first model's mark as a line, a bar for each of the others.

    Parameters
    ----------
    marks
        What `Exam.mark` returned, by the model's name; the first is the healthy one.
    title
        The finding, in a sentence.

    Returns
    -------
    list of Axes
        One for each subject; that of the pairs has a line for the coin too.
    """
    healthy, *patients = marks
    subjects = list(marks[healthy])
    passed = unnoticed(marks)
    with style():
        size = (8.8, 0.44 * len(patients) + 1.9)
        figure, panels = plt.subplots(1, len(subjects), figsize=size, sharey=True, squeeze=False)
        axes: list[Axes] = list(panels[0])
        headline(figure, title)
        for ax, subject in zip(axes, subjects, strict=True):
            _lines(ax, healthy, marks[healthy][subject], coin=subject == "pairs")
            for row, name in enumerate(patients):
                look = {"full": name in passed, "coin": subject == "pairs"}
                _bar(ax, row, marks[name][subject], line=_share(marks[healthy][subject]), **look)
            ax.set(xlim=(0, 1), ylim=(len(patients) - 0.5, -1.1))
            ax.set_title(subject, fontsize=12.5)
            describe_axes(ax, "share of right answers")
            ax.tick_params(axis="y", length=0)
        write_ticks(axes[0].yaxis, range(len(patients)), patients)
        for label, name in zip(axes[0].get_yticklabels(), patients, strict=True):
            label.set(
                color=_UNNOTICED if name in passed else INK,
                fontweight="bold" if name in passed else "normal",
            )
    return axes


def unnoticed(marks: Marks) -> list[str]:
    """Return the models that are at most one answer below the first, in every subject."""
    healthy, *patients = marks
    return [
        name
        for name in patients
        if all(marks[name][subject][0] >= right - _CHANCE for subject, (right, _) in marks[healthy].items())
    ]


def _lines(ax: Axes, name: str, mark: tuple[int, int], *, coin: bool) -> None:
    """Draw the healthy model's mark and the coin's as upright lines, with their names above the bars."""
    right, of = mark
    look: dict[str, Any] = {"va": "center", "fontsize": 11, "path_effects": HALO, "zorder": 4}
    ax.axvline(right / of, color=INK, linewidth=2, zorder=3)
    ax.text(right / of - 0.02, -0.78, f"{name}, {right} of {of}", ha="right", **look)
    if coin:
        ax.axvline(_COIN, ymax=0.9, color=INK, linewidth=1.5, linestyle=":", zorder=3)
        ax.text(_COIN - 0.02, -0.78, "a coin", ha="right", **look)


def _share(mark: tuple[int, int]) -> float:
    right, of = mark
    return right / of


def _bar(ax: Axes, row: int, mark: tuple[int, int], *, line: float, full: bool, coin: bool) -> None:
    """Draw one bar, and its numbers where neither the healthy model's line nor the coin's crosses them."""
    share = _share(mark)
    ax.barh(row, share, height=0.72, color=_UNNOTICED if full else _LOWER)
    is_inside = share > _ROOM and not (coin and _COIN < share < _COIN + _ROOM)
    end = line if is_inside and line < share < line + _ROOM else share
    ax.annotate(
        "{} of {}".format(*mark), (end, row), (-6 if is_inside else 6, 0),
        textcoords="offset points", ha="right" if is_inside else "left", va="center", fontsize=11,
        color="white" if full and is_inside else INK, path_effects=[] if is_inside else HALO, zorder=4,
    )  # fmt: skip


def in_words(marks: Marks) -> str:
    """Say what the picture shows: every count, in one line."""
    told = (
        f"{name}: " + ", ".join(f"{subject} {right} of {of}" for subject, (right, of) in mark.items())
        for name, mark in marks.items()
    )
    return "; ".join(told) + "."
