"""The page's modules as a tree: the name of each in the one that holds it, its class, its boxes on the map.

>>> print(class_tree())  # doctest: +ELLIPSIS
name                         class          boxes of the map
model                        WholeBert
  bert                       Bert
    embeddings               Embeddings     sum
      word_embeddings        nn.Embedding   token
...

Left out: all layers but the first, which are like it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from bertviz_lite.chapters.chapter_12.figures.on_the_map import path_of, structure
from bertviz_lite.chapters.chapter_12.whole_bert import WholeBert
from bertviz_lite.views.machine.boxes import BOXES, Box
from bertviz_lite.views.machine.places import BOXES_AT

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["class_tree", "rows"]

_TOP = "model"
_WITH_THE_SUM = "attended", "output"
"""Boxes that add before they normalise: theirs is not only nn.LayerNorm, but the module that holds it."""


def class_tree() -> str:
    """Return the tree as lines of three columns, each name under that of the module that holds it."""
    lines = [("name", "class", "boxes of the map")]
    for path, kind, boxes in rows():
        *above, name = path.split(".")
        lines.append(("  " * len(above) + name, kind, ", ".join(boxes)))
    first, second = (max(len(line[column]) for line in lines) + 2 for column in range(2))
    return "\n".join(f"{name:{first}}{kind:{second}}{boxes}".rstrip() for name, kind, boxes in lines)


def rows() -> Iterator[tuple[str, str, list[str]]]:
    """Give the path, the class and the boxes of every module, from the whole model down."""
    for path, part in structure().named_modules():
        if not isinstance(part, nn.ModuleList):
            kind = type(part)
            name = kind.__name__ if kind.__module__ == WholeBert.__module__ else f"nn.{kind.__name__}"
            boxes = [box.name for box in BOXES if box.id in BOXES_AT and _place(box) == path]
            yield f"{_TOP}.{path}".rstrip(".").replace("layer.0", "layer[0]"), name, boxes


def _place(box: Box) -> str:
    path = path_of(box)
    return path.rpartition(".")[0] if box.id in _WITH_THE_SUM else path
