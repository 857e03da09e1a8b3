"""Who is spoken of now, and so whether a name, a pronoun or nothing at all stands for them.

Chinese leaves a subject out where the clause before it has the same one. A new sentence takes the pronoun up
while nobody else could be meant, and the name otherwise. Grown-ups and animals are mostly called by their
noun again (妈妈说, not 她说).
"""

from __future__ import annotations

from collections import Counter

from bertviz_lite.world.chinese.grammar.beings import Cast

NAME, PRONOUN, NOTHING, SELF = "name", "pronoun", "nothing", "self"
_MOST_PRONOUNS = 2  # sentences in a row whose subject is a pronoun for the same
_NOUN_AGAIN = 0.7  # the share of pronouns that a noun such as 妈妈 or 老师 takes the place of
_OTHER_NOUN_AGAIN = 0.35  # that a noun such as 农夫 does
_BACK = 0.5  # the share of sentences that come back with a pronoun to somebody, after one about nobody


class Discourse:
    """What has been spoken of, in this sentence, the one before it, and ever."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.ever: set[int] = set()
        self.alone: set[int] = set()
        self.before: set[int] = set()
        self.here: set[int] = set()
        self.named: set[int] = set()
        self.pronoun_subject: int | None = None
        self.topic: int | None = None
        self.in_chain = False
        self.runs: Counter[int] = Counter()
        self.speaker: int | None = None
        self.addressee: int | None = None
        self.quoted = False

    def mention(self, number: int) -> None:
        """Note that somebody has been spoken of."""
        self.alone.add(number)
        for each in (number, *self.cast[number].members):
            self.ever.add(each)
            self.here.add(each)

    def next_sentence(self) -> None:
        """Begin a new sentence."""
        if self.here:
            self.before, self.alone = self.here, self.alone & self.here
        self.here, self.named, self.pronoun_subject, self.in_chain = set(), set(), None, False

    def set_topic(self, number: int | None, *, left_out: bool = False) -> None:
        """Note the subject of a clause; one that is left out at first can still be named in the next."""
        self.in_chain = self.in_chain or not left_out
        self.topic = number

    def rival(self, number: int, but: frozenset[int] = frozenset()) -> bool:
        """Return whether the pronoun could mean somebody else, who is none of ``but``."""
        actor = self.cast[number]
        kinds = ("person", "animal") if actor.kind != "thing" else ("animal", "thing")
        own = {number, *actor.members, *but}
        return any(
            other not in own
            and (self.cast[other].pronoun == actor.pronoun or self._may_be_either(other, number))
            and (self.cast[other].kind in (*kinds, "group") or other in self.here)
            for other in self.before | self.here
        )

    def _may_be_either(self, other: int, number: int) -> bool:
        """Return whether a reader cannot know that 他 is not said of somebody else: of 李老师."""
        return self.cast[number].kind == "person" and not self.cast[other].shows_gender

    def as_subject(self, number: int, clause: frozenset[int] = frozenset()) -> str:
        """Return how a subject is expressed; its pronoun means nobody else whom the ``clause`` names."""
        actor = self.cast[number]
        if number == self.topic and self.in_chain:
            return NOTHING
        if not self._known(number) or actor.kind == "thing" or self.in_chain:
            return NAME
        if number == self.topic:
            tired = self.runs[number] >= _MOST_PRONOUNS or self._by_noun(number)
            way = NAME if tired or self.rival(number, clause) else PRONOUN
        elif self._may_shift(number):
            share = _BACK if self.topic is None else 0.15
            way = PRONOUN if self.cast.dice.chance(share) or actor.kind == "group" else NAME
        else:
            way = NAME
        self.runs[number] = self.runs[number] + 1 if way == PRONOUN else 0
        return way

    def as_object(self, number: int, *, subject: int | None, owns: bool) -> str:
        """Return how an object is expressed, or an owner (``owns``)."""
        actor = self.cast[number]
        if number == subject:
            return PRONOUN if owns else SELF
        but = frozenset[int]()
        if subject is not None and subject in self.named:
            by = self.cast[subject]
            but = frozenset({subject}) if by.kind == "person" and (by.noun_again or not owns) else but
        if not self._known(number) or not self._near(number) or self.rival(number, but):
            return NAME
        if self._by_noun(number) or self._stiff(number, subject, owns=owns):
            return NAME
        if actor.kind == "thing":
            return NAME if owns or number == self.topic or not self.cast.dice.chance(0.4) else PRONOUN
        return PRONOUN if number == self.topic or number in self.here or self.cast.dice.chance(0.6) else NAME

    def _may_shift(self, number: int) -> bool:
        """Return whether a pronoun may make somebody the subject who was spoken of just before."""
        if not self._near(number) or self.rival(number):
            return False
        if self.cast[number].members:
            return True
        if self.cast[number].noun_again or number not in self.alone:
            return False
        if self.topic is None:
            return self.runs[number] < _MOST_PRONOUNS
        topic = self.cast[self.topic]
        return topic.kind != "thing" and number not in topic.members

    def _by_noun(self, number: int) -> bool:
        """Return whether a noun stands again where a pronoun could."""
        actor = self.cast[number]
        share = _NOUN_AGAIN if actor.owner is not None or len(actor.keys) > 1 else _OTHER_NOUN_AGAIN
        return actor.kind == "person" and actor.noun_again and self.cast.dice.chance(share)

    def _stiff(self, number: int, subject: int | None, *, owns: bool) -> bool:
        """Return whether a pronoun would sound stiff: 她问他, 她把它抱起来, 还给了她 of a teacher."""
        actor = self.cast[number]
        if subject is not None and subject == self.pronoun_subject:
            return actor.noun_again or (actor.kind == "person" and not owns)
        return actor.kind == "person" and actor.noun_again and number not in self.here

    def _known(self, number: int) -> bool:
        return all(each in self.ever for each in self.cast[number].members or (number,))

    def _near(self, number: int) -> bool:
        spoken_of, members = self.before | self.here, self.cast[number].members
        if members and not self._others(members):  # the only ones there are: one of them is enough
            return bool(spoken_of & {*members, number})
        return all(each in spoken_of for each in members or (number,))

    def _others(self, members: tuple[int, ...]) -> set[int]:
        """Return the people and animals that have been spoken of, but for some and the groups of them."""
        return {
            other
            for other in self.ever
            if other not in members
            and self.cast[other].kind != "thing"
            and not {*self.cast[other].members} & {*members}
        }
