"""Who plays the roles of a story: townspeople with their families, jobs and friends, or strangers."""

from __future__ import annotations

from bertviz_lite.world.events.tables import words
from bertviz_lite.world.events.town import PEOPLE
from bertviz_lite.world.grammar.notation import parts_of
from bertviz_lite.world.grammar.referents import Referent
from bertviz_lite.world.life.making.cast import narrator
from bertviz_lite.world.life.tales.kinship import AGES, MEN, WOMEN, kin_noun, noun_fits
from bertviz_lite.world.life.tales.plans import Role
from bertviz_lite.world.life.tales.townsfolk import JOBS, Player, Townsfolk
from bertviz_lite.world.life.tales.traits import GENERAL, GROUP, clauses_of

# Words of scripts in which A and B do not live in one house.
_APART = frozenset(
    words(
        """visit invite borrow lend pay sell marry meet stranger neighbour letter invitation thief robber
        new send friend"""
    )
)
_BARE = 0.35  # how often somebody who comes late has a name and nothing else
_AT_HOME = frozenset(words("supper breakfast bedroom wake kitchen asleep pillow bake attic cellar bath"))
_OTHERS_PLACES = frozenset(words("house door garden yard fence window bell box steps street barn field"))


class Players(Townsfolk):
    """Casts a story: the first person, and the others as what they are to the first."""

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
            self.names.add(player.person.name)
        self.nouns.add(player.referent.noun)
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
        if role.number == "pl" or (role.number == "" and dice.chance(0.5)):
            return self.several(role)
        if general and dice.chance(0.97 if role.letter in self.plan.owners else 0.7):
            person = self.townsperson(role)
            if person is not None:
                return self.named(person)
        if role.kind in JOBS and dice.chance(0.45):
            person = self.townsperson(role)
            if person is not None:
                return self.named(person, job=True)
        return self.unnamed(role)

    def _narrator(self, role: Role) -> Player:
        telling = self.telling
        one = narrator(self.dice, telling.memory)
        if role.kind in ("boy", "girl"):
            one.noun = role.kind
        one.gender = "f" if one.noun == "girl" else "m"
        telling.narrator = telling.phrases.speaker = one
        if role.number == "" and self.dice.chance(0.55):
            we = Referent("group", "people", many=True, members=(one,))
            return Player(telling.memory.enter(we), None, "child")
        return Player(one, None, "child")

    # The others, seen from the first.

    def _other(self, role: Role, lead: Player) -> Player:
        dice = self.dice
        bare = self._bare(role, lead)
        if bare is not None:
            return bare
        if role.number == "pl" or (role.number == "" and not lead.referent.many and dice.chance(0.35)):
            return self.several(role)
        if role.kind not in GENERAL:
            return self._worker(role)
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
            person = self.townsperson(role)
            if person is not None:
                return self.named(person, job=dice.chance(0.6))
        return self.unnamed(role)

    def _worker(self, role: Role) -> Player:
        """Return somebody of a job or another kind, now and then with a name."""
        if role.kind in JOBS and self.dice.chance(0.4):
            person = self.townsperson(role)
            if person is not None:
                return self.named(person, job=True)
        return self.unnamed(role)

    def _is_late(self, letter: str) -> bool:
        """Say whether somebody comes into the story in its second half."""
        steps = self.plan.steps
        for place, step in enumerate(steps):
            if step.speech is not None and step.speech.speaker == letter:
                return 2 * place >= len(steps) - 1
            for clause in clauses_of(step):
                for part in parts_of(clause):
                    letters = getattr(part, "letter", "").split(GROUP)
                    if letter in letters or getattr(part, "owner", "") == letter:
                        return 2 * place >= len(steps) - 1
        return False

    def _bare(self, role: Role, lead: Player) -> Player | None:
        """Return somebody who comes late and of whom nothing is told but the name, or None."""
        late = role.number != "pl" and role.kind in GENERAL and self._is_late(role.letter)
        if not (late and self.dice.chance(_BARE)):
            return None
        at_home = not self._apart(role) and self.dice.chance(0.5)
        if at_home and lead.person is not None:
            family = [one for one in PEOPLE if one.family == lead.person.family and self.fits(one, role.kind)]
            person = self.dice.pick(family) if family else self.townsperson(role)
        else:
            person = self.townsperson(role, "" if role.kind else lead.age)
        if person is None:
            return None
        player = self.named(person)
        player.referent.intro, player.referent.adjectives = "name", ()
        return player

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
        if person is None and len(lead.referent.members) > 1:
            return None  # two friends have no family in common
        if person is not None:
            family = [one for one in PEOPLE if one.family == person.family and self.fits(one, role.kind)]
            relatives = [
                (noun, one) for one in family if (noun := kin_noun(person, one)) and noun not in self.nouns
            ]
            if not relatives:
                return None
            if dice.chance(0.6):
                relatives = [item for item in relatives if item[1].gender != person.gender] or relatives
            noun, one = dice.pick(relatives)
            name = one.name if dice.chance(0.6) else ""
            self.names.add(one.name)
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
        fitting = [noun for noun in nouns if noun not in self.nouns and noun_fits(noun, role.kind, lead.age)]
        if not fitting:
            return None
        noun = dice.pick(fitting)
        gender = "f" if noun in WOMEN else "m"
        age = {"mother": "adult", "father": "adult", "grandmother": "old", "grandfather": "old"}.get(
            noun, lead.age if lead.age != "old" else "adult"
        )
        if noun in ("son", "daughter") and lead.age == "adult":
            age = "child"
        name = ""
        if dice.chance(0.75 if gender == lead.referent.gender else 0.4):
            free = [one for one in PEOPLE if (one.gender, one.age) == (gender, age) and self.fits(one, "")]
            name = dice.pick(free).name
            self.names.add(name)
        return Player(Referent("person", noun, gender, name=name, kin=lead.referent, intro="kin"), None, age)

    def _relative(self, letter: str, owner: Player, noun: str) -> None:
        """Enter somebody's mother, brother, friend … of whom the script speaks, perhaps with a name."""
        dice = self.dice
        gender = "f" if noun in WOMEN else "m" if noun in MEN else dice.pick("fm")
        name, one = "", None
        same = gender == owner.referent.gender
        if owner.referent is not self.telling.narrator and dice.chance(0.6 if same else 0.3):
            free = [one for one in PEOPLE if one.name not in self.names and one.gender == gender]
            if owner.person is not None and noun not in ("friend", "neighbour"):
                free = [
                    one
                    for one in free
                    if one.family == owner.person.family and kin_noun(owner.person, one) == noun
                ]
            else:
                age = AGES.get(noun, owner.age)
                free = [one for one in free if one.age == age]
            if free:
                one = dice.pick(free)
                name = one.name
        referent = Referent("person", noun, gender, name=name, kin=owner.referent, intro="kin")
        self._enter(letter, Player(referent, one, AGES.get(noun, owner.age)))

    def _friend(self, role: Role, lead: Player) -> Player | None:
        """Return a friend or a neighbour of the first, of about the same age."""
        dice = self.dice
        noun = "neighbour" if dice.chance(0.35) or role.kind in ("adult", "old", "woman", "man") else "friend"
        age = self.age(role) if noun == "neighbour" or role.kind else lead.age
        person = self.townsperson(role, age)
        if person is not None and person.age != lead.age:
            noun = "neighbour"
        if (
            person is None
            or noun in self.nouns
            or (lead.person is not None and person.family == lead.person.family)
        ):
            return None
        name = person.name if dice.chance(0.65) else ""
        self.names.add(person.name)
        referent = Referent("person", noun, person.gender, name=name, kin=lead.referent, intro="kin")
        return Player(referent, person, person.age)


__all__ = ["Player", "Players"]
