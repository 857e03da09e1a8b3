"""Guesses from counts of training text: the baseline of masked words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bertviz_lite.world import Story


class Neighbours:
    """Guesses from counts of training text: the most frequent word, alone and beside its neighbours."""

    START = "<start>"

    def __init__(self) -> None:
        self.alone: Counter[str] = Counter()
        self.left: dict[str, Counter[str]] = defaultdict(Counter)
        self.both: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    @classmethod
    def count(cls, training: Sequence[Story]) -> Neighbours:
        """Count the words of some stories, lower-cased; only words, not punctuation, are guessed."""
        counts = cls()
        for story in training:
            texts = counts._texts(story)
            for number, word in enumerate(story.words):
                if word.pos == "PUNCT":
                    continue
                before, text, after = texts[number : number + 3]
                counts.alone[text] += 1
                counts.left[before][text] += 1
                counts.both[before, after][text] += 1
        return counts

    def _texts(self, story: Story) -> list[str]:
        return [self.START, *(word.text.lower() for word in story.words), self.START]

    def accuracies(self, words: Sequence[tuple[Story, int]]) -> dict[str, float]:
        """Return the accuracy of each guess on some words, given as story and number.

        "left neighbour" falls back on the most frequent word, and "both neighbours" on "left neighbour",
        where the training text has nothing like it.
        """
        hits = {"most frequent word": 0, "left neighbour": 0, "both neighbours": 0}
        commonest = _first(self.alone)
        for story, number in words:
            before, text, after = self._texts(story)[number : number + 3]
            by_left = _first(self.left.get(before, Counter())) or commonest
            by_both = _first(self.both.get((before, after), Counter())) or by_left
            hits["most frequent word"] += text == commonest
            hits["left neighbour"] += text == by_left
            hits["both neighbours"] += text == by_both
        return {name: count / len(words) if words else float("nan") for name, count in hits.items()}


def _first(counts: Counter[str]) -> str | None:
    return min(counts, key=lambda text: (-counts[text], text)) if counts else None
