"""What `trace` does: one pass that is shown, one or more that find names, and a Trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn

from bertviz_lite._trace import inputs as given
from bertviz_lite._trace.axes import Names, matched, shapes_of_second
from bertviz_lite._trace.failure import explain
from bertviz_lite._trace.hollow import Hollow
from bertviz_lite._trace.keep import as_it_was, rolled_back, undisturbed
from bertviz_lite._trace.numbers import numbers_of
from bertviz_lite._trace.record import RawStep, RawValue, Recorder
from bertviz_lite._trace.shadow import OF_INPUTS, shadow, sizes_of
from bertviz_lite._trace.steps import Axis, Failure, Source, Step, Trace, TraceError, Value


@dataclass
class Pass:
    """What one forward pass left behind."""

    recorder: Recorder
    inputs: tuple[RawValue, ...]
    outputs: tuple[RawValue, ...] = ()
    result: Any = None
    error: Exception | None = None

    @property
    def steps(self) -> list[RawStep]:
        """The steps, in the order in which they began."""
        return self.recorder.steps


def run(
    model: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any], *, values: bool, attention: str | None
) -> Trace:
    """Do what :func:`bertviz_lite.trace` says."""
    if not isinstance(model, nn.Module):
        raise TraceError(
            f"model is a {type(model).__name__}: it must be a torch.nn.Module, as trace(model, **inputs)."
        )
    with undisturbed(model, attention):
        first = None if values else _one_pass(model, given.call(model, args, kwargs), hollow=True)
        if first is None or first.error is not None:
            first = _one_pass(model, given.call(model, args, kwargs), hollow=False, values=values)
        other, names = _named(model, args, kwargs, first)
        return _trace(model, first, other, names)


def _one_pass(
    model: nn.Module,
    call: given.Call,
    *,
    hollow: bool,
    values: bool = False,
    checks: bool = True,
    wording: bool = True,
) -> Pass:
    answers = Hollow(model, checks=checks) if hollow else None
    recorder = Recorder(
        model, call.labels, hollow=answers, measure=numbers_of() if values else None, wording=wording
    )
    made = Pass(recorder, recorder.values_of(list(call.tensors.values())))
    with rolled_back(model), as_it_was(model):
        try:
            with recorder.watching():
                result = model(*call.args, **call.kwargs)
        except Exception as error:  # noqa: BLE001 - whatever the model raises is part of the trace
            made.error = error
        else:
            made.outputs = recorder.values_of([result])
            made.result = result if values else None
    return made


def _named(
    model: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any], first: Pass
) -> tuple[dict[int, tuple[int, ...] | None], Names]:
    """Return the shapes of a second pass, and names for pairs of sizes."""
    for second, names in _second_passes(model, args, kwargs):
        places, whole = matched(first.steps, second.steps)
        if whole:
            return shapes_of_second(first.steps, second.steps, places), names
    return {}, Names({}, {})


def _second_passes(
    model: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Iterator[tuple[Pass, Names]]:
    """Yield passes with other sizes, the most telling first, until one does the same steps."""
    tensors = given.call(model, args, kwargs).tensors
    layouts, sizes = given.layouts(model, tensors)
    for merged in (False, True):
        made = shadow(model, merged=merged)
        if made is None:
            break
        of_inputs = {name: OF_INPUTS[name] for name in sizes}
        by_size = dict(made.sizes.values())
        call = given.call(model, args, kwargs, _resizing(layouts, of_inputs, by_size))
        second = _one_pass(made.model, call, hollow=True, checks=False, wording=False)
        pairs = {**made.sizes, **{name: (size, of_inputs[name]) for name, size in sizes.items()}}
        yield second, Names(pairs, {})
    constants = sizes_of(model)
    for chosen in (list(sizes), ["batch"], []):
        other = {name: _another(sizes[name], place) for place, name in enumerate(sizes) if name in chosen}
        call = given.call(model, args, kwargs, _resizing(layouts, other, {}))
        second = _one_pass(model, call, hollow=True, wording=False)
        if second.error is not None:
            second = _one_pass(model, call, hollow=False, wording=False)
        if second.error is None or not chosen:
            fixed = constants | {name: size for name, size in sizes.items() if name not in other}
            yield second, Names({name: (sizes[name], size) for name, size in other.items()}, fixed)


def _resizing(
    layouts: Mapping[str, given.Layout], sizes: Mapping[str, int], by_size: Mapping[int, int]
) -> given.Change:
    def change(label: str, tensor: Tensor) -> Tensor:
        return given.resized(tensor, layouts[label], sizes, by_size if tensor.is_floating_point() else {})

    return change


def _another(size: int, place: int) -> int:
    """Return another size for an axis of an input."""
    return (17, 5, 7, 11, 13)[place % 5] if size > 13 or place == 0 else (19, 13, 11, 17, 7)[place % 5]


def _trace(model: nn.Module, first: Pass, other: Mapping[int, tuple[int, ...] | None], names: Names) -> Trace:
    made: dict[int, Value] = {}
    sizes: dict[str, int] = {}

    def value(raw: RawValue) -> Value:
        if id(raw) not in made:
            shape = other.get(raw.number)
            axes = tuple(
                names.axis(size, None if shape is None else shape[dim]) for dim, size in enumerate(raw.shape)
            )
            for axis in axes:
                _note(sizes, axis)
            made[id(raw)] = Value(raw.number, axes, raw.dtype, raw.label)
        return made[id(raw)]

    counts = _parameters(model)
    steps = tuple(_step(index, raw, value, counts) for index, raw in enumerate(first.steps))
    given_values = tuple(map(value, first.inputs))
    outputs = tuple(map(value, first.outputs))
    return Trace(
        model_name=type(model).__name__,
        steps=steps,
        inputs=given_values,
        outputs=outputs,
        parameters=sum(one.numel() for one in model.parameters()),
        sizes=sizes,
        failure=_failure(first, steps),
        result=first.result,
    )


def _note(sizes: dict[str, int], axis: Axis) -> None:
    if axis.name is not None and axis.name.isidentifier():
        sizes.setdefault(axis.name, axis.size)


def _parameters(model: nn.Module) -> dict[int, int]:
    return {id(one): sum(part.numel() for part in one.parameters()) for one in model.modules()}


def _step(index: int, raw: RawStep, value: Any, counts: Mapping[int, int]) -> Step:  # noqa: ANN401
    weights = tuple(map(value, raw.weights))
    if raw.module is not None:
        parameters = counts.get(id(raw.module), 0)
    else:
        parameters = sum(_count(one.shape) for one in weights)
    measured = [one.numbers for one in raw.outputs]
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
        numbers=tuple(measured) if any(one is not None for one in measured) else None,
    )


def _count(shape: tuple[int, ...]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def _failure(first: Pass, steps: tuple[Step, ...]) -> Failure | None:
    if first.error is None:
        return None
    index = 0
    if first.recorder.failed is not None:
        index = first.steps.index(first.recorder.failed[0])
    return explain(first.error, steps, index)
