"""In what two results differ, in words.

Arrays may be tensors, numpy arrays, nested lists or numbers. All numbers are compared in float64.
"""

from typing import Any

import torch

from bertviz_lite.exercises.array_patterns import array_difference
from bertviz_lite.exercises.showing import as_array, dtype_of, show

__all__ = ["difference"]


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
    right = as_array(expected)
    if right is None:
        same = actual is expected or (as_array(actual) is None and show(actual) == show(expected))
        return None if same else f"It should be {show(expected)}."
    given = as_array(actual)
    if (
        given is None and right.ndim == 0 and isinstance(actual, int)
    ):  # more digits than an array has room for
        return f"It has more than {len(str(2**63))} digits; that is too {'large' if actual > 0 else 'small'}."
    if given is None:
        kind = "a number" if right.ndim == 0 else f"an array of shape {right.shape}"
        return f"It should be {kind}, not {_kind_of(actual)}."
    if right.ndim and right.dtype.kind == "f" and given.dtype.kind != "f":
        return f"The numbers are {dtype_of(actual)}; they should be floating point."
    if right.ndim and right.dtype.kind in "iu" and given.dtype.kind not in "iu":
        return f"The numbers are {dtype_of(actual)}; they should be whole (int64)."
    return array_difference(given, right, rtol, atol, cause=cause)


def _kind_of(value: object) -> str:
    name, details = type(value).__name__, ""
    if isinstance(value, torch.Tensor):  # of complex numbers, sparse, or without numbers
        layout = "" if value.layout is torch.strided else f", {value.layout}"
        details = f" of {dtype_of(value)}{layout}" + (", on the meta device" if value.is_meta else "")
    return f"{'an' if name[:1].lower() in 'aeio' else 'a'} {name}{details}"


def _is_list_of_text(value: object) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(item, str) for item in value)


def _text_difference(actual: object, expected: str) -> str | None:
    if not isinstance(actual, str):
        return f"It should be text, not {_kind_of(actual)}."
    return None if actual.strip().casefold() == expected.casefold() else f"{actual!r} is not it."


def _list_difference(actual: object, expected: list[str]) -> str | None:
    if not isinstance(actual, list | tuple) or not all(isinstance(item, str) for item in actual):
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
    extra = [item for item in actual if item not in expected]
    return f"{extra[0]!r} should not be there." if extra else "An entry is there twice."


def _tuple_difference(
    actual: object, expected: tuple[object, ...], rtol: float, atol: float, cause: bool
) -> str | None:
    if not isinstance(actual, list | tuple) or len(actual) != len(expected):
        return f"It should be {len(expected)} results, yours is {_kind_of(actual)}."
    for i, (item, right) in enumerate(zip(actual, expected, strict=True)):
        wrong = difference(item, right, rtol, atol, cause=cause)
        if wrong:
            return f"Result {i} (from 0): {wrong}"
    return None


def _dict_difference(
    actual: object, expected: dict[Any, object], rtol: float, atol: float, cause: bool
) -> str | None:
    if not isinstance(actual, dict) or actual.keys() != expected.keys():
        return f"It should be a dictionary with the keys {', '.join(map(repr, expected))}."
    for key, right in expected.items():
        wrong = difference(actual[key], right, rtol, atol, cause=cause)
        if wrong:
            return f"Entry {key!r}: {wrong}"
    return None
