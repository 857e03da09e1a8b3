"""Animals, places and things drawn for a text, and what is written out by a table."""

from __future__ import annotations

from bertviz_lite.world.english.phrases import PREPOSITIONS
from bertviz_lite.world.events.tables import words
from bertviz_lite.world.events.town import ANIMALS, COLOURS, PETS, PLACES, QUALITIES, SIZES, THINGS, things
from bertviz_lite.world.grammar.lexicon.words import read_word, words_of
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.life.making.details import Details
from bertviz_lite.world.life.making.kinds import ANIMAL_NOUNS, MEN, PERSON_NOUNS, PLACE_SORTS, WOMEN

_MASS_NOUNS = frozenset(words_of("NOUN", "mass"))

_THING_KINDS = frozenset(thing.kind for thing in THINGS.values())

_LOOKS_OF_ANIMALS = words("young small big shy grey brown little old black white wild hungry clever")

_PREPOSITIONS = PREPOSITIONS | {"farm": "on"}

_SERVED_BY = {
    "soup": "bowl", "bread": "slice", "cheese": "piece", "porridge": "bowl", "cake": "piece", "rice": "bowl",
    "honey": "spoon", "jam": "spoon", "salad": "bowl",
}  # fmt: skip

_PLURAL_STARTS = (
    *words("two three some some the the the four five many several"),
    "the two",
)


class Things(Details):
    """Draws animals, places and things; none twice in a text."""

    def animal(self, kind: str, number: str = "") -> Referent:
        """Return an animal or several."""
        dice = self.dice
        if kind == "pet" and number != "pl" and dice.chance(0.6):
            pets = [pet for pet in PETS if pet.name not in self._names]
            pet = dice.pick(pets)
            self._names.add(pet.name)
            return self._add(Referent("pet", pet.kind, pet.gender, name=pet.name))
        lists = {
            "wild": ANIMALS["wild"],
            "farm": ANIMALS["farm"],
            "pet": words("dog cat rabbit puppy kitten pony mouse hen goat"),
            "animal": (*ANIMALS["wild"], *ANIMALS["farm"], "dog", "cat", "puppy", "kitten"),
        }
        noun = kind
        if kind in lists:
            noun = dice.pick([noun for noun in lists[kind] if noun not in self._nouns])
        pets_of_kind = [pet for pet in PETS if pet.kind == noun and pet.name not in self._names]
        if pets_of_kind and number != "pl" and dice.chance(0.3):
            pet = dice.pick(pets_of_kind)
            self._names.add(pet.name)
            return self._add(Referent("pet", pet.kind, pet.gender, name=pet.name))
        many = number == "pl" or (number == "" and dice.chance(0.6))
        adjectives = (dice.pick(_LOOKS_OF_ANIMALS),) if dice.chance(0.35) else ()
        determiner = dice.pick(_PLURAL_STARTS) if many else ("the" if dice.chance(0.4) else "a")
        gender = "n" if many or dice.chance(0.75) else dice.pick("fm")
        referent = Referent("animal", noun, gender, many, adjectives=adjectives, determiner=determiner)
        if dice.chance(0.35):
            referent.details = [self._detail_of_thing(animal=True)]
        return self._add(referent)

    def place(self, kind: str) -> Referent:
        """Return a place of a sort, or the place of that noun."""
        if kind in PLACE_SORTS or kind == "place":
            sorts = [kind] if kind != "place" else ["room", "shop", "work", "public", "open", "wild"]
            free = [place.noun for place in PLACES if place.sort in sorts and place.noun not in self._nouns]
            noun = self.dice.pick(free or [place.noun for place in PLACES if place.sort in sorts])
        else:
            noun = kind
        return self._add(Referent("place", noun, determiner="the", preposition=_PREPOSITIONS.get(noun, "in")))

    def thing(self, kind: str, number: str = "") -> Referent:
        """Return a thing of a kind, or of that noun."""
        dice = self.dice
        if kind in _THING_KINDS:
            free = [noun for noun in things(kind) if noun not in self._nouns]
            noun = dice.pick(free or things(kind))
        else:
            noun = kind
        thing = THINGS.get(noun)
        adjectives: list[str] = []
        if thing is not None:
            if dice.chance(0.25):
                adjectives.append(dice.pick(SIZES if dice.chance(0.5) and not thing.mass else QUALITIES))
            if thing.coloured and dice.chance(0.35):
                adjectives.append(dice.pick(COLOURS))
            if thing.materials and dice.chance(0.2):
                adjectives.append(dice.pick(thing.materials))
        if thing.mass if thing is not None else noun in _MASS_NOUNS:
            measure = ""
            if thing is not None and thing.mass and dice.chance(0.5):
                measure = _SERVED_BY.get(noun, dice.pick(("cup", "glass", "bottle")))
            referent = Referent(
                "thing", noun, measure=measure, mass=True, determiner=dice.pick(("some", "the", "some"))
            )
            return self._add(referent)
        pair = bool(thing and thing.pair)
        many = pair or number == "pl" or (number == "" and dice.chance(0.6))
        if noun in ("glasses", "stairs", "scissors"):
            pair = True
        stem = noun.removesuffix("s") if pair and noun.endswith("s") and noun != "glasses" else noun
        determiner = (
            dice.pick(_PLURAL_STARTS)
            if many and not pair
            else "some"
            if pair
            else ("the" if dice.chance(0.25) else "a")
        )
        referent = Referent(
            "thing",
            stem,
            many=many,
            adjectives=tuple(adjectives),
            determiner=determiner,
        )
        referent.pair = noun == "glasses"
        if dice.chance(0.25):
            referent.details = [self._detail_of_thing(animal=False)]
        return self._add(referent)

    def labelled(self, noun: tuple[str, ...], determiner: str, owner: Referent | None) -> Referent:
        """Return the referent for a noun phrase that is written out."""
        *before, head = noun
        reading = read_word(head.partition(".")[0], "NOUN", "PROPN", "PRON")
        lemma = reading.lemma + ("." + head.partition(".")[2] if "." in head else "")
        many = reading.form == "plural"
        kind = "person" if lemma in PERSON_NOUNS else "animal" if lemma in ANIMAL_NOUNS else "thing"
        gender = "n"
        if kind == "person":
            gender = "f" if lemma in WOMEN else "m" if lemma in MEN else self.dice.pick("fm")
        referent = Referent(
            kind, lemma, gender, many, adjectives=tuple(before), determiner=determiner, owner=owner
        )
        if kind == "person" and owner is not None:
            referent.kin, referent.owner = owner, None
        referent.mass = reading.kind == "mass"
        referent.pair = reading.kind == "plural"
        return self._add(referent)
