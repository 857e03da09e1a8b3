"""The verdict on an answer that is run elsewhere: the exercise's own `check`, in this process."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

from bertviz_lite.exercises.grading.sandbox.parent import Gone
from bertviz_lite.exercises.grading.sandbox.values import decoded
from bertviz_lite.exercises.running import Answer, Outcome

if TYPE_CHECKING:
    from bertviz_lite.exercises import Case, Exercise
    from bertviz_lite.exercises.grading.sandbox.parent import Process

__all__ = ["judge"]


class _RemoteOutcome(Outcome):
    def __init__(self, told: dict[str, Any]) -> None:
        super().__init__(_result(told), unfinished=told.get("unfinished") is True)
        self._changed = [number for number in told.get("changed", []) if isinstance(number, int)]

    def changed(self, case: Case) -> list[int]:
        return [number for number in self._changed if 0 <= number < len(case.arguments)]


class _RemoteAnswer(Answer):
    """An answer in a process of the sandbox."""

    def __init__(self, process: Process, told: dict[str, Any]) -> None:
        super().__init__(None, lambda *_: None)
        self._process, self._told = process, told

    def is_callable(self) -> bool:
        return bool(self._told["is"] == "callable")

    def misfit(self, names: list[str]) -> str | None:  # noqa: ARG002 - the process has the names
        told = self._told.get("misfit")
        return None if told is None else str(told)

    def run(self, number: int, case: Case) -> Outcome:  # noqa: ARG002 - the process has the case
        return _RemoteOutcome(self._process.ask(run=number))

    def uses(self, operations: frozenset[str], case: Case) -> bool:  # noqa: ARG002
        return bool(self._process.ask(uses=sorted(operations)).get("uses"))


def _result(told: dict[str, Any]) -> object:
    try:
        return decoded(told.get("result"))
    except ValueError as error:
        raise Gone(f"sent {error}") from None


def judge(exercise: Exercise, process: Process) -> tuple[bool | None, str]:
    """Run an answer on the inputs; return whether it is right (None: no answer), and what is wrong."""
    try:
        told = process.start()
        if told["is"] == "raised":
            error = decoded(told["value"])
            return False, f"its code raised {getattr(error, 'message', '')}{getattr(error, 'where', '')}"
        if told["is"] == "missing":
            return None, ""
        answer = (
            _result({"result": told["value"]}) if exercise.cases is None else _RemoteAnswer(process, told)
        )
        with redirect_stdout(io.StringIO()):
            verdict = exercise.check(answer)
    except Gone as gone:
        return False, str(gone)
    if verdict.passed is None or verdict.passed:
        return verdict.passed, ""
    return False, _for_teachers(verdict.text.removeprefix(f"{exercise.name}: not yet. "))


def _for_teachers(text: str) -> str:
    """Shorten what students read: what is wrong, and in which line, but no numbers."""
    cause, *lines = (line.strip() for line in text.splitlines())
    cause = cause.replace("Your code raised", "its code raised")
    return " ".join([cause, *(line for line in lines if line.startswith("in line "))])
