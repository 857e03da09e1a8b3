"""Words as rows of boxes, a box for each token: with ## and an orange frame where it continues a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.patches import Rectangle

from bertviz_lite.plots.course_style import CYCLE, INK
from bertviz_lite.plots.lettering import drawable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

__all__ = ["GAP", "HIGH", "MARK", "UNKNOWN", "draw_word", "frame", "room_of"]

UNKNOWN = "[UNK]"
GAP = 0.8
"""Between two words, in letters."""
MARK = 0.8
"""What the small ## adds to a box, in letters."""
HIGH = 0.6
"""Of a box, where the rows are one apart."""
_GREY = "#d9d9d9"
_NEW = "#ffe3c2"
_SMALL = "#767d86"
_HALF_MARK = 0.42  # moves the letters to the right, so that they stand with their ## in the middle


def room_of(word: str, tokens: Sequence[str]) -> float:
    """Return how many letters wide the boxes of a word are, with a place for each ##.

    >>> room_of("robots", ["robot", "##s"]), room_of("robots", ["[UNK]"])
    (6.8, 6.0)
    """
    return sum(_width(word, token) for token in tokens)


def _width(word: str, token: str) -> float:
    if token == UNKNOWN:
        return float(len(word))
    letters = token.removeprefix("##")
    wide = sum(letter in "mw" for letter in letters)
    return len(letters) + 0.5 * wide + MARK * (letters != token)


def frame(token: str) -> str:
    """Return the colour of a token's frame: orange where it has "##", dark where it begins a word."""
    return CYCLE[1] if token.startswith("##") else INK


def draw_word(
    ax: Axes, word: str, tokens: Sequence[str], x: float, row: float, room: float, *, new: str = ""
) -> None:
    """Draw the boxes of a word so that they fill its room; "##" is small, "[UNK]" covers the word.

    The boxes of the token `new` are filled.
    """
    stretch = room / room_of(word, tokens)
    for token in tokens:
        letters = token.removeprefix("##")
        width = stretch * _width(word, token)
        face = _GREY if token == UNKNOWN else _NEW if token == new else "white"
        place = (x + 0.06, row - HIGH / 2)
        ax.add_patch(
            Rectangle(place, width - 0.12, HIGH, facecolor=face, edgecolor=frame(token), linewidth=1.8)
        )
        marked = letters != token
        middle = x + width / 2 + marked * _HALF_MARK
        text = ax.text(middle, row, drawable(letters), ha="center", va="center", parse_math=False)
        if marked:
            ax.annotate("##", (0.0, 0.5), xycoords=text, ha="right", va="center", fontsize=8.5, color=_SMALL)
        x += width
