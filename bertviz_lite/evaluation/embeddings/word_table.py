"""The table of word embeddings, and what is near a word in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.basics.arguments import ArgumentError, whole_number

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["WordTable"]

_AT_ONCE = 256
"""Entries for which cosines with all others are held at once."""


@dataclass(frozen=True, eq=False)
class WordTable:
    """The vector of every entry of a vocabulary, before anything else is added to it.

    What is near a word is told by the cosine of what its vector has of its own: less the mean of all vectors.
    In some models the vectors share so much that every word is near every other.

    Parameters
    ----------
    tokens
        The entries, by id.
    vectors
        The model's own numbers, shape (vocab_size, hidden_size); not a copy.

    Raises
    ------
    ValueError
        If there are not as many vectors as tokens.
    """

    tokens: tuple[str, ...] = field(repr=False)
    vectors: npt.NDArray[np.float32] = field(repr=False)

    def __post_init__(self) -> None:
        if self.vectors.ndim != 2 or len(self.vectors) != len(self.tokens):
            raise ArgumentError(
                f"vectors is {self.vectors.shape} but there are {len(self.tokens)} tokens: "
                "it must be (vocab_size, hidden_size)."
            )

    def __repr__(self) -> str:
        return f"WordTable({len(self.tokens)} tokens, hidden_size={self.vectors.shape[1]})"

    def nearest(self, token: str, count: int = 10) -> list[tuple[str, float]]:
        """Return the entries whose vectors have the largest cosine with that of `token`, itself left out.

        The mean of all vectors is taken off each of them first; vectors of zeros count for nothing.

        Raises
        ------
        ValueError
            If `token` is no entry of the vocabulary.
        """
        count = whole_number("count", count, least=1)
        if token not in self.tokens:
            raise ArgumentError(f"token={token!r:.60}: it is no entry of the vocabulary.")
        ids, cosines = self._nearest(np.array([self.tokens.index(token)]), count)
        found = zip(ids[0].tolist(), cosines[0].tolist(), strict=True)
        return [(self.tokens[i], cosine) for i, cosine in found if cosine > -np.inf]

    def all_nearest(self, count: int = 10) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Return what :meth:`nearest` finds for every entry: ids and cosines, each (vocab_size, count).

        Where there are fewer, the cosine is -inf.
        """
        every = np.arange(len(self.tokens))
        parts = [self._nearest(every[start : start + _AT_ONCE], count) for start in every[::_AT_ONCE]]
        ids, cosines = zip(*parts, strict=True)
        return np.concatenate(ids), np.concatenate(cosines)

    @cached_property
    def _directions(self) -> npt.NDArray[np.float64]:
        """The vectors less their mean, with length 1; [PAD] may be all zeros, and stays so."""
        rows = self.vectors.astype(np.float64)
        filled = rows.any(axis=1)
        rows[filled] -= rows[filled].mean(axis=0) if filled.any() else 0.0
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        directions: npt.NDArray[np.float64] = np.divide(
            rows, lengths, out=np.zeros_like(rows), where=lengths > 0
        )
        return directions

    def _nearest(
        self, numbers: npt.NDArray[np.int64], count: int
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        rows = self._directions
        none = np.flatnonzero(np.abs(rows).sum(axis=1) == 0)
        cosines = rows[numbers] @ rows.T
        cosines[np.isin(numbers, none)] = -np.inf
        cosines[:, none] = -np.inf
        cosines[np.arange(len(numbers)), numbers] = -np.inf
        ids = np.argsort(-cosines, axis=1, kind="stable")[:, :count]
        return ids, np.take_along_axis(cosines, ids, axis=1)
