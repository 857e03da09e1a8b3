"""What `trace` does: one pass that is shown, another that finds the names of axes, and a Trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import prod
from typing import Any

from torch import nn

from bertviz_lite.basics.arguments import a_or_an
from bertviz_lite.trace.failing.wrong_inputs import advice
from bertviz_lite.trace.model.parts import ModelParts
from bertviz_lite.trace.model.restore import on_attention
from bertviz_lite.trace.naming.axis_names import AxisNames, axis_names
from bertviz_lite.trace.recording.call import call
from bertviz_lite.trace.recording.passes import Pass, arithmetic, by_shape
from bertviz_lite.trace.recording.raw_steps import RawStep, RawValue
from bertviz_lite.trace.result import Trace
from bertviz_lite.trace.steps.errors import TraceError
from bertviz_lite.trace.steps.step import Failure, Source, Step
from bertviz_lite.trace.steps.values import Value


def run(
    model: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any], *, values: bool, attention: str | None
) -> Trace:
    """Do what :func:`bertviz_lite.trace` says."""
    if not isinstance(model, nn.Module):
        raise TraceError(
            f"model is {a_or_an(model)}: it must be a torch.nn.Module, as in trace(model, **inputs)."
        )
    wanted: object = values  # whatever its type says
    if not isinstance(wanted, bool):
        raise TraceError(f"values={values!r}: True is needed to keep numbers, or False.")
    name: object = attention
    if name is not None and not isinstance(name, str):
        raise TraceError(
            f"attention={attention!r}: the name of an implementation is needed, such as 'eager', or None for "
            "the model's own."
        )
    parts = ModelParts(model)
    with on_attention(parts, attention):
        first = None if values else by_shape(parts, call(model, args, kwargs))
        if first is None or first.error is not None:
            first = arithmetic(parts, call(model, args, kwargs), measured=values)
        made = _trace(parts, first, axis_names(parts, args, kwargs, first))
    return made if made.failure is None else _advised(made, made.failure, advice(args, kwargs))


def _advised(made: Trace, failure: Failure, text: str) -> Trace:
    """Put advice about the inputs behind the message of a failure."""
    if not text:
        return made
    return replace(made, failure=failure._replace(message=f"{failure.message}; {text}"))


def _trace(parts: ModelParts, first: Pass, names: AxisNames) -> Trace:
    made: dict[int, Value] = {}

    def value(raw: RawValue) -> Value:
        if id(raw) not in made:
            made[id(raw)] = Value(raw.number, names.axes(raw), raw.dtype, raw.label)
        return made[id(raw)]

    counts = parts.counts()
    inputs = tuple(map(value, first.inputs))
    steps = tuple(_step(index, raw, value, counts) for index, raw in enumerate(first.steps))
    return Trace(
        model_name=type(parts.model).__name__,
        steps=steps,
        inputs=inputs,
        outputs=tuple(map(value, first.outputs)),
        parameters=counts[id(parts.model)],
        sizes=_sizes(made.values()),
        failure=_failure(first, steps, inputs),
        result=first.result,
    )


def _sizes(values: Any) -> dict[str, int]:  # noqa: ANN401
    """Return the size that goes with each name; a name of several sizes is left out."""
    sizes_of_name: dict[str, set[int]] = {}
    for value in values:
        for axis in value.axes:
            if axis.name is not None and axis.name.isidentifier():
                sizes_of_name.setdefault(axis.name, set()).add(axis.size)
    return {name: sizes.pop() for name, sizes in sizes_of_name.items() if len(sizes) == 1}


def _step(index: int, raw: RawStep, value: Callable[[RawValue], Value], counts: Mapping[int, int]) -> Step:
    weights = tuple(map(value, raw.weights))
    if raw.module is not None:
        parameters = counts.get(id(raw.module), 0)
    else:
        parameters = sum(prod(weight.shape) for weight in weights)
    measured = tuple(output.numbers for output in raw.outputs)
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
        numbers=measured if any(numbers is not None for numbers in measured) else None,
    )


def _failure(first: Pass, steps: tuple[Step, ...], inputs: tuple[Value, ...]) -> Failure | None:
    if first.error is None:
        return None
    from bertviz_lite.trace.failing.explain import explain

    index = 0 if first.recorder.failed is None else first.steps.index(first.recorder.failed[0])
    return explain(first.error, steps, index, inputs, first.recorder.ranges)
