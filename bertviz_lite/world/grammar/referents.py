"""Someone or something that is spoken of, and the memory of what a text has mentioned."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Detail(NamedTuple):
    """What a noun phrase may add about its referent: a preposition and another referent, or a clause.

    ``Detail("near", boxes)`` is "near the boxes"; ``Detail("who", clause=..., bindings=...)`` is a relative
    clause in which the referent is the letter ``role``.
    """

    word: str
    referent: Referent | None = None
    clause: Any = None
    bindings: dict[str, Referent] | None = None
    role: str = ""
    tense: str = ""


@dataclass(eq=False, slots=True)
class Referent:
    """Someone or something that is spoken of.

    Attributes
    ----------
    kind
        person, group, animal, pet, thing, place or one.
    noun
        What it is, with its sense: ``"girl"``, ``"bank.river"``.
    gender
        ``"f"``, ``"m"`` or ``"n"``.
    many
        Whether it is more than one.
    name
        Of a person, a pet, a street; else empty.
    adjectives
        In the order size, quality, colour, material.
    determiner
        At its first mention: ``"a"``, ``"the"``, ``"some"``, ``"two"``, ``""`` …
    measure
        By which it is served: ``"bowl"`` of soup.
    mass
        Whether it is not counted.
    pair
        Whether it comes in pairs and is always plural, like glasses.
    owner
        Whose it is.
    members
        The people of a group that is named one by one.
    details
        What may be added about it; true in the scene.
    preposition
        With which one is there, of a place.
    kin
        Whose mother, brother … a person is that goes by "his sister".
    intro
        How a name is first mentioned: ``"name"`` (Anna), ``"kin"`` (her sister Anna), ``"job"`` (Nora the
        baker), ``"called"`` (a girl called Anna), ``"look"`` (little Anna); empty where any will do.
    chain
        Number of its co-reference chain: all words that speak of it bear this number.
    """

    kind: str
    noun: str
    gender: str = "n"
    many: bool = False
    name: str = ""
    adjectives: tuple[str, ...] = ()
    determiner: str = "a"
    measure: str = ""
    mass: bool = False
    pair: bool = False
    owner: Referent | None = None
    members: tuple[Referent, ...] = ()
    details: list[Detail] = field(default_factory=list)
    preposition: str = "in"
    kin: Referent | None = None
    intro: str = ""
    chain: int = -1

    @property
    def pronoun(self) -> str:
        """``"f"``, ``"m"``, ``"n"``, or ``"p"`` for many."""
        return "p" if self.many else self.gender


_LONG_AGO = 3  # sentences


class _Mention(NamedTuple):
    """A mention: in which sentence, its pronoun and chain, of people or animals, aside, as an object."""

    sentence: int
    pronoun: str
    chain: int | None
    people: bool
    alive: bool
    aside: bool
    object: bool
    clause: int


def common_noun(group: Referent) -> str:
    """Return the noun for the people of a group together: *girls*, *children*, or *two*."""
    nouns = {member.noun for member in group.members}
    if nouns <= {"girl"}:
        return "girls"
    if nouns <= {"boy"}:
        return "boys"
    if nouns <= {"girl", "boy", "child", "sister", "brother"}:
        return "children"
    if nouns <= {"friend"}:
        return "friends"
    return "two"


class Memory:
    """What a text has mentioned, and when; it also numbers the chains.

    Attributes
    ----------
    aside
        Above 0 while a phrase is told in which nothing is what the clause is about: a preposition, an owner,
        a detail.
    case
        Of the noun phrase that is being told.
    """

    def __init__(self) -> None:
        self.sentence = 0
        self.chains = 0
        self.aside = 0
        self.case = ""
        self.seen: list[Referent] = []
        self.lemmas: set[str] = set()
        self._last: dict[int, int] = {}  # chain -> sentence
        self._recent: list[_Mention] = []
        self._subject: int | None = None  # chain of the last subject
        self._clause = 0  # number of the clause that is being told
        self._pronouns: set[str] = set()  # of what is never spoken of again

    def enter(self, referent: Referent) -> Referent:
        """Give a referent, and the members of a group, their chains."""
        for one in (*referent.members, referent):
            if one.chain < 0:
                one.chain = self.chains
                self.chains += 1
                self.seen.append(one)
        return referent

    def mention(self, referent: Referent, *except_for: Referent) -> None:
        """Note that this, with all its members except those who are *I* and *you*, is mentioned now."""
        if referent.chain < 0:
            self.enter(referent)
        for one in (*referent.members, referent):
            if one in except_for:
                continue
            self._last[one.chain] = self.sentence
            is_we = one is referent and any(member in except_for for member in one.members)
            if referent.kind != "place" and not is_we:
                self._note(one.pronoun, one.chain, one.kind)

    def unmention(self, referent: Referent) -> None:
        """Note that this was not mentioned yet after all: its clause had no words for it."""
        self._last.pop(referent.chain, None)
        self._recent = [item for item in self._recent if item.chain != referent.chain]

    def note_subject(self, referent: Referent | None) -> None:
        """Note what the subject of the last clause was; None where it is never spoken of again."""
        self._subject = None if referent is None else referent.chain

    def begin_clause(self) -> None:
        """Note that what is mentioned from now on belongs to another clause."""
        self._clause += 1

    def mention_noun(self, *, many: bool, genders: str = "n") -> None:
        """Note that something or someone that is never spoken of again is mentioned now."""
        for pronoun in "p" if many else genders:
            self._pronouns.add(pronoun)
            self._note(pronoun, None, "thing" if genders == "n" else "person")

    def _note(self, pronoun: str, chain: int | None, kind: str) -> None:
        aside = self.aside > 0 or self.case == "possessive"
        is_object = self.case == "object" and not aside
        people, alive = kind in ("person", "group"), kind not in ("thing", "place", "one")
        told = _Mention(self.sentence, pronoun, chain, people, alive, aside, is_object, self._clause)
        self._recent.append(told)

    def end_sentence(self) -> None:
        """Go on to the next sentence."""
        self._recent = [item for item in self._recent if item.sentence == self.sentence]
        self.sentence += 1

    def forget(self) -> None:
        """Start on another text: nothing is mentioned."""
        self.sentence += 2
        self._recent.clear()
        self._last.clear()
        self._subject = None
        self._pronouns.clear()
        self.lemmas.clear()

    def gather(self, group: Referent) -> None:
        """Note a group as mentioned if all its members were, so that it can be "they"."""
        last = min(self._last.get(member.chain, -2) for member in group.members)
        if last >= self.sentence - 1:
            self._last[group.chain] = max(last, self._last.get(group.chain, -2))

    def mentioned(self, referent: Referent) -> bool:
        """Whether this has been mentioned."""
        return referent.chain in self._last

    def mentioned_here(self, referent: Referent) -> bool:
        """Whether this has been mentioned in the sentence that is being told."""
        return self._last.get(referent.chain) == self.sentence

    def pronoun_is_clear(self, referent: Referent, case: str = "object") -> bool:
        """Whether this was mentioned in this or the last sentence, and since then nothing of its pronoun.

        What alone in the text goes by its pronoun is clear two sentences later too.
        An animal or a thing that is the subject again is clear even where something else was mentioned, so
        is an object that is the object again; so is what belongs to the subject of the clause. What stands
        aside (in a phrase of place, as an owner) is never mistaken for what the clause is about, nor are the
        subject and the objects of one clause for each other: *Tom was sad because Max had left him*.
        """
        last = self._last.get(referent.chain)
        if last is None or last < self.sentence - _LONG_AGO:
            return False
        if last < self.sentence - 1:
            return self._alone(referent)
        if case in ("subject", "possessive") and referent.chain == self._subject and referent.pronoun in "np":
            return True
        if case == "possessive" and referent.chain == self._subject and last == self.sentence:
            return True
        return not any(self._rivals(referent, case, last))

    def _rivals(self, referent: Referent, case: str, last: int) -> list[_Mention]:
        """Return the mentions that a pronoun for the referent could be taken for."""
        mine = referent.pronoun
        own = {referent.chain, *(member.chain for member in referent.members)}
        places = [place for place, told in enumerate(self._recent) if told.chain in own]
        rivals = [
            (place, told)
            for place, told in enumerate(self._recent)
            if told.sentence >= last and told.pronoun == mine and told.chain not in own
        ]
        if case == "object" and self._subject is not None:
            rivals = [rival for rival in rivals if rival[1].chain != self._subject]
        if case == "object":
            rivals = [rival for rival in rivals if rival[1].clause != self._clause]
        if not places:
            return [told for _, told in rivals]
        here = self._recent[places[-1]]
        again = case == "object" and here.object and not here.people
        return [
            told
            for place, told in rivals
            if not (mine in "np" and told.aside and not here.aside and not (told.people and here.people))
            and not (again and place < places[-1] and not told.object)
            and not (told.alive and not here.alive and here.object and place < places[-1])
        ]

    def _alone(self, referent: Referent) -> bool:
        """Say whether nobody and nothing else that was mentioned goes by the referent's pronoun."""
        own = {referent.chain, *(member.chain for member in referent.members)}
        rivals = (one for one in self.seen if one.chain in self._last and one.chain not in own)
        mine = referent.pronoun
        return mine not in self._pronouns and not any(one.pronoun == mine for one in rivals)

    def only_one_of(self, referent: Referent) -> bool:
        """Whether nobody else who was mentioned is of the same pronoun."""
        return not any(
            other is not referent
            and other.kind == "person"
            and other.pronoun == referent.pronoun
            and other.chain in self._last
            for other in self.seen
        )

    def noun_is_clear(self, referent: Referent) -> bool:
        """Whether nothing else that was mentioned goes by the same noun and number."""
        return not any(
            other is not referent
            and other.noun == referent.noun
            and other.many == referent.many
            and other.chain in self._last
            for other in self.seen
        )
