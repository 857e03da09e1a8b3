"""What `trace` returns: the recorded pass, and every way to show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.trace.steps.recorded_pass import RecordedPass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bertviz_lite.trace.showing.diff.trace_diff import TraceDiff
    from bertviz_lite.trace.showing.figure.path_figure import PathFigure
    from bertviz_lite.trace.steps.step import Step
    from bertviz_lite.views.trace.view import TraceView

__all__ = ["Trace"]


class Trace(RecordedPass):
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
        from bertviz_lite.trace.showing.walk.path import path_of

        return path_of(self, name)

    def table(self, depth: int | None = None, *, operations: bool = True) -> str:
        """Return the steps as a table of text, `depth` modules deep at most, with or without operations."""
        from bertviz_lite.trace.showing.table import table

        return table(self, depth, operations=operations)

    def figure(
        self,
        value: str = "input_ids",
        *,
        inside: str | None = None,
        most: int = 8,
        title: str | None = None,
    ) -> PathFigure:
        """Draw the path of one tensor as boxes, a shape each.

        Parameters
        ----------
        value
            What is followed: an input, a parameter, or the path of a module, whose output it then is.
        inside
            The path of a module: only what happens in it is drawn, operation by operation.
        most
            About how many boxes there are at the most, where whole modules are drawn.
        title
            The finding, in a sentence; by default which axes the tensor gains, or why the pass failed.

        Raises
        ------
        TraceError
            One line, if nothing in the trace has that name, or the path does not lead through `inside`.
        """
        from bertviz_lite.trace.showing.figure.path_figure import figure

        return figure(self, value, inside=inside, most=most, title=title)

    def follow(
        self, name: str = "input_ids", *, step: int = 0, collapsed: Iterable[str] | None = None
    ) -> TraceView:
        """Return a widget that steps along the path of one tensor: forward, back, modules folded.

        Parameters
        ----------
        name
            What is followed: an input, a parameter, or the path of a module, whose output it then is.
        step
            Where the walk begins: 0 is the tensor as it comes in, n the n-th step of its path.
        collapsed
            The paths of the modules that are one step; by default the inner ones.

        Raises
        ------
        TraceError
            One line, if nothing in the trace has that name.
        ViewError
            One line, if there is no such step or module.
        """
        from bertviz_lite.trace.showing.walk.walks import walks_of
        from bertviz_lite.views.base.view import let_go
        from bertviz_lite.views.trace.view import TraceView

        view = TraceView(walks_of(self, name, self._drawn))
        try:
            if collapsed is not None:
                view.collapsed = collapsed
            view.step = step
        except Exception:
            let_go(view)
            raise
        return view

    def _drawn(self, name: str) -> tuple[PathFigure, str]:
        drawn = self.figure(name)
        return drawn, drawn.alt

    def diff(self, other: Trace) -> TraceDiff:
        """Compare with another trace: which steps appear, vanish, or change shape."""
        from bertviz_lite.trace.showing.diff.compare import diff

        return diff(self, other)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        failed = "; failed" if self.failure else ""
        return f"Trace({self.model_name}: {len(self.steps)} steps{failed})"

    def _repr_html_(self) -> str:
        from bertviz_lite.trace.showing.tree import html

        return html(self)
