"""How a clause is told: tense, form, order; and short forms, *it's*, *we'll*."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.grammar.notation import Verb
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token
from bertviz_lite.world.grammar.verb_groups import Agreement

Bindings = Mapping[str, Referent]


@dataclass(frozen=True, slots=True)
class Manner:
    """How a clause is told.

    Attributes
    ----------
    tense
        ``"past"`` or ``"present"``, of the finite verb.
    form
        statement, question, reported (a question in the order of a statement), relative (its subject is the
        relative pronoun before it), or without a finite verb: base, ing, participle.
    subject
        Whether the subject is told.
    fronted
        Number of the phrase that comes first, or -1.
    contracted
        Whether *not* and the auxiliary may be one word.
    passive
        Whether the object becomes the subject.
    skipped
        Number of a phrase that is left out, or -1.
    agreement
        What the verb agrees with where its subject does not tell it, as in "people who are ill".
    """

    tense: str = "past"
    form: str = "statement"
    subject: bool = True
    fronted: int = -1
    contracted: bool = False
    passive: bool = False
    skipped: int = -1
    agreement: Agreement | None = None


def replace_verb(verb: Verb, **changes: str | bool) -> Verb:
    """Return a verb with other auxiliaries."""
    return verb._replace(**changes)  # type: ignore[arg-type]


_SHORT = {
    "am": "'m",
    "are": "'re",
    "is": "'s",
    "have": "'ve",
    "has": "'s",
    "will": "'ll",
    "had": "'d",
    "would": "'d",
}
_WITH_SHORT = ("I", "you", "he", "she", "it", "we", "they", "that", "there")


def contract(subject: list[Token], finite: Token, dice: Dice) -> list[Token]:
    """Join a pronoun and its auxiliary, *it's*, now and then."""
    if (
        len(subject) != 1
        or subject[0].text.lower() not in map(str.lower, _WITH_SHORT)
        or finite.text not in _SHORT
    ):
        return subject
    if finite.text == "are" and subject[0].lemma in ("there", "that"):
        return subject
    if finite.pos != "AUX" or finite.text in ("had", "would") or dice.chance(0.35):
        return subject
    finite.text, finite.glued, finite.determined = _SHORT[finite.text], True, None
    return [*subject, finite]
