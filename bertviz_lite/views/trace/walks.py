"""What the trace view shows, as plain data: the paths of tensors through the steps of a forward pass."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Hop", "Shape", "Walk", "WalkStep", "Walks"]


@dataclass(frozen=True)
class Shape:
    """The axes of a tensor: of each the size, the name ("" if it has none) and both as text; and all as text.

    >>> Shape(((2, "batch", "batch=2"), (7, "seq_len", "seq_len=7")), "[batch=2, seq_len=7]").text
    '[batch=2, seq_len=7]'
    """

    axes: tuple[tuple[int, str, str], ...]
    text: str


@dataclass(frozen=True)
class WalkStep:
    """One call of a module, or one operation, as the view shows it.

    Parameters
    ----------
    index, parent, last
        Its place among all steps; that of the module around it (None: there is none), and that of the last
        step inside it.
    name, path
        Of a module its class and its own path, of an operation how it is written and the module it is in.
    is_module, can_open
        Whether it is a module, and whether that holds more than one plain operation.
    failed
        Whether it, or a step inside it, ended the pass early.
    parameters
        How many numbers its parameters have.
    source, line
        Where it is written, "models/bert/modeling_bert.py:95", and the text of that line.
    numbers, weights
        What is in its outputs, and the shapes of its parameters, as text; "" if there are none.
    """

    index: int
    parent: int | None
    last: int
    name: str
    path: str
    is_module: bool
    can_open: bool
    failed: bool
    parameters: int
    source: str
    line: str
    numbers: str
    weights: str

    @property
    def title(self) -> str:
        """The step with the module that it is in, or that it is: "bert.pooler: [:, 0]"."""
        return f"{self.path}: {self.name}" if self.path else self.name


@dataclass(frozen=True)
class Hop:
    """A step of a walk: the shapes of the tensor before and after it, and what changed, in a sentence.

    ``others`` are the shapes of the other tensors that go in, as text.
    """

    step: WalkStep
    before: Shape | None
    after: Shape | None
    sentence: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Walk:
    """The path of one tensor: its shape at the start, then its steps, each module before what it holds."""

    start: Shape | None
    hops: tuple[Hop, ...]

    @cached_property
    def modules(self) -> tuple[Hop, ...]:
        """The modules that can be opened: steps of this walk lie inside."""
        following = [*self.hops[1:], *([None] if self.hops else [])]
        return tuple(
            hop
            for hop, after in zip(self.hops, following, strict=True)
            if hop.step.can_open and after is not None and after.step.index <= hop.step.last
        )

    def stops(self, collapsed: Collection[str]) -> list[Hop]:
        """Return where a reader stops: operations, and the modules whose path is in `collapsed`."""
        open_modules = {hop.step.index for hop in self.modules if hop.step.path not in collapsed}
        stops, passed = [], -1
        for hop in self.hops:
            if hop.step.index > passed and hop.step.index not in open_modules:
                stops.append(hop)
                passed = hop.step.last
        return stops


@dataclass(frozen=True)
class Walks:
    """The walks that a view offers, and the one that it begins with.

    Parameters
    ----------
    model_name, steps
        The class of the model, and how many steps its forward pass has.
    walks
        Each walk by the name of the tensor that is followed.
    first, collapsed
        The name of the walk that is shown first, and the paths of the modules that are closed then.
    draw
        Returns a figure of a walk, given its name, and the figure's alt text.
    failure
        Why the pass ended early; "" if it did not.
    legend
        What a mark behind a size means.
    """

    model_name: str
    steps: int
    walks: Mapping[str, Walk]
    first: str
    collapsed: tuple[str, ...]
    draw: Callable[[str], tuple[Figure, str]]
    failure: str = ""
    legend: str = ""
