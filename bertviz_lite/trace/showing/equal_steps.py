"""Modules in a row that are truly equal inside, put into one group."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from bertviz_lite.trace.showing.labels import own_name
from bertviz_lite.trace.showing.nesting import failing
from bertviz_lite.trace.steps.recorded_pass import RecordedPass
from bertviz_lite.trace.steps.step import Step
from bertviz_lite.trace.steps.values import Value


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
        """The first step, shown for all of them."""
        return self.steps[0]


def grouped(trace: RecordedPass, steps: Sequence[Step]) -> list[Group]:
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
    return [Group(tuple(steps_alike)) for steps_alike in groups]


def _stem(path: str) -> str:
    """Return a path without the number at its end: layers of one stack have the same."""
    return re.sub(r"(^|\.)\d+$", r"\1", path)


def _form(trace: RecordedPass, step: Step) -> tuple[Hashable, ...]:
    seen: dict[int, int] = {}

    def known(values: Iterable[Value]) -> tuple[Hashable, ...]:
        return tuple((seen.setdefault(value.id, len(seen)), str(value), value.dtype) for value in values)

    return tuple(
        (
            *(each.kind, each.name, each.path[len(step.path) :], each.depth - step.depth, each.parameters),
            *(known(each.inputs), known(each.outputs)),
            tuple(str(weight) for weight in each.weights),
            each.source,
        )
        for each in trace.steps[step.index : step.last + 1]
    )


def sentence_of(group: Group, parent: Step | None) -> tuple[str, str]:
    """Return the names of the steps that a group folds, and in words what they are.

    >>> sentence_of(group, encoder)  # doctest: +SKIP
    ('layer.1 … layer.3', '3 more like layer.0: same modules, operations, shapes and source lines')
    """
    first, others = group.steps[0], group.steps[1:]
    names = [own_name(step, parent) for step in others]
    name = names[0] if len(set(names)) == 1 else f"{names[0]} … {names[-1]}"
    like = own_name(first, parent)
    if group.called_again:
        times = "once more" if len(others) == 1 else f"{len(others)} times more"
        return name, f"called {times}, with the same weights and shapes"
    many = "like" if len(others) == 1 else f"{len(others)} more like"
    return name, f"{many} {like}: same modules, operations, shapes and source lines"
