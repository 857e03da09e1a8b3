"""One sentence about a pass that failed: which axis, its two sizes, where each came from, which line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from bertviz_lite.trace.recording.steps import Axis, Failure, Source, Step, Value

_ELEMENTWISE = frozenset("+ - * / // % ** & | ^ == != < <= > >= add sub mul div where masked_fill".split())  # noqa: SIM905
_PRODUCTS = frozenset({"matmul", "@", "bmm", "mm"})
_RANGE = re.compile(r"index -?\d+ is out of bounds for dimension -?\d+ with size (\d+)")


@dataclass(frozen=True)
class _Scene:
    """The step that failed, those before it, and the range of the ids that it was given."""

    error: Exception
    step: Step
    before: Sequence[Step]
    inputs: Sequence[Value]
    ranges: Mapping[int, tuple[int, int]]

    @property
    def operation(self) -> str:
        """The operation without its numbers."""
        return (
            re.split(r"[(\s]", self.step.name)[0]
            if self.step.name[0].isalnum()
            else self.step.name.split()[0]
        )


def explain(
    error: Exception,
    steps: Sequence[Step],
    index: int,
    inputs: Sequence[Value],
    ranges: Mapping[int, tuple[int, int]],
) -> Failure:
    """Say why a pass ended early.

    Parameters
    ----------
    error
        What was raised.
    steps
        All steps of the trace.
    index
        Of the step that did not end.
    inputs
        The tensors given to the model.
    ranges
        The lowest and the highest of the ids that the step was given, by the id of the value.
    """
    first = (str(error).strip().splitlines() or [""])[0].rstrip(".")
    said = f"{type(error).__name__}: {first}" if first else type(error).__name__
    if not steps:
        return Failure(0, said, None, said)
    step = steps[index]
    scene = _Scene(error, step, steps[:index], inputs, ranges)
    source = _source(steps, step)
    sentence = next((found for rule in _RULES if (found := rule(scene))), first or said)
    place = ", ".join(filter(None, (step.path or steps[0].name, "" if source is None else str(source))))
    return Failure(index, f"{sentence}: {place}", source, said)


def _source(steps: Sequence[Step], step: Step) -> Source | None:
    """Return the line to look at: the innermost that is not torch's own."""
    inner = step.source
    at: Step | None = step
    while at is not None:
        if at.source is not None and not at.source.file.startswith("torch/"):
            return at.source
        at = None if at.parent is None else steps[at.parent]
    return inner


# Where a size comes from


def _makers(scene: _Scene, value: Value) -> Iterator[Value]:
    """Yield a tensor and those it was made of, the nearest first."""
    made_by = {
        one.id: step
        for step in scene.before
        if step.kind == "operation"
        for one in step.outputs
        if all(one.id != given.id for given in step.inputs)
    }
    waiting, seen = [value], {value.id}
    while waiting:
        one = waiting.pop(0)
        yield one
        step = made_by.get(one.id)
        for given in () if step is None else (*step.inputs, *step.weights):
            if given.id not in seen:
                seen.add(given.id)
                waiting.append(given)


def _origin(scene: _Scene, value: Value, size: int) -> tuple[Value, Axis]:
    """Return the nearest tensor with a label that has an axis of that size, and the axis; else itself."""
    for one in _makers(scene, value):
        if one.label:
            axis = next((axis for axis in one.axes if axis.size == size), None)
            if axis is not None:
                return one, axis
    return value, next((axis for axis in value.axes if axis.size == size), Axis(size))


def _told(scene: _Scene, value: Value, axis: Axis) -> str:
    """Say a size and where it comes from: "seq_len is 7 in input_ids"."""
    origin, named = _origin(scene, value, axis.size)
    name = axis.name or named.name
    where = f"{origin.label} {origin}" if origin.label else str(value)
    return f"{name} is {axis.size} in {where}" if name else f"{where} has {axis.size}"


def _is_position_table(scene: _Scene, value: Value, size: int) -> bool:
    return any(
        axis.size == size and axis.name is not None and axis.name.startswith("max_position_embeddings")
        for one in _makers(scene, value)
        for axis in one.axes
    )


def _conflict(scene: _Scene, one: Value, this: Axis, other: Value, that: Axis, rule: str) -> str:
    for value, axis, wanted in ((other, that, this), (one, this, that)):
        if _is_position_table(scene, value, axis.size) and axis.size < wanted.size:
            name = wanted.name or _given_name(scene, wanted.size) or "the sequence"
            return f"{name} is {wanted.size}, the position table has {axis.size} rows"
    return f"{_told(scene, one, this)}, but {_told(scene, other, that)}; {rule}"


def _given_name(scene: _Scene, size: int) -> str | None:
    """Return the name of the axis of the inputs that has a size."""
    return next(
        (axis.name for one in scene.inputs for axis in one.axes if axis.size == size and axis.name), None
    )


# Rules: a sentence, or None


def _ids(scene: _Scene) -> str | None:
    """Explain an id outside a table, or a label outside the classes."""
    if not isinstance(scene.error, IndexError | RuntimeError):
        return None
    if scene.operation == "embedding" and scene.step.weights and scene.step.inputs:
        rows = scene.step.weights[0].axes[0]
        return _outside(scene, scene.step.inputs[0], rows, "the table has", "rows")
    if scene.operation == "cross_entropy" and len(scene.step.inputs) > 1:
        logits, target = scene.step.inputs[:2]
        return _outside(
            scene,
            target,
            logits.axes[-1 if logits.shape[0] == len(logits.axes) else 1],
            "there are",
            "classes",
        )
    found = _RANGE.search(str(scene.error))
    if found and scene.step.inputs:
        table, ids = scene.step.inputs[0], scene.step.inputs[-1]
        axis = next((axis for axis in table.axes if axis.size == int(found[1])), None)
        return None if axis is None else _outside(scene, ids, axis, "the table has", "entries")
    return None


def _outside(scene: _Scene, ids: Value, rows: Axis, has: str, what: str) -> str | None:
    low, high = scene.ranges.get(ids.id, (0, 0))
    allowed = (-100,) if what == "classes" else ()
    worst = low if low < 0 and low not in allowed else high
    if 0 <= worst < rows.size:
        return None
    if rows.name is not None and rows.name.startswith("max_position_embeddings"):
        length = next((axis for axis in reversed(ids.axes) if axis.size > 1), None)
        if ids.label or length is None or length.size <= rows.size:
            label = ids.label or "position_ids"
            return f"{label} holds {worst}, the position table has {rows.size} rows, 0 to {rows.size - 1}"
        return f"{length.name or 'the sequence'} is {length.size}, the position table has {rows.size} rows"
    label = next((one.label for one in _makers(scene, ids) if one.label), "an id")
    named = f" ({rows.name})" if rows.name else ""
    return f"{label} holds {worst}, {has} {rows.size} {what}{named}, 0 to {rows.size - 1}"


def _dtypes(scene: _Scene) -> str | None:
    """Explain numbers of the wrong kind."""
    given, weights = scene.step.inputs, scene.step.weights
    if scene.step.kind != "operation" or not given:
        return None
    name = given[0].label or str(given[0])
    if scene.operation == "embedding" and given[0].dtype not in ("int64", "int32"):
        return f"{name} is {given[0].dtype}, but ids are whole numbers: give int64, as in {name}.long()"
    other = next((one for one in (*weights, *given[1:]) if one.dtype != given[0].dtype), None)
    if "dtype" in str(scene.error) and other is not None:
        return (
            f"{name} is {given[0].dtype}, but {other.label or other} is {other.dtype}; "
            f"{scene.operation} needs one dtype"
        )
    return None


def _products(scene: _Scene) -> str | None:
    """Explain sizes that a product does not take."""
    given, weights = scene.step.inputs, scene.step.weights
    if scene.operation == "linear" and given and weights and given[0].axes and len(weights[0].axes) == 2:
        this, that = given[0].axes[-1], weights[0].axes[1]
        rule = "the last axis of what goes in must be the last axis of the weight"
    elif scene.operation in _PRODUCTS and len(given) + len(weights) == 2:
        one, other = (*given, *weights)
        if not one.axes or not other.axes:
            return None
        this, that = one.axes[-1], other.axes[-2 if len(other.axes) > 1 else 0]
        rule = "the last axis of the first must be the last but one of the second"
        return _conflict(scene, one, this, other, that, rule) if this.size != that.size else _batches(scene)
    else:
        return None
    return None if this.size == that.size else _conflict(scene, given[0], this, weights[0], that, rule)


def _batches(scene: _Scene) -> str | None:
    one, other = (*scene.step.inputs, *scene.step.weights)
    return _pairs(scene, one, one.axes[:-2], other, other.axes[:-2])


def _broadcasts(scene: _Scene) -> str | None:
    """Explain axes of which neither has size 1."""
    values = (*scene.step.inputs, *scene.step.weights)
    if scene.operation.removesuffix("=") not in _ELEMENTWISE and scene.operation != "==":
        return None
    for place, one in enumerate(values):
        for other in values[place + 1 :]:
            found = _pairs(scene, one, one.axes, other, other.axes)
            if found:
                return found
    return None


def _pairs(
    scene: _Scene, one: Value, axes: Sequence[Axis], other: Value, others: Sequence[Axis]
) -> str | None:
    for this, that in zip_longest(reversed(axes), reversed(others)):
        if (
            this is not None
            and that is not None
            and this.size != that.size
            and 1 not in (this.size, that.size)
        ):
            return _conflict(
                scene, one, this, other, that, "axes are matched from the last, and must be equal or 1"
            )
    return None


def _expansions(scene: _Scene) -> str | None:
    """Explain an axis that is to get another size though it is not 1."""
    if scene.operation != "expand" or not scene.step.inputs:
        return None
    value = scene.step.inputs[0]
    wanted = [int(size) for size in re.findall(r"-?\d+", scene.step.name)]
    for axis, size in zip(reversed(value.axes), reversed(wanted), strict=False):
        if size not in (-1, axis.size) and axis.size != 1:
            given = next((one for one in scene.inputs if size in one.shape), value)
            named = next((one for one in given.axes if one.size == size), Axis(size))
            return _conflict(scene, given, named, value, axis, "only an axis of size 1 can be expanded")
    return None


def _joins(scene: _Scene) -> str | None:
    """Explain tensors that do not fit beside each other."""
    if scene.operation not in ("cat", "stack", "concat") or len(scene.step.inputs) < 2:
        return None
    along = re.search(r"-?\d+", scene.step.name)
    one = scene.step.inputs[0]
    joined = int(along[0]) % max(1, len(one.axes)) if along and scene.operation != "stack" else None
    for other in scene.step.inputs[1:]:
        for dim, (this, that) in enumerate(zip(one.axes, other.axes, strict=False)):
            if this.size != that.size and dim != joined:
                rule = f"{scene.operation} needs all axes alike but the one along which it joins"
                return _conflict(scene, one, this, other, that, rule)
    return None


def _targets(scene: _Scene) -> str | None:
    """Explain labels that are not as many as what is predicted."""
    if scene.operation != "cross_entropy" or len(scene.step.inputs) < 2:
        return None
    logits, target = scene.step.inputs[:2]
    if not logits.axes or not target.axes or logits.axes[0].size == target.axes[0].size:
        return None
    labels = next((one for one in _makers(scene, target) if one.label), target)
    return (
        f"there are {logits.axes[0]} predictions, but {target.axes[0].size} labels in "
        f"{labels.label} {labels}".rstrip()
    )


def _views(scene: _Scene) -> str | None:
    """Explain numbers that do not fill a shape."""
    if scene.operation not in ("view", "reshape") or not scene.step.inputs:
        return None
    value = scene.step.inputs[0]
    if "invalid for input of size" not in str(scene.error):
        return None
    count = 1
    for size in value.shape:
        count *= size
    sizes = [int(size) for size in re.findall(r"-?\d+", scene.step.name)]
    return f"{value.label or ''} {value} holds {count} numbers, which do not fill the shape {sizes}".strip()


def _missing(scene: _Scene) -> str | None:
    """Explain a call with the wrong arguments."""
    found = re.search(r"missing \d+ required positional arguments?: (.+)", str(scene.error))
    if isinstance(scene.error, TypeError) and found and scene.step.kind == "module":
        return f"{scene.step.name} is called without {found[1].replace(chr(39), '')}"
    return None


_RULES: tuple[Callable[[_Scene], str | None], ...] = (
    _ids, _targets, _dtypes, _products, _broadcasts, _expansions, _joins, _views, _missing,
)  # fmt: skip
