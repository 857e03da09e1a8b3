"""Old heads off, a new one on: which weights are pre-trained, which random, and which learn, by method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch, Patch

from bertviz_lite.plots import CYCLE, style
from bertviz_lite.plots.course_style import INK
from bertviz_lite.plots.lettering import entitle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

__all__ = ["BODY", "METHODS", "Method", "old_and_new"]

BODY = ("embeddings", "layers", "pooler")
"""What is below a head, from the bottom up."""

_PRETRAINED, _RANDOM, _STAYS, _LEARNS = "#cfe4f3", "white", "0.7", CYCLE[1]
_WIDTH, _HEIGHTS, _GAP, _STEP = 1.7, {"embeddings": 0.45, "layers": 1.25, "pooler": 0.45}, 0.12, 2.15
_HEAD = 0.45


@dataclass(frozen=True)
class Method:
    """A way to use BERT: its name, whether its body is pre-trained and learns, and its heads' names."""

    name: str
    is_pretrained: bool
    learns: bool
    heads: Sequence[str] = ("classifier",)
    is_new: bool = True


METHODS = (
    Method("as pre-trained", is_pretrained=True, learns=False, heads=("LM head", "NSP head"), is_new=False),
    Method("fine-tuned", is_pretrained=True, learns=True),
    Method("frozen", is_pretrained=True, learns=False),
    Method("from random weights", is_pretrained=False, learns=True),
)
"""What pre-training left, and the three ways that the chapter compares."""


def old_and_new(*, title: str = "", methods: Sequence[Method] = METHODS) -> Axes:
    """Draw a column for each method: filled are pre-trained weights, framed thickly those that learn.

    Parameters
    ----------
    title
        The finding, in a sentence.
    methods
        From left to right. Heads that are not new are drawn coming off.
    """
    with style():
        _, ax = plt.subplots(figsize=(8.6, 4.6))
        for number, method in enumerate(methods):
            _draw(ax, method, number * _STEP)
        ax.set(xlim=(-0.05, (len(methods) - 1) * _STEP + _WIDTH + 0.05), ylim=(-0.45, 3.85))
        ax.set_axis_off()
        samples = [
            Patch(facecolor=_PRETRAINED, edgecolor=_STAYS, label="pre-trained weights"),
            Patch(facecolor=_RANDOM, edgecolor=_STAYS, hatch="///", label="random at first"),
            Patch(facecolor="white", edgecolor=_LEARNS, linewidth=3, label="learns"),
        ]
        ax.figure.legend(handles=samples, loc="outside lower center", ncols=3, fontsize=12)
        entitle(ax, title)
    return ax


def _draw(ax: Axes, method: Method, left: float) -> None:
    bottom = 0.0
    middle = left + _WIDTH / 2
    for part in BODY:
        _box(ax, (left, bottom), (_WIDTH, _HEIGHTS[part]), part, method.is_pretrained, method.learns)
        bottom += _HEIGHTS[part] + _GAP
    if method.is_new:
        for head in method.heads:
            _box(ax, (left, bottom), (_WIDTH, _HEAD), head, is_pretrained=False, learns=True)
    else:
        width = (_WIDTH - _GAP) / len(method.heads)
        for number, head in enumerate(method.heads):
            at = (left + number * (width + _GAP), bottom + 0.45)
            _box(ax, at, (width, _HEAD + 0.15), head.replace(" ", "\n"), is_pretrained=True, learns=False)
        look = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.5}
        ax.annotate("", (middle, bottom + 0.42), (middle, bottom - 0.05), arrowprops=look)
        ax.text(middle + 0.1, bottom + 0.17, "come off", va="center", fontsize=11)
    ax.text(middle, -0.25, method.name, ha="center", va="center", fontsize=12, weight="bold")


def _box(
    ax: Axes,
    corner: tuple[float, float],
    size: tuple[float, float],
    name: str,
    is_pretrained: bool,
    learns: bool,
) -> None:
    box = FancyBboxPatch(
        corner, *size, boxstyle="round,pad=0,rounding_size=0.05",
        facecolor=_PRETRAINED if is_pretrained else "none",
        edgecolor=_LEARNS if learns else _STAYS, linewidth=3 if learns else 1,
    )  # fmt: skip
    if not is_pretrained:  # the hatch has a colour of its own
        inside = FancyBboxPatch(
            corner, *size, boxstyle="round,pad=0,rounding_size=0.05",
            facecolor=_RANDOM, edgecolor="0.82", hatch="///", linewidth=0, zorder=0.9,
        )  # fmt: skip
        ax.add_patch(inside)
    ax.add_patch(box)
    middle = corner[0] + size[0] / 2, corner[1] + size[1] / 2
    halo = {"facecolor": "white", "edgecolor": "none", "pad": 1.5} if not is_pretrained else None
    ax.text(*middle, name, ha="center", va="center", fontsize=11, bbox=halo, zorder=3)
