"""Results on their way between processes, as JSON: nothing that arrives is run or unpickled."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from bertviz_lite.exercises.running import Raised

__all__ = ["decoded", "encoded"]

_MOST_BYTES = 64_000_000
_DEEPEST = 20
_TORCH = {"bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"}


def encoded(value: object, depth: int = 0) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Return a result as JSON can hold it; of what it can't hold, only the name of the type is left."""
    if value is None or isinstance(value, bool):
        return value
    if type(value) in (int, str) or isinstance(value, float):
        return _plain(value)
    if value is ...:
        return {"kind": "ellipsis"}
    if isinstance(value, Raised):
        return {"kind": "raised", "of": [value.message, value.where, value.unfinished]}
    if isinstance(value, torch.Tensor):
        return _tensor(value)
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biuf":
        return _array("array", np.asarray(value))
    if depth < _DEEPEST and isinstance(value, list | tuple):
        kind = "list" if isinstance(value, list) else "tuple"
        return {"kind": kind, "of": [encoded(item, depth + 1) for item in value]}
    if depth < _DEEPEST and isinstance(value, dict):
        pairs = [[encoded(key, depth + 1), encoded(item, depth + 1)] for key, item in value.items()]
        return {"kind": "dict", "of": pairs}
    if isinstance(value, int | str):  # of a class of its own
        return _plain(int(value) if isinstance(value, int) else str(value))
    return {"kind": "other", "of": type(value).__name__}


def _plain(value: object) -> Any:  # noqa: ANN401
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"kind": "float", "of": repr(float(value))}
    if isinstance(value, int) and value.bit_length() > 4096:
        return {"kind": "other", "of": "int"}
    return value


def _tensor(value: torch.Tensor) -> Any:  # noqa: ANN401
    if value.layout is not torch.strided or value.is_meta or value.is_complex() or value.is_quantized:
        return {"kind": "other", "of": type(value).__name__}
    value = value.detach().cpu()
    if str(value.dtype).removeprefix("torch.") not in _TORCH:
        value = value.float() if value.is_floating_point() else value.long()
    return _array("tensor", value.contiguous().numpy())


def _array(kind: str, array: np.ndarray[Any, Any]) -> Any:  # noqa: ANN401
    if array.nbytes > _MOST_BYTES:
        return {"kind": "other", "of": f"{kind} of {array.nbytes // 1_000_000} MB"}
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {"kind": kind, "dtype": array.dtype.name, "shape": list(array.shape), "of": data}


def decoded(given: Any) -> object:  # noqa: ANN401
    """Return a result from what `encoded` made of it.

    Raises
    ------
    ValueError
        For anything else.
    """
    if given is None or isinstance(given, bool | int | float | str):
        return given
    try:
        return _decoded(given["kind"], given.get("of"), given)
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError):
        raise ValueError("a result that cannot be read") from None


def _decoded(kind: str, of: Any, given: dict[str, Any]) -> object:  # noqa: ANN401
    if kind in ("tensor", "array"):
        shape = tuple(map(int, given["shape"]))
        dtype = np.dtype(given["dtype"])
        if dtype.kind not in "biuf":
            raise ValueError(dtype)
        array = np.frombuffer(bytearray(base64.b64decode(of, validate=True)), dtype).reshape(shape)
        return torch.from_numpy(array) if kind == "tensor" else array
    simple: dict[str, Callable[[], object]] = {
        "ellipsis": lambda: ...,
        "float": lambda: float(of),
        "list": lambda: [decoded(item) for item in of],
        "tuple": lambda: tuple(decoded(item) for item in of),
        "dict": lambda: {decoded(key): decoded(item) for key, item in of},
        "raised": lambda: Raised(str(of[0])[:400], str(of[1])[:400], bool(of[2])),
        "other": type(str(of)[:60], (), {}),
    }
    return simple[kind]()
