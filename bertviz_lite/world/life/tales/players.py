"""Who plays the roles of a story: townspeople with their families, jobs and friends, or strangers."""

from __future__ import annotations

from typing import NamedTuple

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.events.town import PEOPLE, Person
from bertviz_lite.world.grammar.notation import read_clause
from bertviz_lite.world.grammar.referents import Detail, Referent
from bertviz_lite.world.grammar.words import words_of
from bertviz_lite.world.life.cast import narrator
from bertviz_lite.world.life.tales.plans import GENERAL, PERSON_NOUNS, Plan, Role
from bertviz_lite.world.life.telling import Telling

_WOMEN, _MEN = frozenset(words_of("NOUN", "person f")), frozenset(words_of("NOUN", "person m"))
_JOBS = {person.job for person in PEOPLE if person.job}
_AGES = {"mother": "adult", "father": "adult", "grandmother": "old", "grandfather": "old"} | {
    "son": "child",
    "daughter": "child",
}
_LOOKS_OF_SCRIPTS = frozenset(words("old young little small big tall strong shy brave poor clever kind"))
_OLD_NOUNS = {"grandmother": "f", "grandfather": "m"}
_CHILD_NOUNS = frozenset(words("prince princess pupil twin"))
_LOOKS = {
    "child": words("little little young clever shy brave small quiet"),
    "adult": words("young tall kind clever poor friendly strong funny"),
    "old": words("old"),
}
_LIVES = read_clause("R | live | in H9")
# Words of scripts in which A and B do not live in one house.
_APART = frozenset(
    words(
        """visit invite borrow lend pay sell marry meet stranger neighbour letter invitation thief robber
        new send"""
    )
)
_AT_HOME = frozenset(words("supper breakfast bedroom wake kitchen asleep pillow bake attic cellar bath"))
_OTHERS_PLACES = frozenset(words("house door garden yard fence window bell box steps street barn field"))


class Player(NamedTuple):
    """Who plays a role: the referent, who it is among the townspeople, if anybody, and its age."""

    referent: Referent
    person: Person | None
    age: str


class Players:
    """Finds the players of a story, one role after the other.

    Attributes
    ----------
    by_letter
        The players so far.
    """

    def __init__(self, telling: Telling, plan: Plan) -> None:
        self.telling = telling
        self.dice = telling.dice
        self.plan = plan
        self.by_letter: dict[str, Player] = {}
        self._names: set[str] = set()
        self._nouns = set(plan.words & (PERSON_NOUNS | _WOMEN | _MEN))

    def cast(self, kept: dict[str, Player] | None = None) -> None:
        """Find a player for every role and group of the plan, besides those that are kept."""
        for letter, player in (kept or {}).items():
            self._enter(letter, player)
        lead = next(iter(self.by_letter.values()), None)
        for role in self.plan.roles:
            if role.letter in self.by_letter:
                continue
            player = self._lead(role) if lead is None else self._other(role, lead)
            lead = lead or player
            self._enter(role.letter, player)
        for letter, owner, noun in self.plan.kin:
            if letter not in self.by_letter:
                self._relative(letter, self.by_letter[owner], noun)
        bindings = self.telling.bindings
        for group in self.plan.groups:
            members = [bindings[letter] for letter in group.split("+")]
            members.sort(key=lambda one: one is self.telling.narrator)
            bindings[group] = self.telling.cast.group(*members)

    def _enter(self, letter: str, player: Player) -> None:
        self.by_letter[letter] = player
        self.telling.bindings[letter] = player.referent
        self.telling.memory.enter(player.referent)
        if player.person is not None:
            self._names.add(player.person.name)
        self._nouns.add(player.referent.noun)
        if letter in self.plan.owners and player.referent.intro in ("called", "job"):
            player.referent.intro = "name"

    # The first of them.

    def _lead(self, role: Role) -> Player:
        dice = self.dice
        general = role.kind in GENERAL
        if (
            role.kind in ("", "person", "child", "boy", "girl")
            and role.letter in "AB"
            and self.telling.narrator is None
            and dice.chance(0.13)
        ):
            return self._narrator(role)
        if role.number == "pl" or (role.number == "" and dice.chance(0.16)):
            return self._several(role)
        if general and dice.chance(0.97 if role.letter in self.plan.owners else 0.7):
            person = self._townsperson(role)
            if person is not None:
                return self._named(person)
        if role.kind in _JOBS and dice.chance(0.45):
            person = self._townsperson(role)
            if person is not None:
                return self._named(person, job=True)
        return self._unnamed(role)

    def _narrator(self, role: Role) -> Player:
        telling = self.telling
        one = narrator(self.dice, telling.memory)
        if role.kind in ("boy", "girl"):
            one.noun = role.kind
        one.gender = "f" if one.noun == "girl" else "m"
        telling.narrator = telling.phrases.speaker = one
        if role.number == "" and self.dice.chance(0.35):
            we = Referent("group", "people", many=True, members=(one,))
            return Player(telling.memory.enter(we), None, "child")
        return Player(one, None, "child")

    def _townsperson(self, role: Role, age: str = "") -> Person | None:
        """Return a townsperson for a role, of an age if it is given."""
        wanted = age or (self._age(role) if role.kind in GENERAL else "")
        fitting = [
            person
            for person in PEOPLE
            if (not wanted or person.age == wanted) and self._fits(person, role.kind)
        ]
        if not fitting:
            return None
        if self.by_letter and self.dice.chance(0.65):  # "he" and "she" tell two people apart
            first = next(iter(self.by_letter.values())).referent
            fitting = [one for one in fitting if first.many or one.gender != first.gender] or fitting
        return self.dice.pick(fitting)

    def _age(self, role: Role) -> str:
        if role.kind in ("child", "boy", "girl"):
            return "child"
        if role.kind in ("adult", "old"):
            return role.kind
        if role.kind in ("woman", "man"):
            return "old" if self.dice.chance(0.2) else "adult"
        parents = {"mother", "father", "grandmother", "grandfather", "school", "homework"}
        if parents & self.plan.words:
            return "child"
        return self.dice.pick(words("child child child child adult adult adult old"))

    def _fits(self, person: Person, kind: str) -> bool:
        if person.name in self._names:
            return False
        if kind in ("woman", "man", "girl", "boy"):
            return (person.age == "child") == (kind in ("girl", "boy")) and (person.gender == "f") == (
                kind in ("woman", "girl")
            )
        if kind in ("child", "adult", "old"):
            return person.age == kind
        if kind in GENERAL:
            return person.job not in self._nouns
        return person.job == kind

    def _named(self, person: Person, *, job: bool = False) -> Player:
        """Return a townsperson, whose first mention may say how old he or she is, or what the job."""
        dice = self.dice
        noun = {
            "child": {"f": "girl", "m": "boy"},
            "adult": {"f": "woman", "m": "man"},
            "old": {"f": "woman", "m": "man"},
        }[person.age][person.gender]
        way, looks = "name", ()
        choice = dice.random()
        if person.age == "child" and choice < 0.34:
            way, looks = ("called", ()) if choice < 0.17 else ("look", (dice.pick(_LOOKS["child"][:2]),))
        elif person.age == "old" and choice < 0.6:
            way, looks = ("called", ("old",)) if choice < 0.2 else ("look", ("old",))
        elif person.age == "child" and self.by_letter and choice < 0.6:
            way = "called"
        elif person.job and (job or choice < 0.55):
            way, noun = "job" if choice < 0.4 or job else "called", person.job
        if noun in self._nouns and way == "called":
            way = "name"
        referent = Referent("person", noun, person.gender, name=person.name, adjectives=looks, intro=way)
        return Player(referent, person, person.age)

    def _unnamed(self, role: Role) -> Player:
        dice = self.dice
        kind = role.kind
        if kind in PERSON_NOUNS and kind not in GENERAL:
            noun, age = kind, "child" if kind in _CHILD_NOUNS else "adult"
            gender = "f" if noun in _WOMEN else "m" if noun in _MEN else dice.pick("fm")
        else:
            age = self._age(role)
            nouns = {
                "child": words("girl boy girl boy child"),
                "adult": words("woman man woman man farmer gardener sailor builder carpenter painter driver"),
                "old": words("woman man"),
            }[age]
            if kind in ("woman", "man", "girl", "boy"):
                nouns = [kind]
            noun = dice.pick([one for one in nouns if one not in self._nouns] or ["neighbour"])
            gender = "f" if noun in _WOMEN else "m" if noun in _MEN else dice.pick("fm")
        looks: tuple[str, ...] = ()
        if age == "old" or (dice.chance(0.25) and not self.plan.words & _LOOKS_OF_SCRIPTS):
            looks = (dice.pick(_LOOKS[age]),)
        determiner = "the" if noun in _JOBS and dice.chance(0.6) else "a"
        referent = Referent("person", noun, gender, adjectives=looks, determiner=determiner)
        if determiner == "a" and kind in GENERAL and dice.chance(0.3):
            referent.details = [Detail("", None, _LIVES, {"H9": self.home(None)}, "R", self.telling.tense)]
        return Player(referent, None, age)

    def _several(self, role: Role) -> Player:
        """Return two townspeople, or several without names."""
        dice = self.dice
        kind = role.kind
        age = "child" if kind in ("child", "boy", "girl") else "" if kind in GENERAL else "adult"
        if kind in ("", "person", "child", "people") and "twin" not in self._nouns and dice.chance(0.45):
            first = self._townsperson(Role("", "child", "sg"))
            assert first is not None
            family = [one for one in PEOPLE if one.family == first.family and one.age == "child"]
            pair = (
                family
                if dice.chance(0.5)
                else [first, dice.pick([one for one in PEOPLE if one.age == "child" and one not in family])]
            )
            members = []
            for one in pair:
                player = self._named(one)
                player.referent.intro, player.referent.adjectives = "name", ()
                self.telling.memory.enter(player.referent)
                self._names.add(one.name)
                members.append(player.referent)
            return Player(self.telling.cast.group(*members), None, "child")
        if kind in ("", "person", "people", "child"):
            noun = dice.pick(words("child child boy girl twin child friend"))
        elif kind in ("adult", "old"):
            noun = dice.pick(words("man woman"))
        else:
            noun = kind
        if noun in self._nouns:
            noun = next((one for one in ("boy", "girl", "child") if one not in self._nouns), "friend")
        determiner = "the" if noun == "twin" else dice.pick(("two", "two", "three", "the", "some"))
        looks = ("old",) if kind == "old" else ()
        return Player(
            Referent("person", noun, many=True, determiner=determiner, adjectives=looks), None, age or "child"
        )

    # The others, seen from the first.

    def _other(self, role: Role, lead: Player) -> Player:
        dice = self.dice
        if role.number == "pl":
            return self._several(role)
        if role.kind not in GENERAL:
            if role.kind in _JOBS and dice.chance(0.4):
                person = self._townsperson(role)
                if person is not None:
                    return self._named(person, job=True)
            return self._unnamed(role)
        taken = any(player.referent.kin is lead.referent for player in self.by_letter.values())
        choice = dice.random()
        kin_share = 0.0 if self._apart(role) else 0.75 if self.plan.words & _AT_HOME else 0.45
        if taken:
            kin_share /= 2
        if choice < kin_share:
            player = self._kin(role, lead)
            if player is not None:
                return player
        choice = dice.random()
        if choice < 0.5:
            player = self._friend(role, lead)
            if player is not None:
                return player
        if choice < 0.85:
            person = self._townsperson(role)
            if person is not None:
                return self._named(person, job=dice.chance(0.6))
        return self._unnamed(role)

    def _apart(self, role: Role) -> bool:
        """Say whether somebody lives in another house than the first of the story."""
        if self.plan.words & _APART:
            return True
        letter = role.letter
        for step in self.plan.steps:
            for clause in (*step.causes, *step.clauses):
                for phrase in (clause.subject, *clause.phrases):
                    for part in phrase:
                        if (
                            getattr(part, "owner", "") == letter
                            and getattr(part, "words", (" ",))[-1] in _OTHERS_PLACES
                        ):
                            return True
        return False

    def _kin(self, role: Role, lead: Player) -> Player | None:
        """Return somebody of the family of the first: Anna's brother Tom, her grandmother."""
        dice = self.dice
        person = lead.person
        if person is not None:
            family = [one for one in PEOPLE if one.family == person.family and self._fits(one, role.kind)]
            relatives = [
                (noun, one) for one in family if (noun := kin_noun(person, one)) and noun not in self._nouns
            ]
            if not relatives:
                return None
            if dice.chance(0.6):
                relatives = [item for item in relatives if item[1].gender != person.gender] or relatives
            noun, one = dice.pick(relatives)
            name = one.name if dice.chance(0.6) else ""
            self._names.add(one.name)
            referent = Referent("person", noun, one.gender, name=name, kin=lead.referent, intro="kin")
            return Player(referent, one, one.age)
        nouns = {
            "child": "brother sister mother father grandmother grandfather",
            "adult": "wife husband daughter son mother" if lead.referent.gender in "fm" else "",
            "old": "daughter son",
        }[lead.age].split()
        if lead.referent.gender == "f":
            nouns = [noun for noun in nouns if noun != "wife"]
        if lead.referent.gender == "m":
            nouns = [noun for noun in nouns if noun != "husband"]
        if lead.referent.many and lead.age != "child":
            return None
        fitting = [
            noun for noun in nouns if noun not in self._nouns and _noun_fits(noun, role.kind, lead.age)
        ]
        if not fitting:
            return None
        noun = dice.pick(fitting)
        gender = "f" if noun in _WOMEN else "m"
        age = {"mother": "adult", "father": "adult", "grandmother": "old", "grandfather": "old"}.get(
            noun, lead.age if lead.age != "old" else "adult"
        )
        if noun in ("son", "daughter") and lead.age == "adult":
            age = "child"
        name = ""
        if noun not in ("mother", "father", "grandmother", "grandfather", "wife", "husband") and dice.chance(
            0.5
        ):
            free = [one for one in PEOPLE if (one.gender, one.age) == (gender, age) and self._fits(one, "")]
            name = dice.pick(free).name
            self._names.add(name)
        return Player(Referent("person", noun, gender, name=name, kin=lead.referent, intro="kin"), None, age)

    def _relative(self, letter: str, owner: Player, noun: str) -> None:
        """Enter somebody's mother, brother, friend … of whom the script speaks, perhaps with a name."""
        dice = self.dice
        gender = "f" if noun in _WOMEN else "m" if noun in _MEN else dice.pick("fm")
        name, one = "", None
        same = gender == owner.referent.gender
        if owner.referent is not self.telling.narrator and dice.chance(0.6 if same else 0.3):
            free = [one for one in PEOPLE if one.name not in self._names and one.gender == gender]
            if owner.person is not None and noun not in ("friend", "neighbour"):
                free = [
                    one
                    for one in free
                    if one.family == owner.person.family and kin_noun(owner.person, one) == noun
                ]
            else:
                age = _AGES.get(noun, owner.age)
                free = [one for one in free if one.age == age]
            if free:
                one = dice.pick(free)
                name = one.name
        referent = Referent("person", noun, gender, name=name, kin=owner.referent, intro="kin")
        self._enter(letter, Player(referent, one, _AGES.get(noun, owner.age)))

    def _friend(self, role: Role, lead: Player) -> Player | None:
        """Return a friend or a neighbour of the first, of about the same age."""
        dice = self.dice
        noun = "neighbour" if dice.chance(0.35) or role.kind in ("adult", "old", "woman", "man") else "friend"
        age = self._age(role) if noun == "neighbour" or role.kind else lead.age
        person = self._townsperson(role, age)
        if person is not None and person.age != lead.age:
            noun = "neighbour"
        if (
            person is None
            or noun in self._nouns
            or (lead.person is not None and person.family == lead.person.family)
        ):
            return None
        name = person.name if dice.chance(0.65) else ""
        self._names.add(person.name)
        referent = Referent("person", noun, person.gender, name=name, kin=lead.referent, intro="kin")
        return Player(referent, person, person.age)

    # Homes.

    def home(self, person: Person | None) -> Referent:
        """Return the street or farm where a townsperson lives, or any street."""
        name = (
            person.home
            if person is not None
            else self.dice.pick([one.home for one in PEOPLE if "Farm" not in one.home])
        )
        place = Referent("place", "street", name=name, preposition="at" if "Farm" in name else "in")
        return self.telling.memory.enter(place)


def _noun_fits(noun: str, kind: str, lead_age: str) -> bool:
    grown = noun in ("mother", "father", "grandmother", "grandfather", "wife", "husband")
    if kind in ("child", "girl", "boy") and (grown or lead_age == "old"):
        return False
    if kind in ("adult", "woman", "man") and not grown:
        return False
    if (
        kind == "old"
        and noun not in _OLD_NOUNS
        and not (lead_age == "adult" and noun in ("mother", "father"))
    ):
        return False
    if kind in ("woman", "girl") and noun in _MEN:
        return False
    return not (kind in ("man", "boy") and noun in _WOMEN)


def kin_noun(of: Person, one: Person) -> str:
    """Return what somebody of the same family is to a person: "brother", "grandmother" …, or nothing."""
    female = one.gender == "f"
    match (of.age, one.age):
        case ("child", "child") | ("adult", "adult"):
            if of is one:
                return ""
            if of.age == "child":
                return "sister" if female else "brother"
            return "wife" if female else "husband"
        case ("child", "adult") | ("adult", "old"):
            return "mother" if female else "father"
        case ("child", "old"):
            return "grandmother" if female else "grandfather"
        case ("adult", "child") | ("old", "adult"):
            return "daughter" if female else "son"
    return ""


__all__ = ["Player", "Players", "kin_noun"]
