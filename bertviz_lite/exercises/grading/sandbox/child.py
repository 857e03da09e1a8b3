"""The process in which a student's statements run, and nothing else is run after them."""

from __future__ import annotations

import ast
import builtins
import importlib
import json
import linecache
import os
import sys
import warnings
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import torch

from bertviz_lite.exercises.grading.notebooks.code import bound_by
from bertviz_lite.exercises.grading.sandbox.doors import Report, shut
from bertviz_lite.exercises.grading.sandbox.limits import die_with_parent, limit, move_into, without_network
from bertviz_lite.exercises.grading.sandbox.stand_ins import StandIn, forget
from bertviz_lite.exercises.grading.sandbox.values import encoded
from bertviz_lite.exercises.running import Answer, Raised, parameters, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from bertviz_lite.exercises import Exercise
    from bertviz_lite.exercises.grading.sandbox.jobs import Job, Piece

__all__ = ["Answered", "quiet", "serve"]


class Answered:
    """An answer with all that is needed to run it, but its solution."""

    def __init__(self, exercise: Exercise) -> None:
        self.cases = list(exercise.cases()) if exercise.cases else []
        self.names = parameters(exercise.reference) if exercise.cases else []
        self.is_question = exercise.cases is None
        self.call, self.value = exercise.call, None  # type: Callable[..., object], object

    def reply(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Do what is asked, and say what came of it."""
        answer = Answer(self.value, self.call)
        if "run" in asked:
            case = self.cases[asked["run"]]
            outcome = answer.run(asked["run"], case)
            changed = [] if isinstance(outcome.result, Raised) else outcome.changed(case)
            return {"result": encoded(outcome.result), "unfinished": outcome.unfinished, "changed": changed}
        if "uses" in asked:
            return {"uses": answer.uses(frozenset(asked["uses"]), self.cases[0])}
        return {
            "is": _kind(self.value),
            "value": encoded(self.value) if self.is_question else None,
            "misfit": answer.misfit(self.names) if callable(self.value) and not self.is_question else None,
        }


def serve(job: Job, questions: BinaryIO, replies: BinaryIO, answered: Answered | None = None) -> None:
    """Run an answer's statements, then answer what is asked about it until nothing more is asked.

    The exercise's inputs may be there already, made before the fork.
    """
    try:
        answered, report = _prepare(job, answered)
    except Exception as error:  # noqa: BLE001 - the teacher's exercise, not the student: say so
        _say(replies, job.key, {"broken": f"{type(error).__name__}: {error}"})
        return
    _say(replies, job.key, {"ready": True})  # from here on it is the student's time
    failure = _fill(answered, job)
    _say(replies, job.key, {**(failure or answered.reply({})), "refused": report})
    for line in questions:
        try:
            told = answered.reply(json.loads(line))
        except BaseException as error:  # noqa: BLE001 - a result that raises when it is looked at
            raised = Raised(f"{type(error).__name__} when its result was read", "")
            told = {"result": encoded(raised), "unfinished": False, "changed": [], "uses": False}
        _say(replies, job.key, {**told, "refused": report})


def _prepare(job: Job, answered: Answered | None) -> tuple[Answered, Report]:
    """Make the inputs, then shut the doors and forget the solution."""
    die_with_parent()
    warnings.simplefilter("ignore")
    sys.dont_write_bytecode = True
    torch.set_num_threads(1)
    sys.path[:0] = job.paths
    answered = answered or Answered(getattr(importlib.import_module(job.module), job.exercise))
    _leave_out_of_tracebacks(job.hidden)
    move_into(Path(job.home))
    without_network()
    limit(job.seconds, job.megabytes)
    report = shut(job.home, job.hidden)
    forget(job.module, report)
    return answered, report


def _leave_out_of_tracebacks(hidden: list[str]) -> None:
    """Let Python find no lines of these files, which it would read to show them."""
    for place in map(Path, hidden):
        for file in place.rglob("*.py") if place.is_dir() else [place]:
            linecache.cache[str(file)] = (0, None, [], str(file))


def _fill(answered: Answered, job: Job) -> dict[str, Any] | None:
    """Run the statements; return what to tell where they fail."""
    space: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
    for piece in job.pieces:
        failed = run(lambda statements: statements(), _statements(piece, space), ())
        if isinstance(failed, Raised):
            return {"is": "raised", "value": encoded(failed)}
    answered.value = space.get(job.answer, ...)
    return None


def _statements(piece: Piece, space: dict[str, Any]) -> Callable[[], object]:
    """Return the statements of a cell as a function, so that an error in them names its line."""
    lines = piece.source.splitlines(keepends=True)
    linecache.cache[piece.cell] = (len(piece.source), None, lines, piece.cell)
    tree, body = ast.parse(piece.source), []
    for number, names in piece.take:
        node = tree.body[number]
        if names is not None and isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [name for name in node.names if bound_by(name) in names]
        body.append(node)
    return FunctionType(compile(ast.Module(body, []), piece.cell, "exec"), space)


def _kind(value: object) -> str:
    if value is None or value is ...:
        return "missing"
    if isinstance(value, StandIn):
        return "the exercise itself"
    return "callable" if callable(value) else "value"


def _say(replies: BinaryIO, key: str, told: dict[str, Any]) -> None:
    replies.write(json.dumps({"key": key, **told}).encode() + b"\n")
    replies.flush()


def quiet() -> tuple[BinaryIO, BinaryIO]:
    """Take the pipes away from standard input and output, which what a student prints must not reach."""
    questions, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.close(nothing)
    return questions, replies
