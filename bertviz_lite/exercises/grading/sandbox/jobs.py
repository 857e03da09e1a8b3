"""What a student's process is told: which exercise, which statements, which limits."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["Job", "Piece"]


@dataclass(frozen=True)
class Piece:
    """Some statements of one cell.

    Attributes
    ----------
    cell
        What to call the cell where an error is in it.
    source
        The whole cell, as Python: lines are counted in it.
    take
        Numbers of the statements to run; of an import, the names to take.
    """

    cell: str
    source: str
    take: list[tuple[int, list[str] | None]]


@dataclass(frozen=True)
class Job:
    """An answer to be run.

    Attributes
    ----------
    module, exercise
        Where the exercise is, and its name.
    answer
        The name that the statements give the answer.
    pieces
        The statements, in the order of the notebook.
    paths
        Folders in which the exercise's module may be, besides Python's own.
    hidden
        Files and folders that the answer may not read.
    home
        An empty folder.
    seconds, megabytes
        Limits.
    key
        A word that only this job knows: lines without it are another's.
    """

    module: str
    exercise: str
    answer: str
    pieces: list[Piece]
    paths: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    home: str = ""
    seconds: float = 20.0
    megabytes: int = 4000
    key: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the job as JSON can hold it."""
        return asdict(self)

    @classmethod
    def from_json(cls, given: dict[str, Any]) -> Job:
        """Return a job from what `as_json` made of it."""
        pieces = [
            Piece(**{**piece, "take": [tuple(one) for one in piece["take"]]}) for piece in given["pieces"]
        ]
        return cls(**{**given, "pieces": pieces})
