"""Advice about inputs that are no tensors: text, a batch as one argument, lists of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["advice"]


def advice(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """Return what to give in place of inputs that are no tensors; "" if there are none.

    >>> advice(("Anna lost her key.",), {})
    "give ids in place of text: trace(model, **tokenizer(text, return_tensors='pt'))"
    >>> advice((), {"input_ids": [[2, 7, 3]]})
    "give a tensor in place of the list input_ids: torch.tensor(…), or return_tensors='pt'"
    """
    if any(isinstance(given, str) for given in args):
        return "give ids in place of text: trace(model, **tokenizer(text, return_tensors='pt'))"
    if any(isinstance(given, Mapping) for given in args):
        return "give a batch by keywords: trace(model, **batch)"
    named = {**{f"argument {number}": given for number, given in enumerate(args, 1)}, **kwargs}
    for name, given in named.items():
        if isinstance(given, list | tuple) and _is_of_numbers(given):
            kind = type(given).__name__
            return f"give a tensor in place of the {kind} {name}: torch.tensor(…), or return_tensors='pt'"
    return ""


def _is_of_numbers(given: Any) -> bool:  # noqa: ANN401
    if isinstance(given, list | tuple):
        return bool(given) and all(map(_is_of_numbers, given))
    return isinstance(given, int | float)
