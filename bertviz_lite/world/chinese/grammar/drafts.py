"""Words before the story is laid out: what the grammar has decided about each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bertviz_lite.world.chinese.grammar.text import Dropped, Sentence, Word
from bertviz_lite.world.chinese.lexicon import Entry, entry, readings_of


@dataclass(slots=True)
class Draft:
    """A word of a sentence that is being told."""

    text: str
    pos: str
    key: str = ""
    entity: int | None = None
    sense: str | None = None
    aspect: str | None = None
    noun: str | None = None
    number: int | None = None
    determined: str | None = None
    name: str | None = None


def draft_of(word: Entry, entity: int | None = None) -> Draft:
    """Return the draft of a word of the lexicon."""
    named = word.classes & {"child", "surname"} or (word.pos == "PROPN" and "person" in word.classes)
    name = "person" if named else "pet" if "pet" in word.classes else None
    return Draft(word.text, word.pos, word.key, entity, word.sense, name=name)


def laid_out(drafts: Sequence[Draft], dropped: Sequence[Dropped], sentence: int, start: int) -> Sentence:
    """Return a sentence whose first character stands at ``start`` of the story."""
    words = []
    for index, draft in enumerate(drafts):
        if draft.pos == "CLF" and not draft.noun:
            draft.noun = _noun(drafts, index)
        head = _head(drafts, index) if draft.noun else None
        words.append(
            Word(
                draft.text,
                draft.pos,
                start,
                start + len(draft.text),
                sentence,
                index,
                entity=draft.entity,
                sense=draft.sense,
                reading=readings_of(draft.key or draft.text),
                aspect=draft.aspect or _aspect(drafts, index),
                noun=draft.noun,
                head=head,
                number=draft.number,
                determined=draft.determined,
                name=draft.name,
            )
        )
        start += len(draft.text)
    return Sentence(tuple(words), tuple(dropped))


def _noun(drafts: Sequence[Draft], index: int) -> str | None:
    """Return the noun behind a classifier that a table writes out, if they go together."""
    for later in range(index + 1, min(index + 6, len(drafts))):
        if drafts[later].pos == "PUNCT":
            break
        if drafts[later].pos == "NOUN" and drafts[index].text in entry(drafts[later].key).classifiers:
            return drafts[later].key
    return None


def _head(drafts: Sequence[Draft], index: int) -> int | None:
    """Return where the noun of a classifier stands: the nearest one behind it."""
    noun = drafts[index].noun
    for later in range(index + 1, len(drafts)):
        if drafts[later].pos == "PUNCT":
            break
        if drafts[later].key == noun:
            return later
    return None


def _aspect(drafts: Sequence[Draft], index: int) -> str | None:
    """Return what 了, 着 or 过 says here: 了 behind a verb that the clause goes on from is the perfective."""
    word = drafts[index]
    if word.pos != "PART":
        return None
    if word.text == "着":
        return "durative"
    if word.text == "过":
        return "experiential"
    if word.text != "了":
        return None
    after_verb = index > 0 and drafts[index - 1].pos == "VERB"
    ends = index + 1 == len(drafts) or drafts[index + 1].pos in ("PUNCT", "PART")
    return "perfective" if after_verb and not ends else "change"
