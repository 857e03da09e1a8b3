"""Marks of determined words that a finished text bears out; the others are taken off.

While a sentence is made, a word is marked where its clause leaves no other. Whether the rest of the text
leaves no other either can only be seen at the end: who else was spoken of, what else would be grammatical.
Left out: whether the world would allow another word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.events.text import Sentence, Word
from bertviz_lite.world.events.town import PEOPLE
from bertviz_lite.world.grammar.lexicon.words import words_of
from bertviz_lite.world.life.marks.needs import CUES

Sentences = Sequence[Sentence]
Rule = Callable[[Sentences, Word], bool]

_GENDERS = {person.name: person.gender for person in PEOPLE}
_GENDERS |= {noun: gender for gender in "fm" for noun in words_of("NOUN", f"person {gender}")}
_GENDERS |= dict.fromkeys(words("he him his himself"), "m") | dict.fromkeys(
    words("she her hers herself"), "f"
)
_PEOPLE = frozenset(noun for kind in "fmn" for noun in words_of("NOUN", f"person {kind}"))
_SINGULAR = frozenset(words("he him his himself she her herself"))
_PLURAL = frozenset(words("they them their themselves"))
_POSSESSIVE = frozenset(words("his her its their"))
# What somebody always has: of these nobody says "a", and rarely "the".
_OWN = frozenset(
    words("mother father sister brother grandmother grandfather daughter son wife husband uncle aunt")
)
_OWN |= frozenset(words_of("NOUN", "part"))
_DEFINITE = frozenset(words("the this that these those same my your his her its our their both"))
# With these, "is" and "has" are both right: "the wheel is broken", "the wheel has broken".
_CHANGES = frozenset(
    words(
        "break burn melt freeze close open begin start stop end finish grow tear sink dry turn change go come"
    )
)


def keep_sure_marks(sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """Return the sentences without the marks of words in whose place another would do as well."""
    return tuple(
        _checked(sentences, sentence) if any(word.determined for word in sentence.words) else sentence
        for sentence in sentences
    )


def _checked(sentences: Sentences, sentence: Sentence) -> Sentence:
    checked = tuple(
        word
        if word.determined is None or _RULES[word.determined](sentences, word)
        else replace(word, determined=None)
        for word in sentence.words
    )
    return sentence if checked == sentence.words else replace(sentence, words=checked)


def _agreement(sentences: Sentences, word: Word) -> bool:
    """Say whether neither a modal nor another auxiliary would do: not in *has cut*, *is broken*, *hasn't*."""
    if word.text.endswith("n't"):
        return False
    following = [
        other
        for other in sentences[word.sentence].words[word.index + 1 :]
        if other.pos not in ("ADV", "PART")
    ]
    verb = next((place for place, other in enumerate(following) if other.pos in ("VERB", "AUX")), None)
    if verb is None:
        return False
    participle = following[verb]
    if participle.form != "participle" or participle.lemma == "be":
        return True
    if word.lemma == "be":
        return participle.lemma not in _CHANGES
    after = following[verb + 1].pos if verb + 1 < len(following) else "PUNCT"
    has_object = after in ("DET", "NOUN", "PROPN", "PRON", "NUM", "ADJ")
    return participle.text != participle.lemma and (has_object or participle.lemma not in _CHANGES)


def _pronoun(sentences: Sentences, word: Word) -> bool:
    """Say whether a pronoun has one gender and number only, and no noun would do in its place."""
    text = word.text.lower()
    before = sentences[word.sentence].words[: word.index]
    if text in _POSSESSIVE and not _before_own(sentences[word.sentence], word):
        return False
    if text in _SINGULAR:
        gender = _GENDERS[text]
        return _is_known(sentences, word, gender) and not any(
            _is_rival(other, word, gender) for other in before
        )
    if text in _PLURAL:
        return any(
            other.text == "and" or (other.entity == word.entity and other.form == "plural")
            for other in before
        )
    return True


def _before_own(sentence: Sentence, word: Word) -> bool:
    """Say whether a possessive is the only one that fits: *her mother*, *his hand*, not *his hat*."""
    noun = next(
        (other for other in sentence.words[word.index + 1 :] if other.pos not in ("ADJ", "NUM")), None
    )
    return noun is not None and noun.lemma in _OWN


def _is_known(sentences: Sentences, word: Word, gender: str) -> bool:
    """Say whether another word for the same person shows the gender, as *girl* and *Anna* do."""
    return any(
        other.entity == word.entity and other is not word and _gender_of(other) == gender
        for sentence in sentences
        for other in sentence.words
    )


def _gender_of(word: Word) -> str | None:
    if word.pos == "PRON":
        return _GENDERS.get(word.text.lower())
    return _GENDERS.get(word.text if word.pos == "PROPN" else word.lemma)


def _is_rival(other: Word, word: Word, gender: str) -> bool:
    """Say whether a word is of another person, who may be of the other gender."""
    if other.entity == word.entity:
        return False
    person = other.name == "person" or other.lemma in _PEOPLE or other.text.lower() in _SINGULAR
    return person and _gender_of(other) != gender


def _mention(sentences: Sentences, word: Word) -> bool:
    """Say whether a noun is spoken of as known, *the bench*, and was mentioned."""
    if word.lemma == "one":
        return False
    earlier = (
        other.lemma == word.lemma and other.pos == "NOUN"
        for sentence in sentences[: word.sentence + 1]
        for other in sentence.words
        if (other.sentence, other.index) < (word.sentence, word.index)
    )
    phrase = next(
        other
        for other in reversed([None, *sentences[word.sentence].words[: word.index]])
        if other is None or other.pos not in ("ADJ", "NUM", "NOUN")
    )
    return phrase is not None and phrase.text.lower() in _DEFINITE and any(earlier)


def _consequence(sentences: Sentences, word: Word) -> bool:
    """Say whether a cue of the word is told in the same sentence or in the one beside it."""
    cues = CUES.get(word.lemma)
    return cues is not None and any(
        other.lemma in cues
        for sentence in sentences[max(0, word.sentence - 1) : word.sentence + 2]
        for other in sentence.words
    )


_RULES: dict[str, Rule] = {
    "agreement": _agreement,
    "pronoun": _pronoun,
    "mention": _mention,
    "consequence": _consequence,
}
