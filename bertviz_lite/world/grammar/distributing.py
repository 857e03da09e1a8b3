"""What several people have or are, each for themselves: *they want to be sailors*, *we wear new hats*."""

from __future__ import annotations

from dataclasses import replace

from bertviz_lite.world.english.grammar import plural
from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.lexicon.words import comparison, readings, words_of
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
    if not clause.phrases:
        return clause
    told = clause.phrases[0]
    first = told[0]
    if Text("and") in told or Text("or") in told:
        return clause
    if _is_many(clause.subject, bindings):
        is_told = clause.verb.lemma in ("be", "become") or clause.verb.tail[-1:] in (("be",), ("become",))
        if isinstance(first, Slot) and not memory.mentioned(bindings[first.letter]):
            _give_each(bindings[first.letter])
        elif isinstance(first, Noun) and is_told:
            first = _are(first)
        elif isinstance(first, Noun) and first.words[-1] in _OWN and not _known(first, bindings, memory):
            first = _many(first)
    elif clause.verb.lemma == "have" and isinstance(first, Noun) and first.words[-1] in _PARTS:
        subject = clause.subject[0]
        if isinstance(subject, Noun) and not subject.determiner and plural(subject.words[-1]) not in readings():
            first = _many(first)
    elif clause.subject == (Text("there"),) and isinstance(first, Noun):
        if any(_of_several(part, bindings) for phrase in clause.phrases for part in phrase[1:]):
            first = _many(first)
    if isinstance(first, Noun) and _in_what_is_theirs(clause, bindings):
        first = _many(first)
    if first is told[0]:
        return clause
    return replace(clause, phrases=((first, *told[1:]), *clause.phrases[1:]))


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
        word in ("best", "worst") or word.endswith("est") and comparison(word) is None
        for word in noun.words[:-1]
    )
    if noun.words[-1] in _TOGETHER or not (best or noun.determiner in ("a", "an")):
        return noun
    return _many(noun) if not best else noun._replace(words=_plural(noun.words))


def _many(noun: Noun) -> Noun:
    if noun.determiner not in ("a", "an"):
        return noun
    several = _plural(noun.words)
    return noun if several == noun.words else noun._replace(determiner="", words=several)


def _plural(told: tuple[str, ...]) -> tuple[str, ...]:
    *before, head = told
    if "." in head or plural(head) not in readings():
        return told
    return (*before, plural(head))


def _give_each(thing: Referent) -> None:
    """Make hats of a hat that several people wear, want or lose, if nobody has heard of it yet."""
    if thing.noun in _OWN and not (thing.many or thing.mass or thing.pair or thing.name):
        thing.many = True
        thing.determiner = "" if thing.determiner in ("a", "one", "an") else thing.determiner


def _of_several(part: Part, bindings: Bindings) -> bool:
    mine = isinstance(part, Noun) and part.words[-1] in _WORN | _PARTS and part.owner
    return bool(mine) and bindings[getattr(part, "owner", "")].many


def _in_what_is_theirs(clause: Clause, bindings: Bindings) -> bool:
    """Say whether something is in the coats, on the noses of several: *a hole in their coats* is holes."""
    return any(
        phrase[0] in (Text("in"), Text("on")) and any(_of_several(part, bindings) for part in phrase[1:])
        for phrase in clause.phrases[1:]
    ) or any(
        following in (Text("in"), Text("on")) and _of_several(part, bindings)
        for phrase in clause.phrases[:1]
        for following, part in zip(phrase[1:], phrase[2:], strict=False)
    )
