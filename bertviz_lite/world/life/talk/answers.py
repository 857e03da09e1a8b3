"""Short answers: *Yes, they do. No, it isn't. Under the bed*."""

from __future__ import annotations

from bertviz_lite.world.grammar.clauses import replace_verb
from bertviz_lite.world.grammar.lexicon.words import read_word, split_sense
from bertviz_lite.world.grammar.notation import Clause, Noun, Slot, Text
from bertviz_lite.world.grammar.tokens import Token, literal, mark
from bertviz_lite.world.grammar.verb_groups import Agreement, verb_group
from bertviz_lite.world.life.making.telling import Telling


def short_answer(telling: Telling, clause: Clause, tense: str, *, no: bool = False) -> list[Token] | None:
    """Return *yes, it does*, a pronoun and the auxiliary, or None where that cannot be said."""
    told = _pronoun(telling, clause)
    if told is None:
        return None
    pronoun, many, person = told
    verb = clause.verb
    group = verb_group(
        replace_verb(verb, negated=no, adverb="", determined=False),
        tense,
        Agreement(person, many, pronoun),
        question=True,
        contracted=no and telling.dice.chance(0.8),
    )
    start = [literal("no" if no else "yes", "INTJ"), mark(",")]
    return [*start, pronoun, group.finite, *(token for token in group.middle if token.lemma == "not")]


def _pronoun(telling: Telling, clause: Clause) -> tuple[Token, bool, int] | None:
    """Return the pronoun for a subject, whether it is many, and its person."""
    part = clause.subject[-1]
    if len(clause.subject) > 1:
        return (Token("they", "they", "PRON", "plural"), True, 3) if Text("and") in clause.subject else None
    if isinstance(part, Slot):
        referent = telling.bindings[part.letter]
        agreement = telling.phrases.person(referent)
        if agreement.person != 3 or referent.kind == "place":
            return None
        return telling.phrases.pronoun(referent.pronoun, "subject", referent), agreement.many, 3
    if isinstance(part, Text):
        return (
            (literal(part.word, "PRON"), False, 3)
            if part.word in ("it", "there") and len(clause.subject) == 1
            else None
        )
    if not isinstance(part, Noun):
        return None
    reading = read_word(split_sense(part.words[-1])[0], "NOUN", "PRON", "PROPN")
    if part.label:
        referent = telling.bindings[part.label]
        return telling.phrases.pronoun(referent.pronoun, "subject", referent), referent.many, 3
    many = reading.form == "plural" or (
        part.determiner in ("all", "every", "both") and reading.kind.startswith("person")
    )
    if reading.kind.startswith("person"):
        many = True if many or part.determiner != "the" else many
    text = "they" if many else "it"
    if reading.kind == "person f" and not many:
        text = "she"
    if reading.kind in ("person m", "person n") and not many:
        text = "he"
    return Token(text, text, "PRON", "plural" if many else "singular"), many, 3
