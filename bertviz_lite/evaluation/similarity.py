"""Similarity of texts: how often is the text that means the same as another one the nearest to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bertviz_lite.basics.arguments import ArgumentError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SimilarityQuestion:
    """A text, and candidates of which the first means the same.

    Attributes
    ----------
    query
        A text.
    candidates
        Other texts; the first one means the same as the query.
    """

    query: str
    candidates: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The query and its candidates."""
        return (self.query, *self.candidates)


def word_overlap(questions: Sequence[SimilarityQuestion]) -> Floats:
    """Compare query and candidates by their words alone: shared words over all words (Jaccard, 1901).

    Returns
    -------
    ndarray
        float64, shape (questions, candidates).
    """

    def words(text: str) -> set[str]:
        return set(re.findall(r"[a-z]+", text.lower()))

    def shared(first: set[str], second: set[str]) -> float:
        return len(first & second) / len(first | second)

    return np.array([[shared(words(q.query), words(text)) for text in q.candidates] for q in questions])


def cosines(vectors: ArrayLike, questions: Sequence[SimilarityQuestion]) -> Floats:
    """Compare query and candidates by the cosine of their vectors.

    Parameters
    ----------
    vectors
        Shape (texts, size), or (texts, …), which is flattened: all texts of all questions in order, each
        query before its candidates.
    questions
        The questions, all with equally many candidates.

    Returns
    -------
    ndarray
        float64, shape (questions, candidates).

    Raises
    ------
    ValueError
        If there is not one vector for each text.
    """
    rows = np.asarray(vectors, dtype=np.float64)
    texts = sum(len(question.texts) for question in questions)
    if rows.ndim < 2 or len(rows) != texts:
        raise ArgumentError(
            f"vectors is {rows.shape} but the questions have {texts} texts: one row for each text is needed."
        )
    rows = rows.reshape(texts, -1)
    unit = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).reshape(len(questions), -1, rows.shape[1])
    similarities: Floats = (unit[:, :1] * unit[:, 1:]).sum(axis=-1)
    return similarities


def chosen(similarities: ArrayLike) -> Floats:
    """Find the candidate that is nearest to its query.

    Parameters
    ----------
    similarities
        Shape (questions, candidates).

    Returns
    -------
    ndarray
        float64, the same shape: 1 for the nearest candidate, 0 for the others; those that are equally near
        share the 1. The mean of column 0 is the accuracy.

    Examples
    --------
    >>> chosen([[0.9, 0.5, 0.1], [0.5, 0.5, 0.1]]).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
    """
    values = np.asarray(similarities, dtype=np.float64)
    if values.ndim != 2:
        raise ArgumentError(f"similarities is {values.shape}: (questions, candidates) is needed.")
    nearest = values >= values.max(axis=1, keepdims=True) - 1e-9  # rounding must not break a tie
    shares: Floats = nearest / nearest.sum(axis=1, keepdims=True)
    return shares
