"""The path of one tensor as a reader walks it: a closed module is one stop, an open one many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from bertviz_lite.trace.showing.equal_steps import grouped
from bertviz_lite.trace.showing.nesting import failing, single
from bertviz_lite.trace.showing.walk.hops import Hop, hops
from bertviz_lite.trace.showing.walk.path import path_of
from bertviz_lite.trace.steps.recorded_pass import RecordedPass
from bertviz_lite.trace.steps.step import Step
from bertviz_lite.trace.steps.values import Value


@dataclass(frozen=True)
class Route:
    """The steps that a tensor goes through, nested as the modules are.

    Parameters
    ----------
    trace
        What :func:`bertviz_lite.trace` returns.
    name
        What is followed: an input, a parameter, or the path of a module.
    start
        The tensors of that name.
    steps
        Its steps and the modules around them, by index.
    """

    trace: RecordedPass
    name: str
    start: tuple[Value, ...]
    steps: tuple[Step, ...]

    @cached_property
    def hops(self) -> dict[int, Hop]:
        """What goes in and comes out of the tensor, by the index of the step."""
        return {hop.step.index: hop for hop in hops(self.steps, self.start)}

    @cached_property
    def _inside(self) -> dict[int | None, list[Step]]:
        inside: dict[int | None, list[Step]] = {}
        for step in self.steps:
            inside.setdefault(step.parent, []).append(step)
        return inside

    def inside(self, step: Step | None) -> list[Step]:
        """Return the steps of the path directly inside `step`; none for one that cannot be opened."""
        if step is not None and (step.kind == "operation" or single(self.trace, step) is not None):
            return []
        return self._inside.get(None if step is None else step.index, [])

    def stops(self, closed: Iterable[int], within: Step | None = None) -> list[Step]:
        """Return what a reader stops at: operations, and the modules whose index is in `closed`."""
        return list(self._stops(frozenset(closed), within))

    def _stops(self, closed: frozenset[int], within: Step | None) -> Iterator[Step]:
        for step in self.inside(within):
            if step.index in closed or not self.inside(step):
                yield step
            else:
                yield from self._stops(closed, step)

    @cached_property
    def modules(self) -> list[Step]:
        """The modules of the path that can be opened."""
        return [step for step in self.steps if self.inside(step)]

    def summary(self, most: int) -> frozenset[int]:
        """Return the modules to close so that the path takes few stops, equal layers counting as one.

        Modules that hold modules which hold more are opened, outermost first; the one that failed always;
        and if that leaves less than four stops, others as well.
        """
        closed = {step.index for step in self.modules}
        closed -= {step.index for step in self.inside(None)} | failing(self.trace)
        for generous in (False, True):
            for step in self.modules:
                if step.index not in closed or not self._may_open(step, generous, closed):
                    continue
                fewer = closed - {step.index}
                if self._count(fewer) <= most and not (generous and self._count(closed) >= 4):
                    closed = fewer
        return frozenset(closed)

    def _may_open(self, step: Step, generous: bool, closed: set[int]) -> bool:
        around = step.parent
        while around is not None:
            if around in closed:
                return False
            around = self.trace.steps[around].parent
        parent = None if step.parent is None else self.trace.steps[step.parent]
        alike = next(group for group in grouped(self.trace, self.inside(parent)) if step in group.steps)
        return len(alike.steps) == 1 and (generous or any(map(self.inside, self.inside(step))))

    def _count(self, closed: set[int]) -> int:
        """Return how many shapes a reader sees: steps that keep the shape come with the one before."""
        count, last = 0, ""
        for group in grouped(self.trace, self.stops(closed)):
            now = str(self.hops[group.steps[-1].index].after)
            count += now != last or bool(self.inside(group.first))
            last = now
        return count


def route(trace: RecordedPass, name: str) -> Route:
    """Return the path of a tensor, with the modules around its steps.

    Raises
    ------
    TraceError
        One line, if nothing in the trace has that name.
    """
    path = path_of(trace, name)
    broken = failing(trace)
    if trace.failure is not None and any(step.index in broken for step in path):
        path.append(trace.steps[max(broken)])  # it may have been given something else
    indices = {step.index for step in path}
    for step in path:
        around = step.parent
        while around is not None and around not in indices:
            indices.add(around)
            around = trace.steps[around].parent
    steps = tuple(trace.steps[index] for index in sorted(indices))
    return Route(trace, name, _start(trace, name), steps)


def _start(trace: RecordedPass, name: str) -> tuple[Value, ...]:
    given = [value for value in trace.inputs if value.label == name]
    weights = [value for step in trace.steps for value in step.weights if value.label == name]
    made = next((step.outputs for step in trace.steps if step.kind == "module" and step.path == name), ())
    values = {value.id: value for value in given or weights or made}
    return tuple(values.values())
