"""Words of the town on a map, and its names alone: children and grown-ups, women and men, four heaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.text import Annotation

from bertviz_lite import plots
from bertviz_lite.plots import point_names
from bertviz_lite.plots.course_style import CYCLE
from bertviz_lite.world.events.town import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    from bertviz_lite.plots.point_maps import PCA

__all__ = ["HEAPS", "draw_map", "draw_names", "own_heap", "with_ages"]

HEAPS = ("girls", "women", "men", "boys")
"""Groups of names. *Women* and *men* are grown up, old people too.

In this order women and men have the colours and marks that they have on the map of all words.
"""

_CHILDREN = {person.name.lower() for person in PEOPLE if person.age == "child"}
_OF = {"women, girls": ("women", "girls"), "men, boys": ("men", "boys")}
_NAMES_A_HEAP = 5
_ALWAYS = frozenset(("anna", "tom"))
"""Names of the course's own examples."""


def with_ages(names: Sequence[str], groups: Sequence[str]) -> list[str]:
    """Return the groups, with girls apart from women and boys from men.

    >>> with_ages(["anna", "nora", "frog"], ["women, girls", "women, girls", "animals"])
    ['girls', 'women', 'animals']
    """
    pairs = zip(names, groups, strict=True)
    return [_OF[group][name in _CHILDREN] if group in _OF else str(group) for name, group in pairs]


def own_heap(points: npt.ArrayLike, groups: Sequence[str]) -> tuple[int, int]:
    """Return how many names lie nearest to the middle of their own heap, and how many names there are."""
    places, of = np.asarray(points, dtype=np.float64), np.array(groups)
    middles = np.stack([places[of == heap].mean(axis=0) for heap in HEAPS])
    is_name = np.isin(of, HEAPS)
    away = np.linalg.norm(places[is_name, None] - middles, axis=-1)
    nearest = np.array(HEAPS)[away.argmin(axis=1)]
    return int((nearest == of[is_name]).sum()), int(is_name.sum())


def draw_map(flat: PCA, names: Sequence[str], groups: Sequence[str], *, title: str) -> Axes:
    """Draw the map, with two words of each group written on it, in its colour; more of a map of names.

    Parameters
    ----------
    flat
        Where the words lie: ``plots.pca(vectors)``.
    names, groups
        Of each point.
    title
        The finding, in a sentence.
    """
    first = (*HEAPS, "verbs, past")  # groups behind the seventh are drawn hollow
    order = sorted(range(len(groups)), key=lambda i: (*first, groups[i]).index(groups[i]))
    points = flat.points[order]
    words, of = [names[i] for i in order], [groups[i] for i in order]
    ax = plots.scatter_map(points, words, of, explained=flat.explained, title=title, annotate=[])
    ax.margins(0.14)  # room for words beyond the outermost points
    point_names.annotate(ax, points, words, _written(points, words, of))
    for dots in ax.collections:
        dots.set_zorder(3.5)  # above a word's white edge
        dots.set(edgecolor="white", linewidth=0.6)  # so that marks on top of each other are told apart
    kinds = list(dict.fromkeys(of))
    inks = {
        word: _darker(CYCLE[kinds.index(kind) % len(CYCLE)]) for word, kind in zip(words, of, strict=True)
    }
    for text in list(ax.texts):
        if isinstance(text, Annotation):
            text.set_color("white")
            bare = ax.annotate(text.get_text(), text.xy, text.get_position(), textcoords="offset points")
            sides = {"ha": text.get_horizontalalignment(), "va": text.get_verticalalignment()}
            bare.set(**sides, fontsize=text.get_fontsize(), zorder=4, color=inks[text.get_text()])
            bare.set_parse_math(False)
    return ax


def _darker(colour: str) -> tuple[float, ...]:
    """Return a colour in which thin letters can be read on white."""
    return tuple(0.65 * part for part in to_rgb(colour))


def _written(points: npt.NDArray[np.float64], names: Sequence[str], groups: Sequence[str]) -> list[int]:
    """Return the points whose names are written: the highest and the lowest of each group, or more."""
    apart = bool(set(HEAPS) & {*groups})
    chosen = []
    for group in dict.fromkeys(groups):
        rows = [i for i in range(len(groups)) if groups[i] == group]
        rows.sort(key=lambda i: float(points[i, 1]))
        steps = np.linspace(0, len(rows) - 1, _NAMES_A_HEAP if apart and group in HEAPS else 2).round()
        chosen += [rows[int(step)] for step in steps]
        chosen += [i for i in rows if apart and names[i] in _ALWAYS]
    return list(dict.fromkeys(chosen))


def draw_names(vectors: npt.ArrayLike, names: Sequence[str], groups: Sequence[str]) -> tuple[Axes, str, str]:
    """Draw a map of the names alone, girls and women, boys and men apart.

    Returns
    -------
    tuple of Axes and two str
        The axes; the finding that is their title; and how many names lie nearest to their own heap's middle.
    """
    flat, heaps = plots.pca(vectors), with_ages(names, groups)
    at_home, tried = own_heap(flat.points, heaps)
    what = "four heaps" if at_home > tried / 2 else "no heaps"  # a quarter by chance
    finding = f"The {len(names)} names alone: {what}"
    ax = draw_map(flat, names, heaps, title=finding)
    return ax, finding, f"{at_home} of {tried} names lie nearest to the middle of their own heap"
