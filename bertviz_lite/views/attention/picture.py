"""What the attention explorer shows without scripts: the picture of its present state."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from bertviz_lite import plots
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.display import Picture
from bertviz_lite.views.attention.look import looks
from bertviz_lite.views.attention.passes import weights as _weights
from bertviz_lite.views.attention.words import NOTHING_LEFT, alt_text, caption, legend, names_table, tables
from bertviz_lite.views.base.static import Static

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    from bertviz_lite.views.attention.look import Axis, Look, State

    Floats = npt.NDArray[np.float64]

__all__ = ["FULL", "LEAST", "Detail", "figure", "quick_picture", "static"]

_QUICK_SIDE = 480  # pixels


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
        _draw(seen, state, detail),
        alt_text(seen, state),
        caption(seen, state, detail.cells),
        tables(seen, state),
    )


def figure(state: State, layer: int, head: int) -> Figure:
    """Return one map as a matrix and as ribbons, a row for each side that the state shows."""
    return _draw(looks(state, layer, head), state, FULL)


def quick_picture(state: State, detail: Detail = FULL) -> str:
    """Return the script-free layer with a picture of plain cells.

    It stands behind the interactive view of a saved page, and matplotlib would take longer to draw it than
    all the rest of the page takes to write. The tokens stand in the alt text and in the tables.
    """
    from PIL import Image

    seen = looks(state, state.layer, state.head)
    tiles = [_colour_numbers(look, _limit(seen), detail.cells) for look in seen]
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
    return shown.html(f"{legend(seen, _limit(seen))} {caption(seen, state, detail.cells)}".strip()) + listed


def _colour_numbers(look: Look, limit: float, cells: int) -> npt.NDArray[np.uint8]:
    """Return the place of each weight in a palette of 255 colours."""
    weights = np.where(look.drawn, look.weights, 0.0)
    if not weights.size:
        return np.full((1, 1), 255, np.uint8)
    weights = _pooled(weights, cells) / limit
    shares = (weights + 1) / 2 if look.side == "difference" else weights
    return np.rint(254 * np.clip(shares, 0.0, 1.0)).astype(np.uint8)


def _pooled(weights: Floats, most: int) -> Floats:
    """Return blocks of weights by the one farthest from zero, at most `most` rows and columns."""
    rows, columns = (min(most, size) for size in weights.shape)
    top = _weights.pool(weights, rows, columns)
    bottom = -_weights.pool(-weights, rows, columns)
    pooled: Floats = np.where(np.abs(bottom) > np.abs(top), bottom, top)
    return pooled


def _limit(seen: Sequence[Look]) -> float:
    """Return the weight with the strongest colour: the largest that is drawn, the same for all sides."""
    return (
        max((float(np.abs(look.weights[look.drawn]).max()) for look in seen if look.drawn.any()), default=1.0)
        or 1.0
    )


def _draw(seen: Sequence[Look], state: State, detail: Detail) -> Figure:
    limits = (
        _limit(seen),
        max(float(np.abs(lines).max(initial=0)) for look in seen for lines in look.ribbons.values()),
    )
    tallest = max(max(len(look.queries), len(look.keys)) for look in seen)
    letters = max((min(len(name), 15) for look in seen for name in look.keys.names), default=0)
    with style():
        # Cells wide enough for a number where there are few, and room for the slanted names below them.
        height = min(max(0.42 * tallest, 2.6), 5.6) + 0.9 + 0.07 * letters
        picture = Figure(figsize=(10.0, height * len(seen)))
        grid = picture.subplots(len(seen), 2, width_ratios=[1.5, 1], squeeze=False)
    for look, (matrix, lines) in zip(seen, grid, strict=True):
        _draw_look(look, state, limits, detail, (matrix, lines))
    return picture


def _draw_look(
    look: Look, state: State, limits: tuple[float, float], detail: Detail, axes: tuple[Axes, Axes]
) -> None:
    (matrix, lines), (limit, strongest) = axes, limits
    title = look.what[:1].upper() + look.what[1:] + ("" if len(state.sides) == 1 else f", {look.side}")
    if not look.weights.size:
        for ax in (matrix, lines):
            ax.set_axis_off()
        with style():
            matrix.set_title(title)
            matrix.text(0.5, 0.5, NOTHING_LEFT, ha="center", va="center", transform=matrix.transAxes)
        return
    query, key = look.queries.index_of(state.query), look.keys.index_of(state.key)
    weights = _pooled(np.where(look.drawn, look.weights, 0.0), detail.cells)
    whole = weights.shape == look.weights.shape
    rows, columns = (
        _block_names(axis, size) for axis, size in zip((look.queries, look.keys), weights.shape, strict=True)
    )
    focus = plots.Focus(_block(query, look.queries, len(rows)), _block(key, look.keys, len(columns)))
    plots.attention_map(
        weights,
        rows,
        columns,
        focus=focus._replace(drawn=look.drawn if whole else None),
        title=title,
        scale=plots.Scale("difference of weights" if look.side == "difference" else "weight", limit or None),
        ax=matrix,
    )
    heads = {name.rpartition(", ")[2]: _pooled(part, detail.cells) for name, part in look.ribbons.items()}
    colours = [plots.head_colour(_head_of(name)) for name in heads]
    plots.ribbons(
        heads if len(heads) > 1 else next(iter(heads.values())),
        rows,
        columns,
        focus=focus,
        look=plots.RibbonLook(colours, strongest or None, detail.lines, detail.smooth),
        ax=lines,
    )


def _head_of(name: str) -> int:
    head = name.rpartition("head ")[2]
    return int(head) if head.isdigit() else 0


def _block_names(axis: Axis, count: int) -> list[str]:
    """Return the names along an axis; of blocks, the name of the first of each."""
    return [axis.names[index * len(axis) // count] for index in range(count)]


def _block(index: int | None, axis: Axis, count: int) -> int | None:
    """Return the block that holds the name at `index`."""
    if index is None:
        return None
    starts = np.arange(count) * len(axis) // count
    return int(np.searchsorted(starts, index, side="right")) - 1
