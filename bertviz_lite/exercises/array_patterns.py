"""In what two arrays differ, in words: shape, kind, order, a factor, an amount, a place."""

from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["array_difference"]

_MANY_AXES = 4  # up to here every order of the axes is tried


def array_difference(
    given: npt.NDArray[Any], right: npt.NDArray[Any], rtol: float, atol: float, *, cause: bool = True
) -> str | None:
    """Say in what an array differs from what it should be; None if they are equal within the tolerances."""
    if _equal(given, right, rtol, atol):
        return None
    if not cause:
        return "The arrays differ."
    if given.shape != right.shape:
        return _shape_difference(given, right, rtol, atol)
    if right.dtype.kind == "b" and right.ndim == 0:
        return f"It should be {right.item()}."
    counted = right.ndim == 0 and right.dtype.kind in "iu"  # a place, an id: a multiple of it means nothing
    given, right = given.astype(np.float64), right.astype(np.float64)
    lost = int(np.sum(~np.isfinite(given) & np.isfinite(right)))
    if lost and not right.ndim:
        return f"It is {given.item()}: is something divided by zero?"
    if lost:
        return f"{lost} of {given.size} numbers are NaN or infinite: is something divided by zero?"
    if not np.isfinite(right).all():
        return "Some numbers differ."
    if counted:
        return _largest(given, right)
    with np.errstate(all="ignore"):  # huge numbers may overflow while they are compared
        return _pattern(given, right, rtol, atol) or _largest(given, right)


def _equal(given: npt.NDArray[Any], right: npt.NDArray[Any], rtol: float, atol: float) -> bool:
    return given.shape == right.shape and bool(np.allclose(given, right, rtol, atol, equal_nan=True))


def _shape_difference(given: npt.NDArray[Any], right: npt.NDArray[Any], rtol: float, atol: float) -> str:
    shapes = f"The shape is {given.shape}; it should be {right.shape}"
    if given.size == right.size:
        if given.ndim == right.ndim <= _MANY_AXES:
            for order in permutations(range(given.ndim)):
                if _equal(given.transpose(order), right, rtol, atol):
                    how = "transposed" if given.ndim == 2 else f"with its axes in another order, try {order}"
                    return f"{shapes}: the numbers are right, but {how}."
        elif _equal(given.reshape(right.shape), right, rtol, atol):
            axis = "there is an axis too many" if given.ndim > right.ndim else "an axis is missing"
            return f"{shapes}: the numbers are right, but {axis}."
    if given.ndim == right.ndim and sorted(given.shape) == sorted(right.shape):
        return f"{shapes}: are two axes swapped?"
    return f"{shapes}."


def _pattern(given: npt.NDArray[Any], right: npt.NDArray[Any], rtol: float, atol: float) -> str | None:
    """Recognise a difference with one cause: a sign, a factor, an amount, an order, whole rows."""
    which = "Every number" if right.ndim else "The number"
    if right.ndim > 1 and _equal(given.swapaxes(-1, -2), right, rtol, atol):
        return "The result is transposed: swap its last two axes."
    if _equal(-given, right, rtol, atol):
        return f"{which} has the opposite sign of what it should be."
    factor = float((given * right).sum() / (right * right).sum()) if right.any() else 0.0
    if factor and np.isfinite(factor) and _equal(given, factor * right, rtol, atol):
        times = f"{factor:.3g}"
        if times == "1":
            return f"{which} is a little too {'large' if factor > 1 else 'small'}."
        return f"{which} is {times} times what it should be."
    amount = float((given - right).mean())
    if right.size > 1 and _equal(given - amount, right, rtol, atol):
        return f"Every number is too {'large' if amount > 0 else 'small'} by {abs(amount):.3g}."
    if right.ndim == 1:
        return _along(given, right, -1, "place", rtol, atol)
    if right.ndim > 1:
        rows = _along(given, right, -2, "row", rtol, atol)
        return rows or _along(given, right, -1, "column", rtol, atol)
    return None


def _along(
    given: npt.NDArray[Any], right: npt.NDArray[Any], axis: int, name: str, rtol: float, atol: float
) -> str | None:
    """Recognise slices along an axis that are right, or right but elsewhere."""
    mine = np.moveaxis(given, axis, 0).reshape(right.shape[axis], -1)
    good = np.moveaxis(right, axis, 0).reshape(right.shape[axis], -1)
    if len(good) < 2:
        return None
    if _equal(mine[::-1], good, rtol, atol):
        return f"The {name}s are in the opposite order."
    many_kinds = len(np.unique(good, axis=0)) > 2  # of yes and no, any row is a new order of any other
    if many_kinds and _equal(mine[np.lexsort(mine.T)], good[np.lexsort(good.T)], rtol, atol):
        return f"The right {name}s, in another order."
    wrong = [i for i in range(len(good)) if not _equal(mine[i], good[i], rtol, atol)]
    if len(wrong) == len(good):
        return None
    which = ", ".join(map(str, wrong[:4])) + (", …" if len(wrong) > 4 else "")
    names, verb = (name, "differs") if len(wrong) == 1 else (f"{name}s", "differ")
    return f"Only {names} {which} (counted from 0) of {len(good)} {verb}."


def _largest(given: npt.NDArray[Any], right: npt.NDArray[Any]) -> str:
    gap = np.abs(given - right)
    if gap.ndim == 0:
        value = given.item()
        shown = f"{value:,.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.4g}"
        return f"It is {shown}; that is too {'large' if given > right else 'small'}."
    at = tuple(int(i) for i in np.unravel_index(int(gap.argmax()), gap.shape))
    return f"The numbers differ, most at {list(at)}: yours is {given[at]:.3g}, it should be {right[at]:.3g}."
