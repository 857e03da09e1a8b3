"""Words of the town on a map, and its names alone: children and grown-ups, women and men, four heaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite import plots
from bertviz_lite.world.events.town import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    from bertviz_lite.plots.point_maps import PCA

__all__ = ["HEAPS", "draw_map", "own_heap", "with_ages"]

HEAPS = ("girls", "women", "men", "boys")
"""Groups of names. *Women* and *men* are grown up, old people too.

In this order women and men have the colours and marks that they have on the map of all words.
"""

_CHILDREN = {person.name.lower() for person in PEOPLE if person.age == "child"}
_OF = {"women, girls": ("women", "girls"), "men, boys": ("men", "boys")}
_SIDES = {"girls": (-1, -1), "boys": (1, -1), "women": (-1, 1), "men": (1, 1)}
"""Where the names that are written lie in their heap, where no other heap is: left or right, low or high."""
_WORDS = frozenset(
    ("had", "said", "called", "sat", "climbed", "showed", "fried", "bread", "tea", "park", "cave", "hospital")
)
_NAMES = frozenset(("carl", "ivy"))
"""At the edges of the heap of all names, where women and men, girls and boys are not told apart."""


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
    """Draw the map, with two names of each heap (or of the one of all names) and some words written on it.

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
    apart = set(HEAPS) & {*groups}
    written = [i for i in range(len(names)) if names[i] in (_WORDS if apart else _WORDS | _NAMES)]
    for heap in (heap for heap in HEAPS if heap in apart):
        rows = [i for i in order if groups[i] == heap]
        ends = flat.points[rows] * _SIDES[heap]
        written += [rows[i] for i in dict.fromkeys(ends.argmax(axis=0).tolist())]
    return plots.scatter_map(
        flat.points[order],
        [names[i] for i in order],
        [groups[i] for i in order],
        explained=flat.explained,
        title=title,
        annotate=[order.index(i) for i in written],
    )
