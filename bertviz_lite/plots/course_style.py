"""One style for every figure of the course: white paper, dark ink, fonts, the colours of series."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import matplotlib as mpl
from matplotlib import font_manager
from matplotlib.rcsetup import cycler

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CHINESE_FONT", "CHINESE_FONT_FILE", "CYCLE", "INK", "fit", "style"]

INK = "#1a1a1a"
"""Colour of text and axes: nearly black, on white whatever the page's theme."""

CYCLE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f")
"""Series colours after Okabe and Ito (2008), distinguishable with every common colour blindness."""

CHINESE_FONT = "Bertviz Lite SC"
"""Family of the font that comes with the package: the common part of Noto Sans SC (SIL Open Font License)."""

CHINESE_FONT_FILE = Path(__file__).parents[1] / "basics" / "fonts" / "NotoSansSC-common.ttf"

# For what it lacks: rarer characters, Japanese, Korean. Named only where they are installed: matplotlib warns
# about a family that it cannot find.
_WIDE_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Serif CJK SC",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "SimHei",
    "WenQuanYi Zen Hei",
    "Arial Unicode MS",
)


@cache
def _families() -> list[str]:
    known = font_manager.fontManager
    known.addfont(CHINESE_FONT_FILE)
    # It has one weight. Entered as bold too, for titles: else matplotlib warns of every figure.
    known.ttflist.append(replace(known.ttflist[-1], weight=700))
    installed = set(font_manager.get_font_names())
    return ["DejaVu Sans", CHINESE_FONT, *(name for name in _WIDE_FONTS if name in installed)]


def _rc() -> dict[str, Any]:
    return {
        "font.family": _families(),
        "font.size": 12.0,
        "axes.titlesize": 14.0,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.titlepad": 10.0,
        "axes.labelsize": 12.0,
        "xtick.labelsize": 11.0,
        "ytick.labelsize": 11.0,
        "legend.fontsize": 11.0,
        "legend.frameon": False,
        "figure.figsize": (8.0, 4.5),
        "figure.dpi": 96.0,
        "figure.facecolor": "white",
        "figure.constrained_layout.use": True,
        "figure.constrained_layout.h_pad": 0.1,
        "figure.constrained_layout.w_pad": 0.1,
        "savefig.facecolor": "white",
        "savefig.edgecolor": "white",
        "savefig.bbox": None,
        "axes.facecolor": "white",
        "axes.edgecolor": INK,
        "axes.labelcolor": INK,
        "axes.titlecolor": INK,
        "text.color": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.prop_cycle": cycler(color=CYCLE),
        "lines.linewidth": 2.0,
        "image.interpolation": "nearest",
    }


@contextmanager
def style() -> Iterator[None]:
    """Draw in the course's style inside the ``with`` block; what was set before comes back after it.

    White card and dark ink on any page, letters that read from the back of a room, colours safe for the
    colour-blind. DejaVu Sans comes with matplotlib, the common Chinese characters with this package, so both
    are the same everywhere; an installed CJK font stands behind them for all others.

    Examples
    --------
    >>> with style():
    ...     figure, axes = plt.subplots()  # doctest: +SKIP
    """
    with mpl.rc_context(cast("Any", _rc())):
        yield


def fit(count: int, each: float, least: float, most: float) -> float:
    """Return the inches that `count` rows of `each` inch take, kept between `least` and `most`."""
    return min(max(count * each, least), most)
