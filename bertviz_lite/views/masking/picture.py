"""The masking lab's picture: the sentence as boxes, the guesses as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch, Patch

from bertviz_lite.basics.text import clip
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import drawable
from bertviz_lite.views.masking.words import MOST, NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bertviz_lite.views.masking.guesses import Guess
    from bertviz_lite.views.masking.words import ShownToken

__all__ = ["draw"]

_WIDE, _TALL = 96.0, 5.0  # a line of boxes: letters of a token's line, and lines of text
_LOOKS = {  # face, edge, hatch
    "special": ("#ffffff", "#ffffff", ""),
    "left": ("#ffffff", "#c5ccd3", ""),
    "mask": ("#cfe3f3", "#0072b2", ""),
    "random": ("#fbe3c2", "#c27400", "//"),
    "keep": ("#cdeade", "#00875f", ""),
}


def draw(tokens: Sequence[ShownToken], guesses: Mapping[str, Guess], selected: int | None) -> Figure:
    """Return the picture: a box for each token, and under them the guesses at the selected place."""
    figure, (top, *below) = _axes(tokens, guesses)
    _draw_boxes(top, tokens[:MOST], selected)
    for ax, (name, guess) in zip(below, guesses.items(), strict=True):
        _draw_guess(ax, name, guess, tokens[selected or 0].text)
    return figure


def _lines(tokens: Sequence[ShownToken]) -> list[tuple[float, int, float]]:
    """Place the boxes like words of a text: left end, number of the line, width."""
    places, left, line = [], 0.0, 0
    for token in tokens:
        written = [clip(text, 12) for text in (token.text, token.reads, token.label)]
        guess = (1.05 if token.is_right else 0.86) * len(token.guess) + 2.4 * token.is_right  # bold, with ✓
        width = max(*map(len, written), guess) + 2.6
        if left + width > _WIDE and left:
            left, line = 0.0, line + 1
        places.append((left, line, width))
        left += width + 1.0
    return places


def _axes(tokens: Sequence[ShownToken], guesses: Mapping[str, Guess]) -> tuple[Figure, list[Axes]]:
    lines = 1 + _lines(tokens[:MOST])[-1][1]
    high = 0.9 + 1.05 * lines
    with style():
        figure = plt.figure(figsize=(9.0, high + (2.4 if guesses else 0.0)))
        if not guesses:
            return figure, [figure.add_subplot()]
        grid = figure.add_gridspec(2, 2, height_ratios=[high, 2.4])
        places = (grid[0, :], grid[1, 0], grid[1, 1])
        return figure, [figure.add_subplot(place) for place in places]


def _draw_boxes(ax: Axes, tokens: Sequence[ShownToken], selected: int | None) -> None:
    places = _lines(tokens)
    with style():
        for index, (token, (left, line, width)) in enumerate(zip(tokens, places, strict=True)):
            face, edge, hatch = _LOOKS[token.outcome]
            top = -line * (_TALL + 0.7)
            box = FancyBboxPatch(
                (left, top - _TALL),
                width,
                _TALL,
                boxstyle="round,pad=0,rounding_size=0.6",
                facecolor=face,
                edgecolor=INK if index == selected else edge,
                linewidth=3.0 if index == selected else 1.5,
            )
            ax.add_patch(box)
            if hatch:
                ax.add_patch(
                    FancyBboxPatch(
                        (left, top - 0.35), width, 0.35, boxstyle="round,pad=0", facecolor=edge, linewidth=0
                    )
                )
            soft = token.outcome in ("special", "left")
            for row, (text, weight, size) in enumerate(
                (
                    (token.text, "normal", 11),
                    (token.reads, "bold", 11),
                    (token.label, "normal", 9),
                    (token.guess + " ✓" * token.is_right, "bold" if token.is_right else "normal", 9),
                )
            ):
                ax.text(
                    left + width / 2,
                    top - 0.75 - 1.25 * row,
                    "·" if row == 1 and soft else drawable(text if row == 3 else clip(text, 12)),
                    ha="center",
                    va="center",
                    fontsize=size,
                    weight=weight,
                    color="#59636e" if soft and row else INK,
                    parse_math=False,
                )
        ax.set(
            xlim=(-0.5, _WIDE + 0.5), ylim=(-(places[-1][1] + 1) * (_TALL + 0.7), 0.4), xticks=[], yticks=[]
        )
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.legend(
            handles=[
                Patch(facecolor=_LOOKS[name][0], edgecolor=_LOOKS[name][1], label=text, linewidth=1.5)
                for name, text in NAMES.items()
            ],
            ncols=3,
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            borderaxespad=0.0,
        )


def _draw_guess(ax: Axes, name: str, guess: Guess, truth: str) -> None:
    names = [token for token, _ in guess.top]
    colours = ["#0072b2" if token == truth else "#9aa2ac" for token in names]
    with style():
        bars = ax.barh(range(len(names)), [share for _, share in guess.top], color=colours)
        ax.bar_label(bars, [f"{share:.3f}" for _, share in guess.top], padding=4, fontsize=11)
        ax.set_yticks(range(len(names)), [drawable(clip(token, 14)) for token in names], parse_math=False)
        ax.invert_yaxis()
        ax.set(xlim=(0, 1.18), xticks=[0, 0.5, 1])
        ax.tick_params(axis="y", length=0)
        place = "in its place" if name == "before" else "hidden"
        ax.set_title(drawable(f"“{clip(truth, 14)}” {place}"), parse_math=False)
