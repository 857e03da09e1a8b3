"""Talk without quotation marks: *Tom asked Anna where the ball was. She said that it was under the bed.*."""

from __future__ import annotations

from dataclasses import replace

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.clauses import Manner, replace_verb
from bertviz_lite.world.grammar.notation import Clause, Inner, Noun, Part, Phrase, Slot, Text, Verb, parts_of
from bertviz_lite.world.grammar.reading.coreference import leans
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token, literal
from bertviz_lite.world.life.knowledge.reading import Asked, Line, Talk, Words
from bertviz_lite.world.life.making.sentences import does, may_be_meant
from bertviz_lite.world.life.making.telling import Telling, is_event
from bertviz_lite.world.life.talk.lines import offers, with_future


def reported(telling: Telling, talk: Talk, first: Referent, second: Referent) -> bool:
    """Tell a talk without quotation marks, or return False where that cannot be done."""
    if len(talk.line) != 1 or isinstance(talk.line[0], Words):
        return False
    line = talk.line[0]
    bindings = telling.bindings
    bindings["@1"], bindings["@2"] = first, second
    clause = line.clause if isinstance(line, Asked) else line
    if not _may_be_reported(clause) or leans([clause]) or first.pronoun == second.pronoun:
        return False
    told = _turned(with_future(clause), "@1", "@2")
    start = _reported_line(telling, line, told, first, second)
    if not start:
        return False
    telling.say(start, "reported")
    answer = [one for one in talk.answer if not isinstance(one, Words)]
    if len(answer) != 1 or isinstance(answer[0], Asked) or not _may_be_reported(answer[0]):
        return True
    meant = answer[0]
    if offers(meant):
        meant = replace(meant, verb=replace_verb(meant.verb, modal="will"))
    turned = _turned(with_future(meant), "@2", "@1")
    if _is_request(turned, "@1"):
        telling.say(_asked_to(telling, "tell", turned, second, first), "reported")
        return True
    says = does(telling, second, Verb(telling.dice.pick(("say", "say", "answer"))))
    telling.say([*says, literal("that", "SCONJ"), *telling.tell(turned)], "reported")
    return True


def _reported_line(
    telling: Telling, line: Line, told: Clause, first: Referent, second: Referent
) -> list[Token]:
    dice = telling.dice
    request = isinstance(told.subject[0], Slot) and told.subject[0].letter == "@2" and not told.verb.perfect
    if isinstance(line, Asked):
        asks_to = request and told.verb.modal in ("can", "will", "could") and not _asks_for_something(told)
        can = asks_to and may_be_meant(telling, _plain(told))
        if can and dice.chance(0.5):
            return _asked_to(telling, "ask", _plain(told), first, second)
        start = does(telling, first, Verb("ask"))
        whom = telling.phrases.refer(second, "object")[0] if dice.chance(0.6) else []
        manner = Manner(telling.tense, "reported")
        words = telling.clauses.tell(told, telling.bindings, manner)
        if words[0].lemma not in _QUESTIONS:
            words = [literal(dice.pick(("if", "whether")), "SCONJ"), *words]
        return [*start, *whom, *words]
    if _is_request(told, "@2"):
        return _asked_to(telling, dice.pick(("tell", "ask")), told, first, second)
    if request:
        return []
    verb = dice.pick(("say", "say", "tell"))
    start = does(telling, first, Verb(verb))
    whom = telling.phrases.refer(second, "object")[0] if verb == "tell" else []
    return [*start, *whom, literal("that", "SCONJ"), *telling.tell(told)]


def _is_request(told: Clause, letter: str) -> bool:
    """Say whether a clause tells the other what to do."""
    part, verb = told.subject[0], told.verb
    to_the_other = isinstance(part, Slot) and part.letter == letter
    return to_the_other and is_event(_plain(told)) and not (verb.modal or verb.progressive or verb.perfect)


def _asked_to(telling: Telling, verb: str, told: Clause, first: Referent, second: Referent) -> list[Token]:
    start = does(telling, first, Verb(verb))
    whom = telling.phrases.refer(second, "object")[0]
    telling.phrases.subject = second
    not_to = [Token("not", "not", "PART")] if told.verb.negated else []
    plain = replace(told, verb=replace_verb(told.verb, negated=False))
    return [*start, *whom, *not_to, literal("to", "PART"), *telling.tell(plain, form="base")]


def _asks_for_something(clause: Clause) -> bool:
    starts = (phrase[0] for phrase in clause.phrases)
    return any(
        (part.word if isinstance(part, Text) else getattr(part, "determiner", "")) in _QUESTIONS
        for part in starts
    )


_QUESTIONS = ("what", "who", "where", "when", "why", "how", "which", "whose", "whom")


def _plain(clause: Clause) -> Clause:
    return replace(clause, verb=replace_verb(clause.verb, modal="", negated=False))


def _may_be_reported(clause: Clause) -> bool:
    """Say whether nothing in a clause depends on who speaks, where and when, except *I* and *you*."""
    words = {part.word for part in parts_of(clause) if isinstance(part, Text)}
    nouns = {part.determiner for part in parts_of(clause) if isinstance(part, Noun)}
    blocked = (
        words & _OF_NOW or nouns & {"this", "these", "our", "that", "last", "next"} or clause.verb.adverb
    )
    return not blocked and not any(
        part.word == "please" for part in parts_of(clause) if isinstance(part, Text)
    )


_OF_NOW = frozenset(
    words(
        """we us our ours here now today yesterday tomorrow tonight ago this these that mine yours yourself
        myself last next please come just so still such"""
    )
)


def _turned(clause: Clause, speaker: str, addressee: str) -> Clause:
    """Return a clause with the speaker's *I* and *you* as those two."""
    return replace(
        clause,
        subject=_turned_phrase(clause.subject, speaker, addressee),
        phrases=tuple(_turned_phrase(phrase, speaker, addressee) for phrase in clause.phrases),
    )


def _turned_phrase(phrase: Phrase, speaker: str, addressee: str) -> Phrase:
    def turned(part: Part) -> Part:
        if isinstance(part, Text) and part.word in ("I", "me"):
            return Slot(speaker)
        if isinstance(part, Text) and part.word == "you":
            return Slot(addressee)
        if isinstance(part, Noun) and part.determiner in ("my", "your"):
            return part._replace(determiner="", owner=speaker if part.determiner == "my" else addressee)
        if isinstance(part, Slot) and part.determiner in ("my", "your"):
            return part._replace(determiner="", owner=speaker if part.determiner == "my" else addressee)
        if isinstance(part, Inner):
            return part._replace(clause=_turned(part.clause, speaker, addressee))
        return part

    return tuple(turned(part) for part in phrase)
