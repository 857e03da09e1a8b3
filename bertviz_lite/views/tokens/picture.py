"""The token view's picture: words as typed and normalised, tokens in boxes, ids, segments."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

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
_SPECIAL, _SOFT = "#767d86", "#59636e"
_ROWS = {"as typed": 0.1, "normalised": 0.28, "token": 0.49, "id": 0.67, "segment": 0.91}
_NAMES = 10.0  # letters: room for the names of the rows
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
            texts = (cut.words[word].typed, cut.words[word].text) if word is not None else ("special",)
            above = max(_width(_short(text)) for text in texts) + 1
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
    """Return the picture of what a tokenizer made of a text; the word numbered `chosen` is framed."""
    lines = _lay_out(cut)
    with style():
        figure, ax = plt.subplots(figsize=(10.2, 1.45 * len(lines) + 0.2))
        ax.set(xlim=(-_NAMES - 1, _LINE + 1), ylim=(-len(lines), 0.02))
        ax.axis("off")
        for number, line in enumerate(lines):
            for name, down in _ROWS.items():
                ax.text(-1.5, -number - down, name, color=_SOFT, fontsize=10, ha="right", va="center")
            for place in line:
                _draw_word(ax, cut, place, -number, chosen)
    return figure


def _draw_word(ax: Axes, cut: Cut, place: _Place, top: float, chosen: int | None) -> None:
    """Draw a word, its tokens under it in boxes with their ids, and its segment as a band."""
    first = cut.tokens[place.tokens[0]]
    middle = place.left + place.width / 2
    write: dict[str, Any] = {"ha": "center", "va": "center", "parse_math": False}
    if first.word is None:
        ax.text(middle, top - _ROWS["as typed"], "special", color=_SOFT, fontsize=10, **write)
    else:
        word = cut.words[first.word]
        if first.word == chosen:
            frame = Rectangle((place.left - 0.2, top - 0.98), place.width + 0.4, 0.96)
            frame.set(facecolor="#ddebf9", edgecolor="#0550ae", linewidth=1.8)
            ax.add_patch(frame)
        ax.text(middle, top - _ROWS["as typed"], _short(word.typed), color=_SOFT, fontsize=11, **write)
        ax.text(middle, top - _ROWS["normalised"], _short(word.text), weight="bold", fontsize=11, **write)
    x = place.left + max(0.0, (place.width - sum(_box(cut.tokens[index]) for index in place.tokens)) / 2)
    for index in place.tokens:
        token = cut.tokens[index]
        size = _box(token)
        box = Rectangle((x + 0.15, top - 0.76), size - 0.3, 0.36, facecolor="white", linewidth=1.2)
        box.set(edgecolor="#d1d9e0" if token.word is not None else _SPECIAL)
        box.set(linestyle="-" if token.word is not None else "--")
        ax.add_patch(box)
        ax.text(x + size / 2, top - _ROWS["token"], _short(token.text), fontsize=11, **write)
        ax.text(x + size / 2, top - _ROWS["id"], str(token.input_id), fontsize=9, color=_SOFT, **write)
        x += size
    ends = [place.left + 0.15, place.left + place.width - 0.15]
    ax.plot(ends, [top - 0.82] * 2, color=_COLOURS[first.segment % 2], linewidth=3, solid_capstyle="butt")
    ax.text(middle, top - _ROWS["segment"], str(first.segment), fontsize=9, **write)
