"""The names of characters that a normaliser may change, for a page: a browser knows no names."""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import chain

__all__ = ["name_lines"]

_PLANES = (range(0x1F800), range(0x20000, 0x33480), range(0xE0000, 0xE01F0))
_CHANGE_TOO = "\u1734\ufffd"  # a mark to older tables, and what could not be read
_MAY_CHANGE = {"Cc", "Cf", "Mn", "Zs", "Zl", "Zp"}
_RANGES = ("CJK UNIFIED IDEOGRAPH-", "CJK COMPATIBILITY IDEOGRAPH-", "HANGUL SYLLABLE ")
"""What names of many characters in a row begin with; the rest follows from the character."""


@cache
def name_lines() -> str:
    """Return a line for each character, or for each range whose names begin alike: "eb LATIN SMALL …".

    >>> name_lines().splitlines()[:2]
    ['20 SPACE', '41 LATIN CAPITAL LETTER A']
    """
    lines: list[list[int | str]] = []  # first code point, last one, name
    for code in chain(*_PLANES):
        letter = chr(code)
        name = unicodedata.name(letter, "")
        if not name or not (_changes(letter) or name.startswith(_RANGES)):
            continue
        alike = next((start for start in _RANGES if name.startswith(start)), None)
        if alike and lines and lines[-1][1:] == [code - 1, alike]:
            lines[-1][1] = code
        else:
            lines.append([code, code, alike or name])
    return "\n".join(
        f"{first:x} {name}" if first == last and name not in _RANGES else f"{first:x}-{last:x} {name}"
        for first, last, name in lines
    )


def _changes(letter: str) -> bool:
    kind = unicodedata.category(letter)
    others = letter in _CHANGE_TOO or letter.lower() != letter
    return kind in _MAY_CHANGE or others or not unicodedata.is_normalized("NFD", letter)
