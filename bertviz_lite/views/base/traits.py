"""Kinds of traits that several views have: an index, a choice, a flag, a share. A refusal is one line."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import traitlets

from bertviz_lite.basics.arguments import shown
from bertviz_lite.views.base.errors import ViewError

__all__ = ["Choice", "Flag", "Index", "Share"]


class Index(traitlets.TraitType[Any, Any]):
    """A trait for the index of one of several things; numpy integers are welcome, True is not.

    Parameters
    ----------
    size
        Name of the view's attribute that says how many there are.
    of
        What they are, in the plural, for the error: "tokens".
    """

    def __init__(self, size: str, of: str, *, default: int | None = 0, allow_none: bool = False) -> None:
        super().__init__(default_value=default, allow_none=allow_none)
        self.size = size
        self.of = of

    def validate(self, obj: Any, value: object) -> int:  # noqa: ANN401
        """Return `value` as an int, or raise :class:`ViewError` in one line."""
        size: int = getattr(obj, self.size)
        try:
            if isinstance(value, bool):
                raise TypeError
            index = operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            raise ViewError(
                f"{self.name}={value!r}: a whole number from 0 to {size - 1} is needed"
                f"{', or None' if self.allow_none else ''}."
            ) from None
        if not 0 <= index < size:
            raise ViewError(
                f"{self.name}={shown(index)}: there are {size} {self.of}, numbered 0 to {size - 1}."
            )
        return index


class Choice(traitlets.TraitType[Any, Any]):
    """A trait for one of a few words.

    Parameters
    ----------
    options
        The words, or the name of the view's attribute that holds them.
    """

    def __init__(self, options: tuple[str, ...] | str, default: str) -> None:
        super().__init__(default_value=default)
        self.options = options

    def validate(self, obj: Any, value: object) -> str:  # noqa: ANN401
        """Return `value`, or raise :class:`ViewError` in one line."""
        options = getattr(obj, self.options) if isinstance(self.options, str) else self.options
        if not isinstance(value, str) or value not in options:
            raise ViewError(f"{self.name}={value!r}: one of {', '.join(map(repr, options))} is needed.")
        return value


class Flag(traitlets.TraitType[Any, Any]):
    """A trait that is True or False."""

    def __init__(self, *, default: bool = False) -> None:
        super().__init__(default_value=default)

    def validate(self, obj: Any, value: object) -> bool:  # noqa: ANN401, ARG002
        """Return `value` as a bool, or raise :class:`ViewError` in one line."""
        if not isinstance(value, bool | np.bool_):
            raise ViewError(f"{self.name}={value!r}: True or False is needed.")
        return bool(value)


class Share(traitlets.TraitType[Any, Any]):
    """A trait for a number from 0 to 1; with `positive`, 0 itself is refused."""

    def __init__(self, default: float, *, positive: bool = False) -> None:
        super().__init__(default_value=default)
        self.positive = positive

    def validate(self, obj: Any, value: object) -> float:  # noqa: ANN401, ARG002
        """Return `value` as a float, or raise :class:`ViewError` in one line."""
        need = "above 0, at most 1," if self.positive else "from 0 to 1"
        try:
            if isinstance(value, bool | str):
                raise TypeError
            share = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            raise ViewError(f"{self.name}={shown(value)}: a number {need} is needed.") from None
        if not 0 <= share <= 1 or (self.positive and share == 0):
            raise ViewError(f"{self.name}={share:g}: a number {need} is needed.")
        return share
