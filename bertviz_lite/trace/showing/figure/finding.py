"""What the picture shows, in words: its title and its alt text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bertviz_lite.basics.text import clip
from bertviz_lite.trace.showing.figure.boxes import Box
from bertviz_lite.trace.steps.recorded_pass import RecordedPass


def finding(trace: RecordedPass, name: str, inside: str | None, boxes: Sequence[Box]) -> str:
    """Return which axes the tensor gains on its way, or why the pass failed."""
    if trace.failure is not None and any(box.failed for box in boxes):
        return f"✗ {trace.failure.message}"
    what = name if inside is None else f"Inside {inside}, the tensor"
    start = boxes[0].value
    had = {axis.name for axis in start.axes} if start is not None else set()
    gains = []
    for box in boxes[1:]:
        new = [
            axis.name for axis in (box.value.axes if box.value else ()) if axis.name and axis.name not in had
        ]
        had |= set(new)
        if new:
            gains.append(f"{' and '.join(new)} ({_plain(box.text)})")
    if not gains:
        kinds = [str(box.value) for box in boxes if box.value is not None]
        return f"{what} goes from {kinds[0]} to {kinds[-1]}" if kinds else f"The path of {what}"
    return f"{what} gains {', then '.join(gains)}"


def _plain(text: str) -> str:
    """Return the first operation without what it is given: "view" of "view(2, 7, 4, 32), contiguous"."""
    return clip(re.sub(r"(?<=\w)\(.*?\)", "", text).split(", ")[0], 30)


def alt_text(title: str, boxes: Sequence[Box]) -> str:
    """Return in words what the picture shows, box by box."""
    parts = []
    for number, box in enumerate(boxes[1:], 1):
        where = f" {origin(box)}" if box.elsewhere(number) else ""
        note = f" ({box.note})" if box.note else ""
        result = "fails" if box.failed else f"gives {box.value}" if box.value else "gives no tensor"
        parts.append(f"{box.text}{note}{where} {result}")
    start = f"Boxes from left to right: {boxes[0].text} {boxes[0].value or ''}"
    return f"{title.rstrip('.')}. {'; '.join([start, *parts])}."


def origin(box: Box) -> str:
    """Return which boxes a box is made from: "from boxes 2 and 5"."""
    numbers = [str(source + 1) for source in box.sources]
    if len(numbers) == 1:
        return f"from box {numbers[0]}"
    return f"from boxes {', '.join(numbers[:-1])} and {numbers[-1]}"
