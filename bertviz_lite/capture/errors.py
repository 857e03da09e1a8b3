"""The error of this room, and the words with which it names what it was given."""

from __future__ import annotations

import operator

import numpy as np

from bertviz_lite.basics.one_line_error import OneLineError


class CaptureError(OneLineError, ValueError):
    """Attention could not be captured; the message is one line and says what to do next."""

    __module__ = "bertviz_lite"


def kind_of(value: object) -> str:
    """Name the type of a value in an error: "None", "a list"."""
    name = type(value).__name__
    return "None" if value is None else f"an {name}" if name[0] in "aeiouAEIOU" else f"a {name}"


def is_count(value: object) -> bool:
    """Return whether a value is a whole number (of Python or numpy), True and False not counted in."""
    try:
        operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return False
    return not isinstance(value, bool | np.bool_)
