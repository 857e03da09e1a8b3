"""A text as it is written, and as a model reads it whose tokenizer was another: token by token, by its id."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.chapters.chapter_14.boxes import FIT, GONE, MADE_UP, draw_box
from bertviz_lite.plots.course_style import INK, style
from bertviz_lite.plots.lettering import drawable, entitle, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

__all__ = ["read_as"]

_LEFT, _GAP, _TALL = 19.0, 0.5, 0.6
_NAMES = {0.0: "you write", 1.0: "the id", 2.0: "the model reads"}


def read_as(written: Sequence[str], ids: Sequence[int], read: Sequence[str], *, title: str) -> Axes:
    """Draw each token with its id, and below it what the model has in that row of its table.

    Parameters
    ----------
    written, read
        A token for each id: by the tokenizer that cut the text, and by the model's own.
    ids
        What the model is given.
    title
        The finding, in a sentence.

    Returns
    -------
    Axes
        Two boxes for each id; where the two tokens differ, the lower one is orange.
    """
    with style():
        _, ax = plt.subplots(figsize=(11.0, 2.7))
        left = _LEFT
        for above, number, below in zip(written, ids, read, strict=True):
            wide = 1.1 * max(len(above), len(below), len(str(number))) + 1.0
            for row, token in ((0.0, above), (2.0, below)):
                colours = MADE_UP if row and below != above else FIT
                draw_box(ax, (left, row - _TALL / 2), (wide, _TALL), colours)
                write(ax, left + wide / 2, row, drawable(token), size=11)
            middle = left + wide / 2
            ax.plot([middle, middle], [_TALL / 2, 2 - _TALL / 2], color=GONE[0], linewidth=1.2)
            paper = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
            write(ax, middle, 1.0, str(number), size=10, color=GONE[0], bbox=paper)
            left += wide + _GAP
        for row, name in _NAMES.items():
            write(ax, 0.0, row, name, ha="left", weight="bold", size=12, color=INK if row != 1 else GONE[0])
        ax.set(xlim=(-0.1, left), ylim=(2 + _TALL, -_TALL))
        ax.set_axis_off()
        entitle(ax, title)
    return ax
