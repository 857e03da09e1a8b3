"""What a figure says, as a record that travels inside its PNG.

Two pictures of one figure differ in their pixels where another version of matplotlib, or of its fonts, has
drawn them. What they say is the same: the texts, in order, and the numbers behind lines, bars, dots and maps.
:func:`record` collects both from a drawn figure; :mod:`bertviz_lite.basics.png` puts them into the PNG.

Left out: where texts stand, and the ticks that matplotlib chooses (both depend on the width of letters; the
limits of the axes are kept instead), legend handles, arrows, widths and dashes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.collections import Collection, LineCollection, PathCollection, QuadMesh
from matplotlib.colors import to_rgba_array
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch
from matplotlib.spines import Spine
from matplotlib.ticker import FixedLocator

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.text import Text

    Floats = npt.NDArray[np.float64]

__all__ = ["STEPS", "record"]

STEPS = 1000
"""Numbers are kept as steps from the smallest (0) to the largest: finer than anyone can see."""

_MOST = 2048  # numbers kept of one array; of more, the means of neighbours

Numbers = list[Any]


def record(figure: Figure) -> dict[str, Any]:
    """Collect what a figure says, after it was drawn (drawing decides which ticks there are).

    Returns
    -------
    ``texts``: every text that is to be read, axes by axes, each on one line. ``drawn``: for axes and for each
    artist with data the kind and the numbers, each array as ``[smallest, largest, steps]`` with steps from 0
    to :data:`STEPS`, −1 for what is no number.
    """
    texts = [" ".join(text.split()) for text in _texts(figure)]
    scales = [bar.ax for bar in _colour_bars(figure)]
    drawn = []
    for axes in _all_axes(figure.axes):
        if axes.get_visible() and axes not in scales:
            drawn.append(["axes", _numbers(axes.get_xlim()), _numbers(axes.get_ylim())])
            artists = (artist for artist in _visible(axes.get_children()) if artist is not axes.patch)
            drawn += [entry for artist in artists if (entry := _data(artist)) is not None]
    return {"texts": [text for text in texts if text], "drawn": drawn}


def _colour_bars(figure: Figure) -> Iterator[Any]:
    for axes in figure.axes:
        for artist in (*axes.images, *axes.collections):
            if artist.colorbar is not None:
                yield artist.colorbar


def _texts(figure: Figure) -> Iterator[str]:
    """Yield the visible texts of a figure: its own, then its axes' with their legends, then its legends'."""
    yield from _shown(figure.texts)
    for axes in _all_axes(figure.axes):
        if not axes.get_visible():
            continue
        yield from (axes.get_title(place) for place in ("center", "left", "right"))
        if axes.axison:
            for axis in (axes.xaxis, axes.yaxis):
                yield from _axis_texts(axis)
        yield from _shown(axes.texts)
        if (legend := axes.get_legend()) is not None:
            yield from _legend_texts(legend)
    for legend in figure.legends:
        yield from _legend_texts(legend)


def _all_axes(axes: Iterable[Any]) -> Iterator[Axes]:
    """Yield axes and those that are set into them."""
    for outer in axes:
        yield outer
        yield from _all_axes(outer.child_axes)


def _visible(artists: Iterable[Artist]) -> Iterator[Artist]:
    return (artist for artist in artists if artist.get_visible())


def _axis_texts(axis: Axis) -> Iterator[str]:
    if not axis.get_visible():
        return
    yield from _shown((axis.label, axis.offsetText))
    low, high = sorted(axis.get_view_interval())
    edge = 1e-9 * (high - low)
    for tick in axis.get_major_ticks() if isinstance(axis.get_major_locator(), FixedLocator) else ():
        if tick.get_visible() and low - edge <= tick.get_loc() <= high + edge:
            yield from _shown((tick.label1, tick.label2))


def _legend_texts(legend: Legend) -> Iterator[str]:
    if legend.get_visible():
        yield from _shown((legend.get_title(), *legend.get_texts()))


def _shown(texts: Iterable[Text]) -> Iterator[str]:
    return (text.get_text() for text in texts if text.get_visible())


def _data(artist: Artist) -> list[Any] | None:
    """Return the kind of an artist and its numbers; None where it has none of its own."""
    if isinstance(artist, Line2D):
        return ["line", *_columns(artist.get_xydata()), _colours([artist.get_color()])]
    if isinstance(artist, AxesImage):
        return ["image", _numbers(artist.get_array()), _numbers(artist.get_clim()), artist.get_cmap().name]
    if isinstance(artist, Collection):
        colours = artist.get_edgecolor() if isinstance(artist, LineCollection) else artist.get_facecolor()
        values = artist.get_array()
        painted = _colours(colours) if values is None else _numbers(values)
        return ["collection", *_columns(_places(artist)), painted]
    if isinstance(artist, Patch) and not isinstance(artist, Spine | FancyArrowPatch):
        corners = artist.get_patch_transform().transform(artist.get_path().vertices)
        return ["patch", *_columns(corners), _colours([artist.get_facecolor()])]
    return None


def _places(artist: Collection) -> Any:  # noqa: ANN401 - an array
    if isinstance(artist, QuadMesh):
        return np.asarray(artist.get_coordinates()).reshape(-1, 2)
    if isinstance(artist, PathCollection):
        return artist.get_offsets()
    paths = [path.vertices for path in artist.get_paths()]
    return np.concatenate(paths) if paths else np.empty((0, 2))


def _columns(places: Any) -> list[Numbers]:  # noqa: ANN401 - any array of (x, y)
    places = np.ma.filled(np.ma.asarray(places, dtype=float), np.nan).reshape(-1, 2)
    return [_numbers(places[:, 0]), _numbers(places[:, 1])]


def _colours(colours: Any) -> Numbers:  # noqa: ANN401 - whatever matplotlib takes for colours
    rgba = to_rgba_array(colours)
    if len(rgba) and (rgba == rgba[0]).all():
        rgba = rgba[:1]
    return [0.0, 1.0, _steps(rgba.ravel(), 0.0, 1.0)]


def _numbers(values: Any) -> Numbers:  # noqa: ANN401 - any array
    """Return the smallest and the largest number and all of them as steps between these two."""
    flat: Floats = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan).ravel()
    finite = flat[np.isfinite(flat)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    return [float(f"{low:.6g}"), float(f"{high:.6g}"), _steps(flat, low, high)]


def _steps(flat: Floats, low: float, high: float) -> list[int]:
    if flat.size > _MOST:
        flat = np.array([part.mean() for part in np.array_split(flat, _MOST)])
    steps = np.rint(STEPS * (flat - low) / ((high - low) or 1.0))
    return [int(step) for step in np.where(np.isfinite(steps), steps, -1)]
