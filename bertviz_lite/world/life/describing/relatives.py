"""Relative clauses of a scene: *who feeds the hens*, *that Ella wants*, and what they may not say twice."""

from __future__ import annotations

import re
from functools import cache

from bertviz_lite.world.grammar.clauses import Manner
from bertviz_lite.world.grammar.lexicon.words import readings
from bertviz_lite.world.grammar.notation import Clause, Noun, Slot
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.grammar.tokens import Token
from bertviz_lite.world.life.describing.drawing import Drawing, Drawn, UnclearError
from bertviz_lite.world.life.describing.said import doing, has_happened, may_be_said
from bertviz_lite.world.life.making.telling import Telling

_PEOPLE = ("one", "one", "I", "we", "we", "you")
_SAID_OF = ("people", "animal", "mass", "place", "food", "thing")
_PLACED = re.compile(r"\b(in|on|at|under|behind|near|outside|here|there|away|home)\b")


class Relatives:
    """Makes the relative clauses of one scene; ``placed`` says whether another word tells the place."""

    def __init__(self, telling: Telling, drawing: Drawing) -> None:
        self.telling = telling
        self.phrases = telling.phrases
        self.memory = telling.memory
        self.dice = telling.dice
        self.drawing = drawing
        self.placed = False

    def about(self, drawn: Drawn, head: Token, *, comma: bool = False, other: bool = False) -> list[Token]:
        """Return a relative clause whose verb, where it has no subject of its own, agrees with ``head``.

        With ``other``, a noun of the other number is in it.
        """
        clause = self._relative(drawn, comma=comma, other=other)
        for token in clause:
            if token.subject is not None and token.subject not in clause:
                token.subject = head
        return clause

    def _relative(self, drawn: Drawn, *, comma: bool = False, other: bool = False) -> list[Token]:
        """Return a relative clause about it: *who feeds the hens*, *that Ella wants*."""
        referent, dice, telling = drawn.referent, self.dice, self.telling
        objects = dice.chance(0.45) and not comma
        last = drawn.kinds[-1]
        kinds = drawn.kinds if last in _SAID_OF else (*drawn.kinds, "thing")
        entries_of = may_be_said("by" if objects else "who", kinds, many=referent.many)
        if self.placed:
            entries_of = tuple(entry for entry in entries_of if not _PLACED.search(entry)) or entries_of
        number = ""
        if other:
            number = "sg" if referent.many else "pl"
            objects_of = tuple(entry for entry in entries_of if _holds_number(entry, number))
            if not objects_of:
                raise UnclearError
            entries_of = objects_of
        entry = dice.pick(entries_of)
        clause = doing(entry)
        bindings: dict[str, Referent] = {"R": referent}
        for phrase in (clause.subject, *clause.phrases):
            for part in phrase:
                if isinstance(part, Slot) and part.letter not in bindings:
                    drawn_too = self.drawing.draw(self._type(part.type, number))
                    if drawn_too.speaks:
                        drawn_too = self._someone_who_speaks(drawn_too)
                    if drawn_too.referent.kind in ("thing", "animal") and not drawn_too.referent.name:
                        drawn_too.referent.determiner = dice.pick(
                            ("the", "two", "some") if drawn_too.referent.many else ("the", "a")
                        )
                        drawn_too.referent.adjectives = ()
                    bindings[part.letter] = drawn_too.referent
        tense = "past" if has_happened(entry) or telling.tense == "past" else "present"
        plain, self.phrases.plain = self.phrases.plain, True
        try:
            return self._relative_words(
                clause, bindings, referent, Manner(tense, contracted=dice.chance(0.3)), comma=comma
            )
        finally:
            self.phrases.plain = plain

    def _type(self, wanted: str, number: str) -> str:
        """Return the type of somebody or something in a relative clause, of a number if one is asked for."""
        if not number:
            return wanted or self.dice.pick(_PEOPLE)
        if not wanted:
            return self.dice.pick(("role", "role", "kin", "child")) + "." + number
        return wanted if "." in wanted else f"{wanted}.{number}"

    def _someone_who_speaks(self, other: Drawn) -> Drawn:
        """Return one who says "I", "we" or is "you" from now on, or another if somebody is that already."""
        phrases = self.phrases
        one = other.referent.members[0] if other.referent.members else other.referent
        if phrases.speaker is not None or phrases.addressee is not None:
            return self.drawing.draw("child")
        if other.speaks == "you":
            phrases.addressee = one
        else:
            phrases.speaker = one
        return other

    def _relative_words(
        self,
        clause: Clause,
        bindings: dict[str, Referent],
        referent: Referent,
        manner: Manner,
        *,
        comma: bool,
    ) -> list[Token]:
        dice, clauses = self.dice, self.telling.clauses
        first = clause.subject[0]
        person = referent.kind in ("person", "group")
        if isinstance(first, Slot) and first.letter == "R":
            name = "who" if person else "which"
            who = name if comma or dice.chance(0.8 if person else 0.4) else "that"
            self.memory.mention(referent)
            words = clauses.tell(clause, bindings, Manner(manner.tense, subject=False))
            return [Token(who, who, "PRON", entity=referent.chain), *words]
        words = clauses.tell(
            clause, bindings, Manner(manner.tense, contracted=False, skipped=_place_of(clause))
        )
        if dice.chance(0.25):
            return words
        who = "that" if dice.chance(0.55) else ("whom" if dice.chance(0.3) else "who") if person else "which"
        return [Token(who, who, "PRON", entity=referent.chain), *words]


def is_placed(text: str) -> bool:
    """Say whether an entry of ``said.txt`` tells where somebody or something is."""
    return _PLACED.search(text) is not None


@cache
def _holds_number(entry: str, number: str) -> bool:
    """Say whether somebody or something of a number, ``"sg"`` or ``"pl"``, may stand in an entry."""
    clause = doing(entry)
    form = "plural" if number == "pl" else "singular"
    for part in (part for phrase in (clause.subject, *clause.phrases) for part in phrase):
        if (
            isinstance(part, Slot)
            and part.letter != "R"
            and ("." not in part.type or part.type.endswith(number))
        ):
            return True
        if isinstance(part, Noun) and any(
            reading.pos == "NOUN" and reading.form == form for reading in readings().get(part.words[-1], ())
        ):
            return True
    return False


def _place_of(clause: Clause) -> int:
    return next(
        place
        for place, phrase in enumerate(clause.phrases)
        if len(phrase) == 1 and isinstance(phrase[0], Slot) and phrase[0].letter == "R"
    )
