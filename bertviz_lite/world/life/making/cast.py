"""Who and what is in a text: referents drawn for the slots of its clauses."""

from __future__ import annotations

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.town import SENSES
from bertviz_lite.world.grammar.lexicon.words import words_of
from bertviz_lite.world.grammar.referents import Memory, Referent
from bertviz_lite.world.life.making.kinds import ANIMAL_NOUNS, PERSON_NOUNS, PLACE_SORTS
from bertviz_lite.world.life.making.people import People

_PLACE_NOUNS = frozenset(words_of("NOUN", "place"))


class Cast(People):
    """Draws people, animals, things and places; nobody and nothing twice in a text."""

    def draw(self, kind: str) -> Referent:
        """Return a referent of a type of the notation, such as ``child``, ``toy/small.pl`` or ``kite``."""
        kinds, _, number = kind.partition(".")
        if number not in ("sg", "pl"):
            kinds, number = kind, ""
            if kind.endswith((".sg", ".pl")):
                kinds, _, number = kind.rpartition(".")
        chosen = self.dice.pick(kinds.split("/")) if kinds else "person"
        if (
            chosen in ("person", "people", "child", "adult", "old", "woman", "man", "boy", "girl", "")
            or chosen in PERSON_NOUNS
        ):
            return self.someone(chosen, number)
        if chosen in ("animal", "wild", "farm", "pet") or chosen in ANIMAL_NOUNS:
            return self.animal(chosen, number)
        if (chosen in PLACE_SORTS or chosen in _PLACE_NOUNS or chosen == "place") and chosen not in SENSES:
            return self.place(chosen)
        return self.thing(chosen, number)


def narrator(dice: Dice, memory: Memory) -> Referent:
    """Return somebody who says "I", whose name is not told."""
    return memory.enter(Referent("person", dice.pick(("girl", "boy")), dice.pick("fm")))


__all__ = ["Cast", "narrator"]
