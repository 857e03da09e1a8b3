"""What a clause is made of: slots, noun phrases, words, clauses within it, and its verb."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

COPULAS = ("be", "become", "seem")


class Slot(NamedTuple):
    """A letter, with its type where it is given: ``A's T:toy.pl``, ``the red T:clothes``."""

    letter: str
    type: str = ""
    determiner: str = ""
    owner: str = ""
    determined: bool = False
    adjectives: tuple[str, ...] = ()


class Noun(NamedTuple):
    """A noun phrase that is written out; ``words`` are adjectives and the noun."""

    words: tuple[str, ...]
    determiner: str = ""
    owner: str = ""
    label: str = ""
    determined: bool = False


class Self(NamedTuple):
    """``A's self``: himself, herself, themselves, myself …."""

    letter: str


class Text(NamedTuple):
    """A word that is written out and is no noun phrase."""

    word: str
    determined: bool = False


class Inner(NamedTuple):
    """A clause within a clause: *that the milk boils*, *where the goat is*, *who are ill*.

    Attributes
    ----------
    words
        That begin it: a conjunction, or what is asked, "how late".
    clause
        What it says; where it has no subject of its own, ``who`` or ``that`` is its subject.
    tense
        ``"past"`` where it is past whatever the clause around it is, else empty.
    relative
        Whether its subject is the noun before it.
    """

    words: tuple[str, ...]
    clause: Clause
    tense: str = ""
    relative: bool = False


Part = Slot | Noun | Self | Text | Inner
Phrase = tuple[Part, ...]


class Verb(NamedTuple):
    """A verb and what its auxiliaries say of it; ``tail`` follows it, as in *put on*, *want to go*."""

    lemma: str
    tail: tuple[str, ...] = ()
    sense: str | None = None
    modal: str = ""
    negated: bool = False
    perfect: bool = False
    progressive: bool = False
    passive: bool = False
    determined: bool = False
    adverb: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """Subject, verb and the phrases that follow it."""

    subject: Phrase
    verb: Verb
    phrases: tuple[Phrase, ...] = ()

    @property
    def object(self) -> Slot | Noun | Self | None:
        """The noun phrase that follows the verb at once, if there is one."""
        if not self.phrases or self.verb.lemma in COPULAS:
            return None
        first = self.phrases[0]
        return first[0] if len(first) == 1 and not isinstance(first[0], Text | Inner) else None


def parts_of(clause: Clause) -> Iterator[Part]:
    """Yield the parts of a clause and of the clauses within it, in order."""
    for phrase in (clause.subject, *clause.phrases):
        for part in phrase:
            yield part
            if isinstance(part, Inner):
                yield from parts_of(part.clause)
