"""What stands for exercises in a student's process: `check` and `hint` do nothing, no solution is there."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from bertviz_lite.exercises import Exercise

if TYPE_CHECKING:
    from bertviz_lite.exercises.grading.sandbox.doors import Report

__all__ = ["StandIn", "forget"]


class StandIn:
    """An exercise without its solution."""

    def __init__(self, name: str, report: Report) -> None:
        self.name, self._report = name, report

    def check(self, answer: object = ...) -> None:
        """Say nothing: the check is made elsewhere."""

    def hint(self) -> None:
        """Say nothing."""

    def __getattr__(self, name: str) -> object:
        if not name.startswith("_"):
            self._report.append(["solution", f"use {self.name}.{name}"])
        raise AttributeError(f"{self.name}.{name} is not there while answers are graded")


def forget(name: str, report: Report) -> None:
    """Take every exercise out of this process; where this module was, there is one with stand-ins.

    What held exercises cannot be imported again: its files are hidden.
    """
    stand_in = _module(name, report)
    for imported, module in list(sys.modules.items()):
        exercises = {key: value for key, value in list(vars(module).items()) if isinstance(value, Exercise)}
        for key, exercise in exercises.items():
            exercise.reference = None  # type: ignore[assignment]
            exercise.mistakes.clear()
            if imported == name:
                setattr(stand_in, key, StandIn(key, report))
        if exercises:
            sys.modules[imported] = None  # type: ignore[assignment] # as Python marks what cannot be imported
    sys.modules[name] = stand_in
    above, _, last = name.rpartition(".")
    if above:
        setattr(sys.modules[above], last, stand_in)


def _module(name: str, report: Report) -> ModuleType:
    """Make an empty module that notes what is looked for in it."""

    def refuse(wanted: str) -> object:
        if not wanted.startswith("_"):
            report.append(["solution", f"use {name.rpartition('.')[2]}.{wanted}"])
        raise AttributeError(f"{name}.{wanted} is not there while answers are graded")

    module = ModuleType(name)
    module.__getattr__ = refuse  # type: ignore[method-assign]
    return module
