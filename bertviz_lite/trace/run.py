"""What `trace` does: one pass that is shown, another that finds names, and a Trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from torch import nn

from bertviz_lite.trace.naming.naming import Naming, naming
from bertviz_lite.trace.recording.anatomy import Anatomy
from bertviz_lite.trace.recording.inputs import call
from bertviz_lite.trace.recording.keep import undisturbed
from bertviz_lite.trace.recording.passes import Pass, arithmetic, by_shape
from bertviz_lite.trace.recording.record import RawStep, RawValue
from bertviz_lite.trace.recording.steps import Failure, Source, Step, Trace, TraceError, Value


def run(
    model: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any], *, values: bool, attention: str | None
) -> Trace:
    """Do what :func:`bertviz_lite.trace` says."""
    if not isinstance(model, nn.Module):
        raise TraceError(
            f"model is a {type(model).__name__}: it must be a torch.nn.Module, as in trace(model, **inputs)."
        )
    anatomy = Anatomy(model)
    with undisturbed(anatomy, attention):
        first = None if values else by_shape(anatomy, call(model, args, kwargs))
        if first is None or first.error is not None:
            first = arithmetic(anatomy, call(model, args, kwargs), measured=values)
        return _trace(anatomy, first, naming(anatomy, args, kwargs, first))


def _trace(anatomy: Anatomy, first: Pass, names: Naming) -> Trace:
    made: dict[int, Value] = {}

    def value(raw: RawValue) -> Value:
        if id(raw) not in made:
            made[id(raw)] = Value(raw.number, names.axes(raw), raw.dtype, raw.label)
        return made[id(raw)]

    counts = anatomy.counts()
    inputs = tuple(map(value, first.inputs))
    steps = tuple(_step(index, raw, value, counts) for index, raw in enumerate(first.steps))
    return Trace(
        model_name=type(anatomy.model).__name__,
        steps=steps,
        inputs=inputs,
        outputs=tuple(map(value, first.outputs)),
        parameters=counts[id(anatomy.model)],
        sizes=_sizes(made.values()),
        failure=_failure(first, steps, inputs),
        result=first.result,
    )


def _sizes(values: Any) -> dict[str, int]:  # noqa: ANN401
    """Return the size that goes with each name; a name of several sizes is left out."""
    found: dict[str, set[int]] = {}
    for value in values:
        for axis in value.axes:
            if axis.name is not None and axis.name.isidentifier():
                found.setdefault(axis.name, set()).add(axis.size)
    return {name: sizes.pop() for name, sizes in found.items() if len(sizes) == 1}


def _step(index: int, raw: RawStep, value: Callable[[RawValue], Value], counts: Mapping[int, int]) -> Step:
    weights = tuple(map(value, raw.weights))
    if raw.module is not None:
        parameters = counts.get(id(raw.module), 0)
    else:
        parameters = sum(prod(one.shape) for one in weights)
    measured = tuple(one.numbers for one in raw.outputs)
    return Step(
        index=index,
        kind=raw.kind,
        path=raw.path,
        name=raw.call,
        depth=raw.depth,
        parent=raw.parent,
        last=max(raw.last, index),
        inputs=tuple(map(value, raw.inputs)),
        outputs=tuple(map(value, raw.outputs)),
        parameters=parameters,
        weights=weights,
        source=None if raw.frame is None else Source(*raw.frame),
        numbers=measured if any(one is not None for one in measured) else None,
    )


def _failure(first: Pass, steps: tuple[Step, ...], inputs: tuple[Value, ...]) -> Failure | None:
    if first.error is None:
        return None
    from bertviz_lite.trace.naming.failure import explain

    index = 0 if first.recorder.failed is None else first.steps.index(first.recorder.failed[0])
    return explain(first.error, steps, index, inputs, first.recorder.ranges)
