"""Wrong words of a town that talks: of any verb that agrees with a noun, of any pronoun that ends in *self*.

There, marks of determined words are few: they are where no other word at all would do. A minimal pair needs
less, a wrong form of the same word.
"""

from __future__ import annotations

from bertviz_lite.world.english.grammar import verb
from bertviz_lite.world.english.wrong_words.marked import (
    BE,
    GENDER,
    HAVE,
    NUMBER,
    Foil,
    consequence,
    pronoun_foil,
    verb_form,
)
from bertviz_lite.world.events.tables import words
from bertviz_lite.world.events.text import Sentence, Word

_SELVES = {
    "myself": "himself",
    "yourself": "herself",
    "himself": "themselves",
    "herself": "themselves",
    "itself": "themselves",
    "ourselves": "himself",
    "yourselves": "myself",
    "themselves": "himself",
}
# Of both numbers, or of one that the words around them decide.
_EITHER = frozenset(
    words("sheep fish deer who which what half some all none most more people team family class street")
)
_BE_CONTRACTED = {f"{here}n't": f"{there}n't" for here, there in BE.items()}
_HAVE_CONTRACTED = {f"{here}n't": f"{there}n't" for here, there in HAVE.items()}


def _subject_of(sentence: Sentence, index: int) -> Word | None:
    """Return the head of the subject with which a verb agrees, if it can have one number only.

    *Asks the dancer and Ivy*, *there is a bun and an egg*: there the verb may agree with the first alone.
    """
    place = sentence.words[index].subject
    head = None if place is None else sentence.words[place]
    if head is None or head.lemma in _EITHER or head.text.lower() in _EITHER:
        return None
    joined = head.index > index and any(other.text == "and" for other in sentence.words[head.index :])
    return None if joined else head


def _between(sentence: Sentence, index: int, head: Word) -> tuple[Word, ...]:
    first, last = sorted((head.index, index))
    return sentence.words[first + 1 : last]


def _attracts(sentence: Sentence, index: int, head: Word) -> bool:
    """Say whether a noun of the other number is between a verb and its subject."""
    return any(other.pos == "NOUN" and other.form != head.form for other in _between(sentence, index, head))


def _auxiliary(table: dict[str, str]) -> Foil:
    def foil(sentence: Sentence, index: int) -> str | None:
        text = sentence.words[index].text.lower()
        head = _subject_of(sentence, index) if text in table else None
        if head is None or _attracts(sentence, index, head) or _is_open(sentence, index):
            return None
        return table[text]

    return foil


def _is_open(sentence: Sentence, index: int) -> bool:
    """Say whether both numbers may be right: *if the door were open*."""
    return sentence.words[index].text.lower() == "was" and any(
        other.text.lower() in ("if", "though", "wish", "wishes") for other in sentence.words
    )


def _attracted(sentence: Sentence, index: int) -> str | None:
    """Return the other number of a verb that a noun of that number separates from its subject."""
    text = sentence.words[index].text.lower()
    wrong = (BE | HAVE).get(text) or _other_number(sentence, index)
    head = _subject_of(sentence, index) if wrong else None
    if head is None or head.index > index or head.pos != "NOUN" or not _attracts(sentence, index, head):
        return None
    if any(other.text in ("and", ",") for other in _between(sentence, index, head)):
        return None
    return None if _is_open(sentence, index) else wrong


def _other_number(sentence: Sentence, index: int) -> str | None:
    """Return *eat* for *eats* and the reverse; None where that is a past form, as *put*."""
    word = sentence.words[index]
    if (
        word.pos != "VERB"
        or word.lemma in ("have", "do")
        or word.form not in ("s", "base")
        or verb(word.lemma, "past") == word.lemma
    ):
        return None
    return word.lemma if word.form == "s" else verb(word.lemma, "s")


def _full_verb(sentence: Sentence, index: int) -> str | None:
    """Return the other number of a verb in the present that nothing separates from its subject."""
    wrong = _other_number(sentence, index)
    head = _subject_of(sentence, index) if wrong else None
    return None if head is None or _attracts(sentence, index, head) else wrong


def _self(sentence: Sentence, index: int) -> str | None:
    """Return the *self* of another person or number."""
    return _SELVES.get(sentence.words[index].text.lower())


TALKING_KINDS: dict[str, Foil] = {
    "agreement of be": _auxiliary(BE | _BE_CONTRACTED),
    "agreement of have": _auxiliary(HAVE | _HAVE_CONTRACTED),
    "agreement of a verb": _full_verb,
    "agreement across a noun": _attracted,
    "gender of a pronoun": pronoun_foil(GENDER),
    "number of a pronoun": pronoun_foil(NUMBER),
    "reflexive": _self,
    "verb form": verb_form,
    "need and consequence": consequence,
}
