"""The steps of two traces side by side: modules aligned by their paths, operations by their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from bertviz_lite.trace.showing.labels import operation, own_name
from bertviz_lite.trace.showing.nesting import inner
from bertviz_lite.trace.steps.recorded_pass import RecordedPass
from bertviz_lite.trace.steps.step import Step


def aligned(
    before: RecordedPass, after: RecordedPass, old: Step | None, new: Step | None
) -> Iterator[tuple[Step | None, Step | None]]:
    """Yield the steps inside two modules side by side, and what is inside those."""
    left, right = inner(before, old), inner(after, new)
    if old is None and new is None and len(left) == len(right) == 1:
        yield from _roots(before, after, left[0], right[0])
        return
    keys = [_key(step, old) for step in left], [_key(step, new) for step in right]
    for tag, a, b, c, d in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if tag == "equal":
            for one, other in zip(left[a:b], right[c:d], strict=True):
                yield from _pair(before, after, one, other)
        else:
            yield from _replaced(before, after, left[a:b], right[c:d])


def _roots(
    before: RecordedPass, after: RecordedPass, one: Step, other: Step
) -> Iterator[tuple[Step | None, Step | None]]:
    """Pair the models; or one with the module of its class in the other, as BertModel in BertForMaskedLM."""
    if one.name != other.name:
        for step in inner(before, one):
            if (step.kind, step.name) == ("module", other.name):
                yield from ((lone, None) for lone in before.steps[: step.index])
                yield from _pair(before, after, step, other)
                yield from ((lone, None) for lone in before.steps[step.last + 1 :])
                return
        for step in inner(after, other):
            if (step.kind, step.name) == ("module", one.name):
                yield from ((None, lone) for lone in after.steps[: step.index])
                yield from _pair(before, after, one, step)
                yield from ((None, lone) for lone in after.steps[step.last + 1 :])
                return
    yield from _pair(before, after, one, other)


def _pair(
    before: RecordedPass, after: RecordedPass, one: Step, other: Step
) -> Iterator[tuple[Step | None, Step | None]]:
    yield one, other
    if one.kind == "module":
        yield from aligned(before, after, one, other)


def _replaced(
    before: RecordedPass, after: RecordedPass, left: Sequence[Step], right: Sequence[Step]
) -> Iterator[tuple[Step | None, Step | None]]:
    """Yield modules of other names that hold much the same as pairs, and all else alone."""
    waiting = list(right)
    for step in left:
        twin = next((other for other in waiting if _resemble(before, after, step, other)), None)
        if twin is None:
            for step_inside in before.steps[step.index : step.last + 1]:
                yield step_inside, None
            continue
        for other in waiting[: waiting.index(twin)]:
            yield from ((None, step_inside) for step_inside in after.steps[other.index : other.last + 1])
        del waiting[: waiting.index(twin) + 1]
        yield from _pair(before, after, step, twin)
    for other in waiting:
        yield from ((None, step_inside) for step_inside in after.steps[other.index : other.last + 1])


def _resemble(before: RecordedPass, after: RecordedPass, one: Step, other: Step) -> bool:
    if one.kind != "module" or other.kind != "module":
        return False
    inside = [_key(step, one) for step in inner(before, one)]
    outside = [_key(step, other) for step in inner(after, other)]
    return len(inside) > 1 and SequenceMatcher(None, inside, outside, autojunk=False).ratio() >= 0.5


def _key(step: Step, parent: Step | None) -> tuple[str, str]:
    if step.kind == "module":
        return "module", own_name(step, parent)
    return "operation", operation(step)
