"""The results of a class: a CSV for the register, a table for the terminal."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import TYPE_CHECKING

from bertviz_lite.basics.files import written_whole
from bertviz_lite.exercises.grading.results import PASSED, RESULTS, TAMPERED, Result

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["by_exercise", "by_student", "tampered", "write_csv"]

_COLUMNS = ("student", "chapter", "exercise", "result", "message")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_csv(results: Iterable[Result], path: Path) -> None:
    """Write a line for each exercise of each student.

    In UTF-8 with a mark at its beginning, by which spreadsheets know it. What a spreadsheet would take for a
    formula begins with an apostrophe: students have chosen some of the words.
    """
    text = io.StringIO(newline="")
    lines = csv.writer(text)
    lines.writerow(_COLUMNS)
    for result in results:
        lines.writerow(_harmless(getattr(result, column)) for column in _COLUMNS)
    with written_whole(path) as file:
        file.write(text.getvalue().encode("utf-8-sig"))


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def by_student(results: list[Result]) -> str:
    """Return a table: for each student, how many exercises came to what."""
    counts: dict[str, Counter[str]] = {}
    for result in results:
        counts.setdefault(result.student, Counter())[result.result] += 1
    rows = [[student, *(str(count[kind]) for kind in RESULTS)] for student, count in counts.items()]
    return _table(["student", *RESULTS], rows)


def by_exercise(results: list[Result]) -> str:
    """Return a table: for each exercise, how many students passed."""
    totals = Counter((result.chapter, result.exercise) for result in results)
    passed = Counter((result.chapter, result.exercise) for result in results if result.result == PASSED)
    rows = [[*place, f"{passed[place]} of {total}"] for place, total in totals.items()]
    return _table(["chapter", "exercise", "passed"], rows)


def tampered(results: list[Result]) -> str:
    """Return a table of what was tampered with, and how it shows; empty if nothing was."""
    rows = [
        [result.student, result.chapter, result.exercise, result.message]
        for result in results
        if result.result == TAMPERED
    ]
    return _table(["tampered", "chapter", "exercise", "why"], rows) if rows else ""


def _table(head: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if not cell[:1].isdigit() or column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *rows)
    )
