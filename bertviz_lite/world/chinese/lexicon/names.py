"""Who can be called what: children, grown-ups with a title, kin, pets.

>>> "小红" in names("child", "f"), kinship("mother")
(True, ('妈妈', 'f'))
"""

from __future__ import annotations

from functools import cache

from bertviz_lite.world.chinese.lexicon.words import entries, of_class, spellings

TITLES = {
    "teacher": ("老师", "mf"),
    "doctor": ("医生", "mf"),
    "uncle": ("叔叔", "m"),
    "aunt": ("阿姨", "f"),
    "granny": ("奶奶", "f"),
    "grandpa": ("爷爷", "m"),
}
"""Grown-ups who are no kin: the title that follows the surname, and who can have it."""

_KIN = {
    "mother": ("妈妈", "f"),
    "father": ("爸爸", "m"),
    "gran": ("奶奶", "f"),
    "grandad": ("爷爷", "m"),
    "brother": ("弟弟", "m"),
    "bigbrother": ("哥哥", "m"),
    "sister": ("妹妹", "f"),
    "bigsister": ("姐姐", "f"),
    "uncle": ("叔叔", "m"),
}


def kinship(kind: str) -> tuple[str, str]:
    """Return the noun for somebody's kin, and the gender."""
    return _KIN[kind]


@cache
def names(kind: str, gender: str) -> tuple[str, ...]:
    """Return the names of children (``"child"``) of a gender."""
    return tuple(key for key in of_class(kind) if gender in entries()[key].classes)


@cache
def names_that_are_no_words(gender: str) -> tuple[str, ...]:
    """Return the children's names that a text cannot hold but as names: not 圆圆, nor 小红 (小红旗)."""
    both = [name for name in names("child", gender) if len(spellings()[name]) == 1]
    return tuple(name for name in both if not (name[0] in spellings() and name[1] in spellings()))


def surnames() -> tuple[str, ...]:
    """Return the surnames."""
    return of_class("surname")
