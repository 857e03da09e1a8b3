"""The map of the machine in small: which of its boxes a class of the page computes.

>>> from bertviz_lite.chapters.chapter_12.whole_bert import Heads
>>> boxes_of(Heads)
(['verdict'], ['transform', 'words'])

The boxes and their order are those of the machine; whose they are is read from the page's own modules. Left
out: the numbers, and the lines between the boxes.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import torch
from matplotlib.patches import Rectangle
from transformers import BertConfig

from bertviz_lite.chapters.chapter_12.whole_bert import WholeBert
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.display import Picture, picture
from bertviz_lite.views.machine.boxes import BOXES, Box
from bertviz_lite.views.machine.places import BOXES_AT, Place

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from torch import nn

__all__ = ["boxes_of", "on_the_map", "path_of", "structure"]

_WIDTH, _HEIGHT = 800.0, 176.0
"""In hundredths of an inch, as all places here."""

_LEFT, _RIGHT = 152.0, 792.0
_ROWS = {
    "Input embeddings": (28.0, 48.0, "word position segment sum norm"),
    "Self-attention": (58.0, 118.0, "query key weights value context projected attended"),
    "Feed-forward": (124.0, 144.0, "up activated down output"),
    "Pooler, heads": (154.0, 174.0, "transform words pooler verdict"),
}
"""Top, bottom and boxes of each row, by the words at its left."""
_LAYER = Place(2, 53, _WIDTH - 4, 96)

_OWN, _CALLED, _OTHER = ("#0550ae", "white"), ("#bcd7f3", INK), ("white", "#59636e")
_BACK, _EDGE, _HEADING = "#eceff2", "#b8c0c8", "#0550ae"
_FULL = {
    "transform": "LM transform",
    "words": "LM decoder",
    "pooler": "pooler",
    "verdict": "NSP classifier",
}
"""Names of boxes of which, on the map, the frame says the rest."""


def on_the_map(kind: type[nn.Module]) -> Picture:
    """Draw the map in small, with the boxes of a class of the page filled.

    Parameters
    ----------
    kind
        A class of `whole_bert`. Boxes that its own lines compute are dark; those of the classes that it
        calls are light.
    """
    own, called = boxes_of(kind)
    names = {box.id: _FULL.get(box.id, box.name) for box in BOXES}
    with style():
        figure = plt.figure(figsize=(_WIDTH / 100, _HEIGHT / 100), layout="none")
        ax = figure.add_axes((0, 0, 1, 1))
        ax.set(xlim=(0, _WIDTH), ylim=(_HEIGHT, 0))
        ax.set_axis_off()
        _rectangle(ax, _LAYER, _BACK, _BACK)
        ax.text(4, 12, f"{kind.__name__} on the map", va="center", fontsize=11.5, fontweight="bold")
        for row, (top, bottom, _) in _ROWS.items():
            look: dict[str, Any] = {"va": "center", "fontsize": 9.5, "fontweight": "bold", "color": _HEADING}
            ax.text(8, (top + bottom) / 2, row, **look)
        for name, place in _places().items():
            _box(ax, place, names[name], _OWN if name in own else _CALLED if name in called else _OTHER)
        if own:
            _box(ax, Place(_RIGHT - 254, 3, 122, 18), "its own lines", _OWN)
        if called:
            _box(ax, Place(_RIGHT - 124, 3, 124, 18), "classes it calls", _CALLED)
    return picture(figure, _alt(kind, own, called))


def boxes_of(kind: type[nn.Module]) -> tuple[list[str], list[str]]:
    """Return the boxes that a class's own lines compute, and those of the classes that it calls."""
    own, called = [], []
    for box in (box for box in BOXES if box.id in BOXES_AT):
        *around, nearest = _classes(box)
        if kind is nearest:
            own.append(box.id)
        elif kind in around:
            called.append(box.id)
    return own, called


def _classes(box: Box) -> list[type[nn.Module]]:
    """Return the page's classes around a box, from `WholeBert` to the one that computes it."""
    whole, steps = structure(), path_of(box).split(".")
    found: list[type[nn.Module]] = [type(whole)]
    for end in range(1, len(steps) + 1):
        kind = type(whole.get_submodule(".".join(steps[:end])))
        if kind.__module__ == WholeBert.__module__:
            found.append(kind)
    return found


def path_of(box: Box) -> str:
    """Return the path of the page's module that computes a box, in layer 0 if it is one of a layer."""
    path = (box.module or box.group).format(layer=0)
    return path if path.startswith("cls.") else f"bert.{path}"


@cache
def structure() -> WholeBert:
    """Make a page of one layer that has no numbers."""
    with torch.device("meta"):
        return WholeBert(BertConfig(num_hidden_layers=1))


def _places() -> dict[str, Place]:
    """Return where each box stands: as on the map, each row as wide as the picture and much lower."""
    found = {}
    for top, bottom, names in _ROWS.values():
        row = {name: BOXES_AT[name] for name in names.split()}
        left, right = min(at.left for at in row.values()), max(at.right for at in row.values())
        *inner, _ = row.values()  # add & norm stands beside the frame, and is higher
        start, end = min(at.top for at in inner), max(at.bottom for at in inner)
        across, down = (_RIGHT - _LEFT) / (right - left), (bottom - top) / (end - start)
        for name, at in row.items():
            high, low = max(at.top, start), min(at.bottom, end)
            x, y = _LEFT + (at.left - left) * across, top + (high - start) * down
            found[name] = Place(x, y, at.width * across, (low - high) * down)
    return found


def _box(ax: Axes, place: Place, name: str, look: tuple[str, str]) -> None:
    face, ink = look
    _rectangle(ax, place, face, face if look is _OWN else _EDGE)
    weight = "bold" if look is _OWN else "normal"
    ax.text(*place.middle, name, ha="center", va="center", fontsize=9.5, color=ink, fontweight=weight)


def _rectangle(ax: Axes, place: Place, face: str, edge: str) -> None:
    left, top, width, height = place
    ax.add_patch(Rectangle((left, top), width, height, facecolor=face, edgecolor=edge, linewidth=1))


def _alt(kind: type[nn.Module], own: list[str], called: list[str]) -> str:
    names = {box.id: box.full_name for box in BOXES}
    said = [f"The map in small, with the boxes of {kind.__name__} filled."]
    for words, boxes in (("Its own lines compute", own), ("Classes that it calls compute", called)):
        if boxes:
            said.append(f"{words}: {', '.join(names[box] for box in boxes)}.")
    return " ".join(said)
