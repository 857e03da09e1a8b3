"""The path of one tensor as a picture: a box for each shape, and between two boxes what was done.

A box is as high and as wide as the logarithms of its last two axes; the axes before them stack sheets behind
it. The axes stand under the box: × for sheets, ↓ down, → across, each in the colour of its name.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING, cast

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle

from bertviz_lite.basics.text import clip
from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.lettering import drawable
from bertviz_lite.trace.recording.steps import TraceError
from bertviz_lite.trace.showing import words
from bertviz_lite.trace.showing.route import Route, route

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from bertviz_lite.trace.recording.steps import Axis, Step, Trace, Value

__all__ = ["AXIS_COLOURS", "PathFigure", "figure", "side"]

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
_MOST = 8
_PER_ROW = 4
# Inches: a box with its arrow, the longest side of a box, the height left for it, a line of text.
_CELL, _BOX, _ROOM, _LINE = 2.6, 1.2, 1.12, 0.2
_TITLE = 0.32  # inches, a line of the title
_SHEETS = 4


class PathFigure(Figure):
    """A matplotlib figure that knows what is to be seen in it: ``show(figure, alt=figure.alt)``."""

    alt: str = ""


@dataclass(frozen=True)
class _Box:
    """One shape of the path, and what led to it."""

    text: str
    note: str
    value: Value | None
    sources: tuple[int, ...]
    """The numbers of the boxes that it is made from."""
    failed: bool = False


def figure(
    trace: Trace,
    value: str = "input_ids",
    *,
    inside: str | None = None,
    most: int = _MOST,
    title: str | None = None,
) -> PathFigure:
    """Draw the path of one tensor as boxes, left to right and row by row.

    Steps that keep the shape are written on one arrow; modules in a row that are truly equal are one box.

    Parameters
    ----------
    trace
        What :func:`bertviz_lite.trace` returns.
    value
        What is followed: an input, a parameter, or the path of a module, whose output it then is.
    inside
        The path of a module: only what happens in it is drawn, operation by operation. By default modules
        are drawn, the inner ones where there is room.
    most
        About how many boxes there are at the most, where whole modules are drawn.
    title
        The finding, in a sentence; by default which axes the tensor gains, or why the pass failed.

    Returns
    -------
    PathFigure
        A matplotlib figure; its attribute ``alt`` says in words what is to be seen.

    Raises
    ------
    TraceError
        One line, if nothing in the trace has that name, or the path does not lead through `inside`.
    """
    given: object = most  # whatever its type says
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise TraceError(f"most={most!r}: a whole number from 1 is needed, the boxes that may be drawn.")
    way = route(trace, value)
    boxes = _boxes(way, inside, most)
    named = title if title is not None else _finding(trace, value, inside, boxes)
    rows = [boxes[first : first + _PER_ROW] for first in range(0, len(boxes), _PER_ROW)]
    longest = max((len(str(axis)) for box in boxes if box.value for axis in box.value.axes), default=0)
    width = max(_CELL * min(_PER_ROW, len(boxes)) + 0.5 + 0.085 * max(0, longest - 15), 8.0)
    heading = textwrap.wrap(drawable(named), int(width * 8.6))
    height = sum(map(_height, rows)) + _TITLE * len(heading) + 0.2
    with style():
        made = cast("PathFigure", plt.figure(FigureClass=PathFigure, figsize=(width, height)))
        made.set_layout_engine("none")
        ax = made.add_axes((0.0, 0.0, 1.0, 1.0))
        ax.set(xlim=(0, width), ylim=(height, 0))
        ax.set_axis_off()
        for line, text in enumerate(heading):
            ax.text(0.15, 0.3 + _TITLE * line, text, fontsize=14, weight="bold", parse_math=False)
        _draw(ax, boxes, top=_TITLE * len(heading) + 0.2)
    made.alt = _alt(named, boxes)
    return made


def side(size: int, largest: int) -> float:
    """Return how long the side of an axis is drawn, from 0 to 1: by the logarithm of its size.

    >>> side(1, 1024), side(1024, 1024)
    (0.12, 1.0)
    """
    return 0.12 + 0.88 * log2(max(size, 1)) / max(log2(max(largest, 2)), 1.0)


# ---- from steps to boxes


def _boxes(way: Route, inside: str | None, most: int) -> list[_Box]:
    if inside is None:
        closed, within = way.summary(most), None
        start = way.start[0] if way.start else None
    else:
        within = _module(way, inside)
        closed = frozenset(step.index for step in way.modules if step.index != within.index)
        start = way.hops[within.index].before
    made = {start.id: 0} if start is not None else {}
    boxes = [_Box(_label(way, inside, start), "", start, ())]
    stops = way.stops(closed, within) if within is not None else way.stops(closed)
    for group in words.grouped(way.trace, stops):
        _add(boxes, made, way, group.steps)
    return boxes


def _module(way: Route, path: str) -> Step:
    for step in way.steps:
        if step.kind == "module" and step.path == path and way.inside(step):
            return step
    known = [step.path for step in way.modules if step.path]
    some = ", ".join(map(repr, known[:3])) or "no module that holds steps"
    raise TraceError(f"inside={path!r}: {way.name} does not go through it; it goes through {some}, ….")


def _label(way: Route, inside: str | None, start: Value | None) -> str:
    if inside is None or (start is not None and start.label):
        return start.label if start is not None and start.label else way.name
    short = re.search(r"[^.]*(\.\d+)?$", inside)
    return f"into {short[0] if short else inside}"


def _add(boxes: list[_Box], made: dict[int, int], way: Route, steps: tuple[Step, ...]) -> None:
    """Put a step, or equal ones in a row, into a box of their own, or onto the arrow of the last one."""
    step, last = steps[0], steps[-1]
    after = way.hops[last.index].after
    given = (*step.inputs, *step.weights)
    sources = tuple(sorted({made[value.id] for value in given if value.id in made}))
    failed = step.index in words.failing(way.trace)
    text, note = _words(way.trace, steps)
    before = boxes[-1]
    small = step.kind == "operation" or not way.inside(step)
    keeps = after is not None and before.value is not None and str(after) == str(before.value)
    number = len(boxes) - 1
    if small and keeps and not failed and sources == (number,) and number > 0 and before.note == "":
        boxes[-1] = _Box(f"{before.text}, {text}", "", after, before.sources)
    else:
        boxes.append(_Box(text, note, None if failed else after, sources, failed))
        number += 1
    for one in steps:
        for value in one.outputs:
            made[value.id] = number


def _words(trace: Trace, steps: tuple[Step, ...]) -> tuple[str, str]:
    """Return what stands on an arrow: in bold, and under it."""
    step = steps[0]
    if step.kind == "operation":
        return step.name, ""
    parent = None if step.parent is None else trace.steps[step.parent]
    names = [words.own_name(one, parent) for one in steps]
    if not names[0] or names[0].isdigit() or names[0].startswith("("):
        many = f"{len(steps)} times" if len(steps) > 1 else ""
        return step.name, many  # a bare number, or no name of its own, says nothing
    if len(steps) > 1:
        text = names[0] if names[0] == names[-1] else f"{names[0]} … {names[-1]}"
        return text, f"{len(steps)} × {step.name}"
    return names[0], step.name if step.last > step.index + 1 else ""


def _finding(trace: Trace, name: str, inside: str | None, boxes: Sequence[_Box]) -> str:
    if trace.failure is not None and any(box.failed for box in boxes):
        return f"✗ {trace.failure.message}"
    what = name if inside is None else f"Inside {inside}, the tensor"
    start = boxes[0].value
    had = {axis.name for axis in start.axes} if start is not None else set()
    gains = []
    for box in boxes[1:]:
        new = [
            axis.name for axis in (box.value.axes if box.value else ()) if axis.name and axis.name not in had
        ]
        had |= set(new)
        if new:
            gains.append(f"{' and '.join(new)} ({_plain(box.text)})")
    if not gains:
        kinds = [str(box.value) for box in boxes if box.value is not None]
        return f"{what} goes from {kinds[0]} to {kinds[-1]}" if kinds else f"The path of {what}"
    return f"{what} gains {', then '.join(gains)}"


def _plain(text: str) -> str:
    """Return the first operation without what it is given: "view" of "view(2, 7, 4, 32), contiguous"."""
    return clip(re.sub(r"(?<=\w)\(.*?\)", "", text).split(", ")[0], 30)


def _alt(title: str, boxes: Sequence[_Box]) -> str:
    parts = []
    for number, box in enumerate(boxes[1:], 1):
        where = f" {_origin(box)}" if box.sources != (number - 1,) and box.sources else ""
        note = f" ({box.note})" if box.note else ""
        result = "fails" if box.failed else f"gives {box.value}" if box.value else "gives no tensor"
        parts.append(f"{box.text}{note}{where} {result}")
    start = f"Boxes from left to right: {boxes[0].text} {boxes[0].value or ''}"
    return f"{title.rstrip('.')}. {'; '.join([start, *parts])}."


def _origin(box: _Box) -> str:
    """Return where a box comes from, in words: "from boxes 2 and 5"."""
    numbers = [str(source + 1) for source in box.sources]
    if len(numbers) == 1:
        return f"from box {numbers[0]}"
    return f"from boxes {', '.join(numbers[:-1])} and {numbers[-1]}"


# ---- drawing


def _height(row: Sequence[_Box]) -> float:
    most = max(len(box.value.axes) if box.value is not None else 1 for box in row)
    return 0.25 + _ROOM + _LINE * most


def _draw(ax: Axes, boxes: Sequence[_Box], top: float) -> None:
    largest = max((axis.size for box in boxes if box.value for axis in box.value.axes[-2:]), default=2)
    branches = {
        source for number, box in enumerate(boxes) if box.sources != (number - 1,) for source in box.sources
    }
    for number, box in enumerate(boxes):
        row, column = divmod(number, _PER_ROW)
        if number and column == 0:
            top += _height(boxes[_PER_ROW * (row - 1) : _PER_ROW * row])
        x, middle = _CELL * column + 0.1, top + 0.1 + _ROOM / 2
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


def _arrow(ax: Axes, x: float, y: float, box: _Box, number: int) -> None:
    colour = _FAILED if box.failed else INK
    branch = box.sources != (number - 1,)
    arrow = FancyArrowPatch(
        (x + 0.02, y),
        (x + 1.1, y),
        arrowstyle="-|>",
        mutation_scale=14,
        linewidth=1.6,
        color=colour,
        linestyle="--" if branch else "-",
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
    notes = [_origin(box).replace("boxes ", "")] if branch and box.sources else []
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
    pieces = re.findall(r"\s+|\([^()]*\),?|[A-Z]*(?:[^\sA-Z_.()]|\.(?=\d))*[_.]?", drawable(text))
    lines = [""]
    for piece in filter(None, pieces):
        if lines[-1].strip() and len(lines[-1].rstrip()) + len(piece.strip()) > letters:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
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
