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
            for left_step, right_step in zip(left[a:b], right[c:d], strict=True):
                yield from _pair(before, after, left_step, right_step)
        else:
            yield from _replaced(before, after, left[a:b], right[c:d])


def _roots(
    before: RecordedPass, after: RecordedPass, left: Step, right: Step
) -> Iterator[tuple[Step | None, Step | None]]:
    """Pair the models; or one with the module of its class in the other, as BertModel in BertForMaskedLM."""
    if left.name != right.name:
        for step in inner(before, left):
            if (step.kind, step.name) == ("module", right.name):
                yield from ((lone, None) for lone in before.steps[: step.index])
                yield from _pair(before, after, step, right)
                yield from ((lone, None) for lone in before.steps[step.last + 1 :])
                return
        for step in inner(after, right):
            if (step.kind, step.name) == ("module", left.name):
                yield from ((None, lone) for lone in after.steps[: step.index])
                yield from _pair(before, after, left, step)
                yield from ((None, lone) for lone in after.steps[step.last + 1 :])
                return
    yield from _pair(before, after, left, right)


def _pair(
    before: RecordedPass, after: RecordedPass, left: Step, right: Step
) -> Iterator[tuple[Step | None, Step | None]]:
    yield left, right
    if left.kind == "module":
        yield from aligned(before, after, left, right)


def _replaced(
    before: RecordedPass, after: RecordedPass, left: Sequence[Step], right: Sequence[Step]
) -> Iterator[tuple[Step | None, Step | None]]:
    """Yield modules of other names that hold much the same as pairs, and all else alone."""
    waiting = list(right)
    for step in left:
        twin = next((other for other in waiting if _resemble(before, after, step, other)), None)
        if twin is None:
            yield from ((lone, None) for lone in _with_inside(before, step))
            continue
        for other in waiting[: waiting.index(twin)]:
            yield from ((None, lone) for lone in _with_inside(after, other))
        del waiting[: waiting.index(twin) + 1]
        yield from _pair(before, after, step, twin)
    for other in waiting:
        yield from ((None, lone) for lone in _with_inside(after, other))


def _with_inside(trace: RecordedPass, step: Step) -> tuple[Step, ...]:
    return trace.steps[step.index : step.last + 1]


def _resemble(before: RecordedPass, after: RecordedPass, left: Step, right: Step) -> bool:
    if left.kind != "module" or right.kind != "module":
        return False
    inside = [_key(step, left) for step in inner(before, left)]
    outside = [_key(step, right) for step in inner(after, right)]
    return len(inside) > 1 and SequenceMatcher(None, inside, outside, autojunk=False).ratio() >= 0.5


def _key(step: Step, parent: Step | None) -> tuple[str, str]:
    if step.kind == "module":
        return "module", own_name(step, parent)
    return "operation", operation(step)
