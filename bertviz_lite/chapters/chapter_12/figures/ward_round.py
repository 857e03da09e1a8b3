"""The ward round drawn: for each patient, which tensors equal the library's, and the first that doesn't.

Beside it, whether a smaller test would have found the patient too.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

from bertviz_lite.chapters.chapter_12.figures.side_by_side import part_of, short_name
from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.plots.lettering import entitle, write_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from bertviz_lite.chapters.chapter_12.first_difference import Comparison

__all__ = ["round_in_words", "ward_round"]

_EQUAL, _AFTER, _FIRST = "#e3ecf5", "#f6d9c2", CYCLE[1]
_APART = 0.5
"""How far the column of the other test stands from the tensors, in columns."""


def ward_round(
    comparisons: Mapping[str, Comparison],
    other: Mapping[str, Comparison] | None = None,
    *,
    title: str = "",
    other_name: str = "",
) -> Axes:
    """Draw a row for each patient and a column for each tensor, in the order of their making.

    Parameters
    ----------
    comparisons
        What `compare` found, by the patient's name: all of the same tensors.
    other
        What it found on another input, of the same patients: one column says whether any tensor differed.
    title
        The finding, in a sentence.
    other_name
        What to write above the column of the other input.

    Raises
    ------
    ValueError
        Where the patients were compared in different tensors.
    """
    columns = {name: tuple(row.name for row in found.rows) for name, found in comparisons.items()}
    if len(set(columns.values())) != 1:
        raise ValueError("the patients were compared in different tensors: give comparisons of one batch.")
    names = next(iter(columns.values()))
    with style():
        _, ax = plt.subplots(figsize=(8.6, 0.42 * len(comparisons) + 2.1))
        for line, found in enumerate(comparisons.values()):
            for column, row in enumerate(found.rows):
                _cell(ax, column, line, is_equal=row.equal, is_first=row.name == found.first)
        for column, pair in enumerate(pairwise(names)):
            if pair[0].startswith("hidden_states"):  # a part of BERT ends here
                ax.axvline(column + 0.5, color="0.6", linewidth=1)
        end = len(names) - 0.5
        if other:
            beside, end = len(names) + _APART, end + 1 + _APART
            for line, name in enumerate(comparisons):
                _cell(ax, beside, line, is_equal=other[name].first is None, is_first=False)
            _above(ax, beside, other_name)
        ax.set(xlim=(-0.5, end), ylim=(len(comparisons) - 0.5, -0.5))
        write_ticks(ax.yaxis, range(len(comparisons)), list(comparisons))
        _name_the_parts(ax, names)
        shown = [short_name(name) for name in names]
        ax.set_xticks(
            range(len(names)), shown, rotation=40, ha="right", rotation_mode="anchor", fontsize=10.5
        )
        ax.tick_params(length=0)
        for spine in ax.spines.values():
            spine.set_visible(False)
        with plt.rc_context({"axes.titlepad": 42}):  # above the names of the parts
            entitle(ax, title)
    return ax


def _cell(ax: Axes, column: float, line: int, *, is_equal: bool, is_first: bool) -> None:
    face = _EQUAL if is_equal else _FIRST if is_first else _AFTER
    ax.add_patch(Rectangle((column - 0.46, line - 0.43), 0.92, 0.86, facecolor=face))
    word = "=" if is_equal else "first" if is_first else "≠"
    ink, weight = ("white", "bold") if is_first else ("0.35", "normal")
    ax.text(column, line, word, ha="center", va="center", fontsize=11, color=ink, fontweight=weight)


def _name_the_parts(ax: Axes, names: tuple[str, ...]) -> None:
    """Write above the columns which part of BERT makes the tensors."""
    columns: dict[str, list[int]] = {}
    for column, name in enumerate(names):
        columns.setdefault(part_of(name), []).append(column)
    for part, places in columns.items():
        _above(ax, sum(places) / len(places), part)


def _above(ax: Axes, column: float, words: str) -> None:
    above = ax.get_xaxis_transform()
    ax.text(column, 1.02, words, transform=above, ha="center", va="bottom", fontsize=10.5, color="0.35")


def round_in_words(comparisons: Mapping[str, Comparison]) -> str:
    """Say which tensor is the first to differ, of every patient, in one line."""
    return "; ".join(f"{name}: {found.first or 'none'}" for name, found in comparisons.items()) + "."
