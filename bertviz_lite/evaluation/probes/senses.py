"""Senses of two-sense words, told apart by the nearest centroid of their vectors, layer by layer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.data.encoded_stories import EncodedStory
from bertviz_lite.evaluation.probes.vectors import word_vectors

if TYPE_CHECKING:
    from transformers import BertForPreTraining


@dataclass(frozen=True)
class SenseVectors:
    """Vectors of all two-sense words in some stories.

    Attributes
    ----------
    senses
        The sense of each occurrence, such as ``"bank.river"``.
    vectors
        float64, shape (num_layers + 1, occurrences, hidden_size): mean over the tokens of the word, after the
        embeddings and after every layer.
    static
        float64, shape (occurrences, hidden_size): the same from the word embedding alone, without position,
        segment and normalisation.
    """

    senses: tuple[str, ...]
    vectors: NDArray[np.float64]
    static: NDArray[np.float64]


def sense_vectors(model: BertForPreTraining, encoded: Sequence[EncodedStory]) -> SenseVectors:
    """Run the model over the stories that hold a two-sense word."""
    words = word_vectors(model, encoded, lambda word: word.sense is not None)
    senses = tuple(word.sense for _, word in words.words if word.sense is not None)
    return SenseVectors(senses, words.vectors, words.static)


@dataclass(frozen=True)
class SenseResult:
    """Nearest-centroid accuracy: the mean over words, of the mean over a word's senses.

    ``layer`` was chosen on the centroid half; ``by_layer`` and ``by_word`` are for reading.
    """

    accuracy: float
    static: float
    layer: int
    by_layer: tuple[float, ...]
    by_word: dict[str, float]
    occurrences: int


def score_senses(fit: SenseVectors, score: SenseVectors, fewest: int = 5) -> SenseResult:
    """Tell senses apart by the nearest centroid (Euclidean).

    Parameters
    ----------
    fit
        Occurrences that give the centroids and choose the layer: the one that scores best when the centroids
        of every other occurrence are tried on the remaining ones.
    score
        Occurrences to be told apart, of other stories.
    fewest
        Senses with fewer occurrences on either side are left out (with their word).
    """
    words = two_sense_words(fit.senses, score.senses, fewest)
    if not words:
        nothing = float("nan")
        return SenseResult(nothing, nothing, 0, (), {}, 0)
    here = np.array(fit.senses)
    even = np.arange(len(here)) % 2 == 0
    tried = [
        _mean(_by_word(layer[even], here[even], layer[~even], here[~even], words)) for layer in fit.vectors
    ]
    layer = int(np.nanargmax(tried))
    there = np.array(score.senses)
    by_layer = [
        _by_word(old, here, new, there, words) for old, new in zip(fit.vectors, score.vectors, strict=True)
    ]
    return SenseResult(
        accuracy=_mean(by_layer[layer]),
        static=_mean(_by_word(fit.static, here, score.static, there, words)),
        layer=layer,
        by_layer=tuple(_mean(result) for result in by_layer),
        by_word=by_layer[layer],
        occurrences=sum(1 for sense in score.senses if sense.partition(".")[0] in words),
    )


def two_sense_words(fit: Sequence[str], score: Sequence[str], fewest: int) -> list[str]:
    """Return the words with two or more senses that are frequent enough in both lists of senses."""
    counts: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for side, senses in enumerate((fit, score)):
        for sense in senses:
            counts[sense.partition(".")[0]][sense][side] += 1
    return sorted(
        word for word, senses in counts.items()
        if len(senses) > 1 and all(min(sides) >= fewest for sides in senses.values())
    )  # fmt: skip


def _by_word(
    fit: NDArray[np.float64],
    fit_names: NDArray[np.str_],
    score: NDArray[np.float64],
    score_names: NDArray[np.str_],
    words: Sequence[str],
) -> dict[str, float]:
    """Return, by word, the mean over its senses of the accuracy of the nearest centroid."""
    result = {}
    for word in words:
        names = sorted({sense for sense in fit_names.tolist() if sense.partition(".")[0] == word})
        centroids = np.array([fit[fit_names == name].mean(0) for name in names])
        shares = []
        for number, name in enumerate(names):
            vectors = score[score_names == name]
            distances = np.linalg.norm(vectors[:, None] - centroids[None], axis=-1)
            if len(vectors):
                shares.append(float((distances.argmin(1) == number).mean()))
        result[word] = float(np.mean(shares)) if shares else float("nan")
    return result


def _mean(by_word: dict[str, float]) -> float:
    return float(np.nanmean(list(by_word.values())))
