"""The patterns of descriptions, read from the tables below ``tables``.

A line is ``head :: body``. The head declares who and what is in the scene (``A:child.sg``), what is said of
them (``$s=is:A``, or ``$s=is!:A`` without a place), words to choose from (``$x=tall/old``), numbers
(``$n=3..9``), and may hold ``past``, ``present`` or a weight (``w3``). The body is the text: its sentences
are parted by ``//``, its alternatives stand in braces.

- ``A`` is a noun phrase, whole at its first mention; ``A.he``, ``A.him``, ``A.his``, ``A.hers``, ``A.self``
  are pronouns; ``A.the``, ``A.a``, ``A.any``, ``A.this``, ``A.that``, ``A.bare``, ``A.one``, ``A's`` name it
  otherwise; ``A.far`` says more of it, with a noun of the other number before its verb: *the key of the
  two doors*.
- ``want@A`` is a verb in the text's tense that agrees with A; ``be@AB`` agrees with *A and B*; ``be-n't@A``
  is negated; ``has@A`` and ``does@A`` are auxiliaries. ``@A=past`` and ``@A=present`` fix its tense.
- ``$s`` stands for what was declared; of a verb phrase ``$d@A``, ``$d.base``, ``$d.ing``, ``$d.pp``; of an
  adjective ``$x.er``, ``$x.est``, ``$x.anti``, ``$x.antier``.
- ``%past``, ``%habit``, ``%future``, ``%now`` and ``%for`` stand for times; ``%these`` (*these days*,
  *in those days*) and ``%party`` (*tomorrow*, *yesterday*) for those of the text's tense. A line
  ``%name = text`` names a text for the lines after it in its table; ``%name.sg`` has the ending after each
  of its alternatives.
- ``A:role.even`` is one or several, each as often; ``B:role.otherA`` is several where A is one, and one
  where A is several.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from importlib.resources import files
from typing import NamedTuple

from bertviz_lite.world.events.tables import rows, tables_below

SAID = "said"
"""The folder of those tables that are no patterns, but what may be said of anybody and around anything."""

BARE = ("order", "days")
"""The tables whose sentences stand alone: nothing more is said of their nouns, or put around them."""

_MACROS = {
    "%past": """{yesterday/last night/last week/last summer/on Monday/on Sunday/two days ago/
        an hour ago/a week ago/last year/yesterday morning/on Friday/last Saturday/three weeks ago/
        last winter/this morning}""",
    "%habit": """{every day/every morning/on Sundays/every week/every evening/in summer/in winter/
        every afternoon/in the morning/every Saturday/on Fridays/in the evening/twice a week/once a week}""",
    "%future": """{tomorrow/next week/tonight/next Sunday/tomorrow morning/next summer/soon/this evening/
        next Monday/on Saturday/next year/in two days/later/this afternoon/
        in an hour}""",
    "%for": """{for an hour/for two days/for a week/for three years/for a long time/for ten minutes/all day/
        since Monday/since the morning/since last week}""",
}
_PRESENT = "{now/at the moment/today/now/now/this morning/this week}"
_PAST = "{when I came/yesterday/all day/that morning/then/on Sunday/when the bell rang/last night}"
_OF_TENSE = {
    "%then": (
        "{today/this week/at the moment/this morning/these days/this afternoon/now/at this hour}",
        "{yesterday/that day/last night/that morning/last week/on Sunday/when we came/during the storm}",
    ),
    "%now": (_PRESENT, _PAST),
    "%these": (
        "{these days/now/this year}",
        "{in those days/at that time/once/last year/a long time ago}",
    ),
    "%party": (
        "{tomorrow/tonight/next week/this evening/next Sunday}",
        "{yesterday/last night/last week/two days ago/last Sunday}",
    ),
    "%is": ("is", "was"),
    "%are": ("are", "were"),
    "%have": ("have", "had"),
    "%has": ("has", "had"),
}
_DEFINITION = re.compile(r"(%\w+) = (.*)")
_BRACES = re.compile(r"\{([^{}]*)\}")


class Pattern(NamedTuple):
    """A pattern: its head, its body, and the table that it is from."""

    head: tuple[str, ...]
    body: str
    name: str


@cache
def patterns() -> dict[str, tuple[Pattern, ...]]:
    """Return the patterns by table, each as often as its weight says."""
    found: dict[str, list[Pattern]] = {}
    for file in tables_below(files(__package__).joinpath("tables"), but=SAID):
        name = file.name.removesuffix(".txt")
        named: dict[str, str] = {}
        for line in rows(file.read_text(encoding="utf-8")):
            for macro, meaning in named.items():
                line = re.sub(rf"{macro}\b(\.\w+)?", partial(_with_ending, meaning), line)
            if definition := _DEFINITION.fullmatch(line):
                named[definition[1]] = definition[2]
                continue
            head, sign, body = line.partition("::")
            if not sign:
                raise ValueError(f"{name}: {line!r} has no '::'")
            for macro, meaning in _MACROS.items():
                body = body.replace(macro, " ".join(meaning.split()).replace("/ ", "/"))
            kept, weight = weighed(head)
            found.setdefault(name, []).extend([Pattern(kept, body.strip(), name)] * weight)
    return {name: tuple(rows) for name, rows in found.items()}


def weighed(head: str) -> tuple[tuple[str, ...], int]:
    """Return the items of a head without its weight, and the weight: ``w3``, 1 where it has none."""
    items = head.split()
    weights = [item for item in items if re.fullmatch(r"w\d+", item)]
    return tuple(item for item in items if item not in weights), int(weights[0][1:]) if weights else 1


def _with_ending(meaning: str, name: re.Match[str]) -> str:
    """Return what a name stands for, its alternatives with the ending of the name, ``%who.sg``."""
    ending = name[1] or ""
    return "/".join(part + ending for part in meaning.split("/")) if ending else meaning


@cache
def openings(tense: str, *, timed: bool) -> tuple[str, ...]:
    """Return what may come before, after or around a statement of a tense, which stands for ``_``.

    Without times where the statement is ``timed`` itself.
    """
    text = files(__package__).joinpath("tables", SAID, "openings.txt").read_text(encoding="utf-8")
    heads = {"any", tense} if timed else {"any", tense, f"{tense} time"}
    found = (line.partition(" :: ") for line in rows(text))
    return tuple(body.strip() for head, _, body in found if head in heads)


def pattern_of_tense(body: str, tense: str) -> str:
    """Return a body with what its tense asks for: *at the moment* or *when I came*, *is* or *was*."""
    present = tense == "present"
    for macro, (now, then) in _OF_TENSE.items():
        body = body.replace(macro, now if present else then)
    return body


def choose(body: str, pick: Callable[[list[str]], str]) -> str:
    """Return a body with one of each of its alternatives.

    Examples
    --------
    >>> choose("A {is /was }here", lambda items: items[0])
    'A is here'
    """
    while match := _BRACES.search(body):
        body = body[: match.start()] + pick(re.split(r"(?<!/)/(?!/)", match[1])) + body[match.end() :]
    return body
