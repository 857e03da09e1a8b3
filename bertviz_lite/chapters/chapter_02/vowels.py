"""Whether nouns that begin with a vowel lie near each other in a table of word embeddings."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.world import stories

if TYPE_CHECKING:
    from collections.abc import Container

    import numpy.typing as npt

__all__ = ["share_of_vowels", "singular_nouns"]


def singular_nouns(vocabulary: Container[str], n: int = 2_000) -> list[str]:
    """Return the words of `n` stories that are mostly nouns, are one token, and do not end in s."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for story in stories(seed=7, n=n):
        for word in story.words:
            kinds[word.text.lower()][word.pos] += 1
    return sorted(
        word
        for word, counts in kinds.items()
        if counts.most_common(1)[0][0] == "NOUN"
        and word in vocabulary
        and word.isalpha()
        and not word.endswith("s")
    )


def share_of_vowels(nouns: list[str], rows: npt.ArrayLike, k: int = 5) -> dict[bool, tuple[int, int]]:
    """Count, among the `k` nearest nouns, those that begin with a vowel.

    Parameters
    ----------
    nouns
        The nouns.
    rows
        Their vectors, shape (len(nouns), size).
    k
        How many neighbours each noun has.

    Returns
    -------
    dict
        For the nouns that begin with a vowel (True) and for the others (False): how many of their
        neighbours do, and how many neighbours they have in all.
    """
    vectors = np.asarray(rows, dtype=np.float64)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = (-cosines).argsort(axis=1)[:, :k]
    vowel = np.array([noun[0] in "aeiou" for noun in nouns])
    return {
        kind: (int(vowel[nearest][vowel == kind].sum()), int((vowel == kind).sum()) * k)
        for kind in (True, False)
    }
