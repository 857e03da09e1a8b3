"""The path of one tensor as a picture: a box for each shape, and between two boxes what was done.

A box is as high and as wide as the logarithms of its last two axes; the axes before them stack sheets behind
it. The axes stand under the box: × for sheets, ↓ down, → across, each in the colour of its name.
"""

from __future__ import annotations

import textwrap
from typing import cast

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import drawable
from bertviz_lite.trace.showing.figure.boxes import boxes_of
from bertviz_lite.trace.showing.figure.drawing import CELL, PER_ROW, draw, row_height
from bertviz_lite.trace.showing.figure.finding import alt_text, finding
from bertviz_lite.trace.showing.walk.route import route
from bertviz_lite.trace.steps.errors import TraceError
from bertviz_lite.trace.steps.recorded_pass import RecordedPass

_MOST = 8
_TITLE, _LEGEND = 0.32, 0.3  # inches, a line of the title and the line that explains a dashed arrow
_DASHED = "A dashed arrow begins at the box whose number stands under it, not at the box on its left."


class PathFigure(Figure):
    """A matplotlib figure that knows what is to be seen in it: ``show(figure, alt=figure.alt)``."""

    alt: str = ""


def figure(
    trace: RecordedPass,
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
    text: object = title
    if text is not None and not isinstance(text, str):
        raise TraceError(f"title={title!r}: a text is needed, or None.")
    way = route(trace, value)
    boxes = boxes_of(way, inside, most)
    named = title if title is not None else finding(trace, value, inside, boxes)
    rows = [boxes[first : first + PER_ROW] for first in range(0, len(boxes), PER_ROW)]
    longest = max((len(str(axis)) for box in boxes if box.value for axis in box.value.axes), default=0)
    width = max(CELL * min(PER_ROW, len(boxes)) + 0.5 + 0.085 * max(0, longest - 15), 8.0)
    heading = textwrap.wrap(drawable(named), int(width * 8.6))
    dashed = any(box.elsewhere(number) for number, box in enumerate(boxes))
    height = sum(map(row_height, rows)) + _TITLE * len(heading) + 0.2 + _LEGEND * dashed
    with style():
        made = cast("PathFigure", plt.figure(FigureClass=PathFigure, figsize=(width, height)))
        made.set_layout_engine("none")
        ax = made.add_axes((0.0, 0.0, 1.0, 1.0))
        ax.set(xlim=(0, width), ylim=(height, 0))
        ax.set_axis_off()
        for line, text in enumerate(heading):
            ax.text(0.15, 0.3 + _TITLE * line, text, fontsize=14, weight="bold", parse_math=False)
        draw(ax, boxes, top=_TITLE * len(heading) + 0.2)
        if dashed:
            ax.text(0.15, height - 0.12, _DASHED, fontsize=10, color="0.35", va="bottom")
    made.alt = alt_text(named, boxes)
    return made
