"""The exam as it is written: choices between two words and pairs of texts, read from two files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bertviz_lite.basics.arguments import ArgumentError, shown

HALVES = ("look", "unread")
"""The half that may be read while something is mended, and the half that is only scored."""

MASK = "[MASK]"


@dataclass(frozen=True, slots=True)
class Choice:
    """A text with a gap, the word that belongs there and one that does not.

    Attributes
    ----------
    kind
        What the choice is about, such as ``"agreement-near"``.
    before, after
        The text on both sides of the gap, as typed.
    right, wrong
        The two words.
    """

    kind: str
    before: str
    right: str
    wrong: str
    after: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts; ``follows`` says whether the second continues the first."""

    kind: str
    follows: bool
    first: str
    second: str


@dataclass(frozen=True)
class Exam:
    """All choices and pairs of an exam."""

    choices: tuple[Choice, ...]
    pairs: tuple[Pair, ...]


def read_exam(folder: Path, half: str) -> Exam:
    """Read ``folder/half/choices.tsv`` and ``folder/half/pairs.tsv``.

    Raises
    ------
    ArgumentError
        Where ``half`` is none, a file is missing, or a line has another form. The message gives the line's
        number and not its text, so that nobody reads the exam by way of an error.
    """
    if half not in HALVES:
        raise ArgumentError(f"half={shown(half)}: {' or '.join(map(repr, HALVES))} is needed.")
    choices = [_choice(line, place) for line, place in _lines(folder / half / "choices.tsv")]
    pairs = [_pair(line, place) for line, place in _lines(folder / half / "pairs.tsv")]
    return Exam(tuple(choices), tuple(pairs))


def _lines(path: Path) -> list[tuple[list[str], str]]:
    """Return the columns of each line, with the line's place for messages."""
    if not path.is_file():
        raise ArgumentError(
            f"{path} is missing: the exam is not in the installed package, only in the repository, under "
            "tests/own_words; give that folder."
        )
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(line.split("\t"), f"{path}, line {number}") for number, line in enumerate(lines, start=1)]


def _choice(columns: list[str], place: str) -> Choice:
    if len(columns) != 4 or columns[1].count(MASK) != 1:
        raise ArgumentError(f"{place}: kind, text with one {MASK}, right word, wrong word are needed.")
    kind, text, right, wrong = columns
    before, after = text.split(MASK)
    return Choice(kind, before, right, wrong, after)


def _pair(columns: list[str], place: str) -> Pair:
    if len(columns) != 4 or columns[1] not in ("next", "not"):
        raise ArgumentError(f"{place}: kind, next or not, first text, second text are needed.")
    kind, label, first, second = columns
    return Pair(kind, label == "next", first, second)
