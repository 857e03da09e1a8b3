"""What the attention explorer shows without scripts: a picture, a sentence on what it shows, tables."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from bertviz_lite import plots
from bertviz_lite.basics.text import clip, isolated
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.display import Picture
from bertviz_lite.views.attention import weights as _weights
from bertviz_lite.views.attention.look import CLAIMS, looks
from bertviz_lite.views.attention.source import rounding
from bertviz_lite.views.base.static import Static, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    from bertviz_lite.views.attention.look import Axis, Look
    from bertviz_lite.views.attention.view import Explorer

    Floats = npt.NDArray[np.float64]

__all__ = ["FULL", "LEAST", "Detail", "figure", "quick_picture", "static"]

_QUICK_SIDE = 480  # pixels
_IN_ALT = 5
_IN_TABLE = 20


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
_NOTHING_LEFT = "Every token is hidden: nothing is left to draw."


def static(view: Explorer) -> Static:
    """Return the script-free layer of the present state."""
    seen = looks(view, view.layer, view.head)
    detail = _SMALL[len(seen)]
    return Static(
        _draw(seen, view, detail), _alt(seen, view), _caption(seen, view, detail), _tables(seen, view)
    )


def figure(view: Explorer, layer: int, head: int) -> Figure:
    """Return one map as a matrix and as ribbons, a row for each side that the state shows."""
    return _draw(looks(view, layer, head), view, FULL)


def quick_picture(view: Explorer, detail: Detail = FULL) -> str:
    """Return the script-free layer with a picture of plain cells.

    It stands behind the interactive view of a saved page, and matplotlib would take longer to draw it than
    all the rest of the page takes to write. The tokens stand in the alt text and in the tables.
    """
    from PIL import Image

    seen = looks(view, view.layer, view.head)
    tiles = [_colour_numbers(look, _limit(seen), detail.cells) for look in seen]
    height = max(len(tile) for tile in tiles)
    row = [np.pad(tile, ((0, height - len(tile)), (0, 2)), constant_values=255) for tile in tiles]
    cells = np.concatenate(row, axis=1)[:, :-2]
    scale = max(1, _QUICK_SIDE // max(cells.shape))
    image = Image.fromarray(np.kron(cells, np.ones((scale, scale), np.uint8)))
    colours = plots.SIGNED if view.side == "difference" else plots.UNSIGNED
    palette = (255 * colours(np.linspace(0, 1, 255))[:, :3]).round().astype(np.uint8)
    image.putpalette(palette.tobytes() + bytes([255, 255, 255]))
    png = io.BytesIO()
    image.save(png, format="PNG")
    shown = Picture(png.getvalue(), _alt(seen, view), max(_QUICK_SIDE, image.width))
    tables = "".join(
        table.html() for table in [*_tables(seen, view), *(_names_table(look, view) for look in seen)]
    )
    return shown.html(f"{_legend(seen)} {_caption(seen, view, detail)}".strip()) + tables


def _legend(seen: Sequence[Look]) -> str:
    """Return what stands beside a plotted picture: title, axes, scale."""
    sides = "" if len(seen) == 1 else f" ({', '.join(look.side for look in seen)})"
    what = seen[0].what[:1].upper() + seen[0].what[1:]
    low = "blue is −{0}, orange +{0}" if seen[0].side == "difference" else "the darkest is {0}, white is 0"
    scale = low.format(_number(_limit(seen)))
    return f"{what}{sides}: a row for each query, a column for each key; {scale}."


def _names_table(look: Look, view: Explorer) -> Table:
    several = "" if len(view._sides) == 1 else f", {look.side}"
    count = max(len(look.queries), len(look.keys))
    rows = [
        [str(index), *(_name(axis, index) if index < len(axis) else "" for axis in (look.queries, look.keys))]
        for index in range(count)
    ]
    return Table(f"The rows and columns by name{several}", ("number", "row: query", "column: key"), rows)


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


# ------------------------------------------------------------------------------------------ the figure


def _draw(seen: Sequence[Look], view: Explorer, detail: Detail) -> Figure:
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
        _draw_look(look, view, limits, detail, (matrix, lines))
    return picture


def _draw_look(
    look: Look, view: Explorer, limits: tuple[float, float], detail: Detail, axes: tuple[Axes, Axes]
) -> None:
    (matrix, lines), (limit, strongest) = axes, limits
    title = look.what[:1].upper() + look.what[1:] + ("" if len(view._sides) == 1 else f", {look.side}")
    if not look.weights.size:
        for ax in (matrix, lines):
            ax.set_axis_off()
        with style():
            matrix.set_title(title)
            matrix.text(0.5, 0.5, _NOTHING_LEFT, ha="center", va="center", transform=matrix.transAxes)
        return
    query, key = look.queries.index_of(view.query), look.keys.index_of(view.key)
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


# ------------------------------------------------------------------------------------------- the words


def _alt(seen: Sequence[Look], view: Explorer) -> str:
    return " ".join(_alt_of(look, view) for look in seen)


def _alt_of(look: Look, view: Explorer) -> str:
    several = "" if len(view._sides) == 1 else f", {look.side}"
    start = f"Attention of {look.what}{several}, a row for each of {_of(look)}."
    if not look.weights.size:
        return f"{start} {_NOTHING_LEFT}"
    pairs = "; ".join(
        f"{query} → {key} {_number(weight)}" for query, key, weight in _largest(look, view, _IN_ALT)
    )
    largest = "differences" if look.side == "difference" else "weights"
    parts = [start, f"The largest {largest}: {pairs}." if pairs else "No weight is large enough to be drawn."]
    numbers = _numbers(look, view)
    if numbers is not None:
        parts.append(_in_words(numbers))
    if look.hidden > 0.0005:
        parts.append(f"Hidden: {100 * look.hidden:.1f} % of the weights of these queries.")
    return " ".join(parts)


def _of(look: Look) -> str:
    queries, keys = len(look.queries), len(look.keys)
    return f"{queries} queries, a column for each of {keys} keys"


def _largest(look: Look, view: Explorer, most: int) -> list[tuple[str, str, float]]:
    """Return the largest weights that are drawn, of the token that is picked out if one is."""
    weights = np.where(look.drawn, np.abs(look.weights), 0.0)
    query, key = look.queries.index_of(view.query), look.keys.index_of(view.key)
    if query is not None:
        weights[np.arange(len(weights)) != query] = 0.0
    if key is not None:
        weights[:, np.arange(weights.shape[1]) != key] = 0.0
    order = np.argsort(-weights, axis=None, kind="stable")[:most].tolist()
    found = []
    for row, column in (divmod(index, weights.shape[1]) for index in order):
        if weights[row, column] > 0:
            found.append(
                (_name(look.queries, row), _name(look.keys, column), float(look.weights[row, column]))
            )
    return found


def _name(axis: Axis, index: int) -> str:
    return f"{axis.starts[index]} “{isolated(clip(axis.names[index]))}”"


def _numbers(look: Look, view: Explorer) -> npt.NDArray[np.float32] | None:
    """Return entropy, mean distance, share on special tokens and row error; None of an aggregate."""
    layer, _, head = look.what.removeprefix("layer ").partition(", head ")
    side = next((side for side in view._sides if side.name == look.side), None)
    if side is None or not head.isdigit():
        return None
    numbers: npt.NDArray[np.float32] = side.summaries[view.kind].stats[int(layer), int(head)]
    return numbers


def _in_words(numbers: npt.NDArray[np.float32]) -> str:
    entropy, distance, special, _ = numbers.tolist()
    far = "" if np.isnan(distance) else f"mean distance {distance:.1f} tokens, "
    return f"Entropy {entropy:.2f} bits, {far}{100 * special:.1f} % of the weights on special tokens."


def _number(weight: float) -> str:
    return f"{weight:.2f}".replace("-", "−")


def _caption(seen: Sequence[Look], view: Explorer, detail: Detail) -> str:
    """Return what must be known to read the picture rightly."""
    parts = [CLAIMS.get(view.aggregate, "")]
    largest = max(max(look.weights.shape) for look in seen)
    most = detail.cells
    if largest > most:
        parts.append(f"At most {most} × {most} cells are drawn: each is the largest weight of its block.")
    if view.words:
        parts.append(
            "Pieces are merged to words: summed over the pieces of a key, averaged over those of a query."
        )
    if view.renormalise:
        parts.append("Each row is drawn as shares of what is left of it.")
    parts.append(rounding([side.capture for side in view._sides_shown()]))
    return " ".join(filter(None, parts))


# ------------------------------------------------------------------------------------------ the tables


def _tables(seen: Sequence[Look], view: Explorer) -> list[Table]:
    heads = [
        _heads_table(view, side.name, side.summaries[view.kind].stats[view.layer])
        for side in view._sides_shown()
    ]
    predictions = [_predictions_table(view)] if view._predictions else []
    return [*(_weights_table(look, view) for look in seen), *heads, *predictions]


def _weights_table(look: Look, view: Explorer) -> Table:
    several = "" if len(view._sides) == 1 else f", {look.side}"
    what = "differences" if look.side == "difference" else "weights"
    rows = [[query, key, _exact(weight)] for query, key, weight in _largest(look, view, _IN_TABLE)]
    return Table(f"The largest {what} of {look.what}{several}", ("query", "key", "weight"), rows)


def _exact(weight: float) -> str:
    return f"{weight:.4f}".replace("-", "−")


def _heads_table(view: Explorer, side: str, stats: npt.NDArray[np.float32]) -> Table:
    several = "" if len(view._sides) == 1 else f", {side}"
    rows = [
        [str(head), f"{entropy:.2f}", "–" if np.isnan(far) else f"{far:.1f}", f"{100 * special:.1f} %"]
        for head, (entropy, far, special, _) in enumerate(stats.tolist())
    ]
    columns = ("head", "entropy, bits", "mean distance, tokens", "on special tokens")
    return Table(f"The heads of layer {view.layer} in numbers{several}", columns, rows)


def _predictions_table(view: Explorer) -> Table:
    runs = [run for run in ("before", "after", "heads_on") if run in view._predictions["positions"][0]]
    rows = []
    for place in view._predictions["positions"]:
        tops = [
            ", ".join(f"{isolated(clip(token))} {100 * share:.1f} %" for token, share in place[run])
            for run in runs
        ]
        losses = [_exact(loss) for loss in place["loss"]]
        rows.append([f"{place['position']} “{isolated(clip(place['token']))}”", *tops, *losses])
    names = [run.replace("heads_on", "after, all heads on") for run in runs]
    columns = ("token", *names, *(f"loss {name}, nats" for name in names))
    return Table("What the model predicts there", columns, rows)
