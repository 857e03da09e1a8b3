"""The steps and tensors of one pass while it is recorded: their axes have no names yet."""

from __future__ import annotations

from torch import nn

from bertviz_lite.trace.steps.step import Kind
from bertviz_lite.trace.steps.values import Numbers


class RawValue:
    """A tensor of one pass: what is left of it."""

    __slots__ = ("dtype", "label", "number", "numbers", "shape")

    def __init__(self, number: int, shape: tuple[int, ...], dtype: str, label: str) -> None:
        self.number = number
        self.shape = shape
        self.dtype = dtype
        self.label = label
        self.numbers: Numbers | None = None


class RawStep:
    """A step of one pass; `key` is the same in another pass where `name` may hold other sizes."""

    __slots__ = (
        "call",
        "depth",
        "frame",
        "inputs",
        "key",
        "kind",
        "last",
        "module",
        "outputs",
        "parent",
        "path",
        "weights",
    )

    def __init__(self, kind: Kind, path: str, key: str, parent: int | None, depth: int) -> None:
        self.kind: Kind = kind
        self.path = path
        self.key = key
        self.parent = parent
        self.depth = depth
        self.last = -1
        self.inputs: tuple[RawValue, ...] = ()
        self.outputs: tuple[RawValue, ...] = ()
        self.weights: tuple[RawValue, ...] = ()
        self.module: nn.Module | None = None
        self.frame: tuple[str, int] | None = None
        self.call: str = key

    def __repr__(self) -> str:
        return f"{self.path}: {self.call}"
