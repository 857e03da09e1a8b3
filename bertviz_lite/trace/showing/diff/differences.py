"""What differs between two steps that stand side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from bertviz_lite.basics.text import readable
from bertviz_lite.trace.showing.labels import shape
from bertviz_lite.trace.steps.step import Step
from bertviz_lite.trace.steps.values import Axis, Value

Kind = Literal["appears", "vanishes", "changes"]
Sizes = tuple[Mapping[str, int], Mapping[str, int]]


@dataclass(frozen=True)
class Difference:
    """One step that is not the same in both traces.

    Parameters
    ----------
    kind
        ``"appears"`` (only in the second), ``"vanishes"`` (only in the first) or ``"changes"``.
    before, after
        The step in the first and in the second trace; None where there is none. A module that appears or
        vanishes is listed without what is inside it.
    what
        What it is in the first and in the second: shapes, or a class, a dtype, a number of parameters.
    """

    kind: Kind
    before: Step | None
    after: Step | None
    what: tuple[str, str]

    @property
    def step(self) -> Step:
        """The step, from the trace that has it."""
        step = self.before or self.after
        assert step is not None
        return step


def lone(old: Step | None, new: Step | None) -> Difference:
    """Return the difference of a step that only one trace has."""
    if old is not None:
        return Difference("vanishes", old, None, (shapes(old), ""))
    assert new is not None
    return Difference("appears", None, new, ("", shapes(new)))


def outermost(differences: Sequence[Difference]) -> Iterator[Difference]:
    """Leave out what appears or vanishes together with a module around it."""
    alone = {(difference.kind, difference.step.index) for difference in differences}
    for difference in differences:
        kind, step = difference.kind, difference.step
        # The model itself is alone where the other trace is of a part of it: what is inside is shown then.
        if kind == "changes" or step.depth == 1 or (kind, step.parent) not in alone:
            yield difference


def changed(old: Step, new: Step, sizes: Sizes) -> tuple[str, str] | None:
    """Return what a step is in the first and in the second trace, if `sizes` do not explain it."""
    if len(old.outputs) != len(new.outputs) or not all(
        _explained(before, after, sizes) for before, after in zip(old.outputs, new.outputs, strict=True)
    ):
        return shapes(old), shapes(new)
    if bare(old) != bare(new):
        return readable(old.name), readable(new.name)
    kinds = [", ".join(value.dtype for value in step.outputs) for step in (old, new)]
    if kinds[0] != kinds[1]:
        return kinds[0], kinds[1]
    own = [", ".join(shape(value) for value in step.weights) for step in (old, new)]
    if old.kind == "module" and own[0] != own[1]:
        return f"parameters {own[0] or 'none'}", f"parameters {own[1] or 'none'}"
    return None


def _explained(before: Value, after: Value, sizes: Sizes) -> bool:
    return len(before.axes) == len(after.axes) and all(
        _same_axis(a, b, sizes) for a, b in zip(before.axes, after.axes, strict=True)
    )


def _same_axis(before: Axis, after: Axis, sizes: Sizes) -> bool:
    if before.name != after.name:
        return False
    if before.size == after.size or before.name is None:
        return before.size == after.size
    return [_size(before.name, known) for known in sizes] == [before.size, after.size]


def _size(name: str, sizes: Mapping[str, int]) -> int | None:
    """Return the size of "seq_len", "batch*seq_len", "3*hidden_size", "seq_len-1" or "hidden_size/2"."""
    product = 1
    for part in name.split("*"):
        match = re.fullmatch(r"(\w+?)(?:([+-]\d+)|/(\d+))?", part)
        if match is None or not (match[1].isdigit() or match[1] in sizes):
            return None
        size = int(match[1]) if match[1].isdigit() else sizes[match[1]]
        product *= (size + int(match[2] or 0)) // int(match[3] or 1)
    return product


def bare(step: Step) -> str:
    """Return a class, or an operation without its numbers: they are sizes, and those are compared by axis."""
    return step.name if step.kind == "module" else re.sub(r"\d+(\.\d+)?", "#", step.name)


def shapes(step: Step) -> str:
    """Return the shapes that come out of a step."""
    return ", ".join(map(shape, step.outputs)) or "no tensor"
