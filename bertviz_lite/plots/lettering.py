"""Words in figures: titles, names of rows and points, numbers in cells, each where there is room."""

from __future__ import annotations

import textwrap
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import font_manager
from matplotlib.patheffects import withStroke
from matplotlib.transforms import Bbox

from bertviz_lite.basics.text import clip, readable
from bertviz_lite.plots.display import INK, style

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.axis import XAxis, YAxis
    from matplotlib.backend_bases import RendererBase
    from matplotlib.ft2font import FT2Font

    Floats = npt.NDArray[np.float64]

_TICKS_UP_TO = 40  # names along one axis
_NARROWEST = 12  # letters in a line of a title

LONGEST = 14
"""Letters of a name along an axis; of a longer one its beginning is written."""

HALO = [withStroke(linewidth=2.5, foreground="white")]
"""Keeps letters readable over dots and lines."""


def entitle(ax: Axes, title: str) -> None:
    """Write the title, in as many lines as the figure's width makes it take."""
    text = ax.set_title(title)
    figure = ax.get_figure(root=True)
    if not title or figure is None:
        return
    layout = figure.get_layout_engine()
    letters = len(title)
    while letters >= _NARROWEST:
        if layout is not None:
            layout.execute(figure)  # the title begins where the axes do
        ax.apply_aspect()
        extent = text.get_window_extent()
        room = figure.bbox.x1 - extent.x0 - 8
        if extent.width <= room:
            return
        letters = min(letters - 2, int(len(title) * room / extent.width))
        text.set_text(_balanced(title, letters))


def _balanced(text: str, letters: int) -> str:
    """Break `text` into as few lines of at most `letters` as will do, of about equal length."""
    count = len(textwrap.wrap(text, letters))
    while letters > 1 and len(textwrap.wrap(text, letters - 1)) == count:
        letters -= 1
    return textwrap.fill(text, letters)


def legend(ax: Axes, **options: Any) -> None:  # noqa: ANN401 - passed on
    """Put the legend beside axes that are alone in their figure (clear of the title), else into them."""
    if ax.figure.axes == [ax]:
        ax.figure.legend(loc="outside right center", **options)
    else:
        ax.legend(**options)


def number(value: float) -> str:
    """Write a number with three digits that matter and a true minus sign."""
    text = f"{value:.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.2f}"
    if abs(value) < 0.01 and value != 0:
        text = f"{value:.1e}"
    return text.replace("-", "−")


def bare(ax: Axes) -> None:
    """Take away the frame and the tick marks: cells are their own frame."""
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def names(ax: Axes, rows: Sequence[str], columns: Sequence[str]) -> None:
    """Write the names along both axes; of very many only some."""
    for axis, names in ((ax.yaxis, rows), (ax.xaxis, columns)):
        column(axis, names)
    slant(ax)
    bare(ax)


def column(axis: XAxis | YAxis, names: Sequence[str]) -> None:
    """Write names along an axis as they are, no formulas; of very many only some."""
    every = max(1, int(np.ceil(len(names) / _TICKS_UP_TO)))
    shown = [drawable(clip(name, LONGEST)) for name in names[::every]]
    axis.set_ticks(range(0, len(names), every), shown, parse_math=False)


def drawable(text: str) -> str:
    """Return `text` with □ for what no font of the course's style can draw; matplotlib would warn.

    Control characters and half surrogate pairs are made readable first.
    """
    return "".join(letter if _has_glyph(letter) else "□" for letter in readable(text))


@lru_cache(maxsize=4096)
def _has_glyph(letter: str) -> bool:
    return any(font.get_char_index(ord(letter)) for font in _fonts())


@lru_cache(maxsize=1)
def _fonts() -> list[FT2Font]:
    with style():
        families = plt.rcParams["font.family"]
    return [font_manager.get_font(font_manager.findfont(family)) for family in families]


def slant(ax: Axes, *, always: bool = False) -> None:
    """Turn the names below the columns where they would run into each other."""
    texts = ax.get_xticklabels()
    if always or sum(len(text.get_text()) + 2 for text in texts) > ax.get_window_extent().width / 9:
        for text in texts:
            text.set(rotation=90 if len(texts) > 24 else 45, ha="right" if len(texts) <= 24 else "center")
            text.set_rotation_mode("anchor" if len(texts) <= 24 else "default")


def write_values(ax: Axes, values: Floats, most: float | None) -> None:
    """Write every number into its cell, white on strong colours."""
    for (row, column), value in np.ndenumerate(values):
        strong = abs(value) > 0.55 * (most or 1.0)
        ax.text(
            column,
            row,
            number(value),
            ha="center",
            va="center",
            fontsize=9,
            color="white" if strong else INK,
        )


def annotate(ax: Axes, places: Floats, labels: Sequence[str], annotate: int | Iterable[int]) -> None:
    """Write names beside points: wanted ones always, others only where there is room."""
    from matplotlib.figure import Figure

    must = not isinstance(annotate, int)
    order = _spread(places, annotate) if isinstance(annotate, int) else list(annotate)
    figure = ax.get_figure(root=True)
    if not isinstance(figure, Figure) or not order:
        return
    figure.draw_without_rendering()  # lays the axes out, so that places are final
    renderer: RendererBase = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    dots = ax.transData.transform(places)
    taken: list[Bbox] = []
    frame = ax.get_window_extent(renderer)
    for index in order:
        note = ax.annotate(
            drawable(clip(labels[index], 20)),
            places[index],
            (6, 0),
            parse_math=False,
            textcoords="offset points",
            fontsize=10,
            path_effects=HALO,
        )
        best = (np.inf, 0, 0)
        for dx, dy, ha, va in _SPOTS:
            note.set(position=(dx, dy), ha=ha, va=va)
            box = note.get_window_extent(renderer)
            cost = 10.0 * sum(_overlap(box, other) for other in taken) / (box.width * box.height)
            cost += float(((dots > box.min) & (dots < box.max)).all(axis=1).sum()) / 4
            cost += 20.0 * (box.x0 < frame.x0 or box.x1 > frame.x1 or box.y0 < frame.y0 or box.y1 > frame.y1)
            best = min(best, (cost, dx, dy))
        chosen = next(spot for spot in _SPOTS if spot[:2] == best[1:])
        note.set(position=chosen[:2], ha=chosen[2], va=chosen[3])
        box = note.get_window_extent(renderer)
        if not must and any(_overlap(box, other) > 0 for other in taken):
            note.remove()
        else:
            taken.append(box.padded(1.0))


_SPOTS: tuple[
    tuple[int, int, Literal["left", "center", "right"], Literal["top", "center", "bottom"]], ...
] = (
    (6, 0, "left", "center"),
    (-6, 0, "right", "center"),
    (0, 6, "center", "bottom"),
    (0, -6, "center", "top"),
    (5, 5, "left", "bottom"),
    (-5, 5, "right", "bottom"),
    (5, -5, "left", "top"),
    (-5, -5, "right", "top"),
)
"""Where a name can stand around its point: offset in points, and how it is aligned there."""


def _overlap(one: Bbox, other: Bbox) -> float:
    """Return the area, in square pixels, that two boxes share."""
    shared = Bbox.intersection(one, other)
    return 0.0 if shared is None else float(shared.width * shared.height)


def _spread(places: Floats, count: int) -> list[int]:
    """Pick up to `count` points that lie far from each other, the outermost first."""
    unit = (places - places.mean(axis=0)) / (places.std(axis=0) + 1e-300)
    chosen = [int((unit**2).sum(axis=1).argmax())]
    nearest = ((unit - unit[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < min(count, len(places)):
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, ((unit - unit[chosen[-1]]) ** 2).sum(axis=1))
    return chosen[:count]
