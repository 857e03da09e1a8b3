"""The trace view: walk along the path of one tensor, step by step, through the modules of a model.

A step is an operation, or a module that is closed. Open a module, and its steps are walked one by one; close
it, and it is one step. What stands there: the shape that comes in, what is done, the shape that goes out, in
one sentence what changed, and the line of source. Every path travels to the page as a whole, so that a saved
page walks as well as a live one.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets as t

from bertviz_lite.basics.text import clip, readable
from bertviz_lite.trace.recording.steps import Trace
from bertviz_lite.trace.showing import path_figure, words
from bertviz_lite.trace.showing.route import Route, route
from bertviz_lite.trace.showing.table import single
from bertviz_lite.views.base.view import (
    Choice,
    Index,
    Static,
    Table,
    View,
    ViewError,
    read_module,
    read_style,
)

if TYPE_CHECKING:
    from collections.abc import Hashable

    from bertviz_lite.trace.recording.steps import Step, Value

__all__ = ["TraceView"]

_STOPS = 12
"""Modules are opened at first until the path has about so many steps."""

_ROWS = 80


class _Paths(t.TraitType[Any, Any]):
    """A selection of module paths, each once, in the order of the trace."""

    def default(self, obj: Any = None) -> list[str]:  # noqa: ANN401, ARG002
        return []

    def validate(self, obj: TraceView, value: object) -> list[str]:
        if not isinstance(value, list | tuple | set | frozenset):
            raise ViewError(f"{self.name}={value!r}: a list of module paths is needed, such as ['bert'].")
        for path in value:
            if path not in obj._foldable:
                some = ", ".join(map(repr, [known for known in obj._foldable if known][:3]))
                raise ViewError(f"{self.name}: {path!r} is no module with steps in it; there are {some}, ….")
        return [path for path in obj._foldable if path in value]


class TraceView(View):
    """An interactive walk along the path of one tensor.

    Parameters
    ----------
    trace
        What :func:`bertviz_lite.trace` returns.
    value
        What is followed: an input ("input_ids"), a parameter, or the path of a module, then its output.
    step
        Where the reader stands: 0 is the tensor as it comes in, n the n-th step of its path, modules and
        operations counted as they begin. Inside a closed module, that module is shown.
    collapsed
        The paths of the modules that are one step. By default the inner ones are, so that about a dozen steps
        are left.

    Raises
    ------
    TypeError
        If `trace` is no Trace.
    TraceError
        If nothing in the trace is called `value`.
    ViewError
        If another value means nothing here; the state stays as it was.

    Examples
    --------
    >>> view = trace(model, **inputs).follow("input_ids")  # doctest: +SKIP
    >>> view.collapsed = []  # every module open  # doctest: +SKIP
    >>> view.save("trace.html")  # doctest: +SKIP
    """

    _esm = read_module("trace")
    _css = read_style("trace")
    title: ClassVar[str] = "The path of a tensor, step by step"
    state: ClassVar[tuple[str, ...]] = ("value", "step", "collapsed")

    value = Choice("_names", "").tag(sync=True)
    step = Index("_size", "steps on the path and its start").tag(sync=True)
    collapsed = _Paths().tag(sync=True)

    _trace = t.Dict().tag(sync=True)

    def __init__(self, trace: Trace, value: str = "input_ids", **state: Any) -> None:  # noqa: ANN401
        if not isinstance(trace, Trace):
            raise TypeError(f"TraceView() shows what trace() returns, not {type(trace).__name__}.")
        unknown = sorted(set(state) - set(self.state))
        if unknown:
            raise TypeError(f"{unknown[0]}={state[unknown[0]]!r}: TraceView knows {', '.join(self.state)}.")
        self.trace = trace
        self._routes = {value: route(trace, value)}
        for name in dict.fromkeys(one.label for one in trace.inputs if one.label):
            self._routes.setdefault(name, route(trace, name))
        super().__init__(_trace=_packed(trace, self._routes), value=value)
        closed = self._routes[value].summary(_STOPS)
        self.collapsed = list({trace.steps[index].path for index in closed})
        for name in ("collapsed", "step"):
            if name in state:
                setattr(self, name, state[name])

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(self._routes)

    @property
    def _route(self) -> Route:
        return self._routes[self.value]

    @property
    def _size(self) -> int:
        return len(self._route.steps) + 1 if self.value else 1

    @cached_property
    def _foldable(self) -> tuple[str, ...]:
        """The paths of the modules that can be closed, each once, in the order of the trace."""
        steps = {step.index: step.path for way in self._routes.values() for step in way.modules}
        return tuple(dict.fromkeys(steps[index] for index in sorted(steps)))

    @t.observe("value")
    def _start_again(self, _: object) -> None:
        self.step = 0

    def __repr__(self) -> str:
        state = f"value={self.value!r}, step={self.step}, {len(self.collapsed)} modules collapsed"
        return f"TraceView({self.trace.model_name}, {len(self.trace.steps)} steps, {state})"

    def _stops(self) -> list[Step]:
        closed = {step.index for step in self._route.modules if step.path in self.collapsed}
        return self._route.stops(closed)

    def _here(self) -> Step | None:
        """Return the step that is shown: a closed module around the chosen one, or the first inside it."""
        if self.step == 0:
            return None
        chosen = self._route.steps[self.step - 1]
        stops = self._stops()
        around = [stop for stop in stops if stop.index <= chosen.index <= stop.last]
        return around[0] if around else next(stop for stop in stops if stop.index > chosen.index)

    def _static(self) -> Static:
        drawn = path_figure.figure(self.trace, self.value)
        return Static(drawn, drawn.alt, self._caption(), (self._table(),))

    def _caption(self) -> str:
        here = self._here()
        if here is None:
            return ""
        hop = self._route.hops[here.index]
        return f"Step {self.step}: {_title(here)}. {_sentence(self.trace, here, hop)}"

    def _table(self) -> Table:
        stops = self._stops()
        rows = []
        for step in stops[:_ROWS]:
            hop = self._route.hops[step.index]
            what = _title(step)
            shapes = [words.shape(one) if one is not None else "–" for one in (hop.before, hop.after)]
            rows.append([what, *shapes, _sentence(self.trace, step, hop), words.place(step.source)])
        many = (
            f"The {len(stops)} steps" if len(stops) <= _ROWS else f"The first {_ROWS} of {len(stops)} steps"
        )
        columns = ("step", "comes in", "goes out", "what changes", "line")
        return Table(f"{many} of {readable(self.value)}", columns, rows)


def _title(step: Step) -> str:
    """Return a step with the module that it is in, or that it is: "bert.pooler: [:, 0]"."""
    path = readable(step.path)
    return f"{path}: {readable(step.name)}" if path else readable(step.name)


def _sentence(trace: Trace, step: Step, hop: words.Hop) -> str:
    if trace.failure is not None and step.index == trace.failure.step:
        return f"✗ Failed here: {readable(trace.failure.message)}"
    if step.index in words.failing(trace):
        return f"✗ Did not end: {readable(trace.failure.message) if trace.failure else ''}"
    return words.change(step, hop.before, hop.after)


# ---- a trace in as few bytes as will do: every text and every shape once, by number


class _Once:
    """Things by number, each kept once."""

    def __init__(self) -> None:
        self.number: dict[Hashable, int] = {}
        self.things: list[Any] = []

    def __call__(self, thing: Any, key: Hashable = None) -> int:  # noqa: ANN401
        key = thing if key is None else key
        if key not in self.number:
            self.number[key] = len(self.things)
            self.things.append(thing)
        return self.number[key]


def _packed(trace: Trace, routes: dict[str, Route]) -> dict[str, Any]:
    """Return what the page needs of a trace, as JSON has it; see ``readPath`` in trace.js."""
    texts, shapes, nodes = _Once(), _Once(), _Once()

    def shape(value: Value | None) -> int:
        if value is None:
            return -1
        axes = [[axis.size, axis.name or "", readable(str(axis))] for axis in value.axes]
        return shapes(axes, words.shape(value))

    def hop(way: Route, step: Step) -> list[Any]:
        found = way.hops[step.index]
        others = [one for one in step.inputs if found.before is None or one.id != found.before.id]
        said = [texts(_also(one)) for one in others]
        node = nodes(_node(trace, step, texts), step.index)
        return [node, shape(found.before), shape(found.after), texts(_sentence(trace, step, found)), said]

    paths = {
        name: {
            "start": shape(way.start[0] if way.start else None),
            "hops": [hop(way, step) for step in way.steps],
        }
        for name, way in routes.items()
    }
    return {
        "model": readable(trace.model_name),
        "failure": readable(trace.failure.message) if trace.failure is not None else "",
        "legend": words.LEGEND,
        "texts": texts.things,
        "shapes": shapes.things,
        "nodes": nodes.things,
        "paths": paths,
    }


def _also(value: Value) -> str:
    label = f"{readable(value.label)} " if value.label else ""
    return f"{label}{words.shape(value)}"


def _node(trace: Trace, step: Step, texts: _Once) -> list[Any]:
    """Return a step as a list: what stands at which place, ``readPath`` in trace.js says."""
    failed = step.index in words.failing(trace)
    source = step.source
    known = [one for one in step.numbers or () if one is not None]
    numbers = "; ".join(
        f"min {one.min:.4g}, mean {one.mean:.4g}, max {one.max:.4g}, std {one.std:.4g}" for one in known
    )
    return [
        step.index,
        int(step.kind == "module"),
        texts(readable(step.name)),
        texts(step.path),  # as `collapsed` has it
        -1 if step.parent is None else step.parent,
        int(step.kind == "module" and single(trace, step) is None),
        int(failed),
        step.parameters,
        texts(words.place(source, whole=True)),
        texts(clip(readable(source.text), 200) if source is not None else ""),
        texts(numbers.replace("-", "−")),
        texts(", ".join(map(_also, step.weights))),
    ]
