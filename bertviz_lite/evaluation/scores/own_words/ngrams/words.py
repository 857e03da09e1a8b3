"""Typed text as words, by one rule for training text and exam, however a story marks its words."""

from __future__ import annotations

import re

_WORD = re.compile(r"'s\b|[^\W_]+(?:['-](?!s\b)[^\W_]+)*|[^\w\s]")
_SENTENCE_END = re.compile(r"""(?<=[.!?])["']?\s+(?=["']?[A-Z\[])""")
_STRAIGHT = str.maketrans("‘’“”", "''\"\"")


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
