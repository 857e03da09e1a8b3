"""The simple rivals of a model in choices: neighbours, and an n-gram model, from counts of training text.

Each earns 1 for an item, 0, or a half where it has no reason to prefer one word: what a guess would earn.
"""

from __future__ import annotations

from collections.abc import Sequence

from bertviz_lite.data.typed_words import word_spans
from bertviz_lite.evaluation.scores.own_words.exam import Choice
from bertviz_lite.evaluation.scores.own_words.ngrams.back_off import BackOff
from bertviz_lite.evaluation.scores.own_words.ngrams.counts import BOUNDARY, ORDER, Counts

LEFT, BOTH, NGRAMS = "left neighbour", "both neighbours", f"{ORDER}-grams with back-off"


def rivals_choose(counts: Counts, choices: Sequence[Choice]) -> dict[str, list[float]]:
    """Return what each rival earns for each choice.

    - "left neighbour": the word that more often follows the word before the gap, then the more frequent one.
    - "both neighbours": the word that more often stands between the words beside the gap, then as above.
    - "5-grams with back-off": the word with which the whole text is likelier.
    """
    model = BackOff(counts)
    earned: dict[str, list[float]] = {LEFT: [], BOTH: [], NGRAMS: []}
    for choice in choices:
        right, wrong = (_neighbour_counts(counts, choice, word) for word in (choice.right, choice.wrong))
        earned[LEFT].append(prefers(right[1:], wrong[1:]))
        earned[BOTH].append(prefers(right, wrong))
        likely = [
            model.log_probability(choice.before + word + choice.after)
            for word in (choice.right, choice.wrong)
        ]
        earned[NGRAMS].append(prefers([likely[0]], [likely[1]]))
    return earned


def prefers(right: Sequence[float], wrong: Sequence[float]) -> float:
    """Return 1 where the right word wins the first comparison that is no draw, 0 for the wrong, or 0.5."""
    for one, other in zip(right, wrong, strict=True):
        if one != other:
            return float(one > other)
    return 0.5


def _neighbour_counts(counts: Counts, choice: Choice, word: str) -> list[float]:
    """Return how often a word stands between both neighbours, after the left one, and anywhere."""
    start, stop = len(choice.before), len(choice.before) + len(word)
    spans = word_spans(choice.before + word + choice.after)
    inside = tuple(text for text, first, last in spans if first < stop and last > start)
    left = next((text for text, _, last in reversed(spans) if last <= start), BOUNDARY)
    right = next((text for text, first, _ in spans if first >= stop), BOUNDARY)
    return [counts.ngrams[ngram] for ngram in ((left, *inside, right), (left, *inside), inside)]
