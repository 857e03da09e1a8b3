"""What may be said of whom: states (*tired*), doings (*wait for the bus*), what others do with a thing."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from bertviz_lite.world.grammar.notation import Clause, read_clause


@cache
def said() -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the entries of ``said.txt`` and ``spots.txt`` by kind of entry and kind of subject."""
    found: dict[tuple[str, str], list[str]] = {}
    folder = files(__package__).joinpath("tables", "said")
    texts = (folder.joinpath(name).read_text(encoding="utf-8") for name in ("said.txt", "spots.txt"))
    for line in (line for text in texts for line in text.splitlines()):
        if not line.strip() or line.startswith("#"):
            continue
        head, _, body = line.partition(": ")
        way, *kinds = head.split()
        for kind in kinds:
            found.setdefault((way, kind), []).extend(" ".join(entry.split()) for entry in body.split(";"))
    return {key: tuple(entry for entry in entries if entry) for key, entries in found.items()}


def may_be_said(way: str, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Return all entries of a way for a subject that is of these kinds.

    Raises
    ------
    ValueError
        Where nothing is said so of such a subject.
    """
    found = tuple(entry for kind in kinds for entry in said().get((way, kind), ()))
    if not found:
        raise ValueError(f"nothing is said with {way!r} of {kinds}")
    return found


@cache
def spots(kinds: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the prepositions, with their nouns, that may follow what is of these kinds."""
    kind = next((kind for kind in kinds if any((way, kind) in said() for way in _PREPOSITIONS)), "")
    found = {way: tuple(" ".join(said().get((way, kind), ())).split()) for way in _PREPOSITIONS}
    return {way: nouns for way, nouns in found.items() if nouns}


_PREPOSITIONS = ("near", "in", "on", "under", "of", "from", "with", "among")


@cache
def doing(entry: str) -> Clause:
    """Return the clause of a doing; its subject is the letter R.

    Examples
    --------
    >>> doing("wait | for the bus").verb.lemma
    'wait'
    """
    return read_clause(entry if entry.startswith(("A |", "R |")) else f"R | {entry}")
