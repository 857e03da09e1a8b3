"""The books of one story: who and what is in it, what has happened, and where each thing is now.

An event that the books do not allow raises ``InconsistentStoryError``, so no such story can be told: what was
picked up is held, only who holds a thing gives it away, and what was eaten is gone.

No word of any language is chosen here. All strings are identifiers, as in ``town``, and so is a fact such as
``hero="a brave king"`` or ``dish="carrot cake"``: English writes it as it stands, another language has words
of its own. Left out: what happens (``episodes``), and how it is said (``english``).

>>> from bertviz_lite.world.events.dice import Dice
>>> from bertviz_lite.world.events.town import PERSON
>>> dice = Dice("example")
>>> scene = Scene(dice, Setting.drawn(dice), PERSON["Anna"], PERSON["Tom"])
>>> kite = scene.thing("toy", many=False)
>>> scene.find(scene.hero, kite, scene.spot())
>>> scene.give(scene.hero, scene.other, kite)
>>> scene.where[kite].name
'Tom'
>>> [event.kind for event in scene.events]
['find', 'give']
>>> scene.give(scene.hero, scene.other, kite)  # doctest: +ELLIPSIS
Traceback (most recent call last):
bertviz_lite.world.events.scene.InconsistentStoryError: give: the ... is with Tom, not with Anna
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.tables import entries, words
from bertviz_lite.world.events.town import (
    ANIMALS,
    COLOURS,
    DAYS,
    PETS,
    QUALITIES,
    SEASONS,
    SIZES,
    THINGS,
    TIMES,
    WEATHER,
    Person,
    things,
)

_NO_SUCH_WEATHER = {
    "spring.season": ("snowy",),
    "summer": ("snowy", "frosty", "stormy"),
    "autumn": ("snowy",),
}
_SPOTS = entries(
    """under bed, under table, behind sofa, behind curtain, in basket, in cupboard, in drawer, under bridge,
    behind barn, in box, on shelf, under bench, behind door, in bucket, on chair, in sack, under bush,
    on roof, behind fence, in cart, under pillow, in kennel, behind tree, in hay"""
)
_BIG_SPOTS = entries(
    """behind barn, under bridge, under bush, behind fence, in hay, behind tree, behind sofa, under cart,
    behind curtain, in kennel, behind shed, under table"""
)
_CHARACTER = {"child": ("little",), "adult": (), "old": ("old",)}
_WITHOUT_JOB = {
    ("f", "child"): "girl",
    ("m", "child"): "boy",
    ("f", "old"): "woman",
    ("m", "old"): "man",
}
_LOOKS_OF_ANIMALS = words("young small big shy grey brown wild")
_SERVED_BY = {
    "soup": "bowl",
    "bread": "slice",
    "cheese": "piece",
    "porridge": "bowl",
    "cake": "piece",
    "rice": "bowl",
    "honey": "spoonful",
    "jam": "spoonful",
    "salad": "bowl",
}


class InconsistentStoryError(RuntimeError):
    """An event was about to happen that the state of the world does not allow."""


@dataclass(eq=False, slots=True)
class Referent:
    """Someone or something that a story speaks of.

    Attributes
    ----------
    kind
        person, pet, group, animal, thing, place or spot (a hiding place).
    noun
        What it is: ``"girl"``, ``"baker"``, ``"dog"``, ``"kite"``, ``"bank.river"``.
    pronoun
        ``"f"``, ``"m"`` or ``"n"``, and ``"p"`` where it is many.
    name
        Of a person, a pet, a street or a farm; else empty.
    adjectives
        What may be said of it in passing, in the order size, colour, material.
    owner
        Whose it is.
    members
        The people of a group.
    job
        A person's job, which is also the noun.
    relation
        Where something at a spot is: in, on, under or behind it.
    count
        How many, where it is many: ``"two"``, ``"some"``.
    measure
        By which it is served: ``"bowl"`` of soup.
    pair
        Whether it comes in pairs, like shoes.
    chain
        Number of its co-reference chain, given by the scene: all words that speak of it bear this number.
    """

    kind: str
    noun: str
    pronoun: str = "n"
    name: str = ""
    adjectives: tuple[str, ...] = ()
    owner: Referent | None = None
    members: tuple[Referent, ...] = ()
    job: str | None = None
    relation: str = ""
    count: str = ""
    measure: str = ""
    pair: bool = False
    chain: int = -1

    @property
    def many(self) -> bool:
        """Whether it is more than one."""
        return self.pronoun == "p"


class Move(NamedTuple):
    """A change to the books: a thing passes from its holder to another person or a spot.

    ``start`` None: nobody has had it so far. ``end`` None: it is gone for good, such as eaten.
    """

    thing: Referent
    start: Referent | None
    end: Referent | None


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happens.

    Attributes
    ----------
    kind
        Such as ``"give"`` or ``"need_hungry"``; a language has wordings for each kind.
    roles
        Who and what takes part, by letter: A acts, B is the other person, G both of them together; T and U
        are things, P a place, C a spot, H a home, X an animal, D a pet, R the bridge where a race ends.
    facts
        Further identifiers, by name: ``{"time": "morning", "dish": "carrot cake"}``.
    joins
        Whether it is a step in a course of action, so that it may share a sentence with the next step.
    moves
        Its changes to the books.
    """

    kind: str
    roles: dict[str, Referent]
    facts: dict[str, str]
    joins: bool = False
    moves: tuple[Move, ...] = ()


class Setting(NamedTuple):
    """When a story happens."""

    time: str
    day: str
    season: str
    weather: str

    @classmethod
    def drawn(cls, dice: Dice) -> Setting:
        """Return a setting in which the weather is one that the season can have."""
        time, day, season = dice.pick(TIMES), dice.pick(DAYS), dice.pick(SEASONS)
        never = _NO_SUCH_WEATHER.get(season, ())
        return cls(time, day, season, dice.pick([weather for weather in WEATHER if weather not in never]))


class Scene:
    """The books of one story: cast, state and events so far.

    Attributes
    ----------
    dice
        The story's source of chance.
    setting
        Time of day, day, season and weather.
    events, referents
        All so far, in order.
    where
        Who holds a thing, or the spot where it lies.
    gone
        Things that are no more.
    hero, other
        The two people with whom the next episode happens; they may change places between episodes.
    """

    def __init__(self, dice: Dice, setting: Setting, hero: Person, other: Person) -> None:
        self.dice = dice
        self.setting = setting
        self.events: list[Event] = []
        self.referents: list[Referent] = []
        self.where: dict[Referent, Referent] = {}
        self.gone: set[Referent] = set()
        self._nouns: set[str] = set()
        self._known: dict[str, Referent] = {}
        self.hero = self.person(hero)
        self.other = self.person(other)

    # Who and what there is. People, groups and places are the same referent each time; the rest is made anew.

    def person(self, person: Person) -> Referent:
        """Return the referent for a person."""
        if person.name not in self._known:
            noun = person.job or _WITHOUT_JOB[person.gender, person.age]
            self._known[person.name] = self._add(
                Referent("person", noun, person.gender, person.name, _CHARACTER[person.age], job=person.job)
            )
        return self._known[person.name]

    def group(self, *members: Referent) -> Referent:
        """Return the referent for several people together."""
        known_as = "+".join(member.name for member in members)
        if known_as not in self._known:
            self._known[known_as] = self._add(Referent("group", "people", "p", members=members))
        return self._known[known_as]

    def place(self, noun: str) -> Referent:
        """Return the referent for a place of the town."""
        if noun not in self._known:
            self._known[noun] = self._add(Referent("place", noun))
        return self._known[noun]

    def street(self, name: str) -> Referent:
        """Return the referent for a street or farm, a place with a name."""
        if name not in self._known:
            self._known[name] = self._add(Referent("place", "street", name=name))
        return self._known[name]

    def spot(self, *, outside: bool = False) -> Referent:
        """Return a hiding place such as *under the bed*; outside, one that is big enough for people."""
        free = [spot for spot in (_BIG_SPOTS if outside else _SPOTS) if spot.split()[1] not in self._nouns]
        relation, noun = self.dice.pick(free).split()
        return self._add(Referent("spot", noun, relation=relation))

    def thing(self, *kinds: str, owner: Referent | None = None, many: bool | None = None) -> Referent:
        """Return a thing of one of these kinds; no two things of a story share their noun.

        Parameters
        ----------
        kinds
            As in the table of the town: ``"toy"``, ``"food"`` …
        owner
            Whose it is.
        many
            Whether there are several; by chance where None.
        """
        dice = self.dice
        thing = THINGS[dice.pick([noun for noun in things(*kinds) if noun not in self._nouns])]
        adjectives = []
        if dice.chance(0.3):
            adjectives.append(dice.pick(SIZES if dice.chance(0.5) else QUALITIES))
        if thing.coloured and dice.chance(0.45):
            adjectives.append(dice.pick(COLOURS))
        if thing.materials and dice.chance(0.4):
            adjectives.append(dice.pick(thing.materials))
        if thing.mass:
            vessel = dice.pick(("cup", "glass"))
            measure = _SERVED_BY.get(thing.noun, vessel)
            return self._add(Referent("thing", thing.noun, owner=owner, measure=measure))
        if thing.pair:
            count = "some"
        elif many or (many is None and dice.chance(0.22)):
            count = dice.pick(("two", "three", "four", "some", "five"))
        else:
            count = ""
        return self._add(
            Referent(
                "thing",
                thing.noun,
                pronoun="p" if count else "n",
                adjectives=tuple(adjectives),
                owner=owner,
                count=count,
                pair=thing.pair,
            )
        )

    def animal(self) -> Referent:
        """Return a wild animal, or some."""
        dice = self.dice
        noun = dice.pick([noun for noun in ANIMALS["wild"] if noun not in self._nouns])
        many = dice.chance(0.3)
        adjectives = (dice.pick(_LOOKS_OF_ANIMALS),) if dice.chance(0.5) else ()
        count = dice.pick(("two", "three", "some"))
        return self._add(
            Referent("animal", noun, "p" if many else "n", adjectives=adjectives, count=count if many else "")
        )

    def pet(self, owner: Referent, family: str) -> Referent:
        """Return the pet of a family, as its owner's."""
        pet = next(pet for pet in PETS if pet.family == family)
        return self._add(Referent("pet", pet.kind, pet.gender, pet.name, owner=owner))

    def unused(self, nouns: tuple[str, ...]) -> str:
        """Return one of these nouns, by which nothing of the story goes yet."""
        return self.dice.pick([noun for noun in nouns if noun not in self._nouns])

    def _add(self, referent: Referent) -> Referent:
        referent.chain = len(self.referents)
        self.referents.append(referent)
        if referent.kind in ("thing", "animal", "pet", "spot"):
            self._nouns.add(referent.noun)
        return referent

    # What happens.

    def add(
        self,
        kind: str,
        roles: dict[str, Referent],
        *,
        joins: bool = False,
        moves: tuple[Move, ...] = (),
        **facts: str,
    ) -> None:
        """Let an event happen: check its moves against the books, then make them.

        Raises
        ------
        InconsistentStoryError
            Where a thing is gone, or is not with the one from whom it is to pass on.
        """
        for move in moves:
            self._make(kind, move)
        self.events.append(Event(kind, roles, {"time": self.setting.time} | facts, joins, moves))

    def _make(self, kind: str, move: Move) -> None:
        thing, start, end = move
        if thing in self.gone:
            raise InconsistentStoryError(f"{kind}: the {thing.noun} is gone already")
        holder = self.where.get(thing)
        if holder is not start:
            raise InconsistentStoryError(
                f"{kind}: the {thing.noun} is with {_called(holder)}, not with {_called(start)}"
            )
        if end is None:
            self.gone.add(thing)
            self.where.pop(thing, None)
        else:
            self.where[thing] = end

    def both(self) -> dict[str, Referent]:
        """Return the roles A, B and G: hero, other, and both of them together."""
        return {"A": self.hero, "B": self.other, "G": self.group(self.hero, self.other)}

    # Steps that episodes share.

    def find(self, a: Referent, t: Referent, c: Referent) -> None:
        """Let A find T, which nobody has, at the spot C, and have it from then on."""
        self.add("find", {"A": a, "T": t, "C": c}, joins=True, moves=(Move(t, None, a),))

    def give(self, a: Referent, b: Referent, t: Referent, kind: str = "give") -> None:
        """Let A, who holds T, give it to B."""
        self.add(kind, {"A": a, "B": b, "T": t}, joins=True, moves=(Move(t, a, b),))

    def put(self, a: Referent, t: Referent, c: Referent) -> None:
        """Let A put T, held until now, at the spot C."""
        self.add("put", {"A": a, "T": t, "C": c}, joins=True, moves=(Move(t, a, c),))

    def own(self, a: Referent, t: Referent) -> None:
        """Let A have T from the start: no event, only the books."""
        self.where[t] = a


def _called(referent: Referent | None) -> str:
    return "nobody" if referent is None else referent.name or f"the {referent.noun}"
