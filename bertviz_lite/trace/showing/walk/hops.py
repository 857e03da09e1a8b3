"""Each step of a path with the tensor that led to it and the tensor that it made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bertviz_lite.trace.steps.step import Step
from bertviz_lite.trace.steps.values import Value


@dataclass(frozen=True)
class Hop:
    """One step of a path: what came in of the tensor that is followed, and what went out of it."""

    step: Step
    before: Value | None
    after: Value | None


def hops(path: Sequence[Step], start: Iterable[Value]) -> list[Hop]:
    """Return each step of a path with the tensor that led to it and the tensor that it made.

    Parameters
    ----------
    path
        The steps, as :func:`~bertviz_lite.trace.showing.walk.path.path_of` returns them.
    start
        The tensor that is followed (several where one name stands for several).
    """
    reached = [value.id for value in start]
    made = []
    for step in path:
        given = [value for value in (*step.inputs, *step.weights) if value.id in reached]
        before = max(given, key=lambda value: _last(reached, value.id), default=None)
        if before is None and not step.outputs:  # another of its inputs made it fail
            before = next(iter(step.inputs), None)
        after = next((value for value in step.outputs if before is None or value.id != before.id), None)
        made.append(Hop(step, before, after or next(iter(step.outputs), None)))
        reached += [value.id for value in step.outputs]
    return made


def _last(items: Sequence[int], item: int) -> int:
    return len(items) - 1 - items[::-1].index(item)
