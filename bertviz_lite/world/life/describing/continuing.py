"""What goes on after a state or a doing: *because she had not slept*, *so they want some bread*.

``tables/said/said_on.txt`` has lines ``keys :: way clause ; way clause``. A key is a state (``hungry``) or
the verb of a doing (``wait``); R is who it is said of. A way is a conjunction, or ``.`` for a sentence.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import files

from bertviz_lite.world.events.tables import rows, words
from bertviz_lite.world.grammar.clauses import Manner
from bertviz_lite.world.grammar.notation import Clause, Noun, Slot, Verb, parts_of, read_clause
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token, literal, mark
from bertviz_lite.world.life.describing.drawing import Drawing, Drawn
from bertviz_lite.world.life.making.telling import Telling

_FAMILY = {
    "person": words("friend friend brother sister mother father"),
    "adult": words("mother father grandmother grandfather neighbour"),
    "child": words("brother sister friend"),
}
_GENDERS = {
    "mother": "f",
    "grandmother": "f",
    "sister": "f",
    "father": "m",
    "grandfather": "m",
    "brother": "m",
}
_WITH_COMMA = ("but", "so", "and")
_TIMES = words("before until when whenever while after")
_STATES = frozenset(
    words(
        """be have know like love want need cost belong seem fit keep hear see smell taste hope think
        believe understand remember mean wish stand lie become begin"""
    )
)
_DEGREES = frozenset(words("very too so quite still always often already never"))


@cache
def continuations() -> dict[str, tuple[tuple[str, Clause], ...]]:
    """Return what may go on, by kind of subject and key: ways and clauses."""
    found: dict[str, list[tuple[str, Clause]]] = {}
    text = files(__package__).joinpath("tables", "said", "said_on.txt").read_text(encoding="utf-8")
    for line in rows(text):
        keys, sign, body = line.partition("::")
        if not sign:
            raise ValueError(f"said_on: {line!r} has no '::'")
        entries = []
        for entry in body.split(";"):
            way, _, clause = entry.strip().partition(" ")
            entries.append((way, read_clause(clause)))
        for key in keys.split(","):
            found.setdefault(" ".join(key.split()), []).extend(entries)
    return {key: tuple(entries) for key, entries in found.items()}


def is_dynamic(verb: Verb) -> bool:
    """Say whether a verb tells what somebody does, so that now it is *is doing*."""
    helped = verb.modal or verb.perfect or verb.progressive or verb.passive
    return not helped and verb.lemma not in _STATES


def key_of(entry: str) -> str:
    """Return the key of an entry of ``said.txt``.

    Examples
    --------
    >>> key_of("very tired"), key_of("wait | for the bus")
    ('tired', 'wait')
    """
    if "|" in entry or entry in ("sleep", "sing", "dance", "laugh", "cry", "work", "rest", "shout", "run"):
        return entry.partition("|")[0].strip()
    return " ".join(word for word in entry.split() if word not in _DEGREES)


class Continuing:
    """Makes the clauses that go on."""

    def __init__(self, telling: Telling, drawing: Drawing) -> None:
        self.telling = telling
        self.drawing = drawing

    def after(self, drawn: Drawn, entry: str, tense: str, *, usual: bool = False) -> tuple[str, list[Token]]:
        """Return a way and the words that go on, or nothing; ``usual`` of what is so every day."""
        kind = drawn.kinds[-1]
        if kind not in ("people", "animal") or drawn.joined is not None:
            kind = "thing"
        key = key_of(entry)
        options = continuations().get(f"{kind} {key}", ())
        if kind == "thing":
            options += tuple(
                option for sort in drawn.kinds for option in continuations().get(f"{sort} {key}", ())
            )
        if kind != "thing":
            options += continuations().get(key, ())
        if usual:
            options = tuple(option for option in options if option[0] in _TIMES)
        if not options or drawn.joined is not None or not self._clear(drawn.referent):
            return "", []
        way, clause = self.telling.dice.pick(options)
        if tense == "present" and way not in _TIMES and is_dynamic(clause.verb):
            clause = replace(clause, verb=clause.verb._replace(progressive=True))
        bindings = self._bound(clause, drawn.referent)
        manner = Manner(tense, contracted=self.telling.dice.chance(0.5))
        phrases = self.telling.phrases
        plain, phrases.plain = phrases.plain, True
        tokens = self.telling.clauses.tell(clause, bindings, manner)
        phrases.plain = plain
        chain = drawn.referent.chain
        if any(token.entity == chain and token.pos in ("NOUN", "PROPN") for token in tokens):
            return "", []  # its noun would stand twice
        if way == ".":
            return way, tokens
        start = [mark(",")] if way in _WITH_COMMA else []
        return way, [*start, literal(way, "CCONJ" if way in ("but", "and") else "SCONJ"), *tokens]

    def _someone(self, wanted: str, referent: Referent) -> Referent:
        """Return who else is there: mostly of a person's family; or the thing wanted."""
        kind, _, number = wanted.partition(".")
        nouns = _FAMILY.get(kind)
        if nouns is None:
            return self.drawing.draw(wanted).referent
        if referent.kind == "person" and not self.telling.dice.chance(0.3):
            noun = self.telling.dice.pick(nouns)
            many = (
                number != "sg" and noun in ("friend", "brother", "sister") and self.telling.dice.chance(0.5)
            )
            gender = _GENDERS.get(noun) or self.telling.dice.pick("fm")
            kin = Referent("person", noun, gender, many, kin=referent)
            return self.telling.memory.enter(kin)
        if kind in ("person", "adult") and number != "pl" and self.telling.dice.chance(0.6):
            return self.drawing.draw("one").referent
        return self.drawing.draw(wanted).referent

    def _clear(self, referent: Referent) -> bool:
        """Say whether a pronoun can name it, so that its noun need not stand twice."""
        speaks = self.telling.phrases.person(referent).person != 3
        return speaks or self.telling.memory.pronoun_is_clear(referent, "subject")

    def _bound(self, clause: Clause, referent: Referent) -> dict[str, Referent]:
        bindings = {"R": referent}
        cast = self.telling.cast
        for part in parts_of(clause):
            if isinstance(part, Slot) and part.letter not in bindings:
                other = self._someone(part.type or "person", referent)
                other.details = []
                if part.owner:
                    other.owner = bindings[part.owner]
                if part.determiner:
                    other.determiner = part.determiner
                elif other.kind in ("thing", "animal") and not other.name:
                    other.determiner = "some" if other.many or other.mass else "a"
                bindings[part.letter] = other
            elif isinstance(part, Noun) and part.label and part.label not in bindings:
                bindings[part.label] = cast.labelled(part.words, part.determiner, bindings.get(part.owner))
        return bindings
