"""Wrong words of the first town, by kind: where its mark says that a rule leaves one word only."""

from __future__ import annotations

from collections.abc import Callable

from bertviz_lite.world.english.grammar import verb
from bertviz_lite.world.events.tables import words
from bertviz_lite.world.events.text import Sentence

Foil = Callable[[Sentence, int], str | None]
"""A function that returns a wrong word for the word with this index in the sentence, or None."""

BE = {"is": "are", "are": "is", "was": "were", "were": "was"}
HAVE = {"has": "have", "have": "has"}
GENDER = {"he": "she", "she": "he", "his": "her", "him": "her", "himself": "herself", "herself": "himself"}
NUMBER = {
    "he": "they",
    "she": "they",
    "it": "they",
    "they": "it",
    "his": "their",
    "himself": "themselves",
    "herself": "themselves",
}
_REFLEXIVE = {"himself": "him", "herself": "her", "themselves": "them"}
_NEEDS = words("hungry thirsty tired cold wet dirty ill hot frightened bored lonely")
_DEEDS = words("eat drink sleep wear wash hide read visit swim")


def _agreement(table: dict[str, str]) -> Foil:
    def foil(sentence: Sentence, index: int) -> str | None:
        word = sentence.words[index]
        if word.determined != "agreement" or sentence.construction == "attractor":
            return None
        return table.get(word.text.lower())

    return foil


def _attracted(sentence: Sentence, index: int) -> str | None:
    """Return the other number of a verb that a noun of that number separates from its subject."""
    word = sentence.words[index]
    if word.determined != "agreement" or word.subject is None:
        return None
    head = sentence.words[word.subject]
    between = sentence.words[word.subject + 1 : index]
    if not any(other.pos == "NOUN" and other.form != head.form for other in between):
        return None
    return (BE | HAVE).get(word.text.lower())


def pronoun_foil(table: dict[str, str]) -> Foil:
    """Return the function that takes a pronoun's wrong form from a table, where only one pronoun is right."""

    def foil(sentence: Sentence, index: int) -> str | None:
        word = sentence.words[index]
        return table.get(word.text.lower()) if word.determined == "pronoun" else None

    return foil


def verb_form(sentence: Sentence, index: int) -> str | None:
    """Return the past form for a participle after *have* or *be*; the base form where those are the same."""
    word = sentence.words[index]
    if word.form != "participle" or word.pos != "VERB" or index == 0:
        return None
    if sentence.words[index - 1].lemma not in ("have", "be"):
        return None
    wrong = verb(word.lemma, "past")
    if wrong == word.text:
        wrong = word.lemma
    return wrong if wrong != word.text else None


def consequence(sentence: Sentence, index: int) -> str | None:
    """Return the next need or deed of the list: *thirsty* for *hungry*, *drink* for *eat*."""
    word = sentence.words[index]
    if word.determined != "consequence":
        return None
    if word.text in _NEEDS:
        return _next(_NEEDS, word.text)
    if word.lemma in _DEEDS and word.form:
        return verb(_next(_DEEDS, word.lemma), word.form)
    return None


def _next(row: tuple[str, ...], word: str) -> str:
    return row[(row.index(word) + 1) % len(row)]


KINDS: dict[str, Foil] = {
    "agreement of be": _agreement(BE),
    "agreement of have": _agreement(HAVE),
    "agreement across a noun": _attracted,
    "gender of a pronoun": pronoun_foil(GENDER),
    "number of a pronoun": pronoun_foil(NUMBER),
    "reflexive": pronoun_foil(_REFLEXIVE),
    "verb form": verb_form,
    "need and consequence": consequence,
}
