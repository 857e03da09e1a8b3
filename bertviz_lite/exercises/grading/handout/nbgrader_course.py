"""A handout as an assignment of nbgrader: the source for `nbgrader generate_assignment`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.basics.notebook_files import read, text_of, write
from bertviz_lite.exercises.grading.notebooks.exercise_cells import exercises_of

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["add_to_course"]

_CONFIG = """\
# Written by the handout; yours to extend.
c = get_config()
# There is nothing to clear: the handout has no solutions, and its own `...` stay.
c.ClearSolutions.enabled = False
"""
_HIDDEN = """

### BEGIN HIDDEN TESTS
assert {alias}.{exercise}.passed
### END HIDDEN TESTS"""


def add_to_course(handout: Path, course: Path) -> Path:
    """Add a handout to a course of nbgrader, and give the course its configuration if it has none.

    What students see is the handout. The line that gives points is hidden from them, as nbgrader's tests are:
    a wrong answer is told what is wrong, and the notebook runs on.

    Returns
    -------
    Path
        The notebook in the course's `source`.
    """
    notebook = read(handout)
    for exercise in exercises_of(notebook):
        lines = _HIDDEN.format(alias=exercise.check.alias, exercise=exercise.name)
        exercise.locked["source"] = (text_of(exercise.locked) + lines).splitlines(keepends=True)
    target = course / "source" / handout.stem / handout.name
    write(notebook, target)
    config = course / "nbgrader_config.py"
    if not config.exists():
        config.write_text(_CONFIG, encoding="utf-8")
    return target
