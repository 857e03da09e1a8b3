"""What is always or usually so: of every cat, of some cats, asked and answered."""

from __future__ import annotations

from dataclasses import replace

from bertviz_lite.world.english.grammar import plural
from bertviz_lite.world.grammar.clauses import Manner, replace_verb
from bertviz_lite.world.grammar.notation import Clause, Noun, Slot
from bertviz_lite.world.grammar.tokens import Token, literal, mark
from bertviz_lite.world.grammar.words import can_be
from bertviz_lite.world.life.telling import Telling, has_time

_OF_ONE = ("a", "a", "the", "every", "each", "this", "that")
_OF_MANY = ("", "", "", "all", "most", "many", "some", "the", "these", "those", "our", "my", "their")


def tell_fact(telling: Telling, clauses: tuple[Clause, ...]) -> None:
    """Tell what is usually so, in one or two sentences."""
    telling.bind(clauses)
    dice = telling.dice
    first = clauses[0]
    personal = isinstance(first.subject[0], Slot)
    if not personal and len(clauses) == 1:
        clauses = (_with_other_number(telling, first),)
        first = clauses[0]
    tense = "present" if not personal or dice.chance(0.6) else "past"
    choice = dice.random()
    if choice < 0.12 and len(clauses) == 1:
        _ask(telling, first, tense)
        return
    if choice < 0.17 and len(clauses) == 1 and not first.verb.negated:
        subject = telling.cast.someone("person")
        tokens, agreement = telling.phrases.refer(subject, "subject")
        from bertviz_lite.world.grammar.notation import Verb
        from bertviz_lite.world.grammar.verb_groups import verb_group

        verb = dice.pick(("know", "think", "say", "believe", "learn", "remember", "forget"))
        know = verb_group(Verb(verb), telling.tense, agreement).finite
        telling.say(
            [
                *tokens,
                know,
                literal("that", "SCONJ"),
                *telling.tell(first, "present" if not personal else telling.tense),
            ]
        )
        return
    if personal and dice.chance(0.3) and len(clauses) == 1:
        clauses = (_in_progress(telling, first),)
        first = clauses[0]
    if personal and dice.chance(0.35) and not any(map(has_time, clauses)):
        kind = "past" if tense == "past" else ("habit" if not first.verb.progressive else "now")
        words = telling.join(clauses, tense)
        time = telling.times(kind)
        telling.say([*time, mark(","), *words] if dice.chance(0.4) else [*words, *time])
        return
    if (
        not first.verb.adverb
        and not first.verb.negated
        and not first.verb.modal
        and tense == "present"
        and dice.chance(0.12)
    ):
        adverb = dice.pick(
            ("always", "often", "usually", "sometimes", "never" if dice.chance(0) else "always")
        )
        clauses = (replace(first, verb=replace_verb(first.verb, adverb=adverb)), *clauses[1:])
    telling.say(telling.join(clauses, tense))


def _in_progress(telling: Telling, clause: Clause) -> Clause:
    verb = clause.verb
    if verb.modal or verb.perfect or verb.progressive or verb.passive or verb.negated or verb.adverb:
        return clause
    from bertviz_lite.world.life.telling import STATES

    if verb.lemma in STATES:
        return clause
    choice = telling.dice.random()
    changes = (
        {"progressive": True} if choice < 0.5 else {"perfect": True} if choice < 0.8 else {"modal": "will"}
    )
    return replace(clause, verb=replace_verb(verb, **changes))


def _ask(telling: Telling, clause: Clause, tense: str) -> None:
    manner = Manner(tense, "question")
    words = telling.clauses.tell(clause, telling.bindings, manner)
    telling.say([*words, mark("?")], "question")
    no = clause.verb.negated
    answer = replace(clause, verb=replace_verb(clause.verb))
    start = literal("no" if no else "yes", "INTJ")
    telling.say([start, mark(","), *telling.tell(answer, tense)], "answer")


def _with_other_number(telling: Telling, clause: Clause) -> Clause:
    """Say a fact of *a cat* of cats, every cat, these cats …"""
    noun = clause.subject[0]
    dice = telling.dice
    if (
        not isinstance(noun, Noun)
        or len(clause.subject) > 1
        or (noun.determiner != "a" and noun.determiner != "an")
    ):
        return clause
    head = noun.words[-1]
    if "." in head or not can_be(head, "NOUN"):
        return clause
    if any(
        getattr(part, "word", "") in ("it", "its", "itself") or getattr(part, "determiner", "") == "its"
        for phrase in clause.phrases
        for part in phrase
    ):
        return clause
    after = [getattr(part, "determiner", "") for phrase in clause.phrases[:1] for part in phrase[:1]]
    if clause.verb.lemma in ("be", "become") and after and after[0] in ("a", "an"):
        return clause
    if dice.chance(0.4):
        start = dice.pick(_OF_ONE)
        return replace(clause, subject=(noun._replace(determiner=start),))
    start = dice.pick(_OF_MANY)
    return replace(clause, subject=(noun._replace(determiner=start, words=(*noun.words[:-1], plural(head))),))


def _unused(tokens: list[Token]) -> list[Token]:
    return tokens
