"""How the chapter scores: which queries have found the same event, and which candidates are nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bertviz_lite.chapters.chapter_07.same_event import KINDS_OF_CANDIDATES, changes_of
from bertviz_lite.evaluation.similarity import chosen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bertviz_lite.evaluation.similarity import SimilarityQuestion

__all__ = ["by_kind", "hits", "nearest"]


def hits(cosines: ArrayLike) -> NDArray[np.float64]:
    """Say which queries have found their partner.

    Parameters
    ----------
    cosines
        Shape (questions, candidates): of each query with its candidates, the same event first.

    Returns
    -------
    ndarray
        float64, shape (questions,): 1 where the same event is nearest, 0 elsewhere; a tie counts in part.
    """
    return chosen(cosines)[:, 0]


def nearest(cosines: ArrayLike, questions: Sequence[SimilarityQuestion]) -> NDArray[np.float64]:
    """Say how often each kind of candidate is nearest, of the queries that have such a candidate.

    Parameters
    ----------
    cosines
        Shape (questions, 5): of each query with its candidates.
    questions
        The questions.

    Returns
    -------
    ndarray
        float64, a share for each of `same_event.KINDS_OF_CANDIDATES`. They don't add up to 1: only some of
        the queries have a candidate that is *swapped*, and only the others one that is *both others*.
    """
    takes, kinds = chosen(cosines), np.array([changes_of(question) for question in questions])
    return np.array([takes[kinds == kind].mean() for kind in KINDS_OF_CANDIDATES])


def by_kind(
    runs: Mapping[str, Sequence[NDArray[np.float64]]], kinds: Mapping[str, Sequence[bool]]
) -> list[tuple[str, list[float]]]:
    """Return the rows of `figures.two_orders`: for each kind a heading, and what each training finds of it.

    Parameters
    ----------
    runs
        Names of trainings, and for each the `hits` of its runs.
    kinds
        Names of kinds, and which questions are of it.

    Examples
    --------
    >>> by_kind({"all": [np.array([1.0, 0.0, 1.0])]}, {"gifts": [True, True, False]})
    [('gifts (2 questions)', []), ('all', [0.5])]
    """
    rows: list[tuple[str, list[float]]] = []
    for kind, chosen_ones in kinds.items():
        of_kind = np.array(chosen_ones)
        rows.append((f"{kind} ({of_kind.sum()} questions)", []))
        rows += [(name, [float(each[of_kind].mean()) for each in hit]) for name, hit in runs.items()]
    return rows
