"""What several people have or are, each for themselves: *they want to be sailors*, *we wear new hats*."""

from __future__ import annotations

from dataclasses import replace

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.lexicon.words import (
    comparison,
    parts_and_clothes,
    plural_words,
    readings,
    words_of,
)
from bertviz_lite.world.grammar.manner import Bindings
from bertviz_lite.world.grammar.notation import Clause, Noun, Part, Phrase, Slot, Text
from bertviz_lite.world.grammar.referents import Memory, Referent

_WORN = frozenset(words_of("NOUN", "wear"))
_PARTS = frozenset(words_of("NOUN", "part"))
_OWN = _WORN | frozenset(words("ticket umbrella glass cup seat pillow blanket towel medal certificate plate"))
_TOGETHER = frozenset(words("team group pair family class crowd couple lot part kind"))


def distributed(clause: Clause, bindings: Bindings, memory: Memory) -> Clause:
    """Return a clause in which several have several: hats, holes in their coats; and are several.

    Examples
    --------
    >>> from bertviz_lite.world.grammar.notation import read_clause
    >>> girls = {"A": Referent("person", "girl", "f", many=True)}
    >>> clause = read_clause("A | want to be | a sailor")
    >>> [part.words for part in distributed(clause, girls, Memory()).phrases[0]]
    [('sailors',)]
    """
    told = clause.phrases[0] if clause.phrases else ()
    if not told or Text("and") in told or Text("or") in told:
        return clause
    first = told[0]
    if isinstance(first, Slot):
        several = _is_many(clause.subject, bindings)
        if several and not memory.mentioned(bindings[first.letter]):
            _give_each(bindings[first.letter])
        return clause
    if not isinstance(first, Noun):
        return clause
    each = _each(clause, first, bindings, memory)
    return clause if each is first else replace(clause, phrases=((each, *told[1:]), *clause.phrases[1:]))


def _each(clause: Clause, first: Noun, bindings: Bindings, memory: Memory) -> Noun:
    """Return the noun after the verb, of which each of several has or is one."""
    verb, subject = clause.verb, clause.subject[0]
    if _is_many(clause.subject, bindings):
        if verb.lemma in ("be", "become") or verb.tail[-1:] in (("be",), ("become",)):
            return _are(first)
        if first.words[-1] in _OWN and not _known(first, bindings, memory):
            return _many(first)
    if verb.lemma == "have" and _of_several(subject, bindings):
        return _many(first)
    owned = verb.lemma == "have" and first.words[-1] in _PARTS
    if owned and isinstance(subject, Noun) and not subject.determiner and _is_plural(subject.words[-1]):
        return _many(first)
    theirs = any(_of_several(part, bindings) for phrase in clause.phrases for part in phrase[1:])
    inside = {Text("in"), Text("on")} & {part for phrase in clause.phrases for part in phrase}
    return _many(first) if theirs and inside else first


def _is_plural(word: str) -> bool:
    return any(entry.form == "plural" for entry in readings().get(word, ()))


def _known(noun: Noun, bindings: Bindings, memory: Memory) -> bool:
    return bool(noun.label) and memory.mentioned(bindings[noun.label])


def _is_many(subject: Phrase, bindings: Bindings) -> bool:
    part = subject[0]
    if len(subject) > 1:
        return Text("and") in subject
    if isinstance(part, Slot):
        return bindings[part.letter].many
    return part in (Text("we"), Text("they"))


def _are(noun: Noun) -> Noun:
    """Return *sailors* for what several are: *a sailor*; *the best dancers* for *the best dancer*."""
    best = noun.determiner == "the" and any(
        word in ("best", "worst") or (word.endswith("est") and comparison(word) is None)
        for word in noun.words[:-1]
    )
    if noun.words[-1] in _TOGETHER or not (best or noun.determiner in ("a", "an")):
        return noun
    return _many(noun) if not best else noun._replace(words=plural_words(noun.words))


def _many(noun: Noun) -> Noun:
    if noun.determiner not in ("a", "an"):
        return noun
    several = plural_words(noun.words)
    return noun if several == noun.words else noun._replace(determiner="", words=several)


def _give_each(thing: Referent) -> None:
    """Make hats of a hat that several people wear, want or lose, if nobody has heard of it yet."""
    if thing.noun in _OWN and not (thing.many or thing.mass or thing.pair or thing.name):
        thing.many = True
        thing.determiner = "" if thing.determiner in ("a", "one", "an") else thing.determiner


def _of_several(part: Part, bindings: Bindings) -> bool:
    mine = isinstance(part, Noun) and part.words[-1] in parts_and_clothes() and part.owner
    return bool(mine) and bindings[getattr(part, "owner", "")].many
