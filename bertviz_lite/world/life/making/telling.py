"""A text in the making: its people and things, its tense, its sentences so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.tables import entries, words
from bertviz_lite.world.events.text import Sentence
from bertviz_lite.world.grammar.clauses import Clauses, Manner, replace_verb
from bertviz_lite.world.grammar.lexicon.words import MANY, readings
from bertviz_lite.world.grammar.notation import Clause, Noun, Self, Slot, Text, parts_of
from bertviz_lite.world.grammar.reading.coreference import stands_for_one
from bertviz_lite.world.grammar.referents import Memory, Referent
from bertviz_lite.world.grammar.tokens import Token, finish, literal, mark, written
from bertviz_lite.world.life.making.cast import Cast, narrator

_PAST_TIMES = entries(
    """yesterday, last night, last week, on Monday, on Tuesday, on Wednesday, on Thursday, on Friday,
    on Saturday, on Sunday, last summer, last winter, one day, one morning, one evening, that
    morning, that afternoon, that evening, two days ago, last Sunday, in the morning, in the
    evening, in the afternoon, last Friday, yesterday morning, a week ago, one night, in winter, in
    summer, last spring, last Monday, early in the morning, three weeks ago, on the first day of
    spring, late at night, last year, this morning, an hour ago"""
)
_HABITS = entries(
    """every day, every morning, every evening, on Sundays, on Mondays, every week, every summer, in
    winter, at night, in the morning, in the evening, every night, on Fridays, every Saturday, every
    afternoon, in summer, all year"""
)
_FUTURES = entries(
    """tomorrow, next week, tonight, next Sunday, tomorrow morning, next summer, soon, this evening,
    next Monday, on Saturday, next year, in two days, later, this afternoon"""
)
_NOWS = entries("now, today, this morning, just now, at the moment")
_ONE = ("a", "an", "one", "another", "every", "each", "this", "that")
STATES = frozenset(
    words("be have know like love want need believe hope belong cost fit seem live own hate remember")
)
# Verbs of which the object may become the subject.
PASSIVES = frozenset(
    words(
        """mend break find lose take give make build bake cook eat drink wash clean paint draw write bring
    hide throw catch drop buy sell pull push pick dig water feed milk close open shut lock cut tie
    send chase bite help follow choose use borrow forget fill light burn steal wrap carry plant post
    hit invite sweep cover sew knit teach"""
    )
)


class Telling:
    """Tells clauses of one text.

    Parameters
    ----------
    dice
        The text's source of chance.

    Attributes
    ----------
    tense
        Of the text.
    sentences
        So far.
    bindings
        Who and what the letters of the text's clauses are.
    """

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.memory = Memory()
        self.clauses = Clauses(dice, self.memory)
        self.phrases = self.clauses.phrases
        self.cast = Cast(dice, self.memory)
        self.tense = "past" if dice.chance(0.66) else "present"
        self.sentences: list[Sentence] = []
        self.bindings: dict[str, Referent] = {}
        self.narrator: Referent | None = None
        self.listener: Referent | None = None
        self.one_only: set[str] = set()

    # Slots.

    def bind(self, clauses: Iterable[Clause], *, keep: bool = False) -> None:
        """Draw a referent for every slot and label of these clauses that has none."""
        clauses = tuple(clauses)
        if not keep:
            self.bindings = {}
            self.clauses.as_written = stands_for_one(clauses)
        for clause in clauses:
            for part in parts_of(clause):
                if isinstance(part, Slot):
                    self._bind_slot(part)
                elif isinstance(part, Noun):
                    if part.owner and part.owner not in self.bindings:
                        self.cast.one_by_one = False  # no "Anna and Tom's hands"
                        self._bind_slot(Slot(part.owner))
                        self.cast.one_by_one = True
                    if part.label and part.label not in self.bindings:
                        owner = self.bindings.get(part.owner)
                        self.bindings[part.label] = self.cast.labelled(part.words, part.determiner, owner)
                elif isinstance(part, Self) and part.letter not in self.bindings:
                    self._bind_slot(Slot(part.letter))

    def _bind_slot(self, slot: Slot) -> None:
        if slot.owner and slot.owner not in self.bindings:
            self._bind_slot(Slot(slot.owner))
        if slot.letter in self.bindings:
            return
        person = slot.type in ("", "person", "child", "boy", "girl", "person.sg", "child.sg")
        dice = self.dice
        if person and slot.letter in "AB" and dice.chance(0.13) and self.narrator is None and not slot.owner:
            self.narrator = narrator(dice, self.memory)
            self.phrases.speaker = self.narrator
            one = self.narrator
            if not slot.type.endswith("sg") and slot.letter not in self.one_only and dice.chance(0.45):
                one = self.cast.group(self.cast.someone("child", "sg"), self.narrator)
                if dice.chance(0.6) or not self.cast.one_by_one:
                    one = self.memory.enter(Referent("group", "people", many=True, members=(self.narrator,)))
        else:
            kind = _singular(slot.type) if slot.type else "person"
            if not kind.endswith((".sg", ".pl")) and slot.determiner:
                kind += ".pl" if slot.determiner in MANY else ".sg" if slot.determiner in _ONE else ""
            if slot.letter in self.one_only and not kind.endswith((".sg", ".pl")):
                kind += ".sg"
            one = self._drawn(kind)
        if slot.adjectives:
            one.adjectives = slot.adjectives
        if slot.owner:
            one.owner = self.bindings[slot.owner]
            one.details = []
        if slot.determiner and not (one.mass and slot.determiner in _ONE):
            one.determiner = slot.determiner
            if slot.determiner in ("the", "this", "these", "that", "those", "another", "no", "every", "each"):
                one.measure = ""
        self.bindings[slot.letter] = one

    def _drawn(self, kind: str) -> Referent:
        """Return somebody or something; mostly nobody who would share a pronoun with who is there already."""
        one = self.cast.draw(kind)
        others = {other.pronoun for other in self.bindings.values() if other.kind == "person"}
        if one.kind == "person" and one.pronoun in others - {"p"} and self.dice.chance(0.7):
            self.cast.dismiss(one)
            one = self.cast.draw(kind)
        return one

    # Sentences.

    def say(self, tokens: Sequence[Token], construction: str = "simple") -> None:
        """Finish a sentence and go on to the next."""
        self.sentences.append(finish(tokens, len(self.sentences), construction))
        self.memory.end_sentence()
        self.phrases.subject = None
        if len(self.clauses.tenses) == 1:
            self.clauses.tense_is_known = next(iter(self.clauses.tenses))

    def tell(self, clause: Clause, tense: str = "", **options: Any) -> list[Token]:  # noqa: ANN401 - fields of Manner
        """Return the words of a clause in a tense, else the text's."""
        manner = Manner(tense or self.tense, contracted=self.dice.chance(0.55))
        return self.clauses.tell(clause, self.bindings, replace(manner, **options))

    def join(self, clauses: Sequence[Clause], tense: str = "", *, inside: bool = False) -> list[Token]:
        """Return clauses told together: *and*, *and then*, commas, one subject for two verbs.

        ``inside`` a subordinate clause no comma comes before *and*, so that both belong to it, and one
        subject is never told twice: *when the bus stopped and it rained*, *why the dog jumped up and barked*.
        """
        dice = self.dice
        words_so_far = self.tell(clauses[0], tense)
        for place, clause in enumerate(clauses[1:], 1):
            same = clause.subject == clauses[place - 1].subject and len(clause.subject) == 1
            last = place == len(clauses) - 1
            if same and clause.verb.modal != "will" and (inside or dice.chance(0.75)):
                plain = self.without_subject(clause, tense)
                if last:
                    words_so_far += [literal("and", "CCONJ"), *plain]
                else:
                    words_so_far += [mark(","), *plain]
            else:
                comma = [] if inside else [mark(",")]
                words_so_far += [*comma, literal("and", "CCONJ"), *self.tell(clause, tense)]
        return words_so_far

    def without_subject(self, clause: Clause, tense: str = "") -> list[Token]:
        """Return a clause without the words of its subject, but agreeing with it."""
        return self.tell(clause, tense, subject=False, contracted=False)

    # Times.

    def times(self, kind: str) -> list[Token]:
        """Return a time phrase of a kind: past, habit, future or now."""
        table = {"past": _PAST_TIMES, "habit": _HABITS, "future": _FUTURES, "now": _NOWS}[kind]
        return written(self.dice.pick(table), "ADP", "DET", "ADV", "NUM")


def _singular(kind: str) -> str:
    """Return a type with its noun in the singular, "twin.pl" for "twins"."""
    if any(letter in kind for letter in "./") or kind in ("glasses", "clothes", "scissors", "stairs"):
        return kind
    entries = readings().get(kind, ())
    plural = next((entry for entry in entries if entry.pos == "NOUN" and entry.form == "plural"), None)
    return f"{plural.lemma}.pl" if plural is not None and plural.lemma != kind else kind


def has_time(clause: Clause) -> bool:
    """Say whether a clause has a time phrase of its own."""
    return any(
        (isinstance(part, Text) and (part.word in _TIME_WORDS or part.word in _TIME_NOUNS))
        or (isinstance(part, Noun) and part.words[-1].rstrip("s") in _TIME_NOUNS)
        for phrase in clause.phrases
        for part in phrase
    )


_TIME_WORDS = frozenset(
    words(
        """yesterday tomorrow today tonight now soon already yet still again ago before after since until
    while when always never early late later once twice every first last then"""
    )
)
_TIME_NOUNS = frozenset(
    words(
        """day night morning evening afternoon week month year hour minute time summer winter spring autumn
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday moment yesterday tomorrow tonight"""
    )
)


def with_modal(clause: Clause, modal: str) -> Clause:
    """Return a clause with a modal, unless it has one or a perfect."""
    if clause.verb.modal or clause.verb.perfect:
        return clause
    return Clause(clause.subject, replace_verb(clause.verb, modal=modal), clause.phrases)


def is_event(clause: Clause) -> bool:
    """Say whether a clause tells what happens, not what is."""
    verb = clause.verb
    return verb.lemma not in STATES and not (verb.modal or verb.perfect or verb.progressive or verb.negated)
