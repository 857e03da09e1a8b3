"""Names beside points, each where there is room for it: of a map, or at the ends of lines."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Literal

import numpy as np
from matplotlib.transforms import Bbox

from bertviz_lite.basics.text import clip
from bertviz_lite.plots.lettering import HALO, drawable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase

    Floats = npt.NDArray[np.float64]

__all__ = ["annotate", "apart", "moved_up"]


def annotate(ax: Axes, places: Floats, labels: Sequence[str], annotate: int | Iterable[int]) -> None:
    """Write names beside points: wanted ones always, others only where there is room."""
    from matplotlib.figure import Figure

    must = not isinstance(annotate, int)
    order = _spread(places, annotate) if isinstance(annotate, int) else list(annotate)
    figure = ax.get_figure(root=True)
    if not isinstance(figure, Figure) or not order:
        return
    figure.draw_without_rendering()  # lays the axes out, so that places are final
    renderer: RendererBase = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    dots = ax.transData.transform(places)
    taken: list[Bbox] = []
    frame = ax.get_window_extent(renderer)
    for index in order:
        note = ax.annotate(
            drawable(clip(labels[index], 20)),
            places[index],
            (6, 0),
            parse_math=False,
            textcoords="offset points",
            fontsize=10,
            path_effects=HALO,
        )
        best = (np.inf, 0, 0)
        for dx, dy, ha, va in _SPOTS:
            note.set(position=(dx, dy), ha=ha, va=va)
            box = note.get_window_extent(renderer)
            cost = 10.0 * sum(_overlap(box, other) for other in taken) / (box.width * box.height)
            cost += float(((dots > box.min) & (dots < box.max)).all(axis=1).sum()) / 4
            cost += 20.0 * (box.x0 < frame.x0 or box.x1 > frame.x1 or box.y0 < frame.y0 or box.y1 > frame.y1)
            best = min(best, (cost, dx, dy))
        chosen = next(spot for spot in _SPOTS if spot[:2] == best[1:])
        note.set(position=chosen[:2], ha=chosen[2], va=chosen[3])
        box = note.get_window_extent(renderer)
        if not must and any(_overlap(box, other) > 0 for other in taken):
            note.remove()
        else:
            taken.append(box.padded(1.0))


_SPOTS: tuple[
    tuple[int, int, Literal["left", "center", "right"], Literal["top", "center", "bottom"]], ...
] = (
    (6, 0, "left", "center"),
    (-6, 0, "right", "center"),
    (0, 6, "center", "bottom"),
    (0, -6, "center", "top"),
    (5, 5, "left", "bottom"),
    (-5, 5, "right", "bottom"),
    (5, -5, "left", "top"),
    (-5, -5, "right", "top"),
)
"""Where a name can be written around its point: offset in points, and how it is aligned there."""


def _overlap(one: Bbox, other: Bbox) -> float:
    """Return the area, in square pixels, that two boxes share."""
    shared = Bbox.intersection(one, other)
    return 0.0 if shared is None else float(shared.width * shared.height)


def _spread(places: Floats, count: int) -> list[int]:
    """Pick up to `count` points that lie far from each other, the outermost first."""
    unit = (places - places.mean(axis=0)) / (places.std(axis=0) + 1e-300)
    chosen = [int((unit**2).sum(axis=1).argmax())]
    nearest = ((unit - unit[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < min(count, len(places)):
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, ((unit - unit[chosen[-1]]) ** 2).sum(axis=1))
    return chosen[:count]


def apart(places: Sequence[float], room: float, *, lowest: float = -math.inf) -> list[float]:
    """Move places of names apart, evenly from their middle, until each has room; their order stays.

    Parameters
    ----------
    places
        Where the names would stand, on one axis.
    room
        The least distance between two of them, in the axis's unit.
    lowest
        None stands below it: all are moved up together.

    Examples
    --------
    >>> [round(place, 2) for place in apart([0.2, 0.1], 0.24)]
    [0.27, 0.03]
    """
    order = sorted(range(len(places)), key=lambda k: places[k])
    moved = [float(place) for place in places]
    for _ in range(100):  # to make room for one pair may take it from the next
        for below, above in itertools.pairwise(order):
            if (lack := room - (moved[above] - moved[below])) > 0:
                moved[below] -= lack / 2
                moved[above] += lack / 2
        up = max(0.0, lowest - min(moved))
        moved = [place + up for place in moved]
    return moved


def moved_up(places: Sequence[float], room: float, highest: float = math.inf) -> list[float]:
    """Move places of names up where one lacks room; then down, so that none is above a limit; in their order.

    Examples
    --------
    >>> moved_up([0.0, 3.0, 0.5], 1.0), moved_up([0.0, 3.0, 3.0], 1.0, highest=3.0)
    ([0.0, 3.0, 1.0], [0.0, 2.0, 3.0])
    """
    order = sorted(range(len(places)), key=lambda k: places[k])
    moved = [float(place) for place in places]
    for below, above in itertools.pairwise(order):
        moved[above] = max(moved[above], moved[below] + room)
    limit = highest
    for k in reversed(order):
        moved[k] = min(moved[k], limit)
        limit = moved[k] - room
    return moved
