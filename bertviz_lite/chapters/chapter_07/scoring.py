"""How the chapter tells a score: for how many queries the same event is nearest, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bertviz_lite.chapters.chapter_07.same_event import CHANGES, KINDS_OF_CANDIDATES, changes_of, keeps_verbs
from bertviz_lite.evaluation.intervals import bootstrap_interval
from bertviz_lite.evaluation.similarity import chosen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bertviz_lite.evaluation.similarity import SimilarityQuestion

__all__ = ["closer", "hits", "lead", "nearest", "share"]


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


def closer(
    cosines: ArrayLike, questions: Sequence[SimilarityQuestion], one: str, other: str
) -> tuple[int, int]:
    """Count how often one candidate is closer than another, where both keep the query's verbs.

    Parameters
    ----------
    cosines
        Shape (questions, 5): of each query with its candidates.
    questions
        The questions.
    one, other
        Two of ``same_event.CHANGES``.

    Returns
    -------
    tuple
        In how many of these questions the first is closer to the query, and how many there are.
    """
    near, keep = np.asarray(cosines, float), np.array([keeps_verbs(question) for question in questions])
    first, second = CHANGES.index(one), CHANGES.index(other)
    fair = keep[:, first] & keep[:, second]
    return int((near[fair, first] > near[fair, second]).sum()), int(fair.sum())


def share(found: ArrayLike) -> str:
    """Tell the mean of `hits`, with the range that 95 of 100 draws of these questions have.

    Examples
    --------
    >>> share([1.0] * 150 + [0.0] * 50)
    '75% of 200 right (69% to 80%)'
    """
    values = np.asarray(found, float)
    low, high = bootstrap_interval(values)
    return f"{values.mean():.0%} of {len(values)} right ({low:.0%} to {high:.0%})"


def lead(found: ArrayLike, rival: ArrayLike) -> str:
    """Tell by how many points of a hundred some `hits` are ahead of others on the same questions.

    Examples
    --------
    >>> lead([0.0] * 200, [1.0] * 150 + [0.0] * 50)
    '-75 (-80 to -69)'
    """
    points = 100 * (np.asarray(found, float) - np.asarray(rival, float))
    low, high = bootstrap_interval(points)
    return f"{points.mean():+.0f} ({low:+.0f} to {high:+.0f})"
