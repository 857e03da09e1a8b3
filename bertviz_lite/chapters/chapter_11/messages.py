"""A small labelled set: what does a customer's message want? And a reader's own set, cut in the same way.

``messages.tsv`` has 128 short messages to an invented shop, 32 of each kind. The authors of this course wrote
them for it in 2026; none is taken from elsewhere, and as no customer wrote any, they are cleaner than
real mail. Words alone do not give the kinds away: parcels, lamps and thanks occur in several of them.

Left out: labels for several things at once, and texts of more than one line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from importlib.resources import files

from bertviz_lite.basics.arguments import ArgumentError, shown

__all__ = ["LABELS", "PARTS", "labels_of", "messages"]

LABELS = ("delivery", "return", "question", "thanks")
PARTS = ("train", "validation", "test")
FEWEST = 5
"""Sentences of a label; the fewest that give each part at least one."""
_DRAWN = ("train", "train", "train", "validation", "test")

Message = tuple[str, str]
"""A text and its label."""


def messages(own: str = "") -> dict[str, list[Message]]:
    """Return (text, label) pairs for training, validation and test: the course's messages, or a reader's own.

    Parameters
    ----------
    own
        One sentence a line, as ``label | sentence``; empty lines are left out. Of every five sentences of a
        label, three go to the training part, the fourth to the validation part, the fifth to the test part.
        Where it is empty, the course's messages are returned.

    Raises
    ------
    ValueError
        For a line without a label or a sentence, for a sentence that occurs twice, for fewer than two labels,
        and for a label with fewer than five sentences.

    Examples
    --------
    >>> {part: len(pairs) for part, pairs in messages().items()}
    {'train': 64, 'validation': 24, 'test': 40}
    >>> messages()["train"][0]
    ('Where is my parcel?', 'delivery')
    """
    if not isinstance(own, str):
        raise ArgumentError(f"own={shown(own)}: lines of text are needed, each `label | sentence`.")
    return _cut(own) if own.strip() else _shipped()


def labels_of(pairs: Iterable[Message]) -> list[str]:
    """List the labels of some messages, each once, in the order in which they first occur."""
    return list(dict.fromkeys(label for _, label in pairs))


def _shipped() -> dict[str, list[Message]]:
    parts: dict[str, list[Message]] = {part: [] for part in PARTS}
    table = files(__package__).joinpath("messages.tsv").read_text(encoding="utf-8")
    for line in table.splitlines():
        part, label, text = line.split("\t")
        parts[part].append((text, label))
    return parts


def _cut(own: str) -> dict[str, list[Message]]:
    parts: dict[str, list[Message]] = {part: [] for part in PARTS}
    counts: Counter[str] = Counter()
    seen = set()
    for number, line in enumerate(own.splitlines(), start=1):
        if not line.strip():
            continue
        label, bar, text = (piece.strip() for piece in line.partition("|"))
        if not (label and bar and text):
            raise ArgumentError(f"line {number}, {shown(line)}: write it as `label | sentence`.")
        if text in seen:
            raise ArgumentError(
                f"line {number}: {shown(text)} is there twice; keep one. A sentence in two parts makes "
                "the test worthless."
            )
        seen.add(text)
        parts[_DRAWN[counts[label] % len(_DRAWN)]].append((text, label))
        counts[label] += 1
    if len(counts) < 2:
        raise ArgumentError(f"one label, {shown(next(iter(counts)))}: two or more are needed.")
    for label, count in counts.items():
        if count < FEWEST:
            raise ArgumentError(f"{label}: {count} sentences; each label needs {FEWEST} or more.")
    return parts
