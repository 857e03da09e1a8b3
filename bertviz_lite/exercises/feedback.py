"""In what two results differ, in words: shape, kind, order, a factor, a place.

Arrays may be tensors, numpy arrays, nested lists or numbers. All numbers are compared and shown in float64.
"""

from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

_MANY_AXES = 4  # up to here every order of the axes is tried
_FEW = 12  # numbers: up to here an array is shown, above it is described


def difference(
    actual: object, expected: object, rtol: float = 1e-4, atol: float = 1e-6, *, cause: bool = True
) -> str | None:
    """Say in what a result differs from what it should be.

    >>> difference([[1.0, 3.0], [2.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]])
    'The result is transposed: swap its last two axes.'
    >>> difference([2.0, 4.0], [1.0, 2.0])
    'Every number is 2 times what it should be.'

    Parameters
    ----------
    actual, expected : object
        Text, numbers, arrays, lists of text, or tuples and dicts of all these.
    rtol, atol : float
        Numbers ``a`` and ``e`` count as equal if ``|a - e| <= atol + rtol * |e|``; NaN equals NaN.
    cause : bool
        Whether to look for the cause in arrays that differ; that takes far longer than to compare them.

    Returns
    -------
    str or None
        A sentence, or None if they are equal.
    """
    if isinstance(expected, str):
        return _text_difference(actual, expected)
    if _is_list_of_text(expected):
        return _list_difference(actual, list(expected))  # type: ignore[call-overload]
    if isinstance(expected, dict):
        return _dict_difference(actual, expected, rtol, atol, cause)
    if isinstance(expected, tuple):
        return _tuple_difference(actual, expected, rtol, atol, cause)
    right = _array(expected)
    if right is None:
        same = actual is expected or (_array(actual) is None and show(actual) == show(expected))
        return None if same else f"It should be {show(expected)}."
    given = _array(actual)
    if given is None:
        kind = "a number" if right.ndim == 0 else f"an array of shape {right.shape}"
        return f"It should be {kind}, not {_kind_of(actual)}."
    return _array_difference(given, right, rtol, atol, cause)


def show(value: object) -> str:
    """Show a value in one short line: small things in full, large ones by their shape."""
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return repr(list(value)) if len(repr(value)) <= 90 else f"{len(value)} strings"
    array = _array(value)
    if array is None:
        return _show_other(value)
    if array.size > _FEW:
        return f"{array.dtype} of shape {array.shape}"
    return _numbers(array)


def beside(actual: object, expected: object, rtol: float = 1e-4, atol: float = 1e-6) -> list[str]:
    """Show two values, one line for each; of large arrays of one shape the first entry that differs.

    >>> beside([2.0, 4.0], [1.0, 2.0])
    ['yours: [2, 4]', 'should be: [1, 2]']
    >>> beside([[1.0] * 20, [3.0] * 20], [[1.0] * 20, [2.0] * 20])
    ['first entry that differs: [1, 0]', 'yours: 3', 'should be: 2']
    """
    given, right = _array(actual), _array(expected)
    if given is not None and right is not None and given.shape == right.shape and right.size > _FEW:
        wrong = np.argwhere(~np.isclose(given, right, rtol, atol, equal_nan=True))
        if len(wrong):
            at = tuple(int(i) for i in wrong[0])
            one, other = (f"{array[at].item() + 0:.6g}" for array in (given, right))
            return [f"first entry that differs: {list(at)}", f"yours: {one}", f"should be: {other}"]
    return [f"yours: {show(actual)}", f"should be: {show(expected)}"]


def _show_other(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {show(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(show, value)) + "]"
    return "None" if value is None else type(value).__name__


def _numbers(array: npt.NDArray[Any]) -> str:
    if array.ndim == 0:
        return f"{array.item() + 0.0:.4g}" if array.dtype.kind == "f" else str(array.item())
    return "[" + ", ".join(_numbers(part) for part in array) + "]"


def _array(value: object) -> npt.NDArray[Any] | None:
    """Turn a tensor, array, number or nested list of numbers into an array; None if it is none of them."""
    detach = getattr(value, "detach", None)
    try:
        if detach is not None:
            tensor = detach().cpu()
            array = np.asarray(tensor.double() if tensor.is_floating_point() else tensor)
        else:
            array = np.asarray([_array(one) for one in value] if isinstance(value, list) else value)
    except (TypeError, ValueError, RuntimeError):
        return None
    if array.dtype.kind == "f":
        return array.astype(np.float64)
    return array if array.dtype.kind in "biu" else None


def _kind_of(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeio' else 'a'} {name}"


def _is_list_of_text(value: object) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(one, str) for one in value)


def _text_difference(actual: object, expected: str) -> str | None:
    if not isinstance(actual, str):
        return f"It should be text, not {_kind_of(actual)}."
    return None if actual.strip().casefold() == expected.casefold() else f"{actual!r} is not it."


def _list_difference(actual: object, expected: list[str]) -> str | None:
    if not isinstance(actual, list | tuple) or not all(isinstance(one, str) for one in actual):
        inside = f" of {type(actual[0]).__name__}" if isinstance(actual, list | tuple) and actual else ""
        return f"It should be a list of strings, not {_kind_of(actual)}{inside}."
    if list(actual) == expected:
        return None
    if len(actual) != len(expected):
        return f"The list should have {len(expected)} entries, yours has {len(actual)}."
    if list(actual) == expected[::-1]:
        return "The list is in the opposite order."
    if sorted(actual) == sorted(expected):
        return "The right entries, in another order."
    extra = [one for one in actual if one not in expected]
    return f"{extra[0]!r} should not be there." if extra else "An entry is there twice."


def _tuple_difference(
    actual: object, expected: tuple[object, ...], rtol: float, atol: float, cause: bool
) -> str | None:
    if not isinstance(actual, list | tuple) or len(actual) != len(expected):
        return f"It should be {len(expected)} things, yours is {_kind_of(actual)}."
    for i, (one, right) in enumerate(zip(actual, expected, strict=True)):
        said = difference(one, right, rtol, atol, cause=cause)
        if said:
            return f"Result {i} (from 0): {said}"
    return None


def _dict_difference(
    actual: object, expected: dict[Any, object], rtol: float, atol: float, cause: bool
) -> str | None:
    if not isinstance(actual, dict) or actual.keys() != expected.keys():
        return f"It should be a dictionary with the keys {', '.join(map(repr, expected))}."
    for key, right in expected.items():
        said = difference(actual[key], right, rtol, atol, cause=cause)
        if said:
            return f"Entry {key!r}: {said}"
    return None


def _array_difference(
    given: npt.NDArray[Any], right: npt.NDArray[Any], rtol: float, atol: float, cause: bool
) -> str | None:
    if right.dtype.kind == "f" and given.dtype.kind != "f" and right.ndim:
        return f"The numbers are {given.dtype}; they should be floating point."
    if right.dtype.kind in "iu" and given.dtype.kind not in "iu" and right.ndim:
        return f"The numbers are {given.dtype}; they should be whole (int64)."
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
    said = f"The shape is {given.shape}; it should be {right.shape}"
    if given.size == right.size:
        if given.ndim == right.ndim <= _MANY_AXES:
            for order in permutations(range(given.ndim)):
                if _equal(given.transpose(order), right, rtol, atol):
                    how = "transposed" if given.ndim == 2 else f"with its axes in another order, try {order}"
                    return f"{said}: the numbers are right, but {how}."
        elif _equal(given.reshape(right.shape), right, rtol, atol):
            axis = "there is an axis too many" if given.ndim > right.ndim else "an axis is missing"
            return f"{said}: the numbers are right, but {axis}."
    if given.ndim == right.ndim and sorted(given.shape) == sorted(right.shape):
        return f"{said}: are two axes swapped?"
    return f"{said}."


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
    told_apart = len(np.unique(good, axis=0)) > 2  # of yes and no, any row is a new order of any other
    if told_apart and _equal(mine[np.lexsort(mine.T)], good[np.lexsort(good.T)], rtol, atol):
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
        said = f"{value:,.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.4g}"
        return f"It is {said}; that is too {'large' if given > right else 'small'}."
    at = tuple(int(i) for i in np.unravel_index(int(gap.argmax()), gap.shape))
    return f"The numbers differ, most at {list(at)}: yours is {given[at]:.3g}, it should be {right[at]:.3g}."
