"""What an exercise of a student came to, as a line of a table."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FAILED", "NOT_ANSWERED", "PASSED", "RESULTS", "TAMPERED", "Result"]

PASSED, FAILED, NOT_ANSWERED, TAMPERED = RESULTS = ("passed", "failed", "not answered", "tampered")


@dataclass(frozen=True)
class Result:
    """A line of the table.

    Attributes
    ----------
    student, chapter, exercise
        Whose it is, and what.
    result
        "passed", "failed", "not answered" or "tampered".
    message
        One line for the teacher.
    """

    student: str
    chapter: str
    exercise: str
    result: str
    message: str
