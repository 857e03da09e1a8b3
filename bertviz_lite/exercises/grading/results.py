"""What an exercise of a student came to, as a line of a table."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FAILED", "NOT_ANSWERED", "PASSED", "RESULTS", "TAMPERED", "UNREADABLE", "Result"]

RESULTS = ("passed", "failed", "not answered", "tampered", "unreadable")
PASSED, FAILED, NOT_ANSWERED, TAMPERED, UNREADABLE = RESULTS


@dataclass(frozen=True)
class Result:
    """A line of the table.

    Attributes
    ----------
    student, chapter, exercise
        Whose it is, and what.
    result
        "passed", "failed", "not answered", "tampered", or "unreadable": the file is no notebook.
    message
        One line for the teacher.
    """

    student: str
    chapter: str
    exercise: str
    result: str
    message: str
