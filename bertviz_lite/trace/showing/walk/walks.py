"""What the trace view shows, prepared: the walks along the paths of a trace's inputs, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.basics.text import clip, readable
from bertviz_lite.trace.showing.change import change
from bertviz_lite.trace.showing.labels import LEGEND, labelled_shape, place, shape
from bertviz_lite.trace.showing.nesting import failing, single
from bertviz_lite.trace.showing.walk.route import Route, route
from bertviz_lite.trace.steps.recorded_pass import RecordedPass
from bertviz_lite.trace.steps.step import Step
from bertviz_lite.trace.steps.values import Numbers, Value
from bertviz_lite.views.trace.walks import Hop, Shape, Walk, Walks, WalkStep

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

_STOPS = 12
"""Modules are opened at first until the path has about so many steps."""


def walks_of(trace: RecordedPass, name: str, draw: Callable[[str], tuple[Figure, str]]) -> Walks:
    """Return the walks along the path of `name`, which is shown first, and of every input.

    Parameters
    ----------
    trace
        The recorded pass.
    name
        What is followed: an input, a parameter, or the path of a module, whose output it then is.
    draw
        Draws the path of what has a name; returns the figure and its alt text.

    Raises
    ------
    TraceError
        One line, if nothing in the trace has that name.
    """
    chosen = route(trace, name)
    routes = {name: chosen}
    for label in [value.label for value in trace.inputs if value.label]:
        routes.setdefault(label, route(trace, label))
    steps: dict[int, WalkStep] = {}
    for way in routes.values():
        for step in way.steps:
            if step.index not in steps:
                steps[step.index] = _step(trace, step)
    return Walks(
        model_name=readable(trace.model_name),
        steps=len(trace.steps),
        walks={label: _walk(way, steps) for label, way in routes.items()},
        first=name,
        collapsed=tuple(trace.steps[index].path for index in chosen.summary(_STOPS)),
        draw=draw,
        failure=readable(trace.failure.message) if trace.failure is not None else "",
        legend=LEGEND,
    )


def _walk(way: Route, steps: dict[int, WalkStep]) -> Walk:
    hops = []
    for step in way.steps:
        hop = way.hops[step.index]
        others = [value for value in step.inputs if hop.before is None or value.id != hop.before.id]
        sentence = _sentence(way.trace, step, hop.before, hop.after)
        shapes = _shape(hop.before), _shape(hop.after)
        hops.append(Hop(steps[step.index], *shapes, sentence, tuple(map(labelled_shape, others))))
    return Walk(_shape(way.start[0] if way.start else None), tuple(hops))


def _sentence(trace: RecordedPass, step: Step, before: Value | None, after: Value | None) -> str:
    if trace.failure is not None and step.index == trace.failure.step:
        return f"✗ Failed here: {readable(trace.failure.message)}"
    if step.index in failing(trace):
        return f"✗ Did not end: {readable(trace.failure.message) if trace.failure else ''}"
    return change(step, before, after)


def _shape(value: Value | None) -> Shape | None:
    if value is None:
        return None
    axes = tuple((axis.size, axis.name or "", readable(str(axis))) for axis in value.axes)
    return Shape(axes, shape(value))


def _step(trace: RecordedPass, step: Step) -> WalkStep:
    return WalkStep(
        index=step.index,
        parent=step.parent,
        last=step.last,
        name=readable(step.name),
        path=step.path,
        is_module=step.kind == "module",
        can_open=step.kind == "module" and single(trace, step) is None,
        failed=step.index in failing(trace),
        parameters=step.parameters,
        source=place(step.source, whole=True),
        line=clip(readable(step.source.text), 200) if step.source is not None else "",
        numbers="; ".join(_numbers(numbers) for numbers in step.numbers or () if numbers is not None),
        weights=", ".join(map(labelled_shape, step.weights)),
    )


def _numbers(numbers: Numbers) -> str:
    parts = (f"{name} {getattr(numbers, name):.4g}" for name in ("min", "mean", "max", "std"))
    return ", ".join(parts).replace("-", "−")
