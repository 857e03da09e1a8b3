"""The token view's picture: each word, its tokens in boxes under it, their ids below."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

from bertviz_lite.basics.text import clip
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import drawable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bertviz_lite.views.tokens.cut import Cut, Token

__all__ = ["TOKENS_IN_PICTURE", "draw"]

TOKENS_IN_PICTURE = 36

_COLOURS = ("#0072b2", "#c27400")
_SPECIAL = "#767d86"
_LINE = 86.0  # letters in a line
_GAP = 1.2


def _width(text: str) -> float:
    """Return the width of a text, in letters; those of Chinese and emoji are two wide."""
    wide = dict.fromkeys("#mwMW", 1.4)
    return sum(
        2.0 if unicodedata.east_asian_width(letter) in "WF" else wide.get(letter, 1.0) for letter in text
    )


@dataclass(frozen=True)
class _Place:
    """Where a word, or a special token, is drawn: its left end, its width, its tokens."""

    left: float
    width: float
    tokens: Sequence[int]


def _lay_out(cut: Cut) -> list[list[_Place]]:
    """Break the tokens into lines."""
    lines: list[list[_Place]] = [[]]
    x = 0.0
    shown = range(min(len(cut.tokens), TOKENS_IN_PICTURE))
    for word, group in groupby(shown, key=lambda place: cut.tokens[place].word):
        places = list(group)
        runs = [places] if word is not None else [[place] for place in places]
        for run in runs:
            own = sum(_box(cut.tokens[place]) for place in run)
            above = _width(_short(cut.words[word].typed)) + 1 if word is not None else 0.0
            width = min(max(own, above), _LINE)
            if x + width > _LINE and lines[-1]:
                lines.append([])
                x = 0.0
            lines[-1].append(_Place(x, width, run))
            x += width + _GAP
    return lines


def _box(token: Token) -> float:
    return max(_width(_short(token.text)), len(str(token.input_id))) + 1.6


def _short(text: str) -> str:
    return drawable(clip(text, 24))


def draw(cut: Cut, chosen: int | None) -> Figure:
    """Return the picture of what a tokenizer made of a text; the word numbered `chosen` is bold."""
    lines = _lay_out(cut)
    with style():
        figure, ax = plt.subplots(figsize=(9.0, 1.15 * len(lines) + 0.5))
        ax.set(xlim=(-1, _LINE + 1), ylim=(-len(lines), 0.1))
        ax.axis("off")
        for number, line in enumerate(lines):
            for place in line:
                _draw_word(ax, cut, place, -number, chosen)
        last = -len(lines) + 0.02
        notes = [("special token", _SPECIAL), ("segment 0", _COLOURS[0]), ("segment 1", _COLOURS[1])]
        segments = {token.segment for token in cut.tokens}
        for k, (name, colour) in enumerate(notes[: 2 + (1 in segments)]):
            ax.text(16 * k, last, f"■ {name}", color=colour, fontsize=10, va="bottom")
    return figure


def _draw_word(ax: Axes, cut: Cut, place: _Place, top: float, chosen: int | None) -> None:
    """Draw a word and its tokens under it: the token in a box, its id below."""
    word = cut.tokens[place.tokens[0]].word
    if word is not None:
        heavy = "bold" if word == chosen else "normal"
        text = _short(cut.words[word].typed)
        middle = place.left + place.width / 2
        ax.text(middle, top - 0.12, text, ha="center", va="center", weight=heavy, parse_math=False)
    x = place.left + max(0.0, (place.width - sum(_box(cut.tokens[index]) for index in place.tokens)) / 2)
    for index in place.tokens:
        token = cut.tokens[index]
        colour = _SPECIAL if token.word is None else _COLOURS[token.segment % 2]
        size = _box(token)
        ax.add_patch(
            Rectangle(
                (x + 0.15, top - 0.6), size - 0.3, 0.34, facecolor="white", edgecolor=colour, linewidth=1.8
            )
        )
        middle = x + size / 2
        ax.text(middle, top - 0.43, _short(token.text), ha="center", va="center", parse_math=False)
        ax.text(middle, top - 0.72, str(token.input_id), ha="center", va="center", fontsize=10, color=colour)
        x += size
