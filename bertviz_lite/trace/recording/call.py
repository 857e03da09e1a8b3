"""What a model is called with: its tensors with their labels, copied or changed."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(eq=False, repr=False)
class Call:
    """The arguments of one call, copied, and the tensors in them."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    tensors: dict[str, Tensor] = field(default_factory=dict)

    @property
    def labels(self) -> dict[int, str]:
        """The label of each tensor, by its ``id``."""
        return {id(tensor): label for label, tensor in self.tensors.items()}


Change = Callable[[str, Tensor], Tensor]


def _copied(_label: str, tensor: Tensor) -> Tensor:
    return tensor.detach().clone()


def call(
    model: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any], change: Change = _copied
) -> Call:
    """Copy what a model is called with, every tensor changed; a tensor given twice stays one."""
    made = Call((), {})
    done: dict[int, Tensor] = {}

    def visit(label: str, given: Any) -> Any:  # noqa: ANN401
        if isinstance(given, Tensor):
            if id(given) not in done:
                done[id(given)] = made.tensors[label] = change(label, given)
            return done[id(given)]
        if isinstance(given, Mapping):
            parts = {key: visit(f"{label}.{key}", value) for key, value in given.items()}
            return _rebuilt(given, parts)
        if isinstance(given, list | tuple):
            items = [visit(f"{label}[{place}]", value) for place, value in enumerate(given)]
            return type(given)(*items) if hasattr(given, "_fields") else type(given)(items)
        if given is None or isinstance(given, bool | int | float | str | torch.dtype | torch.device):
            return given
        return copy.deepcopy(given)  # a cache, which the model would write into

    names = _positional(model, len(args))
    made.args = tuple(visit(name, given) for name, given in zip(names, args, strict=True))
    made.kwargs = {name: visit(name, given) for name, given in kwargs.items()}
    return made


def _rebuilt(mapping: Mapping[Any, Any], parts: dict[Any, Any]) -> Any:  # noqa: ANN401
    """Return a mapping of the same kind with other values."""
    if type(mapping) is dict:
        return parts
    try:
        return type(mapping)(**parts)
    except TypeError:
        return type(mapping)(parts)  # type: ignore[call-arg]


def _positional(model: nn.Module, count: int) -> list[str]:
    """Return the names of the first parameters of ``forward``."""
    if not count:
        return []
    try:
        parameters = list(inspect.signature(model.forward).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    named = [parameter.name for parameter in parameters if parameter.kind in positional]
    starred = (parameter.name for parameter in parameters if parameter.kind is parameter.VAR_POSITIONAL)
    others = next(starred, "args")
    return [
        named[place] if place < len(named) else f"{others}[{place - len(named)}]" for place in range(count)
    ]
