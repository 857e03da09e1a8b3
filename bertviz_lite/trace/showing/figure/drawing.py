"""Draw boxes and arrows with matplotlib."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log2

from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Rectangle

from bertviz_lite.basics.text import clip
from bertviz_lite.plots.course_style import CYCLE, INK
from bertviz_lite.plots.lettering import drawable
from bertviz_lite.trace.showing.figure.boxes import Box
from bertviz_lite.trace.showing.figure.finding import origin
from bertviz_lite.trace.steps.values import Axis, Value

AXIS_COLOURS = {
    "batch": CYCLE[6],
    "seq_len": CYCLE[0],
    "hidden_size": CYCLE[1],
    "num_heads": CYCLE[2],
    "head_size": CYCLE[3],
    "intermediate_size": CYCLE[4],
    "vocab_size": CYCLE[5],
}
"""The colour of an axis name, the same in every figure and view; other names are dark grey."""


_OTHER, _SOFT, _FAILED = "#3b4350", "#59636e", "#b42318"


PER_ROW = 4


# Inches: a box with its arrow, the longest side of a box, the height left for it, a line of text.
CELL, _BOX, _ROOM, _LINE = 2.6, 1.2, 1.12, 0.2


_SHEETS = 4


def side(size: int, largest: int) -> float:
    """Return how long the side of an axis is drawn, from 0 to 1: by the logarithm of its size.

    >>> side(1, 1024), side(1024, 1024)
    (0.12, 1.0)
    """
    return 0.12 + 0.88 * log2(max(size, 1)) / max(log2(max(largest, 2)), 1.0)


def row_height(row: Sequence[Box]) -> float:
    """Return the height of a row of boxes, in inches."""
    most = max(len(box.value.axes) if box.value is not None else 1 for box in row)
    return 0.25 + _ROOM + _LINE * most


def draw(ax: Axes, boxes: Sequence[Box], top: float) -> None:
    """Draw the boxes row by row, from `top` on, with the arrows between them."""
    largest = max((axis.size for box in boxes if box.value for axis in box.value.axes[-2:]), default=2)
    branches = {source for number, box in enumerate(boxes) for source in box.elsewhere(number)}
    for number, box in enumerate(boxes):
        row, column = divmod(number, PER_ROW)
        if number and column == 0:
            top += row_height(boxes[PER_ROW * (row - 1) : PER_ROW * row])
        x, middle = CELL * column + 0.1, top + 0.1 + _ROOM / 2
        centre = (x + 1.88, middle)
        if number:
            _arrow(ax, x, middle, box, number)
        else:
            text = "\n".join(_broken(box.text, 14))
            ax.text(x + 0.05, middle, text, weight="bold", fontsize=12, va="center", parse_math=False)
        if box.value is not None:
            _tensor(ax, centre, box.value, largest)
        elif box.failed:
            ax.text(
                *centre, "✗ failed\nhere", color=_FAILED, weight="bold", fontsize=13, ha="center", va="center"
            )
        if number in branches:
            ax.text(
                x + 1.28,
                top + 0.16,
                str(number + 1),
                fontsize=10,
                ha="center",
                va="center",
                color=INK,
                bbox={"boxstyle": "circle,pad=0.2", "facecolor": "white", "edgecolor": _SOFT},
            )


def _arrow(ax: Axes, x: float, y: float, box: Box, number: int) -> None:
    colour = _FAILED if box.failed else INK
    arrow = FancyArrowPatch(
        (x + 0.02, y),
        (x + 1.1, y),
        arrowstyle="-|>",
        mutation_scale=14,
        linewidth=1.6,
        color=colour,
        linestyle="-" if box.sources == (number - 1,) else "--",
        shrinkA=0,
        shrinkB=0,
    )
    ax.add_patch(arrow)
    lines = _broken(box.text, 14)
    if len(lines) > 4:
        lines = [*lines[:3], f"{lines[3].rstrip(',')} …"]
    ax.text(
        x + 0.54,
        y - 0.07,
        "\n".join(lines),
        weight="bold",
        fontsize=10.5 if len(lines) < 4 else 9.5,
        ha="center",
        va="bottom",
        color=colour,
        parse_math=False,
        linespacing=1.05,
    )
    notes = [origin(box).replace("boxes ", "")] if box.elsewhere(number) else []
    notes += _broken(box.note, 15)[:2] if box.note else []
    ax.text(
        x + 0.54,
        y + 0.1,
        "\n".join(notes),
        fontsize=9.5,
        ha="center",
        va="top",
        color=_SOFT,
        parse_math=False,
    )


def _broken(text: str, letters: int) -> list[str]:
    """Break names at spaces, after dots and underscores, before capitals and brackets."""
    parts = re.findall(r"\s+|\([^()]*\),?|[A-Z]*(?:[^\sA-Z_.()]|\.(?=\d))*[_.]?", drawable(text))
    lines = [""]
    for part in filter(None, parts):
        if lines[-1].strip() and len(lines[-1].rstrip()) + len(part.strip()) > letters:
            lines.append("")
        lines[-1] += part if lines[-1] else part.lstrip()
    return [clip(line.strip(), letters + 4) for line in lines if line.strip()]


def _tensor(ax: Axes, centre: tuple[float, float], value: Value, largest: int) -> None:
    """Draw one shape: its last two axes as a box, the others as sheets behind it, all of them in words."""
    padded: list[Axis | None] = [None, None, *value.axes]
    *before, second, last = padded
    wide = _BOX * side(last.size, largest) if last is not None else 0.14
    high = 0.72 * _BOX * side(second.size, largest) if second is not None else 0.14
    leading = [axis for axis in before if axis is not None]
    sheets = min(_SHEETS, max((axis.size for axis in leading), default=1))
    left, low = centre[0] - wide / 2, centre[1] + (high + 0.055 * (sheets - 1)) / 2
    paint = _colour(leading[-1]) if leading else INK
    for sheet in range(sheets - 1, -1, -1):
        shift = 0.055 * sheet
        paper = Rectangle(
            (left + shift, low - high - shift),
            wide,
            high,
            facecolor="#f3f5f7",
            edgecolor=paint if sheet else _SOFT,
            linewidth=1.3 if sheet else 0.8,
            zorder=3 - 0.1 * sheet,
        )
        ax.add_patch(paper)
    if last is not None:
        ax.plot([left, left + wide], [low, low], color=_colour(last), linewidth=5, zorder=4)
    if second is not None:
        ax.plot([left, left], [low - high, low], color=_colour(second), linewidth=5, zorder=4)
    signs = ["×"] * len(leading) + ["↓"] * (second is not None) + ["→"] * (last is not None)
    y = centre[1] + _ROOM / 2 + 0.1
    for line, (sign, axis) in enumerate(zip(signs, value.axes, strict=True)):
        place = y + _LINE * line
        ax.add_patch(Rectangle((centre[0] - 0.62, place - 0.055), 0.11, 0.11, color=_colour(axis)))
        ax.text(centre[0] - 0.46, place, f"{sign} {axis}", fontsize=10.5, va="center", parse_math=False)
    if not value.axes:
        ax.text(centre[0], y, "one number", fontsize=10.5, ha="center", va="center")


def _colour(axis: Axis) -> str:
    return AXIS_COLOURS.get(axis.name or "", _OTHER)
