"""Answers that do not say the whole question again: *In the cave*, *The bees do*."""

from __future__ import annotations

from typing import NamedTuple

from bertviz_lite.world.grammar.notation import Clause, Noun, Phrase, Slot, Text, Verb
from bertviz_lite.world.life.talk.lines import asks_for_its_subject, tense_of

_ASKED = ("where", "when", "how", "what", "who", "whom")


class Short(NamedTuple):
    """What was asked for, alone."""

    phrase: Phrase


def without_echo(asked: Clause, answer: Clause) -> Clause | Short | None:
    """Return an answer without what the question said already, or None where it says more.

    Examples
    --------
    >>> from bertviz_lite.world.grammar.notation import read_clause
    >>> question, answer = read_clause("who | make | the honey"), read_clause("the bees | make | the honey")
    >>> without_echo(question, answer).verb.lemma
    'do'
    """
    same_verb = asked.verb._replace(determined=False) == answer.verb._replace(determined=False)
    if not same_verb or answer.verb.modal or answer.verb.negated:
        return None
    if asks_for_its_subject(asked):
        subject = answer.subject[0]
        speaks = isinstance(subject, Text) and subject.word in ("I", "we", "it", "there")
        if speaks or asked.phrases != answer.phrases or tense_of(answer) == "past" or not answer.phrases:
            return None
        lemma = "have" if answer.verb.perfect else "be" if _is(answer.verb) else "do"
        return Clause(answer.subject, Verb(lemma))
    asked_of = [place for place, phrase in enumerate(asked.phrases) if _asks(phrase)]
    left = [phrase for phrase in asked.phrases if not _asks(phrase)]
    new = [phrase for phrase in answer.phrases if phrase not in left]
    known = [phrase for phrase in answer.phrases if phrase in left]
    if len(asked_of) != 1 or len(new) != 1 or known != left or not _same(asked.subject, answer.subject):
        return None
    return Short(new[0]) if len(new[0]) > 1 or not isinstance(new[0][0], Text) else None


def _is(verb: Verb) -> bool:
    return verb.lemma == "be" or verb.progressive or verb.passive


def _asks(phrase: Phrase) -> bool:
    return len(phrase) == 1 and isinstance(phrase[0], Text) and phrase[0].word in _ASKED


def _same(asked: Phrase, answered: Phrase) -> bool:
    """Say whether question and answer are of the same: *you* is *I*."""
    if len(asked) == 1 and isinstance(asked[0], Text) and asked[0].word in ("I", "you"):
        return answered == (Text("you" if asked[0].word == "I" else "I"),)
    if answered in ((Text("it"),), (Text("they"),), (Text("he"),), (Text("she"),)):
        return len(asked) == 1 and isinstance(asked[0], Noun | Slot)
    alike = getattr(asked[0], "letter", "") or getattr(asked[0], "label", "")
    answer = getattr(answered[0], "letter", "") or getattr(answered[0], "label", "")
    return asked == answered or (bool(alike) and alike == answer and len(asked) == len(answered) == 1)
