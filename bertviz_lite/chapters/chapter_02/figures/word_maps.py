"""Words of the town on a map, and its names alone: children and grown-ups, women and men, four heaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from bertviz_lite import plots
from bertviz_lite.plots import lettering
from bertviz_lite.plots.course_style import CYCLE, style
from bertviz_lite.world.events.town import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox

    from bertviz_lite.plots.point_maps import PCA

__all__ = ["HEAPS", "draw_map", "draw_names", "own_heap", "with_ages"]

HEAPS = ("girls", "women", "men", "boys")
"""Groups of names. *Women* and *men* are grown up, old people too.

In this order women and men have the colours and marks that they have on the map of all words.
"""

_CHILDREN = {person.name.lower() for person in PEOPLE if person.age == "child"}
_OF = {"women, girls": ("women", "girls"), "men, boys": ("men", "boys")}
_GROWN_UP = {"girls": "women", "boys": "men"}
_ALWAYS = frozenset(("anna", "tom"))
"""Names of the course's own examples."""
_SPOTS = ((-8, 0), (8, 0), (0, 7), (0, -7), (-6, 6), (6, 6), (-6, -6), (6, -6))
"""Where a name can stand, in points from its mark; of equally good ones the first."""
_SIDES = {-1: "right", 0: "center", 1: "left"}
_HEIGHTS = {-1: "top", 0: "center", 1: "bottom"}
"""How a name is aligned to the left or right of its mark, and below or above it."""


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
    _write_beside(ax, points, words, _written(points, words, of))
    for dots in ax.collections:
        dots.set_zorder(3.5)  # above a word's white edge
        dots.set(edgecolor="white", linewidth=0.6)  # so that marks on top of each other are told apart
    kinds = list(dict.fromkeys(of))
    _lighten_children(ax, kinds)
    inks = {word: _mixed(_colour(kind, kinds), 0.65, 0.0) for word, kind in zip(words, of, strict=True)}
    for text in list(ax.texts):
        if isinstance(text, Annotation):
            text.set_color("white")
            bare = ax.annotate(text.get_text(), text.xy, text.get_position(), textcoords="offset points")
            sides = {"ha": text.get_horizontalalignment(), "va": text.get_verticalalignment()}
            bare.set(**sides, fontsize=text.get_fontsize(), zorder=4, color=inks[text.get_text()])
            bare.set_parse_math(False)
    return ax


def _colour(kind: str, kinds: Sequence[str]) -> str:
    """Return a group's colour: girls have that of women, boys that of men."""
    grown_up = _GROWN_UP.get(kind, kind)
    return CYCLE[kinds.index(grown_up if grown_up in kinds else kind) % len(CYCLE)]


def _mixed(colour: str, share: float, other: float) -> tuple[float, ...]:
    """Mix a colour with black (`other` 0) or white (1)."""
    return tuple(share * part + (1 - share) * other for part in to_rgb(colour))


def _lighten_children(ax: Axes, kinds: Sequence[str]) -> None:
    """Draw girls with the marks of women and boys with those of men, but pale, and mend the legend."""
    dots = dict(zip(kinds, ax.collections, strict=True))
    for child, grown_up in _GROWN_UP.items():
        if child in dots and grown_up in dots:
            colour = _colour(grown_up, kinds)
            dots[child].set_paths(dots[grown_up].get_paths())
            dots[child].set(facecolor=_mixed(colour, 0.3, 1.0), edgecolor=colour, linewidth=1.5, alpha=1.0)
    if set(kinds) & {*_GROWN_UP}:
        for old in list(ax.figure.legends):
            old.remove()
        with style():
            lettering.legend(ax, markerscale=1.4)


def _written(points: npt.NDArray[np.float64], names: Sequence[str], groups: Sequence[str]) -> list[int]:
    """Return the points whose names are written: the highest and the lowest of each group, or more."""
    apart = bool(set(HEAPS) & {*groups})
    chosen = [i for i, name in enumerate(names) if apart and name in _ALWAYS]
    for group in dict.fromkeys(groups):
        rows = [i for i in range(len(groups)) if groups[i] == group]
        for axis in (0, 1) if apart and group in HEAPS else (1,):  # of a heap the outermost on all sides
            along = points[rows, axis].argsort(kind="stable")
            chosen += [rows[int(along[0])], rows[int(along[-1])]]
    return list(dict.fromkeys(chosen))


def _write_beside(
    ax: Axes, points: npt.NDArray[np.float64], names: Sequence[str], chosen: Sequence[int]
) -> None:
    """Write names beside their points, each where it covers least: no other name, and no mark."""
    figure = ax.get_figure(root=True)
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()  # lays the axes out, so that places are final
    dots, frame = ax.transData.transform(points), ax.get_window_extent()
    radius = 5.5 * figure.dpi / 72  # of a mark and its white edge
    taken: list[Bbox] = []
    for index in chosen:
        note = ax.annotate(
            lettering.drawable(names[index]),
            points[index],
            (0, 0),
            textcoords="offset points",
            fontsize=10,
            path_effects=lettering.HALO,
        )
        note.set_parse_math(False)
        costs = []
        for x, y in _SPOTS:
            note.set(position=(x, y), ha=_SIDES[np.sign(x)], va=_HEIGHTS[np.sign(y)])
            box = note.get_window_extent()
            near = box.padded(radius)
            covered = ((dots > near.min) & (dots < near.max)).all(axis=1).sum()
            outside = not (
                frame.x0 < box.x0 and box.x1 < frame.x1 and frame.y0 < box.y0 and box.y1 < frame.y1
            )
            costs.append(covered + 20 * sum(box.padded(2).overlaps(other) for other in taken) + 20 * outside)
        x, y = _SPOTS[int(np.argmin(costs))]
        note.set(position=(x, y), ha=_SIDES[np.sign(x)], va=_HEIGHTS[np.sign(y)])
        taken.append(note.get_window_extent())


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
