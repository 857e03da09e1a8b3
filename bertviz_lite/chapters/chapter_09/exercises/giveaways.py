"""Exercises of chapter 09, the NSP head: a word in B that gives the label away, whatever A is."""

from collections import Counter
from collections.abc import Callable

from bertviz_lite.exercises import Case, exercise


def _said(*texts: str) -> list[list[str]]:
    return [text.split() for text in texts]


@exercise(
    cases=lambda: [
        Case(
            _said("he never forgot", "the key was gone", "she never came home", "he found it under the bed"),
            [1, 0, 1, 0],
        ),
        Case(
            _said("no no no no said tom", "but the boat sank", "but she slept", "so it rained", "tom left"),
            [1, 1, 1, 0, 0],
        ),
        Case(
            _said("the old fox", "the hen", "the red fox", "the sky", "a fox", "the sea"), [1, 1, 1, 0, 0, 0]
        ),
        Case(_said("max ran", "ida sat", "max sat", "ida ran"), [1, 1, 0, 0]),
    ],
    hints=(
        "Of one word, the rule is right on a pair if (word in second) is the same as (label == 1).",
        "Count that for each word that occurs anywhere, and take the word with the largest count.",
        "max() returns the first of several that are equally large, so give it the words sorted.",
    ),
    note="A rule that never sees A should do no better than a coin. In pairs that people had written, "
    "“nobody” and “no” gave contradictions away (Gururangan et al., 2018).",
)
def giveaway(seconds: list[list[str]], labels: list[int]) -> str:
    """Find the word for which “false if B has it, else true” is right on the most pairs.

    `seconds` has the words of each pair's B, `labels` its label: 1 is false. A is hidden. Of several words
    that are equally good, give the first in the alphabet.
    """

    def right(word: str) -> int:
        pairs = zip(seconds, labels, strict=True)
        return sum((word in second) == (label == 1) for second, label in pairs)

    return max(sorted({word for second in seconds for word in second}), key=right)


_Score = Callable[[str, list[list[str]], list[int]], float]


def _best_by(score: _Score, *, last: bool = False) -> Callable[[list[list[str]], list[int]], str]:
    """Take another score for the words, or the last in the alphabet of those that are equally good."""

    def answer(seconds: list[list[str]], labels: list[int]) -> str:
        words = sorted({word for second in seconds for word in second}, reverse=last)
        return max(words, key=lambda word: score(word, seconds, labels))

    return answer


def _right(word: str, seconds: list[list[str]], labels: list[int]) -> float:
    return sum((word in second) == (label == 1) for second, label in zip(seconds, labels, strict=True))


def _false_with(word: str, seconds: list[list[str]], labels: list[int]) -> int:
    return sum(word in second for second, label in zip(seconds, labels, strict=True) if label == 1)


giveaway.mistake(
    "That is the word that most false Bs have; if true ones have it as well, it gives nothing away.",
    _best_by(_false_with),
)
giveaway.mistake(
    "A word counts once for each B that has it, however often it stands there.",
    _best_by(
        lambda word, seconds, labels: sum(
            Counter(second)[word] * (1 if label == 1 else -1)
            for second, label in zip(seconds, labels, strict=True)
        )
    ),
)
giveaway.mistake(
    "Of all Bs with that word, the largest share is false; but it may be a single B. "
    "Count the pairs on which the rule is right, those without the word, too.",
    _best_by(
        lambda word, seconds, labels: (
            _false_with(word, seconds, labels) / sum(word in second for second in seconds)
        )
    ),
)
giveaway.mistake(
    "Of several words that are equally good, give the first in the alphabet.", _best_by(_right, last=True)
)
giveaway.mistake(
    "That is the word that tells true pairs: label 1 is false.",
    _best_by(lambda word, seconds, labels: -_right(word, seconds, labels)),
)
giveaway.mistake(
    "That is on how many pairs the rule is right; give the word.",
    lambda seconds, labels: max(
        _right(word, seconds, labels) for word in {word for second in seconds for word in second}
    ),
)
