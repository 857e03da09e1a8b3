"""One step of a forward pass: a call of a module, or an operation; and a step that failed."""

from __future__ import annotations

import linecache
from pathlib import PurePath
from typing import Literal, NamedTuple

from bertviz_lite.trace.steps.values import Numbers, Value

__all__ = ["Failure", "Kind", "Source", "Step"]

Kind = Literal["module", "operation"]


class Source(NamedTuple):
    """A line of code; its text is read on first use.

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
