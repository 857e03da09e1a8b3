"""Who and what is in a scene, with number, kind and looks, drawn for the slots of a pattern."""

from __future__ import annotations

from dataclasses import dataclass

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.town import COLOURS, THINGS
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.life.describing.words.sorts import (
    ALWAYS_ONE,
    ANIMALS,
    BUILDINGS,
    CHILDREN,
    HOMES,
    LAND,
    MASS,
    MEN,
    MOVERS,
    OBJECTS,
    PARTS,
    PEOPLE_AT_WORK,
    PERSON_NOUNS,
    PLACES,
    ROLES,
    SORTS_OF_ANIMALS,
    THING_SORTS,
    UNSEEN,
    WHOLES_OF_MANY,
    WOMEN,
    WORN_BY,
)
from bertviz_lite.world.life.making.cast import Cast, narrator

PEOPLE_KINDS = ("person", "child", "adult", "old", "woman", "man", "girl", "boy", "people")


class UnclearError(Exception):
    """What was drawn does not fit the pattern."""


@dataclass
class Drawn:
    """Someone or something in a scene.

    Attributes
    ----------
    referent
        Who or what it is.
    kinds
        What may be said of it: the kinds of ``said.txt``, narrowest first.
    whole
        For a part, the whole to which it belongs.
    joined
        For *Kate or her daughters*: the conjunction and the two.
    speaks
        ``"I"``, ``"we"`` or ``"you"``, if it is one who speaks or is spoken to.
    """

    referent: Referent
    kinds: tuple[str, ...]
    whole: Referent | None = None
    joined: tuple[str, Referent, Referent] | None = None
    speaks: str = ""


class Drawing:
    """Draws what the slots of one pattern stand for."""

    def __init__(self, dice: Dice, cast: Cast) -> None:
        self.dice = dice
        self.cast = cast
        self.genders: set[str] = set()  # of the people in the scene
        self.worn: set[str] = set()  # for whom the clothes in the scene are

    def draw(self, wanted: str) -> Drawn:
        """Return what a type stands for: ``child.sg``, ``toy/small``, ``kite.pl``, ``I``, ``part``.

        Raises
        ------
        UnclearError
            Where a man would have a dress, or a woman a tie.
        """
        drawn = self._draw(wanted)
        for referent in (drawn.referent, *drawn.referent.members):
            if referent.kind == "person" and not drawn.speaks:
                self.genders.update(_genders_of(referent))
            self.worn.update(WORN_BY.get(referent.noun, ""))
        if self.worn and self.genders - self.worn:
            raise UnclearError
        return drawn

    def _draw(self, wanted: str) -> Drawn:
        """Return what a type stands for, whoever else is there."""
        dice = self.dice
        kind = dice.pick(wanted.split("/"))
        kind, _, number = kind.partition(".")
        if kind in ("I", "we", "you"):
            return self._speaker(kind)
        if not number:
            number = "pl" if dice.chance(0.7) else "sg"
        if kind == "one":  # somebody by name
            return self._named()
        if kind == "any":
            kind = dice.pick(("person", "person", "child", "animal", "thing", "thing", "thing", "mass"))
        if kind in ("or", "not"):
            return self._joined(kind)
        if kind in ("anyone", "mover", "object"):
            return self._evenly(kind, number)
        if kind in ("room", "shop", "work", "public", "open", "wild") and wanted == kind:
            return Drawn(self.cast.place(kind), ("place",))
        return self._noun(kind, number)

    def _noun(self, kind: str, number: str) -> Drawn:
        """Return what a type of somebody or something with a noun stands for."""
        if kind == "part":
            return self._part(number)
        if kind == "role":
            return self._role(number)
        if kind == "kin":
            return self._of_person(self._kin(number))
        if kind in PEOPLE_KINDS or kind in PERSON_NOUNS:
            return self._of_person(
                self._plain(self.cast.someone("person" if kind == "people" else kind, number))
            )
        if kind in ("animal", "wild", "farm", "pet") or kind in ANIMALS:
            return self._animal(kind, number)
        if kind in ("place", "building", "home") or kind in PLACES:
            return self._place(kind, number)
        return self._thing(kind, number)

    def _plain(self, referent: Referent) -> Referent:
        referent.details = []
        for member in (referent, *referent.members):
            member.details = []
            if member.kin is not None:
                self._as_owner(member.kin)
        for member in referent.members:
            if not member.name and member.kin is None:
                member.determiner = "the"
        if len(referent.adjectives) == 1 and not referent.name and self.dice.chance(0.4):
            referent.adjectives = ()
        return referent

    def _as_owner(self, referent: Referent) -> Referent:
        """Return somebody whose friend it is: *the girl's*, *Anna's*, no *a girl called Anna's*."""
        referent.details = []
        if referent.name:
            referent.noun, referent.adjectives, referent.kin = "", (), None
        else:
            referent.determiner = "the"
        for one in (referent.kin, *referent.members):
            if one is not None:
                self._as_owner(one)
        return referent

    def _named(self) -> Drawn:
        """Return somebody by name."""
        while True:
            referent = self.cast.someone("person", "sg")
            if referent.name and referent.kin is None:
                referent.noun, referent.adjectives = "", ()
                return self._of_person(referent)

    def _of_person(self, referent: Referent) -> Drawn:
        child = referent.noun in CHILDREN or any(one.noun in CHILDREN for one in referent.members)
        age = "child" if child else "adult"
        noun = referent.noun if not referent.name and not referent.members else age
        return Drawn(referent, (noun, age, "people") if noun != age else (age, "people"))

    def _evenly(self, kind: str, number: str) -> Drawn:
        """Return one of all people, animals or things that fit, each as often as any other; no names."""
        dice, many = self.dice, number == "pl"
        if kind == "anyone":
            return self._role(number, PEOPLE_AT_WORK)
        noun = dice.pick(MOVERS if kind == "mover" else OBJECTS)
        looks: tuple[str, ...] = ("white", "brown", "black", "grey", "old", "little")
        if kind == "object":
            looks = COLOURS if THINGS[noun].coloured else ("old", "new", "little")
        adjectives = (dice.pick(looks),) if dice.chance(0.2) else ()
        sort = "animal" if kind == "mover" else "thing"
        referent = Referent(sort, noun, many=many, adjectives=adjectives, determiner="the")
        return Drawn(self.cast.memory.enter(referent), (noun, sort))

    def _speaker(self, kind: str) -> Drawn:
        cast, dice = self.cast, self.dice
        one = narrator(dice, cast.memory)
        if kind == "we":
            one = cast.memory.enter(Referent("group", "people", many=True, members=(one,)))
        return Drawn(one, ("people",), speaks=kind)

    def _role(self, number: str, roles: tuple[str, ...] = ROLES) -> Drawn:
        """Return somebody without a name, or several: *the girl*, *the bakers*."""
        dice, cast = self.dice, self.cast
        noun = dice.pick(roles)
        gender = "f" if noun in WOMEN else "m" if noun in MEN else dice.pick("fm")
        referent = Referent("person", noun, gender, number == "pl", determiner="the")
        return self._of_person(cast.memory.enter(referent))

    def _kin(self, number: str) -> Referent:
        """Return somebody's kin: a brother, sisters, a mother."""
        dice, cast = self.dice, self.cast
        owner = self._as_owner(cast.someone("child" if dice.chance(0.7) else "person", "sg"))
        if dice.chance(0.25):
            owner = cast.memory.enter(
                Referent("person", dice.pick(("boy", "girl", "child", "twin")), many=True, determiner="the")
            )
        nouns = {
            "sister": "f",
            "brother": "m",
            "mother": "f",
            "father": "m",
            "grandmother": "f",
            "grandfather": "m",
        }
        noun = dice.pick((*nouns, "sister", "brother", "friend", "friend", "neighbour", "teacher"))
        if number == "pl" and noun in ("mother", "father", "grandmother", "grandfather"):
            noun = "friend"
        gender = nouns.get(noun) or dice.pick("fm")
        return cast.memory.enter(Referent("person", noun, gender, number == "pl", kin=owner))

    def _animal(self, kind: str, number: str) -> Drawn:
        referent = self._plain(self.cast.animal(kind, number))
        sort = next((name for name, nouns in SORTS_OF_ANIMALS.items() if referent.noun in nouns), "wood")
        if sort in ("pet", "farm"):
            referent.adjectives = tuple(word for word in referent.adjectives if word not in ("wild", "shy"))
        return Drawn(referent, (referent.noun, sort, "animal"))

    def _place(self, kind: str, number: str) -> Drawn:
        dice = self.dice
        nouns = {"home": HOMES, "building": BUILDINGS, "place": (*BUILDINGS, *LAND)}
        noun = dice.pick(nouns.get(kind, (kind,)))
        many = number == "pl" and noun in (*BUILDINGS, *LAND)
        referent = Referent("thing", noun, many=many, determiner="the")
        own = (
            () if noun == "house" else (noun,)
        )  # what is said of a house of the tables is said of a thing in it
        kinds = (*own, "building", "place") if noun in BUILDINGS else (*own, "place")
        return Drawn(self.cast.memory.enter(referent), kinds)

    def _thing(self, kind: str, number: str) -> Drawn:
        dice = self.dice
        if kind == "thing":
            kind = dice.pick([name for name in THING_SORTS if name != "pairs" or number == "pl"])
        if kind == "mass":
            kind = dice.pick(MASS)
        referent = self._plain(self.cast.thing(kind, "" if kind in MASS else number))
        thing = THINGS.get(referent.noun) or THINGS.get(referent.noun + "s")
        sort = thing.kind if thing is not None else "thing"
        if referent.mass:
            referent.measure = ""
            return Drawn(referent, (sort, "mass"))
        if len(referent.adjectives) > 1 and dice.chance(0.5):
            referent.adjectives = referent.adjectives[:1]
        if referent.adjectives and dice.chance(0.35):
            referent.adjectives = ()
        referent.determiner = "the"
        kinds = (referent.noun, sort, "thing") if sort != "food" else (referent.noun, sort)
        if sort == "pairs":
            kinds = ("clothes", "pairs", "thing")
        return Drawn(referent, kinds)

    def _part(self, number: str) -> Drawn:
        dice, memory = self.dice, self.cast.memory
        noun = dice.pick(tuple(PARTS))
        whole_noun = dice.pick(PARTS[noun].split())
        many = number == "pl" and noun not in ALWAYS_ONE
        whole_many = noun in WHOLES_OF_MANY or dice.chance(0.7 if not many else 0.45)
        kind = "person" if whole_noun in PERSON_NOUNS else "animal" if whole_noun in ANIMALS else "thing"
        whole = memory.enter(Referent(kind, whole_noun, "n", whole_many))
        if noun in WHOLES_OF_MANY:
            whole.determiner = ""
        else:
            whole.determiner = dice.pick(
                ("the", "the", "the", "those" if whole_many else "this", "these" if whole_many else "that")
            )
        if dice.chance(0.25) and THINGS.get(whole_noun) and THINGS[whole_noun].coloured:
            whole.adjectives = (dice.pick(COLOURS),)
        part = memory.enter(Referent("thing", noun, many=many, determiner="the"))
        return Drawn(part, (noun,) if noun in UNSEEN else (noun, "apart"), whole=whole)

    def _joined(self, word: str) -> Drawn:
        dice = self.dice
        kind = dice.pick(("person", "person", "child", "animal", "house", "food"))
        numbers = dice.pick((("sg", "pl"), ("pl", "sg"), ("sg", "sg"), ("pl", "pl")))
        first, second = (self.draw(f"{kind}.{number}") for number in numbers)
        first.referent.determiner = second.referent.determiner = "the"
        noun = "child" if second.referent.members or not second.referent.noun else second.referent.noun
        joined = Referent(second.referent.kind, noun, second.referent.gender, second.referent.many)
        self.cast.memory.enter(joined)
        if first.referent.noun == second.referent.noun and not first.referent.name:
            return self._joined(word)
        return Drawn(joined, second.kinds, joined=(word, first.referent, second.referent))


def _genders_of(referent: Referent) -> str:
    if referent.noun in WOMEN:
        return "f"
    if referent.noun in MEN:
        return "m"
    return "fm" if referent.many or referent.gender not in ("f", "m") else referent.gender
