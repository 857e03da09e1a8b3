"""Stories in which many a name is also an ordinary word, with a tag for every word.

People get a family name where they are first named ("Anna Stone"), some pets the name of a thing ("Button")
or of a person. Left out: which stories are drawn (``tasks``).
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from bertviz_lite.world.english.stories import story
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.tables import words
from bertviz_lite.world.events.text import Sentence, Story, Word
from bertviz_lite.world.events.town import PEOPLE, PERSON, PETS

_MOST_WORDS = 45
_NEXT = 1_000_000  # from a story that does not serve to the one that is tried instead
# Things and colours of the town by which a pet may go.
_PET_NAMES = words(
    """Button Biscuit Pepper Muffin Cherry Chestnut Acorn Feather Pebble Pearl Scarlet Orange Cocoa Honey
    Lemon Coin Bell Clover Misty Sunny Rose Berry Violet Golden Snowy Star"""
)


def named_text(seed: int, index: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of some sentences in a row of a story, with at least one name, and their tags.

    The texts of three indices in a row come from one story. A third of the stories are drawn for a person, a
    third for a place, a third for a pet: few stories of the town name a pet.
    """
    dice = Dice(f"names/{seed}/{index}")
    number = index // 3
    while True:
        source, kind = _story(seed, number)
        picked = _some_sentences(source, kind, dice)
        if any(word.name for sentence in picked for word in sentence.words):
            break
        number += _NEXT
    renamed = _renamed(picked, source, dice)
    return tuple(word.text for word in renamed), _tags(renamed)


@lru_cache(maxsize=2)
def _story(seed: int, number: int) -> tuple[Story, str]:
    """Return a story in which something of a kind has a name, and the kind."""
    kind = Dice(f"names/{seed}/{number}/kind").pick(("person", "place", "pet"))
    while True:
        candidate = story(seed, number)
        if any(word.name == kind for word in candidate.words):
            return candidate, kind
        number += _NEXT


def _some_sentences(source: Story, kind: str, dice: Dice) -> list[Sentence]:
    """Return two or three sentences in a row, more often than not the first that names one of the kind."""
    naming = [
        n for n, sentence in enumerate(source.sentences) if any(word.name == kind for word in sentence.words)
    ]
    start = dice.below(len(source.sentences) - 1)
    if kind != "person" and dice.chance(0.7):
        start = max(0, naming[0] - dice.below(2))
    picked = list(source.sentences[start : start + 2 + dice.below(2)])
    while len(picked) > 1 and sum(len(sentence.words) for sentence in picked) > _MOST_WORDS:
        picked.pop()
    return picked


def _renamed(sentences: list[Sentence], source: Story, dice: Dice) -> list[Word]:
    people = {word.text for word in source.words if word.name == "person"}
    pets = _new_pet_names(sentences, people, dice)
    result: list[Word] = []
    introduced: set[str] = set()
    for word in (word for sentence in sentences for word in sentence.words):
        if word.name == "pet":
            word = replace(word, text=pets.get(word.text, word.text))
        result.append(word)
        if word.name == "person" and word.text not in introduced:
            introduced.add(word.text)
            if dice.chance(0.5):
                family = PERSON[word.text].family
                result.append(replace(word, text=family, lemma=family, glued=False))
    return result


def _new_pet_names(sentences: list[Sentence], people: set[str], dice: Dice) -> dict[str, str]:
    """Draw a name for each pet; that of a person only where the text says what it is, as in "her dog Max"."""
    result = {}
    free = [person.name for person in PEOPLE if person.name not in people]
    for pet in PETS:
        mentions = [
            sentence.words[word.index - 1].text
            for sentence in sentences
            for word in sentence.words
            if word.name == "pet" and word.text == pet.name
        ]
        if mentions:
            like_a_person = mentions[0] == pet.kind and dice.chance(0.5)
            result[pet.name] = dice.pick(free if like_a_person else _PET_NAMES)
    return result


def _tags(renamed: list[Word]) -> tuple[str, ...]:
    tags: list[str] = []
    for at, word in enumerate(renamed):
        before = renamed[at - 1] if at else None
        goes_on = before is not None and before.name == word.name and before.entity == word.entity
        if word.name is None:
            tags.append("O")
        else:
            tags.append(f"{'I' if goes_on and word.name != 'pet' else 'B'}-{word.name}")
    return tuple(tags)
