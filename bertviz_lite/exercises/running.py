"""Run a reader's answer: errors become feedback, with the line of the reader's own code.

Left out here: sandboxes and time limits. They are in `grading`, which runs an `Answer` in another process.
"""

import dis
import inspect
import linecache
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType, TracebackType
from typing import Any

from torch.overrides import TorchFunctionMode

from bertviz_lite.exercises.cases import Case, untouched

__all__ = ["Answer", "Outcome", "Raised", "parameters", "run"]


@dataclass(frozen=True)
class Raised:
    """An error in an answer: its type and text, and where it was raised."""

    message: str
    where: str = field(compare=False)
    unfinished: bool = field(compare=False, default=False)


def run(call: Callable[..., object], answer: object, arguments: tuple[Any, ...]) -> object:
    """Give what an answer returns, or a `Raised` for whatever it raises."""
    try:
        return call(answer, *arguments)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a reader's code raises is feedback
        text = _first_line(error)
        if isinstance(error, NotImplementedError) and not text:  # with a text it is torch's own
            return Raised("", "", unfinished=True)
        message = f"{type(error).__name__}: {text[:160]}".removesuffix(": ")
        return Raised(message, _where(error.__traceback__, _codes(answer)))


def _first_line(error: BaseException) -> str:
    """Give the first line of an error's message, without addresses."""
    try:
        lines = str(error).strip().splitlines()
    except Exception:  # noqa: BLE001 - an error of a reader's own class
        return ""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", lines[0]) if lines else ""


def uses(
    operations: frozenset[str], call: Callable[..., object], answer: object, arguments: tuple[Any, ...]
) -> bool:
    """Whether an answer calls one of these functions of torch, by whichever way."""
    with _Listener() as listener:
        run(call, answer, arguments)
    return bool(operations & listener.called)


class _Listener(TorchFunctionMode):
    """Notes the names of the torch functions that are called."""

    def __init__(self) -> None:
        super().__init__()
        self.called: set[str] = set()

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> object:
        self.called.add(getattr(func, "__name__", ""))
        return func(*args, **(kwargs or {}))


def is_unfinished(answer: object, result: object) -> bool:
    """Whether nothing has been written yet: a body of ``...``, ``pass`` or ``raise NotImplementedError``."""
    if isinstance(result, Raised):
        return result.unfinished or (inspect.isclass(answer) and _is_blank(answer))
    return result is ... or (result is None and _is_blank(answer))


def parameters(function: Callable[..., object]) -> list[str]:
    """List the names of a function's parameters."""
    return list(inspect.signature(function).parameters)


def misfit(answer: object, names: list[str]) -> str | None:
    """Say that a function takes more or fewer parameters than these (its own names are free)."""
    try:
        signature = inspect.signature(answer)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    try:
        signature.bind(*names)
    except TypeError:
        return f"It should take ({', '.join(names)}); yours takes ({', '.join(signature.parameters)})."
    return None


def _codes(answer: object) -> list[CodeType]:
    """List the byte code of a function, or of the methods of a class."""
    parts = vars(answer).values() if inspect.isclass(answer) else (inspect.unwrap(answer),)  # type: ignore[arg-type]
    return [part.__code__ for part in parts if inspect.isfunction(part)]


def _is_blank(answer: object) -> bool:
    """Whether a function, or a method of a class, has no body but ``...``, ``pass`` or a docstring."""
    plain = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "POP_TOP"}
    codes = _codes(answer)
    blank = any({step.opname for step in dis.get_instructions(code)} <= plain for code in codes)
    return blank or (inspect.isclass(answer) and not codes)


def _where(traceback: TracebackType | None, codes: list[CodeType]) -> str:
    """Name the line of the reader's code that an error came from, as the cell counts them."""
    files, place = {code.co_filename for code in codes}, ""
    while traceback is not None:
        file, line = traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
        if file in files:
            text = linecache.getline(file, line).strip()
            place = f"\n    in line {line}: {text}" if text else f"\n    in line {line}"
        traceback = traceback.tb_next
    return place


class Outcome:
    """What one run of an answer gave.

    Parameters
    ----------
    result : object
        What it returned, or a `Raised`.
    arguments : tuple
        What it was called with, as the run has left it.
    unfinished : bool
        Whether there is no answer yet.
    """

    def __init__(self, result: object, arguments: tuple[Any, ...] = (), *, unfinished: bool = False) -> None:
        self.result, self.arguments, self.unfinished = result, arguments, unfinished

    def changed(self, case: Case) -> list[int]:
        """List the arguments, by their numbers, that the run has changed: lists and tensors only."""
        pairs = enumerate(zip(case.arguments, self.arguments, strict=False))
        return [
            number
            for number, (before, after) in pairs
            if (isinstance(before, list) or hasattr(before, "detach")) and not untouched(before, after)
        ]


class Answer:
    """A function or a class that a reader has written, run in this process.

    Parameters
    ----------
    value : object
        The function or class; anything else is refused by `check`.
    call : function
        ``call(value, *arguments)`` gives the result to be compared.
    """

    def __init__(self, value: object, call: Callable[..., object]) -> None:
        self.value, self.call = value, call

    def is_callable(self) -> bool:
        """Whether it can be run at all."""
        return callable(self.value)

    def misfit(self, names: list[str]) -> str | None:
        """Say that it takes more or fewer parameters than these."""
        return misfit(self.value, names)

    def run(self, number: int, case: Case) -> Outcome:  # noqa: ARG002 - elsewhere, the number names the case
        """Run it on a fresh copy of an input, the exercise's input number so and so."""
        arguments = case.copy()
        result = run(self.call, self.value, arguments)
        return Outcome(result, arguments, unfinished=is_unfinished(self.value, result))

    def uses(self, operations: frozenset[str], case: Case) -> bool:
        """Whether it calls one of these functions of torch."""
        return uses(operations, self.call, self.value, case.copy())
