"""Who and what is in a text: referents drawn for the slots of its clauses."""

from __future__ import annotations

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.tables import entries, words
from bertviz_lite.world.events.town import (
    ANIMALS,
    COLOURS,
    PEOPLE,
    PERSON,
    PETS,
    PLACES,
    QUALITIES,
    SENSES,
    SIZES,
    THINGS,
    Person,
    things,
)
from bertviz_lite.world.grammar.notation import read_clause
from bertviz_lite.world.grammar.referents import Detail, Memory, Referent
from bertviz_lite.world.grammar.words import read_word, words_of

_WOMEN, _MEN = words_of("NOUN", "person f"), words_of("NOUN", "person m")
_PERSON_NOUNS = frozenset((*_WOMEN, *_MEN, *words_of("NOUN", "person n")))
_ANIMAL_NOUNS = frozenset(words_of("NOUN", "animal"))
_PLACE_NOUNS = frozenset(words_of("NOUN", "place"))
_MASS_NOUNS = frozenset(words_of("NOUN", "mass"))
_JOBS = {person.job: person for person in PEOPLE if person.job}
_THING_KINDS = frozenset(thing.kind for thing in THINGS.values())
_PLACE_SORTS = frozenset(place.sort for place in PLACES)
_NOUNS_OF_PEOPLE = {
    "child": words("boy girl boy girl child friend twin"),
    "adult": words(
        "woman man neighbour farmer baker sailor teacher doctor postman gardener cook builder singer"
    ),
    "old": words("man woman"),
    "": words(
        """boy girl boy girl boy girl woman man woman man child farmer baker sailor teacher doctor postman gardener
        cook builder singer painter driver nurse tailor carpenter librarian miller beekeeper dancer writer fisher
        king queen prince princess thief robber witch wizard friend neighbour twin"""
    ),
}
_MALE_NAMES_OF_KIN = {"father": "Father", "grandfather": "Grandfather"}
_FEMALE_NAMES_OF_KIN = {"mother": "Mother", "grandmother": "Grandmother"}
_KIN = {
    "f": words("sister mother grandmother daughter"),
    "m": words("brother father grandfather son"),
}
_KIN_AGES = {"sister": "child", "brother": "child", "daughter": "child", "son": "child"}
_CHILDLIKE = frozenset(
    words("boy girl child twin pupil sister brother daughter son prince princess friend baby")
)
_LOOKS_OF_PEOPLE = words(
    "old young little tall kind brave clever poor rich strong lazy funny friendly tired sad shy"
)
_LOOKS_OF_ANIMALS = words(
    "young small big shy grey brown little old black white wild hungry fat clever".replace("fat ", "")
)
_COUNTS = words("two three some the two the four five some many the six seven")
_PREPOSITIONS = dict.fromkeys(words("bank.river beach bridge hill island farm"), "on") | dict.fromkeys(
    words("harbour lake pond station well"), "at"
)
_GROUPS = entries(
    "the children, the boys, the girls, the twins, the children, my friends, two boys, two girls, three children"
)
_SERVED_BY = {
    "soup": "bowl", "bread": "slice", "cheese": "piece", "porridge": "bowl", "cake": "piece", "rice": "bowl",
    "honey": "spoon", "jam": "spoon", "salad": "bowl",
}  # fmt: skip
_NEAR = words("near beside behind under on in")
_STILL_THINGS = ("toy", "box", "house", "small", "nature", "clothes", "tool", "music", "paper")


class Cast:
    """Draws people, animals, things and places; nobody and nothing twice in a text.

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
        self._names: set[str] = set()
        self._nouns: set[str] = set()
        self._people: list[Referent] = []

    def draw(self, kind: str, letter: str) -> Referent:
        """Return a referent of a type of the notation, such as ``child``, ``toy/small.pl`` or ``kite``."""
        kinds, _, number = kind.partition(".")
        if number not in ("sg", "pl"):
            kinds, number = kind, ""
            if kind.endswith((".sg", ".pl")):
                kinds, _, number = kind.rpartition(".")
        chosen = self.dice.pick(kinds.split("/")) if kinds else "person"
        if (
            chosen in ("person", "people", "child", "adult", "old", "woman", "man", "boy", "girl", "")
            or chosen in _PERSON_NOUNS
        ):
            return self.someone(chosen, number)
        if chosen in ("animal", "wild", "farm", "pet") or chosen in _ANIMAL_NOUNS:
            return self.animal(chosen, number)
        if (chosen in _PLACE_SORTS or chosen in _PLACE_NOUNS or chosen == "place") and chosen not in SENSES:
            return self.place(chosen)
        return self.thing(chosen, number)

    # People.

    def someone(self, kind: str, number: str = "") -> Referent:
        """Return one or several people of a kind."""
        dice = self.dice
        if (
            kind == "people"
            or number == "pl"
            or (number == "" and kind in ("person", "child", "adult", "") and dice.chance(0.24))
        ):
            return self._several(kind)
        choice = dice.random()
        if kind in _JOBS and choice < 0.5 and _JOBS[kind].name not in self._names:
            return self._townsperson(_JOBS[kind])
        general = kind in ("person", "child", "adult", "old", "woman", "man", "boy", "girl", "")
        if general and choice < 0.5:
            fitting = [person for person in PEOPLE if _fits(person, kind) and person.name not in self._names]
            return self._townsperson(dice.pick(fitting))
        if general and choice < 0.66:
            return self._relative(kind)
        if general and choice < 0.71 and kind in ("person", "adult", "old", ""):
            return self._by_kin()
        return self._unnamed(kind)

    def _townsperson(self, person: Person) -> Referent:
        self._names.add(person.name)
        noun = person.job or {"f": "girl", "m": "boy"}[person.gender]
        if person.age == "old":
            noun = {"f": "woman", "m": "man"}[person.gender]
        looks = {"child": ("little",), "old": ("old",)}.get(person.age, ())
        return self._person(Referent("person", noun, person.gender, name=person.name, adjectives=looks))

    def _person(self, referent: Referent) -> Referent:
        self.memory.enter(referent)
        self._people.append(referent)
        return referent

    def _relative(self, kind: str) -> Referent:
        """Return somebody's sister, mother …: the narrator's or of somebody who is there already."""
        dice = self.dice
        gender = {"woman": "f", "girl": "f", "man": "m", "boy": "m"}.get(kind) or dice.pick("fm")
        nouns = [noun for noun in _KIN[gender] if noun not in self._nouns]
        if kind in ("child", "girl", "boy"):
            nouns = [noun for noun in nouns if noun in _KIN_AGES]
        elif kind in ("adult", "woman", "man", "old"):
            nouns = [noun for noun in nouns if noun not in _KIN_AGES]
        owners = [one for one in self._people if one.kind == "person" and one.kin is None and not one.many]
        if not nouns or not owners:
            return self._unnamed(kind)
        owner = dice.pick(owners)
        nouns = [noun for noun in nouns if noun not in _NO_KIN[_age(owner)]]
        if not nouns:
            return self._unnamed(kind)
        noun = dice.pick(nouns)
        self._nouns.add(noun)
        name = ""
        if dice.chance(0.25):
            name = self._free_name(gender, "child" if noun in _KIN_AGES else "adult")
        return self._person(Referent("person", noun, gender, name=name, kin=owner))

    def _free_name(self, gender: str, age: str) -> str:
        free = [
            person.name
            for person in PEOPLE
            if (person.gender, person.age) == (gender, age) and person.name not in self._names
        ]
        name = self.dice.pick(free)
        self._names.add(name)
        return name

    def _by_kin(self) -> Referent:
        """Return Mother, Grandfather …: kin whose noun is their name."""
        names = dict.fromkeys(_MALE_NAMES_OF_KIN.values(), "m") | dict.fromkeys(
            _FEMALE_NAMES_OF_KIN.values(), "f"
        )
        free = [name for name in names if name not in self._names]
        if not free:
            return self._unnamed("adult")
        name = self.dice.pick(free)
        self._names.add(name)
        return self._person(Referent("person", "", names[name], name=name))

    def _unnamed(self, kind: str) -> Referent:
        dice = self.dice
        if kind in _PERSON_NOUNS and kind not in _NOUNS_OF_PEOPLE:
            if kind in self._nouns and kind in ("woman", "man", "girl", "boy"):  # a second one has a name
                free = [one for one in PEOPLE if _fits(one, kind) and one.name not in self._names]
                return self._townsperson(dice.pick(free))
            noun = kind
        else:
            fitting = [
                noun for noun in _NOUNS_OF_PEOPLE.get(kind, _NOUNS_OF_PEOPLE[""]) if noun not in self._nouns
            ]
            noun = dice.pick(fitting or ["woman"])
        self._nouns.add(noun)
        gender = "f" if noun in _WOMEN else "m" if noun in _MEN else dice.pick("fm")
        if noun in ("child", "friend", "twin", "neighbour", "baby") or gender not in ("f", "m"):
            gender = dice.pick("fm")
        adjectives = (
            ("old",) if kind == "old" else (dice.pick(_LOOKS_OF_PEOPLE),) if dice.chance(0.22) else ()
        )
        determiner = "the" if dice.chance(0.55) else "a"
        referent = Referent("person", noun, gender, adjectives=adjectives, determiner=determiner)
        if noun in ("friend", "neighbour") and self._people and dice.chance(0.8):
            referent.kin = dice.pick(self._people)
        elif dice.chance(0.4):
            referent.details = [self._detail_of_person()]
        return self._person(referent)

    def _several(self, kind: str) -> Referent:
        dice = self.dice
        choice = dice.random()
        if choice < 0.42 and kind not in _PERSON_NOUNS - {"child", "man", "woman"}:
            one = (
                kind
                if kind in ("child", "adult", "woman", "man", "boy", "girl")
                else dice.pick(("child", "person"))
            )
            first = self.someone(one, "sg")
            second = self.someone(one, "sg")
            if first.kin is second or second.kin is first or (first.name and second.name) or dice.chance(0.5):
                return self.memory.enter(Referent("group", "people", many=True, members=(first, second)))
            return self.memory.enter(Referent("group", "people", many=True, members=(first, second)))
        nouns = _NOUNS_OF_PEOPLE.get(kind, _NOUNS_OF_PEOPLE[""])
        noun = (
            kind
            if kind in _PERSON_NOUNS
            else dice.pick([noun for noun in nouns if noun not in ("king", "queen")])
        )
        determiner = dice.pick(
            ("the", "the", "the", "two", "three", "some", "these", "those", "the two", "all the", "both")
        )
        if noun == "twin":
            determiner = "the"
        referent = Referent("person", noun, many=True, determiner=determiner)
        self._nouns.add(noun)
        if (
            self._people
            and noun in ("boy", "girl", "child", "friend", "twin", "neighbour")
            and dice.chance(0.25)
        ):
            referent = Referent(
                "person", dice.pick(("brother", "sister", "friend")), many=True, kin=dice.pick(self._people)
            )
        elif dice.chance(0.4):
            referent.details = [self._detail_of_person(many=True)]
        return self._person(referent)

    def group(self, *members: Referent) -> Referent:
        """Return the referent for several people together."""
        return self.memory.enter(Referent("group", "people", many=True, members=members))

    # Animals, places and things.

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
        many = number == "pl" or (number == "" and dice.chance(0.33))
        adjectives = (dice.pick(_LOOKS_OF_ANIMALS),) if dice.chance(0.35) else ()
        determiner = dice.pick(_PLURAL_STARTS) if many else ("the" if dice.chance(0.4) else "a")
        gender = "n" if many or dice.chance(0.75) else dice.pick("fm")
        referent = Referent("animal", noun, gender, many, adjectives=adjectives, determiner=determiner)
        if dice.chance(0.35):
            referent.details = [self._detail_of_thing(animal=True)]
        return self._add(referent)

    def place(self, kind: str) -> Referent:
        """Return a place of a sort, or the place of that noun."""
        if kind in _PLACE_SORTS or kind == "place":
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
        many = pair or number == "pl" or (number == "" and dice.chance(0.33))
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
            stem if pair and noun != "glasses" else noun,
            many=many,
            adjectives=tuple(adjectives),
            determiner=determiner,
        )
        referent.pair = noun == "glasses"
        if dice.chance(0.25):
            referent.details = [self._detail_of_thing(animal=False)]
        return self._add(referent)

    def _add(self, referent: Referent) -> Referent:
        self._nouns.add(referent.noun)
        return self.memory.enter(referent)

    def labelled(self, noun: tuple[str, ...], determiner: str, owner: Referent | None) -> Referent:
        """Return the referent for a noun phrase that is written out."""
        *before, head = noun
        reading = read_word(head.partition(".")[0], "NOUN", "PROPN", "PRON")
        lemma = reading.lemma + ("." + head.partition(".")[2] if "." in head else "")
        many = reading.form == "plural" or (
            determiner in ("two", "three", "four", "some", "many")
            and reading.kind != "mass"
            and reading.form == "plural"
        )
        kind = "person" if lemma in _PERSON_NOUNS else "animal" if lemma in _ANIMAL_NOUNS else "thing"
        gender = "n"
        if kind == "person":
            gender = "f" if lemma in _WOMEN else "m" if lemma in _MEN else self.dice.pick("fm")
        referent = Referent(
            kind, lemma, gender, many, adjectives=tuple(before), determiner=determiner, owner=owner
        )
        if kind == "person" and owner is not None:
            referent.kin, referent.owner = owner, None
        referent.mass = reading.kind == "mass"
        referent.pair = reading.kind == "plural"
        return self._add(referent)

    # What may be added to a noun phrase.

    def _detail_of_person(self, *, many: bool = False) -> Detail:
        dice = self.dice
        choice = dice.random()
        if choice < 0.35:
            worn = self.thing(
                dice.pick(("clothes", "clothes", "toy", "small", "box")), "sg" if dice.chance(0.6) else "pl"
            )
            worn.details = []
            worn.determiner = "a" if not worn.many else dice.pick(("two", "three", "some", ""))
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
            place = self.place(dice.pick(("shop", "work", "open", "public", "room")))
            return Detail(place.preposition, place)
        return self._clause_detail(dice.pick(_CLAUSES_OF_PEOPLE))

    def _detail_of_thing(self, *, animal: bool) -> Detail:
        dice = self.dice
        choice = dice.random()
        if choice < 0.4:
            other = self.thing(
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
            owner = self.someone(dice.pick(("adult", "child")), "")
            owner.details = []
            return Detail("of", owner)
        if choice < 0.75:
            place = self.place(
                dice.pick(("room", "open", "wild", "work") if not animal else ("open", "wild"))
            )
            return Detail(place.preposition, place)
        return self._clause_detail(dice.pick(_CLAUSES_OF_ANIMALS if animal else _CLAUSES_OF_THINGS))

    def _clause_detail(self, text: str) -> Detail:
        clause = read_clause(text)
        bindings: dict[str, Referent] = {}
        for phrase in (clause.subject, *clause.phrases):
            for part in phrase:
                letter = getattr(part, "letter", "")
                if letter and letter != "R":
                    one = self.draw(getattr(part, "type", "") or "person", letter)
                    one.details = []
                    bindings[letter] = one
        return Detail("", None, clause, bindings, "R", "")


_PLURAL_STARTS = words("two three some the the the four five these those many several") + (
    "all the",
    "the two",
)
_CLAUSES_OF_PEOPLE = entries(
    """R | live | next to A, R | live | in the old house, R | sell | fish + at the market, R | work | in P:work,
    R | be waiting | at P:public, R | be sitting | on the bench, R | be standing | at the gate, A | meet | R + on the way,
    R | know | A well, R | have | T:toy, R | help | A, R | love | T:music, R | come + from the village, R | play + in P:open,
    A | like | R, A | visit | R, R | feed | X:farm.pl, R | carry | T:box, R | look after | X:pet"""
)
_CLAUSES_OF_ANIMALS = entries(
    """R | live | in P:wild, R | live + behind the barn, A | feed | R + every day, R | belong | to A, R | sleep + under T:furniture,
    A | love | R, R | chase | X:animal, A | find | R + in P:wild, R | be sitting | on the roof, R | be eating | the grass,
    A | see | R + in the garden, R | sleep + all day, A | call | R"""
)
_CLAUSES_OF_THINGS = entries(
    """A | buy | R + at the market, A | make | R, R | belong | to A, R | be lying | on the table, A | find | R + in the attic,
    R | stand + near the door, R | be hanging | on the wall, A | lose | R, A | want | R, A | need | R, A | give | R + to B,
    A | have painted | R, A | bring | R + from the village, A | put | R + on the shelf, A | like | R + best"""
)


# Whom children, adults and old people do not have.
_NO_KIN = {
    "child": words("son daughter husband wife"),
    "adult": words("grandfather grandmother"),
    "old": words("mother father grandmother grandfather"),
}


def _age(referent: Referent) -> str:
    if referent.name in PERSON:
        return PERSON[referent.name].age
    return "child" if referent.noun in _CHILDLIKE else "old" if "old" in referent.adjectives else "adult"


def _fits(person: Person, kind: str) -> bool:
    if kind in ("child", "adult", "old"):
        return person.age == kind
    if kind in ("woman", "man"):
        return person.age != "child" and person.gender == ("f" if kind == "woman" else "m")
    if kind in ("girl", "boy"):
        return person.age == "child" and person.gender == ("f" if kind == "girl" else "m")
    return True


def narrator(dice: Dice, memory: Memory) -> Referent:
    """Return somebody who says "I", whose name is not told."""
    return memory.enter(Referent("person", dice.pick(("girl", "boy")), dice.pick("fm")))


__all__ = ["PERSON", "Cast", "narrator"]
