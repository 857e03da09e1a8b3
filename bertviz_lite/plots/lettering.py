"""Words in figures: titles, legends, names of rows and columns, numbers in cells, each where there is room.

Every text is written as it is: a token such as ``$x$`` is never set as a formula.
"""

from __future__ import annotations

import textwrap
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import font_manager
from matplotlib.patheffects import withStroke

from bertviz_lite.basics.arguments import instance
from bertviz_lite.basics.text import clip, readable
from bertviz_lite.plots.course_style import INK, style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.axis import XAxis, YAxis
    from matplotlib.colorbar import Colorbar
    from matplotlib.figure import Figure
    from matplotlib.ft2font import FT2Font
    from matplotlib.image import AxesImage
    from matplotlib.legend import Legend

    Floats = npt.NDArray[np.float64]

__all__ = [
    "HALO",
    "LONGEST",
    "bare",
    "colour_bar",
    "column",
    "describe_axes",
    "drawable",
    "entitle",
    "headline",
    "lean",
    "legend",
    "names",
    "number",
    "reference_lines",
    "slant",
    "take_literally",
    "with_decimals",
    "without_colour_bar",
    "write",
    "write_ticks",
    "write_values",
]

_TICKS_UP_TO = 40  # names along one axis
_NARROWEST = 12  # letters in a line of a title

LONGEST = 14
"""Letters of a name along an axis; of a longer one its beginning is written."""

HALO = [withStroke(linewidth=2.5, foreground="white")]
"""Keeps letters readable over dots and lines."""


def entitle(ax: Axes, title: str) -> None:
    """Write the title, in as many lines as the figure's width makes it take."""
    instance("title", title, str, "a string")
    text = ax.set_title(title, parse_math=False)
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


def headline(figure: Figure, title: str) -> None:
    """Write the finding above a figure of several panels, each of which has a name of its own."""
    figure.suptitle(title, x=0.02, ha="left", fontsize=14, fontweight="bold")


def _balanced(text: str, letters: int) -> str:
    """Break `text` into as few lines of at most `letters` as will do, of about equal length."""
    count = len(textwrap.wrap(text, letters))
    while letters > 1 and len(textwrap.wrap(text, letters - 1)) == count:
        letters -= 1
    return textwrap.fill(text, letters)


def legend(ax: Axes, **options: Any) -> None:  # noqa: ANN401 - passed on
    """Put the legend beside axes that are alone in their figure (clear of the title), else into them."""
    if ax.figure.axes == [ax]:
        take_literally(ax.figure.legend(loc="outside right center", **options))
    else:
        take_literally(ax.legend(**options))


def take_literally(legend: Legend) -> None:
    """Write the names in a legend as they are, no formulas."""
    for text in legend.get_texts():
        text.set_parse_math(False)


def colour_bar(ax: Axes, image: AxesImage, label: str, **options: Any) -> Colorbar:  # noqa: ANN401 - passed on
    """Put a bar with the image's colours beside `ax`, and what the numbers are along it."""
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.9, **options)
    bar.set_label(label, parse_math=False)
    bar.outline.set_visible(False)
    return bar


def without_colour_bar(ax: Axes) -> None:
    """Take the colour bars of some axes away, where panels beside each other need none."""
    for bar in [image.colorbar for image in ax.images if image.colorbar is not None]:
        bar.remove()


def describe_axes(ax: Axes, across: str = "", up: str = "") -> None:
    """Write what the two axes are."""
    ax.set_xlabel(across, parse_math=False)
    ax.set_ylabel(up, parse_math=False)


def reference_lines(ax: Axes, reference: Mapping[str, float] | None, zorder: float = 2.0) -> None:
    """Draw upright lines to compare with, each with a dash of its own."""
    for k, (name, place) in enumerate((reference or {}).items()):
        dash = ("--", ":", "-.")[k % 3]
        ax.axvline(place, color=INK, linewidth=1.5, linestyle=dash, label=drawable(name), zorder=zorder)


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
    shown = [clip(name, LONGEST) for name in names[::every]]
    write_ticks(axis, range(0, len(names), every), shown)


def write_ticks(axis: XAxis | YAxis, places: Sequence[float], names: Sequence[str], **look: Any) -> None:  # noqa: ANN401 - passed on
    """Write a name at each place of an axis, as it is."""
    axis.set_ticks(places, [drawable(name) for name in names], parse_math=False, **look)


def write(ax: Axes, x: float, y: float, words: str, **look: Any) -> None:  # noqa: ANN401 - passed on
    """Write words at a place, centred on it, as they are: no letter of theirs begins a formula."""
    options = {"size": 11.0, "color": INK, "ha": "center", "va": "center", **look}
    ax.text(x, y, words, parse_math=False, **options)


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
    """Turn the names below the columns where they would overlap."""
    texts = ax.get_xticklabels()
    if always or sum(len(text.get_text()) + 2 for text in texts) > ax.get_window_extent().width / 9:
        for text in texts:
            text.set(rotation=90 if len(texts) > 24 else 45, ha="right" if len(texts) <= 24 else "center")
            text.set_rotation_mode("anchor" if len(texts) <= 24 else "default")


def lean(ax: Axes) -> None:
    """Turn the names above the columns, so that they lean to the right as in the views of a page."""
    texts = ax.get_xticklabels()
    few = len(texts) <= 18
    for text in texts:
        text.set(rotation=50 if few else 90, ha="left" if few else "center", va="bottom")
        text.set_rotation_mode("anchor" if few else "default")


def write_values(ax: Axes, values: Floats, most: float | None, *, strong_from: float = 0.55) -> None:
    """Write every number into its cell, white on colours stronger than the share `strong_from` of `most`."""
    # Beside tenths a tiny number is next to nothing: 0.000 says so, 2.0e−04 must be worked out.
    largest = float(np.abs(values).max(initial=0.0))
    for (row, column), value in np.ndenumerate(values):
        strong = abs(value) > strong_from * (most or 1.0)
        is_tiny = 0 < abs(value) < 0.01 and largest >= 0.1
        ax.text(
            column,
            row,
            f"{value:.3f}".replace("-0.000", "0.000").replace("-", "−") if is_tiny else number(value),
            ha="center",
            va="center",
            fontsize=9,
            color="white" if strong else INK,
        )


def with_decimals(ax: Axes, decimals: int) -> None:
    """Write every number of a heat map with as many decimals: 0.08, not 0.080; 1.00 beside 0.98."""
    (image,) = ax.images
    for text, value in zip(ax.texts, np.ravel(np.asarray(image.get_array())).tolist(), strict=True):
        text.set_text(f"{value:.{decimals}f}".replace("-", "−"))
