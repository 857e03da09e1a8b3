"""What a linear probe reads back from a word, a position and a segment that have become one vector."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.evaluation.probes.linear import linear_probe

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

__all__ = ["read_back"]

FITTED, SCORED = 8_000, 2_000


def read_back(
    words: npt.ArrayLike,
    positions: npt.ArrayLike,
    segments: npt.ArrayLike,
    *,
    shuffled: bool = False,
    through: Callable[[Floats], npt.ArrayLike] | None = None,
) -> dict[str, float]:
    """Fit three linear probes on combinations of rows, and score them on combinations that are new to them.

    A combination is a word, a position and a segment, all drawn with equal chances and none drawn twice.

    Parameters
    ----------
    words, positions, segments
        Tables of shape (rows, size), whose rows are added, as BERT adds them.
    shuffled
        True shuffles the labels before the fit: what a probe reads then is chance.
    through
        What the vectors pass before the probe reads them, such as a LayerNorm: (n, size) in, (n, size) out.

    Returns
    -------
    dict
        The share that is read right of "word", "position" and "segment", of 2,000 combinations.

    Raises
    ------
    ValueError
        If the tables have too few combinations for the fit and the score.
    """
    tables = [np.asarray(table, dtype=np.float64) for table in (words, positions, segments)]
    shape = tuple(len(table) for table in tables)
    if np.prod(shape) < FITTED + SCORED:
        raise ArgumentError(
            f"{shape} rows make {np.prod(shape)} combinations: {FITTED + SCORED:,} or more are needed."
        )
    draw = np.random.default_rng(0)
    chosen = np.unravel_index(draw.permutation(int(np.prod(shape)))[: FITTED + SCORED], shape)
    rows = [table[numbers] for table, numbers in zip(tables, chosen, strict=True)]
    vectors = rows[0] + rows[1] + rows[2]
    if through is not None:
        vectors = np.asarray(through(vectors), dtype=np.float64)
    right = {}
    for name, numbers in zip(("word", "position", "segment"), chosen, strict=True):
        labels = numbers.astype(str)
        fitted = draw.permutation(labels[:FITTED]) if shuffled else labels[:FITTED]
        read = linear_probe(vectors[:FITTED], fitted, vectors[FITTED:])
        right[name] = float((read == labels[FITTED:]).mean())
    return right
