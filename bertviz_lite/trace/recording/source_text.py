"""How the source writes an operation, and on which line: ``view(2, 7, 4, 32)``, ``[:, 0]``, ``+``."""

from __future__ import annotations

import inspect
import opcode
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import torch
from torch import Tensor

_BETWEEN = frozenset(
    [
        str(Path(__file__).with_name("recorder.py")),
        *(
            str(module.__file__)
            for module in (
                torch.overrides, torch.nn.functional, torch._tensor, torch.functional, torch._jit_internal,
                torch.utils._contextlib,
            )
        ),
    ]
)  # fmt: skip
_OPENED = torch.nn.functional.multi_head_attention_forward.__code__
_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "true_divide": "/", "truediv": "/",
    "rsub": "-", "rdiv": "/", "matmul": "@", "rmatmul": "@", "pow": "**", "rpow": "**",
    "floor_divide": "//", "floordiv": "//", "remainder": "%", "mod": "%",
    "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "neg": "-", "invert": "~",
    "radd": "+", "rmul": "*", "rtruediv": "/", "rfloordiv": "//", "rmod": "%",
    "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^", "bitwise_not": "~",
}  # fmt: skip
_REVERSED = frozenset({"rsub", "rdiv", "rpow", "rtruediv", "rfloordiv", "rmod"})


def line_of_call(frame: FrameType | None) -> tuple[str, int] | None:
    """Return the file and line that calls a module: the first that is not a ``__call__`` handing it on."""
    while frame is not None and (frame.f_code.co_name == "__call__" or frame.f_code.co_name == "_call_impl"):
        frame = frame.f_back
    return None if frame is None else (frame.f_code.co_filename, frame.f_lineno)


def frame_of_operation(frame: FrameType) -> FrameType:
    """Return the frame that an operation is written in: the first outside what torch puts between."""
    while frame.f_code.co_filename in _BETWEEN and frame.f_code is not _OPENED and frame.f_back is not None:
        frame = frame.f_back
    return frame


@cache
def _code(code: CodeType) -> bytes:
    return code.co_code


def _is_call(frame: FrameType) -> bool:
    """Return whether the frame is at a call, f(…), and not at an operator."""
    return opcode.opname[_code(frame.f_code)[frame.f_lasti]].startswith(("CALL", "PRECALL"))


def operation_text(
    func: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any], frame: FrameType
) -> str:
    """Return an operation as the code writes it, tensors left out."""
    if name in ("__getitem__", "__setitem__"):
        index = f"[{_index(args[1])}]"
        return index if name == "__getitem__" else f"{index} ="
    if name.startswith("."):
        return name
    bare = name.strip("_")
    if bare in _OPERATORS and not _is_call(frame):
        return _operator(bare, args, in_place=name.endswith("_") and not name.startswith("__"))
    if bare[1:] in _OPERATORS and name.startswith("__i"):
        return _operator(bare[1:], args, in_place=True)
    return _call(func, name, args, kwargs)


def _operator(bare: str, args: tuple[Any, ...], *, in_place: bool) -> str:
    sign = _OPERATORS[bare] + ("=" if in_place else "")
    numbers = [given for given in args if not isinstance(given, Tensor)]
    if not numbers or not isinstance(numbers[0], int | float):
        return sign
    number = f"{numbers[0]:.4g}" if isinstance(numbers[0], float) else str(numbers[0])
    return f"{number} {sign}" if bare in _REVERSED or not isinstance(args[0], Tensor) else f"{sign} {number}"


def _index(index: Any) -> str:  # noqa: ANN401
    parts = index if isinstance(index, tuple) else (index,)
    return ", ".join(map(_part, parts))


def _part(part: Any) -> str:  # noqa: ANN401
    if isinstance(part, slice):
        ends = [_end(part.start), _end(part.stop), *([] if part.step is None else [_end(part.step)])]
        return ":".join(ends)
    if part is Ellipsis:
        return "..."
    if isinstance(part, Tensor):
        return "mask" if part.dtype == torch.bool else "ids"
    return repr(part) if part is None or isinstance(part, int | list) else type(part).__name__


def _end(end: Any) -> str:  # noqa: ANN401
    return "" if end is None else str(end) if isinstance(end, int) else "tensor"


def _call(func: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    words = []
    for given in args:
        word = _word(given)
        if word:
            words.append(word)
    usual = _defaults(func) if kwargs else {}
    for key, given in kwargs.items():
        if key.startswith("_") or given is None or (key in usual and usual[key] == given):
            continue
        if given is False and key != "training":
            continue
        word = _word(given)
        if word:
            words.append(f"{key}={word}")
    return f"{name}({', '.join(words)})" if words else name


def _word(given: Any) -> str:  # noqa: ANN401
    if isinstance(given, bool | int | str):
        return repr(given)
    if isinstance(given, float):
        return f"{given:.4g}"
    if isinstance(given, torch.dtype):
        return str(given).removeprefix("torch.")
    if isinstance(given, tuple | list) and given and all(isinstance(part, int) for part in given):
        return f"({', '.join(map(str, given))}{',' if len(given) == 1 else ''})"
    return ""


@cache
def _defaults(func: Callable[..., Any]) -> dict[str, Any]:
    try:
        parameters = inspect.signature(func).parameters
    except (TypeError, ValueError):
        return {}
    return {
        name: parameter.default
        for name, parameter in parameters.items()
        if parameter.default is not parameter.empty
    }
