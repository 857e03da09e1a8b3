"""People for a story: townspeople of an age or a job, people without names, several together."""

from __future__ import annotations

from typing import NamedTuple

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.events.town import PEOPLE, Person
from bertviz_lite.world.grammar.notation import read_clause
from bertviz_lite.world.grammar.referents import Detail, Referent
from bertviz_lite.world.life.making.telling import Telling
from bertviz_lite.world.life.tales.kinship import MEN, WOMEN
from bertviz_lite.world.life.tales.plans import Plan, Role
from bertviz_lite.world.life.tales.traits import GENERAL, PERSON_NOUNS

JOBS = frozenset(person.job for person in PEOPLE if person.job)
_LOOKS_OF_SCRIPTS = frozenset(words("old young little small big tall strong shy brave poor clever kind"))
_CHILD_NOUNS = frozenset(words("prince princess pupil twin"))
_LOOKS = {
    "child": words("little little young clever shy brave small quiet"),
    "adult": words("young tall kind clever poor friendly strong funny"),
    "old": words("old"),
}
_LIVES = read_clause("R | live | in H9")


class Player(NamedTuple):
    """Who plays a role: the referent, who it is among the townspeople, if anybody, and its age."""

    referent: Referent
    person: Person | None
    age: str


class Townsfolk:
    """Finds people for the roles of a story; nobody twice.

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
        self.names: set[str] = set()
        self.nouns = set(plan.words & (PERSON_NOUNS | WOMEN | MEN))

    def townsperson(self, role: Role, age: str = "") -> Person | None:
        """Return a townsperson for a role, of an age if it is given."""
        wanted = age or (self.age(role) if role.kind in GENERAL else "")
        fitting = [
            person
            for person in PEOPLE
            if (not wanted or person.age == wanted) and self.fits(person, role.kind)
        ]
        if not fitting:
            return None
        if self.by_letter and self.dice.chance(0.65):  # "he" and "she" tell two people apart
            first = next(iter(self.by_letter.values())).referent
            fitting = [one for one in fitting if first.many or one.gender != first.gender] or fitting
        return self.dice.pick(fitting)

    def age(self, role: Role) -> str:
        """Return an age that fits a role."""
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

    def fits(self, person: Person, kind: str) -> bool:
        """Say whether a townsperson who has no role yet can play one of a kind."""
        if person.name in self.names:
            return False
        if kind in ("woman", "man", "girl", "boy"):
            return (person.age == "child") == (kind in ("girl", "boy")) and (person.gender == "f") == (
                kind in ("woman", "girl")
            )
        if kind in ("child", "adult", "old"):
            return person.age == kind
        if kind in GENERAL:
            return person.job not in self.nouns
        return person.job == kind

    def named(self, person: Person, *, job: bool = False) -> Player:
        """Return a townsperson, whose first mention may say how old he or she is, or what the job."""
        dice = self.dice
        noun = {
            "child": {"f": "girl", "m": "boy"},
            "adult": {"f": "woman", "m": "man"},
            "old": {"f": "woman", "m": "man"},
        }[person.age][person.gender]
        way = "name"
        looks: tuple[str, ...] = ()
        choice = dice.random()
        if person.age == "child" and choice < 0.34:
            way, looks = ("called", ()) if choice < 0.17 else ("look", (dice.pick(_LOOKS["child"][:2]),))
        elif person.age == "old" and choice < 0.6:
            way, looks = ("called", ("old",)) if choice < 0.2 else ("look", ("old",))
        elif person.age == "child" and self.by_letter and choice < 0.6:
            way = "called"
        elif person.job and (job or choice < 0.55):
            way, noun = "job" if choice < 0.4 or job else "called", person.job
        if noun in self.nouns and way == "called":
            way = "name"
        referent = Referent("person", noun, person.gender, name=person.name, adjectives=looks, intro=way)
        return Player(referent, person, person.age)

    def unnamed(self, role: Role) -> Player:
        """Return somebody without a name: a girl, the old woman, a baker who lives in Mill Lane."""
        dice = self.dice
        kind = role.kind
        if kind in PERSON_NOUNS and kind not in GENERAL:
            noun, age = kind, "child" if kind in _CHILD_NOUNS else "adult"
            gender = "f" if noun in WOMEN else "m" if noun in MEN else dice.pick("fm")
        else:
            age = self.age(role)
            nouns = {
                "child": words("girl boy girl boy child"),
                "adult": words("woman man woman man farmer gardener sailor builder carpenter painter driver"),
                "old": words("woman man"),
            }[age]
            if kind in ("woman", "man", "girl", "boy"):
                nouns = (kind,)
            noun = dice.pick([one for one in nouns if one not in self.nouns] or ["neighbour"])
            gender = "f" if noun in WOMEN else "m" if noun in MEN else dice.pick("fm")
        looks: tuple[str, ...] = ()
        if age == "old" or (dice.chance(0.25) and not self.plan.words & _LOOKS_OF_SCRIPTS):
            looks = (dice.pick(_LOOKS[age]),)
        determiner = "the" if noun in JOBS and dice.chance(0.6) else "a"
        referent = Referent("person", noun, gender, adjectives=looks, determiner=determiner)
        if determiner == "a" and kind in GENERAL and dice.chance(0.3):
            tense = "present" if self.plan.steps[0].now else self.telling.tense
            referent.details = [Detail("", None, _LIVES, {"H9": self.home(None)}, "R", tense)]
        return Player(referent, None, age)

    def several(self, role: Role) -> Player:
        """Return two townspeople, or several without names."""
        dice = self.dice
        kind = role.kind
        age = "child" if kind in ("child", "boy", "girl") else "" if kind in GENERAL else "adult"
        if kind in ("", "person", "child", "people") and "twin" not in self.nouns and dice.chance(0.45):
            first = self.townsperson(Role("", "child", "sg"))
            assert first is not None
            family = [one for one in PEOPLE if one.family == first.family and one.age == "child"]
            siblings = bool(self.plan.kin) or dice.chance(0.6)
            siblings = siblings and all(self.fits(one, "child") for one in family)
            friends = [one for one in PEOPLE if self.fits(one, "child") and one not in family]
            members = []
            for one in family if siblings else (first, dice.pick(friends)):
                player = self.named(one)
                player.referent.intro, player.referent.adjectives = "name", ()
                self.telling.memory.enter(player.referent)
                self.names.add(one.name)
                members.append(player.referent)
            return Player(self.telling.cast.group(*members), first if siblings else None, "child")
        if kind in ("", "person", "people", "child"):
            noun = dice.pick(words("child child boy girl twin child friend"))
        elif kind in ("adult", "old"):
            noun = dice.pick(words("man woman"))
        else:
            noun = kind
        if noun in self.nouns:
            noun = next((one for one in ("boy", "girl", "child") if one not in self.nouns), "friend")
        determiner = "the" if noun == "twin" else dice.pick(("two", "two", "three", "the", "some"))
        looks = ("old",) if kind == "old" else ()
        return Player(
            Referent("person", noun, many=True, determiner=determiner, adjectives=looks), None, age or "child"
        )

    def home(self, person: Person | None) -> Referent:
        """Return the street or farm where a townsperson lives, or any street."""
        name = (
            person.home
            if person is not None
            else self.dice.pick([one.home for one in PEOPLE if "Farm" not in one.home])
        )
        place = Referent("place", "street", name=name, preposition="at" if "Farm" in name else "in")
        return self.telling.memory.enter(place)
