"""Find the names of axes: from the sizes that each has in two passes.

An axis of size 7 in one pass and 23 in the other, where the sequences had 7 and 23 tokens, runs along the
sequence. In the second pass all sizes differ, so one pair of sizes has one name. Where it has more, the axis
gets none: it is a number with a mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import combinations_with_replacement

from bertviz_lite.trace.recording.record import RawStep, RawValue
from bertviz_lite.trace.recording.steps import Axis

Pair = tuple[int, int]


class Names:
    """Names for pairs of sizes.

    Parameters
    ----------
    sizes
        Of each name its size in the first and in the second pass.
    fixed
        Names of sizes that were the same in both passes, though they might have been changed: an axis of such
        a size is never sure.
    """

    def __init__(self, sizes: Mapping[str, Pair], fixed: Mapping[str, int]) -> None:
        self._known: dict[Pair, Axis] = {}
        self._sizes = sizes
        self._fixed = fixed
        self._tables = [table for table in self._expressions() if table]

    def _expressions(self) -> Iterator[dict[Pair, set[str]]]:
        """Yield tables from pair to what gives it, the plainest first."""
        sizes = self._sizes
        yield _table((pair, name) for name, pair in sizes.items())
        yield _table(
            (_times(sizes[one], sizes[two]), f"{one}*{two}")
            for one, two in combinations_with_replacement(sizes, 2)
        )
        yield _table(
            ((first + step, second + step), f"{name}{step:+d}")
            for name, (first, second) in sizes.items()
            for step in (-1, 1, 2)
        )
        yield _table(
            ((factor * first, factor * second), f"{factor}*{name}")
            for name, (first, second) in sizes.items()
            for factor in (2, 3, 4)
        )
        yield _table(
            ((first // 2, second // 2), f"{name}/2")
            for name, (first, second) in sizes.items()
            if first % 2 == second % 2 == 0
        )

    def axis(self, size: int, other: int | None) -> Axis:
        """Return the axis that has `size` in the first pass and `other` in the second (None: not known)."""
        pair = (size, -1 if other is None else other)
        if pair not in self._known:
            self._known[pair] = self._axis(size, other)
        return self._known[pair]

    def _axis(self, size: int, other: int | None) -> Axis:
        if other is None:
            could_be = sorted(name for name, (first, _) in self._sizes.items() if first == size)
            could_be += sorted(name for name, one in self._fixed.items() if one == size)
            return Axis(size, None, not could_be, tuple(could_be))
        for table in self._tables:
            names = table.get((size, other))
            if names and len(names) == 1 and (size != other or table is self._tables[0]):
                return Axis(size, next(iter(names)))
            if names:
                return Axis(size, None, sure=False, could_be=tuple(sorted(names)))
        if size == other:
            could_be = sorted(name for name, one in self._fixed.items() if one == size)
            return Axis(size, None, not could_be, tuple(could_be))
        return Axis(size)


def _table(entries: Iterator[tuple[Pair, str]]) -> dict[Pair, set[str]]:
    table: dict[Pair, set[str]] = {}
    for pair, name in entries:
        table.setdefault(pair, set()).add(name)
    return table


def _times(one: Pair, two: Pair) -> Pair:
    return one[0] * two[0], one[1] * two[1]


def matched(
    first: Sequence[RawStep], second: Sequence[RawStep], stack: str | None = None
) -> tuple[list[tuple[int, int]], bool]:
    """Return which steps of two passes are the same, and whether all of the first are.

    `stack` is the path of layers of which the second model has the first only: it stands for all of them.
    """
    if stack is not None:
        return _folded(first, second, stack)
    ours = [(step.kind, step.path, step.key) for step in first]
    theirs = [(step.kind, step.path, step.key) for step in second]
    if ours == theirs[: len(ours)]:
        return [(place, place) for place in range(len(ours))], True
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    return [(block.a + step, block.b + step) for block in blocks for step in range(block.size)], False


def _folded(
    first: Sequence[RawStep], second: Sequence[RawStep], stack: str
) -> tuple[list[tuple[int, int]], bool]:
    layers = [
        place
        for place, step in enumerate(first)
        if step.kind == "module" and step.path.rpartition(".")[0] == stack
    ]
    if not layers:
        return [], False
    start = layers[0]
    length = first[start].last + 1 - start
    end = start + len(layers) * length
    if layers != list(range(start, end, length)) or first[layers[-1]].last + 1 != end:
        return [], False
    if [first[place].path for place in layers] != [f"{stack}.{layer}" for layer in range(len(layers))]:
        return [], False
    places = []
    for place, step in enumerate(first):
        path, other = step.path, place
        if place >= end:
            other = place - end + start + length
        elif place >= start:
            layer, inside = divmod(place - start, length)
            path, other = f"{stack}.0{path.removeprefix(f'{stack}.{layer}')}", start + inside
        like = second[other] if other < len(second) else None
        if like is None or (like.kind, like.path, like.key) != (step.kind, path, step.key):
            return [], False
        places.append((place, other))
    return places, True


def shapes_of_second(
    first: Sequence[RawStep], second: Sequence[RawStep], places: Sequence[tuple[int, int]]
) -> dict[int, tuple[int, ...] | None]:
    """Return of each tensor of the first pass its shape in the second; None where that is not one shape."""
    found: dict[int, tuple[int, ...] | None] = {}
    for ours, theirs in places:
        for one, other in _values(first[ours], second[theirs]):
            shape = other.shape if len(other.shape) == len(one.shape) else None
            if found.setdefault(one.number, shape) != shape:
                found[one.number] = None
    return found


def _values(one: RawStep, other: RawStep) -> Iterator[tuple[RawValue, RawValue]]:
    for ours, theirs in (
        (one.inputs, other.inputs),
        (one.weights, other.weights),
        (one.outputs, other.outputs),
    ):
        if len(ours) == len(theirs):
            yield from zip(ours, theirs, strict=True)
