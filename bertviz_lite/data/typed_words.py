"""Typed text as words, by one rule for training text and exam, however a story marks its words."""

from __future__ import annotations

import re

_WORD = re.compile(r"'s\b|[^\W_]+(?:['-](?!s\b)[^\W_]+)*|[^\w\s]")
_SENTENCE_END = re.compile(r"""(?<=[.!?])["']?\s+(?=["']?[A-Z\[])""")
_STRAIGHT = str.maketrans("‘’“”", "''\"\"")
_WORD_ALONE = re.compile(_WORD.pattern.rpartition("|")[0])


def word_spans(text: str) -> list[tuple[str, int, int]]:
    """Return words and punctuation marks, in lower case, with their first character and the one after.

    ``can't`` is one word; ``Anna's`` is two, ``anna`` and ``'s``.
    """
    return [
        (match[0].lower(), match.start(), match.end()) for match in _WORD.finditer(text.translate(_STRAIGHT))
    ]


def words_of(text: str) -> list[str]:
    """Return words and punctuation marks, in lower case.

    Examples
    --------
    >>> words_of("Anna's dog can't swim.")
    ['anna', "'s", 'dog', "can't", 'swim', '.']
    """
    return [word for word, _, _ in word_spans(text)]


def is_word(word: str) -> bool:
    """Return whether a result of ``words_of`` is more than a punctuation mark."""
    return any(character.isalnum() for character in word)


def sentences_of(text: str) -> list[str]:
    """Cut a text after each full stop, question mark or exclamation mark that a capital follows.

    Examples
    --------
    >>> sentences_of("It rained. [MASK] you see it? Yes.")
    ['It rained.', '[MASK] you see it?', 'Yes.']
    """
    return _SENTENCE_END.split(text.translate(_STRAIGHT))


def normal_sentence(sentence: str) -> str:
    """Return a sentence's words, in lower case and without punctuation, with spaces between them.

    Examples
    --------
    >>> normal_sentence("“Anna's dog can't swim!”")
    "anna 's dog can't swim"
    """
    if not sentence.isascii():
        sentence = sentence.translate(_STRAIGHT)
    return " ".join(_WORD_ALONE.findall(sentence.lower()))


def normal_sentences(text: str) -> list[str]:
    """Return all that can be read as a sentence of a text, each as from ``normal_sentence``.

    These are the text as a whole, its sentences, and the sentences between quotation marks.

    Examples
    --------
    >>> normal_sentences('It rained. "I am wet," said Tom.')
    ['it rained i am wet said tom', 'it rained', 'i am wet said tom', 'i am wet', 'said tom']
    """
    parts = [text]
    if not text.isascii():
        text = text.translate(_STRAIGHT)
    sentences = _SENTENCE_END.split(text)
    if len(sentences) > 1:
        parts += sentences
    if '"' in text:
        parts += [part for quoted in text.split('"') for part in _SENTENCE_END.split(quoted)]
    return list(dict.fromkeys(map(normal_sentence, parts)))
