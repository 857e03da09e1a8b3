"""A sequence whose items are made when they are asked for: of ten thousand a reader often needs three."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar, overload

__all__ = ["ReadLater"]

T = TypeVar("T")


class ReadLater(Sequence[T], Generic[T]):
    """Items that are made once, each at the moment when it is first asked for.

    Parameters
    ----------
    makers
        For each item the function that makes it. What it raises is raised where the item is asked for.
    """

    def __init__(self, makers: Iterable[Callable[[], T]]) -> None:
        self._makers = tuple(makers)
        self._made: dict[int, T] = {}

    def __len__(self) -> int:
        return len(self._makers)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...

    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        numbers = range(len(self))[index]  # counts from the end, and raises an IndexError, as a list does
        if isinstance(numbers, range):
            return tuple(self[number] for number in numbers)
        if numbers not in self._made:
            self._made[numbers] = self._makers[numbers]()
        return self._made[numbers]
