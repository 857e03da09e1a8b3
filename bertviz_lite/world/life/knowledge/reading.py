"""What the town knows: the tables below ``known``, read.

The kinds of lines: a *link* is a cause and its effect, *but* and *while* are links of other kinds, a *fact*
is always or usually so, a *talk* is a line and its answer, a *script* is a small story, step by step.
Clauses are written in the notation of ``grammar``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from typing import NamedTuple, ParamSpec, TypeVar

from bertviz_lite.basics.read_later import ReadLater
from bertviz_lite.world.events.tables import tables_below
from bertviz_lite.world.grammar.notation import Clause, Noun, Slot, read_clause
from bertviz_lite.world.grammar.reading.coreference import linked

P = ParamSpec("P")
T = TypeVar("T")


class Words(NamedTuple):
    """Words that are no clause: *yes*, *thank you*, *of course*."""

    text: str


class Asked(NamedTuple):
    """A clause that is asked."""

    clause: Clause


Line = Clause | Words | Asked


class Link(NamedTuple):
    """A cause and its effect.

    Of kind ``but`` it is something and what one does not expect of it, of kind ``while`` what goes on
    and what happens.
    """

    cause: tuple[Clause, ...]
    effect: tuple[Clause, ...]
    kind: str = "link"


class Talk(NamedTuple):
    """What one says, and what the other answers."""

    line: tuple[Line, ...]
    answer: tuple[Line, ...]


class Speech(NamedTuple):
    """What somebody says in a story; ``verb`` is say, ask, shout … and ``who`` tells who the speaker is."""

    speaker: str
    verb: str
    lines: tuple[Line, ...]
    who: Clause | None = None


class Step(NamedTuple):
    """A step of a story: clauses that are told together, with their causes, or something that is said.

    ``optional`` steps may be left out; of the steps with the same ``choice`` one is told; a step of ``now``
    is told in the present, whatever the tense of the story: what somebody always does, how it is still.
    """

    causes: tuple[Clause, ...] = ()
    clauses: tuple[Clause, ...] = ()
    speech: Speech | None = None
    optional: bool = False
    choice: int = 0
    now: bool = False


class Script(NamedTuple):
    """A small story."""

    title: str
    steps: tuple[Step, ...]


class Knowledge(NamedTuple):
    """All that the town knows. A line is read when it is first asked for: to read all takes seconds."""

    links: Sequence[Link]
    facts: Sequence[tuple[Clause, ...]]
    talks: Sequence[Talk]
    scripts: Sequence[Script]


_HEAD = re.compile(r"(link|but|while|fact|talk|script):\s*(.*)")
_SAYS = re.compile(r"([^|]+?) (says|asks|answers|shouts|whispers|cries|calls|thinks):\s*(.*)")


@cache
def knowledge() -> Knowledge:
    """Return all that the town knows.

    A line that cannot be read raises a ValueError where it is asked for; the message names file and line.
    """
    links: list[Callable[[], Link]] = []
    facts: list[Callable[[], tuple[Clause, ...]]] = []
    talks: list[Callable[[], Talk]] = []
    scripts: list[Callable[[], Script]] = []
    for path in tables_below(files(__package__).joinpath("known")):
        for number, kind, body, steps in _entries(path.read_text(encoding="utf-8")):
            place = f"{path.name}, line {number}"
            if kind in ("link", "but", "while"):
                links.append(partial(_at, place, _link, body, kind))
            elif kind == "fact":
                facts.append(partial(_at, place, _fact, body))
            elif kind == "talk":
                talks.append(partial(_at, place, _talk, body))
            else:
                scripts.append(partial(_at, place, _script, body, steps))
    return Knowledge(ReadLater(links), ReadLater(facts), ReadLater(talks), ReadLater(scripts))


def _at(place: str, read: Callable[P, T], *parts: P.args, **more: P.kwargs) -> T:
    try:
        return read(*parts, **more)
    except (ValueError, IndexError) as error:
        raise ValueError(f"{place}: {error}") from error


def _entries(text: str) -> list[tuple[int, str, str, list[str]]]:
    entries: list[tuple[int, str, str, list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#")[0].rstrip()
        if not line.strip():
            continue
        match = _HEAD.match(line.strip()) if not line.startswith(" ") else None
        if match:
            entries.append((number, match[1], match[2], []))
        elif entries:
            entries[-1][3].append(line.strip())
    return entries


def _clauses(text: str) -> tuple[Clause, ...]:
    return tuple(read_clause(part) for part in text.split(";") if part.strip())


def _fact(body: str) -> tuple[Clause, ...]:
    return linked(_clauses(body.partition("=>")[0]))


def _script(title: str, steps: list[str]) -> Script:
    return Script(title, _steps(steps))


def _link(body: str, kind: str) -> Link:
    sides = body.split("=>")
    if len(sides) < 2:
        raise ValueError(f"{body!r}: a link is cause => effect")
    cause, effect = _clauses(";".join(sides[:-1])), _clauses(sides[-1])
    clauses = linked((*cause, *effect))
    return Link(clauses[: len(cause)], clauses[len(cause) :], kind)


def _talk(body: str) -> Talk:
    sides = body.split("=>")
    if len(sides) != 2:
        raise ValueError(f"{body!r}: a talk is a line => an answer")
    line, answer = _lines(sides[0]), _lines(sides[1])
    lines = _linked_lines((*line, *answer))
    return Talk(lines[: len(line)], lines[len(line) :])


def _linked_lines(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    clauses = iter(linked([clause_of(line) for line in lines if not isinstance(line, Words)]))
    return tuple(
        line
        if isinstance(line, Words)
        else Asked(next(clauses))
        if isinstance(line, Asked)
        else next(clauses)
        for line in lines
    )


def clause_of(line: Clause | Asked) -> Clause:
    """Return the clause of a line, whether it is asked or not."""
    return line.clause if isinstance(line, Asked) else line


def _lines(text: str) -> tuple[Line, ...]:
    lines: list[Line] = []
    for part in text.split(";"):
        part = part.strip()
        if not part:
            continue
        asked = part.endswith("?")
        part = part.rstrip("?").strip()
        if "|" not in part:
            lines.append(Words(part))
        elif asked:
            lines.append(Asked(read_clause(part)))
        else:
            lines.append(read_clause(part))
    return tuple(lines)


def _speech(speaker: str, verb: str, lines: str) -> Speech:
    """Read what somebody says, who is a letter or a noun phrase: ``A``, ``A's mother``, ``one boy=K``."""
    if re.fullmatch(r"[A-HJ-Z]\d?", speaker):
        return Speech(speaker, verb, _lines(lines))
    who = read_clause(f"{speaker} | {verb}")
    part = who.subject[0]
    if isinstance(part, Noun):
        part = part if part.label else part._replace(label=f"*{part.owner}{part.words[-1]}")
        return Speech(part.label, verb, _lines(lines), replace(who, subject=(part,)))
    return Speech(part.letter if isinstance(part, Slot) else speaker, verb, _lines(lines), who)


def _steps(texts: list[str]) -> tuple[Step, ...]:
    steps: list[Step] = []
    choice = 0
    joined = False
    for text in texts:
        if text == "/":
            if not joined:
                choice += 1
            if steps:
                steps[-1] = steps[-1]._replace(choice=steps[-1].choice or choice)
            joined = True
            continue
        optional = text.startswith("?")
        text = text.lstrip("? ").strip()
        now = text.startswith("now:")
        text = text.removeprefix("now:").strip()
        if match := _SAYS.fullmatch(text):
            verb = {"answers": "answer", "cries": "cry"}.get(match[2], match[2].removesuffix("s"))
            step = Step(speech=_speech(match[1], verb, match[3]))
        elif "=>" in text:
            cause, _, effect = text.rpartition("=>")
            step = Step(_clauses(cause.replace("=>", ";")), _clauses(effect))
        else:
            step = Step((), _clauses(text))
        steps.append(step._replace(optional=optional, choice=choice if joined else 0, now=now))
        joined = False
    return tuple(steps)
