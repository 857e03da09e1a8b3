"""The little scene of chapter 03: one child asks, three wear labels and carry messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import matplotlib.pyplot as plt

from bertviz_lite.chapters.people import draw_box, draw_person, fit_line
from bertviz_lite.plots import CYCLE
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import headline

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["scene"]

_ASKS, _LABEL, _CHILD, _MESSAGE, _BLEND = 0.95, 3.6, 5.05, 6.3, 8.4
"""Where the middle of each column is, in inches from the left."""

_HEADS = {
    "question (query)": (_ASKS, CYCLE[1]),
    "label (key)": (_LABEL, CYCLE[0]),
    "message (value)": (_MESSAGE, CYCLE[2]),
    "blend": (_BLEND, CYCLE[1]),
}
_QUESTION = "Who's a person,\nand was given\nsomething?"
_HEARD = "mostly\n“I'm a girl”"
_ROW = 1.15


class _Child(NamedTuple):
    """A word of the sentence: its name, what it wears and carries, how closely it is listened to."""

    name: str
    label: str
    message: str
    weight: float


_CHILDREN = (  # the weights, and the blanket's value (0, 0), as the sum by hand below the picture has them
    _Child("Tom", "a person,\ngave a blanket", "“I'm a boy”", weight=0.19),
    _Child("Anna", "a person, was\ngiven a blanket", "“I'm a girl”", weight=0.80),
    _Child("blanket", "a thing", "“I'm neither”", weight=0.01),
)


def scene(*, title: str = "") -> Axes:
    """Draw who asks, whose label fits, and what is heard: the better the fit, the thicker the line.

    Parameters
    ----------
    title
        The finding, in a sentence.
    """
    top = _ROW * len(_CHILDREN)
    middle = top / 2
    with style():
        figure, ax = plt.subplots(figsize=(9.2, top + 1.0))
        headline(figure, title)
    ax.set(xlim=(0, 9.2), ylim=(0, top + 0.4), aspect="equal")
    ax.axis("off")
    for name, (x, colour) in _HEADS.items():
        ax.text(x, top + 0.2, name, ha="center", va="center", color=colour, fontsize=12, fontweight="bold")
    draw_person(ax, _ASKS, middle + 1.0, "[MASK]")
    draw_box(ax, (_ASKS, middle), _QUESTION, CYCLE[1], width=1.75)
    for number, child in enumerate(_CHILDREN):
        height = top - _ROW * (number + 0.5)
        fit_line(ax, (_ASKS + 0.9, middle), (_LABEL - 0.9, height), CYCLE[0], fit=child.weight)
        fit_line(ax, (_MESSAGE + 0.7, height), (_BLEND - 0.65, middle), CYCLE[2], fit=child.weight)
        draw_box(ax, (_LABEL, height), child.label, CYCLE[0], width=1.85)
        draw_person(ax, _CHILD, height, child.name)
        draw_box(ax, (_MESSAGE, height), child.message, CYCLE[2], width=1.4)
    draw_box(ax, (_BLEND, middle), _HEARD, CYCLE[1], width=1.35)
    return ax
