"""The words of the town: their parts of speech, kinds and forms, read from ``words.txt``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from bertviz_lite.world.english.grammar import compared, plural, verb
from bertviz_lite.world.events.tables import rows, words
from bertviz_lite.world.events.town import SENSES

VERB_FORMS = ("base", "s", "past", "participle", "ing")
MODALS = {
    "can": "could",
    "will": "would",
    "may": "might",
    "must": "must",
    "should": "should",
    "shall": "should",
    "could": "could",
    "would": "would",
    "might": "might",
}
# Determiners of several.
MANY = (
    *words("""two three four five six seven eight nine ten eleven twelve twenty hundred"""),
    *["many", "few", "several", "both", "these", "those"],
)
_NO_COMPARISON = ("material", "other")
_IRREGULAR_COMPARISON = {"good": ("better", "best"), "bad": ("worse", "worst"), "well": ("better", "best")}
_NEVER_COMPARED = frozenset(
    words(
        """afraid alone alive asleep awake able ill own other last same first next whole main single double
        spare extra left right wrong shut lost hurt dead secret magic modern silent upset glad sorry honest
        sure lame little orange violet purple"""
    )
)
_LONG = 7  # letters from which an adjective is compared with "more" instead of an ending


class Reading(NamedTuple):
    """One way of reading a written word: its lemma, part of speech, kind and form."""

    lemma: str
    pos: str
    kind: str = ""
    form: str | None = None


@cache
def _table() -> list[tuple[str, str, list[str]]]:
    text = files(__package__).joinpath("words.txt").read_text(encoding="utf-8")
    found = []
    for line in rows(text):
        head, _, words = line.partition(": ")
        pos, _, kind = head.partition(" ")
        found.append((pos, kind, words.split()))
    return found


@cache
def kinds() -> tuple[tuple[str, str], ...]:
    """Return part of speech and kind of every line of the table, in its order; a kind may be empty.

    Examples
    --------
    >>> kinds()[0], ("VERB", "") in kinds()
    (('NOUN', 'person f'), True)
    """
    return tuple((pos, kind) for pos, kind, _ in _table())


@cache
def words_of(pos: str, kind: str = "") -> tuple[str, ...]:
    """Return the words of a part of speech and, where given, of a kind, in the order of the table.

    Examples
    --------
    >>> words_of("NOUN", "day")[:2]
    ('Monday', 'Tuesday')
    """
    found = {
        word: None for tag, sort, words in _table() if tag == pos and kind in ("", sort) for word in words
    }
    return tuple(found)


@cache
def readings() -> dict[str, tuple[Reading, ...]]:
    """Return, by written form (lower case but for names of days), every way of reading it."""
    found: dict[str, dict[Reading, None]] = defaultdict(dict)

    def enter(text: str, reading: Reading) -> None:
        found[text].setdefault(reading)

    for pos, kind, listed in _table():
        for word in listed:
            if pos == "NOUN":
                _enter_noun(enter, word, kind)
            elif pos == "VERB":
                for form in VERB_FORMS:
                    enter(verb(word, form), Reading(word, "VERB", "", form))
            elif pos == "ADJ":
                enter(word, Reading(word, "ADJ", kind))
                for ending, text in zip(("er", "est"), comparison(word) or (), strict=False):
                    enter(text, Reading(word, "ADJ", kind, ending))
            elif pos == "AUX":
                enter(word, Reading(_AUXILIARY.get(word, word), "AUX"))
            else:
                enter(word, Reading("a" if word == "an" else word, "ADJ" if pos == "ORD" else pos, kind))
    return {text: tuple(entries) for text, entries in found.items()}


_AUXILIARY = dict.fromkeys(("am", "is", "are", "was", "were", "been", "being"), "be") | {
    "has": "have",
    "had": "have",
    "does": "do",
    "did": "do",
}


def _enter_noun(enter: Callable[[str, Reading], None], word: str, kind: str) -> None:
    if kind == "day":
        enter(word, Reading(word, "PROPN", kind, "singular"))
        enter(word + "s", Reading(word, "PROPN", kind, "plural"))
    elif kind == "plural":
        enter(word, Reading(word, "NOUN", kind, "plural"))
    else:
        enter(word, Reading(word, "NOUN", kind, "singular"))
        if kind not in ("mass", "season", "timeword"):
            enter(plural(word), Reading(word, "NOUN", kind, "plural"))


@cache
def comparison(adjective: str) -> tuple[str, str] | None:
    """Return comparative and superlative of an adjective that takes endings, else None.

    Examples
    --------
    >>> comparison("tall"), comparison("good"), comparison("wooden")
    (('taller', 'tallest'), ('better', 'best'), None)
    """
    if adjective in _IRREGULAR_COMPARISON:
        return _IRREGULAR_COMPARISON[adjective]
    kinds = [kind for pos, kind, words in _table() if pos == "ADJ" and adjective in words]
    if not kinds or any(kind in _NO_COMPARISON for kind in kinds):
        return None
    if len(adjective) >= _LONG and not adjective.endswith("y"):
        return None
    if adjective.endswith(("ed", "ous", "ful", "less", "en", "id", "al", "ing")) and len(adjective) > 3:
        return None
    if adjective in _NEVER_COMPARED:
        return None
    return compared(adjective, "er"), compared(adjective, "est")


@cache
def parts_and_clothes() -> frozenset[str]:
    """Return the parts of a body and what is worn: everybody has their own."""
    return frozenset((*words_of("NOUN", "part"), *words_of("NOUN", "wear")))


@cache
def plural_words(told: tuple[str, ...]) -> tuple[str, ...]:
    """Return adjectives and noun with the noun in the plural, as they are where it has none of its own.

    Examples
    --------
    >>> plural_words(("red", "kite")), plural_words(("red", "one")), plural_words(("bread",))
    (('red', 'kites'), ('red', 'ones'), ('bread',))
    """
    *before, head = told
    if "." in head or plural(head) not in readings():
        return told
    return (*before, plural(head))


def read_word(text: str, *wanted: str) -> Reading:
    """Return how a written word is read: as one of the wanted parts of speech where it can be.

    Raises
    ------
    ValueError
        Where the town does not have this word.
    """
    entries = readings().get(text) or readings().get(text.lower())
    if entries is None:
        raise ValueError(f"the word {text!r} is not in words.txt")
    for pos in wanted:
        for entry in entries:
            if entry.pos == pos:
                return entry
    return entries[0]


def can_be(text: str, pos: str) -> bool:
    """Say whether a written word can be this part of speech."""
    return any(entry.pos == pos for entry in readings().get(text, readings().get(text.lower(), ())))


def split_sense(text: str) -> tuple[str, str | None]:
    """Split ``banks.river`` into the written word and the sense, ``("banks", "bank.river")``.

    Examples
    --------
    >>> split_sense("bank.river"), split_sense("rang.sound"), split_sense("tree")
    (('bank', 'bank.river'), ('rang', 'ring.sound'), ('tree', None))
    """
    word, dot, meaning = text.partition(".")
    if not dot or not meaning:
        return text, None
    for entry in readings().get(word.lower(), ()):
        if f"{entry.lemma}.{meaning}" in SENSES.get(entry.lemma, ()):
            return word, f"{entry.lemma}.{meaning}"
    raise ValueError(f"{text!r}: no such sense")
