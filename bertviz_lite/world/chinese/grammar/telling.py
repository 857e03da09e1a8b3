"""Sentence by sentence: lines of the tables become words with marks.

>>> from bertviz_lite.world.events.dice import Dice
>>> teller = Teller(Dice("a"))
>>> teller.tell("A:child.m 有 一 # 小狗=D 。 A 很 喜欢 D 。 ")
>>> "".join(map(str, teller.sentences))[2:]
'有一条小狗。他很喜欢小狗。'
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bertviz_lite.world.chinese.grammar.beings import Cast
from bertviz_lite.world.chinese.grammar.clauses import Subject, find_subject, settled
from bertviz_lite.world.chinese.grammar.discourse import NAME, NOTHING, PRONOUN, SELF, Discourse
from bertviz_lite.world.chinese.grammar.drafts import Draft, draft_of, laid_out
from bertviz_lite.world.chinese.grammar.notation import (
    Choice,
    Classifier,
    Item,
    Mark,
    Modifier,
    Number,
    Plain,
    Slot,
    Voice,
    macros,
    read_line,
)
from bertviz_lite.world.chinese.grammar.numbers import written
from bertviz_lite.world.chinese.grammar.text import Dropped, Sentence, Word
from bertviz_lite.world.chinese.grammar.voice import ordered
from bertviz_lite.world.chinese.lexicon import entries, entry
from bertviz_lite.world.events.dice import Dice

_ENDS = "。！？"
_FORCED = {"^": NAME, "-": NOTHING}
_NUMERALS = {"一": 1, "两": 2, "二": 2, **{written(number): number for number in range(3, 100)}}


class Teller:
    """One story while it is told: its dice, its cast, its sentences so far."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.cast = Cast(dice)
        self.discourse = Discourse(self.cast)
        self.sentences: list[Sentence] = []
        self.numbers: dict[str, int] = {}
        self._counted_by: dict[str, str] = {}
        self._drafts: list[Draft] = []
        self._dropped: list[Dropped] = []
        self._last: str = ""
        self._after_sound = False
        self._clause_speaks_of: frozenset[int] = frozenset()

    def tell(self, line: str) -> None:
        """Tell a line of the tables.

        Raises
        ------
        ValueError
            Where it cannot be read, or speaks of somebody who was never introduced.
        """
        clause: list[Item] = []
        for item in self._chosen(read_line(line)):
            if isinstance(item, Mark):
                self._clause(tuple(clause))
                clause = []
                self._mark(item.text)
            else:
                clause.append(item)
        if clause or self._drafts:
            raise ValueError(f"{line!r}: a sentence does not end")

    def _chosen(self, items: tuple[Item, ...]) -> Iterator[Item]:
        for item in items:
            if isinstance(item, Choice):
                yield from self._chosen(self.dice.pick(item.ways))
            elif isinstance(item, Voice):
                yield Voice(*(tuple(self._chosen(part)) for part in item))
            else:
                yield item

    # --- punctuation, speech, the ends of sentences ---

    def _mark(self, text: str) -> None:
        self._drafts.append(Draft(text, "PUNCT"))
        if text == "“":
            self._open()
        elif text == "”":
            self._close()
            if self._last in _ENDS:
                self._end()
        elif text in _ENDS and not self.discourse.quoted:
            self._end()
        elif text in _ENDS:
            self.discourse.in_chain = False
        self._after_sound = text == "”" and self._last == "“"
        self._last = text

    def _open(self) -> None:
        discourse = self.discourse
        discourse.quoted, discourse.in_chain = True, False
        if self._drafts[:-1]:  # a header: who says it, to whom
            spoken = discourse.topic
            alone = {"想", "写道", "写"} & {draft.text for draft in self._drafts[-4:]}
            heard = None if alone else self._heard(spoken)
            discourse.speaker, discourse.addressee = spoken, heard
        else:  # none: the other one answers
            discourse.speaker, discourse.addressee = discourse.addressee, discourse.speaker
        discourse.topic = None

    def _heard(self, speaker: int | None) -> int | None:
        """Return who is spoken to: behind 对, 问 or 告诉, or else who was named last beside the speaker."""
        drafts = self._drafts
        for before, draft in pairwise(drafts):
            if before.text in ("对", "问", "告诉") and draft.entity not in (None, speaker):
                return draft.entity
        others = [draft.entity for draft in drafts if draft.entity not in (None, speaker)]
        discourse = self.discourse
        hearing: tuple[str, ...] = ("person", "animal", "group")
        if speaker is not None and self.cast[speaker].kind == "person":
            hearing = ("person", "group")
        if animate := [each for each in others if self.cast[each].kind in hearing]:
            return animate[-1]
        for group in (discourse.here | discourse.before, range(len(self.cast.actors))):
            for kinds in (hearing[:-1], ("person",), ("person", "animal")):
                near = [each for each in group if each != speaker and self.cast[each].kind in kinds]
                if len(near) == 1:
                    return near[0]
        return discourse.addressee if speaker == discourse.speaker else discourse.speaker

    def _close(self) -> None:
        self.discourse.quoted = False
        self.discourse.topic = self.discourse.speaker

    def _end(self) -> None:
        start = self.sentences[-1].words[-1].end if self.sentences else 0
        self.sentences.append(laid_out(self._drafts, self._dropped, len(self.sentences), start))
        self._drafts, self._dropped = [], []
        self.discourse.next_sentence()

    # --- a clause ---

    def _clause(self, items: tuple[Item, ...]) -> None:
        if not items:
            return
        items = self._joined(settled(items))
        items = ordered(items, find_subject(items).place, self.discourse)
        items = tuple(self._with_modifiers(items))
        subject = find_subject(items)
        who = self._introduced(items[subject.place]) if subject.place is not None else None
        named = [self.cast.number_of(item) for item in items if isinstance(item, Slot)]
        members = [each for number in named for each in self.cast[number].members]
        self._clause_speaks_of = frozenset([*named, *members])
        if subject.left_out and (self._last == "、" or self._after_sound):  # 红色、黄色; 水“哗哗”地流
            subject = Subject(fragment=True)
        if subject.left_out:
            who = self.discourse.topic
            if who is not None:
                self._dropped.append(Dropped(len(self._drafts), who))
        for place in range(len(items)):
            self._item(items, place, subject, who)
        if not subject.fragment:
            self.discourse.set_topic(who, left_out=subject.left_out)

    def _joined(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """Make one subject of 小明和小红, so that 他们 can be said of them."""
        place = find_subject(items).place
        if place is None or len(items) < place + 3 or items[place + 1] != Plain("和"):
            return items
        first, second = items[place], items[place + 2]
        if not isinstance(first, Slot) or not isinstance(second, Slot):
            return items
        for slot in (first, second):
            self.cast.number_of(slot)
        both = Slot((*first.letters, *second.letters), way=first.way)
        return (*items[:place], both, *items[place + 3 :])

    def _introduced(self, item: Item) -> int | None:
        if isinstance(item, Slot):
            return self.cast.number_of(item)
        if isinstance(item, Plain) and item.label:
            return self.cast.named(item.label, item.key)
        return None

    def _with_modifiers(self, items: tuple[Item, ...]) -> Iterator[Item]:
        for place, item in enumerate(items):
            if isinstance(item, Modifier):
                noun = self._counted(items, place)
                rows = [
                    macros()[f"%{name}"] for name in sorted(entry(noun).classes) if f"%{name}" in macros()
                ]
                if rows:
                    yield from self._chosen(read_line(rows[0]))
            else:
                yield item

    def _counted(self, items: tuple[Item, ...], place: int) -> str:
        """Return the key of the noun behind a classifier."""
        for later in range(place + 1, len(items)):
            item = items[later]
            of = items[later + 1] if later + 1 < len(items) else None
            if isinstance(of, Plain) and (of.key == "的" or entry(of.key).pos == "NOUN"):
                continue
            if isinstance(item, Slot):
                return self.cast[self.cast.number_of(item)].noun
            if isinstance(item, Plain) and entry(item.key).pos == "NOUN":
                return item.key
        raise ValueError(f"no noun behind a classifier: {items}")

    def _item(self, items: tuple[Item, ...], place: int, subject: Subject, who: int | None) -> None:
        item = items[place]
        if isinstance(item, Slot):
            following = items[place + 1] if place + 1 < len(items) else None
            owns = isinstance(following, Plain) and following.key == "的"
            if place and items[place - 1] == Plain("比") and not self.discourse.quoted:  # 小红跑得比小丽快
                item = item._replace(way=item.way or "^")
            self._slot(item, who, at_subject=place == subject.place, owns=owns)
        elif isinstance(item, Classifier):
            noun = self.cast[self.cast.labels[item.label]].noun if item.label else self._counted(items, place)
            self._drafts.append(self._classifier(noun))
        elif isinstance(item, Number):
            following = items[place + 1] if place + 1 < len(items) else None
            self._number(item, following)
        elif isinstance(item, Plain):
            self._plain(item)

    def _classifier(self, noun: str) -> Draft:
        choices = entry(noun).classifiers
        if not choices:
            raise ValueError(f"{noun} has no classifier")
        if noun not in self._counted_by:  # 四个风筝 stay 个 to the end of a text
            self._counted_by[noun] = self.dice.pick(choices[:2]) if self.dice.chance(0.3) else choices[0]
        text = self._counted_by[noun]
        draft = draft_of(entry(f"{text}.clf" if f"{text}.clf" in entries() else text))
        draft.noun = noun
        return draft

    def _number(self, item: Number, following: Item | None) -> None:
        if item.bounds and item.name not in self.numbers:
            low, high = item.bounds
            self.numbers[item.name] = low + self.dice.below(high - low + 1)
        value = self.numbers[item.name]
        if item.sign:
            value += item.sign * (int(item.other) if item.other.isdigit() else self.numbers[item.other])
        counts = isinstance(following, Classifier) or (
            isinstance(following, Plain) and entry(following.key).pos == "CLF"
        )
        determined = "count" if item.sign else None
        self._drafts.append(Draft(written(value, counts=counts), "NUM", number=value, determined=determined))

    def _plain(self, item: Plain) -> None:
        word, discourse = entry(item.key), self.discourse
        draft = draft_of(word)
        draft.number = _NUMERALS.get(word.text) if word.pos == "NUM" else None
        draft.determined = "consequence" if item.determined else None
        if item.label:
            draft.entity = self.cast.named(item.label, item.key)
        elif discourse.quoted and item.key in ("我", "你", "您"):
            draft.entity = discourse.speaker if item.key == "我" else discourse.addressee
            if draft.entity is None:
                raise ValueError(f"{item.key}: nobody is known who could be meant")
        self._drafts.append(draft)
        if draft.entity is not None:
            discourse.mention(draft.entity)

    # --- somebody or something by letter ---

    def _slot(self, slot: Slot, subject: int | None, *, at_subject: bool, owns: bool) -> None:
        number, discourse = self.cast.number_of(slot), self.discourse
        if slot.way in _FORCED or slot.determined:
            way = _FORCED.get(slot.way, NAME)
        elif spoken := self._in_speech(number):
            if at_subject and number == discourse.topic and discourse.in_chain:
                self._dropped.append(Dropped(len(self._drafts), number))
            else:
                self._drafts.append(Draft(spoken, "PRON", spoken, number))
                discourse.mention(number)
            return
        elif slot.way == "~":
            way = PRONOUN
        elif at_subject:
            way = discourse.as_subject(number, self._clause_speaks_of)
        else:
            way = discourse.as_object(number, subject=subject, owns=owns)
            if way == PRONOUN and self.cast[number].kind == "thing" and not self._is_last_thing(number):
                way = NAME
        if way == NOTHING:
            self._dropped.append(Dropped(len(self._drafts), number))
        elif way == SELF:
            self._drafts.append(Draft("自己", "PRON", "自己", number))
        elif way == PRONOUN:
            pronoun = self.cast[number].pronoun
            if at_subject:
                discourse.pronoun_subject = number
            self._drafts.append(Draft(pronoun, "PRON", pronoun, number))
        else:
            self._name(number, owns=owns)
            if slot.determined:
                self._mark_name(number)
            discourse.named.add(number)
        discourse.mention(number)

    def _is_last_thing(self, number: int) -> bool:
        """Return whether 把它 or 着它 could mean no other thing, named or not, that was spoken of since."""
        last = self._drafts[-1] if self._drafts else None
        if last is None or last.text not in ("把", "着") or last.pos == "CLF":
            return False
        before = self.sentences[-1].words if self.sentences else ()
        words: list[Draft | Word] = [*reversed(self._drafts), *reversed(before)]
        for word in words:
            animate = word.entity is not None and self.cast[word.entity].kind != "thing"
            if word.pos == "NOUN" and not animate:
                return word.entity == number
            if word.entity == number:
                return True
        return False

    def _in_speech(self, number: int) -> str | None:
        """Return 我, 你, 我们 or 你们 for those who speak and are spoken to."""
        if not self.discourse.quoted:
            return None
        speaker, addressee = self.discourse.speaker, self.discourse.addressee
        members = self.cast[number].members
        if number == speaker:
            return "我"
        if number == addressee:
            return "你"
        if speaker in members:
            return "我们"
        return "你们" if addressee in members else None

    def _mark_name(self, number: int) -> None:
        """Mark the name that stands last as the only one that fits."""
        for draft in self._drafts[-len(self.cast[number].keys) :]:
            draft.determined = "mention"

    def _name(self, number: int, *, owns: bool = False) -> None:
        actor = self.cast[number]
        if actor.members:
            for place, member in enumerate(actor.members):
                if place:
                    last = place + 1 == len(actor.members)
                    self._drafts.append(draft_of(entry("和")) if last else Draft("、", "PUNCT"))
                self._name(member)
                self.discourse.mention(member)
            return
        if actor.owner is not None:
            self._owner(number, actor.owner, owns=owns)
        self._drafts.extend(actor.drafts())

    def _owner(self, number: int, owner: int, *, owns: bool) -> None:
        """Say whose mother it is, where that is not clear."""
        discourse = self.discourse
        if discourse.quoted:
            family = [
                self.cast[each].owner if each is not None else None
                for each in (discourse.speaker, discourse.addressee)
            ]
            if discourse.speaker == owner and family[1] != owner and discourse.addressee is not None:
                self._drafts.append(Draft("我", "PRON", "我", owner))
            elif discourse.addressee == owner and family[0] != owner:
                self._drafts.append(Draft("你", "PRON", "你", owner))
            return
        if number in discourse.ever:
            return
        if owner in self._clause_speaks_of and owner not in discourse.here:  # 妈妈送给小红 …
            return
        if owner not in discourse.ever or (len(self.cast.children()) > 1 and owner not in discourse.here):
            discourse.mention(owner)
            self._drafts.extend(self.cast[owner].drafts())
            if not owns:  # 小明的妈妈, but 小明妈妈的生日
                self._drafts.append(draft_of(entry("的")))
