"""A trace as a table of text: a line for each module and operation, indented by depth, its shape beside it.

Modules that follow each other and are truly equal (see :func:`bertviz_lite.trace.showing.words.grouped`) take
one line after the first. A module that holds one operation and nothing else takes one line with it.
"""

from __future__ import annotations

import textwrap
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bertviz_lite.basics.text import clip, readable
from bertviz_lite.trace.recording.steps import TraceError
from bertviz_lite.trace.showing import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bertviz_lite.trace.recording.steps import Step, Trace, Value
    from bertviz_lite.trace.showing.words import Group

__all__ = ["WIDTH", "heading", "sentence_of", "single", "table", "unsaid"]

WIDTH = 110
"""No line is longer."""

_GAP = "  "
_SHAPE, _LAST = 50, 20  # columns at the most; the name has what is left
_OUTPUTS = 4


@dataclass(frozen=True)
class _Line:
    name: str
    shapes: Sequence[str] = ()
    last: str = ""
    note: bool = False
    """A sentence over all columns, in the place of shapes."""


def table(trace: Trace, depth: int | None = None, *, operations: bool = True) -> str:
    """Return a trace as text, at most 110 columns wide.

    Parameters
    ----------
    trace
        What :func:`bertviz_lite.trace` returns.
    depth
        How many modules deep it goes, the model itself being 0; all of it if None.
    operations
        Whether operations have lines, or modules only.

    Raises
    ------
    TraceError
        If `depth` is not a whole number from 0.
    """
    given: object = depth  # whatever its type says
    if given is not None and (isinstance(given, bool) or not isinstance(given, int) or given < 0):
        raise TraceError(f"depth={depth!r}: a whole number from 0 is needed, or None for all of it.")
    shown = list(_lines(trace, None, depth, operations))
    rows = _layout(shown)
    parts = [*_wrapped(heading(trace)), "", *rows]
    if words.has_unsure(value for step in trace.steps for value in step.outputs):
        parts += ["", words.LEGEND]
    if trace.failure is not None:
        parts += ["", *_wrapped([f"✗ {readable(trace.failure.message)}"])]
    return "\n".join(line.rstrip() for line in parts)


def heading(trace: Trace) -> list[str]:
    """Return what stands above every view of a trace: the model, what went in, what came out."""
    name = readable(trace.model_name)
    sizes = ", ".join(f"{name}={size}" for name, size in trace.sizes.items())
    lines = [f"{name}: {trace.parameters:,} parameters, {_count(trace)}{'; failed' if trace.failure else ''}"]
    for word, values in (("in", trace.inputs), ("out", trace.outputs)):
        if values:
            lines.append(f"{word}: {', '.join(map(_named, values))}")
    return [*lines, f"sizes: {sizes}"] if sizes else lines


def _count(trace: Trace) -> str:
    modules = sum(step.kind == "module" for step in trace.steps)
    kinds = ((modules, "module call"), (len(trace.steps) - modules, "operation"))
    return ", ".join(f"{count} {word}{'s' * (count != 1)}" for count, word in kinds)


def _named(value: Value) -> str:
    label = f"{readable(value.label)} " if value.label else ""
    return f"{label}{words.shape(value)} {value.dtype.removeprefix('torch.')}"


def sentence_of(group: Group, parent: Step | None) -> tuple[str, str]:
    """Return the names of the steps that a group folds, and in words what they are.

    >>> sentence_of(group, encoder)  # doctest: +SKIP
    ('layer.1 … layer.3', '3 more like layer.0: same modules, operations, shapes and source lines')
    """
    first, rest = group.steps[0], group.steps[1:]
    names = [words.own_name(step, parent) for step in rest]
    name = names[0] if len(set(names)) == 1 else f"{names[0]} … {names[-1]}"
    like = words.own_name(first, parent)
    if group.called_again:
        times = "once more" if len(rest) == 1 else f"{len(rest)} times more"
        return name, f"called {times}, with the same weights and shapes"
    many = "like" if len(rest) == 1 else f"{len(rest)} more like"
    return name, f"{many} {like}: same modules, operations, shapes and source lines"


def single(trace: Trace, step: Step) -> Step | None:
    """Return the one operation that is all a module does to shapes, if there is just one and it is plain."""
    if step.kind != "module" or step.last != step.index + 1 or step.index in words.failing(trace):
        return None
    only = trace.steps[step.last]
    same = [str(value) for value in only.outputs] == [str(value) for value in step.outputs]
    return only if only.kind == "operation" and same else None


def unsaid(trace: Trace, step: Step) -> str:
    """Return the one operation of a module whose own name does not say it: "gelu", not "linear"."""
    only = single(trace, step)
    if only is None or words.operation(only).replace("_", "").lower() in step.name.lower():
        return ""
    return readable(only.name)


def _lines(trace: Trace, parent: Step | None, depth: int | None, operations: bool) -> Iterator[_Line]:
    inside = [
        step
        for step in words.inner(trace, parent)
        if (operations or step.kind == "module" or trace.failure) and (depth is None or step.depth <= depth)
    ]
    broken = words.failing(trace)
    for group in words.grouped(trace, inside):
        step = group.first
        if step.kind == "operation" and not operations and step.index not in broken:
            continue
        yield _line(trace, step, parent)
        only = single(trace, step)
        if only is None:
            yield from _lines(trace, step, depth, operations)
        if len(group.steps) > 1:
            name, sentence = sentence_of(group, parent)
            yield _Line(_indent(step) + name, [sentence], note=True)


def _indent(step: Step) -> str:
    return "  " * step.depth


def _line(trace: Trace, step: Step, parent: Step | None) -> _Line:
    failed = trace.failure is not None and step.index == trace.failure.step
    mark = "✗ " if failed else ""
    name = _indent(step) + mark + words.title(step, parent)
    if only := unsaid(trace, step):
        name += f", {only}"
    if step.index in words.failing(trace):
        shapes = ["failed here" if failed else "did not end"]
    else:
        shapes = _shapes(step)
    return _Line(name, shapes, _last(step))


def _shapes(step: Step) -> list[str]:
    shapes = [words.shape(value) for value in step.outputs[:_OUTPUTS]]
    more = len(step.outputs) - len(shapes)
    return [*shapes, f"and {more} more"] if more > 0 else shapes or ["no tensor"]


def _last(step: Step) -> str:
    """Return the parameters of a module that has some, else the source line."""
    if step.kind == "module" and step.parameters:
        return f"{step.parameters:,} par."
    return words.place(step.source)


def _layout(lines: Sequence[_Line]) -> list[str]:
    """Put lines into columns as wide as they need, up to a limit each."""
    head = _Line("module or operation", ["output"], "parameters or line")
    plain = [head, *(line for line in lines if not line.note)]
    last = min(_LAST, max(_width(line.last) for line in plain))
    shape = min(_SHAPE, max(_width(text) for line in plain for text in line.shapes))
    room = WIDTH - shape - last - 2 * len(_GAP)
    name = min(room, max(_width(line.name) for line in [head, *lines]))
    rows = list(_row(head, name, shape, last))
    rows.append("─" * min(WIDTH, name + shape + last + 2 * len(_GAP)))
    for line in lines:
        rows += _note(line, name) if line.note else _row(line, name, shape, last)
    return rows


def _note(line: _Line, name: int) -> list[str]:
    start = _padded(line.name, name)
    texts = textwrap.wrap(line.shapes[0], WIDTH - name - len(_GAP))
    return [(start if k == 0 else " " * name) + _GAP + text for k, text in enumerate(texts)]


def _row(line: _Line, name: int, shape: int, last: int) -> Iterator[str]:
    """Yield a line, and under it what does not fit: other outputs, or the rest of a long shape."""
    shapes = [part for text in line.shapes for part in _folded(text, shape)]
    for number, text in enumerate(shapes):
        start = _padded(line.name, name) if number == 0 else " " * name
        end = clip(line.last, last) if number == 0 else ""
        yield f"{start}{_GAP}{_padded(text, shape)}{_GAP}{end}"


def _folded(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent=" ", break_long_words=True) or [""]


def _wrapped(lines: Sequence[str]) -> list[str]:
    return [part for line in lines for part in words.wrapped(line, WIDTH)]


def _width(text: str) -> int:
    """Return how many columns a terminal gives `text`: two for a Chinese character, none for an accent."""
    return sum(_columns(letter) for letter in text)


def _columns(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in {"W", "F"} else 1


def _padded(text: str, width: int) -> str:
    """Return `text` in exactly `width` columns, its end cut off if it is longer."""
    if _width(text) > width:
        while _width(text) > width - 1:
            text = text[:-1]
        text += "…"
    return text + " " * (width - _width(text))
