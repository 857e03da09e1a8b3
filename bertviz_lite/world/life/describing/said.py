"""What may be said of whom: states (*tired*), doings (*wait for the bus*), what others do with a thing."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from bertviz_lite.world.events.tables import rows, words
from bertviz_lite.world.grammar.notation import Clause, read_clause


@cache
def said() -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the entries of ``said.txt`` and ``spots.txt`` by kind of entry and kind of subject."""
    found: dict[tuple[str, str], list[str]] = {}
    folder = files(__package__).joinpath("tables", "said")
    texts = (folder.joinpath(name).read_text(encoding="utf-8") for name in ("said.txt", "spots.txt"))
    for line in (line for text in texts for line in rows(text)):
        head, _, body = line.partition(": ")
        way, *kinds = head.split()
        for kind in kinds:
            found.setdefault((way, kind), []).extend(" ".join(entry.split()) for entry in body.split(";"))
    return {key: tuple(entry for entry in entries if entry) for key, entries in found.items()}


def may_be_said(way: str, kinds: tuple[str, ...], *, many: bool) -> tuple[str, ...]:
    """Return all entries of a way for a subject that is of these kinds, one or ``many``.

    Raises
    ------
    ValueError
        Where nothing is said so of such a subject.
    """
    number = ".pl" if many else ".sg"
    found = tuple(
        entry for kind in kinds for name in (kind, kind + number) for entry in said().get((way, name), ())
    )
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


def has_happened(entry: str) -> bool:
    """Say whether an entry tells what happened before, *who found the key*."""
    return doing(entry).verb.lemma in _EVENTS or "yesterday" in entry or " last " in entry


_EVENTS = frozenset(
    words(
        """buy make find lose give break mend build bake send meet sell draw win paint forget plant catch see
        fall steal"""
    )
)


@cache
def doing(entry: str) -> Clause:
    """Return the clause of a doing; its subject is the letter R.

    Examples
    --------
    >>> doing("wait | for the bus").verb.lemma
    'wait'
    """
    return read_clause(entry if entry.startswith(("A |", "R |")) else f"R | {entry}")
