"""Names of axes from pairs of sizes: that of the first pass, and that of the second.

An axis of size 7 in one pass and 23 in the other, where the sequences had 7 and 23 tokens, runs along the
sequence. In the second pass all sizes differ, so one pair of sizes has one name. Where it has more, the axis
gets none: it is a number with a mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement

from bertviz_lite.trace.steps.values import Axis

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
        """Yield tables from a pair of sizes to the names that fit it, the plainest first."""
        sizes = self._sizes
        yield _table((pair, name) for name, pair in sizes.items())
        yield _table(
            (_times(sizes[first_name], sizes[second_name]), f"{first_name}*{second_name}")
            for first_name, second_name in combinations_with_replacement(sizes, 2)
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
            could_be += sorted(name for name, fixed in self._fixed.items() if fixed == size)
            return Axis(size, None, not could_be, tuple(could_be))
        for table in self._tables:
            names = table.get((size, other))
            if names and len(names) == 1 and (size != other or table is self._tables[0]):
                return Axis(size, next(iter(names)))
            if names:
                return Axis(size, None, sure=False, could_be=tuple(sorted(names)))
        if size == other:
            could_be = sorted(name for name, fixed in self._fixed.items() if fixed == size)
            return Axis(size, None, not could_be, tuple(could_be))
        return Axis(size)


def _table(entries: Iterator[tuple[Pair, str]]) -> dict[Pair, set[str]]:
    table: dict[Pair, set[str]] = {}
    for pair, name in entries:
        table.setdefault(pair, set()).add(name)
    return table


def _times(pair: Pair, factor: Pair) -> Pair:
    return pair[0] * factor[0], pair[1] * factor[1]
