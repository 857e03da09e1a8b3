"""A trace as a tree that folds without a script: modules are ``<details>``, operations the lines in them.

It must look right where a notebook keeps no style sheet and no script (JupyterLab before a notebook is
trusted, GitHub, nbviewer), so it is made of plain elements: nested lists for the depth, ``<b>`` for what a
module is called, ``<code>`` for shapes, ``<small>`` for everything else. Their colours are the page's own,
light or dark. Every string is escaped.
"""

from __future__ import annotations

import html as markup
from typing import TYPE_CHECKING

from bertviz_lite.basics.text import readable
from bertviz_lite.trace.showing.equal_steps import Group, grouped, sentence_of
from bertviz_lite.trace.showing.labels import LEGEND, has_unsure, own_name, place, shape
from bertviz_lite.trace.showing.nesting import failing, inner, inner_operation, single
from bertviz_lite.trace.showing.table import heading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bertviz_lite.trace.steps.recorded_pass import RecordedPass
    from bertviz_lite.trace.steps.step import Source, Step
    from bertviz_lite.trace.steps.values import Numbers, Value

__all__ = ["html"]

_OPEN_LINES = 24
"""So many lines are open at first, outermost modules before inner ones; and the way to a failure always."""

_RUN = 6
"""So many operations in a row between large modules (those that make the attention mask) are folded."""

_LIST = '<ul style="list-style-type:none;margin:0;padding-left:1.3em">'


def html(trace: RecordedPass) -> str:
    """Return a trace as HTML without scripts: a tree of ``<details>``, a line for each step.

    Parameters
    ----------
    trace
        What :func:`bertviz_lite.trace` returns.

    Returns
    -------
    str
        Elements for the body of a page; nothing in it can leave it, whatever modules are called.
    """
    name, *others = heading(trace)
    parts = [f"<p><b>{_text(name)}</b>{''.join(f'<br>{_text(line)}' for line in others)}</p>"]
    if trace.failure is not None:
        in_message = place(trace.failure.source) in trace.failure.message
        shown = trace.failure.source is not None and not in_message
        where = f" <small>{_place(trace.failure.source)}</small>" if shown else ""
        parts.append(f"<p><strong>✗ {_text(trace.failure.message)}</strong>{where}</p>")
    tree = _Tree(trace)
    parts.append(f"{_LIST}{''.join(tree.lines(None))}</ul>")
    if has_unsure(value for step in trace.steps for value in step.outputs):
        parts.append(f"<p><small>{LEGEND}</small></p>")
    return f"<div>{''.join(parts)}</div>"


class _Tree:
    def __init__(self, trace: RecordedPass) -> None:
        self.trace = trace
        self.broken = failing(trace)
        self.open = _opened(trace) | self.broken

    def lines(self, parent: Step | None) -> Iterator[str]:
        """Yield ``<li>`` for each step inside `parent`; equal ones in a row stay together in one."""
        for group in _rows(self.trace, parent):
            first = group[0]
            if first.kind == "operation" and len(group) > 1:
                yield f"<li>{self.run(group, parent)}</li>"
                continue
            yield f"<li>{self.step(first, parent)}</li>"
            if len(group) > 1:
                name, sentence = sentence_of(Group(group), parent)
                summary = f"<b>{_text(name)}</b> {_text(sentence)}"
                yield f"<li>{self.folded(summary, group[1:], parent)}</li>"

    def run(self, steps: tuple[Step, ...], parent: Step | None) -> str:
        """Return operations between large modules, folded: "23 operations → [batch=2, …]"."""
        files = dict.fromkeys(
            step.source.file.rpartition("/")[2] for step in steps if step.source is not None
        )
        where = f" <small><code>{_text(', '.join(files))}</code></small>" if files else ""
        return self.folded(f"{len(steps)} operations {self.outcome(steps[-1])}{where}", steps, parent)

    def folded(self, summary: str, steps: tuple[Step, ...], parent: Step | None) -> str:
        opened = " open" if any(step.index in self.broken for step in steps) else ""
        inside = "".join(f"<li>{self.step(step, parent)}</li>" for step in steps)
        return f"<details{opened}><summary>{summary}</summary>{_LIST}{inside}</ul></details>"

    def step(self, step: Step, parent: Step | None) -> str:
        """Return one step: a line, or a line that unfolds what is inside."""
        line = self.line(step, parent)
        if step.last == step.index or single(self.trace, step) is not None:
            return line
        opened = " open" if step.index in self.open else ""
        inside = "".join(self.lines(step))
        return f"<details{opened}><summary>{line}</summary>{_LIST}{inside}</ul></details>"

    def line(self, step: Step, parent: Step | None) -> str:
        parts = [self.name(step, parent), self.outcome(step)]
        facts = [f"{step.parameters:,} parameters"] if step.kind == "module" and step.parameters else []
        facts += [_place(step.source)] if step.source is not None else []
        if facts:
            parts.append(f"<small>{' · '.join(facts)}</small>")
        return " ".join(parts) + self.numbers(step)

    def name(self, step: Step, parent: Step | None) -> str:
        if step.kind == "operation":
            return f"<code>{_text(step.name)}</code>"
        own = own_name(step, parent)
        called = f"<b>{_text(own)}</b> " if own else ""
        only = inner_operation(self.trace, step)
        with_operation = f", <code>{_text(only)}</code>" if only else ""
        return f"{called}{_text(step.name)}{with_operation}"

    def outcome(self, step: Step) -> str:
        if self.trace.failure is not None and step.index == self.trace.failure.step:
            given = f" given {_shapes(step.inputs)}" if step.inputs else ""
            return f"<strong>✗ failed here</strong>{given}"
        if step.index in self.broken:
            return "did not end"
        return f"→ {_shapes(step.outputs)}" if step.outputs else "→ no tensor"

    def numbers(self, step: Step) -> str:
        """Return what is in each output, where the trace kept numbers."""
        known = [_numbers(numbers) for numbers in step.numbers or () if numbers is not None]
        return f"<br><small>{'; '.join(known)}</small>" if known else ""


def _rows(trace: RecordedPass, parent: Step | None) -> list[tuple[Step, ...]]:
    """Return the steps inside a module, with those together that share a line at first."""
    inside = inner(trace, parent)
    # Modules that hold modules that hold steps: an encoder does, attention does not.
    large = any(part.last > part.index + 1 for step in inside for part in inner(trace, step))
    rows: list[tuple[Step, ...]] = []
    run: list[Step] = []

    def end() -> None:
        rows.extend([tuple(run)] if large and len(run) >= _RUN else [(step,) for step in run])
        run.clear()

    for group in grouped(trace, inside):
        if group.first.kind == "operation":
            run.append(group.first)
        else:
            end()
            rows.append(group.steps)
    end()
    return rows


def _opened(trace: RecordedPass) -> frozenset[int]:
    """Return the modules that are open at first: outermost ones first, as long as there is room."""
    opened: set[int] = set()
    room = _OPEN_LINES
    level = [step for step in inner(trace, None) if step.kind == "module"]
    while level:
        below = []
        for step in level:
            rows = _rows(trace, step)
            count = sum(2 if len(row) > 1 and row[0].kind == "module" else 1 for row in rows)
            if count <= room:
                room -= count
                opened.add(step.index)
                below += [row[0] for row in rows if row[0].kind == "module" and row[0].last > row[0].index]
        level = below
    return frozenset(opened)


def _shapes(values: tuple[Value, ...]) -> str:
    return ", ".join(
        f"{_text(value.label) + ' ' if value.label else ''}<code>{_text(shape(value))}</code>"
        for value in values
    )


def _place(source: Source | None) -> str:
    return f"<code>{_text(place(source))}</code>"


def _numbers(numbers: Numbers) -> str:
    parts = (f"{name} {getattr(numbers, name):.4g}" for name in ("min", "mean", "max", "std"))
    return ", ".join(parts).replace("-", "−")


def _text(text: str) -> str:
    return markup.escape(readable(text))
