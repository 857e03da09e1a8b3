"""Texts that hold a sentence of an exam are left out of the training text; the next ones take their places.

Left out: the sentences themselves. Processes that write texts get only their hashes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count

from bertviz_lite.basics.garbage import without_looking_for_garbage
from bertviz_lite.data.pretraining.by_hand import NONE_BY_HAND, ByHand
from bertviz_lite.data.typed_words import normal_sentence, normal_sentences
from bertviz_lite.world import Story
from bertviz_lite.world.towns import TOWN, stories_of, story_of

FEWEST_WORDS = 4
"""Shorter sentences, such as *It was cold*, are everybody's, and are allowed."""

_MOST_IN_VAIN = 1_000

PIECES, GOLD = "pieces", "gold"
BOUNDARIES = (PIECES, GOLD)
"""Who says where words end: the word pieces (``##``), or the town, which knows it."""


@dataclass(frozen=True)
class Forbidden:
    """The hashes of sentences that no training text may hold; empty where all are allowed.

    Case and punctuation do not matter: see ``data.typed_words``.
    """

    hashes: frozenset[bytes] = field(default=frozenset(), repr=False)

    @classmethod
    def of(cls, sentences: Iterable[str]) -> Forbidden:
        """Forbid some sentences: those of ``FEWEST_WORDS`` words or more."""
        normal = map(normal_sentence, sentences)
        return cls(
            frozenset(_hash(sentence) for sentence in normal if sentence.count(" ") >= FEWEST_WORDS - 1)
        )

    def __bool__(self) -> bool:
        return bool(self.hashes)

    @property
    def digest(self) -> str:
        """A hash of the whole set, whatever its order."""
        return hashlib.sha256(b"".join(sorted(self.hashes))).hexdigest()[:16]

    def is_in(self, sentences: Iterable[str]) -> bool:
        """Return whether one of the sentences of a text is forbidden, or one within it."""
        return any(
            _hash(normal) in self.hashes for sentence in sentences for normal in normal_sentences(sentence)
        )


def _hash(normal: str) -> bytes:
    return hashlib.blake2b(normal.encode(), digest_size=8).digest()


@dataclass(frozen=True)
class TrainingTown:
    """A town whose stories are to be training text.

    Attributes
    ----------
    name
        Which town: see ``world.towns``.
    forbidden
        What no story may hold; where one does, the next of the same seed takes its place.
    boundaries
        Who says where words end, for masking whole words: one of BOUNDARIES.
    by_hand
        Texts by hand, a share of which take the place of the town's.
    """

    name: str = TOWN
    forbidden: Forbidden = Forbidden()
    boundaries: str = PIECES
    by_hand: ByHand = NONE_BY_HAND

    def stories(self, seed: int, n: int) -> list[Story]:
        """Return the first ``n`` stories of a seed that are allowed."""
        return self.stories_and_left_out(seed, n)[0]

    def stories_and_left_out(self, seed: int, n: int) -> tuple[list[Story], list[int]]:
        """Return the first ``n`` stories that are allowed, and how many were left out just before each.

        Raises
        ------
        ValueError
            Where a thousand stories in a row are forbidden.
        """
        if not self.forbidden and not self.by_hand:
            return stories_of(self.name, seed, n), [0] * n
        told = story_of(self.name)
        allowed: list[Story] = []
        left_out: list[int] = []
        last = -1
        with without_looking_for_garbage():
            for index in count():
                if len(allowed) == n:
                    break
                if index - last > _MOST_IN_VAIN:
                    raise ValueError(
                        f"town={self.name!r}: {_MOST_IN_VAIN:,} texts in a row hold a sentence of the exam; "
                        "it has sentences that this town says all the time"
                    )
                by_hand = self.by_hand.takes_the_place(seed, index)
                written = self.by_hand.text(seed, index) if by_hand else told(seed, index)
                if not self.forbidden.is_in(map(str, written.sentences)):
                    allowed.append(written)
                    left_out.append(index - last - 1)
                    last = index
        return allowed, left_out
