"""The map of the machine as a figure: frames, boxes with colours, signs between them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import FancyBboxPatch

from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.views.machine.boxes import BOXES, GROUPS, Box

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    from bertviz_lite.views.machine.shown import Shown

    Floats = npt.NDArray[np.float32]

__all__ = ["draw"]

# So many that the picture stays small: a fine grid of many colours is what a PNG cannot compress.
_COLOURS, _CELL = 13, 3.2

# The page's colours (views/base/common.css), in its light theme.
_SOFT, _LINE, _RAISED, _FOCUS, _SEGMENT = "#59636e", "#d1d9e0", "#f3f5f7", "#0550ae", "#00875f"
_SIGNED = LinearSegmentedColormap.from_list("page", ["#2166ac", "#ffffff", "#d66028"], _COLOURS)
_SHARES = LinearSegmentedColormap.from_list("shares", ["#ffffff", "#2166ac"], _COLOURS)

_WIDTH, _HEIGHT = 11.2, 6.36  # inches; places below are in hundredths of an inch
_RIGHT = 100 * _WIDTH - 12
_BOX, _GAP, _HEAD, _TALL = 62, 16, 22, 34
"""Height of a box without its axes, between boxes, of a frame's heading, of colours."""

_ROWS = ("embeddings",), ("attention",), ("feed_forward",), ("lm_head", "pooler", "nsp_head")
_GROW = {"up": 1.25, "activated": 1.25, "words": 1.5, "lm_head": 2.5, "nsp_head": 1.2}
_MOST_TOKENS = 16


def draw(shown: Shown) -> Figure:
    """Return the map with the numbers of a text."""
    with style():
        figure = plt.figure(figsize=(_WIDTH, _HEIGHT), layout="none")
        ax = figure.add_axes((0, 0, 1, 1))
        ax.set(xlim=(0, 100 * _WIDTH), ylim=(100 * _HEIGHT, 0))
        ax.set_axis_off()
        _tokens(ax, shown)
        top = 92.0
        for number, groups in enumerate(_ROWS):
            if number == 1:
                _layer_frame(ax, shown, top)
            left = 100.0 if number in (1, 2) else 12.0
            _row(ax, shown, groups, (left, _RIGHT - (8 if number in (1, 2) else 0)), top)
            if number in (0, 2):
                _arrow(ax, 30, top + _row_height(groups[0]) + (8 if number == 2 else 0))
            top += _row_height(groups[0]) + (8 if number == 1 else 30 if number == 2 else 22)
        note = (
            "after the last layer"
            if shown.layer == shown.num_layers - 1
            else (f"on through layer {shown.layer + 1} … {shown.num_layers - 1}")
        )
        _text(ax, 44, top - _row_height("lm_head") - 22 - 9, note, size=9, color=_SOFT)
    return figure


def _box_height(group: str) -> float:
    return _BOX + (26 if group == "attention" else 12)  # where boxes are narrow, shapes take two lines


def _row_height(group: str) -> float:
    return _HEAD + _box_height(group) + 12 + (16 if group in ("attention", "feed_forward") else 0)


def _tokens(ax: Axes, shown: Shown) -> None:
    facts = shown.facts
    _frame(ax, (12, 10), (_RIGHT - 12, 56), is_here=shown.here == "tokens")
    x = _end(_text(ax, 22, 30, GROUPS[0].name, weight="bold")) + 14
    chapter = _text(ax, 22, 49, "chapter 01", size=9, color=_SOFT)
    if shown.here == "tokens":
        _here(ax, _end(chapter) + 14, 49)
    for number, (token, own_id) in enumerate(zip(facts["tokens"], facts["input_ids"], strict=True)):
        width = 14 + 8.2 * max(len(token), len(str(own_id)))
        if number >= _MOST_TOKENS or x + width > _RIGHT - 24:
            _text(ax, x + 4, 38, "…", color=_SOFT)
            break
        is_second = facts["segments"][number] == 1
        _frame(ax, (x, 16), (width, 44), is_here=number == shown.token, face=_RAISED)
        if is_second:
            ax.plot([x + 3, x + width - 3], [60, 60], color=_SEGMENT, linewidth=2.5)
        _text(ax, x + width / 2, 30, token, ha="center", size=10)
        _text(ax, x + width / 2, 48, str(own_id), ha="center", size=9, color=_SOFT)
        x += width + 5
    _arrow(ax, 30, 68)


def _layer_frame(ax: Axes, shown: Shown, top: float) -> None:
    height = _row_height("attention") + _row_height("feed_forward") + 8 + 12
    _frame(ax, (12, top - 6), (_RIGHT - 12, height), face=_RAISED, line=_RAISED)
    _text(ax, 54, top + 14, "Layer", weight="bold", ha="center")
    _text(ax, 54, top + 52, str(shown.layer), ha="center", size=24, color=_FOCUS)
    _text(ax, 54, top + 82, f"of {shown.num_layers}: 0", ha="center", size=9, color=_SOFT)
    _text(ax, 54, top + 97, f"to {shown.num_layers - 1}, one", ha="center", size=9, color=_SOFT)
    _text(ax, 54, top + 112, "after another", ha="center", size=9, color=_SOFT)


def _row(ax: Axes, shown: Shown, groups: Sequence[str], span: tuple[float, float], top: float) -> None:
    left, right = span
    grow = [_GROW.get(group, 1.0) for group in groups]
    room = right - left - 8 * (len(groups) - 1)
    for group, share in zip(groups, grow, strict=True):
        width = room * share / sum(grow)
        _group(ax, shown, group, (left, top, width))
        left += width + 8


def _group(ax: Axes, shown: Shown, name: str, place: tuple[float, float, float]) -> None:
    left, top, width = place
    group = next(one for one in GROUPS if one.id == name)
    boxes = [box for box in BOXES if box.group == name]
    is_here = shown.here == name or (len(boxes) == 1 and shown.here == boxes[0].id)
    _frame(ax, (left, top), (width, _row_height(name) - 4), is_here=is_here)
    chapters = list(dict.fromkeys(box.chapter for box in boxes))
    title = _text(ax, left + 9, top + 14, group.name, weight="bold")
    words = f"chapter{'s' * (len(chapters) > 1)} {', '.join(chapters)}"
    chapter = _text(ax, _end(title) + 10, top + 14, words, size=9, color=_SOFT)
    if is_here or shown.here in [box.id for box in boxes]:
        _here(ax, _end(chapter) + 14, top + 14)
    in_layer = name in ("attention", "feed_forward")
    signs = [("x" if in_layer else "") if number == 0 else box.before for number, box in enumerate(boxes)]
    if name == "nsp_head":
        signs[0] = "→"
    grow = [_GROW.get(box.id, 1.0) for box in boxes]
    gaps = [_GAP if sign else 0 for sign in signs]
    room = width - 16 - sum(gaps)
    x, centres = left + 8, []
    for box, sign, gap, share in zip(boxes, signs, gaps, grow, strict=True):
        _text(ax, x + gap / 2, top + _HEAD + 34, sign, ha="center", color=_SOFT)
        x += gap
        own = room * share / sum(grow)
        _box(ax, shown, box, (x, top + _HEAD, own), is_here=not is_here and shown.here == box.id)
        centres.append(x + own / 2)
        x += own
    if in_layer:
        _residual(ax, left + 8 + _GAP / 2, centres[-1], top + _HEAD + _box_height(name) + 4)


def _box(ax: Axes, shown: Shown, box: Box, place: tuple[float, float, float], *, is_here: bool) -> None:
    left, top, width = place
    _frame(ax, (left, top), (width, _box_height(box.group)), is_here=is_here, face=_RAISED)
    _text(ax, left + 6, top + 11, box.name, weight="bold", size=9.5)
    lines = [f"{name} {size:,}" for name, size in shown.shape(box)]
    if len(lines) == 3:
        lines = [lines[0] + " ×", f"{lines[1]} × {lines[2]}"]
    elif len(lines) == 2 and width < 190:
        lines[0] += " ×"
    else:
        lines = [" × ".join(lines)]
    for number, line in enumerate(lines):
        _text(ax, left + 6, top + _BOX + 1 + 14 * number, line, size=8.5, color=_SOFT)
    inner = (left + 6, left + width - 6, top + 21 + _TALL, top + 21)
    if box.id in ("words", "verdict"):
        for number, line in enumerate(shown.answer(box)):
            _text(ax, left + 6, top + 31 + 15 * number, line, size=10)
    elif box.id not in shown.arrays:
        _text(ax, left + 6, top + 38, "not in this model", size=9, color=_SOFT)
    elif box.id == "weights":
        _heads(ax, shown.arrays[box.id], inner)
    else:
        rows = np.atleast_2d(shown.arrays[box.id])
        limit = float(np.percentile(np.abs(rows), 99)) or 1.0
        cells = _pooled(rows[:_MOST_TOKENS], int(width / _CELL))
        ax.imshow(
            cells,
            cmap=_SIGNED,
            vmin=-limit,
            vmax=limit,
            extent=inner,
            aspect="auto",
            interpolation="none",
            zorder=3,
        )


def _pooled(rows: Floats, most: int) -> Floats:
    """Return at most so many columns: of neighbours the number that is farthest from 0, as on the page."""
    edges = np.linspace(0, rows.shape[1], min(most, rows.shape[1]) + 1).astype(int)
    stretches = [rows[:, start:stop] for start, stop in pairwise(edges.tolist())]
    farthest = [np.take_along_axis(one, np.abs(one).argmax(1)[:, None], 1) for one in stretches]
    return np.concatenate(farthest, axis=1)


def _heads(ax: Axes, weights: Floats, inner: tuple[float, float, float, float]) -> None:
    left, right, bottom, top = inner
    count = min(len(weights), 12)
    lines = 1 if count <= 4 else 2
    per_line = -(-count // lines)
    side = min((right - left) / per_line, (bottom - top) / lines) - 1.5
    for head in range(count):
        x = left + (head % per_line) * (side + 1.5)
        y = top + (head // per_line) * (side + 1.5)
        shares = np.sqrt(weights[head])
        ax.imshow(
            shares,
            cmap=_SHARES,
            vmin=0,
            vmax=1,
            extent=(x, x + side, y + side, y),
            aspect="auto",
            interpolation="none",
            zorder=3,
        )
        ax.plot(
            [x, x + side, x + side, x, x], [y, y, y + side, y + side, y], color=_SOFT, linewidth=0.5, zorder=4
        )


def _residual(ax: Axes, start: float, end: float, top: float) -> None:
    low = top + 12
    ax.plot([start, start, end, end], [top - 30, low, low, top - 2], color=_SOFT, linewidth=1.1)
    ax.plot([end - 4, end, end + 4], [top + 4, top - 2, top + 4], color=_SOFT, linewidth=1.1)
    text = _text(
        ax,
        (start + end) / 2,
        low,
        "residual connection: what came in is added",
        ha="center",
        size=8.5,
        color=_SOFT,
    )
    text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.5})


def _end(text: Text) -> float:
    """Return where a text ends, in hundredths of an inch."""
    figure = text.get_figure()
    assert figure is not None
    return float(text.get_window_extent(figure.canvas.get_renderer()).x1 / figure.dpi * 100)  # type: ignore[attr-defined]


def _here(ax: Axes, x: float, y: float) -> None:
    mark = _text(ax, x, y, "you are here", size=9, color="white", weight="bold")
    mark.set_bbox({"facecolor": _FOCUS, "edgecolor": _FOCUS, "boxstyle": "round,pad=0.25,rounding_size=0.8"})


def _frame(
    ax: Axes,
    corner: tuple[float, float],
    size: tuple[float, float],
    *,
    is_here: bool = False,
    face: str = "white",
    line: str = _LINE,
) -> None:
    edge, width = (_FOCUS, 2) if is_here else (line, 1)
    form = "round,pad=0,rounding_size=5"
    ax.add_patch(
        FancyBboxPatch(corner, *size, boxstyle=form, facecolor=face, edgecolor=edge, linewidth=width)
    )


def _arrow(ax: Axes, x: float, top: float) -> None:
    ax.annotate(
        "",
        (x, top + 20),
        (x, top),
        arrowprops={"arrowstyle": "-|>", "color": _SOFT, "linewidth": 1.5, "shrinkA": 0, "shrinkB": 0},
    )


def _text(ax: Axes, x: float, y: float, text: str, **look: Any) -> Text:  # noqa: ANN401
    options = {"size": 10.5, "color": INK, "va": "center", "ha": "left", **look}
    return ax.text(x, y, lettering.drawable(text), **options)
