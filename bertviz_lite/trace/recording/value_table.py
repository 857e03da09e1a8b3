"""Number the tensors of a pass: the same tensor has the same number, a label, and numbers if measured."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from bertviz_lite.trace.model.parts import ModelParts
from bertviz_lite.trace.recording.nested_tensors import tensors_in
from bertviz_lite.trace.recording.raw_steps import RawValue
from bertviz_lite.trace.steps.values import Numbers

_DTYPES: dict[torch.dtype, str] = {}


class ValueTable:
    """The record of each tensor of one pass.

    Parameters
    ----------
    parts
        The parts of the model that is called.
    labels
        The names of tensors given to it, by ``id``.
    measure
        Returns the four numbers of a tensor; None to leave them out.
    """

    def __init__(
        self,
        parts: ModelParts,
        labels: Mapping[int, str],
        measure: Callable[[Tensor], Numbers | None] | None,
    ) -> None:
        self._measure = measure
        self._known: dict[int, tuple[Any, RawValue]] = {}
        self._count = 0
        self._weights = parts.parameters
        self._labels = {key: name for key, (name, _) in (parts.buffers | parts.parameters).items()}
        self._labels |= labels

    def value(self, tensor: Tensor, *, anew: bool = False, numbers: Numbers | None = None) -> RawValue:
        """Return the record of a tensor: `anew` if it was written into, with its numbers if known."""
        key = id(tensor)
        known = self._known.get(key)
        if known is not None and known[0]() is tensor:
            if not anew:
                return known[1]
            number = known[1].number
        else:
            self._count += 1
            number = self._count
        dtype = _DTYPES.get(tensor.dtype) or _DTYPES.setdefault(tensor.dtype, str(tensor.dtype)[6:])
        made = RawValue(number, tuple(tensor.shape), dtype, self._labels.get(key, ""))
        self._known[key] = (weakref.ref(tensor), made)
        if self._measure is not None and key not in self._weights:
            made.numbers = numbers or self._measure(tensor)
        return made

    def values(self, given: Any) -> tuple[RawValue, ...]:  # noqa: ANN401
        """Return the records of the tensors in a structure, each once, in order."""
        return tuple(map(self.value, tensors_in(given)))
