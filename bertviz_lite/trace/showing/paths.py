"""The steps that a tensor goes through."""

from __future__ import annotations

from bertviz_lite.trace.recording.steps import Step, Trace, TraceError


def path(trace: Trace, name: str) -> list[Step]:
    """Do what :meth:`Trace.path` says."""
    reached = _start(trace, name)
    found = []
    for step in trace.steps:
        taken = {one.id for one in (*step.inputs, *step.weights)}
        if taken & reached:
            found.append(step)
            reached |= {one.id for one in step.outputs}
    return found


def _start(trace: Trace, name: str) -> set[int]:
    named = {
        one.label: one.id for step in trace.steps for one in (*step.inputs, *step.weights) if one.label
    } | {one.label: one.id for one in trace.inputs}
    if name in named:
        return {named[name]}
    outputs = [step.outputs for step in trace.steps if step.kind == "module" and step.path == name]
    if outputs:
        return {one.id for values in outputs for one in values}
    raise TraceError(
        f"{name!r}: no input, parameter or module of that name in this trace; its inputs are "
        f"{', '.join(one.label for one in trace.inputs) or 'none'}."
    )
