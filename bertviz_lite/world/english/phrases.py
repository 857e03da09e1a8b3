"""English noun phrases: by which words a referent goes, given what the story has mentioned so far.

A person is introduced by name, often with more, and goes on as a pronoun where that is clear; a thing is "a
red kite" at first, then "it", "the kite" or "the red kite". Left out: the rest of the sentence (``teller``).

>>> from bertviz_lite.world.events.dice import Dice
>>> from bertviz_lite.world.events.scene import Referent
>>> kite = Referent("thing", "kite", adjectives=("red",), chain=0)
>>> memory = Memory([kite])
>>> phrases = Phrases(Dice("example"), memory)
>>> [draft.text for draft in phrases.phrase(kite, "")]
['a', 'red', 'kite']
>>> memory.mention(kite)
>>> [draft.text for draft in phrases.phrase(kite, "")]
['it']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bertviz_lite.world.english.grammar import article, plural, pronoun
from bertviz_lite.world.english.lexicon import look_up_all
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.scene import Referent
from bertviz_lite.world.events.tables import words

# Prepositions of the places at or on which one is; in all others one is in.
PREPOSITIONS = dict.fromkeys(words("bank.river beach bridge hill island"), "on") | dict.fromkeys(
    words("harbour lake pond station well"), "at"
)
_MISWRITTEN = {"wolf": "wolfs"}  # stays as it is: the shipped model has read these stories
_CASES = {"": "he", "o": "him", "p": "his"}
# How often a pronoun stands where it would be clear, if the sentence has not spoken of the referent yet.
_PRONOUN_CHANCE = {"person": 0.85, "pet": 0.85}


@dataclass(eq=False, slots=True)
class Draft:
    """A word in the making; what it has beyond ``text.Word`` is known only within its sentence.

    Attributes
    ----------
    subject
        The role that a verb agrees with.
    owned
        Whether it belongs to the owner in "her kite".
    index
        Position in the sentence, once that is complete.
    """

    text: str
    lemma: str
    pos: str
    form: str | None = None
    sense: str | None = None
    entity: int | None = None
    name: str | None = None
    determined: str | None = None
    glued: bool = False
    subject: str | None = None
    owned: bool = False
    index: int = -1


class Memory:
    """What a story has mentioned, and when.

    Parameters
    ----------
    referents
        All that the story will speak of: a noun is clear only if nothing else goes by it.
    """

    def __init__(self, referents: Sequence[Referent]) -> None:
        self.sentence = 0
        self._referents = referents
        self._last: dict[int, int] = {}  # chain -> sentence
        self._recent: list[tuple[int, Referent]] = []  # of this sentence and the last

    def mention(self, referent: Referent) -> None:
        """Note that this, with all its members, is mentioned now."""
        for mentioned in (referent, *referent.members):
            self._last[mentioned.chain] = self.sentence
            self._recent.append((self.sentence, mentioned))

    def end_sentence(self) -> None:
        """Go on to the next sentence."""
        self._recent = [item for item in self._recent if item[0] == self.sentence]
        self.sentence += 1

    def mentioned(self, referent: Referent) -> bool:
        """Whether this has been mentioned."""
        return referent.chain in self._last

    def mentioned_here(self, referent: Referent) -> bool:
        """Whether this has been mentioned in the sentence that is being told."""
        return self._last.get(referent.chain) == self.sentence

    def only_one_mentioned(self, referent: Referent) -> bool:
        """Whether this, and nothing else of its kind, has been mentioned."""
        return referent.chain in self._last and not any(
            other.chain in self._last
            for other in self._referents
            if other.kind == referent.kind and other is not referent
        )

    def pronoun_is_clear(self, referent: Referent) -> bool:
        """Whether this was mentioned in this or the last sentence, and since then nothing of its pronoun."""
        last = self._last.get(referent.chain)
        if last is None or last < self.sentence - 1:
            return False
        return not any(
            when >= last
            and other.pronoun == referent.pronoun
            and other is not referent
            and other.kind not in ("place", "spot")
            for when, other in self._recent
        )

    def noun_is_clear(self, referent: Referent) -> bool:
        """Whether no other of its kind goes by the same noun in the whole story."""
        return not any(
            other.noun == referent.noun and other.kind == referent.kind and other is not referent
            for other in self._referents
        )


class Phrases:
    """Makes noun phrases; draws where there is a choice."""

    def __init__(self, dice: Dice, memory: Memory) -> None:
        self._dice = dice
        self._memory = memory

    def phrase(self, referent: Referent, mode: str) -> list[Draft]:
        """Return the words for a referent in a mode of the notation."""
        if mode in ("he", "him", "his", "self"):
            return [_pronoun(referent, mode)]
        if mode in _CASES and referent.kind != "place" and self._goes_by_pronoun(referent, mode):
            return [_pronoun(referent, _CASES[mode])]
        drafts = self._noun_phrase(referent, mode)
        return _genitive(drafts) if mode in ("p", "np") else drafts

    def _goes_by_pronoun(self, referent: Referent, mode: str) -> bool:
        here = self._memory.mentioned_here(referent)
        if here and mode == "p":
            return True
        return self._memory.pronoun_is_clear(referent) and (
            here or self._dice.chance(_PRONOUN_CHANCE.get(referent.kind, 0.55))
        )

    def _noun_phrase(self, referent: Referent, mode: str) -> list[Draft]:
        first = not self._memory.mentioned(referent)
        match referent.kind:
            case "person":
                return self._person(referent, first, mode)
            case "pet":
                return self._pet(referent, first, mode)
            case "place":
                return _place(referent, mode)
            case "spot":
                return [*written(f"{referent.relation} the"), _noun(referent)]
            case "thing" | "animal":
                return self._thing(referent, first, mode)
        raise ValueError(f"a {referent.kind} goes by its pronoun only: give its slot the mode he, him or his")

    def _person(self, person: Referent, first: bool, mode: str) -> list[Draft]:
        dice, name = self._dice, _name(person)
        if mode == "d" and self._memory.noun_is_clear(person):
            return written(f"the {person.noun}")
        if mode in ("n", "d"):
            return name
        if not first:
            if dice.chance(0.8) or not self._memory.noun_is_clear(person):
                return name
            return written(f"the {person.noun}")
        if dice.chance(0.16) and person.adjectives:
            return [*written(person.adjectives[0]), *name]
        if dice.chance(0.22) and mode == "":
            if person.job:
                return [*name, *written("the"), _noun(person)]
            called = Draft("called", "call", "VERB", "participle")
            return [*written(article(person.noun)), _noun(person), called, *name]
        return name

    def _pet(self, pet: Referent, first: bool, mode: str) -> list[Draft]:
        if mode == "n":
            return _name(pet)
        if first and pet.owner:
            return [*self._owner(pet.owner), _noun(pet), *_name(pet)]
        if self._dice.chance(0.8) or not self._memory.noun_is_clear(pet):
            return _name(pet)
        return written(f"the {pet.noun}")

    def _thing(self, thing: Referent, first: bool, mode: str) -> list[Draft]:
        noun = _noun(thing)
        if mode == "the" or not first:
            if thing.adjectives and self._dice.chance(0.14):
                return [*written(f"the {thing.adjectives[-1]}"), noun]
            return [*written("the"), noun]
        if thing.measure:
            return [*written(f"{article(thing.measure)} {thing.measure} of"), noun]
        adjectives = " ".join(thing.adjectives)
        if thing.owner:
            return [*self._owner(thing.owner), *written(adjectives), noun]
        start = thing.count if thing.many else article(adjectives or noun.text)
        return [*written(f"{start} {adjectives}"), noun]

    def _owner(self, owner: Referent) -> list[Draft]:
        """Return the possessive of an owner, "her" or "Anna's", which is also a mention of the owner."""
        drafts = self.phrase(owner, "p")
        for draft in drafts:
            draft.owned = True
            if draft.pos in ("PRON", "PROPN", "NOUN"):
                draft.entity = owner.chain
        self._memory.mention(owner)
        return drafts


def written(text: str) -> list[Draft]:
    """Return the words of a text, which must be in the lexicon."""
    return [Draft(*entry) for entry in look_up_all(text)]


def _name(referent: Referent) -> list[Draft]:
    return [Draft(part, part, "PROPN", "singular", name=referent.kind) for part in referent.name.split()]


def _noun(referent: Referent) -> Draft:
    noun, dot, _ = referent.noun.partition(".")
    text = _MISWRITTEN.get(noun, plural(noun)) if referent.many and not referent.pair else noun
    form = "plural" if referent.many else "singular"
    return Draft(text, noun, "NOUN", form, referent.noun if dot else None)


def _pronoun(referent: Referent, case: str) -> Draft:
    form = "plural" if referent.many else "singular"
    return Draft(pronoun(referent.pronoun, case), pronoun(referent.pronoun, "he"), "PRON", form)


def _place(place: Referent, mode: str) -> list[Draft]:
    drafts = _name(place) or [*written("the"), _noun(place)]
    if mode == "at":
        return [*written(PREPOSITIONS.get(place.noun, "in")), *drafts]
    return [*written("to"), *drafts] if mode == "to" else drafts


def _genitive(drafts: list[Draft]) -> list[Draft]:
    last = drafts[-1]
    mark = "'" if last.form == "plural" and last.text.endswith("s") else "'s"
    return [*drafts, Draft(mark, "'s", "PART", glued=True)]
