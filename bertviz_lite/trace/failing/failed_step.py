"""The step that failed, with what is known of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bertviz_lite.trace.steps.step import Step
from bertviz_lite.trace.steps.values import Value


@dataclass(frozen=True)
class FailedStep:
    """The step that failed, those before it, and the range of the ids that it was given."""

    error: Exception
    step: Step
    before: Sequence[Step]
    inputs: Sequence[Value]
    ranges: Mapping[int, tuple[int, int]]

    @property
    def operation(self) -> str:
        """The operation without its numbers."""
        return (
            re.split(r"[(\s]", self.step.name)[0]
            if self.step.name[0].isalnum()
            else self.step.name.split()[0]
        )
