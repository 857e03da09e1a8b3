"""A trace as a table of text: a line for each module and operation, indented by depth, its shape beside it.

Modules that follow each other and are truly equal (see :mod:`bertviz_lite.trace.showing.equal_steps`) take
one line after the first. A module that holds one operation and nothing else takes one line with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bertviz_lite.basics.text import readable
from bertviz_lite.trace.showing.columns import WIDTH, Line, columns
from bertviz_lite.trace.showing.equal_steps import grouped, sentence_of
from bertviz_lite.trace.showing.labels import LEGEND, has_unsure, labelled_shape, place, shape, title, wrapped
from bertviz_lite.trace.showing.nesting import failing, inner, inner_operation, single
from bertviz_lite.trace.steps.errors import TraceError
from bertviz_lite.trace.steps.recorded_pass import RecordedPass
from bertviz_lite.trace.steps.step import Step
from bertviz_lite.trace.steps.values import Value

_OUTPUTS = 4


def table(trace: RecordedPass, depth: int | None = None, *, operations: bool = True) -> str:
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
        If `depth` is not a whole number from 0, or `operations` neither True nor False.
    """
    given: object = depth  # whatever its type says
    if given is not None and (isinstance(given, bool) or not isinstance(given, int) or given < 0):
        raise TraceError(f"depth={depth!r}: a whole number from 0 is needed, or None for all of it.")
    wanted: object = operations
    if not isinstance(wanted, bool):
        raise TraceError(f"operations={operations!r}: True is needed to show operations, or False.")
    shown = list(_lines(trace, None, depth, operations))
    rows = columns(shown)
    parts = [*_page_lines(heading(trace)), "", *rows]
    if has_unsure(value for step in trace.steps for value in step.outputs):
        parts += ["", LEGEND]
    if trace.failure is not None:
        parts += ["", *_page_lines([f"✗ {readable(trace.failure.message)}"])]
    return "\n".join(line.rstrip() for line in parts)


def _page_lines(lines: Sequence[str]) -> list[str]:
    return [part for line in lines for part in wrapped(line, WIDTH)]


def heading(trace: RecordedPass) -> list[str]:
    """Return the head of a table or tree: the model, what went in, what came out."""
    name = readable(trace.model_name)
    sizes = ", ".join(f"{name}={size}" for name, size in trace.sizes.items())
    lines = [f"{name}: {trace.parameters:,} parameters, {_count(trace)}{'; failed' if trace.failure else ''}"]
    for word, values in (("in", trace.inputs), ("out", trace.outputs)):
        if values:
            lines.append(f"{word}: {', '.join(map(_named, values))}")
    return [*lines, f"sizes: {sizes}"] if sizes else lines


def _count(trace: RecordedPass) -> str:
    modules = sum(step.kind == "module" for step in trace.steps)
    kinds = ((modules, "module call"), (len(trace.steps) - modules, "operation"))
    return ", ".join(f"{count} {word}{'s' * (count != 1)}" for count, word in kinds)


def _named(value: Value) -> str:
    return f"{labelled_shape(value)} {value.dtype.removeprefix('torch.')}"


def _lines(trace: RecordedPass, parent: Step | None, depth: int | None, operations: bool) -> Iterator[Line]:
    inside = [
        step
        for step in inner(trace, parent)
        if (operations or step.kind == "module" or trace.failure) and (depth is None or step.depth <= depth)
    ]
    broken = failing(trace)
    for group in grouped(trace, inside):
        step = group.first
        if step.kind == "operation" and not operations and step.index not in broken:
            continue
        yield _line(trace, step, parent)
        only = single(trace, step)
        if only is None:
            yield from _lines(trace, step, depth, operations)
        if len(group.steps) > 1:
            name, sentence = sentence_of(group, parent)
            yield Line(_indent(step) + name, [sentence], note=True)


def _indent(step: Step) -> str:
    return "  " * step.depth


def _line(trace: RecordedPass, step: Step, parent: Step | None) -> Line:
    failed = trace.failure is not None and step.index == trace.failure.step
    mark = "✗ " if failed else ""
    name = _indent(step) + mark + title(step, parent)
    if only := inner_operation(trace, step):
        name += f", {only}"
    ended = step.index not in failing(trace)
    shapes = _shapes(step) if ended else ["failed here" if failed else "did not end"]
    return Line(name, shapes, _last(step))


def _shapes(step: Step) -> list[str]:
    shapes = [shape(value) for value in step.outputs[:_OUTPUTS]]
    more = len(step.outputs) - len(shapes)
    return [*shapes, f"and {more} more"] if more > 0 else shapes or ["no tensor"]


def _last(step: Step) -> str:
    """Return the parameters of a module that has some, else the source line."""
    if step.kind == "module" and step.parameters:
        return f"{step.parameters:,} par."
    return place(step.source)
