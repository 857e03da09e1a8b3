"""Tensors of a trace: axes with sizes and names, and what is in a tensor in four numbers.

Nothing here needs torch. These are named tuples, and there are few dataclasses among what a first trace
imports: a dataclass takes half a millisecond to define, and a frozen one several times as long to make.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Axis", "Numbers", "Value"]


class Axis(NamedTuple):
    """One axis of a tensor: its size, and its name where there is one.

    >>> str(Axis(7, "seq_len")), str(Axis(128)), str(Axis(2, sure=False))
    ('seq_len=7', '128', '2?')

    ``sure`` is False where more than one name would fit; then there is no name, and `could_be` lists them.
    """

    size: int
    name: str | None = None
    sure: bool = True
    could_be: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.name is not None:
            return f"{self.name}={self.size}"
        return str(self.size) if self.sure else f"{self.size}?"


class Value(NamedTuple):
    """One tensor: the same tensor has the same `id` everywhere in the trace.

    ``label`` is the name of an input ("input_ids"), a parameter or a buffer ("bert.pooler.dense.weight"),
    or "".
    """

    id: int
    axes: tuple[Axis, ...]
    dtype: str
    label: str = ""

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes without the names."""
        return tuple(axis.size for axis in self.axes)

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.axes))}]"


class Numbers(NamedTuple):
    """What is in a tensor, in four numbers; ``std`` is that of the population (divided by the count)."""

    min: float
    mean: float
    max: float
    std: float
