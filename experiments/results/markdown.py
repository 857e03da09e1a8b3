"""A table in Markdown with the command that makes its numbers, and shares with their intervals as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bertviz_lite.evaluation.intervals import interval


@dataclass(frozen=True)
class MarkdownTable:
    """A table and where it comes from.

    Attributes
    ----------
    title
        What is measured.
    command
        What makes the numbers.
    note
        What has to be known to read them.
    head, rows
        The cells, as text.
    """

    title: str
    command: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        odd = [row for row in self.rows if len(row) != len(self.head)]
        if odd or not self.rows:
            raise ValueError(f"{self.title}: {len(self.head)} columns, but a row is {odd[:1] or 'missing'}.")

    def __str__(self) -> str:
        """Return heading, command, note and table."""
        lines = [f"### {self.title}", "", f"`{self.command}`", "", self.note, ""]
        lines += [_row(self.head), _row(["---"] * len(self.head)), *map(_row, self.rows)]
        return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def share(value: float | None) -> str:
    """Write a share with three digits; nothing where there is none."""
    return "" if value is None else f"{value:.3f}"


def share_of(value: float, n: int) -> str:
    """Write a share of `n` answers with its interval."""
    low, high = interval(round(value * n), n)
    return f"{value:.3f} ({low:.3f} to {high:.3f})"


def count_of(right: float, n: int) -> str:
    """Write a count of `n` answers with the interval of its share."""
    low, high = interval(round(right), n)
    return f"{right:g} of {n} ({low:.2f} to {high:.2f})"
