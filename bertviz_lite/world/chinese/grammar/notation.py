"""How a line of the tables is read: words between spaces, and a few signs.

::

    小狗=D          a word of the lexicon; what it names is called D from here on
    花.flower       a word in one of its senses
    A:child.f       somebody new: a girl; later just A. B:mother@A is A's mother, A+B both of them
    K:toy           a thing out of a class of nouns
    #               the classifier of the noun that follows: 一 # 小狗=D is 一只小狗; #=K: K's, no noun
    %               an adjective that goes with the noun that follows, or none
    n:2-5  n+1  n-m a number that is drawn; later just n, or counted on
    { a / b }       one of these; { a / } is a or nothing
    @夏天           a line of ``macros.txt``, a choice that many stories share
    < V | K >       somebody does something to K: 把, 被 or plain order, as the story so far wants it;
                    < adverb | V | K > and < adverb | V | K | complement > as well
    A^  A~  A-      the name, or the pronoun, or nothing at all, in any case
    K!  渴!         the name, or a word, where the rest of the text leaves only this one: it has been named
                    before (``mention``), or follows from what is told (``consequence``)

Punctuation stands between spaces, too, and full-width.

>>> [type(item).__name__ for item in read_line("A:child 有 一 # % K:toy 。")]
['Slot', 'Plain', 'Plain', 'Classifier', 'Modifier', 'Slot', 'Mark']
>>> read_line("A < 打破 了 | 花瓶=K > 。")[1].object
(Plain(key='花瓶', label='K', determined=False),)
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple, TypeAlias

from bertviz_lite.world.chinese.lexicon import entry

PRONOUNS = ("他", "她", "它", "他们", "她们", "它们")
PUNCTUATION = "，。！？：；、“”…"


class Plain(NamedTuple):
    """A word that is written out; ``label`` is whom or what it names."""

    key: str
    label: str = ""
    determined: bool = False


class Mark(NamedTuple):
    """A punctuation mark."""

    text: str


class Slot(NamedTuple):
    """Somebody or something by letter; ``kind`` at the first mention; ``way`` is ``^``, ``~`` or ``-``."""

    letters: tuple[str, ...]
    kind: str = ""
    gender: str = ""
    owner: str = ""
    way: str = ""
    determined: bool = False


class Classifier(NamedTuple):
    """A place for a classifier; ``label``: of a noun that is left out."""

    label: str = ""


class Modifier(NamedTuple):
    """A place for an adjective that goes with the noun that follows."""


class Number(NamedTuple):
    """A number: drawn between two bounds, or counted from others."""

    name: str
    bounds: tuple[int, int] | None = None
    sign: int = 0
    other: str = ""


class Choice(NamedTuple):
    """One of several."""

    ways: tuple[tuple[Item, ...], ...]


class Voice(NamedTuple):
    """Somebody does something to something: the order is chosen when it is told."""

    adverbs: tuple[Item, ...]
    verb: tuple[Item, ...]
    object: tuple[Item, ...]
    complement: tuple[Item, ...]


Item: TypeAlias = Plain | Mark | Slot | Classifier | Modifier | Number | Choice | Voice

_SLOT = re.compile(r"([A-Z](?:\+[A-Z])*)(?::([a-z]+)(?:\.([mf]))?(?:@([A-Z]))?)?([\^~-]?)")
_NUMBER = re.compile(r"([a-z])(?::(\d+)-(\d+)|([+-])([a-z]|\d+))?")
_BRACKETS = {"{": "}", "<": ">"}
_SEPARATORS = {"{": "/", "<": "|"}


@cache
def read_line(line: str) -> tuple[Item, ...]:
    """Read a line.

    Raises
    ------
    ValueError
        Where a word is in no table, or a bracket is not closed; the message names it and the line.
    """
    tokens = line.split()
    try:
        items, end = _sequence(tokens, 0, ())
    except (KeyError, ValueError) as problem:
        raise ValueError(f"{line!r}: {problem.args[0]}") from None
    if end != len(tokens):
        raise ValueError(f"{line!r}: {tokens[end]!r} opens nothing")
    return items


def _sequence(tokens: list[str], at: int, stops: tuple[str, ...]) -> tuple[tuple[Item, ...], int]:
    items: list[Item] = []
    while at < len(tokens) and tokens[at] not in (stops or ("}", ">", "/", "|")):
        token = tokens[at]
        if token in _BRACKETS:
            item, at = _bracket(tokens, at)
            items.append(item)
        elif token.startswith("@"):
            items.extend(read_line(macros()[token[1:]]))
        else:
            items.append(_item(token))
        at += 1
    return tuple(items), at


def _bracket(tokens: list[str], at: int) -> tuple[Item, int]:
    opens = tokens[at]
    close, separator = _BRACKETS[opens], _SEPARATORS[opens]
    parts: list[tuple[Item, ...]] = []
    while tokens[at] != close:
        part, at = _sequence(tokens, at + 1, (close, separator))
        if at == len(tokens):
            raise ValueError(f"{opens} is not closed")
        parts.append(part)
    if opens == "{":
        return Choice(tuple(parts)), at
    if len(parts) == 2:
        parts.insert(0, ())
    if not 3 <= len(parts) <= 4:
        raise ValueError("< > holds two to four parts")
    return Voice(parts[0], parts[1], parts[2], parts[3] if len(parts) == 4 else ()), at


def _item(token: str) -> Item:
    if all(character in PUNCTUATION for character in token):
        return Mark(token)
    if token == "%":
        return Modifier()
    if token.startswith("#"):
        return Classifier(token[2:])
    determined = token.endswith("!")
    token = token.removesuffix("!")
    if slot := _SLOT.fullmatch(token):
        letters, kind, gender, owner, way = slot.groups()
        return Slot(tuple(letters.split("+")), kind or "", gender or "", owner or "", way, determined)
    if number := _NUMBER.fullmatch(token):
        name, low, high, sign, other = number.groups()
        bounds = (int(low), int(high)) if low else None
        return Number(name, bounds, {"+": 1, "-": -1}.get(sign, 0), other or "")
    key, _, label = token.partition("=")
    if key in PRONOUNS:
        raise ValueError(f"{key}: the grammar writes pronouns; a letter is needed")
    return Plain(entry(key).key, label, determined)


@cache
def macros() -> dict[str, str]:
    """Return the lines that many stories share, by name."""
    text = files("bertviz_lite.world.chinese.knowledge").joinpath("macros.txt").read_text(encoding="utf-8")
    rows = (
        line.partition(" = ") for line in text.splitlines() if " = " in line and not line.startswith("//")
    )
    return {name.strip(): rest.strip() for name, _, rest in rows}
