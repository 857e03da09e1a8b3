"""Verbs with their auxiliaries: *opens*, *has not been lost*, *didn't open*, *will be waiting*."""

from __future__ import annotations

from typing import NamedTuple

from bertviz_lite.world.english.grammar import verb as form_of
from bertviz_lite.world.grammar.lexicon.words import MODALS
from bertviz_lite.world.grammar.notation import Verb
from bertviz_lite.world.grammar.tokens import Token, literal

_CONTRACTED = {"will": "won't", "can": "can't", "shall": "shan't"}
_NEVER_CONTRACTED = ("may", "am", "might", "shall")


class Agreement(NamedTuple):
    """What a verb agrees with: person 1 to 3, and whether the subject is more than one."""

    person: int = 3
    many: bool = False
    head: Token | None = None


class VerbGroup(NamedTuple):
    """A verb group: the finite verb, *not* and frequency adverbs after it, and what follows.

    ``inverts`` says whether the finite verb may stand before the subject (*is*, *has*, *did*).
    """

    finite: Token
    middle: list[Token]
    rest: list[Token]
    inverts: bool

    @property
    def words(self) -> list[Token]:
        """All words in the order of a statement: *has never been*, *never goes*."""
        first = [self.finite, *self.middle] if self.inverts else [*self.middle, self.finite]
        return [*first, *self.rest]


def finite_form(lemma: str, tense: str, agreement: Agreement) -> tuple[str, str]:
    """Return the text of a finite verb and the name of its form.

    Examples
    --------
    >>> finite_form("be", "past", Agreement(3, True)), finite_form("go", "present", Agreement())
    (('were', 'past'), ('goes', 's'))
    """
    person, many, _ = agreement
    if lemma == "be":
        if tense == "past":
            return ("were" if many or person == 2 else "was"), "past"
        if many or person == 2:
            return "are", "base"
        return ("am", "base") if person == 1 else ("is", "s")
    if tense == "past":
        return form_of(lemma, "past"), "past"
    if many or person != 3:
        return lemma, "base"
    return form_of(lemma, "s"), "s"


def verb_group(
    verb: Verb, tense: str, agreement: Agreement, *, question: bool = False, contracted: bool = False
) -> VerbGroup:
    """Return the words of a verb group.

    Parameters
    ----------
    verb
        The verb and what its auxiliaries say of it.
    tense
        ``"past"`` or ``"present"``: of the finite verb.
    agreement
        Of the subject.
    question
        Whether a finite verb is needed that can stand before the subject.
    contracted
        Whether *not* is contracted with the finite verb, where it can be.
    """
    chain = _chain(verb, question=question)
    lemma, wanted = chain[0]
    main = len(chain) == 1
    if lemma in MODALS and not (main and lemma == "will"):
        text, form = (MODALS[lemma] if tense == "past" else lemma), None
        finite = Token(text, lemma, "AUX")
    else:
        text, form = finite_form(lemma, tense, agreement)
        auxiliary = not main or lemma == "be"
        finite = Token(text, lemma, "AUX" if auxiliary else "VERB", form, verb.sense if main else None)
        if lemma == "be" or tense == "present":
            finite.subject = agreement.head
    rest = _without_finite(chain[1:], wanted, verb)
    middle = []
    if verb.negated:
        if contracted and finite.text not in _NEVER_CONTRACTED:
            finite.text = _CONTRACTED.get(finite.text, finite.text + "n't")
        elif finite.text == "can":
            finite.text = "cannot"
        else:
            middle.append(Token("not", "not", "PART"))
    if verb.adverb:
        middle.append(literal(verb.adverb, "ADV"))
    if verb.determined:
        (rest[-1] if rest else finite).determined = "consequence"
    return VerbGroup(finite, middle, rest, finite.pos == "AUX")


def _chain(verb: Verb, *, question: bool) -> list[tuple[str, str]]:
    """Return auxiliaries and verb, each with the form that it wants of the next one."""
    told = (
        (verb.modal, "base", bool(verb.modal)),
        ("have", "participle", verb.perfect),
        ("be", "ing", verb.progressive),
        ("be", "participle", verb.passive),
    )
    chain = [(lemma, wanted) for lemma, wanted, is_told in told if is_told]
    if (question or verb.negated) and not chain and verb.lemma not in ("be", *MODALS):
        chain.append(("do", "base"))
    return [*chain, (verb.lemma, "")]


def bare(verb: Verb, form: str) -> list[Token]:
    """Return a verb without a finite form: ``base`` (*to open*), ``ing`` or ``participle``.

    Examples
    --------
    >>> [token.text for token in bare(Verb("lose", perfect=True), "ing")]
    ['having', 'lost']
    """
    negation = [Token("not", "not", "PART")] if verb.negated else []
    tokens = _without_finite(_chain(verb._replace(modal="", negated=False), question=False), form, verb)
    if verb.determined:
        tokens[-1].determined = "consequence"
    return negation + tokens


def _without_finite(chain: list[tuple[str, str]], wanted: str, verb: Verb) -> list[Token]:
    """Return auxiliaries and verb, each in the form that the one before it wants."""
    tokens = []
    for place, (lemma, wants) in enumerate(chain, 1):
        last = place == len(chain)
        text = "been" if (lemma, wanted) == ("be", "participle") else form_of(lemma, wanted)
        pos = "VERB" if last and lemma != "be" else "AUX"
        tokens.append(Token(text, lemma, pos, wanted, verb.sense if last else None))
        wanted = wants
    return tokens
