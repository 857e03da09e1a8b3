"""Which sentence is nearest, by the mean of a BERT's vectors, and what a small word does to a vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bertviz_lite.chapters.chapter_13.english_sentences import EXCHANGED, PAIRS, WORDINGS
from bertviz_lite.chapters.chapter_13.real_english import report, sentence_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["IN_ITS_PLACE", "Moved", "by_wording", "cosines", "little_words", "ranked", "said"]

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


class Moved(NamedTuple):
    """How near sentences stay when they get a *not*, and when another word stands in its place."""

    denied: NDArray[np.float64]
    """A cosine to the plain sentence, for each sentence of ``PAIRS``: (20,)."""
    others: dict[str, NDArray[np.float64]]
    """The same for each word of ``IN_ITS_PLACE``."""
    exchanged: NDArray[np.float64]
    """The same for one word exchanged for a near synonym: one word too, and the meaning stays."""
    without: NDArray[np.float64]
    """The same for the denial without its *not*: what a *does* or *did* does alone; 1 where none came."""


def little_words(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> Moved:
    """Put other small words where the denials of ``PAIRS`` have their *not*.

    All else stays, a *does* or *did* that came with the *not* included. Beside them, ``EXCHANGED``, and what
    is left of the denial without any such word.
    """
    texts = [entry[0] for entry in PAIRS]
    by_change = {
        word: [entry[2].replace(" not ", f" {word} ") for entry in PAIRS] for word in ("not", *IN_ITS_PLACE)
    }
    without = [entry[2].replace(" not ", " ") for entry in PAIRS]
    found = {}
    for name, changed in (by_change | {"exchanged": EXCHANGED, "without": without}).items():
        vectors = sentence_vectors(model, tokenizer, [*texts, *changed])["mean"]
        unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        found[name] = (unit[: len(texts)] * unit[len(texts) :]).sum(axis=1)
    denied, exchanged, bare = (found.pop(name) for name in ("not", "exchanged", "without"))
    return Moved(denied, found, exchanged, bare)


def said(moved: Moved, reworded: NDArray[np.float64]) -> str:
    """Write how near each change leaves a sentence, and how often the *not* moves it further.

    Parameters
    ----------
    moved
        What `little_words` found.
    reworded
        The cosine of each sentence to the same meaning in other words.

    Returns
    -------
    str
        A line for each change; in brackets the share's 95 % interval.
    """
    lines = [f"{'':13} mean cosine to the plain sentence", f"{'not':13} {moved.denied.mean():.2f}"]
    for word, kept in (moved.others | {"near synonym": moved.exchanged}).items():
        further = moved.denied < kept
        counted = f"the not moves it further in {further.sum():2} of {len(further)}"
        lines.append(f"{word:13} {kept.mean():.2f}   {counted}, {report(further.astype(float)).strip()}")
    lines.append(f"{'reworded':13} {reworded.mean():.2f}   the same meaning in other words")
    return "\n".join(lines)


def by_wording(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> NDArray[np.float64]:
    """Compare each sentence of ``WORDINGS`` with its four others by the cosine: (sentences, 2, 2).

    First index: its words are kept, or changed. Second: its meaning is kept, or denied.
    """
    return np.array([cosines(model, tokenizer, text, others) for text, *others in WORDINGS]).reshape(-1, 2, 2)
