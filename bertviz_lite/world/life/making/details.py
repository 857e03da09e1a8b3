"""What may be added to a noun phrase at its first mention: *with a hat*, *of the baker*, *that Tom found*."""

from __future__ import annotations

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.tables import entries, words
from bertviz_lite.world.events.town import PEOPLE
from bertviz_lite.world.grammar.notation import read_clause
from bertviz_lite.world.grammar.referents import Detail, Memory, Referent

_STILL_THINGS = ("toy", "box", "house", "small", "nature", "clothes", "tool", "music", "paper")

_CLAUSES_OF_PEOPLE = entries(
    """R | live | next to A, R | live | in the old house, R | sell | fish + at the market, R | work |
    in P:work, R | be waiting | at P:public, R | be sitting | on the bench, R | be standing | at the
    gate, A | meet | R + on the way, R | know | A well, R | have | T:toy, R | help | A, R | love |
    T:music, R | come + from the village, R | play + in P:open, A | like | R, A | visit | R, R |
    feed | X:farm.pl, R | carry | T:box, R | look after | X:pet"""
)

_CLAUSES_OF_ANIMALS = entries(
    """R | live | in P:wild, R | live + behind the barn, A | feed | R + every day, R | belong | to A, R
    | look for | food, A | love | R, R | come + every evening, A | find | R + in P:wild, R | be |
    hungry, R | make | a noise, A | see | R + in the garden, R | sleep + all day, A | call | R"""
)

_CLAUSES_OF_THINGS = entries(
    """A | buy | R + at the market, A | make | R, R | belong | to A, R | be lying | on the table, A |
    find | R + in the attic, R | stand + near the door, R | be hanging | on the wall, A | lose | R,
    A | want | R, A | need | R, A | give | R + to B, A | have painted | R, A | bring | R + from the
    village, A | put | R + on the shelf, A | like | R + best"""
)


class Details:
    """Draws details.

    Parameters
    ----------
    dice
        The text's source of chance.
    memory
        Where the referents get their numbers.
    """

    def __init__(self, dice: Dice, memory: Memory) -> None:
        self.dice = dice
        self.memory = memory
        self.narrator: Referent | None = None
        self.one_by_one = True  # whether several people may be named one by one
        self._names: set[str] = set()
        self._nouns: set[str] = set()
        self._people: list[Referent] = []

    def draw(self, kind: str) -> Referent:
        """Return a referent of a type; see ``Cast``."""
        raise NotImplementedError

    def _add(self, referent: Referent) -> Referent:
        self._nouns.add(referent.noun)
        return self.memory.enter(referent)

    def _detail_of_person(self, *, many: bool = False) -> Detail:
        dice = self.dice
        choice = dice.random()
        if choice < 0.35:
            kind = dice.pick(("clothes", "clothes", "clothes", "toy", "small"))
            alone = not many and (kind == "clothes" or dice.chance(0.6))
            worn = self.draw(kind + (".sg" if alone else ".pl"))
            worn.details = []
            if kind == "clothes":
                worn.determiner = "" if worn.many else "a"
                return Detail("in", worn)
            worn.determiner = "a" if not worn.many else dice.pick(("two", "three", "some"))
            return Detail("with", worn)
        if choice < 0.55:
            home = dice.pick([person.home for person in PEOPLE])
            if dice.chance(0.5):
                return Detail("from", self._add(Referent("place", "street", name=home)))
            return Detail(
                "from",
                self._add(
                    Referent(
                        "place", dice.pick(words("village town city farm island castle")), determiner="the"
                    )
                ),
            )
        if choice < 0.75:
            place = self.draw(dice.pick(("shop", "work", "open", "public", "room")))
            return Detail(place.preposition, place)
        return self._clause_detail(dice.pick(_CLAUSES_OF_PEOPLE))

    def _detail_of_thing(self, *, animal: bool) -> Detail:
        dice = self.dice
        choice = dice.random()
        if choice < 0.4:
            other = self.draw(
                dice.pick(_STILL_THINGS if not animal else ("build", "furniture", "house", "vehicle"))
            )
            other.details = []
            if dice.chance(0.6):
                other.determiner = "the"
            return Detail(
                dice.pick(
                    ("near", "beside", "behind", "next to", "under")
                    if animal
                    else ("near", "beside", "behind", "under", "next to")
                ),
                other,
            )
        if choice < 0.6:
            owner = self.draw(dice.pick(("adult", "child")))
            owner.details = []
            return Detail("of", owner)
        if choice < 0.75:
            place = self.draw(dice.pick(("room", "open", "wild", "work") if not animal else ("open", "wild")))
            return Detail(place.preposition, place)
        return self._clause_detail(dice.pick(_CLAUSES_OF_ANIMALS if animal else _CLAUSES_OF_THINGS))

    def _clause_detail(self, text: str) -> Detail:
        clause = read_clause(text)
        bindings: dict[str, Referent] = {}
        for phrase in (clause.subject, *clause.phrases):
            for part in phrase:
                letter = getattr(part, "letter", "")
                if letter and letter != "R":
                    one = self.draw(getattr(part, "type", "") or "person")
                    one.details = []
                    bindings[letter] = one
        return Detail("", None, clause, bindings, "R")
