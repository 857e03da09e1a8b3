"""Grade a class: ``python -m bertviz_lite.exercises.grading FOLDER [--handout FOLDER] [--to grades.csv]``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tqdm import tqdm

from bertviz_lite.basics.notebook_files import NotebookError
from bertviz_lite.exercises.grading.grading import Limits, grade
from bertviz_lite.exercises.grading.report import by_exercise, by_student, tampered, write_csv
from bertviz_lite.exercises.grading.sandbox.parent import BrokenExerciseError, Sandbox
from bertviz_lite.exercises.grading.submissions import find_handouts, find_submissions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bertviz_lite.exercises.grading.results import Result
    from bertviz_lite.exercises.grading.submissions import Submission


def main(arguments: Sequence[str] | None = None) -> int:
    """Grade every notebook in a folder and write a line for each exercise of each student.

    The exit code is 0 if every notebook was graded, whatever came out; 1 if one could not be read or belongs
    to no handout; 2 if nothing was graded.
    """
    parser = argparse.ArgumentParser(
        prog="python -m bertviz_lite.exercises.grading", description=main.__doc__
    )
    parser.add_argument(
        "folder", type=Path, help="what was handed in: student/notebook.ipynb, or student_notebook.ipynb"
    )
    parser.add_argument(
        "--handout", type=Path, default=Path("build", "handout"), help="default: build/handout"
    )
    parser.add_argument("--to", type=Path, help="the table to write; default: grades.csv in the folder")
    parser.add_argument("--seconds", type=float, default=20.0, help="an answer's time; default: 20")
    parser.add_argument("--megabytes", type=int, default=4000, help="an answer's memory; default: 4000")
    options = parser.parse_args(arguments)
    try:
        submissions = _submissions(options.folder, options.handout)
        # Not the whole folder, in which the course itself may be.
        hidden = {options.folder / one.path.relative_to(options.folder).parts[0] for one in submissions}
        limits = Limits(options.seconds, options.megabytes, tuple(sorted(hidden)))
        results = _graded([one for one in submissions if one.handout], limits)
    except (NotebookError, BrokenExerciseError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    target = options.to or options.folder / "grades.csv"
    write_csv(results, target)
    tables = [table for table in (by_student(results), by_exercise(results), tampered(results)) if table]
    print("\n\n".join([*tables, f"{target}: {len(results)} answers"]))
    unread = [one for one in submissions if one.handout is None or one.notebook is None]
    for one in unread:
        print(f"{one.path} {one.problem or 'belongs to no handout'}.", file=sys.stderr)
    return 1 if unread else 0


def _submissions(folder: Path, handout_folder: Path) -> list[Submission]:
    if not folder.is_dir():
        raise NotebookError(f"there is no folder {folder}.")
    handouts = find_handouts(handout_folder)
    if not handouts:
        raise NotebookError(
            f"there is no handout in {handout_folder}: `make handout`, or name its folder by --handout."
        )
    submissions = find_submissions(folder, handouts)
    if not any(one.handout for one in submissions):
        raise NotebookError(f"no notebook in {folder} belongs to a handout of {handout_folder}.")
    return submissions


def _graded(submissions: list[Submission], limits: Limits) -> list[Result]:
    """Grade one after the other, with a bar where somebody watches."""
    total = sum(len(one.handout.exercises) for one in submissions if one.handout)
    results = []
    with Sandbox() as sandbox, tqdm(total=total, unit="exercise", disable=None, leave=False) as bar:
        for submission in submissions:
            bar.set_description(submission.student[:20])
            for result in grade(submission, sandbox, limits):
                results.append(result)
                bar.update()
    return results


if __name__ == "__main__":
    sys.exit(main())
