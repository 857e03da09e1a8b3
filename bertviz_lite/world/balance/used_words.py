"""How often the words of the town's list are used, in any form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from bertviz_lite.world.events.text import Word
from bertviz_lite.world.events.town import PEOPLE, PETS
from bertviz_lite.world.grammar.lexicon.words import kinds, words_of

_TAGS = {"NOUN": ("NOUN", "PROPN"), "VERB": ("VERB", "AUX"), "ADJ": ("ADJ",)}
_AS_WRITTEN = ("timeword", "other", "plural")  # "today" is an adverb too, "better" a form of "good"


class ListedWord(NamedTuple):
    """A word of the list: its part of speech (``"NAME"`` for people and pets) and its first kind."""

    text: str
    pos: str
    kind: str = ""


def listed_words() -> tuple[ListedWord, ...]:
    """Return the words of the town's list, each once for every part of speech, and all names."""
    found: dict[tuple[str, str], ListedWord] = {}
    for pos, kind in kinds():
        for word in words_of(pos, kind):
            found.setdefault((word, pos), ListedWord(word, pos, kind))
    names = [
        ListedWord(name, "NAME") for name in (*(one.name for one in PEOPLE), *(pet.name for pet in PETS))
    ]
    return (*found.values(), *names)


class UsedWords:
    """Counts of words by lemma and part of speech, and by what is written."""

    def __init__(self) -> None:
        self._marked: Counter[tuple[str, str]] = Counter()
        self._written: Counter[str] = Counter()

    def add(self, words: Iterable[Word]) -> None:
        """Count these words."""
        for word in words:
            lemma, text = word.lemma.lower(), word.text.lower()
            self._marked[lemma, word.pos] += 1
            self._written[text] += 1
            if lemma != text:
                self._written[lemma] += 1

    def times(self, word: ListedWord) -> int:
        """Return how often a word was used: a noun, verb or adjective as that, in any form."""
        text = word.text.lower()
        if word.pos not in _TAGS or word.kind in _AS_WRITTEN:
            return self._written[text]
        return sum(self._marked[text, tag] for tag in _TAGS[word.pos])

    def rare(self, words: Iterable[ListedWord], fewer_than: int) -> list[tuple[ListedWord, int]]:
        """Return the words that were used less often than this, the rarest first."""
        counted = [(word, self.times(word)) for word in words]
        return sorted((entry for entry in counted if entry[1] < fewer_than), key=lambda entry: entry[1])
