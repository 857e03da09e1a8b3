"""From events to English sentences, with the truth marked on every word.

The teller chooses a wording for each event, or one sentence for two events of the same person, and fills in
noun phrases and verbs. Left out: which words a referent goes by (``phrases``), word forms (``grammar``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from bertviz_lite.world.english.constructions import (
    HOW,
    JOINS,
    OPENINGS,
    PASSIVES,
    UNPLANNED,
    VARIATIONS,
    alone,
    joined,
)
from bertviz_lite.world.english.grammar import article, compared, verb
from bertviz_lite.world.english.notation import Fact, Frame, Line, Literal, Slot, VerbSlot, read
from bertviz_lite.world.english.phrases import Draft, Memory, Phrases, written
from bertviz_lite.world.english.wordings import FRAMES, WORDINGS
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.scene import Event, Referent
from bertviz_lite.world.events.text import Sentence, Word

W = TypeVar("W", Frame, Frame | Line)

_NO_SPACE_BEFORE = {",", ".", "!", "?", "'s"}
_PARTICIPLES = {"en": "participle", "ing": "ing", "0": "base"}
_MODALS = {"will": "would", "can": "could", "must": "must"}  # present and past


_NO_SUBJECT = {"o", "p", "np", "him", "his", "self", "at", "to", "rel"}
"""Modes of slots that are no subject: objects, possessives, and places with their preposition."""


class Teller:
    """Tells the events of one story in order.

    Parameters
    ----------
    dice
        The story's source of chance.
    present
        Whether the story is told in the present tense; else in the past.
    referents
        All that the story speaks of.

    Examples
    --------
    >>> from bertviz_lite.world.events.scene import Referent
    >>> anna = Referent("person", "girl", "f", "Anna", chain=0)
    >>> rose = Referent("thing", "rose", "n", adjectives=("red",), chain=1)
    >>> teller = Teller(Dice("example"), present=True, referents=[anna, rose])
    >>> print(teller.render("[A.n] <have> [T] , and [A.he] <like> [T.the]", {"A": anna, "T": rose}, {}))
    Anna has a red rose, and she likes the rose.
    """

    def __init__(self, dice: Dice, *, present: bool, referents: Sequence[Referent]) -> None:
        self._dice = dice
        self._present = present
        self._memory = Memory(referents)
        self._phrases = Phrases(dice, self._memory)
        self._told: Counter[Frame | Line] = Counter()

    def tell(self, events: Sequence[Event]) -> tuple[Sentence, ...]:
        """Tell all events; two steps of one person may share a sentence."""
        sentences = []
        at = 0
        while at < len(events):
            pair = events[at : at + 2]
            sentence = self._join(*pair) if _may_join(pair) and self._dice.chance(0.42) else None
            at += 1 if sentence is None else 2
            sentences.append(sentence or self._single(pair[0]))
        return tuple(sentences)

    # Choosing a wording and a construction.

    def _choose(self, wordings: Sequence[W]) -> W:
        """Draw one of the wordings that have been told least often."""
        times = [self._told.get(item, 0) for item in wordings]
        fewest = min(times)
        return self._dice.pick([item for item, told in zip(wordings, times, strict=True) if told == fewest])

    def _join(self, event: Event, following: Event) -> Sentence | None:
        frames = [self._choose(FRAMES[step.kind]) for step in (event, following) if FRAMES[step.kind]]
        if len(frames) < 2:
            return None
        self._told.update(frames)
        name = self._dice.pick(JOINS)
        roles = event.roles | {f"{role}2": referent for role, referent in following.roles.items()}
        facts = event.facts | {f"{fact}2": value for fact, value in following.facts.items()}
        return self.render(joined(name, *frames), roles, facts, name)

    def _single(self, event: Event) -> Sentence:
        wording = self._choose(WORDINGS[event.kind])
        self._told[wording] += 1
        if isinstance(wording, Line):
            return self.render(wording.text, event.roles, event.facts, wording.name)
        name = self._construction(event, wording)
        facts = event.facts | {"how": self._dice.pick(HOW)} if name == "adverb" else event.facts
        return self.render(alone(name, wording), event.roles, facts, name)

    def _construction(self, event: Event, frame: Frame) -> str:
        dice = self._dice
        if frame.object and dice.chance(0.34):
            return dice.pick(PASSIVES) if event.joins else "passive"
        if not event.joins or not dice.chance(0.36):
            return "simple"
        if self._memory.sentence == 0:
            return dice.pick(OPENINGS)
        name = dice.pick(VARIATIONS)
        return "simple" if name in ("decided_to", "wanted_and") and frame.verb in UNPLANNED else name

    # Filling in a text.

    def render(
        self,
        text: str,
        roles: Mapping[str, Referent],
        facts: Mapping[str, str],
        construction: str = "simple",
    ) -> Sentence:
        """Fill the slots of a text and return the finished sentence.

        Raises
        ------
        KeyError
            Where the text asks for a role or a fact that is not given.
        """
        parts, subject = read(text)
        drafts: list[Draft] = []
        heads: dict[str, list[Draft]] = {}
        for part in parts:
            if isinstance(part, Literal):
                drafts.append(_literal(part))
            elif isinstance(part, Slot):
                drafts += self._slot(part, roles[part.role], heads)
            elif isinstance(part, VerbSlot):
                role = part.role or subject
                drafts.append(self._verb(part, role, roles[role] if role else None))
            else:
                drafts += written(_fact(part, roles, facts))
        _punctuate(drafts)
        for index, draft in enumerate(drafts):
            draft.index = index
        finished = tuple(_finished(draft, self._memory.sentence, heads, roles) for draft in drafts)
        self._memory.end_sentence()
        return Sentence(finished, construction)

    def _slot(self, slot: Slot, referent: Referent, heads: dict[str, list[Draft]]) -> list[Draft]:
        """Return the words for a referent, with their marks, and enter the head where it can be a subject."""
        drafts = self._phrases.phrase(referent, slot.mode)
        own = [draft for draft in drafts if draft.pos in ("NOUN", "PROPN", "PRON") and not draft.owned]
        for draft in own:
            draft.entity = referent.chain
        head = own[0]
        if slot.mode not in _NO_SUBJECT:
            heads.setdefault(slot.role, []).append(head)
        if slot.determined and head.pos == "PRON":
            head.determined = "pronoun"
        elif slot.determined and slot.mode == "the" and self._memory.only_one_mentioned(referent):
            head.determined = "mention"
        self._memory.mention(referent)
        return drafts

    def _verb(self, slot: VerbSlot, role: str, subject: Referent | None) -> Draft:
        """Return a verb in the form that the slot, or the story's tense and the subject, ask for."""
        lemma = slot.lemma
        if slot.form in _PARTICIPLES:
            form = _PARTICIPLES[slot.form]
            return Draft(verb(lemma, form), lemma, "AUX" if lemma == "be" else "VERB", form, slot.sense)
        if lemma in _MODALS:
            return Draft(lemma if self._present else _MODALS[lemma], lemma, "AUX")
        many = slot.form == "pl" or (slot.form != "sg" and subject is not None and subject.many)
        auxiliary = lemma in ("be", "do") or (lemma == "have" and slot.determined)
        form = ("base" if many else "s") if self._present else "past"
        draft = Draft(_finite(lemma, form, many), lemma, "AUX" if auxiliary else "VERB", form, slot.sense)
        if not slot.form and (lemma == "be" or self._present):
            draft.subject = role or None
        if slot.determined and lemma not in ("be", "have"):
            draft.determined = "consequence"
        elif slot.determined and draft.subject:
            draft.determined = "agreement"
        return draft


def _may_join(pair: Sequence[Event]) -> bool:
    """Say whether these are two steps in a course of action of the same person."""
    if len(pair) < 2:
        return False
    event, following = pair
    a = event.roles.get("A")
    return event.joins and following.joins and a is not None and a is following.roles.get("A")


def _finite(lemma: str, form: str, many: bool) -> str:
    if lemma == "be":
        return {"base": "are", "s": "is", "past": "were" if many else "was"}[form]
    return verb(lemma, form)


def _literal(part: Literal) -> Draft:
    draft = Draft(*part.entry)
    draft.glued = draft.text in _NO_SPACE_BEFORE
    if part.determined:
        draft.determined = "consequence"
    return draft


def _fact(fact: Fact, roles: Mapping[str, Referent], facts: Mapping[str, str]) -> str:
    if fact.form == "noun":
        return roles[fact.name].noun
    if fact.form == "thing":
        return "things" if roles[fact.name].many else "thing"
    return compared(facts[fact.name], fact.form) if fact.form else facts[fact.name]


def _punctuate(drafts: list[Draft]) -> None:
    """Add the full stop, and see to capitals, *an* before vowels, and spaces at quotation marks."""
    if drafts[-1].text not in ".!?" and not (drafts[-1].text == '"' and drafts[-2].text in ".!?"):
        drafts.append(Draft(".", ".", "PUNCT", glued=True))
    _capitalise(drafts[1] if drafts[0].text == '"' else drafts[0])
    quoting = False
    for before, after in pairwise(drafts):
        if before.text == '"':
            quoting = not quoting
            after.glued = after.glued or quoting
        elif before.text == "?" and after.text != '"':
            _capitalise(after)
        elif before.pos == "DET" and before.lemma == "a":
            before.text = before.text[0] + article(after.text)[1:]
        if after.text == '"':
            after.glued = quoting


def _capitalise(draft: Draft) -> None:
    draft.text = draft.text[0].upper() + draft.text[1:]


def _subject(
    role: str, verb: int, heads: Mapping[str, list[Draft]], roles: Mapping[str, Referent]
) -> Draft | None:
    """Return the head of a verb's subject: its role's nearest mention before the verb, else the first after.

    Of people who stand one by one, "Anna and Tom", it is the first.
    """
    mentions = heads.get(role)
    if mentions is None:
        members = [heads[other] for other in heads if roles[other] in roles[role].members]
        mentions = [min((drafts[0] for drafts in members), key=lambda draft: draft.index)] if members else []
    before = [draft for draft in mentions if draft.index < verb]
    return before[-1] if before else next(iter(mentions), None)


def _finished(
    draft: Draft, sentence: int, heads: Mapping[str, list[Draft]], roles: Mapping[str, Referent]
) -> Word:
    head = None if draft.subject is None else _subject(draft.subject, draft.index, heads, roles)
    return Word(
        draft.text,
        draft.lemma,
        draft.pos,
        draft.index,
        sentence,
        draft.entity,
        draft.sense,
        head.index if head else None,
        draft.name,
        draft.form,
        draft.determined,
        draft.glued,
    )
