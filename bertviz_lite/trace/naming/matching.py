"""Match the steps of two passes, and take of each tensor its shape in the second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from bertviz_lite.trace.recording.raw_steps import RawStep, RawValue


def matched(
    first: Sequence[RawStep], second: Sequence[RawStep], stack: str | None = None
) -> tuple[list[tuple[int, int]], bool]:
    """Return which steps of two passes are the same, and whether all of the first are.

    `stack` is the path of the layers of which the second model has the first only; it is matched with each.
    """
    if stack is not None:
        return _folded(first, second, stack)
    ours = [(step.kind, step.path, step.key) for step in first]
    theirs = [(step.kind, step.path, step.key) for step in second]
    if ours == theirs[: len(ours)]:
        return [(place, place) for place in range(len(ours))], True
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    return [(block.a + step, block.b + step) for block in blocks for step in range(block.size)], False


def _folded(
    first: Sequence[RawStep], second: Sequence[RawStep], stack: str
) -> tuple[list[tuple[int, int]], bool]:
    layers = [
        place
        for place, step in enumerate(first)
        if step.kind == "module" and step.path.rpartition(".")[0] == stack
    ]
    if not layers:
        return [], False
    start = layers[0]
    length = first[start].last + 1 - start
    end = start + len(layers) * length
    if layers != list(range(start, end, length)) or first[layers[-1]].last + 1 != end:
        return [], False
    if [first[place].path for place in layers] != [f"{stack}.{layer}" for layer in range(len(layers))]:
        return [], False
    places = []
    for place, step in enumerate(first):
        path, other = step.path, place
        if place >= end:
            other = place - end + start + length
        elif place >= start:
            layer, inside = divmod(place - start, length)
            path, other = f"{stack}.0{path.removeprefix(f'{stack}.{layer}')}", start + inside
        like = second[other] if other < len(second) else None
        if like is None or (like.kind, like.path, like.key) != (step.kind, path, step.key):
            return [], False
        places.append((place, other))
    return places, True


def shapes_of_second(
    first: Sequence[RawStep], second: Sequence[RawStep], places: Sequence[tuple[int, int]]
) -> dict[int, tuple[int, ...] | None]:
    """Return of each tensor of the first pass its shape in the second; None where that is not one shape."""
    shapes: dict[int, tuple[int, ...] | None] = {}
    for ours, theirs in places:
        for value, other in _values(first[ours], second[theirs]):
            shape = other.shape if len(other.shape) == len(value.shape) else None
            if shapes.setdefault(value.number, shape) != shape:
                shapes[value.number] = None
    return shapes


def _values(first: RawStep, second: RawStep) -> Iterator[tuple[RawValue, RawValue]]:
    for ours, theirs in (
        (first.inputs, second.inputs),
        (first.weights, second.weights),
        (first.outputs, second.outputs),
    ):
        if len(ours) == len(theirs):
            yield from zip(ours, theirs, strict=True)
