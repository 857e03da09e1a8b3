"""Text before it is cut into word pieces: cleaned, and split into words."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from bertviz_lite.basics.arguments import ArgumentError, instance, shown

# The blocks of Chinese characters in Google's code of 2018; Japanese and Korean use them too. (The block at
# 2B820 begins at 2B920 in `tokenizers` 0.23.)
_CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def _check_character(character: str) -> None:
    instance("character", character, str, "one character")
    if len(character) != 1:
        raise ArgumentError(f"character={shown(character)}: one character is needed.")


def is_chinese(character: str) -> bool:
    """Say whether BERT sets a character apart as a word of its own."""
    _check_character(character)
    return any(first <= ord(character) <= last for first, last in _CHINESE)


def is_punctuation(character: str) -> bool:
    """Say whether BERT cuts around a character: Unicode's punctuation, and signs of ASCII such as $ and +."""
    _check_character(character)
    in_ascii = (
        character.isascii() and character.isprintable() and not character.isalnum() and character != " "
    )
    return in_ascii or unicodedata.category(character).startswith("P")


def normalise(text: str, *, lower_case: bool = True, strip_accents: bool | None = None) -> str:
    r"""Clean a text as BERT does: character by character, no character knows its neighbours.

    >>> normalise("Zoë's\tcafe\u0301")
    "zoe's cafe"

    Parameters
    ----------
    text
        Any text.
    lower_case
        Write every letter small.
    strip_accents
        Take letters apart (Unicode's form NFD) and drop what is set above and below them; if None, as
        `lower_case`, which is how the released models were made.

    Returns
    -------
    str
        With a space for each white character, no control characters, Chinese characters between spaces.
    """
    instance("text", text, str, "a text")
    without = lower_case if strip_accents is None else strip_accents
    cleaned = "".join(map(_cleaned, text))
    if without:
        apart = unicodedata.normalize("NFD", cleaned)
        cleaned = "".join(letter for letter in apart if unicodedata.category(letter) != "Mn")
    return "".join(letter.lower() for letter in cleaned) if lower_case else cleaned


@lru_cache(maxsize=4096)  # texts repeat their characters
def _cleaned(character: str) -> str:
    if character in "\t\n\r" or unicodedata.category(character).startswith("Z"):
        return " "
    # Not yet assigned characters (Cn) stay: which they are depends on the version of Unicode.
    if character == "\ufffd" or unicodedata.category(character) in {"Cc", "Cf", "Co", "Cs"}:
        return ""
    return f" {character} " if is_chinese(character) else character


def split_words(text: str) -> list[str]:
    """Cut a normalised text at white space, and before and after each punctuation mark.

    >>> split_words("anna's key!")
    ['anna', "'", 's', 'key', '!']
    """
    instance("text", text, str, "a text")
    return "".join(map(_spaced, text)).split()


@lru_cache(maxsize=4096)
def _spaced(character: str) -> str:
    return f" {character} " if is_punctuation(character) else character
