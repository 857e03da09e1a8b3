"""A sentence cut in several ways, drawn one above the other: letters, word pieces, whole words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import drawable, entitle

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

__all__ = ["draw_ways"]

UNKNOWN = "[UNK]"
_GREY = "#d9d9d9"
_GAP = 0.8  # between words, in letters
_HIGH = 0.6


def draw_ways(words: Sequence[str], ways: Mapping[str, Sequence[Sequence[str]]], *, title: str) -> Axes:
    """Draw each way to cut the same words as a row of boxes, the same letters below each other.

    Parameters
    ----------
    words
        The words of a sentence.
    ways
        By the name of a way, the tokens of each word; "##" before a token is not drawn, but makes its box
        orange. "[UNK]" covers its whole word and is grey.
    title
        The finding, in a sentence.
    """
    letters = sum(map(len, words)) + _GAP * (len(words) - 1)
    with style():
        figure, ax = plt.subplots(figsize=(9.0, 0.72 * len(ways) + 0.95))
        ax.set(xlim=(-0.1, letters + 0.1), ylim=(len(ways) + 0.05, -0.5))
        ax.set_yticks(range(len(ways)), [f"{name}:\n{_count(cuts)}" for name, cuts in ways.items()])
        ax.tick_params(left=False, bottom=False, labelbottom=False)
        ax.spines[:].set_visible(False)
        for row, cuts in enumerate(ways.values()):
            x = 0.0
            for word, tokens in zip(words, cuts, strict=True):
                _draw_word(ax, word, tokens, x, row)
                x += len(word) + _GAP
        ax.add_patch(
            Rectangle(
                (0.06, len(ways) - 0.5), 0.88, 0.35, facecolor="white", edgecolor=CYCLE[1], linewidth=1.8
            )
        )
        meaning = "continues a word: in the vocabulary with ## before it"
        ax.text(1.4, len(ways) - 0.33, meaning, va="center", fontsize=11)
        entitle(ax, title)
        figure.canvas.draw_idle()
    return ax


def _count(cuts: Sequence[Sequence[str]]) -> str:
    return f"{sum(map(len, cuts))} tokens"


def _draw_word(ax: Axes, word: str, tokens: Sequence[str], x: float, row: int) -> None:
    """Draw the boxes of a word: those with "##" orange, the others dark, an unknown one grey."""
    for token in tokens:
        width = len(word) if token == UNKNOWN else len(token.removeprefix("##"))
        colour = CYCLE[1] if token.startswith("##") else INK
        face = _GREY if token == UNKNOWN else "white"
        place = (x + 0.06, row - _HIGH / 2)
        ax.add_patch(Rectangle(place, width - 0.12, _HIGH, facecolor=face, edgecolor=colour, linewidth=1.8))
        text = drawable(token.removeprefix("##"))
        ax.text(x + width / 2, row, text, ha="center", va="center", parse_math=False)
        x += width
