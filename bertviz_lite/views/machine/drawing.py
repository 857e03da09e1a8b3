"""The map of the machine as a figure: frames, boxes with their numbers as colours, lines between them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Circle, FancyBboxPatch

from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.views.machine.boxes import BOXES, GROUPS, Box
from bertviz_lite.views.machine.lines import WORDS_AT, draw_lines, draw_wedge
from bertviz_lite.views.machine.places import BOXES_AT, FRAMES_AT, HEIGHT, LAYER, PORTS, TRUNK, WIDTH, Place
from bertviz_lite.views.machine.shown import NOT_THERE

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    from bertviz_lite.views.machine.shown import Shown

    Floats = npt.NDArray[np.float32]

__all__ = ["draw"]

# So many that the picture stays small: a fine grid of many colours is what a PNG cannot compress.
_COLOURS, _CELL, _MOST_TOKENS, _MOST_SQUARES = 11, 4.5, 20, 24
_AT_REST = 0.8

# The page's colours (views/base/common.css), in its light theme.
_SOFT, _LINE, _RAISED, _FOCUS, _CHOSEN = "#59636e", "#d1d9e0", "#f3f5f7", "#0550ae", "#ddebf9"
_WIRE, _SEGMENT = "#8c959f", "#00875f"
_MARKS = {"word": "#0072b2", "position": "#c27400", "segment": _SEGMENT, "sum": "#3b4350", "norm": "#9c4f94"}
_SIGNED = LinearSegmentedColormap.from_list("page", ["#2166ac", "#ffffff", "#d66028"], _COLOURS)
_SHARES = LinearSegmentedColormap.from_list("shares", ["#ffffff", "#2166ac"], _COLOURS)

_FLAT = ("query", "key", "value")
_TALL = ("context", "projected", "attended", "output")
_MOST_CHIPS = 6
_SMALLEST = 8.0  # letters, in points


def draw(shown: Shown) -> Figure:
    """Return the map with the numbers of a text."""
    with style():
        figure = plt.figure(figsize=(WIDTH / 100, HEIGHT / 100), layout="none")
        ax = figure.add_axes((0, 0, 1, 1))
        ax.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0))
        ax.set_axis_off()
        is_tied = bool(shown.facts["is_tied"])
        is_here = shown.here == "encoder"
        _frame(ax, LAYER, is_here=is_here, face=_RAISED, line=_RAISED)
        for group in GROUPS:
            if group.id != "encoder":
                _group(ax, shown, group.id, group.name)
        _tokens(ax, shown)
        _trunk(ax, shown)
        missing = {box.id for box in BOXES if box.id in BOXES_AT and not shown.has(box.id)}
        draw_lines(ax, is_tied=is_tied, missing=missing)
        for words, (x, y) in WORDS_AT.items():
            if (is_tied or not words.startswith("tied")) and (
                "pooler" not in missing or not words.endswith("[CLS] alone")
            ):
                _over_line(ax, x, y, words, is_inside=words.startswith(("residual", "attended")))
        _over_line(
            ax, TRUNK + 16, WORDS_AT["the vector of [CLS] alone"][1], shown.after_layer, is_inside=False
        )
        for name, (x, y) in PORTS.items():
            is_first = name == "attention"
            ax.add_patch(
                Circle(
                    (x, y), 9 if is_first else 5, facecolor="white", edgecolor=_WIRE, linewidth=1.3, zorder=3
                )
            )
            _text(ax, x, y, "x" if is_first else "", ha="center", size=9)
        for box in BOXES:
            if box.id in BOXES_AT:
                _box(ax, shown, box)
        for left, box in pairwise(box for box in BOXES if box.group == "embeddings"):
            x = (BOXES_AT[left.id].right + BOXES_AT[box.id].left) / 2
            _text(ax, x, BOXES_AT[box.id].middle[1], box.before, ha="center", weight="bold", color=_SOFT)
    return figure


def _group(ax: Axes, shown: Shown, name: str, title: str) -> None:
    place = FRAMES_AT[name]
    boxes = [box for box in BOXES if box.group == name]
    _frame(ax, place, is_here=shown.here == name, dashed=not any(shown.has(box.id) for box in boxes))
    x = _end(_text(ax, place.left + 10, place.top + 14, title, weight="bold", size=11, color=_FOCUS))
    if name == "tokens":
        x = _end(_text(ax, place.left + 10, place.top + 38, "chapter 01", size=9, color=_SOFT)) - 4
    else:
        x = _end(_text(ax, x + 10, place.top + 14, f"chapter {boxes[0].chapter}", size=9, color=_SOFT))
    if shown.here == name or shown.here in [box.id for box in boxes]:
        mark = _here(ax, x + 16, place.top + (38 if name == "tokens" else 14))
        if _end(mark) > place.right - 8:  # no room beside the title: on the frame's upper edge
            mark.set(x=place.right - 10, y=place.top - 4, ha="right")


def _tokens(ax: Axes, shown: Shown) -> None:
    facts, place = shown.facts, FRAMES_AT["tokens"]
    x = place.left + 200.0
    for number, (token, own_id) in enumerate(zip(facts["tokens"], facts["input_ids"], strict=True)):
        width = 9 + 7.5 * max(len(token), len(str(own_id)))
        if x + width > place.right - (24 if number < len(facts["tokens"]) - 1 else 4):
            _text(ax, x + 4, place.middle[1], "…", color=_SOFT)
            break
        is_chosen = number == shown.token
        chip = Place(x, place.top + 6, width, 42)
        _frame(ax, chip, is_here=is_chosen, face=_CHOSEN if is_chosen else "white")
        if facts["segments"][number] == 1:
            ax.plot([x + 2, x + width - 2], [chip.bottom] * 2, color=_SEGMENT, linewidth=2.5, zorder=3)
        _text(ax, chip.middle[0], chip.top + 14, token, ha="center", size=9)
        _text(ax, chip.middle[0], chip.top + 31, str(own_id), ha="center", size=8.5, color=_SOFT)
        x += width + 3


def _trunk(ax: Axes, shown: Shown) -> None:
    """Draw all layers, one after another; the one that is shown leads to its inside."""
    last = shown.num_layers - 1
    numbers: list[int] = list(range(shown.num_layers))
    if len(numbers) > _MOST_CHIPS:
        numbers = sorted({0, max(0, shown.layer - 1), shown.layer, min(last, shown.layer + 1), last})
    _text(ax, TRUNK, LAYER.top + 20, "Encoder", ha="center", weight="bold", size=11, color=_FOCUS)
    _text(ax, TRUNK, LAYER.top + 38, "chapter 04", ha="center", size=9, color=_SOFT)
    top = LAYER.top + 56.0
    if shown.here in ("encoder", "attended", "output"):
        _here(ax, TRUNK, LAYER.top + 60, ha="center")
        top += 24
    step = min(44.0, (LAYER.bottom - 34 - top) / len(numbers))
    for before, number in zip([None, *numbers], numbers, strict=False):
        chip = Place(TRUNK - 22, top, 44, 26)
        is_shown = number == shown.layer
        if is_shown:
            draw_wedge(ax, chip)
        _frame(ax, chip, is_here=is_shown, face=_CHOSEN if is_shown else "white")
        _text(ax, TRUNK, top + 13, str(number), ha="center", weight="bold" if is_shown else "normal")
        if before is not None:
            words = "↓" if number == before + 1 else "⋮"
            _text(ax, TRUNK, top - (step - 26) / 2 - 1, words, ha="center", size=10, color=_SOFT)
        top += step
    count = "its only layer" if last == 0 else f"{shown.num_layers} layers"
    _text(ax, TRUNK, top + 6, count, ha="center", size=9, color=_SOFT)


def _box(ax: Axes, shown: Shown, box: Box) -> None:
    place = BOXES_AT[box.id]
    left, top, width, height = place
    is_here = shown.here == box.id and box.id != box.group
    if not shown.has(box.id):
        _frame(ax, place, is_here=is_here, dashed=True)
        _text(ax, left + 6, top + 11, box.name, size=9.5, color=_SOFT)
        _text(ax, left + 6, top + height / 2 + 6, NOT_THERE, size=9, color=_SOFT)
        return
    _frame(ax, place, is_here=is_here, face=_RAISED)
    if box.id in _MARKS:
        ax.plot([left + 2, place.right - 2], [top, top], color=_MARKS[box.id], linewidth=3, zorder=3.2)
    hint = shown.hint(box)
    if box.id in _FLAT:
        name = _text(ax, left + 8, top + height / 2, box.name, weight="bold", size=9.5)
        _text(ax, _end(name) + 6, top + height / 2, hint, size=9, color=_SOFT)
        _numbers(ax, shown, box, Place(left + 74, top + 4, width - 80, height - 8))
        return
    name = _text(ax, left + 6, top + 11, box.name, weight="bold", size=9.5)
    if box.id in _TALL:
        _text(ax, left + 6, top + 26, hint, size=8.5, color=_SOFT)
    else:
        _text(ax, _end(name) + 7, top + 11, hint, size=8.5, color=_SOFT)
    lines = _shape_lines(shown, box)
    for number, line in enumerate(reversed(lines)):
        _text(ax, left + 6, place.bottom - 9 - 13 * number, line, size=8.5, color=_SOFT)
    start = top + (36 if box.id in _TALL and hint else 21)
    _numbers(
        ax, shown, box, Place(left + 6, start, width - 12, place.bottom - 4 - 14 * len(lines) - start - 2)
    )


def _shape_lines(shown: Shown, box: Box) -> list[str]:
    parts = [f"{name} {size:,}" for name, size in shown.shape(box)]
    if BOXES_AT[box.id].width < 180 and len(parts) == 2:
        return [f"{parts[0]} ×", parts[1]]
    return [" × ".join(parts)]


def _numbers(ax: Axes, shown: Shown, box: Box, place: Place) -> None:
    """Fill a place with what a box computed: words, maps of weights, or vectors as colours."""
    left, top, width, height = place
    if box.id in ("words", "verdict"):
        for number, line in enumerate(shown.answer(box)):
            y = top + height / 2 + 16 * (number - 0.5 * (len(shown.answer(box)) - 1))
            size = 11.0 if number == 0 else 9.5
            text = _text(ax, left, y, line, size=size, weight="bold" if number == 0 else "normal")
            while _end(text) > place.right and size > _SMALLEST:
                size -= 0.5
                text.set_fontsize(size)
        return
    if box.id == "weights":
        _heads(ax, shown.arrays[box.id], place)
        return
    rows = np.atleast_2d(shown.arrays[box.id])
    limit = (float(np.percentile(np.abs(rows), 99)) or 1.0) / _AT_REST
    cells = _pooled(rows[:_MOST_TOKENS], int(width / _CELL))
    _image(ax, cells, place, cmap=_SIGNED, vmin=-limit, vmax=limit)


def _pooled(rows: Floats, most: int) -> Floats:
    """Return at most so many columns: of neighbours the number that is farthest from 0, as on the page."""
    edges = np.linspace(0, rows.shape[1], min(most, rows.shape[1]) + 1).astype(int)
    stretches = [rows[:, start:stop] for start, stop in pairwise(edges.tolist())]
    farthest = [np.take_along_axis(one, np.abs(one).argmax(1)[:, None], 1) for one in stretches]
    return np.concatenate(farthest, axis=1)


def _heads(ax: Axes, weights: Floats, place: Place) -> None:
    count = min(len(weights), 12)
    lines = 1 if count <= 4 else 2
    per_line = -(-count // lines)
    side = min(place.width / per_line, place.height / lines) - 4
    start = place.left + (place.width - per_line * (side + 4)) / 2
    for head in range(count):
        cell = Place(
            start + (head % per_line) * (side + 4), place.top + (head // per_line) * (side + 3), side, side
        )
        _image(ax, np.sqrt(_coarse(weights[head])), cell, cmap=_SHARES, vmin=0, vmax=1)
        _frame(ax, cell, face="none", line=_SOFT, round_by=0.5)


def _coarse(weights: Floats) -> Floats:
    """Return a map of at most so many squares a side: of neighbours the largest weight."""
    edges = np.linspace(0, len(weights), min(_MOST_SQUARES, len(weights)) + 1).astype(int)[:-1]
    largest: Floats = np.maximum.reduceat(np.maximum.reduceat(weights, edges, axis=0), edges, axis=1)
    return largest


def _image(ax: Axes, cells: Floats, place: Place, **look: Any) -> None:  # noqa: ANN401
    extent = (place.left, place.right, place.bottom, place.top)
    ax.imshow(cells, extent=extent, aspect="auto", interpolation="none", zorder=3, **look)


def _end(text: Text) -> float:
    """Return where a text ends, in hundredths of an inch."""
    figure = text.get_figure()
    assert figure is not None
    return float(text.get_window_extent(figure.canvas.get_renderer()).x1 / figure.dpi * 100)  # type: ignore[attr-defined]


def _here(ax: Axes, x: float, y: float, ha: str = "left") -> Text:
    mark = _text(ax, x, y, "you are here", size=9, color="white", weight="bold", ha=ha)
    mark.set_bbox({"facecolor": _FOCUS, "edgecolor": _FOCUS, "boxstyle": "round,pad=0.25,rounding_size=0.8"})
    return mark


def _over_line(ax: Axes, x: float, y: float, words: str, *, is_inside: bool) -> None:
    text = _text(ax, x, y, words, size=8.5, color=_SOFT)
    text.set_bbox({"facecolor": _RAISED if is_inside else "white", "edgecolor": "none", "pad": 1.5})


def _frame(
    ax: Axes,
    place: Place,
    *,
    is_here: bool = False,
    face: str = "white",
    line: str = _LINE,
    round_by: float = 5,
    dashed: bool = False,
) -> None:
    edge, width = (_FOCUS, 2) if is_here else (_WIRE if dashed else line, 1)
    form = f"round,pad=0,rounding_size={round_by}"
    patch = FancyBboxPatch((place.left, place.top), place.width, place.height, boxstyle=form)
    patch.set(linestyle=(0, (4, 3)) if dashed else "-")
    patch.set(facecolor=face, edgecolor=edge, linewidth=width, zorder=3.5 if face == "none" else 1.5)
    ax.add_patch(patch)


def _text(ax: Axes, x: float, y: float, text: str, **look: Any) -> Text:  # noqa: ANN401
    options = {"size": 10.5, "color": INK, "va": "center", "ha": "left", "zorder": 4, **look}
    return ax.text(x, y, lettering.drawable(text), **options)
