"""The trace view: walk along the path of one tensor, step by step, through the modules of a model.

A step is an operation, or a module that is closed. Open a module, and its steps are walked one by one; close
it, and it is one step. The view shows the shape that comes in, what is done, the shape that goes out, what
changed in one sentence, and the line of source. Every path travels to the page as a whole, so that a saved
page walks as well as a live one.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import traitlets as t

from bertviz_lite.basics.text import readable
from bertviz_lite.views.base.errors import ViewError, ViewTypeError
from bertviz_lite.views.base.sources import read_module, read_style
from bertviz_lite.views.base.static import Static, Table
from bertviz_lite.views.base.traits import Choice, Index
from bertviz_lite.views.base.view import View
from bertviz_lite.views.trace.packing import packed
from bertviz_lite.views.trace.walks import Hop, Walk, Walks

__all__ = ["TraceView"]

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
    """An interactive walk along the path of one tensor; ``trace(model, …).follow("input_ids")`` makes one.

    Parameters
    ----------
    walks
        The paths that can be followed, and the one that is shown first.
    value
        The tensor that is followed, by its name.
    step
        Where the reader stands: 0 is the tensor as it comes in, n the n-th step of its path, modules and
        operations counted as they begin. Inside a closed module, that module is shown.
    collapsed
        The paths of the modules that are one step. By default the inner ones are, so that about a dozen steps
        are left.

    Raises
    ------
    ViewError
        If a value means nothing here; the state stays as it was.

    Examples
    --------
    >>> view = trace(model, **inputs).follow("input_ids")  # doctest: +SKIP
    >>> view.collapsed = []  # every module open  # doctest: +SKIP
    >>> view.save("trace.html")  # doctest: +SKIP
    """

    _esm = read_module("trace")
    _css = read_style("trace")
    title: ClassVar[str] = "The path of a tensor, step by step"
    about: ClassVar[str] = (
        "The way of a tensor through a model, with every shape: go step by step, or choose a step to open it"
    )
    state: ClassVar[tuple[str, ...]] = ("value", "step", "collapsed")

    value = Choice("_names", "").tag(sync=True)
    step = Index("_size", "steps on the path and its start").tag(sync=True)
    collapsed = _Paths().tag(sync=True)

    _trace = t.Dict().tag(sync=True)

    def __init__(self, walks: Walks, **state: Any) -> None:  # noqa: ANN401
        if not isinstance(walks, Walks):
            raise ViewTypeError(
                f"TraceView() shows the walks of a trace, not {type(walks).__name__}: call "
                "trace(model, …).follow()."
            )
        unknown = sorted(set(state) - set(self.state))
        if unknown:
            raise ViewTypeError(
                f"{unknown[0]}={state[unknown[0]]!r}: TraceView knows {', '.join(self.state)}."
            )
        self._walks = walks
        super().__init__(_trace=packed(walks), value=walks.first)
        self.collapsed = list(walks.collapsed)
        for name in self.state:
            if name in state:
                setattr(self, name, state[name])

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(self._walks.walks)

    @property
    def _walk(self) -> Walk:
        return self._walks.walks[self.value]

    @property
    def _size(self) -> int:
        return len(self._walk.hops) + 1 if self.value else 1

    @cached_property
    def _foldable(self) -> tuple[str, ...]:
        """The paths of the modules that can be closed, each once, in the order of their steps."""
        paths = {hop.step.index: hop.step.path for walk in self._walks.walks.values() for hop in walk.modules}
        return tuple(dict.fromkeys(paths[index] for index in sorted(paths)))

    @t.observe("value")
    def _start_again(self, _: object) -> None:
        self.step = 0

    def __repr__(self) -> str:
        state = f"value={self.value!r}, step={self.step}, {len(self.collapsed)} modules collapsed"
        return f"TraceView({self._walks.model_name}, {self._walks.steps} steps, {state})"

    def _stops(self) -> list[Hop]:
        return self._walk.stops(self.collapsed)

    def _here(self) -> Hop | None:
        """Return the step that is shown: a closed module around the chosen one, or the first inside it."""
        if self.step == 0:
            return None
        chosen = self._walk.hops[self.step - 1].step.index
        stops = self._stops()
        around = [hop for hop in stops if hop.step.index <= chosen <= hop.step.last]
        return around[0] if around else next(hop for hop in stops if hop.step.index > chosen)

    def _static(self) -> Static:
        figure, alt = self._walks.draw(self.value)
        return Static(figure, alt, self._caption(), (self._table(),))

    def _caption(self) -> str:
        here = self._here()
        return "" if here is None else f"Step {self.step}: {readable(here.step.title)}. {here.sentence}"

    def _table(self) -> Table:
        stops = self._stops()
        rows = []
        for hop in stops[:_ROWS]:
            shapes = [shape.text if shape is not None else "–" for shape in (hop.before, hop.after)]
            line = hop.step.source.rpartition("/")[2]
            rows.append([readable(hop.step.title), *shapes, hop.sentence, line])
        many = (
            f"The {len(stops)} steps" if len(stops) <= _ROWS else f"The first {_ROWS} of {len(stops)} steps"
        )
        columns = ("step", "comes in", "goes out", "what changes", "line")
        return Table(f"{many} of {readable(self.value)}", columns, rows)
