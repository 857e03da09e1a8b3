"""Counts of training text: how often each run of one to five words occurs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from bertviz_lite.data.pretraining.shards import SHARD_STORIES, story_seeds
from bertviz_lite.data.typed_words import words_of

if TYPE_CHECKING:
    from bertviz_lite.world import Story

ORDER = 5
BOUNDARY = "."
"""What precedes the first word of a text: the mark that mostly precedes the first word of a sentence."""

Words = tuple[str, ...]
Source = Callable[[int, int], "Sequence[Story]"]
"""A town: a function that returns the first n stories of a seed, as ``bertviz_lite.world.stories``.

For a town by name: ``functools.partial(stories_of, name)``.
"""


def training_stories(source: Source, count: int, seed: int = 0) -> Iterator[Story]:
    """Yield the first ``count`` stories that a training run with ``seed`` reads."""
    for shard in range(-(-count // SHARD_STORIES)):
        yield from source(story_seeds(seed, shard), min(SHARD_STORIES, count - shard * SHARD_STORIES))


class Counts:
    """How often each run of at most ``ORDER`` words occurs in some texts.

    Attributes
    ----------
    ngrams
        Counts by run of words; its length is the key's. The boundary before a text belongs to longer runs,
        but is not counted as a word.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self.ngrams: Counter[Words] = Counter()
        for text in texts:
            words = (BOUNDARY, *words_of(text))
            self.ngrams.update((word,) for word in words[1:])
            for order in range(2, ORDER + 1):
                self.ngrams.update(zip(*(words[shift:] for shift in range(order)), strict=False))

    @classmethod
    def of(cls, stories: Iterable[Story]) -> Counts:
        """Count the text of some stories."""
        return cls(map(str, stories))
