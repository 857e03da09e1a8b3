"""One forward pass as it was recorded: its steps, what went in, what came out.

Whatever shows a trace (table, tree, figure, comparison, view) reads this; `Trace` adds the methods.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bertviz_lite.trace.steps.step import Failure, Step
from bertviz_lite.trace.steps.values import Value

__all__ = ["RecordedPass"]


@dataclass(frozen=True, eq=False, repr=False)
class RecordedPass:
    """Every step of one forward pass, with the shapes that went in and came out: the data of `Trace`."""

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
