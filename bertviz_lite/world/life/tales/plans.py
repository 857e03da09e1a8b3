"""Scripts made ready: who has a role, what is spoken of more than once, which words occur."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import NamedTuple

from bertviz_lite.basics.read_later import ReadLater
from bertviz_lite.world.events.tables import words
from bertviz_lite.world.grammar.notation import Clause, Inner, Noun, Part, Phrase, Slot, Text
from bertviz_lite.world.life.knowledge.reading import Asked, Line, Script, Step, knowledge
from bertviz_lite.world.life.making.several import may_be_several
from bertviz_lite.world.life.tales.traits import (
    GROUP,
    clauses_of,
    kinds_of,
    labels_of,
    number_of,
    owners_of,
    tense_of,
    words_of_script,
)

KIN = words("mother father grandmother grandfather brother sister son daughter wife husband friend neighbour")


class Role(NamedTuple):
    """A letter of a script that somebody plays.

    ``kind`` is the type that the script gives, else empty; ``number`` is ``"sg"``, ``"pl"``, or empty where
    either would do.
    """

    letter: str
    kind: str
    number: str


class Plan(NamedTuple):
    """A script made ready to be told.

    Attributes
    ----------
    title
        Of the script.
    steps
        The script's steps, in which *A and B* is one slot, and what is mentioned again has a label.
    roles
        In the order in which they come.
    groups
        Letters that act together, such as ``"A+B"``.
    words
        All words of the script, nouns in the singular, verbs in their base form.
    tense
        In which alone it may be told, else empty.
    owners
        Letters whose first mention is a possessive.
    kin
        Letters of those who are somebody's mother, brother, friend …: the letter of that one, and the noun.
    counted
        Labels of the things and animals that may be several as well as one.
    """

    title: str
    steps: tuple[Step, ...]
    roles: tuple[Role, ...]
    groups: tuple[str, ...]
    words: frozenset[str]
    tense: str = ""
    owners: frozenset[str] = frozenset()
    kin: tuple[tuple[str, str, str], ...] = ()
    counted: frozenset[str] = frozenset()

    def role(self, letter: str) -> Role | None:
        """Return the role of a letter."""
        return next((role for role in self.roles if role.letter == letter), None)

    @property
    def now(self) -> bool:
        """Whether a step is told in the present, whatever the tense of the story."""
        return any(step.now for step in self.steps)


@cache
def plans() -> Sequence[Plan]:
    """Return the plans of all scripts, each made when it is first asked for."""
    scripts = knowledge().scripts
    return ReadLater(partial(_plan, number) for number in range(len(scripts)))


def _plan(number: int) -> Plan:
    return plan_of(knowledge().scripts[number])


def plan_of(script: Script) -> Plan:
    """Make a script ready."""
    labels = labels_of(script)
    kinds = kinds_of(script)
    groups: list[str] = []
    kin: dict[str, tuple[str, str]] = {}

    def part(one: Part) -> Part:
        if isinstance(one, Inner):
            return one._replace(clause=clause(one.clause))
        if isinstance(one, Noun) and (not one.label or one.label[0] == "*"):
            one = one._replace(label=labels.get((one.owner, one.words), ""))
        if isinstance(one, Noun) and one.label and one.owner in kinds and one.words[0] in KIN:
            kin[one.label] = one.owner, one.words[0]
            return Slot(one.label)
        return one

    def phrase(parts: Phrase) -> Phrase:
        parts = tuple(map(part, parts))
        joined = _joined(parts, {**kinds, **dict.fromkeys(kin, "")})
        for one in joined:
            if isinstance(one, Slot) and GROUP in one.letter and one.letter not in groups:
                groups.append(one.letter)
        return joined

    def clause(one: Clause) -> Clause:
        return Clause(phrase(one.subject), one.verb, tuple(map(phrase, one.phrases)))

    steps = tuple(changed(step, clause) for step in script.steps)
    roles = tuple(
        Role(letter, kind.partition(".")[0], number_of(script, letter, kind, groups))
        for letter, kind in kinds.items()
    )
    return Plan(
        script.title,
        steps,
        roles,
        tuple(groups),
        words_of_script(script),
        tense_of(script),
        owners_of(steps),
        tuple((letter, *rest) for letter, rest in kin.items()),
        may_be_several([one for step in steps for one in clauses_of(step)]),
    )


def changed(step: Step, change: Callable[[Clause], Clause]) -> Step:
    """Return a step in which every clause is changed."""
    speech = step.speech
    if speech is not None:

        def line(one: Line) -> Line:
            if isinstance(one, Asked):
                return Asked(change(one.clause))
            return change(one) if isinstance(one, Clause) else one

        who = change(speech.who) if speech.who is not None else None
        speaker = who.subject[0] if who is not None else None
        name = speaker.label if isinstance(speaker, Noun) else getattr(speaker, "letter", speech.speaker)
        speech = speech._replace(speaker=name, lines=tuple(map(line, speech.lines)), who=who)
    return step._replace(
        causes=tuple(map(change, step.causes)), clauses=tuple(map(change, step.clauses)), speech=speech
    )


def _joined(phrase: Phrase, kinds: dict[str, str]) -> Phrase:
    """Return a phrase in which *A and B* is one slot."""
    parts: list[Part] = []
    place = 0
    while place < len(phrase):
        letters: list[str] = []
        at = place
        while at < len(phrase):
            one = phrase[at]
            if not (isinstance(one, Slot) and one.letter in kinds and not one.owner):
                break
            letters.append(one.letter)
            if at + 1 < len(phrase) and phrase[at + 1] == Text("and"):
                at += 2
            else:
                at += 1
                break
        if len(letters) > 1 and phrase[at - 1] != Text("and"):
            parts.append(Slot(GROUP.join(letters)))
            place = at
        else:
            parts.append(phrase[place])
            place += 1
    return tuple(parts)
