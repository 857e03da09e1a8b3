"""Values in one short line: small things in full, large ones by their shape."""

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["as_array", "beside", "dtype_of", "show"]

_FEW = 12  # numbers: up to here an array is shown, above it is described


def show(value: object) -> str:
    """Show a value in one short line: small things in full, large ones by their shape."""
    try:
        return _show(value)
    except RecursionError:  # a list that is in itself
        return type(value).__name__


def _show(value: object) -> str:
    if isinstance(value, str):
        return repr(value)
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return repr(list(value)) if len(repr(value)) <= 90 else f"{len(value)} strings"
    array = as_array(value)
    if array is None:
        return _show_other(value)
    if array.size > _FEW:
        return f"{dtype_of(value)} of shape {array.shape}"
    return _numbers(array)


def beside(actual: object, expected: object, rtol: float = 1e-4, atol: float = 1e-6) -> list[str]:
    """Show two values, one line for each; of large arrays of one shape the first entry that differs.

    >>> beside([2.0, 4.0], [1.0, 2.0])
    ['yours: [2, 4]', 'should be: [1, 2]']
    >>> beside([[1.0] * 20, [3.0] * 20], [[1.0] * 20, [2.0] * 20])
    ['first entry that differs: [1, 0]', 'yours: 3', 'should be: 2']
    """
    given, right = as_array(actual), as_array(expected)
    if given is not None and right is not None and given.shape == right.shape and right.size > _FEW:
        wrong = np.argwhere(~np.isclose(given, right, rtol, atol, equal_nan=True))
        if len(wrong):
            at = tuple(int(i) for i in wrong[0])
            yours, other = (f"{array[at].item() + 0:.6g}" for array in (given, right))
            return [f"first entry that differs: {list(at)}", f"yours: {yours}", f"should be: {other}"]
    return [f"yours: {show(actual)}", f"should be: {show(expected)}"]


def _show_other(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_show(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_show, value)) + "]"
    return "None" if value is None else type(value).__name__


def _numbers(array: npt.NDArray[Any]) -> str:
    if array.ndim == 0:
        return f"{array.item() + 0.0:.4g}" if array.dtype.kind == "f" else str(array.item())
    return "[" + ", ".join(_numbers(part) for part in array) + "]"


def as_array(value: object) -> npt.NDArray[Any] | None:
    """Turn a tensor, array, number or nested list of numbers into an array; None if it is none of them."""
    detach = getattr(value, "detach", None)
    try:
        if detach is not None:
            tensor = detach().cpu()
            array = np.asarray(tensor.double() if tensor.is_floating_point() else tensor)
        else:
            array = np.asarray([as_array(item) for item in value] if isinstance(value, list) else value)
    except Exception:  # noqa: BLE001 - a reader's class may raise anything when it is read as numbers
        return None
    if array.dtype.kind == "f":
        return array.astype(np.float64)
    return array if array.dtype.kind in "biu" else None


def dtype_of(value: object) -> str:
    """Name the kind of number that a value has itself: "float32" for such a tensor."""
    own = getattr(value, "dtype", None)
    array = as_array(value)
    return (
        str(own).removeprefix("torch.") if own is not None else str(array.dtype if array is not None else own)
    )
