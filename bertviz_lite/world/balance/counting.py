"""Everything that the report shows, counted over sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import count, islice

from bertviz_lite.world.balance.parts import contraction, is_negative, parts, question, relative_word
from bertviz_lite.world.balance.patterns import pattern
from bertviz_lite.world.balance.pronouns import pronoun
from bertviz_lite.world.balance.used_words import UsedWords
from bertviz_lite.world.balance.verbs import construction, finite, modal
from bertviz_lite.world.events.tables import words as words_in
from bertviz_lite.world.events.text import Sentence, Story, Word

_FUNCTION_TAGS = frozenset(("ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ", "INTJ"))
_FUNCTION_ADVERBS = frozenset(
    words_in(
        """here there then now how why when where so too very not never always often sometimes usually again
        already yet still just soon once only even also almost quite enough much more most ever"""
    )
)


class Counts:
    """Counts over sentences.

    Attributes
    ----------
    sentences, words
        How many; punctuation marks are no words here.
    lengths
        Sentences by their number of words.
    function_words
        Words of grammar as they are written, in lower case.
    finite
        Finite verbs by lemma (``"be"``, ``"have"``, ``"do"``, ``"other"``) and form (``"is"``, ``"-s"`` …).
    nouns
        ``"singular"`` and ``"plural"``.
    pronouns
        Personal pronouns by pronoun and case.
    contractions, modals
        By kind.
    features
        Sentences in which there is at least one question, negation, passive … of a name.
    patterns
        Sentences by pattern.
    used
        Words by lemma.
    """

    def __init__(self) -> None:
        self.sentences = 0
        self.words = 0
        self.lengths: Counter[int] = Counter()
        self.function_words: Counter[str] = Counter()
        self.finite: Counter[tuple[str, str]] = Counter()
        self.nouns: Counter[str] = Counter()
        self.pronouns: Counter[tuple[str, str]] = Counter()
        self.contractions: Counter[str] = Counter()
        self.modals: Counter[str] = Counter()
        self.features: Counter[str] = Counter()
        self.patterns: Counter[str] = Counter()
        self.used = UsedWords()

    def add(self, sentence: Sentence) -> None:
        """Count a sentence."""
        words = sentence.words
        length = sum(word.pos != "PUNCT" for word in words)
        self.sentences += 1
        self.words += length
        self.lengths[length] += 1
        self.patterns[pattern(sentence)] += 1
        self.used.add(words)
        features = set(_features_of_parts(sentence))
        for index, word in enumerate(words):
            self._add_word(words, index, word, features)
        self.features.update(features)

    def _add_word(self, words: tuple[Word, ...], index: int, word: Word, features: set[str]) -> None:
        tag = word.pos
        text = word.text.lower()
        if tag in _FUNCTION_TAGS or (tag == "ADV" and text in _FUNCTION_ADVERBS):
            self.function_words[text] += 1
            self._add_function_word(words, index, word, features)
        elif tag == "NOUN" and word.form:
            self.nouns[word.form] += 1
        if tag in ("VERB", "AUX"):
            if form := finite(words, index):
                self.finite[word.lemma if word.lemma in ("be", "have", "do") else "other", form] += 1
            if name := construction(words, index):
                features.add(name)

    def _add_function_word(self, words: tuple[Word, ...], index: int, word: Word, features: set[str]) -> None:
        if personal := pronoun(words, index):
            self.pronouns[personal] += 1
        if short := contraction(word):
            self.contractions[short] += 1
            features.add("contraction")
        if name := modal(word):
            self.modals[name] += 1
            features.add("modal")
        if is_negative(word):
            features.add("negation")
        if relative := relative_word(words, index):
            features.add("relative clause")
            features.add(f"relative clause with {relative}")


def _features_of_parts(sentence: Sentence) -> Iterator[str]:
    texts = {word.text for word in sentence.words}
    if "?" in texts:
        yield "question"
        for words, mark in parts(sentence):
            if mark == "?":
                yield f"{question(words)} question"
    if '"' in texts:
        yield "speech"
    if "!" in texts:
        yield "exclamation mark"


def sentences_of(story: Callable[[int, int], Story], seed: int, n: int) -> Iterator[Sentence]:
    """Return the first ``n`` sentences of a seed's stories; ``story(seed, index)`` returns one story.

    An error in a story gets a note that names the story.
    """
    return islice((sentence for index in count() for sentence in _sentences(story, seed, index)), n)


def _sentences(story: Callable[[int, int], Story], seed: int, index: int) -> tuple[Sentence, ...]:
    try:
        return story(seed, index).sentences
    except Exception as error:
        error.add_note(f"in story {index} of seed {seed}")
        raise


def counts_of(sentences: Iterable[Sentence]) -> Counts:
    """Count these sentences."""
    counts = Counts()
    for sentence in sentences:
        counts.add(sentence)
    return counts
