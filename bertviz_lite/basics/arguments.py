"""What a function was given: checked where it is given, refused in one line that says what is needed.

>>> whole_number("n", "2", least=0)
Traceback (most recent call last):
bertviz_lite.ArgumentError: n='2': a whole number of 0 or more is needed, not a str.
"""

from __future__ import annotations

import numbers
import operator
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from bertviz_lite.basics.one_line_error import OneLineError
from bertviz_lite.basics.text import clip

__all__ = ["ArgumentError", "a_or_an", "instance", "is_number", "members", "share", "shown", "whole_number"]

T = TypeVar("T")
_TOO_LARGE = 2**63


class ArgumentError(OneLineError, ValueError, TypeError):
    """An argument of the wrong type or value; the message names it, what was given, and what is needed."""

    __module__ = "bertviz_lite"


def whole_number(name: str, value: object, least: int | None = None) -> int:
    """Return a whole number (Python's or numpy's, no bool) as an int, or refuse it.

    Raises
    ------
    ArgumentError
        Where it is something else, below ``least``, or has more than 63 bits.
    """
    needed = "a whole number" if least is None else f"a whole number of {least} or more"
    try:
        number = operator.index(None if isinstance(value, bool) else value)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentError(f"{name}={shown(value)}: {needed} is needed, not {a_or_an(value)}.") from None
    if least is not None and number < least:
        raise ArgumentError(f"{name}={shown(number)}: {needed} is needed.")
    if abs(number) >= _TOO_LARGE:
        raise ArgumentError(f"{name} has too many digits: a whole number below 2**63 is needed.")
    return number


def share(name: str, value: Any) -> float:  # noqa: ANN401 - checked here
    """Return a number from 0 to 1 as a float, or refuse it.

    Raises
    ------
    ArgumentError
        Where it is something else.
    """
    if not is_number(value):
        raise ArgumentError(f"{name}={shown(value)}: a share from 0 to 1 is needed, not {a_or_an(value)}.")
    if not 0 <= value <= 1:
        raise ArgumentError(f"{name}={shown(value)}: a share from 0 to 1 is needed.")
    return float(value)


def is_number(value: object) -> bool:
    """Return whether a value is a real number, Python's or numpy's; a bool is none."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def instance(name: str, value: object, kind: type[T], needed: str) -> T:
    """Return a value of a class, or refuse it; ``needed`` says in words what is needed.

    Raises
    ------
    ArgumentError
        Where it is of another class.
    """
    if not isinstance(value, kind):
        raise ArgumentError(f"{name}={shown(value)}: {needed} is needed, not {a_or_an(value)}.")
    return value


def members(name: str, values: Iterable[T], kind: type[T] | tuple[type[T], ...], needed: str) -> list[T]:
    """Return values of one class as a list, or refuse them; ``needed`` says in words what is needed.

    Raises
    ------
    ArgumentError
        Where they cannot be listed, or one of them is of another class.
    """
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise ArgumentError(f"{name}={shown(values)}: {needed} is needed, not {a_or_an(values)}.")
    listed = list(values)
    for index, value in enumerate(listed):
        if not isinstance(value, kind):
            raise ArgumentError(
                f"{name}[{index}]={shown(value)}: {needed} is needed, not {a_or_an(value)} in it."
            )
    return listed


def shown(value: object) -> str:
    """Return a value's repr in one line of at most 60 characters."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a repr that fails must not hide the message
        text = f"<{type(value).__name__}>"
    return clip(" ".join(text.split()), 60)


def a_or_an(value: object) -> str:
    """Return the name of a value's type with its article: "an int", "a str"; None is "None".

    >>> a_or_an(1), a_or_an("one"), a_or_an(None)
    ('an int', 'a str', 'None')
    """
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
