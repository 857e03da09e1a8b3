"""The first words of some texts as boxes, one text a row, with the tokens per word at the right."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.chapters.chapter_01.figures.word_boxes import GAP, draw_word, room_of
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import entitle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    Cuts = Sequence[tuple[str, Sequence[str]]]

__all__ = ["draw_broken"]

_ROOM = 31.0  # for the words of a row, in letters


def draw_broken(names: Sequence[str], texts: Sequence[Cuts], rates: Sequence[float], *, title: str) -> Axes:
    """Draw a row of boxes for the beginning of each text: as many of its words as fit.

    Parameters
    ----------
    names
        Of the rows, top to bottom.
    texts
        The words of each text, each with its tokens.
    rates
        Tokens per word of each row, written at its end: of all that the row stands for, not of its beginning.
    title
        The finding, in a sentence.
    """
    with style():
        figure, ax = plt.subplots(figsize=(9.0, 0.72 * len(texts) + 0.9))
        ax.set(xlim=(-0.1, _ROOM + 4.2), ylim=(len(texts) - 0.5, -0.9))
        ax.set_yticks(range(len(texts)), names)
        ax.tick_params(left=False, bottom=False, labelbottom=False)
        ax.spines[:].set_visible(False)
        ax.text(_ROOM + 4.1, -0.72, "tokens per word", ha="right", va="center", fontsize=11)
        for row, (words, rate) in enumerate(zip(texts, rates, strict=True)):
            x = 0.0
            shown = _beginning(words)
            for word, tokens in shown:
                room = room_of(word, tokens)
                draw_word(ax, word, tokens, x, row, room)
                x += room + GAP
            if len(shown) < len(words):
                ax.text(x, row, "…", va="center")
            ax.text(_ROOM + 4.1, row, f"{rate:.2f}", ha="right", va="center", fontsize=14, weight="bold")
        entitle(ax, title)
        figure.canvas.draw_idle()
    return ax


def _beginning(words: Cuts) -> Cuts:
    """Return the first words, as many as have room."""
    ends = list(accumulate(room_of(*word) + GAP for word in words))
    return words[: max(1, sum(end - GAP <= _ROOM for end in ends))]
