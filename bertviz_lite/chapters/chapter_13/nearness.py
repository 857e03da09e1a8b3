"""Which sentence is nearest, by the mean of a BERT's vectors, and what a small word does to a vector."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.chapters.chapter_13.english_sentences import ANOTHER_THING, EXCHANGED, PAIRS
from bertviz_lite.chapters.chapter_13.real_english import sentence_vectors, word_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["IN_ITS_PLACE", "cosines", "little_words", "one_word", "ranked"]

IN_ITS_PLACE = ("also", "really", "still", "now", "certainly")
"""Small words that can stand where a *not* stands."""


def cosines(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, text: str, others: Sequence[str]
) -> NDArray[np.float64]:
    """Compare a text with others, by the cosine of the means of their tokens' vectors: (others,)."""
    vectors = sentence_vectors(model, tokenizer, [text, *others])["mean"]
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    found: NDArray[np.float64] = unit[1:] @ unit[0]
    return found


def ranked(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, text: str, others: Sequence[str]
) -> dict[str, float]:
    """Order texts by their cosine to one, the nearest first."""
    found = dict(zip(others, cosines(model, tokenizer, text, others).tolist(), strict=True))
    return dict(sorted(found.items(), key=lambda entry: -entry[1]))


def little_words(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    pairs: Sequence[Sequence[str]] = PAIRS,
    *,
    layers: bool = True,
) -> dict[str, NDArray[np.float64]]:
    """Put other small words where the denials of ``PAIRS``, or ``TOWN_PAIRS``, have their *not*.

    All else stays, a *does* or *did* that came with the *not* included. Without ``layers``, a sentence is the
    mean of its rows in the word table.

    Returns
    -------
    dict
        By the change ("also" and the others of ``IN_ITS_PLACE``, then "not") a cosine to the plain sentence
        for each sentence: (20,).
    """
    by_change = {
        word: [entry[2].replace(" not ", f" {word} ") for entry in pairs] for word in (*IN_ITS_PLACE, "not")
    }
    return _kept(model, tokenizer, [entry[0] for entry in pairs], by_change, layers=layers)


def one_word(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, *, layers: bool = True
) -> dict[str, NDArray[np.float64]]:
    """Exchange one word of each of ``PAIRS``: for a near synonym, or for another thing.

    ``layers`` is as for `little_words`.

    Returns
    -------
    dict
        By the change ("near synonym", "another thing") a cosine to the plain sentence for each: (20,).
    """
    by_change = {"near synonym": [*EXCHANGED], "another thing": [*ANOTHER_THING]}
    return _kept(model, tokenizer, [entry[0] for entry in PAIRS], by_change, layers=layers)


def _kept(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    texts: list[str],
    by_change: Mapping[str, list[str]],
    *,
    layers: bool,
) -> dict[str, NDArray[np.float64]]:
    """Compare each changed text with the plain one: a cosine for each, by change."""
    every = [*texts, *chain.from_iterable(by_change.values())]
    if layers:
        vectors = sentence_vectors(model, tokenizer, every)["mean"]
    else:
        vectors = word_rows(model, tokenizer, every)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    plain, *changed = unit.reshape(1 + len(by_change), len(texts), -1)
    return {name: (plain * rows).sum(axis=1) for name, rows in zip(by_change, changed, strict=True)}
