"""One student's notebook, graded: exercise by exercise, each in a process of its own."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bertviz_lite.basics.notebook_files import text_of
from bertviz_lite.basics.text import readable
from bertviz_lite.exercises import Exercise
from bertviz_lite.exercises.grading.copying import is_copied, is_same_code
from bertviz_lite.exercises.grading.handout import make_handout
from bertviz_lite.exercises.grading.judging import judge
from bertviz_lite.exercises.grading.notebooks.code import imported_modules
from bertviz_lite.exercises.grading.notebooks.exercise_cells import is_cell
from bertviz_lite.exercises.grading.results import (
    FAILED,
    NOT_ANSWERED,
    PASSED,
    TAMPERED,
    UNREADABLE,
    Result,
)
from bertviz_lite.exercises.grading.sandbox.jobs import Job
from bertviz_lite.exercises.grading.sandbox.parent import BrokenExerciseError, Sandbox
from bertviz_lite.exercises.grading.slicing import Statement, needed, pieces, statements_of
from bertviz_lite.exercises.grading.tampering import changed_check, replaced_check, taken_solution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bertviz_lite.basics.notebook_files import Notebook
    from bertviz_lite.exercises.grading.notebooks.exercise_cells import Exercised
    from bertviz_lite.exercises.grading.submissions import Handout, Submission

__all__ = ["Limits", "grade"]

_PACKAGE = Path(__file__).parents[2]
_LONGEST = 300  # characters of a message


@dataclass(frozen=True)
class Limits:
    """What an answer may use.

    Attributes
    ----------
    seconds
        Time for one exercise.
    megabytes
        Memory beyond what Python and torch take.
    hidden
        Files and folders that no answer may read: what the class has handed in.
    """

    seconds: float = 20.0
    megabytes: int = 4000
    hidden: tuple[Path, ...] = ()


@dataclass(frozen=True)
class _HandedIn:
    """A student's notebook as grading sees it."""

    notebook: Notebook
    statements: list[Statement]
    own: set[int]
    broken: dict[int, str]
    modules: dict[str, str]

    @property
    def own_statements(self) -> list[Statement]:
        """What the student has written."""
        return [statement for statement in self.statements if statement.cell in self.own]


def grade(submission: Submission, sandbox: Sandbox, limits: Limits) -> Iterator[Result]:
    """Grade each exercise of a student's notebook."""
    handout = submission.handout
    if handout is None:
        return
    handed_in = _read(submission.notebook, handout) if submission.notebook else None
    for exercised in handout.exercises:
        if handed_in is None:
            result, message = UNREADABLE, f"the file {submission.problem}"
        else:
            result, message = _grade(exercised, handed_in, handout, sandbox, limits)
        line = readable(" ".join(message.split()))
        yield Result(submission.student, handout.chapter, exercised.name, result, line[:_LONGEST])


def _read(notebook: Notebook, handout: Handout) -> _HandedIn:
    if all(changed_check(exercised, notebook) for exercised in handout.exercises):
        # Somebody has worked in a copy of the chapter itself: that becomes a handout first.
        notebook = make_handout(notebook)
    statements, broken = statements_of(notebook)
    answers = {exercised.answer["id"] for exercised in handout.exercises}
    given = {text_of(cell).strip() for cell in handout.notebook["cells"] if cell["id"] not in answers}
    own = {
        number
        for number, cell in enumerate(notebook["cells"])
        if cell["cell_type"] == "code" and text_of(cell).strip() not in given
    }
    return _HandedIn(notebook, statements, own, broken, imported_modules(notebook))


def _grade(
    exercised: Exercised, handed_in: _HandedIn, handout: Handout, sandbox: Sandbox, limits: Limits
) -> tuple[str, str]:
    name = str(exercised.check.answer)
    exercise = _exercise(exercised, handout)
    answers = [statement for statement in handed_in.own_statements if name in statement.binds]
    chosen = needed(name, handed_in.statements, answers[-1].cell) if answers else []
    own = [statement for statement in chosen if statement.cell in handed_in.own]
    sign = (
        changed_check(exercised, handed_in.notebook)
        or replaced_check(handed_in.own_statements, handed_in.modules, exercised.name)
        or taken_solution(own)
    )
    if answers and is_copied(answers[-1].node, exercise):
        sign = sign or "it is the course's own solution"
    if not answers:
        passed, message = _unread(exercised, handed_in)
    elif _is_as_given(exercised, handed_in, answers[-1]):
        passed, message = None, ""
    else:
        job = Job(
            exercised.check.module,
            exercised.name,
            name,
            pieces(chosen, handed_in.notebook),
            paths=[str(handout.path.parent.resolve())] if _is_beside(exercised, handout) else [],
            hidden=_hidden(exercise, limits),
            seconds=limits.seconds,
            megabytes=limits.megabytes,
        )
        with sandbox.process(job) as process:
            passed, message = judge(exercise, process)
            sign = sign or _refused(process.refused)
    if sign:
        return TAMPERED, f"{sign} (the answer itself would pass)" if passed else sign
    if passed and is_same_code(answers[-1].node, exercise):
        message = "the same code as the course's solution, but so short that it can be written twice"
    return {True: PASSED, False: FAILED, None: NOT_ANSWERED}[passed], message


def _exercise(exercised: Exercised, handout: Handout) -> Exercise:
    folder = str(handout.path.parent.resolve())
    if _is_beside(exercised, handout) and folder not in sys.path:
        sys.path.append(folder)
    try:
        found = getattr(importlib.import_module(exercised.check.module), exercised.name)
    except (ImportError, AttributeError) as error:
        raise BrokenExerciseError(f"{handout.path.name}: {error}") from None
    if not isinstance(found, Exercise):
        raise BrokenExerciseError(
            f"{handout.path.name}: {exercised.check.module}.{exercised.name} is no exercise"
        )
    return found


def _is_beside(exercised: Exercised, handout: Handout) -> bool:
    """Whether the exercise is in a file of the teacher's own, beside the handout."""
    return (handout.path.parent / f"{exercised.check.module}.py").is_file()


def _hidden(exercise: Exercise, limits: Limits) -> list[str]:
    """List what an answer may not read: solutions, their tests, and what others have handed in."""
    own = sys.modules[exercise.reference.__module__].__file__
    places = [*sorted((_PACKAGE / "chapters").glob("*/exercises")), _PACKAGE.parent / "tests", *limits.hidden]
    return [str(Path(place).resolve()) for place in (*places, own) if place is not None]


def _unread(exercised: Exercised, handed_in: _HandedIn) -> tuple[bool | None, str]:
    """Say why there is no answer: its cell is gone, or is no Python."""
    for number, message in handed_in.broken.items():
        cell = handed_in.notebook["cells"][number]
        if is_cell(cell, exercised.answer) or str(exercised.check.answer) in text_of(cell):
            return False, f"its cell is no Python: {message}"
    return None, "the cell for the answer is missing"


def _is_as_given(exercised: Exercised, handed_in: _HandedIn, answer: Statement) -> bool:
    """Whether the cell for the answer is still the handout's."""
    return text_of(handed_in.notebook["cells"][answer.cell]).strip() == text_of(exercised.answer).strip()


def _refused(refused: list[list[str]]) -> str | None:
    for kind, what in refused:
        if kind in ("solution", "process"):
            return f"its code tried to {what}"
    return None
