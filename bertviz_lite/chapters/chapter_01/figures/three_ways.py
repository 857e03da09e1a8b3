"""A sentence cut in several ways, drawn one above the other: letters, word pieces, whole words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.chapters.chapter_01.figures.word_boxes import GAP, draw_word, room_of
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import entitle

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

__all__ = ["draw_ways"]


def draw_ways(words: Sequence[str], ways: Mapping[str, Sequence[Sequence[str]]], *, title: str) -> Axes:
    """Draw each way to cut the same words as a row of boxes, the same words below each other.

    Parameters
    ----------
    words
        The words of a sentence.
    ways
        By the name of a way, the tokens of each word; "##" before a token is small, and makes its box orange.
        "[UNK]" covers its whole word and is grey.
    title
        The finding, in a sentence.
    """
    rooms = [
        max(room_of(word, tokens) for tokens in cuts)
        for word, *cuts in zip(words, *ways.values(), strict=True)
    ]
    with style():
        figure, ax = plt.subplots(figsize=(9.0, 0.72 * len(ways) + 0.65))
        ax.set(xlim=(-0.1, sum(rooms) + GAP * (len(rooms) - 1) + 0.1), ylim=(len(ways) - 0.5, -0.5))
        ax.set_yticks(range(len(ways)), [f"{name}:\n{_count(cuts)}" for name, cuts in ways.items()])
        ax.tick_params(left=False, bottom=False, labelbottom=False)
        ax.spines[:].set_visible(False)
        for row, cuts in enumerate(ways.values()):
            x = 0.0
            for word, tokens, room in zip(words, cuts, rooms, strict=True):
                draw_word(ax, word, tokens, x, row, room)
                x += room + GAP
        entitle(ax, title)
        figure.canvas.draw_idle()
    return ax


def _count(cuts: Sequence[Sequence[str]]) -> str:
    return f"{sum(map(len, cuts))} tokens"
