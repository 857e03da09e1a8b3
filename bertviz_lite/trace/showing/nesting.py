"""Steps inside steps: what a module holds, which steps failed, which modules are one operation."""

from __future__ import annotations

from bertviz_lite.basics.text import readable
from bertviz_lite.trace.showing.labels import operation
from bertviz_lite.trace.steps.recorded_pass import RecordedPass
from bertviz_lite.trace.steps.step import Step


def inner(trace: RecordedPass, step: Step | None) -> list[Step]:
    """Return the steps directly inside `step`; the outermost steps for None."""
    if step is None:
        return [each for each in trace.steps if each.parent is None]
    inside, index = [], step.index + 1
    while index <= step.last:
        inside.append(trace.steps[index])
        index = trace.steps[index].last + 1
    return inside


def failing(trace: RecordedPass) -> frozenset[int]:
    """Return the indices of the step that failed and of every module around it."""
    if trace.failure is None or not trace.steps:
        return frozenset()
    around = set()
    index: int | None = min(trace.failure.step, len(trace.steps) - 1)
    while index is not None:
        around.add(index)
        index = trace.steps[index].parent
    return frozenset(around)


def single(trace: RecordedPass, step: Step) -> Step | None:
    """Return the one operation that is all a module does to shapes, if there is just one and it is plain."""
    if step.kind != "module" or step.last != step.index + 1 or step.index in failing(trace):
        return None
    only = trace.steps[step.last]
    same = [str(value) for value in only.outputs] == [str(value) for value in step.outputs]
    return only if only.kind == "operation" and same else None


def inner_operation(trace: RecordedPass, step: Step) -> str:
    """Return the one operation of a module whose own name does not say it: "gelu", not "linear"."""
    only = single(trace, step)
    if only is None or operation(only).replace("_", "").lower() in step.name.lower():
        return ""
    return readable(only.name)
