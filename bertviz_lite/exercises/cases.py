"""The inputs on which answers are run: a fresh copy for each answer, shown in one line."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from bertviz_lite.exercises.comparing import difference
from bertviz_lite.exercises.showing import show

__all__ = ["Case", "normal", "uniform", "untouched"]

_WIDTH = 90  # characters: longer inputs get a line for each argument


class Case:
    """One input on which answers are run.

    Parameters
    ----------
    *arguments : object
        What the answer is called with. Tensors and lists are copied for each call.
    label : str, optional
        What to show in place of the arguments, where these are too large to be read.
    """

    def __init__(self, *arguments: object, label: str = "") -> None:
        self.arguments, self.label = arguments, label

    def copy(self) -> tuple[Any, ...]:
        """Copy the arguments, such that a change of them does no harm."""
        return tuple(_copied(argument) for argument in self.arguments)

    def describe(self, names: Iterable[str]) -> str:
        """Show the input in one line, each argument with its name."""
        if self.label:
            return self.label
        shown = [f"{name} = {show(value)}" for name, value in zip(names, self.arguments, strict=False)]
        return (", " if sum(map(len, shown)) < _WIDTH else ",\n           ").join(shown)


def normal(*shape: int, seed: int = 0) -> Tensor:
    """Draw from the standard normal distribution: the same numbers (float64) each time."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def uniform(*shape: int, seed: int = 0) -> Tensor:
    """Draw evenly between 0 and 1: the same numbers (float64) each time."""
    return torch.rand(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def untouched(before: object, after: object) -> bool:
    """Whether a list or a tensor, or a list of them, still holds what it held."""
    if isinstance(before, list) and isinstance(after, list):
        return len(before) == len(after) and all(map(untouched, before, after))
    return difference(after, before) is None if hasattr(before, "detach") else [before] == [after]


def _copied(value: object) -> object:
    if isinstance(value, list):  # what is in the list too: else the reference would see it changed
        return [_copied(item) for item in value]
    is_tensor = hasattr(value, "detach") and hasattr(value, "clone")
    return value.clone() if is_tensor else value  # type: ignore[attr-defined]
