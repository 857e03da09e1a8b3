"""Tags of words, read by linear probes off the vectors of every layer.

Words whose spelling already decides the tag are left out: a table of spellings could score as well on them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.evaluation.probes.linear import linear_probe
from bertviz_lite.evaluation.probes.vectors import WordVectors

if TYPE_CHECKING:
    from bertviz_lite.world import Story, Word


@dataclass(frozen=True)
class TagResult:
    """Accuracy of a linear probe that reads tags off the vectors of words, on stories it was not fitted on.

    Attributes
    ----------
    by_layer
        Accuracy after the embeddings and after every layer.
    static
        Accuracy from the word embedding alone.
    spelling
        Accuracy of always choosing the most frequent tag of each spelling.
    occurrences
        Number of words that are scored.
    """

    by_layer: tuple[float, ...]
    static: float
    spelling: float
    occurrences: int


def score_tags(
    fit: WordVectors,
    score: WordVectors,
    tag: Callable[[Word, Story], str | None],
    *,
    ridge: float = 1.0,
    fewest: int = 3,
) -> TagResult:
    """Score linear probes for a tag, one a layer, on words whose spelling leaves the tag open.

    Parameters
    ----------
    fit, score
        Words to fit the probes on, and words of other stories to score them on.
    tag
        Returns the tag of a word in its story; None leaves the word out.
    ridge
        See :meth:`LinearProbe.fit <bertviz_lite.evaluation.probes.linear.LinearProbe.fit>`.
    fewest
        A spelling is used only if it occurs at least so often in `fit` with another tag than its most
        frequent one.

    Raises
    ------
    ValueError
        If no word is left.
    """
    fit_names, score_names = ([tag(word, story) for story, word in half.words] for half in (fit, score))
    usual = _open_spellings(fit, fit_names, fewest)
    fit_rows, score_rows = _rows(fit, fit_names, usual), _rows(score, score_names, usual)
    if not fit_rows or not score_rows:
        raise ArgumentError(f"no spelling has {fewest} or more words of a rarer tag: give more stories.")
    tags = np.array([fit_names[row] for row in fit_rows])
    answers = np.array([score_names[row] for row in score_rows])

    def accuracy(fit_vectors: NDArray[np.float64], score_vectors: NDArray[np.float64]) -> float:
        probed = linear_probe(fit_vectors[fit_rows], tags, score_vectors[score_rows], ridge)
        return float((probed == answers).mean())

    guessed = [usual[_spelling(score, row)] for row in score_rows]
    return TagResult(
        by_layer=tuple(accuracy(*layers) for layers in zip(fit.vectors, score.vectors, strict=True)),
        static=accuracy(fit.static, score.static),
        spelling=float((np.array(guessed) == answers).mean()),
        occurrences=len(score_rows),
    )


def _spelling(words: WordVectors, row: int) -> str:
    return words.words[row][1].text.lower()


def _open_spellings(words: WordVectors, tags: list[str | None], fewest: int) -> dict[str, str]:
    """Return the most frequent tag of each spelling that has `fewest` or more words of other tags."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row, tag in enumerate(tags):
        if tag is not None:
            counts[_spelling(words, row)][tag] += 1
    return {
        spelling: by_tag.most_common(1)[0][0]
        for spelling, by_tag in counts.items()
        if by_tag.total() - by_tag.most_common(1)[0][1] >= fewest
    }


def _rows(words: WordVectors, tags: list[str | None], usual: dict[str, str]) -> list[int]:
    """Return the rows of the words that have a tag and one of the spellings."""
    return [row for row, tag in enumerate(tags) if tag is not None and _spelling(words, row) in usual]
