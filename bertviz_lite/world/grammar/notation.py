"""Clauses as the tables write them, and how they are read.

A clause is ``subject | verb | rest``, the rest a list of phrases separated by `` + ``::

    A | put | the key=K + in A's pocket
    A:child | can not open | the door=D

People and things are capital letters, *slots*, with a type at first (``T:toy/small``, ``T:food.pl``).
``A's T`` belongs to A; ``the T`` is definite at once; ``=K`` names a noun that is written out, so that it can
be spoken of again. Verbs stand in the base form, with auxiliaries in theirs: ``have lost``, ``be waiting``,
``can not open``. ``!`` after a word: the rest of the text leaves no other word there.

>>> clause = read_clause("A | have lost | A's key=K + in the park")
>>> clause.verb.lemma, clause.verb.perfect, clause.verb.negated
('lose', True, False)
>>> clause.object
Noun(words=('key',), determiner='', owner='A', label='K', determined=False)
"""

from __future__ import annotations

import re

from bertviz_lite.world.grammar.lexicon.words import can_be
from bertviz_lite.world.grammar.reading.parts import (
    COPULAS,
    Clause,
    Inner,
    Noun,
    Part,
    Phrase,
    Self,
    Slot,
    Text,
    Verb,
    parts_of,
)
from bertviz_lite.world.grammar.reading.phrases import LEADS, SUBJECT_WORDS, read_phrase
from bertviz_lite.world.grammar.reading.verbs import ADVERBS, read_verb

__all__ = [
    "COPULAS",
    "Clause",
    "Inner",
    "Noun",
    "Part",
    "Phrase",
    "Self",
    "Slot",
    "Text",
    "Verb",
    "parts_of",
    "read_clause",
]
_ASKED = ("why", "where", "when", "how", "who", "what")
_MOVES = ("soon", "never", "always", "often", "usually", "already", "still", "just")  # stand before the verb


def read_clause(text: str) -> Clause:
    """Read a clause.

    Raises
    ------
    ValueError
        Where it has no subject and verb, or a word that the town does not have.
    """
    fields = [field.strip() for field in text.split("|")]
    if not 2 <= len(fields) <= 3 or not all(fields[:2]):
        raise ValueError(f"{text!r}: a clause is subject | verb | rest")
    if " + " in fields[1]:
        fields[1], _, moved = fields[1].partition(" + ")
        fields = [*fields[:2], " + ".join([moved, *fields[2:]])]
    subject = read_phrase(fields[0].replace(" + ", " "), subject=True)
    lead = next((part for part in subject if not (isinstance(part, Text) and part.word in LEADS)), None)
    if lead is None or (isinstance(lead, Text) and not _may_lead(lead.word)):
        raise ValueError(f"{text!r}: the subject {fields[0]!r} does not begin with a noun phrase")
    verb, moved = read_verb(fields[1])
    rest = fields[2] if len(fields) == 3 else ""
    join = " + " if rest.split(" ")[0] in _ASKED else " "
    phrases = [
        read_phrase(phrase.strip())
        for phrase in re.split(r"\s\+\s", f" {moved}{join}{rest} ")
        if phrase.strip(" +")
    ]
    return _with_adverb(Clause(subject, verb, tuple(phrases)))


def _may_lead(word: str) -> bool:
    return word in SUBJECT_WORDS or can_be(word, "NUM")


def _with_adverb(clause: Clause) -> Clause:
    """Move an adverb that was written as a phrase to where it stands, *always welcome*, *has never been*."""
    if clause.verb.adverb:
        return clause
    for number, phrase in enumerate(clause.phrases):
        first = phrase[0]
        if not (isinstance(first, Text) and first.word in _MOVES):
            continue
        if first.word == "still" and clause.verb.lemma in ("stand", "sit", "lie", "hold", "keep", "stay"):
            continue  # without a movement
        alone = len(phrase) == 1 and first.word != "soon"
        before_adjective = clause.verb.lemma == "be" and number == 0 and first.word != "just"
        if not (alone or (first.word == "never" and len(phrase) == 2) or before_adjective):
            continue
        left = (phrase[1:],) if len(phrase) > 1 else ()
        phrases = (*clause.phrases[:number], *left, *clause.phrases[number + 1 :])
        return Clause(clause.subject, clause.verb._replace(adverb=first.word), phrases)
    return clause


assert set(_MOVES) <= set(ADVERBS)
