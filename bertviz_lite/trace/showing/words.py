"""What the table, the tree, the figure and the view say in common: names, shapes, and what a step changed.

Nothing here knows torch: a trace is read, never made.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from bertviz_lite.basics.text import readable

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from bertviz_lite.trace.recording.steps import Axis, Source, Step, Trace, Value

__all__ = [
    "LEGEND",
    "Group",
    "Hop",
    "change",
    "failing",
    "grouped",
    "has_unsure",
    "hops",
    "inner",
    "operation",
    "own_name",
    "place",
    "shape",
    "title",
    "wrapped",
]

LEGEND = "? marks a size that more than one axis name would fit."


def shape(value: Value) -> str:
    """Return the axes of a tensor by name and size: "[batch=2, seq_len=7]"."""
    return readable(str(value))


def wrapped(text: str, width: int, indent: str = "    ") -> list[str]:
    """Return `text` in lines of at most `width` letters, no shape broken in two where it can be helped."""
    whole = re.sub(r", (?=[^\[\]]*\])", ",\N{NO-BREAK SPACE}", text)
    lines = textwrap.wrap(whole, width, subsequent_indent=indent)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def place(source: Source | None, *, whole: bool = False) -> str:
    """Return where a line of source stands, "modeling_bert.py:95"; `whole` keeps the folders."""
    if source is None:
        return ""
    file = source.file if whole else source.file.replace("\\", "/").rsplit("/", 1)[-1]
    return f"{readable(file)}:{source.line}"


def own_name(step: Step, parent: Step | None) -> str:
    """Return a module's path as its parent sees it: "layer.0" inside "bert.encoder"."""
    start = f"{parent.path}." if parent is not None and parent.path else ""
    return readable(step.path.removeprefix(start))


def title(step: Step, parent: Step | None) -> str:
    """Return "layer.0: BertLayer" for a module, "transpose(1, 2)" for an operation."""
    if step.kind == "operation":
        return readable(step.name)
    name = own_name(step, parent)
    return f"{name}: {readable(step.name)}" if name else readable(step.name)


def operation(step: Step) -> str:
    """Return an operation's bare name: "softmax" of "softmax(dim=-1)", "[" of "[:, 0]"."""
    return "[" if step.name.startswith("[") else re.split(r"[(\[ ]", step.name, maxsplit=1)[0]


def inner(trace: Trace, step: Step | None) -> list[Step]:
    """Return the steps directly inside `step`; the outermost steps for None."""
    if step is None:
        return [one for one in trace.steps if one.parent is None]
    found, index = [], step.index + 1
    while index <= step.last:
        found.append(trace.steps[index])
        index = trace.steps[index].last + 1
    return found


def failing(trace: Trace) -> frozenset[int]:
    """Return the indices of the step that failed and of every module around it."""
    if trace.failure is None or not trace.steps:
        return frozenset()
    found = set()
    index: int | None = min(trace.failure.step, len(trace.steps) - 1)
    while index is not None:
        found.add(index)
        index = trace.steps[index].parent
    return frozenset(found)


def has_unsure(values: Iterable[Value]) -> bool:
    """Whether any axis of any of the tensors could have more than one name."""
    return any(not axis.sure for value in values for axis in value.axes)


# ---- equal steps in a row


@dataclass(frozen=True)
class Group:
    """Steps in a row that are one and the same but for their number, or one step alone."""

    steps: tuple[Step, ...]

    @property
    def called_again(self) -> bool:
        """Whether it is one module, with one set of weights, called several times."""
        return len({step.path for step in self.steps}) < len(self.steps)

    @property
    def first(self) -> Step:
        """The step that stands for all of them."""
        return self.steps[0]


def grouped(trace: Trace, steps: Sequence[Step]) -> list[Group]:
    """Put modules that follow each other and are truly equal inside into one group.

    Equal means: the same class, and inside it the same modules and operations, with the same shapes, numbers
    of parameters and source lines, wired in the same way. Only their numbers differ, as in "layer.0" and
    "layer.1", or nothing does, where one module is called again.
    """
    groups: list[list[Step]] = []
    marks: list[Hashable] = []
    broken = failing(trace)
    for step in steps:
        foldable = step.kind == "module" and step.index not in broken
        mark = (_stem(step.path), _form(trace, step)) if foldable else (step.index, None)
        if marks and marks[-1] == mark:
            groups[-1].append(step)
        else:
            groups.append([step])
            marks.append(mark)
    return [Group(tuple(one)) for one in groups]


def _stem(path: str) -> str:
    """Return a path without the number at its end: layers of one stack have the same."""
    return re.sub(r"(^|\.)\d+$", r"\1", path)


def _form(trace: Trace, step: Step) -> tuple[Hashable, ...]:
    seen: dict[int, int] = {}

    def known(values: Iterable[Value]) -> tuple[Hashable, ...]:
        return tuple((seen.setdefault(value.id, len(seen)), str(value), value.dtype) for value in values)

    return tuple(
        (
            *(one.kind, one.name, one.path[len(step.path) :], one.depth - step.depth, one.parameters),
            *(known(one.inputs), known(one.outputs)),
            tuple(str(weight) for weight in one.weights),
            one.source,
        )
        for one in trace.steps[step.index : step.last + 1]
    )


# ---- the path of one tensor


@dataclass(frozen=True)
class Hop:
    """One step of a path: what came in of the tensor that is followed, and what went out of it."""

    step: Step
    before: Value | None
    after: Value | None


def hops(path: Sequence[Step], start: Iterable[Value]) -> list[Hop]:
    """Return each step of a path with the tensor that led to it and the tensor that it made.

    Parameters
    ----------
    path
        What ``Trace.path`` returns.
    start
        The tensor that is followed (several where one name stands for several).
    """
    reached = [value.id for value in start]
    found = []
    for step in path:
        came = [value for value in (*step.inputs, *step.weights) if value.id in reached]
        before = max(came, key=lambda value: _last(reached, value.id), default=None)
        if before is None and not step.outputs:  # it failed on something else
            before = next(iter(step.inputs), None)
        after = next((value for value in step.outputs if before is None or value.id != before.id), None)
        found.append(Hop(step, before, after or next(iter(step.outputs), None)))
        reached += [value.id for value in step.outputs]
    return found


def _last(items: Sequence[int], item: int) -> int:
    return len(items) - 1 - items[::-1].index(item)


# ---- what changed, in one sentence

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
    gone = before.axes[start : len(old) - end]
    come = after.axes[start : len(new) - end]
    return _replaced(step, gone, come)


def _key(axis: Axis) -> str:
    return readable(str(axis))


def _listed(axes: Sequence[Axis], joint: str = " and ") -> str:
    names = [_key(axis) for axis in axes]
    return joint.join([", ".join(names[:-1]), names[-1]] if len(names) > 1 and joint == " and " else names)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
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
    found = re.search(r"(-?\d+)", step.name)
    index = int(found[1]) if found else -1
    return _key(value.axes[index]) if -len(value.axes) <= index < len(value.axes) else ""


def _moved(old: Sequence[str], new: Sequence[str]) -> str:
    differ = [index for index, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    if len(differ) == 2:
        return f"{old[differ[0]]} and {old[differ[1]]} change places."
    return f"The axes change their order: {', '.join(new)}."


def _replaced(step: Step, gone: Sequence[Axis], come: Sequence[Axis]) -> str:
    name = operation(step)
    if not come:
        if all(axis.size == 1 for axis in gone) and name not in _REDUCE and name != "[":
            return f"{_plural(gone, 'axis', 'axes')} of size 1 {_are(gone)} left out."
        how = "gone: one place of it is kept" if name == "[" else _REDUCE.get(name, "gone")
        return f"{_listed(gone)} {_are(gone)} {how}."
    if not gone:
        if all(axis.size == 1 for axis in come):
            return f"{_plural(come, 'axis', 'axes')} of size 1 {_are(come)} put in."
        looked_up = name in {"embedding", "Embedding"}
        rows = "Each id is replaced by a row of the table: " if looked_up else ""
        return f"{rows}{_listed(come)} {'is' if len(come) == 1 else 'are'} new."
    equal = prod(axis.size for axis in gone) == prod(axis.size for axis in come)
    if equal and len(gone) == 1 and len(come) > 1:
        return f"{_listed(gone)} is split into {_listed(come, ' × ')}."
    if equal and len(come) == 1 and len(gone) > 1:
        return f"{_listed(gone, ' × ')} are joined into {_listed(come)}."
    if equal and len(gone) > 1:
        return f"{_listed(gone, ' × ')} become {_listed(come, ' × ')}: the same numbers in other groups."
    if len(gone) == len(come) == 1:
        return _exchanged(name, gone[0], come[0])
    return f"{_listed(gone)} {'becomes' if len(gone) == 1 else 'become'} {_listed(come)}."


def _exchanged(name: str, gone: Axis, come: Axis) -> str:
    old, new = _key(gone), _key(come)
    if name in _MATRIX:
        return f"{old} is summed away, {new} takes its place."
    if gone.size == 1:
        return f"The axis of size 1 is repeated: {new}."
    if name in {"[", "narrow", "index_select", "gather"} and come.size < gone.size:
        return f"Of {old} only {come.size} are kept: {new}."
    return f"{old} becomes {new}."


def _plural(axes: Sequence[Axis], one: str, many: str) -> str:
    return f"An {one}" if len(axes) == 1 else f"{len(axes)} {many}"


def _are(axes: Sequence[Axis]) -> str:
    return "is" if len(axes) == 1 else "are"
