"""The map of the machine in small: which class of the page computes each of its boxes.

>>> from bertviz_lite.chapters.chapter_12.whole_bert import Heads
>>> boxes_of(Heads)
(['verdict'], ['transform', 'words'])

The boxes and their order are those of the machine; whose they are is read from the page's own modules. Left
out: the numbers, and the lines between the boxes.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import torch
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle
from transformers import BertConfig

from bertviz_lite.chapters.chapter_12.whole_bert import WholeBert
from bertviz_lite.plots.course_style import CYCLE, INK, style
from bertviz_lite.plots.display import Picture, picture
from bertviz_lite.views.machine.boxes import BOXES, Box
from bertviz_lite.views.machine.places import BOXES_AT, Place

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from torch import nn

__all__ = ["boxes_of", "classes_on_the_map", "path_of", "structure"]

_WIDTH, _HEIGHT = 800.0, 250.0
"""In hundredths of an inch, as all places here."""

_LEFT, _RIGHT = 152.0, 792.0
_ROWS = {
    "Input embeddings": (46.0, 66.0, "word position segment sum norm"),
    "Self-attention": (94.0, 154.0, "query key weights value context projected attended"),
    "Feed-forward": (174.0, 194.0, "up activated down output"),
    "Pooler, heads": (224.0, 244.0, "transform words pooler verdict"),
}
"""Top, bottom and boxes of each row, by the words at its left."""
_LAYER = Place(2, 74, _WIDTH - 4, 126)
_UP = 9.0
"""A class's name stands so far above its boxes."""

_COLOURS = (*CYCLE, "#8c6bb1")
_BACK, _HEADING, _CALLER = "#eceff2", "#0550ae", "#59636e"
_FULL = {
    "transform": "LM transform",
    "words": "LM decoder",
    "pooler": "pooler",
    "verdict": "NSP classifier",
}
"""Names of boxes of which, on the map, the frame says the rest."""


def classes_on_the_map() -> Picture:
    """Draw the map in small: above its boxes the class that computes them, at the left who calls it."""
    owners = {box.id: [kind.__name__ for kind in _classes(box)] for box in BOXES if box.id in BOXES_AT}
    names = {box.id: _FULL.get(box.id, box.name) for box in BOXES}
    groups = _groups({box: kinds[-1] for box, kinds in owners.items()})
    kinds = list(dict.fromkeys(kind for kind, _ in groups))
    places, colours = _places(), dict(zip(kinds, _COLOURS, strict=True))
    often = [kind for kind in kinds if sum(kind == other for other, _ in groups) > 1]
    title = f"{len(kinds)} classes compute the map's {len(owners)} boxes, {' and '.join(often)} twice a layer"
    with style():
        figure = plt.figure(figsize=(_WIDTH / 100, _HEIGHT / 100), layout="none")
        ax = figure.add_axes((0, 0, 1, 1))
        ax.set(xlim=(0, _WIDTH), ylim=(_HEIGHT, 0))
        ax.set_axis_off()
        _rectangle(ax, _LAYER, _BACK, _BACK)
        ax.text(4, 13, title, va="center", fontsize=12.5, fontweight="bold")
        for row, (top, bottom, line) in _ROWS.items():
            callers = {owners[box][-2] for box in line.split()}
            look: dict[str, Any] = {"va": "center", "fontsize": 9.5}
            middle = (top + bottom) / 2
            shift = 8 if len(callers) == 1 else 0
            ax.text(8, middle - shift, row, color=_HEADING, fontweight="bold", **look)
            if shift:
                ax.text(8, middle + shift, f"called by {callers.pop()}", color=_CALLER, **look)
        for kind, boxes in groups:
            for box in boxes:
                _box(ax, places[box], names[box], colours[kind])
            left, right = min(places[box].left for box in boxes), max(places[box].right for box in boxes)
            top = min(places[box].top for box in boxes)
            look = {"ha": "center", "va": "center", "fontsize": 10, "fontweight": "bold"}
            ax.text((left + right) / 2, top - _UP, kind, **look)
    return picture(figure, _alt(groups, {box.id: box.full_name for box in BOXES}))


def _groups(owners: dict[str, str]) -> list[tuple[str, list[str]]]:
    """Return the boxes of each row, from left to right, those of one class together."""
    return [
        (kind, list(boxes))
        for _, _, row in _ROWS.values()
        for kind, boxes in groupby(row.split(), key=owners.__getitem__)
    ]


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


def _box(ax: Axes, place: Place, name: str, colour: str) -> None:
    red, green, blue = (0.72 + 0.28 * part for part in to_rgb(colour))
    _rectangle(ax, place, (red, green, blue), colour)
    ax.text(*place.middle, name, ha="center", va="center", fontsize=9.5, color=INK)


def _rectangle(ax: Axes, place: Place, face: str | tuple[float, float, float], edge: str) -> None:
    left, top, width, height = place
    ax.add_patch(Rectangle((left, top), width, height, facecolor=face, edgecolor=edge, linewidth=1))


def _alt(groups: list[tuple[str, list[str]]], names: dict[str, str]) -> str:
    said = "; ".join(f"{kind}: {', '.join(names[box] for box in boxes)}" for kind, boxes in groups)
    return f"The map in small, with the class of the page that computes each box. {said}."
