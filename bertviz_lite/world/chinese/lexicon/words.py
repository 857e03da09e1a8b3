"""Words as the tables list them.

A heading in brackets says what the words below it are: the part of speech, then classes, then after ``:`` the
classifiers that nouns take, the usual one first. A word with several senses stands once for each, with the
sense after a dot: ``花.flower`` among the nouns, ``花.spend`` among the verbs. ``groups.txt`` puts words of
other tables into further classes.

>>> entry("小狗").classifiers
('只', '条')
>>> entry("在").sense, entry("在.doing").pos
('在.adp', 'ADV')
>>> entry("花.spend").pos, entry("花.flower").classifiers[0]
('VERB', '朵')
>>> readings_of("银行"), readings_of("行人")
((('行', 'háng'),), (('行', 'xíng'),))
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from importlib.resources import files
from typing import NamedTuple

TABLES = ("nouns.txt", "verbs.txt", "other.txt", "names.txt", "everyday.txt")
_HEADING = re.compile(r"\[(\w+)([^:\]]*)(?::([^\]]*))?\]")


class Entry(NamedTuple):
    """A word in one sense: its part of speech, its classes, the classifiers that it takes."""

    key: str
    pos: str
    classes: frozenset[str]
    classifiers: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The word as it is written."""
        return self.key.partition(".")[0]

    @property
    def sense(self) -> str | None:
        """Its key where the word has several senses; one that has no name is called by its part of speech."""
        if "." in self.key:
            return self.key
        return f"{self.key}.{self.pos.lower()}" if len(spellings()[self.key]) > 1 else None


def table(name: str) -> list[str]:
    """Return the lines of a table without comments and empty lines."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("//")]


@cache
def entries() -> dict[str, Entry]:
    """Return all words by key.

    Raises
    ------
    ValueError
        Where a table cannot be read, or lists a key twice.
    """
    found: dict[str, Entry] = {}
    for name in TABLES:
        heading: re.Match[str] | None = None
        for line in table(name):
            if line.startswith("["):
                heading = _HEADING.fullmatch(line)
                continue
            if heading is None:
                raise ValueError(f"{name}: {line!r} stands below no heading that can be read")
            pos, classes, classifiers = heading.groups()
            for key in line.split():
                if key in found:
                    raise ValueError(f"{name}: {key} is listed twice")
                found[key] = Entry(key, pos, frozenset(classes.split()), tuple((classifiers or "").split()))
    for line in table("groups.txt"):
        name, _, keys = line.partition(":")
        for key in keys.split():
            found[key] = found[key]._replace(classes=found[key].classes | {name})
    return found


def entry(key: str) -> Entry:
    """Return a word by key; a word with one sense also without it.

    Raises
    ------
    KeyError
        Where no table lists it, or in several senses.
    """
    if key in entries():
        return entries()[key]
    raise KeyError(f"{key}: {' or '.join(spellings().get(key, ())) or 'in no table'}")


@cache
def spellings() -> dict[str, tuple[str, ...]]:
    """Return the keys of every written word."""
    found: dict[str, list[str]] = defaultdict(list)
    for key, word in entries().items():
        found[word.text].append(key)
    return {text: tuple(keys) for text, keys in found.items()}


@cache
def of_class(name: str) -> tuple[str, ...]:
    """Return the keys of all words of a class, in the order of the tables."""
    return tuple(key for key, word in entries().items() if name in word.classes)


@cache
def _readings() -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for line in table("readings.txt"):
        character, _, ways = line.partition(" ")
        for way in ways.split(";"):
            pinyin, *words = way.split()
            for word in words:
                found[word].append((character, pinyin))
    return {word: tuple(pairs) for word, pairs in found.items()}


def readings_of(key: str) -> tuple[tuple[str, str], ...]:
    """Return how the characters of a word are read that can be read in two ways."""
    return _readings().get(key, ())


@cache
def read_in_two_ways() -> frozenset[str]:
    """Return the characters that the table of readings has."""
    return frozenset(line[0] for line in table("readings.txt"))
