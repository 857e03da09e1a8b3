"""Where a size comes from: the nearest tensor with a label that it was made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bertviz_lite.trace.failing.failed_step import FailedStep
from bertviz_lite.trace.steps.values import Axis, Value


class Sized(NamedTuple):
    """An axis, and the tensor that it belongs to."""

    value: Value
    axis: Axis


def makers(failed: FailedStep, value: Value) -> Iterator[Value]:
    """Yield a tensor and those it was made of, the nearest first."""
    made_by = {
        output.id: step
        for step in failed.before
        if step.kind == "operation"
        for output in step.outputs
        if all(output.id != given.id for given in step.inputs)
    }
    waiting, seen = [value], {value.id}
    while waiting:
        nearest = waiting.pop(0)
        yield nearest
        step = made_by.get(nearest.id)
        for given in () if step is None else (*step.inputs, *step.weights):
            if given.id not in seen:
                seen.add(given.id)
                waiting.append(given)


def _origin(failed: FailedStep, value: Value, size: int) -> tuple[Value, Axis]:
    """Return the nearest tensor with a label that has an axis of that size, and the axis; else itself."""
    for maker in makers(failed, value):
        if maker.label:
            axis = next((axis for axis in maker.axes if axis.size == size), None)
            if axis is not None:
                return maker, axis
    return value, next((axis for axis in value.axes if axis.size == size), Axis(size))


def _size_with_origin(failed: FailedStep, sized: Sized) -> str:
    """Return a size and where it comes from: "seq_len is 7 in input_ids"."""
    value, axis = sized
    source, named = _origin(failed, value, axis.size)
    name = axis.name or named.name
    where = f"{source.label} {source}" if source.label else str(value)
    return f"{name} is {axis.size} in {where}" if name else f"{where} has {axis.size}"


def _is_position_table(failed: FailedStep, value: Value, size: int) -> bool:
    return any(
        axis.size == size and axis.name is not None and axis.name.startswith("max_position_embeddings")
        for maker in makers(failed, value)
        for axis in maker.axes
    )


def conflict(failed: FailedStep, first: Sized, second: Sized, rule: str) -> str:
    """Return the sentence about two axes whose sizes do not fit, and the rule that they break."""
    for (value, axis), (_, wanted) in ((second, first), (first, second)):
        if _is_position_table(failed, value, axis.size) and axis.size < wanted.size:
            name = wanted.name or _given_name(failed, wanted.size) or "the sequence"
            return f"{name} is {wanted.size}, the position table has {axis.size} rows"
    return f"{_size_with_origin(failed, first)}, but {_size_with_origin(failed, second)}; {rule}"


def _given_name(failed: FailedStep, size: int) -> str | None:
    """Return the name of the axis of the inputs that has a size."""
    return next(
        (axis.name for given in failed.inputs for axis in given.axes if axis.size == size and axis.name), None
    )
