"""The rivals of a model of Chinese: guesses from counts of training text, by word and by character."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bertviz_lite.evaluation.scores.neighbours import Neighbours
from bertviz_lite.evaluation.scores.own_words.exam import Choice
from bertviz_lite.evaluation.scores.own_words.ngrams import BackOff, Counts
from bertviz_lite.evaluation.scores.own_words.rivals import rivals_choose
from bertviz_lite.world import MinimalPair
from bertviz_lite.world.chinese import Story, Word

NGRAMS = "5-grams with back-off"
Accepts = Callable[[Word, str], bool]
"""Whether a guess is right for a word; for most words only the word itself is."""

_CANDIDATES = 20


def spaced(text: str) -> str:
    """Return a text with a space between its characters, for counts that are made for words with spaces."""
    return " ".join(text)


@dataclass(frozen=True)
class WordCounts:
    """Counts of training text: words beside their neighbours, runs of words, runs of characters."""

    neighbours: Neighbours
    runs: BackOff
    characters: Counts

    @classmethod
    def of(cls, training: Sequence[Story]) -> WordCounts:
        """Count some texts."""
        return cls(
            neighbours=Neighbours.count(training),  # type: ignore[arg-type]  # a Chinese text has words, too
            runs=BackOff(Counts(" ".join(word.text for word in text.words) for text in training)),
            characters=Counts(spaced(text.text) for text in training),
        )

    def accuracies(self, words: Sequence[tuple[Story, Word]], accepts: Accepts) -> dict[str, float]:
        """Return what share of some hidden words each rival guesses.

        The n-grams choose among the words that have stood between these neighbours, behind the left one, and
        the commonest words: the one with which this place of the text is likeliest.
        """
        commonest = [text for text, _ in self._sorted(self.neighbours.alone)[:_CANDIDATES]]
        hits: Counter[str] = Counter()
        for text, word in words:
            texts = [Neighbours.START, *(each.text for each in text.words), Neighbours.START]
            place = next(number for number, each in enumerate(text.words) if each is word) + 1
            before, after = texts[place - 1], texts[place + 1]
            left = [
                each for each, _ in self._sorted(self.neighbours.left.get(before, Counter()))[:_CANDIDATES]
            ]
            both = [each for each, _ in self._sorted(self.neighbours.both.get((before, after), Counter()))]
            guesses = {
                "most frequent word": commonest[0],
                "left neighbour": (left or commonest)[0],
                "both neighbours": (both or left or commonest)[0],
                NGRAMS: self._likeliest([*both[:_CANDIDATES], *left, *commonest], texts, place),
            }
            hits.update(name for name, guess in guesses.items() if accepts(word, guess))
        names = ("most frequent word", "left neighbour", "both neighbours", NGRAMS)
        return {name: hits[name] / len(words) if words else float("nan") for name in names}

    def _likeliest(self, candidates: Sequence[str], texts: Sequence[str], place: int) -> str:
        context = tuple(texts[max(1, place - 4) : place])
        following = texts[place + 1 : place + 3]

        def likely(candidate: str) -> float:
            result = self.runs.probability(candidate, context)
            for number, after in enumerate(following):
                result *= self.runs.probability(after, (*context, candidate, *following[:number])[-4:])
            return result

        return max(dict.fromkeys(candidates), key=likely)

    @staticmethod
    def _sorted(counts: Counter[str]) -> list[tuple[str, int]]:
        return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))

    def of_pairs(self, pairs: Sequence[MinimalPair]) -> dict[str, list[float]]:
        """Return what each rival earns for each minimal pair, by characters: 1, 0, or 0.5 for a draw."""
        return rivals_choose(
            self.characters,
            [
                Choice(
                    pair.kind,
                    f"{spaced(pair.before)} ",
                    spaced(pair.right),
                    spaced(pair.wrong),
                    f" {spaced(pair.after)}",
                )
                for pair in pairs
            ],
        )
