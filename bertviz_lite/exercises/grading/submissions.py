"""What a class has handed in: whose notebook it is, and of which handout.

A sub-folder is a student (``ana/03_attention.ipynb``: so learning platforms and nbgrader's `submitted` give
it); a notebook beside others is its name's (``ana_03_attention.ipynb``, ``03_attention (ana).ipynb``).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bertviz_lite.basics.notebook_files import NotebookError, read_checked
from bertviz_lite.exercises.grading.notebooks.exercise_cells import exercises_of, grade_id

if TYPE_CHECKING:
    from pathlib import Path

    from bertviz_lite.basics.notebook_files import Notebook
    from bertviz_lite.exercises.grading.notebooks.exercise_cells import Exercised

__all__ = ["Handout", "Submission", "find_handouts", "find_submissions"]

_BETWEEN = " _-.,()[]"


@dataclass(frozen=True)
class Handout:
    """What was handed out.

    Attributes
    ----------
    chapter
        Its file's name, without the ending.
    path, notebook
        The file, and what is in it.
    exercises
        Its exercises, in its order.
    """

    chapter: str
    path: Path
    notebook: Notebook
    exercises: list[Exercised]


@dataclass(frozen=True)
class Submission:
    """What a student has handed in.

    Attributes
    ----------
    student
        A name.
    path
        The file.
    handout
        What it is an answer to; None if nothing that is known.
    notebook
        What is in it; None if it is no notebook.
    problem
        What is wrong with the file.
    """

    student: str
    path: Path
    handout: Handout | None
    notebook: Notebook | None
    problem: str = ""


def find_handouts(folder: Path) -> list[Handout]:
    """Return the handouts of a folder."""
    found = []
    for path in sorted(folder.glob("*.ipynb")):
        notebook = read_checked(path)
        found.append(Handout(path.stem, path, notebook, exercises_of(notebook)))
    return [handout for handout in found if handout.exercises]


def find_submissions(folder: Path, handouts: list[Handout]) -> list[Submission]:
    """Return the notebooks of a folder and its sub-folders, with their students."""
    paths = [path for path in folder.rglob("*.ipynb") if not _is_hidden(path.relative_to(folder))]
    found = [_submission(path, folder, handouts) for path in sorted(paths)]
    times = Counter((one.student, one.handout.chapter if one.handout else "") for one in found)
    return [
        replace(one, student=f"{one.student} ({one.path.relative_to(folder).as_posix()})")
        if times[one.student, one.handout.chapter if one.handout else ""] > 1
        else one
        for one in found
    ]


def _is_hidden(path: Path) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in path.parts)


def _submission(path: Path, folder: Path, handouts: list[Handout]) -> Submission:
    try:
        notebook, problem = read_checked(path), ""
    except NotebookError as error:
        notebook, problem = None, str(error)
    handout = _by_cells(notebook, handouts) if notebook else None
    handout = handout or _by_name(path, handouts)
    parts = path.relative_to(folder).parts
    student = parts[0] if len(parts) > 1 else _without(path.stem, handout.chapter if handout else "")
    return Submission(student, path, handout, notebook, problem)


def _by_cells(notebook: Notebook, handouts: list[Handout]) -> Handout | None:
    """Return the handout most of whose exercises have a cell here."""
    names = {grade_id(cell) for cell in notebook["cells"]} | {
        str(cell.get("id")) for cell in notebook["cells"]
    }
    best, most = None, 0
    for handout in handouts:
        named = [{exercised.name, str(exercised.locked.get("id"))} for exercised in handout.exercises]
        common = sum(bool(either & names) for either in named)
        if common > most:
            best, most = handout, common
    return best


def _by_name(path: Path, handouts: list[Handout]) -> Handout | None:
    named = [handout for handout in handouts if handout.chapter in path.stem]
    return max(named, key=lambda handout: len(handout.chapter)) if named else None


def _without(stem: str, chapter: str) -> str:
    """Return what a file's name says besides the chapter's."""
    before, _, after = stem.partition(chapter) if chapter else (stem, "", "")
    return " ".join(part for part in (before.strip(_BETWEEN), after.strip(_BETWEEN)) if part) or stem
