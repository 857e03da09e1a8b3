"""Four ways to draw a false B, and how much the lengths of A and B alone then give away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.data.story_pairs import StoryPair, other_story
from bertviz_lite.evaluation.probes import linear_probe

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["b_lengths", "told_by_lengths"]

_SCALE = 50  # words; keeps a length and its square alike in size


def b_lengths(pairs: Sequence[StoryPair], rng: np.random.Generator) -> dict[str, npt.NDArray[np.int64]]:
    """Return how long a false B is, in words, for each A, if it is drawn with more and with less care.

    Parameters
    ----------
    pairs
        True pairs, all of other stories.
    rng
        Draws the stories and the sentences.
    """
    size = len(pairs)
    stranger = (np.arange(size) + rng.integers(1, size, size)) % size  # never the story itself
    sentences = [pairs[i].first + pairs[i].second for i in stranger]
    starts = [int(rng.integers(len(story))) for story in sentences]
    rest = [story[start:] for story, start in zip(sentences, starts, strict=True)]
    lengths = np.array([pair.lengths for pair in pairs])
    return {
        "another B, nearly as long": np.array([pair.lengths[1] for pair in other_story(pairs)]),
        "any other B": lengths[stranger, 1],
        "from any sentence to the end": np.array([sum(len(s.words) for s in part) for part in rest]),
        "a whole other story": lengths[stranger].sum(axis=1),
    }


def told_by_lengths(
    pairs: Sequence[StoryPair], false_b: npt.NDArray[np.int64], rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """Return for which pairs a classifier is right that is given two numbers, the lengths of A and B.

    Half of the pairs get a false B. The classifier is a linear map of the lengths, their squares and their
    product, fitted on the first half of the pairs; the answers are about the second half.

    Parameters
    ----------
    pairs
        True pairs.
    false_b
        The length of the false B of each; shape (len(pairs),).
    rng
        Draws which pairs get it.
    """
    true = np.array([pair.lengths for pair in pairs])
    is_false, half = rng.random(len(true)) < 0.5, len(true) // 2
    a, b = true[:, 0] / _SCALE, np.where(is_false, false_b, true[:, 1]) / _SCALE
    numbers = np.stack([a, b, a * a, b * b, a * b], axis=1)
    tags = is_false.astype(str)
    answers: npt.NDArray[np.bool_] = (
        linear_probe(numbers[:half], tags[:half], numbers[half:], ridge=1e-3) == tags[half:]
    )
    return answers
