"""A linear probe: least squares with a ridge, from vectors to tags."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.basics.arguments import ArgumentError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LinearProbe:
    """A linear map from vectors to one score for each tag; the largest score wins.

    Attributes
    ----------
    names
        The tags, sorted.
    mean
        float64, shape (size,): the mean of the vectors that it was fitted on.
    weights
        float64, shape (size, tags).
    shares
        float64, shape (tags,): how often each tag occurs; the scores of a vector at the mean.
    """

    names: NDArray[np.str_]
    mean: Floats
    weights: Floats
    shares: Floats

    @classmethod
    def fit(cls, vectors: Floats, tags: NDArray[np.str_], ridge: float = 1.0) -> LinearProbe:
        """Fit by least squares against one column of zeros and ones a tag, with a ridge penalty.

        Parameters
        ----------
        vectors
            float64, shape (n, size).
        tags
            The n tags.
        ridge
            The penalty, in units of the variance of `vectors` (mean over its columns). It acts as if so many
            more words without a tag lay along every axis.

        Raises
        ------
        ValueError
            If there is not one tag for each vector, or `ridge` is below 0.
        """
        vectors, tags = np.asarray(vectors), np.asarray(tags)
        if vectors.ndim != 2 or len(vectors) == 0 or np.shape(tags) != (len(vectors),):
            raise ArgumentError(
                f"vectors is {vectors.shape}, tags {np.shape(tags)}: (n, size) and (n,) are needed, "
                "one tag for each vector."
            )
        if not ridge >= 0:
            raise ArgumentError(f"ridge={ridge}: 0 or more is needed.")
        names, numbers = np.unique(tags, return_inverse=True)
        columns = np.eye(len(names))[numbers]
        mean, shares = vectors.mean(0), columns.mean(0)
        centred = vectors - mean
        # A variance of zero (all vectors the same) would leave nothing to divide by.
        penalty = ridge * (float((centred**2).mean()) or 1.0)
        weights = np.linalg.solve(
            centred.T @ centred + penalty * np.eye(vectors.shape[1]), centred.T @ (columns - shares)
        )
        return cls(names, mean, weights, shares)

    def tags(self, vectors: Floats) -> NDArray[np.str_]:
        """Return the tag with the largest score for each of some vectors, (m, size) -> (m,).

        Of tags whose scores are equal to nine decimals, the first: which of them is larger by the last bits
        differs from one processor to the next.
        """
        if np.ndim(vectors) != 2 or np.shape(vectors)[1] != len(self.mean):
            raise ArgumentError(
                f"vectors is {np.shape(vectors)}: (m, {len(self.mean)}) is needed, as for the fit."
            )
        scores = (np.asarray(vectors) - self.mean) @ self.weights + self.shares
        picked: NDArray[np.str_] = self.names[scores.round(9).argmax(1)]
        return picked


def linear_probe(fit: Floats, tags: NDArray[np.str_], score: Floats, ridge: float = 1.0) -> NDArray[np.str_]:
    """Fit a :class:`LinearProbe` on vectors with tags; return the tags that it predicts for other vectors.

    Parameters
    ----------
    fit, score
        float64, shape (n, size) and (m, size).
    tags
        The n tags of `fit`.
    ridge
        See :meth:`LinearProbe.fit`.

    Returns
    -------
    ndarray of str, shape (m,)
    """
    return LinearProbe.fit(fit, tags, ridge).tags(score)
