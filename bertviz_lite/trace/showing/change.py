"""What a step did to the axes of a tensor, in one sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod

from bertviz_lite.basics.text import readable
from bertviz_lite.trace.showing.labels import operation, shape
from bertviz_lite.trace.steps.step import Step
from bertviz_lite.trace.steps.values import Axis, Value

_MATRIX = {"matmul", "@", "bmm", "addmm", "baddbmm", "linear", "einsum", "Linear", "Conv1D"}
_REDUCE = {
    "sum": "summed away",
    "mean": "averaged away",
    "max": "gone: only the largest is kept",
    "amax": "gone: only the largest is kept",
    "min": "gone: only the smallest is kept",
    "argmax": "gone: only the place of the largest is kept",
    "logsumexp": "summed away",
    "norm": "gone: only the length is kept",
}


def change(step: Step, before: Value | None, after: Value | None) -> str:
    """Say in one sentence what a step does to the axes of a tensor."""
    if after is None:
        return "Nothing comes out that has a shape."
    if before is None:
        return f"A tensor is made: {_listed(after.axes) or 'one number'}."
    old, new = [_key(axis) for axis in before.axes], [_key(axis) for axis in after.axes]
    if old == new:
        return _same(step, before, after)
    if sorted(old) == sorted(new):
        return _moved(old, new)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    removed = before.axes[start : len(old) - end]
    added = after.axes[start : len(new) - end]
    return _replaced(step, removed, added)


def _key(axis: Axis) -> str:
    return readable(str(axis))


def _listed(axes: Sequence[Axis], joint: str = " and ") -> str:
    names = [_key(axis) for axis in axes]
    return joint.join([", ".join(names[:-1]), names[-1]] if len(names) > 1 and joint == " and " else names)


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    count = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        count += 1
    return count


def _same(step: Step, before: Value, after: Value) -> str:
    name = operation(step)
    if name == "softmax" and (axis := _along(step, after)):
        return f"The shape stays: along {axis} the numbers now add up to 1."
    if name in _MATRIX and after.axes:
        return f"The shape stays: {_key(after.axes[-1])} is summed away, a new axis as long takes its place."
    others = [value for value in step.inputs if value.id != before.id]
    if step.kind == "operation" and name in {"+", "add", "*", "mul", "-", "sub", "/", "div"} and others:
        other = others[0]
        if not other.axes:
            return "The shape stays: one number meets every other."
        if along := _repeated(other, after):
            return f"The shape stays: {shape(other)} is repeated along {_listed(along)}."
        return "The shape stays: two tensors of it are combined number by number."
    if before.dtype != after.dtype:
        return f"The shape stays; the numbers are now {after.dtype.removeprefix('torch.')}."
    return "The shape stays."


def _repeated(value: Value, result: Value) -> list[Axis]:
    """Return the axes of a result that a smaller tensor is repeated along: missing ones and those of 1."""
    own = [1] * (len(result.axes) - len(value.axes)) + [axis.size for axis in value.axes]
    return [axis for axis, size in zip(result.axes, own, strict=False) if size == 1 != axis.size]


def _along(step: Step, value: Value) -> str:
    number = re.search(r"(-?\d+)", step.name)
    index = int(number[1]) if number else -1
    return _key(value.axes[index]) if -len(value.axes) <= index < len(value.axes) else ""


def _moved(old: Sequence[str], new: Sequence[str]) -> str:
    differ = [index for index, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    if len(differ) == 2:
        return f"{old[differ[0]]} and {old[differ[1]]} change places."
    return f"The axes change their order: {', '.join(new)}."


def _replaced(step: Step, old: Sequence[Axis], new: Sequence[Axis]) -> str:
    name = operation(step)
    if not new:
        if all(axis.size == 1 for axis in old) and name not in _REDUCE and name != "[":
            return f"{_plural(old, 'axis', 'axes')} of size 1 {_are(old)} left out."
        how = "gone: one place of it is kept" if name == "[" else _REDUCE.get(name, "gone")
        return f"{_listed(old)} {_are(old)} {how}."
    if not old:
        if all(axis.size == 1 for axis in new):
            return f"{_plural(new, 'axis', 'axes')} of size 1 {_are(new)} put in."
        looked_up = name in {"embedding", "Embedding"}
        rows = "Each id is replaced by a row of the table: " if looked_up else ""
        return f"{rows}{_listed(new)} {'is' if len(new) == 1 else 'are'} new."
    equal = prod(axis.size for axis in old) == prod(axis.size for axis in new)
    if equal and len(old) == 1 and len(new) > 1:
        return f"{_listed(old)} is split into {_listed(new, ' × ')}."
    if equal and len(new) == 1 and len(old) > 1:
        return f"{_listed(old, ' × ')} are joined into {_listed(new)}."
    if equal and len(old) > 1:
        return f"{_listed(old, ' × ')} become {_listed(new, ' × ')}: the same numbers in other groups."
    if len(old) == len(new) == 1:
        return _exchanged(name, old[0], new[0])
    return f"{_listed(old)} {'becomes' if len(old) == 1 else 'become'} {_listed(new)}."


def _exchanged(name: str, old: Axis, new: Axis) -> str:
    before, after = _key(old), _key(new)
    if name in _MATRIX:
        return f"{before} is summed away, {after} takes its place."
    if old.size == 1:
        return f"The axis of size 1 is repeated: {after}."
    if name in {"[", "narrow", "index_select", "gather"} and new.size < old.size:
        return f"Of {before} only {new.size} are kept: {after}."
    return f"{before} becomes {after}."


def _plural(axes: Sequence[Axis], singular: str, plural: str) -> str:
    return f"An {singular}" if len(axes) == 1 else f"{len(axes)} {plural}"


def _are(axes: Sequence[Axis]) -> str:
    return "is" if len(axes) == 1 else "are"
