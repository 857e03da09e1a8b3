"""The little scene of chapter 03: one child asks, others wear labels and carry messages, or swap them.

In words, or with the numbers of the sum by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.chapters.people import draw_box, draw_person, fit_line
from bertviz_lite.plots import CYCLE
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import HALO, headline, write

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

__all__ = ["scene", "scene_in_numbers", "swapped_scenes"]

_ASKS, _LABEL, _CHILD, _MESSAGE, _BLEND = 0.95, 3.6, 5.05, 6.3, 8.4
"""Where the middle of each column is, in inches from the left."""

_HEADS = {
    "question (query)": (_ASKS, CYCLE[1]),
    "label (key)": (_LABEL, CYCLE[0]),
    "message (value)": (_MESSAGE, CYCLE[2]),
    "blend": (_BLEND, CYCLE[1]),
}
_QUESTION = "Who's a person,\nand was given\nsomething?"
_EITHER_WAY = "Swap the labels, or the messages: either way, “I'm a boy” is loudest"
"""Here and not in the chapter, which asks for a prediction first."""

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
    with style():
        figure, ax = plt.subplots(figsize=(9.2, _ROW * len(_CHILDREN) + 1.0))
        headline(figure, title)
    _draw(ax, _CHILDREN)
    return ax


def scene_in_numbers(words: Sequence[str], vectors: Mapping[str, npt.ArrayLike], *, title: str = "") -> Axes:
    """Draw the scene with vectors in place of words, and the weights on the lines.

    Parameters
    ----------
    words
        Who wears each label.
    vectors
        "query" of shape (2,), "keys" and "values" of shape (len(words), 2), "weights" of shape (len(words),).
    title
        The finding, in a sentence.
    """
    query, keys, values, weights = (
        np.asarray(vectors[name], float) for name in ("query", "keys", "values", "weights")
    )
    children = [
        _Child(word, _pair(key), _pair(value), float(weight))
        for word, key, value, weight in zip(words, keys, values, weights, strict=True)
    ]
    with style():
        figure, ax = plt.subplots(figsize=(9.2, _ROW * len(children) + 1.0))
        headline(figure, title)
    _draw(ax, children, asked=_pair(query), heard=_pair(weights @ values))
    top = _ROW * len(children)
    for number, child in enumerate(children):
        height = top - _ROW * (number + 0.5)
        for (x, y), (to_x, to_y), colour in (
            ((_ASKS, top / 2), (_LABEL, height), CYCLE[0]),
            ((_MESSAGE, height), (_BLEND, top / 2), CYCLE[2]),
        ):
            place = (x + to_x) / 2, (y + to_y) / 2 + 0.22 * (y == to_y)  # above a thick level line
            write(ax, *place, f"{child.weight:.2f}", color=colour, path_effects=HALO)
    write(ax, (_ASKS + _LABEL) / 2, -0.1, "(a person, was given something)")
    write(ax, (_MESSAGE + _BLEND) / 2, -0.1, "(girl, boy)")
    ax.set_ylim(-0.25, top + 0.4)
    return ax


def _pair(numbers: npt.ArrayLike) -> str:
    """Write a vector as "(1, −1)", with two decimals where it needs them."""
    written = (f"{round(number, 2):g}".replace("-", "−") for number in np.ravel(numbers).tolist())
    return f"({', '.join(written)})"


def swapped_scenes() -> tuple[list[Axes], str]:
    """Draw the scene twice, without the blanket: Tom and Anna have swapped labels, or messages.

    Returns
    -------
    tuple of list of Axes and str
        Two, of one figure; what they show, in words.
    """
    tom, anna, _ = _CHILDREN
    # who wears a label is listened to as it asks for; who carries a message says it
    labels = (
        tom._replace(label=anna.label, weight=anna.weight),
        anna._replace(label=tom.label, weight=tom.weight),
    )
    messages = tom._replace(message=anna.message), anna._replace(message=tom.message)
    with style():
        figure, axes = plt.subplots(2, 1, figsize=(9.2, 6.3))
        headline(figure, _EITHER_WAY)
    both: list[Axes] = list(axes)
    for ax, name, children, x, colour in (
        (both[0], "labels (keys) swapped", labels, _LABEL, CYCLE[0]),
        (both[1], "messages (values) swapped", messages, _MESSAGE, CYCLE[2]),
    ):
        _draw(ax, children)
        ax.set_title(name, fontsize=12, fontweight="normal", loc="left")
        look = {
            "arrowstyle": "<|-|>",
            "color": colour,
            "lw": 2,
            "mutation_scale": 14,
            "shrinkA": 0,
            "shrinkB": 0,
        }
        gap = _ROW - _height(children[0].label if x == _LABEL else children[0].message)
        ax.annotate("", (x, _ROW + gap / 2), (x, _ROW - gap / 2), arrowprops=look)
    listens = "With labels swapped, [MASK] listens to Tom; with messages swapped, to Anna, who says"
    return both, f"{listens} what Tom said. {_EITHER_WAY}."


def _height(words: str) -> float:
    """Return how high the box around some words is."""
    return 0.30 + 0.24 * (words.count("\n") + 1)


def _draw(ax: Axes, children: Sequence[_Child], *, asked: str = _QUESTION, heard: str = "") -> None:
    """Draw the one who asks, the children under each other, and what is heard: the loudest message."""
    top = _ROW * len(children)
    middle = top / 2
    down = 0.5 * (len(children) < 3)  # where there are two, the heading needs the room above
    loudest = max(children, key=lambda child: child.weight).message
    ax.set(xlim=(0, 9.2), ylim=(-0.2 * down, top + 0.4), aspect="equal")
    ax.axis("off")
    for name, (x, colour) in _HEADS.items():
        ax.text(x, top + 0.2, name, ha="center", va="center", color=colour, fontsize=12, fontweight="bold")
    draw_person(ax, _ASKS, middle - down + 1.0, "[MASK]")
    draw_box(ax, (_ASKS, middle - down), asked, CYCLE[1], width=1.75)
    for number, child in enumerate(children):
        height = top - _ROW * (number + 0.5)
        # both ends lie inside their boxes, which hide them: a thick end would jut out of an edge
        fit_line(ax, (_ASKS + 0.7, middle - down), (_LABEL - 0.7, height), CYCLE[0], fit=child.weight)
        fit_line(ax, (_MESSAGE + 0.5, height), (_BLEND - 0.5, middle), CYCLE[2], fit=child.weight)
        draw_box(ax, (_LABEL, height), child.label, CYCLE[0], width=1.85)
        draw_person(ax, _CHILD, height, child.name)
        draw_box(ax, (_MESSAGE, height), child.message, CYCLE[2], width=1.4)
    draw_box(ax, (_BLEND, middle), heard or f"mostly\n{loudest}", CYCLE[1], width=1.35)
