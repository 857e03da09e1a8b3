"""The boxes of the picture: a shape each, and what led to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bertviz_lite.trace.showing.equal_steps import grouped
from bertviz_lite.trace.showing.labels import own_name
from bertviz_lite.trace.showing.nesting import failing
from bertviz_lite.trace.showing.walk.route import Route
from bertviz_lite.trace.steps.errors import TraceError
from bertviz_lite.trace.steps.recorded_pass import RecordedPass
from bertviz_lite.trace.steps.step import Step
from bertviz_lite.trace.steps.values import Value


@dataclass(frozen=True)
class Box:
    """One shape of the path, and what led to it."""

    text: str
    note: str
    value: Value | None
    sources: tuple[int, ...]
    """The numbers of the boxes that it is made from."""
    failed: bool = False

    def elsewhere(self, number: int) -> tuple[int, ...]:
        """Return the boxes that it is made from, unless that is just the one on its left; it has a number."""
        return () if self.sources == (number - 1,) else self.sources


def boxes_of(way: Route, inside: str | None, most: int) -> list[Box]:
    """Return the boxes of a path: its modules, or what happens inside one of them."""
    if inside is None:
        closed, within = way.summary(most), None
        start = way.start[0] if way.start else None
    else:
        within = _module(way, inside)
        closed = frozenset(step.index for step in way.modules if step.index != within.index)
        start = way.hops[within.index].before
    made = {start.id: 0} if start is not None else {}
    boxes = [Box(_label(way, inside, start), "", start, ())]
    stops = way.stops(closed, within) if within is not None else way.stops(closed)
    for group in grouped(way.trace, stops):
        _add(boxes, made, way, group.steps)
    return boxes


def _module(way: Route, path: str) -> Step:
    for step in way.steps:
        if step.kind == "module" and step.path == path and way.inside(step):
            return step
    known = [step.path for step in way.modules if step.path]
    some = ", ".join(map(repr, known[:3])) or "no module that holds steps"
    raise TraceError(f"inside={path!r}: {way.name} does not go through it; it goes through {some}, ….")


def _label(way: Route, inside: str | None, start: Value | None) -> str:
    if inside is None or (start is not None and start.label):
        return start.label if start is not None and start.label else way.name
    short = re.search(r"[^.]*(\.\d+)?$", inside)
    return f"into {short[0] if short else inside}"


def _add(boxes: list[Box], made: dict[int, int], way: Route, steps: tuple[Step, ...]) -> None:
    """Put a step, or equal ones in a row, into a box of their own, or onto the arrow of the last one."""
    step, last = steps[0], steps[-1]
    after = way.hops[last.index].after
    given = (*step.inputs, *step.weights)
    sources = tuple(sorted({made[value.id] for value in given if value.id in made}))
    failed = step.index in failing(way.trace)
    text, note = _words(way.trace, steps)
    before = boxes[-1]
    small = step.kind == "operation" or not way.inside(step)
    keeps = after is not None and before.value is not None and str(after) == str(before.value)
    number = len(boxes) - 1
    if small and keeps and not failed and sources == (number,) and number > 0 and before.note == "":
        boxes[-1] = Box(f"{before.text}, {text}", "", after, before.sources)
    else:
        boxes.append(Box(text, note, None if failed else after, sources, failed))
        number += 1
    for each in steps:
        for value in each.outputs:
            made[value.id] = number


def _words(trace: RecordedPass, steps: tuple[Step, ...]) -> tuple[str, str]:
    """Return the text of an arrow: in bold, and under it."""
    step = steps[0]
    if step.kind == "operation":
        return step.name, ""
    parent = None if step.parent is None else trace.steps[step.parent]
    names = [own_name(each, parent) for each in steps]
    if not names[0] or names[0].isdigit() or names[0].startswith("("):
        many = f"{len(steps)} times" if len(steps) > 1 else ""
        return step.name, many  # a bare number, or no name of its own, says nothing
    if len(steps) > 1:
        text = names[0] if names[0] == names[-1] else f"{names[0]} … {names[-1]}"
        return text, f"{len(steps)} × {step.name}"
    return names[0], step.name if step.last > step.index + 1 else ""
