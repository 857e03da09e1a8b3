"""The explorer's own kinds of traits: head numbers, heads that are off, tokens that are replaced."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import traitlets as t

from bertviz_lite.views.base.asking import check_text, spell_masks
from bertviz_lite.views.base.errors import ViewError

__all__ = ["Edits", "HeadNumbers", "HeadsOff", "TextRead"]


class HeadNumbers(t.TraitType[Any, Any]):
    """A selection of head numbers, in rising order."""

    def default(self, obj: Any = None) -> list[int]:  # noqa: ANN401, ARG002
        """Return what is set at the start: nothing."""
        return []

    def validate(self, obj: Any, value: object) -> list[int]:  # noqa: ANN401
        """Return `value` in its plain form, or raise :class:`ViewError` in one line."""
        if not isinstance(value, list | tuple | set | frozenset | range | np.ndarray):
            raise ViewError(f"{self.name}={value!r}: a list of head numbers is needed, such as [0, 3].")
        return sorted({_whole(self.name, "head", head, obj._num_heads, "heads") for head in value})


class HeadsOff(t.TraitType[Any, Any]):
    """A list of [layer, head] of the first kind of attention, in rising order."""

    def default(self, obj: Any = None) -> list[list[int]]:  # noqa: ANN401, ARG002
        """Return what is set at the start: nothing."""
        return []

    def validate(self, obj: Any, value: object) -> list[list[int]]:  # noqa: ANN401
        """Return `value` in its plain form, or raise :class:`ViewError` in one line."""
        wrong = ViewError(
            f"{self.name}={value!r}: a list of (layer, head) is needed, such as [(0, 3), (1, 2)]."
        )
        if not isinstance(value, list | tuple | set | frozenset | np.ndarray):
            raise wrong
        maps = obj._first_maps
        pairs = set()
        for pair in value:
            if not isinstance(pair, list | tuple | np.ndarray) or len(pair) != 2:
                raise wrong
            layer = _whole(self.name, "layer", pair[0], len(maps.attentions), "layers")
            pairs.add((layer, _whole(self.name, "head", pair[1], len(maps.attentions[0]), "heads")))
        return [list(pair) for pair in sorted(pairs)]


class Edits(t.TraitType[Any, Any]):
    """A mapping from positions of the text to the tokens that take the place of those there.

    Its keys are strings, as JSON's are: {"4": "[MASK]"}; whole numbers are welcome.
    """

    def default(self, obj: Any = None) -> dict[str, str]:  # noqa: ANN401, ARG002
        """Return what is set at the start: nothing."""
        return {}

    def validate(self, obj: Any, value: object) -> dict[str, str]:  # noqa: ANN401
        """Return `value` in its plain form, or raise :class:`ViewError` in one line."""
        if not isinstance(value, dict):
            raise ViewError(
                f"{self.name}={value!r}: positions and their new tokens are needed, such as {{4: '[MASK]'}}."
            )
        tokens = obj._first_maps.query_tokens.tokens
        edits: dict[int, str] = {}
        for position, token in value.items():
            digits = isinstance(position, str) and position.isascii() and position.isdigit()
            place = _whole(self.name, "token", int(position) if digits else position, len(tokens), "tokens")
            if not isinstance(token, str) or not token:
                raise ViewError(
                    f"{self.name}={{{place}: {token!r}}}: a vocabulary token is needed, such as '[MASK]'."
                )
            token = spell_masks(token, obj._source.mask_token)
            if token != tokens[place]:
                edits[place] = token
        return {str(place): edits[place] for place in sorted(edits)}


class TextRead(t.TraitType[Any, Any]):
    """A text that a model has read; empty where there is none."""

    default_value = ""

    def validate(self, obj: Any, value: object) -> str:  # noqa: ANN401
        """Return `value` with its masks spelled out, or raise :class:`ViewError` in one line."""
        return spell_masks(check_text(str(self.name), value), obj._source.mask_token) if value != "" else ""


def _whole(name: str | None, of: str, value: object, size: int, many: str) -> int:
    """Return `value` as a number from 0 to below `size`, or raise :class:`ViewError` in one line."""
    try:
        if isinstance(value, bool):
            raise TypeError
        index = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ViewError(f"{name}: {of} {value!r}: a whole number from 0 to {size - 1} is needed.") from None
    if not 0 <= index < size:
        raise ViewError(f"{name}: {of} {index}: there are {size} {many}, numbered 0 to {size - 1}.")
    return index
