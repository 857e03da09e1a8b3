"""What figures accept: arrays of finite numbers and lists of names; else one line says what is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from bertviz_lite.basics.arguments import ArgumentError, instance, shown

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

__all__ = ["check_axes", "check_limit", "check_reference", "names_of", "numbers", "row", "rows"]


def numbers(values: npt.ArrayLike, name: str) -> Floats:
    """Return `values` as a float64 array of any shape, every number finite.

    Raises
    ------
    ValueError
        If they are no real numbers, if some are masked, or one is not finite.
    """
    if values is None:
        raise ArgumentError(f"{name} is None: an array of numbers is needed.")
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        place = _index(np.argwhere(np.ma.getmaskarray(values))[0])
        raise ArgumentError(f"{name}{place} is masked: give a number for it, such as {name}.filled(0).")
    try:
        given: npt.NDArray[Any] = np.asarray(values)
        if given.dtype.kind == "c":
            raise ArgumentError(
                f"{name} holds complex numbers: give their .real, their .imag or abs({name})."
            )
        array = given.astype(np.float64)
    except (TypeError, ValueError, RuntimeError) as error:
        if str(error).startswith(name):
            raise
        message = " ".join(str(error).split())
        raise ArgumentError(f"{name} cannot be read as an array of numbers: {message}") from None
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        value = array[tuple(wrong[0])]
        raise ArgumentError(f"{name}{_index(wrong[0])} is {value}: every number must be finite.")
    return array


def rows(values: npt.ArrayLike, name: str) -> Floats:
    """Return `values` as a (rows, columns) float64 array, or say what they are instead."""
    array = numbers(values, name)
    if array.ndim != 2 or array.size == 0:
        raise ArgumentError(f"{name} is {array.shape}: two axes are needed, neither empty.")
    return array


def row(values: npt.ArrayLike, name: str) -> Floats:
    """Return `values` as a (numbers,) float64 array, or say what they are instead."""
    array = numbers(values, name)
    if array.ndim != 1 or array.size == 0:
        raise ArgumentError(f"{name} is {array.shape}: one axis is needed, and not an empty one.")
    return array


def names_of(given: object, name: str) -> list[str]:
    """Return names as a list of strings, or raise ArgumentError where `given` is no list of names."""
    if not isinstance(given, Iterable) or isinstance(given, set | frozenset):  # a set has no order
        raise ArgumentError(f"{name}={shown(given)}: a list of names is needed.")
    return [str(entry) for entry in given]


def check_axes(ax: object) -> None:
    """Raise ArgumentError where `ax` is neither matplotlib's Axes nor None."""
    if ax is not None and not isinstance(ax, Axes):
        raise ArgumentError(f"ax={shown(ax)}: matplotlib's Axes are needed, or None for a new figure.")


def check_limit(limit: float | None) -> float | None:
    """Return `limit` as a float above zero, or None."""
    if limit is None:
        return None
    try:
        number = float(limit)
    except (TypeError, ValueError):
        number = np.nan
    if isinstance(limit, bool) or not 0 < number < np.inf:
        raise ArgumentError(
            f"limit={limit!r}: a finite number above 0 is needed, or None for the largest that is drawn."
        )
    return number


def check_reference(reference: object) -> None:
    """Raise ArgumentError where `reference` is neither a dictionary of finite numbers by name nor None."""
    if reference is None:
        return
    for name, place in instance("reference", reference, dict, "a dictionary of numbers by name").items():
        instance("reference: a name", name, str, "a string")
        if numbers(place, f"reference[{name!r}]").ndim:
            raise ArgumentError(f"reference[{name!r}]={shown(place)}: one number is needed.")


def _index(place: npt.NDArray[np.int64]) -> str:
    return str(place.tolist())
