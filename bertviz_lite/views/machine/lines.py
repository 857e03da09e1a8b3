"""The lines of the picture of the machine. Those of the page are in ``js/map/routes.js``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.patches import PathPatch, Polygon
from matplotlib.path import Path

from bertviz_lite.views.machine.places import BOXES_AT, FRAMES_AT, LAYER, PORTS, SIDE, TRUNK, Place

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np
    from matplotlib.axes import Axes

    Point = tuple[float, float]

__all__ = ["WORDS_AT", "draw_lines", "draw_wedge"]

_COLOUR, _SHARED = "#8c959f", "#0072b2"
_HEAD, _TURN, _GAP = 4.0, 6.0, 8.0

_STEPS = (
    *(("query", "weights", 0.35), ("key", "weights", 0.6), ("weights", "context", 0.4)),
    *(("context", "projected", 0.5), ("projected", "attended", 0.5)),
    *(("up", "activated", 0.5), ("activated", "down", 0.5), ("down", "output", 0.5)),
    *(("transform", "words", 0.5), ("pooler", "verdict", 0.5)),
)
_FROM_PORTS = (("attention", ("query", "key", "value")), ("feed_forward", ("up",)))

_ABOVE = FRAMES_AT["attention"].top - _GAP - 2
_BETWEEN = (FRAMES_AT["attention"].bottom + FRAMES_AT["feed_forward"].top) / 2
_UNDER = FRAMES_AT["feed_forward"].bottom + _GAP
_LOW = FRAMES_AT["lm_head"].bottom + 12
_BRANCH = LAYER.bottom + 12

WORDS_AT = {
    "residual connection: + x": (182.0, _ABOVE),
    "attended": (182.0, _BETWEEN),
    "residual connection: + attended": (182.0, _UNDER),
    "the vector of [CLS] alone": (FRAMES_AT["pooler"].left + 22, _BRANCH),
    "tied: the same table": (48.0, _LOW),
}
"""What is written on lines, and where."""


def draw_lines(ax: Axes, *, is_tied: bool, missing: Collection[str] = ()) -> None:
    """Draw what leads from box to box; nothing leads to a box that the model lacks."""
    for start, end, share in _STEPS:
        if end in missing:
            continue
        from_box, to_box = BOXES_AT[start], BOXES_AT[end]
        _curve(ax, (from_box.right, from_box.middle[1]), (to_box.left, to_box.top + share * to_box.height))
    for port, names in _FROM_PORTS:
        x, y = PORTS[port]
        for name in names:
            _curve(ax, (x + 9, y), (BOXES_AT[name].left, BOXES_AT[name].middle[1]))
    value, weights, context = (BOXES_AT[name] for name in ("value", "weights", "context"))
    low = (weights.bottom + context.bottom) / 2
    _curve(ax, (value.right, value.middle[1]), (weights.left, low), head=False)
    _path(ax, [(weights.left, low), (context.left, low)], head="right")
    attended, output = BOXES_AT["attended"], BOXES_AT["output"]
    (first_x, first_y), (second_x, second_y) = PORTS["attention"], PORTS["feed_forward"]
    _around(ax, (first_x, first_y - 9), _ABOVE, (attended.middle[0], attended.top))
    _around(ax, (attended.middle[0], attended.bottom), _BETWEEN, (second_x, second_y - 5))
    _around(ax, (second_x, second_y + 5), _UNDER, (output.middle[0], output.bottom))
    for frame, above in (
        ("embeddings", FRAMES_AT["tokens"]),
        ("", FRAMES_AT["embeddings"]),
        ("lm_head", LAYER),
    ):
        top = FRAMES_AT[frame].top if frame else LAYER.top
        if frame == "lm_head" and "transform" in missing:
            continue
        _path(ax, [(TRUNK, above.bottom), (TRUNK, top)], head="down", width=2.2)
    if "pooler" not in missing:
        pooler = FRAMES_AT["pooler"].left + 14
        stem = [(TRUNK, LAYER.bottom)] if "transform" in missing else []
        points = [*stem, (TRUNK, _BRANCH), (pooler, _BRANCH), (pooler, FRAMES_AT["pooler"].top)]
        _path(ax, points, head="down")
    if is_tied:
        word, words = BOXES_AT["word"], BOXES_AT["words"]
        x, y = words.middle[0], word.middle[1]
        _path(
            ax,
            [(word.left, y), (SIDE, y), (SIDE, _LOW), (x, _LOW), (x, words.bottom)],
            colour=_SHARED,
            dashed=True,
        )


def draw_wedge(ax: Axes, chip: Place) -> None:
    """Draw what leads from the layer that is shown to its inside."""
    left, top, bottom = 130.0, LAYER.top + 32, LAYER.bottom - 8
    corners = [(chip.right, chip.top), (left, top), (left, bottom), (chip.right, chip.bottom)]
    ax.add_patch(Polygon(corners, closed=True, facecolor="#0550ae", alpha=0.14, edgecolor="none", zorder=1.6))


def _around(ax: Axes, start: Point, along: float, end: Point) -> None:
    head = "down" if end[1] > along else "up"
    _path(ax, [start, (start[0], along), (end[0], along), end], head=head)


def _curve(ax: Axes, start: Point, end: Point, *, head: bool = True) -> None:
    bend = (start[0] + end[0]) / 2
    points = [start, (bend, start[1]), (bend, end[1]), end]
    _stroke(ax, points, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
    if head:
        _arrow_head(ax, end, "right", _COLOUR)


def _path(
    ax: Axes,
    points: list[Point],
    *,
    head: str = "",
    colour: str = _COLOUR,
    dashed: bool = False,
    width: float = 1.3,
) -> None:
    """Draw a line of several parts, with round corners."""
    vertices: list[Point] = [points[0]]
    codes: list[np.uint8] = [Path.MOVETO]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        vertices += [_towards(corner, before), corner, _towards(corner, after)]
        codes += [Path.LINETO, Path.CURVE3, Path.CURVE3]
    _stroke(ax, [*vertices, points[-1]], [*codes, Path.LINETO], colour=colour, dashed=dashed, width=width)
    if head:
        _arrow_head(ax, points[-1], head, colour, width)


def _towards(corner: Point, other: Point) -> Point:
    """Return the point a little way from a corner."""
    away = max(abs(other[0] - corner[0]), abs(other[1] - corner[1]))
    share = min(1.0, _TURN / away) if away else 0.0
    return corner[0] + share * (other[0] - corner[0]), corner[1] + share * (other[1] - corner[1])


def _stroke(
    ax: Axes,
    points: list[Point],
    codes: Sequence[np.uint8],
    *,
    colour: str = _COLOUR,
    dashed: bool = False,
    width: float = 1.3,
) -> None:
    look = {"facecolor": "none", "edgecolor": colour, "linewidth": width, "zorder": 2.5}
    ax.add_patch(PathPatch(Path(points, codes), linestyle=(0, (4, 2.4)) if dashed else "-", **look))


def _arrow_head(ax: Axes, end: Point, way: str, colour: str, width: float = 1.3) -> None:
    x, y = end
    size = _HEAD + 0.6 * (width - 1)
    back, side = {
        "right": ((-size, 0), (0, size)),
        "down": ((0, -size), (size, 0)),
        "up": ((0, size), (size, 0)),
    }[way]
    corners = [(x + back[0] + sign * side[0], y + back[1] + sign * side[1]) for sign in (1, -1)]
    _stroke(
        ax, [corners[0], end, corners[1]], [Path.MOVETO, Path.LINETO, Path.LINETO], colour=colour, width=width
    )
