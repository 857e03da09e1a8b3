"""What a trace is made of: axes, values, steps. Plain data; nothing here needs torch.

Named tuples, and few dataclasses among what a first trace imports: a dataclass takes half a millisecond to
define, and a frozen one several times as long to make.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from bertviz_lite.basics.one_line_error import OneLineError

if TYPE_CHECKING:
    from bertviz_lite.trace.showing.diff import TraceDiff
    from bertviz_lite.trace.showing.path_figure import PathFigure
    from bertviz_lite.views.base.view import View

Kind = Literal["module", "operation"]


class TraceError(OneLineError, ValueError):
    """One line: what was given to `trace` or to a method of `Trace`, what is needed, and the fix."""

    __module__ = "bertviz_lite"


class Axis(NamedTuple):
    """One axis of a tensor: its size, and its name where there is one.

    >>> str(Axis(7, "seq_len")), str(Axis(128)), str(Axis(2, sure=False))
    ('seq_len=7', '128', '2?')

    ``sure`` is False where more than one name would fit; then there is no name, and `could_be` tells them.
    """

    size: int
    name: str | None = None
    sure: bool = True
    could_be: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.name is not None:
            return f"{self.name}={self.size}"
        return str(self.size) if self.sure else f"{self.size}?"


class Value(NamedTuple):
    """One tensor: the same tensor has the same `id` everywhere in the trace.

    ``label`` is the name of an input ("input_ids"), a parameter or a buffer ("bert.pooler.dense.weight"),
    or "".
    """

    id: int
    axes: tuple[Axis, ...]
    dtype: str
    label: str = ""

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes without the names."""
        return tuple(axis.size for axis in self.axes)

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.axes))}]"


class Source(NamedTuple):
    """A line of code; the text is read when it is asked for.

    ``path`` is the file on this machine, ``file`` what to show of it: from the package on
    ("transformers/models/bert/modeling_bert.py"), else the bare name.
    """

    path: str
    line: int

    @property
    def file(self) -> str:
        """The path from the package on, the same on every machine."""
        parts = PurePath(self.path.replace("\\", "/")).parts
        for folder in ("site-packages", "dist-packages"):
            if folder in parts:
                return "/".join(parts[parts.index(folder) + 1 :])
        return parts[-1] if parts else ""

    @property
    def text(self) -> str:
        """The line itself, without the space around it; empty if the file cannot be read."""
        return linecache.getline(self.path, self.line).strip()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Numbers(NamedTuple):
    """What is in a tensor, in four numbers; ``std`` is that of the population (divided by the count)."""

    min: float
    mean: float
    max: float
    std: float


class Step(NamedTuple):
    """One call of a module, or one operation.

    Parameters
    ----------
    index
        Its place in ``trace.steps``: the order in which the steps begin.
    kind
        ``"module"`` or ``"operation"``.
    path
        Of a module its own path, "bert.encoder.layer.0" (the model itself: ""); of an operation the path of
        the module that it happens in.
    name
        The class of a module, or an operation as it is written: ``view(2, 7, 4, 32)``, ``transpose(1, 2)``,
        ``matmul``, ``softmax(dim=-1)``, ``[:, 0]``, ``+``.
    depth
        How many modules it happens in; the model itself has 0.
    parent
        The index of the module call that it happens in; None for the model itself.
    last
        The index of the last step inside it; its own if there is none.
    inputs, outputs
        The tensors that go in (without parameters) and come out.
    parameters
        How many numbers its parameters have: of a module all inside it, each counted once.
    weights
        The parameters themselves: of an operation those it is given, of a module those directly in it.
    source
        The line where the module is called or the operation written.
    numbers
        With ``values=True``, for each of `outputs` what is in it (None where it is not numbers), else None.
    """

    index: int  # type: ignore[assignment]  # a place among the steps, no method of tuples
    kind: Kind
    path: str
    name: str
    depth: int
    parent: int | None
    last: int
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    parameters: int = 0
    weights: tuple[Value, ...] = ()
    source: Source | None = None
    numbers: tuple[Numbers | None, ...] | None = None


class Failure(NamedTuple):
    """Why and where a forward pass ended early.

    ``step`` is the index of the innermost step that did not end; it and the modules around it have no
    outputs.
    ``message`` is one sentence, ``error`` what was raised ("IndexError: index out of range in self").
    """

    step: int
    message: str
    source: Source | None
    error: str


@dataclass(frozen=True, eq=False, repr=False)
class Trace:
    """Every step of one forward pass, with the shapes that went in and came out; see :func:`trace`.

    Parameters
    ----------
    model_name
        The class of the model.
    steps
        Modules and operations, in the order in which they begin; the first is the model itself.
    inputs, outputs
        The tensors given to the model, labelled, and those it returned (none if it failed).
    parameters
        How many numbers the model's parameters have, each counted once.
    sizes
        The axis names that were found and their sizes, {"batch": 2, "seq_len": 7, "hidden_size": 128, …}.
    failure
        None, or why and where the pass ended early.
    result
        With ``values=True``, what the model returned; else None.
    """

    model_name: str
    steps: tuple[Step, ...]
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    parameters: int
    sizes: Mapping[str, int] = field(default_factory=dict)
    failure: Failure | None = None
    result: Any = None

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def path(self, name: str = "input_ids") -> list[Step]:
        """Return the steps that a tensor goes through, from where it comes in to the outputs, in order.

        Parameters
        ----------
        name
            An input ("input_ids"), a parameter ("bert.pooler.dense.weight"), or the path of a module
            ("bert.embeddings"): then its outputs are followed.

        Raises
        ------
        TraceError
            One line, if nothing in the trace has that name.
        """
        from bertviz_lite.trace.showing.paths import path

        return path(self, name)

    def table(self, depth: int | None = None, *, operations: bool = True) -> str:
        """Return the steps as a table of text, `depth` modules deep at most, with or without operations."""
        from bertviz_lite.trace.showing.table import table

        return table(self, depth, operations=operations)

    def figure(self, value: str = "input_ids", **options: Any) -> PathFigure:  # noqa: ANN401
        """Draw the path of one tensor; see :mod:`bertviz_lite.trace.showing.path_figure`."""
        from bertviz_lite.trace.showing.path_figure import figure

        return figure(self, value, **options)

    def follow(self, name: str = "input_ids") -> View:
        """Return a widget that steps along the path of one tensor: forward, back, modules folded."""
        from bertviz_lite.views.trace.view import TraceView

        return TraceView(self, name)

    def diff(self, other: Trace) -> TraceDiff:
        """Compare with another trace: which steps appear, vanish, or change shape."""
        from bertviz_lite.trace.showing.diff import diff

        return diff(self, other)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        failed = "; failed" if self.failure else ""
        return f"Trace({self.model_name}: {len(self.steps)} steps{failed})"

    def _repr_html_(self) -> str:
        from bertviz_lite.trace.showing.tree import html

        return html(self)
