"""Two labelled sets of the Chinese town: names in a text, and whether somebody is glad of what happened."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from typing import TYPE_CHECKING, Any
from zlib import crc32

from bertviz_lite.world.tasks.sets import HELD_OUT_SEED, Labelled, Tagged
from bertviz_lite.world.towns import CHINESE, story_of

if TYPE_CHECKING:
    from bertviz_lite.world.chinese import Story

GLAD = frozenset(["高兴", "开心", "快乐", "得意", "放心"])
NOT_GLAD = frozenset(["着急", "难过", "生气", "后悔", "紧张", "担心", "害怕", "伤心", "失望"])
LABELS = ("glad", "not glad")
MOST_CHARACTERS = 100


def _texts(seed: int) -> Iterator[Story]:
    story: Any = story_of(CHINESE)
    return (story(seed, index) for index in count())


def chinese_names(seed: int, n: int) -> list[Tagged]:
    """Return texts by character, with the names of people: B-person on the first, I-person on the others."""
    return list(islice(map(tagged, filter(_is_short, _texts(seed))), n))


def tagged(text: Story) -> Tagged:
    """Return the characters of a text, each with its tag."""
    tags: list[str] = []
    for word in text.words:
        is_name = word.name == "person"
        tags += [
            "B-person" if is_name and place == 0 else "I-person" if is_name else "O"
            for place in range(len(word.text))
        ]
    return Tagged(tuple("".join(word.text for word in text.words)), tuple(tags))


def chinese_feelings(seed: int, n: int) -> list[Labelled]:
    """Return what happens before a sentence that says how somebody feels, and whether that is glad or not.

    Held-out examples are of other kinds of stories than those to learn from: what happens in them is new.
    """
    held_out = seed >= HELD_OUT_SEED
    texts = (text for text in _texts(seed) if crc32(text.title.encode()) % 2 == held_out)
    return list(islice(filter(None, map(felt, filter(_is_short, texts))), n))


def felt(text: Story) -> Labelled | None:
    """Return the sentences before the first that names a feeling; None where there is none."""
    for number, sentence in enumerate(text.sentences):
        feelings = {word.text for word in sentence.words} & (GLAD | NOT_GLAD)
        if feelings and number == 0:
            return None
        if feelings:
            before = "".join(str(each) for each in text.sentences[:number])
            kinds = {LABELS[0] if feeling in GLAD else LABELS[1] for feeling in feelings}
            return Labelled(before, kinds.pop()) if len(kinds) == 1 else None
    return None


def _is_short(text: Story) -> bool:
    return sum(len(word.text) for word in text.words) <= MOST_CHARACTERS
