"""What is always or usually so: of every cat, of some cats, asked and answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bertviz_lite.world.english.grammar import plural
from bertviz_lite.world.grammar.clauses import Manner, replace_verb
from bertviz_lite.world.grammar.lexicon.words import (
    can_be,
    parts_and_clothes,
    plural_words,
    readings,
    words_of,
)
from bertviz_lite.world.grammar.notation import Clause, Inner, Noun, Part, Phrase, Slot, Text, Verb, parts_of
from bertviz_lite.world.grammar.tokens import literal, mark
from bertviz_lite.world.life.making.sentences import Clauses, does
from bertviz_lite.world.life.making.telling import STATES, Telling, has_time
from bertviz_lite.world.life.talk.answers import short_answer

_OF_ONE = ("a", "a", "a", "a", "the", "every", "every", "each", "a")
_OF_MANY = ("", "", "", "", "", "", "all", "most", "many", "some")
_POINTING_AT_ONE, _POINTING_AT_MANY = ("this", "that"), ("these", "those", "the")
_THINGS = frozenset((*words_of("NOUN", "thing"), *words_of("NOUN", "wear"), *words_of("NOUN", "animal")))
_TO_MANY: Mapping[str, str] = {
    "it": "they",
    "its": "their",
    "itself": "themselves",
    "he": "they",
    "she": "they",
}
_USUALLY = ("always", "often", "usually", "sometimes")
_BELIEVE = ("know", "think", "say", "believe", "learn")


def tell_fact(telling: Telling, clauses: Clauses) -> None:
    """Tell what is usually so, in one or two sentences."""
    telling.bind(clauses)
    dice = telling.dice
    personal = isinstance(clauses[0].subject[0], Slot)
    alone = len(clauses) == 1
    if not personal and alone:
        clauses = (_of_others(telling, clauses[0]),)
    first = clauses[0]
    tense = "present" if not personal or dice.chance(0.6) else "past"
    choice = dice.random()
    if choice < 0.14 and alone and _may_be_asked(telling, first):
        _ask(telling, first, tense)
    elif choice < 0.2 and alone and not first.verb.negated:
        first = _without_that(first)
        believer = telling.cast.someone("person")
        believer.details = []
        start = does(telling, believer, Verb(dice.pick(_BELIEVE)))
        inside = telling.tell(first, telling.tense if personal else "present")
        telling.say([*start, literal("that", "SCONJ"), *inside], "knows")
    elif personal:
        _of_somebody(telling, clauses, tense)
    else:
        if dice.chance(0.08) and alone and _may_be_usual(first):
            clauses = (replace(first, verb=replace_verb(first.verb, adverb=dice.pick(_USUALLY))),)
        telling.say(telling.join(clauses, tense))


def _without_that(clause: Clause) -> Clause:
    """Return *this broom is …*, which may follow *that*."""
    noun = clause.subject[0]
    if not isinstance(noun, Noun) or noun.determiner != "that":
        return clause
    return replace(clause, subject=(noun._replace(determiner="this"), *clause.subject[1:]))


def _of_somebody(telling: Telling, clauses: Clauses, tense: str) -> None:
    """Tell what somebody usually does, is doing or will do, now and then with its time."""
    dice = telling.dice
    first = clauses[0]
    if dice.chance(0.3) and len(clauses) == 1 and tense == "present":
        first = _at_other_times(telling, first)
        clauses = (first,)
    words = telling.join(clauses, tense)
    if (
        dice.chance(0.35)
        and not any(map(has_time, clauses))
        and not (first.verb.perfect or first.verb.adverb or first.verb.lemma in STATES - {"be"})
    ):
        kind = "past" if tense == "past" else "habit"
        if first.verb.progressive or first.verb.modal == "will":
            kind = "future" if first.verb.modal == "will" else "now"
        time = telling.times(kind)
        words = [*time, mark(","), *words] if dice.chance(0.4) and kind != "now" else [*words, *time]
    telling.say(words)


def _at_other_times(telling: Telling, clause: Clause) -> Clause:
    """Return the clause as what is being done, has been done or will be done, where that can be said."""
    verb = clause.verb
    if verb.modal or verb.perfect or verb.progressive or verb.passive or verb.negated or verb.adverb:
        return clause
    if verb.lemma in STATES:
        return clause
    choice = telling.dice.random()
    if choice < 0.5:
        return replace(clause, verb=replace_verb(verb, progressive=True))
    if choice < 0.75 and not has_time(clause):
        return replace(clause, verb=replace_verb(verb, perfect=True))
    return replace(clause, verb=replace_verb(verb, modal="will"))


def _may_be_usual(clause: Clause) -> bool:
    verb, noun = clause.verb, clause.subject[0]
    if (
        verb.adverb
        or verb.negated
        or verb.modal
        or verb.perfect
        or verb.lemma in ("be", "have", "become", "need")
    ):
        return False
    told_so = isinstance(noun, Noun) and noun.determiner in ("", "a", "the")
    return told_so and not has_time(clause) and not any(isinstance(part, Inner) for part in parts_of(clause))


def _may_be_asked(telling: Telling, clause: Clause) -> bool:
    first = clause.subject[0]
    if isinstance(first, Text) and first.word in (
        "nobody",
        "nothing",
        "none",
        "some",
        "few",
        "somebody",
        "something",
    ):
        return False
    if isinstance(first, Noun) and first.determiner in ("each", "some", "no", "few", "many", "most"):
        return False
    mine = isinstance(first, Slot) and telling.phrases.person(telling.bindings[first.letter]).person == 1
    return not mine and not clause.verb.negated


def _ask(telling: Telling, clause: Clause, tense: str) -> None:
    """Tell *Do cats catch mice? Yes, they do*."""
    telling.say(
        [*telling.clauses.tell(clause, telling.bindings, Manner(tense, "question")), mark("?")], "question"
    )
    first = clause.subject[0]
    whole = isinstance(first, Text) or clause.verb.modal == "will"
    answer = None if whole else short_answer(telling, clause, tense)
    if answer is None:
        answer = [literal("yes", "INTJ"), mark(","), *telling.tell(clause, tense)]
    telling.say(answer, "answer")


# The same of one, of many, of all.


def _of_others(telling: Telling, clause: Clause) -> Clause:
    """Say a fact of *a cat* of cats, every cat, these cats …."""
    noun = clause.subject[0]
    dice = telling.dice
    if not isinstance(noun, Noun) or len(clause.subject) > 1 or noun.determiner not in ("a", "an"):
        return clause
    head = noun.words[-1]
    if "." in head or not can_be(head, "NOUN") or noun.label or plural(head) not in readings():
        return clause
    pointing = head in _THINGS and dice.chance(0.15) and not _is_a(clause)
    if dice.chance(0.28) or not _may_be_many(clause):
        start = dice.pick(_POINTING_AT_ONE) if pointing else dice.pick(_OF_ONE)
        return replace(clause, subject=(noun._replace(determiner=start),))
    start = dice.pick(_POINTING_AT_MANY) if pointing else dice.pick(_OF_MANY)
    many = noun._replace(determiner=start, words=(*noun.words[:-1], plural(head)))
    phrases = tuple(
        _of_many(phrase, place == 0 and _is_a(clause)) for place, phrase in enumerate(clause.phrases)
    )
    return replace(clause, subject=(many,), phrases=phrases)


def _is_a(clause: Clause) -> bool:
    """Say whether the clause tells what something is: *a pony is a small horse*."""
    if clause.verb.lemma not in ("be", "become") or not clause.phrases:
        return False
    first = clause.phrases[0][0]
    return isinstance(first, Noun) and first.determiner in ("a", "an")


def _may_be_many(clause: Clause) -> bool:
    """Say whether the fact can be said of many: nothing else in it is told of the one."""
    words = [part.word for part in parts_of(clause) if isinstance(part, Text)]
    return not ({"one", "he", "she", "him", "his", "her"} & set(words)) and not any(
        isinstance(part, Noun) and part.determiner in ("his", "her") for part in parts_of(clause)
    )


def _of_many(phrase: Phrase, is_a: bool) -> Phrase:
    like = (Text("than"), Text("like"))
    return tuple(
        _part_of_many(part, (is_a and place == 0) or (place > 0 and phrase[place - 1] in like))
        for place, part in enumerate(phrase)
    )


def _part_of_many(part: Part, is_a: bool) -> Part:
    if isinstance(part, Text) and part.word in _TO_MANY:
        return part._replace(word="them" if part.word == "it" else _TO_MANY[part.word])
    if isinstance(part, Inner):
        clause = part.clause
        subject = tuple(
            one._replace(word="they") if isinstance(one, Text) and one.word == "it" else one
            for one in clause.subject
        )
        phrases = tuple(_of_many(phrase, False) for phrase in clause.phrases)
        return part._replace(clause=replace(clause, subject=subject, phrases=phrases))
    if not isinstance(part, Noun):
        return part
    if part.determiner == "its":
        return part._replace(
            determiner="their", words=plural_words(part.words) if _one_each(part) else part.words
        )
    if is_a and part.determiner in ("a", "an"):
        return part._replace(determiner="", words=plural_words(part.words))
    return part


_THEIR_OWN = parts_and_clothes() | {"egg", "nest", "hole", "name", "shell"}


def _one_each(noun: Noun) -> bool:
    return noun.words[-1] in _THEIR_OWN
