"""Words to try a tokenizer on, of the town, with endings or errors, of a manual, random; and characters."""

from __future__ import annotations

import sys
import unicodedata
from pydoc_data.topics import topics
from random import Random

from bertviz_lite.data.wordpiece import normalise, split_words
from bertviz_lite.world import stories

__all__ = ["many_words", "random_words", "steady_characters", "with_errors"]

ENDINGS = ("s", "ed", "ing", "ness", "fully")
SMALL = "abcdefghijklmnopqrstuvwxyz"
SIGNS = "etaoinshrdlu" * 4 + "bcfgjkmpqvwxyz0123456789" + "ß猫ю½'-#["


def many_words(count: int = 10_000) -> list[str]:
    """Return words of four kinds: of the town; with an ending, invented or not; of Python's manual; random.

    The random ones fill up; a fifth of their signs are digits, punctuation, and signs that few vocabularies
    have.
    """
    draw = Random(0)
    town = sorted({word.text.lower() for story in stories(seed=61, n=500) for word in story.words})
    ended = [word + ending for word in town for ending in ENDINGS]
    manual = sorted({word for page in topics.values() for word in split_words(normalise(page))})
    words = [*town, *draw.sample(ended, count // 2), *manual[: count // 5]][:count]
    rest = count - len(words)
    return words + ["".join(draw.choices(SIGNS, k=draw.randint(1, 15))) for _ in range(rest)]


def random_words(count: int = 5_000) -> list[str]:
    """Return words of one to thirty small letters, drawn at random."""
    draw = Random(1)
    return ["".join(draw.choices(SMALL, k=draw.randint(1, 30))) for _ in range(count)]


def steady_characters() -> list[str]:
    """Return the characters that were assigned in Unicode 3.2, of 2002, and are of the same category today.

    Versions of Python know different Unicodes, and agree on these.
    """
    old, surrogates = unicodedata.ucd_3_2_0, range(0xD800, 0xE000)
    every = (chr(code) for code in range(sys.maxunicode + 1) if code not in surrogates)
    return [sign for sign in every if "Cn" != old.category(sign) == unicodedata.category(sign)]


def with_errors(text: str) -> str:
    """Swap two neighbouring letters in the middle of every word that has more than three.

    >>> with_errors("the kitchen")
    'the kicthen'
    """
    return " ".join(_swapped(word) for word in split_words(normalise(text)))


def _swapped(word: str) -> str:
    at = len(word) // 2
    return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :] if len(word) > 3 else word
