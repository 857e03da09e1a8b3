"""Words as rows of boxes, a box for each token: an orange frame says that it continues its word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.patches import Rectangle

from bertviz_lite.plots.course_style import CYCLE, INK
from bertviz_lite.plots.lettering import drawable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

__all__ = ["GAP", "HIGH", "UNKNOWN", "draw_key", "draw_word", "frame", "width_of"]

UNKNOWN = "[UNK]"
GAP = 0.8
"""Between two words, in letters."""
HIGH = 0.6
"""Of a box, where the rows are one apart."""
_GREY = "#d9d9d9"


def width_of(words: Sequence[str]) -> float:
    """Return how many letters a row of words takes, with the gaps between them.

    >>> width_of(["to", "be"])
    4.8
    """
    return sum(map(len, words)) + GAP * (len(words) - 1)


def frame(token: str) -> str:
    """Return the colour of a token's frame: orange where it has "##", dark where it begins a word."""
    return CYCLE[1] if token.startswith("##") else INK


def draw_word(ax: Axes, word: str, tokens: Sequence[str], x: float, row: float) -> None:
    """Draw the boxes of a word, as wide as their letters; "##" is not written, "[UNK]" covers the word."""
    for token in tokens:
        letters = token.removeprefix("##")
        width = len(word) if token == UNKNOWN else len(letters)
        face = _GREY if token == UNKNOWN else "white"
        place = (x + 0.06, row - HIGH / 2)
        ax.add_patch(
            Rectangle(place, width - 0.12, HIGH, facecolor=face, edgecolor=frame(token), linewidth=1.8)
        )
        ax.text(x + width / 2, row, drawable(letters), ha="center", va="center", parse_math=False)
        x += width


def draw_key(ax: Axes, row: float, high: float = 0.35) -> None:
    """Say below a picture what an orange frame is: at the left edge, centred on `row`."""
    place = (0.06, row - high / 2)
    ax.add_patch(Rectangle(place, 0.88, high, facecolor="white", edgecolor=frame("##"), linewidth=1.8))
    meaning = "continues a word: in the vocabulary with ## before it"
    ax.text(1.3, row, meaning, va="center", fontsize=11)
