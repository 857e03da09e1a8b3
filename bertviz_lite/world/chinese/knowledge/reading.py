"""The tables of small stories and events, as they are read.

A small story begins with ``story: title ; who is known from the start``, a scene with ``scene:``, an event
with ``event: name``; lines of the grammar's notation follow, one sentence or more in each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from bertviz_lite.world.events.tables import tables_below


class Script(NamedTuple):
    """A small story: who is known from the start (``A:child M:mother@A``), and its lines."""

    title: str
    cast: tuple[str, ...]
    lines: tuple[str, ...]


class Event(NamedTuple):
    """Something that may happen.

    Attributes
    ----------
    name
        A verb, mostly.
    needs, ends
        Facts that must hold, such as ``("有", "A", "K")``; those of ``ends`` no longer hold afterwards.
    forbids
        Facts that must not hold.
    makes
        Facts that hold afterwards.
    who
        Those whom the event brings along: slots with their kind.
    lines
        How it is told.
    """

    name: str
    needs: tuple[tuple[str, ...], ...]
    ends: tuple[tuple[str, ...], ...]
    forbids: tuple[tuple[str, ...], ...]
    makes: tuple[tuple[str, ...], ...]
    who: tuple[str, ...]
    lines: tuple[str, ...]


@cache
def scripts() -> tuple[Script, ...]:
    """Return all small stories, in the order of their titles."""
    return _scripts("stories")


@cache
def scenes() -> tuple[Script, ...]:
    """Return all scenes, texts of one sentence or a few, in the order of their titles."""
    return _scripts("scenes")


def _scripts(folder: str) -> tuple[Script, ...]:
    found = []
    for head, body in _blocks(folder):
        title, _, cast = head.partition(";")
        found.append(Script(title.strip(), tuple(cast.split()), tuple(body)))
    return tuple(sorted(found))


@cache
def events() -> tuple[Event, ...]:
    """Return all kinds of events, in the order of their names."""
    found = []
    for name, body in _blocks("events"):
        fields = {"needs": "", "ends": "", "not": "", "makes": "", "who": ""}
        lines = []
        for line in body:
            head, colon, rest = line.partition(": ")
            if colon and head in fields:
                fields[head] = rest
            else:
                lines.append(line)
        facts = (_facts(fields[field]) for field in ("needs", "ends", "not", "makes"))
        needs, ends, forbids, makes = facts
        found.append(Event(name, needs, ends, forbids, makes, tuple(fields["who"].split()), tuple(lines)))
    return tuple(sorted(found))


def _facts(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(fact.split()) for fact in text.split(",") if fact.strip())


def _blocks(folder: str) -> Iterator[tuple[str, list[str]]]:
    for table in tables_below(files(__package__).joinpath(folder)):
        head, body = "", list[str]()
        for line in [*table.read_text(encoding="utf-8").splitlines(), ""]:
            line = line.strip()
            if line.startswith("//"):
                continue
            if not line:
                if head:
                    yield head, body
                head, body = "", []
            elif not head:
                head = line.partition(": ")[2]
            else:
                body.append(line)
