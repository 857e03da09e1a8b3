"""The table of word embeddings, and what is near a word in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.basics.arguments import ArgumentError, whole_number

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["WordTable"]


@dataclass(frozen=True, eq=False)
class WordTable:
    """The vector of every entry of a vocabulary, before anything else is added to it.

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

        Raises
        ------
        ValueError
            If `token` is no entry of the vocabulary.
        """
        count = whole_number("count", count, least=1)
        if token not in self.tokens:
            raise ArgumentError(f"token={token!r:.60}: it is no entry of the vocabulary.")
        rows = self.vectors.astype(np.float64)
        number = self.tokens.index(token)
        lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(rows[number])
        others = (lengths > 0) & (
            np.arange(len(rows)) != number
        )  # [PAD] may be all zeros: it has no direction
        cosines = np.divide(rows @ rows[number], lengths, out=np.full(len(rows), -np.inf), where=others)
        order = np.argsort(-cosines, kind="stable")[: min(count, int(others.sum()))]
        return [(self.tokens[i], float(cosines[i])) for i in order]
