"""The steps that a tensor goes through."""

from __future__ import annotations

from bertviz_lite.trace.steps.errors import TraceError
from bertviz_lite.trace.steps.recorded_pass import RecordedPass
from bertviz_lite.trace.steps.step import Step


def path_of(trace: RecordedPass, name: str) -> list[Step]:
    """Return the steps that a tensor goes through, in order; see :meth:`Trace.path`."""
    reached = _start(trace, name)
    path = []
    for step in trace.steps:
        taken = {value.id for value in (*step.inputs, *step.weights)}
        if taken & reached:
            path.append(step)
            reached |= {value.id for value in step.outputs}
    return path


def _start(trace: RecordedPass, name: str) -> set[int]:
    named = {
        value.label: value.id
        for step in trace.steps
        for value in (*step.inputs, *step.weights)
        if value.label
    } | {value.label: value.id for value in trace.inputs}
    given: object = name  # whatever its type says
    if isinstance(given, str) and given in named:
        return {named[name]}
    outputs = [step.outputs for step in trace.steps if step.kind == "module" and step.path == name]
    if outputs:
        return {value.id for values in outputs for value in values}
    raise TraceError(
        f"{name!r}: no input, parameter or module of that name in this trace; its inputs are "
        f"{', '.join(value.label for value in trace.inputs) or 'none'}."
    )
