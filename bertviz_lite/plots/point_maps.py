"""Vectors as points of a plane: their principal axes, and a map with names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import matplotlib.pyplot as plt
import numpy as np

from bertviz_lite.basics.arguments import ArgumentError, shown, whole_number
from bertviz_lite.plots import checks, lettering, point_names
from bertviz_lite.plots.course_style import CYCLE, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes

    Floats = npt.NDArray[np.float64]

__all__ = ["MARKERS", "PCA", "pca", "scatter_map"]

MARKERS = "osD^vPX*<>hd"
"""Group k has marker k, so that groups differ without colour too."""


class PCA(NamedTuple):
    """What :func:`pca` returns; all arrays float64."""

    points: Floats
    """The vectors in the new axes, (n, k)."""
    components: Floats
    """The axes, unit vectors, (k, hidden_size)."""
    explained: Floats
    """Share of the variance along each axis, (k,), falling."""
    mean: Floats
    """What was taken off before, (hidden_size,)."""


def pca(vectors: npt.ArrayLike, k: int = 2) -> PCA:
    """Find the `k` directions along which vectors differ most (principal component analysis).

    An axis and its mirror image are equally good; here the component with the largest absolute value of
    each axis is positive, so that the picture is not mirrored from one machine to the next.

    Parameters
    ----------
    vectors
        Shape (n, hidden_size), n at least 2.
    k
        Number of axes, at most the smaller of n and hidden_size.

    Raises
    ------
    ValueError
        If `k` is too large, or all vectors are the same.

    Examples
    --------
    >>> points, axes, explained, mean = pca([[0, 0], [2, 0], [4, 0.0]], k=1)
    >>> points.tolist(), axes.tolist(), explained.tolist()
    ([[-2.0], [0.0], [2.0]], [[1.0, 0.0]], [1.0])
    """
    rows = checks.rows(vectors, "vectors")
    n, hidden_size = rows.shape
    if not 1 <= whole_number("k", k) <= min(n, hidden_size):
        raise ArgumentError(
            f"k={k}: vectors is {rows.shape}, so 1 to {min(n, hidden_size)} axes can be found."
        )
    mean = rows.mean(axis=0)
    centred = rows - mean
    with np.errstate(over="ignore"):
        total = float((centred**2).sum())
    if not np.isfinite(total):
        raise ArgumentError("vectors holds numbers whose squares overflow: divide by the largest.")
    if total == 0.0:
        raise ArgumentError(f"all {n} vectors are the same: they vary along no direction.")
    if n >= hidden_size:  # a vocabulary: the covariance is much smaller than the table
        values, columns = np.linalg.eigh(centred.T @ centred)
        variances, components = values[::-1][:k], columns.T[::-1][:k]
    else:
        _, singular, right = np.linalg.svd(centred, full_matrices=False)
        variances, components = singular[:k] ** 2, right[:k]
    largest = np.take_along_axis(components, np.abs(components).argmax(axis=1)[:, None], axis=1)
    components = components * np.sign(largest)
    return PCA(centred @ components.T, components, np.clip(variances, 0.0, None) / total, mean)


def scatter_map(
    points: npt.ArrayLike,
    labels: Sequence[str],
    groups: Sequence[str] | None = None,
    *,
    annotate: int | Iterable[int] = 25,
    explained: Sequence[float] | Floats | None = None,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw points of a plane as a map, with a colour and a marker per group and names that do not overlap.

    Parameters
    ----------
    points
        Shape (n, 2), such as ``pca(vectors).points``.
    labels
        One name per point.
    groups
        The group of each point; colours and markers follow the order of first appearance, and the legend
        counts. Where there are more groups than colours, the marks of the later ones are hollow.
    annotate
        How many points get their name (spread over the map, and only where there is room), or the indices
        of those that must.
    explained
        Shares of variance along the two axes, written on them: ``pca(vectors).explained``.
    title
        The finding, in a sentence.
    ax
        Where to draw; a figure of its own if None.

    Raises
    ------
    ValueError
        If the lengths do not fit, or `annotate` names a point that is not there.
    """
    places = checks.rows(points, "points")
    if places.shape[1] != 2:
        raise ArgumentError(f"points is {places.shape}: a map needs (n, 2).")
    names = checks.names_of(labels, "labels")
    of = checks.names_of(groups, "groups") if groups is not None else []
    for name, given in (("labels", names), ("groups", of)):
        if len(given) != len(places) and (name == "labels" or groups is not None):
            raise ArgumentError(
                f"points is {places.shape} but there are {len(given)} {name}: one per point is needed."
            )
    shares = _shares(explained)
    wanted = annotate if isinstance(annotate, int) else _indices(annotate, len(places))
    kinds = list(dict.fromkeys(of))
    checks.check_axes(ax)
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(9.0, 6.0))
        size = float(np.clip(11_000 / len(places), 16, 60))
        if groups is None:
            ax.scatter(places[:, 0], places[:, 1], s=size, color=CYCLE[0], alpha=0.8, linewidths=0)
        for k, kind in enumerate(kinds):
            of_kind = places[[i for i, group in enumerate(of) if group == kind]]
            colour, hollow = CYCLE[k % len(CYCLE)], k >= len(CYCLE)
            ax.scatter(
                of_kind[:, 0],
                of_kind[:, 1],
                s=size,
                facecolor="none" if hollow else colour,
                edgecolor=colour,
                marker=MARKERS[k % len(MARKERS)],
                alpha=0.8,
                linewidths=1.6 if hollow else 0,
                label=lettering.drawable(f"{kind} ({len(of_kind)})"),
            )
        ax.margins(0.08)
        lettering.describe_axes(ax, f"axis 1{shares[0]}", f"axis 2{shares[1]}")
        if kinds:
            lettering.legend(ax, markerscale=1.4)
        lettering.entitle(ax, title)
        point_names.annotate(ax, places, names, wanted)
    return ax


def _shares(explained: Sequence[float] | Floats | None) -> tuple[str, str]:
    """Return what is written on the two axes behind their numbers."""
    if explained is None:
        return "", ""
    shares = checks.row(explained, "explained")
    if len(shares) < 2:
        raise ArgumentError(f"explained is {shares.shape}: a share for each of the two axes is needed.")
    return f": {shares[0]:.1%} of the variance", f": {shares[1]:.1%} of the variance"


def _indices(annotate: object, count: int) -> list[int]:
    """Return the points to name, or raise ValueError where there is no such point."""
    if not isinstance(annotate, Iterable) or isinstance(annotate, str):
        raise ArgumentError(f"annotate={shown(annotate)}: a number of points is needed, or their indices.")
    indices = [whole_number("annotate", index) for index in annotate]
    outside = [index for index in indices if not 0 <= index < count]
    if outside:
        raise ArgumentError(f"annotate names point {outside[0]}, but they are numbered 0 to {count - 1}.")
    return indices
