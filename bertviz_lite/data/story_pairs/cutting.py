"""A story cut in two: the true pairs, from which all others are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bertviz_lite.basics.arguments import ArgumentError, instance, members, whole_number
from bertviz_lite.world import Sentence, Story, Word

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
        return tuple(sum(len(sentence.words) for sentence in part) for part in (self.first, self.second))  # type: ignore[return-value]

    @cached_property
    def people(self) -> tuple[str, ...]:
        """The people named in A or B, each once, in the order of the first mention."""
        return people_of(self.first + self.second)

    @cached_property
    def tenses(self) -> tuple[str, str]:
        """The tense of A and of B, "past" or "present": the more frequent form of their verbs."""
        first, second = (Counter(word.form for word in self.words(part)) for part in (0, 1))
        return tuple("past" if forms["past"] > forms["s"] else "present" for forms in (first, second))  # type: ignore[return-value]

    def words(self, part: int) -> list[Word]:
        """Return all words of A (0) or B (1), in reading order."""
        return [word for sentence in (self.first, self.second)[part] for word in sentence.words]


def people_of(sentences: Sentences) -> tuple[str, ...]:
    """Return the people named in some sentences, each once, in the order of the first mention."""
    named = (word.text for sentence in sentences for word in sentence.words if word.name == "person")
    return tuple(dict.fromkeys(named))


def cut_stories(stories: Sequence[Story], rng: np.random.Generator, fewest: int = 3) -> list[StoryPair]:
    """Cut every story in two after a random sentence: true pairs, B continues A.

    Parameters
    ----------
    stories
        The stories.
    rng
        Draws the places.
    fewest
        Sentences in each part at least.

    Raises
    ------
    ArgumentError
        If a story has fewer than twice as many sentences.
    """
    stories = members("stories", stories, Story, "a list of stories of the town")
    check_generator(rng)
    fewest = whole_number("fewest", fewest, least=1)
    pairs = []
    for number, story in enumerate(stories):
        sentences = story.sentences
        if len(sentences) < 2 * fewest:
            raise ArgumentError(
                f"story {number} has {len(sentences)} sentences, too few for fewest={fewest} in each part: "
                "lower fewest, or leave the story out."
            )
        cut = int(rng.integers(fewest, len(sentences) - fewest + 1))
        pairs.append(StoryPair(sentences[:cut], sentences[cut:], number, number))
    return pairs


def check_pairs(pairs: Sequence[StoryPair], name: str = "pairs") -> list[StoryPair]:
    """Return pairs as a list, or refuse what is none."""
    return members(name, pairs, StoryPair, "a list of StoryPair, as of cut_stories(),")


def check_generator(rng: np.random.Generator) -> None:
    """Refuse what is no generator of random numbers."""
    instance("rng", rng, np.random.Generator, "a generator, as np.random.default_rng(0),")
