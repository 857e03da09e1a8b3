"""Pictures of chapter 08 in boxes: a lens at every token, or with two clues; gaps filled in two ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from bertviz_lite.basics.text import clip
from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.heat_maps import draw_cells
from bertviz_lite.plots.lettering import bare, colour_bar, drawable, headline, write, write_ticks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["lens_at_every_token", "lens_by_clue", "two_ways_to_fill"]

_LETTERS = 9
"""Of a word in a cell: more would touch its neighbour's."""
_WHITE_FROM = 0.55
_WIDE, _HIGH, _GAP = 0.74, 0.4, 0.07
"""A box and the room beside it, in inches."""
_INK, _SOFT = "#1a1a1a", "#59636e"
_GIVEN = {"facecolor": "#eef1f4", "edgecolor": "#d1d9e0"}
_SAID = {"facecolor": CYCLE[1], "edgecolor": CYCLE[1]}
_KEPT = {"facecolor": "#fbdcc6", "edgecolor": CYCLE[1]}
_EMPTY = {"facecolor": "white", "edgecolor": _SOFT, "linestyle": "--"}


def lens_at_every_token(
    words: Sequence[Sequence[str]],
    probabilities: npt.ArrayLike,
    tokens: Sequence[str],
    framed: Iterable[tuple[int, int]],
    *,
    title: str = "",
) -> Axes:
    """Draw a logit lens at every token: from the input, below, up to the last layer, the likeliest word.

    Parameters
    ----------
    words
        The likeliest word at each height and token, (layers + 1, seq_len); row 0 is of the input.
    probabilities
        Theirs, shape (layers + 1, seq_len): the darker a cell, the likelier.
    tokens
        Of the text, left to right.
    framed
        The cells that get a frame, each by its height and its token's number.
    title
        The finding, in a sentence.
    """
    shares = np.asarray(probabilities, np.float64)
    high, wide = shares.shape
    with style():
        figure, ax = plt.subplots(figsize=(11.0, 0.48 * high + 1.5))
        image = draw_cells(ax, shares, 1.0, aspect="auto", signed=False)
        ax.invert_yaxis()  # the input below, as in the drawing of a model
        for edges, line in ((wide, ax.axvline), (high, ax.axhline)):
            for edge in range(1, edges):
                line(edge - 0.5, color="white", linewidth=1.5)
        for (row, column), share in np.ndenumerate(shares):
            colour = "white" if share > _WHITE_FROM else _INK
            write(ax, column, row, drawable(clip(words[row][column], _LETTERS)), color=colour, size=10.5)
        frame: dict[str, Any] = {"fill": False, "edgecolor": CYCLE[1], "linewidth": 3, "clip_on": False}
        for row, column in framed:
            ax.add_patch(Rectangle((column - 0.45, row - 0.43), 0.9, 0.86, zorder=3, **frame))
        write_ticks(ax.xaxis, range(wide), tokens)
        write_ticks(ax.yaxis, range(high), ["input", *map(str, range(high - 1))])
        ax.set_ylabel("after layer")
        bare(ax)
        colour_bar(ax, image, "its probability", pad=0.02)
        headline(figure, title)
    return ax


def lens_by_clue(
    firsts: Mapping[str, Sequence[tuple[str, float]]], right: Mapping[str, str], *, title: str = ""
) -> Axes:
    """Draw a logit lens at one gap, a row of boxes for each clue, from the input up to the last layer.

    Parameters
    ----------
    firsts
        By clue: the likeliest word and its probability at each height; the first is of the input.
    right
        By clue: the word that is right. Each has a colour of its own, in whichever row it stands.
    title
        The finding, in a sentence.
    """
    colours = dict(zip(dict.fromkeys(right.values()), CYCLE, strict=False))
    high = len(next(iter(firsts.values())))
    left, wide, tall, gap = 1.4, 1.4, 0.66, 0.14
    heads = ["input", *(f"after layer {layer}" for layer in range(high - 1))]
    end, foot = left + high * (wide + gap), -0.45 - len(firsts) * (tall + 0.2)
    with style():
        figure, ax = plt.subplots(figsize=(end + 0.1, 0.7 - foot))
        for number, head in enumerate(heads):
            write(ax, left + number * (wide + gap) + wide / 2, -0.2, head, color=_SOFT)
        for row, (clue, words) in enumerate(firsts.items()):
            top = -0.45 - row * (tall + 0.2)
            y = top - tall / 2
            write(ax, left - 0.2, y + 0.13, clue, ha="right", weight="bold")
            write(ax, left - 0.2, y - 0.15, f"right: {right[clue]}", ha="right", color=_SOFT, size=10.5)
            for number, (word, share) in enumerate(words):
                x = left + number * (wide + gap)
                known = colours.get(word)
                look = {"facecolor": known, "edgecolor": known} if known else _GIVEN
                box = Rectangle((x, top - tall), wide, tall, linewidth=1.5)
                box.set(**look)
                ax.add_patch(box)
                ink = "white" if known else _INK
                said = drawable(clip(word, _LETTERS))
                write(ax, x + wide / 2, y + 0.13, said, color=ink, weight="bold", size=13)
                write(ax, x + wide / 2, y - 0.17, f"{share:.2f}", color=ink, size=10.5)
        ax.set(xlim=(0, end), ylim=(foot, 0.0))
        ax.set_axis_off()
        headline(figure, title)
    return ax


def two_ways_to_fill(
    before: Sequence[str],
    at_once: Sequence[str],
    one_by_one: Sequence[str],
    after: Sequence[str],
    *,
    title: str = "",
) -> Axes:
    """Draw gaps that are filled in one pass, on the left, and in as many passes as there are gaps.

    Parameters
    ----------
    before, after
        The tokens around the gaps.
    at_once, one_by_one
        The words that each way puts into them, as many as there are gaps.
    title
        The finding, in a sentence.
    """
    gaps = len(at_once)
    count = len(before) + gaps + len(after)
    step = _WIDE + _GAP
    right = count * step + 1.35
    rows = [-0.75 - 0.62 * number for number in range(gaps)]
    empty = ["[MASK]"] * gaps
    end = right + count * step
    with style():
        figure, ax = plt.subplots(figsize=(end + 0.1, 0.75 - rows[-1]))
        heading = {"ha": "left", "weight": "bold", "color": CYCLE[0]}
        write(ax, 0.0, -0.2, "all at once: one pass", **heading)
        write(ax, right, -0.2, f"one by one: {gaps} passes", **heading)
        looks = [_GIVEN] * len(before) + [_EMPTY] * gaps + [_GIVEN] * len(after)
        _boxes(ax, 0.0, rows[-1], [*before, *empty, *after], looks)
        first = len(before) * step
        _boxes(ax, first, rows[0], at_once, [_SAID] * gaps)
        for number in range(gaps):
            x = first + number * step + _WIDE / 2
            arrow = {"arrowstyle": "-|>", "color": _INK, "linewidth": 1.5}
            ends = (x, rows[0] - _HIGH / 2 - 0.03), (x, rows[-1] + _HIGH / 2 + 0.03)
            ax.annotate("", *ends, arrowprops=arrow)
        for number, y in enumerate(rows):
            said = [*one_by_one[: number + 1], *empty[number + 1 :]]
            looks = [_GIVEN] * len(before) + [_KEPT] * number + [_SAID]
            looks += [_EMPTY] * (gaps - number - 1) + [_GIVEN] * len(after)
            _boxes(ax, right, y, [*before, *said, *after], looks)
            write(ax, right - 0.12, y, f"pass {number + 1}", ha="right", color=_SOFT)
        ax.set(xlim=(-0.05, end), ylim=(rows[-1] - 0.3, 0.0))
        ax.set_axis_off()
        headline(figure, title)
    return ax


def _boxes(ax: Axes, x: float, y: float, words: Sequence[str], looks: Sequence[dict[str, Any]]) -> None:
    """Draw words in a row, each in a box of its own look; the first begins at `x`, their middle is at `y`."""
    for number, (word, look) in enumerate(zip(words, looks, strict=True)):
        left = x + number * (_WIDE + _GAP)
        ax.add_patch(Rectangle((left, y - _HIGH / 2), _WIDE, _HIGH, linewidth=1.5, **look))
        colour = "white" if look is _SAID else _SOFT if look is _EMPTY else _INK
        weight = "bold" if look is _SAID else "normal"
        write(ax, left + _WIDE / 2, y, drawable(word), color=colour, weight=weight, size=10.5)
