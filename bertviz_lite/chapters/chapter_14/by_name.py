"""How `from_pretrained` fits a folder's tensors into a class: by their names, drawn as two columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from bertviz_lite.chapters.chapter_14.boxes import FIT, GONE, MADE_UP, draw_box
from bertviz_lite.plots.course_style import style
from bertviz_lite.plots.lettering import entitle, write

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from matplotlib.axes import Axes

__all__ = ["by_name", "groups_of"]

_WIDE, _TALL, _STEP, _BETWEEN = 3.6, 0.62, 0.84, 2.3


def groups_of(names: Iterable[str]) -> dict[str, int]:
    """Count tensors by the part that they belong to: {"bert.embeddings": 5, "bert.encoder": 64, …}.

    A part is the first two words of a name, or the first alone if the name has no more than two.
    """
    counts: dict[str, int] = {}
    for name in names:
        part = ".".join(name.split(".")[:-1][:2])
        counts[part] = counts.get(part, 0) + 1
    return counts


def by_name(
    name: str, stored: Iterable[str], missing: Collection[str], unexpected: Collection[str], *, title: str
) -> Axes:
    """Draw what a class takes from a folder, what it leaves there, and what the folder lacks.

    Parameters
    ----------
    name
        Of the class.
    stored
        Names of the folder's tensors.
    missing, unexpected
        Names that only the class has, and that only the folder has, as `load_state_dict` returns them.
    title
        The finding, in a sentence.

    Returns
    -------
    Axes
        Left the folder's tensors, right the class's; an arrow where the names are equal.
    """
    fit = sorted(set(stored) - set(unexpected))
    taken, left, made_up = (groups_of(names) for names in (fit, sorted(unexpected), missing))
    rows = len(taken) + len(left) + len(made_up)
    right, size = _WIDE + _BETWEEN, (_WIDE, _TALL)
    with style():
        _, ax = plt.subplots(figsize=(9.6, 0.62 * rows + 1.3))
        ax.set(xlim=(-0.05, right + _WIDE + 0.05), ylim=(rows * _STEP + 0.1, -1.05))
        ax.set_axis_off()
        for x, words in ((0.0, "in the folder"), (right, f"in the class\n{name}")):
            write(ax, x + _WIDE / 2, -0.55, words, weight="bold", size=13)
        for row, (part, count) in enumerate(taken.items()):
            for x in (0.0, right):
                draw_box(ax, (x, row * _STEP), size, FIT, f"{part}  ({count})")
            middle = row * _STEP + _TALL / 2
            look = {"arrowstyle": "-|>", "color": FIT[0], "linewidth": 1.8}
            ax.annotate("", (right, middle), (_WIDE, middle), arrowprops=look)
            write(ax, _WIDE + _BETWEEN / 2, middle - 0.17, "same name", color=FIT[0], size=11)
        first = len(taken)
        for x, some, colours, edge, words in (
            (0.0, left, GONE, _WIDE + 0.12, "UNEXPECTED:\nleft in the folder"),
            (right, made_up, MADE_UP, right - 0.12, "MISSING:\nstill random"),
        ):
            for row, (part, count) in enumerate(some.items(), start=first):
                draw_box(ax, (x, row * _STEP), size, colours, f"{part}  ({count})", dashed=True)
            if some:
                top, bottom = first * _STEP, (first + len(some) - 1) * _STEP + _TALL
                ax.plot([edge, edge], [top, bottom], color=colours[0], linewidth=2.5)
                side = 1 if x == 0 else -1
                ha = "left" if side == 1 else "right"
                write(ax, edge + 0.12 * side, (top + bottom) / 2, words, color=colours[0], ha=ha, size=11)
            first += len(some)
        entitle(ax, title)
    return ax
