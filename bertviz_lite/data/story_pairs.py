"""Pairs of texts for the next-sentence head: as a story tells them, and changed in one way at a time.

Each function but :func:`cut_stories` takes pairs and gives pairs: with the parts or sentences in another
order, with other names, with the second part of another story. The changes are made on sentences with their
gold marks, so "the names" are all the names and nothing else.

Left out: what a model says of them (``pair_probes``), and the pairs of pre-training (``pairs``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bertviz_lite.world import Sentence, Story, Word
from bertviz_lite.world.events.town import PEOPLE, PERSON

__all__ = [
    "StoryPair",
    "cut_stories",
    "hide",
    "other_people",
    "other_story",
    "same_names",
    "same_nouns",
    "same_people",
    "shuffled",
    "swapped",
]

Sentences = tuple[Sentence, ...]


@dataclass(frozen=True)
class StoryPair:
    """Two parts A and B, as sentences with their gold marks.

    Attributes
    ----------
    first, second
        The sentences of A and of B.
    story
        Number of the story that A is from, among those given to :func:`cut_stories`.
    source
        Number of the story that B is from.
    """

    first: Sentences
    second: Sentences
    story: int
    source: int

    @cached_property
    def texts(self) -> tuple[str, str]:
        """A and B as plain text."""
        return " ".join(map(str, self.first)), " ".join(map(str, self.second))

    @cached_property
    def lengths(self) -> tuple[int, int]:
        """Words and punctuation marks of A and of B."""
        return tuple(sum(len(one.words) for one in part) for part in (self.first, self.second))  # type: ignore[return-value]

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Who is named in A or B, each once, in the order of the first mention."""
        return _named(self.first + self.second)

    @cached_property
    def tenses(self) -> tuple[str, str]:
        """The tense that A and B are told in, "past" or "present": the more frequent form of their verbs."""
        first, second = (Counter(word.form for word in self.words(part)) for part in (0, 1))
        return tuple("past" if forms["past"] > forms["s"] else "present" for forms in (first, second))  # type: ignore[return-value]

    def words(self, part: int) -> list[Word]:
        """Give all words of A (0) or B (1), in reading order."""
        return [word for sentence in (self.first, self.second)[part] for word in sentence.words]


def _named(sentences: Sentences) -> tuple[str, ...]:
    named = (word.text for sentence in sentences for word in sentence.words if word.name == "person")
    return tuple(dict.fromkeys(named))


def cut_stories(told: Sequence[Story], rng: np.random.Generator, fewest: int = 3) -> list[StoryPair]:
    """Cut every story in two after a random sentence: true pairs, B continues A.

    Parameters
    ----------
    told
        The stories.
    rng
        Draws the places.
    fewest
        Sentences in each part at least.

    Raises
    ------
    ValueError
        If a story has fewer than twice as many sentences.
    """
    pairs = []
    for number, story in enumerate(told):
        sentences = story.sentences
        if len(sentences) < 2 * fewest:
            raise ValueError(
                f"story {number} has {len(sentences)} sentences, too few for fewest={fewest} in each part: "
                "lower fewest, or leave the story out."
            )
        cut = int(rng.integers(fewest, len(sentences) - fewest + 1))
        pairs.append(StoryPair(sentences[:cut], sentences[cut:], number, number))
    return pairs


# Another order


def swapped(pairs: Sequence[StoryPair]) -> list[StoryPair]:
    """Put B before A: the same sentences, the two parts exchanged."""
    return [replace(pair, first=pair.second, second=pair.first) for pair in pairs]


def shuffled(pairs: Sequence[StoryPair], rng: np.random.Generator) -> list[StoryPair]:
    """Put the sentences of B into another order than the one they had."""
    return [replace(pair, second=_another_order(pair.second, rng)) for pair in pairs]


def _another_order(sentences: Sentences, rng: np.random.Generator) -> Sentences:
    if len(sentences) < 2:
        raise ValueError("one sentence has no other order: cut with fewest=2 or more.")
    order = list(range(len(sentences)))
    while order == sorted(order):
        order = rng.permutation(len(sentences)).tolist()
    return tuple(sentences[index] for index in order)


# Another story


def other_story(pairs: Sequence[StoryPair]) -> list[StoryPair]:
    """Give each A the B of another story, as long as its own or nearly so.

    The pairs are sorted by the length of B, and neighbours exchange theirs (three in a ring where the number
    is odd). So every B is used once, and lengths say next to nothing about what is true.

    Raises
    ------
    ValueError
        If there are fewer than two pairs, or if the B that a pair gets reads like its own.
    """
    if len(pairs) < 2:
        raise ValueError(f"{len(pairs)} pairs: it takes two or more to exchange anything.")
    order = sorted(range(len(pairs)), key=lambda index: (pairs[index].lengths[1], index))
    rings = [order[start : start + 2] for start in range(0, len(order), 2)]
    if len(order) % 2:
        rings[-2:] = [rings[-2] + rings[-1]]
    source = {to: of for ring in rings for to, of in zip(ring, ring[1:] + ring[:1], strict=True)}
    return [_with_second(pair, pairs[source[index]]) for index, pair in enumerate(pairs)]


def same_people(pairs: Sequence[StoryPair], pool: Sequence[StoryPair]) -> list[StoryPair]:
    """Give each A the B of another story of `pool` that happens to be about the same people.

    Taken is the one whose B is nearest in length to the true one; pairs without one are left out.
    """
    made = []
    for pair in pairs:
        people = set(pair.people)
        other = _nearest(pair, pool, lambda one, people=people: set(one.people) == people)  # type: ignore[misc]
        if other is not None:
            made.append(_with_second(pair, other))
    return made


def same_nouns(pairs: Sequence[StoryPair], pool: Sequence[StoryPair], reach: float = 0.2) -> list[StoryPair]:
    """Give each A the B of another story of `pool`, about other people, that shares most nouns with A.

    Asked are those whose B differs in length from the true one by at most the share `reach`; pairs for which
    there is none are left out.
    """
    nouns = [{word.lemma for word in one.words(1) if word.pos == "NOUN"} for one in pool]
    made = []
    for pair in pairs:
        wanted = {word.lemma for word in pair.words(0) if word.pos == "NOUN"}
        length, people, shared = pair.lengths[1], set(pair.people), Counter[int]()
        for index, one in enumerate(pool):
            if not people & set(one.people) and abs(one.lengths[1] - length) <= reach * length:
                shared[index] = len(nouns[index] & wanted)
        if shared:
            made.append(_with_second(pair, pool[shared.most_common(1)[0][0]]))
    return made


def _with_second(pair: StoryPair, other: StoryPair) -> StoryPair:
    if pair.texts[1] == other.texts[1]:
        raise ValueError(
            f"B of story {pair.story} stands in story {other.story} too: there it would be true."
        )
    return replace(pair, second=other.second, source=other.source)


def _nearest(
    pair: StoryPair, pool: Sequence[StoryPair], fits: Callable[[StoryPair], bool]
) -> StoryPair | None:
    """Return the first of those pairs of other stories that fit and whose B is nearest in length."""
    fitting = (one for one in pool if one.story != pair.story and fits(one))
    return min(fitting, key=lambda one: abs(one.lengths[1] - pair.lengths[1]), default=None)


# Other words


def other_people(pairs: Sequence[StoryPair], rng: np.random.Generator) -> list[StoryPair]:
    """Put the names of other people into B, of the same gender and age.

    Everything else stays: the pronouns still fit, the things and places are the story's own. Pairs without a
    name in B are left out.
    """
    made = []
    for pair in pairs:
        taken, change = set(pair.people), {}
        for name in _named(pair.second):
            old = PERSON[name]
            free = [
                one.name
                for one in PEOPLE
                if (one.gender, one.age) == (old.gender, old.age) and one.name not in taken
            ]
            change[name] = free[int(rng.integers(len(free)))]
            taken.add(change[name])
        if change:
            made.append(replace(pair, second=_renamed(pair.second, change)))
    return made


def same_names(pairs: Sequence[StoryPair], pool: Sequence[StoryPair]) -> list[StoryPair]:
    """Give each A the B of another story of `pool`, about other people, with the names of A's story put in.

    A name goes to someone of the same gender, the first mentioned to the first mentioned. Taken is the story
    with as many women and as many men whose B names someone and is nearest in length to the true one; pairs
    without one are left out.
    """
    made = []
    for pair in pairs:
        mine = sorted(pair.people, key=_gender)  # sorted() keeps the order of mention within a gender

        def fits(one: StoryPair, mine: list[str] = mine) -> bool:
            theirs = one.people
            if set(mine) & set(theirs) or Counter(map(_gender, mine)) != Counter(map(_gender, theirs)):
                return False
            return bool(_named(one.second))

        other = _nearest(pair, pool, fits)
        if other is not None:
            change = dict(zip(sorted(other.people, key=_gender), mine, strict=True))
            made.append(replace(pair, second=_renamed(other.second, change), source=other.source))
    return made


def _gender(name: str) -> str:
    return PERSON[name].gender


def _renamed(sentences: Sentences, names: dict[str, str]) -> Sentences:
    return _changed(
        sentences, lambda word: replace(word, text=names[word.text]) if word.name == "person" else word
    )


def hide(pairs: Sequence[StoryPair], wanted: Callable[[Word], bool]) -> list[StoryPair]:
    """Put one [MASK] in the place of every wanted word, in A and in B, however many pieces it has."""

    def change(word: Word) -> Word:
        return replace(word, text="[MASK]") if wanted(word) else word

    return [
        replace(pair, first=_changed(pair.first, change), second=_changed(pair.second, change))
        for pair in pairs
    ]


def _changed(sentences: Sentences, change: Callable[[Word], Word]) -> Sentences:
    return tuple(replace(one, words=tuple(map(change, one.words))) for one in sentences)
