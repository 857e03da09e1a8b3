"""The search for a word's tokens, longest first, look by look; and another way to cut the word below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

from bertviz_lite.chapters.chapter_01.figures.word_boxes import frame
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import drawable, entitle

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from matplotlib.axes import Axes

__all__ = ["draw_search", "looks"]

_HIGH = 0.74
_GREY, _PALE = "#767d86", "#b9bfc6"
_PALE_ORANGE = "#efb591"


def looks(word: str, vocabulary: Container[str]) -> list[tuple[int, str, bool]]:
    """Return each look of the search: where it begins, the word piece, whether the vocabulary has it.

    >>> looks("sing", {"si", "##n", "##g"})[-3:]
    [(2, '##ng', False), (2, '##n', True), (3, '##g', True)]
    """
    found, start = [], 0
    while start < len(word):
        for stop in range(len(word), start, -1):
            piece = "##" * (start > 0) + word[start:stop]
            found.append((start, piece, piece in vocabulary))
            if found[-1][2]:
                break
        else:
            break  # not even one letter fits
        start = stop
    return found


def draw_search(word: str, vocabulary: Container[str], other: Sequence[str], *, title: str) -> Axes:
    """Draw a row for each look, the letters of a word below each other; what was taken is framed boldly.

    Parameters
    ----------
    word
        What is cut.
    vocabulary
        The entries.
    other
        Another way to cut the word, drawn below the search.
    title
        The finding, in a sentence.
    """
    rows = looks(word, vocabulary)
    wide = len(word)
    with style():
        figure, ax = plt.subplots(figsize=(8.0, 0.34 * (len(rows) + 2) + 0.5))
        ax.set(xlim=(-1.8, wide + 2.6), ylim=(len(rows) + 1.4, -0.6))
        ax.axis("off")
        ax.text(-0.15, 0, "longest first:", ha="right", va="center")
        for row, (start, piece, taken) in enumerate(rows):
            _draw_piece(ax, piece, start, row, taken=taken)
            says = "yes: taken" if taken else "no such entry"
            ax.text(wide + 0.2, row, says, va="center", color=INK if taken else _GREY)
        below, start = len(rows) + 0.8, 0
        ax.axhline(len(rows) + 0.1, color=_PALE, linewidth=1)
        ax.text(-0.15, below, "never tried:", ha="right", va="center")
        for piece in other:
            _draw_piece(ax, piece, start, below, taken=True)
            start += len(piece.removeprefix("##"))
        ax.text(wide + 0.2, below, f"{len(other)} tokens", va="center")
        entitle(ax, title)
        figure.canvas.draw_idle()
    return ax


def _draw_piece(ax: Axes, piece: str, start: int, row: float, *, taken: bool) -> None:
    """Draw a word piece at its letters: strong if it was taken, orange where it continues a word."""
    letters = piece.removeprefix("##")
    pale = _PALE_ORANGE if letters != piece else _PALE
    place = (start + 0.05, row - _HIGH / 2)
    ax.add_patch(
        Rectangle(
            place,
            len(letters) - 0.1,
            _HIGH,
            facecolor="white",
            edgecolor=frame(piece) if taken else pale,
            linewidth=2.2 if taken else 1.0,
        )
    )
    ink, weight = (INK, "bold") if taken else (_GREY, "normal")
    middle = start + len(letters) / 2
    text = drawable(piece)
    ax.text(middle, row, text, ha="center", va="center", color=ink, weight=weight, parse_math=False)
