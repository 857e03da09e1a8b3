"""People drawn for a text: townspeople with their names, kin, people without names, several together."""

from __future__ import annotations

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.events.town import PEOPLE, PERSON, Person
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.life.making.kinds import MEN, PERSON_NOUNS, WOMEN
from bertviz_lite.world.life.making.things import Things

_JOBS = {person.job: person for person in PEOPLE if person.job}

_NOUNS_OF_PEOPLE = {
    "child": words("boy girl boy girl child friend twin"),
    "adult": words(
        "woman man neighbour farmer baker sailor teacher doctor postman gardener cook builder singer"
    ),
    "old": words("man woman"),
    "": words(
        """boy girl boy girl boy girl woman man woman man child farmer baker sailor teacher doctor
        postman gardener cook builder singer painter driver nurse tailor carpenter librarian
        miller beekeeper dancer writer fisher king queen prince princess thief robber witch
        wizard friend neighbour twin"""
    ),
}

_NAMES_OF_KIN = {"Father": "m", "Grandfather": "m", "Mother": "f", "Grandmother": "f"}

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

_NO_KIN = {
    "child": words("son daughter husband wife"),
    "adult": words("grandfather grandmother"),
    "old": words("mother father grandmother grandfather"),
}


class People(Things):
    """Draws people; nobody twice in a text."""

    def someone(self, kind: str, number: str = "") -> Referent:
        """Return one or several people of a kind."""
        dice = self.dice
        if (
            kind == "people"
            or number == "pl"
            or (number == "" and kind in ("person", "child", "adult", "") and dice.chance(0.48))
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

    def dismiss(self, referent: Referent) -> None:
        """Take somebody out of the text again, so that nobody is their sister or friend."""
        self._people = [one for one in self._people if one is not referent]

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
        free = [name for name in _NAMES_OF_KIN if name not in self._names]
        if not free:
            return self._unnamed("adult")
        name = self.dice.pick(free)
        self._names.add(name)
        return self._person(Referent("person", "", _NAMES_OF_KIN[name], name=name))

    def _unnamed(self, kind: str) -> Referent:
        dice = self.dice
        if kind in PERSON_NOUNS and kind not in _NOUNS_OF_PEOPLE:
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
        gender = "f" if noun in WOMEN else "m" if noun in MEN else dice.pick("fm")
        if noun in ("child", "friend", "twin", "neighbour", "baby") or gender not in ("f", "m"):
            gender = dice.pick("fm")
        adjectives = (
            ("old",) if kind == "old" else (dice.pick(_LOOKS_OF_PEOPLE),) if dice.chance(0.22) else ()
        )
        if adjectives == ("old",) and noun in _CHILDLIKE:
            adjectives = ("young",)
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
        if choice < 0.42 and self.one_by_one and kind not in PERSON_NOUNS - {"child", "man", "woman"}:
            one = (
                kind
                if kind in ("child", "adult", "woman", "man", "boy", "girl")
                else dice.pick(("child", "person"))
            )
            first = self.someone(one, "sg")
            second = self.someone(one, "sg")
            return self.group(first, second)
        nouns = _NOUNS_OF_PEOPLE.get(kind, _NOUNS_OF_PEOPLE[""])
        noun = (
            kind
            if kind in PERSON_NOUNS
            else dice.pick([noun for noun in nouns if noun not in ("king", "queen")])
        )
        determiner = dice.pick(
            ("the", "the", "the", "the", "two", "three", "some", "some", "the two", "four", "several")
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
