"""How a trace names things in text: shapes, source lines, modules, operations.

Nothing here knows torch: a trace is read, never made.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from bertviz_lite.basics.text import readable
from bertviz_lite.trace.steps.step import Source, Step
from bertviz_lite.trace.steps.values import Value

LEGEND = "? marks a size that more than one axis name would fit."


def shape(value: Value) -> str:
    """Return the axes of a tensor by name and size: "[batch=2, seq_len=7]"."""
    return readable(str(value))


def labelled_shape(value: Value) -> str:
    """Return a tensor's axes behind its label, if it has one: "input_ids [batch=2, seq_len=7]"."""
    label = f"{readable(value.label)} " if value.label else ""
    return f"{label}{shape(value)}"


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


def has_unsure(values: Iterable[Value]) -> bool:
    """Whether any axis of any of the tensors could have more than one name."""
    return any(not axis.sure for value in values for axis in value.axes)
