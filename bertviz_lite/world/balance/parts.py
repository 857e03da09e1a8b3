"""The parts of a sentence: what is said and what is told around it, questions by kind, negations."""

from __future__ import annotations

from bertviz_lite.world.events.text import Sentence, Word

WH_WORDS = frozenset(("who", "whom", "whose", "what", "which", "where", "when", "why", "how"))
NEGATIVE_WORDS = frozenset(
    ("not", "never", "no", "nobody", "nothing", "nowhere", "none", "nor", "neither", "cannot")
)
_END_MARKS = frozenset((".", "!", "?"))
_HEADS = ("NOUN", "PROPN", "PRON", "NUM")


def parts(sentence: Sentence) -> list[tuple[tuple[Word, ...], str]]:
    """Return the parts of a sentence, each with its end mark, or ``""`` where it has none.

    A part ends at an end mark or at a quotation mark, which belong to no part.

    >>> from bertviz_lite.world import story
    >>> sentence = story(seed=1, index=56).sentences[2]
    >>> print(sentence)
    "And the cherries?" asked our teacher.
    >>> [(words[0].text, mark) for words, mark in parts(sentence)]
    [('And', '?'), ('asked', '.')]
    """
    found: list[tuple[tuple[Word, ...], str]] = []
    words: list[Word] = []
    for word in sentence.words:
        if word.text in _END_MARKS or word.text == '"':
            if words:
                found.append((tuple(words), word.text if word.text in _END_MARKS else ""))
            words = []
        else:
            words.append(word)
    if words:
        found.append((tuple(words), ""))
    return found


def question(words: tuple[Word, ...]) -> str:
    """Return which kind of question the words ask: ``"wh"``, ``"yes or no"`` or ``"other"``."""
    start = 0
    while start < len(words) - 1 and words[start].pos in ("INTJ", "PUNCT"):
        start += 1
    first, second = words[start], words[min(start + 1, len(words) - 1)]
    if first.text.lower() in WH_WORDS or (first.pos == "ADP" and second.text.lower() in WH_WORDS):
        return "wh"
    return "yes or no" if first.pos == "AUX" else "other"


def is_negative(word: Word) -> bool:
    """Say whether a word denies: *not*, *didn't*, *nobody*, *no* but not as an answer."""
    text = word.text.lower()
    return text.endswith("n't") or (text in NEGATIVE_WORDS and word.pos != "INTJ")


def contraction(word: Word) -> str:
    """Return which contraction a word is, such as ``"n't"`` or ``"'ll"``, else ``""``."""
    text = word.text.lower()
    if text.endswith("n't"):
        return "n't"
    if word.glued and word.pos == "AUX" and text.startswith("'"):
        return text
    return ""


def relative_word(words: tuple[Word, ...], index: int) -> str:
    """Return the word where it begins a relative clause: *who*, *which*, *that* … after a noun, else ``""``.

    Clauses without such a word (*the book I read*) cannot be told from the marks and are left out.
    """
    text = words[index].text
    if (
        text not in ("who", "whom", "which", "whose", "that", "where")
        or index == 0
        or index + 1 == len(words)
    ):
        return ""
    before, after = words[index - 1], words[index + 1]
    if before.pos == "PUNCT" and index > 1 and text != "that":
        before = words[index - 2]
    if before.pos == "ADP" and index > 1 and text in ("whom", "which"):
        before = words[index - 2]
    if before.pos not in _HEADS or (before.pos == "PRON" and before.form is not None):
        return ""
    if text == "that" and words[index].pos != "PRON":
        return ""
    if text == "where" and before.pos != "NOUN":
        return ""
    if text == "which" and after.pos in ("NOUN", "ADJ"):  # asked the boy which story it was
        return ""
    return "" if after.pos == "PUNCT" else text
