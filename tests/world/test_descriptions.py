"""Descriptions are right English: agreement, articles, relatives, counted and uncounted nouns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.text import Sentence, Word
from bertviz_lite.world.grammar.lexicon.words import MODALS, readings
from bertviz_lite.world.life.describing import tell_description
from bertviz_lite.world.life.making.telling import Telling

SINGULAR = {"is", "was", "has", "does", "isn't", "wasn't", "hasn't", "doesn't", "'s"}
PLURAL = {"are", "were", "have", "do", "aren't", "weren't", "haven't", "don't", "'re", "'ve"}
PARTS = {"some", "most", "all", "half", "none", "many", "few", "several", "both", "any", "rest", "enough"}
COUNTS = {"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "many", "several", "few",
          "these", "those", "both"}  # fmt: skip
ONE_ONLY = {"a", "an", "every", "each", "another", "this", "that"}
OBJECTS = {"us", "me", "him", "her", "them"}
BEFORE_DETERMINERS = {
    "all",
    "both",
    "half",
    "what",
    "such",
    "a",
    "many",
    "the",
    "her",
    "my",
    "our",
    "his",
    "your",
}
MAY_STAND_TWICE = {"that", "had", "her"}
NEVER_FINITE = {"to", "n't", "not", "let", "please", *MODALS, "do", "make", "help", "see", "hear", "watch"}


def descriptions(number: int) -> Iterator[list[Sentence]]:
    """Yield descriptions."""
    for index in range(number):
        telling = Telling(Dice(f"described/{index}"))
        tell_description(telling)
        yield telling.sentences


def is_plural(sentence: Sentence, verb: Word) -> bool | None:
    """Say whether the subject of a verb is plural; None where its form leaves it open."""
    words = sentence.words
    head = words[verb.subject or 0]
    text = head.text.lower()
    after = words[head.index + 1 : verb.index] if head.index < verb.index else words[head.index + 1 :]
    rest = [word.text.lower() for word in after]
    if text == "i" and verb.text.lower() in ("was", "wasn't"):
        return None
    if text in ("i", "you"):
        return True
    if "and" in rest[:6] and head.index > verb.index:
        return None
    if text in ("who", "which", "that", "what", "how") and head.form is None:
        return None
    if text in ("rest", "others", "lot", "years", "sheep", "fish", "deer"):
        return None
    if text in PARTS and rest[:1] == ["of"]:
        counted = next((word for word in after if word.pos in ("NOUN", "PRON")), None)
        if counted is None or text == "none" or counted.text in ("them", "us", "you"):
            return None
        return counted.form == "plural"
    if "and" in rest and head.index < verb.index:
        return None
    if head.pos == "NUM":
        return text != "one"
    if head.form is None:
        return None
    return head.form == "plural"


def finite_errors(sentence: Sentence) -> Iterator[str]:
    """Yield verbs that do not agree with their subject, and finite verbs without the mark."""
    words = sentence.words
    for word in words:
        text = word.text.lower()
        if word.pos not in ("VERB", "AUX"):
            continue
        singular = text in SINGULAR or word.form == "s"
        if word.subject is None:
            sure = singular or text in PLURAL - {"have", "do", "don't"} or text == "am"
            if sure or (word.form == "base" and _is_finite(sentence, word)):
                yield f"no subject: {text}"
            continue
        many = is_plural(sentence, word)
        if many is None or (text == "'s" and word.lemma not in ("be", "have")):
            continue
        if many and singular:
            yield f"agreement: {words[word.subject].text} … {text}"
        if not many and (text in PLURAL or (word.form == "base" and text not in ("am", "'m"))):
            yield f"agreement: {words[word.subject].text} … {text}"


def _is_finite(sentence: Sentence, verb: Word) -> bool:
    """Say whether a base form is finite: a noun or pronoun before it, and no auxiliary and no *to*."""
    before = [
        word for word in sentence.words[: verb.index] if word.pos not in ("ADV", "PART") or word.lemma == "to"
    ]
    if not before or before[-1].pos not in ("NOUN", "PROPN", "PRON") or before[-1].text in OBJECTS:
        return False
    for word in reversed(before[-12:]):
        if word.pos == "PUNCT":
            return word.text == "," and before[-1].form == "plural"
        if word.lemma in NEVER_FINITE or word.pos == "AUX":
            return False
    return True


def word_errors(sentence: Sentence) -> Iterator[str]:
    """Yield words that cannot follow each other, relatives of the wrong kind, nouns that stand twice."""
    words = sentence.words
    for one, two, three in zip(words, words[1:], words[2:], strict=False):
        first, second = one.text.lower(), two.text.lower()
        wrong = (
            (three.pos != "NOUN" and _wrong_number(one, two))
            or (one.pos == two.pos == "DET" and first not in BEFORE_DETERMINERS)
            or (first == second and first not in MAY_STAND_TWICE)
            or (second == "which" and two.entity == one.entity and one.entity is not None and is_person(one))
            or (second == "who" and two.entity == one.entity and one.pos == "NOUN" and not is_person(one))
        )
        if wrong:
            yield f"{first} {second}"
    nouns = [word for word in words if word.pos == "NOUN" and not is_person(word)]
    for one, two in pairwise(nouns):
        if one.text.lower() == two.text.lower() and one.entity != two.entity:
            yield f"twice: {one.text}"


def _wrong_number(one: Word, two: Word) -> bool:
    """Say whether a determiner does not go with the noun after it."""
    if two.pos != "NOUN" or one.pos not in ("DET", "NUM"):
        return False
    first = one.text.lower()
    if two.form == "plural":
        return first in ONE_ONLY or first == "much"
    return first in COUNTS and two.form == "singular"


def is_person(word: Word) -> bool:
    """Say whether a word is a person's name or a noun for people."""
    if word.name == "person" or word.text.lower() in ("people", "ones"):
        return True
    return any(entry.kind.startswith("person ") for entry in readings().get(word.text.lower(), ()))


@pytest.mark.thorough
@pytest.mark.parametrize("errors", [finite_errors, word_errors])
def test_no_description_is_wrong_english(errors) -> None:  # noqa: ANN001
    found = Counter(
        f"{error}: {sentence}"
        for sentences in descriptions(20_000)
        for sentence in sentences
        for error in errors(sentence)
    )
    assert not found, "\n".join(found)


@pytest.mark.thorough
def test_no_sign_of_the_notation_is_left() -> None:
    texts = [str(sentence) for sentences in descriptions(20_000) for sentence in sentences]
    assert not [text for text in texts if any(sign in text for sign in "%$@{}_/=|+")]
