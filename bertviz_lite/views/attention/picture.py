"""What the attention explorer shows without scripts: the picture of its present state."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.transforms import blended_transform_factory

from bertviz_lite import plots
from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.display import Picture
from bertviz_lite.views.attention.look import looks
from bertviz_lite.views.attention.passes import weights as _weights
from bertviz_lite.views.attention.words import (
    NOTHING_LEFT,
    alt_text,
    caption,
    legend,
    names_table,
    numbers_beside,
    tables,
)
from bertviz_lite.views.base.static import Static

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

    from bertviz_lite.views.attention.look import Axis, Look, State

    Floats = npt.NDArray[np.float64]

__all__ = ["FULL", "LEAST", "Detail", "figure", "quick_picture", "static"]

_QUICK_SIDE = 480  # pixels
_OVERVIEW = 130  # cells of all small maps in a row
_GRID_UP_TO = 24  # rows or columns: of more, lines between cells would be half of what is seen
_SEGMENTS = ("#0072b2", "#c27400")


@dataclass(frozen=True)
class Detail:
    """How much is drawn at the most: a committed notebook has room for 100 kB."""

    cells: int
    """Rows and columns of a matrix; of more, a cell stands for the largest weight of a block."""
    lines: int
    """Ribbons of a side."""
    smooth: bool = False
    """Whether the ribbons have soft edges, which take bytes."""


FULL = Detail(cells=256, lines=400, smooth=True)
LEAST = Detail(cells=96, lines=0)
_SMALL = {1: Detail(cells=64, lines=100), 2: Detail(cells=48, lines=60)}  # by the number of sides


def static(state: State) -> Static:
    """Return the script-free layer of the present state."""
    seen = looks(state, state.layer, state.head)
    detail = _SMALL[len(seen)]
    return Static(
        _draw(seen, state, state.layer, state.head, detail),
        alt_text(seen, state),
        caption(seen, state, detail.cells),
        tables(seen, state),
    )


def figure(state: State, layer: int, head: int) -> Figure:
    """Return all heads small, and one map as ribbons and matrix: a row for each side that is shown."""
    return _draw(looks(state, layer, head), state, layer, head, FULL)


def quick_picture(state: State, detail: Detail = FULL) -> str:
    """Return the script-free layer with a picture of plain cells.

    It stands behind the interactive view of a saved page, and matplotlib would take longer to draw it than
    all the rest of the page takes to write. The tokens stand in the alt text and in the tables.
    """
    from PIL import Image

    seen = looks(state, state.layer, state.head)
    tiles = [_colour_numbers(look, detail.cells) for look in seen]
    height = max(len(tile) for tile in tiles)
    row = [np.pad(tile, ((0, height - len(tile)), (0, 2)), constant_values=255) for tile in tiles]
    cells = np.concatenate(row, axis=1)[:, :-2]
    scale = max(1, _QUICK_SIDE // max(cells.shape))
    image = Image.fromarray(np.kron(cells, np.ones((scale, scale), np.uint8)))
    colours = plots.SIGNED if state.side == "difference" else plots.UNSIGNED
    palette = (255 * colours(np.linspace(0, 1, 255))[:, :3]).round().astype(np.uint8)
    image.putpalette(palette.tobytes() + bytes([255, 255, 255]))
    png = io.BytesIO()
    image.save(png, format="PNG")
    shown = Picture(png.getvalue(), alt_text(seen, state), max(_QUICK_SIDE, image.width))
    listed = "".join(
        table.html() for table in [*tables(seen, state), *(names_table(look, state) for look in seen)]
    )
    return shown.html(f"{legend(seen)} {caption(seen, state, detail.cells)}".strip()) + listed


def _colour_numbers(look: Look, cells: int) -> npt.NDArray[np.uint8]:
    """Return the place of each weight in a palette of 255 colours, by the root of its size."""
    weights = np.where(look.drawn, look.weights, 0.0)
    if not weights.size:
        return np.full((1, 1), 255, np.uint8)
    weights = _pooled(weights, cells)
    roots = np.sign(weights) * np.sqrt(np.abs(weights))
    shares = (roots + 1) / 2 if look.side == "difference" else roots
    return np.rint(254 * np.clip(shares, 0.0, 1.0)).astype(np.uint8)


def _pooled(weights: Floats, most: int) -> Floats:
    """Return blocks of weights by the one farthest from zero, at most `most` rows and columns."""
    rows, columns = (min(most, size) for size in weights.shape)
    top = _weights.pool(weights, rows, columns)
    bottom = -_weights.pool(-weights, rows, columns)
    pooled: Floats = np.where(np.abs(bottom) > np.abs(top), bottom, top)
    return pooled


def _draw(seen: Sequence[Look], state: State, layer: int, head: int, detail: Detail) -> Figure:
    """Return the figure, in the order of the page: all heads small, the ribbons, the matrix."""
    tallest = max(max(len(look.queries), len(look.keys)) for look in seen)
    letters = max((min(len(name), 14) for look in seen for name in look.keys.names), default=0)
    with style():
        # Cells wide enough for a number where there are few, and room for the slanted names above them.
        rows = min(max(0.42 * tallest, 2.2), 3.7) if tallest <= 22 else min(0.17 * tallest, 5.6)
        figure = Figure(figsize=(10.0, (rows + 1.5 + 0.06 * letters) * len(seen)))
        overview, large = figure.subfigures(1, 2, squeeze=False, width_ratios=[1, 3.7])[0]
        parts = large.subfigures(len(seen), 1, squeeze=False)[:, 0]
        _draw_overview(overview, seen, state, layer, head)
    for look, part in zip(seen, parts, strict=True):
        _draw_look(look, state, detail, part)
    _settle(figure)
    return figure


def _settle(figure: Figure) -> None:
    """Lay the figure out once for all, in whole millionths of its size.

    The solver's last digit depends on where its variables lie in memory, and can move an edge by a pixel: the
    same state would not always give the same bytes.
    """
    with style():
        layout = figure.get_layout_engine()
        assert layout is not None
        layout.execute(figure)
        figure.set_layout_engine("none")
    for ax in figure.axes:
        left, bottom, width, height = np.round(ax.get_position(original=True).bounds, 6).tolist()
        ax.set_position((left, bottom, width, height))


def _draw_overview(part: SubFigure, seen: Sequence[Look], state: State, layer: int, head: int) -> None:
    """Draw the maps of all heads, small, with the numbers of the chosen head below."""
    ax = part.add_subplot()
    signed = state.side == "difference"
    sides = state.sides_shown if signed else state.sides_shown[:1]
    kinds = [side.capture.kinds[state.kind].attentions for side in sides]
    heads = min(len(weights) for layers in kinds for weights in layers)
    layers = min(map(len, kinds))
    most = max(8, _OVERVIEW // max(layers, heads))

    def small(attentions: Sequence[npt.NDArray[np.float32]]) -> Floats:
        return np.stack(
            [
                [_pooled(weights[number].astype(np.float64), most) for number in range(heads)]
                for weights in attentions
            ]
        )

    maps = (
        small(kinds[0][:layers])
        if not signed
        else small([second[:heads] - first[:heads] for first, second in zip(*kinds, strict=False)])
    )
    plots.draw_heads(ax, maps, _framed(state, layer, head, (layers, heads)), signed=signed)
    ax.set_anchor("N")
    lettering.describe_axes(ax, "head", "layer")
    if state.aggregate == "none" and len(state.heads) > 1:
        across = maps.shape[3] + max(1, round(max(maps.shape[2:]) / 10))
        below = layer * (maps.shape[2] + across - maps.shape[3]) + maps.shape[2]
        for number in (number for number in state.heads if number < heads):
            line: dict[str, Any] = {
                "color": plots.head_colour(number, heads),
                "linewidth": 3,
                "solid_capstyle": "butt",
            }
            ax.plot([number * across, number * across + maps.shape[3] - 1], [below] * 2, **line)
    numbers = numbers_beside(seen, state)
    if numbers:
        place = blended_transform_factory(part.transSubfigure, ax.transAxes)
        ax.text(
            0.03, -0.06, numbers, transform=place, va="top", fontsize=9.5, linespacing=1.5, in_layout=False
        )


def _framed(state: State, layer: int, head: int, sizes: tuple[int, int]) -> tuple[range, range]:
    """Return the layers and the heads whose maps are shown large."""
    layers, heads = sizes
    if state.aggregate == "none":
        return range(layer, layer + 1), range(head, head + 1)
    if state.aggregate in ("mean heads", "max heads"):
        return range(layer, layer + 1), range(heads)
    return range(layer + 1 if state.aggregate == "rollout" else layers), range(heads)


def _draw_look(look: Look, state: State, detail: Detail, part: SubFigure) -> None:
    title = look.what[:1].upper() + look.what[1:] + ("" if len(state.sides) == 1 else f", {look.side}")
    with style():
        lines, matrix = part.subplots(1, 2, width_ratios=[1, 1.45])
        part.suptitle(title, x=0.01, ha="left", weight="bold", size=14)
        if not look.weights.size:
            for ax in (lines, matrix):
                ax.set_axis_off()
            matrix.text(0.5, 0.5, NOTHING_LEFT, ha="center", va="center", transform=matrix.transAxes)
            return
    query, key = look.queries.index_of(state.query), look.keys.index_of(state.key)
    weights = _pooled(np.where(look.drawn, look.weights, 0.0), detail.cells)
    whole = weights.shape == look.weights.shape
    rows, columns = (
        _blocks(axis, size) for axis, size in zip((look.queries, look.keys), weights.shape, strict=True)
    )
    focus = plots.Focus(_block(query, look.queries, len(rows)), _block(key, look.keys, len(columns)))
    heads = {name.rpartition(", ")[2]: _pooled(part, detail.cells) for name, part in look.ribbons.items()}
    several = len(heads) > 1
    count = len(state.sides_shown[0].capture.kinds[state.kind].attentions[0])
    colours = [plots.head_colour(_head_of(name), count) for name in heads] if several else None
    plots.ribbons(
        heads if several else next(iter(heads.values())),
        rows.names,
        columns.names,
        focus=focus,
        look=plots.RibbonLook(colours, 1.0, detail.lines, detail.smooth),
        ax=lines,
    )
    _mark_ends(lines, rows, columns)
    what = (
        "difference of weights"
        if look.side == "difference"
        else "share of what is left"
        if state.renormalise
        else "weight"
    )
    plots.attention_map(
        weights,
        rows.names,
        columns.names,
        focus=focus._replace(drawn=look.drawn if whole else None),
        scale=plots.Scale(f"{what}; colour by its root", 1.0, by_root=True),
        ax=matrix,
    )
    _mark_segments(matrix, rows, columns)


def _mark_ends(ax: Axes, queries: Axis, keys: Axis) -> None:
    """Draw the colour of its segment beside each end of the ribbons, where there are two segments."""
    for side in (ax, ax.figure.axes[-1]):
        side.tick_params(axis="y", pad=8)  # the names keep clear of the bars
    for at, axis in ((-0.012, queries), (1.012, keys)):
        if not axis.segments.any():
            continue
        for segment in (0, 1):
            of_it = np.flatnonzero((axis.segments > 0) == segment)
            if of_it.size:
                look: dict[str, Any] = {
                    "color": _SEGMENTS[segment],
                    "linewidth": 2.5,
                    "solid_capstyle": "butt",
                }
                ax.plot([at, at], [of_it[0] - 0.43, of_it[-1] + 0.5], clip_on=False, **look)


def _mark_segments(ax: Axes, queries: Axis, keys: Axis) -> None:
    """Draw a line where the second segment begins, and fine ones between the cells of a small matrix."""
    for axis, names in ((ax.axhline, queries), (ax.axvline, keys)):
        cells = len(names) <= _GRID_UP_TO
        for index in range(1, len(names)):
            border = names.segments[index] != names.segments[index - 1]
            if border or cells:
                axis(index - 0.5, color="#59636e" if border else "white", linewidth=1.2 if border else 0.7)


def _head_of(name: str) -> int:
    head = name.rpartition("head ")[2]
    return int(head) if head.isdigit() else 0


def _blocks(axis: Axis, count: int) -> Axis:
    """Return what is named along an axis; of blocks, the first of each."""
    first = np.zeros(len(axis), bool)
    first[[index * len(axis) // count for index in range(count)]] = True
    return axis.only(first)


def _block(index: int | None, axis: Axis, count: int) -> int | None:
    """Return the block that holds the name at `index`."""
    if index is None:
        return None
    starts = np.arange(count) * len(axis) // count
    return int(np.searchsorted(starts, index, side="right")) - 1
