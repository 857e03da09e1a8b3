"""Sentences on which a model may fail: how often the same meaning is nearer than a trap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.chapters.chapter_13.nearness import cosines
from bertviz_lite.chapters.chapter_13.real_english import overlap
from bertviz_lite.evaluation.intervals import interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["report"]


def report(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, triples: Sequence[tuple[str, str, str]]
) -> str:
    """Write for each triple which text a model has nearer, and how often it is the same meaning.

    Parameters
    ----------
    model, tokenizer
        A BERT, asked by the mean of its vectors.
    triples
        A sentence, the same meaning in other words, and a trap.

    Returns
    -------
    str
        A line for each triple, then the model's score and that of the words that two texts share (a tie
        counts half), each with its 95 % interval.

    Raises
    ------
    ValueError
        Where there is no triple, or one is not three texts.
    """
    if not triples:
        raise ArgumentError("triples is empty: give one or more (sentence, same meaning, trap).")
    for number, triple in enumerate(triples, start=1):
        parts: Sequence[Any] = triple
        if isinstance(parts, str) or len(parts) != 3 or not all(isinstance(text, str) for text in parts):
            raise ArgumentError(f"triple {number} is {triple!r}: give (sentence, same meaning, trap).")
    lines = ["same   trap"]
    hits: dict[str, list[float]] = {"the model": [], "shared words": []}
    for text, same, trap in triples:
        found = cosines(model, tokenizer, text, [same, trap])
        shared = overlap(text, same), overlap(text, trap)
        hits["the model"].append(_right(found[0], found[1]))
        hits["shared words"].append(_right(*shared))
        fell = "" if found[0] > found[1] else "   fell into the trap"
        lines.append(f"{found[0]:.2f}   {found[1]:.2f}   {trap}{fell}")
    for name, each in hits.items():
        low, high = interval(round(sum(each)), len(each))
        score = f"{sum(each):g} of {len(each)}"
        lines.append(f"{name:12} right in {score} ({low:.0%} to {high:.0%})")
    return "\n".join(lines)


def _right(same: float, trap: float) -> float:
    """Return 1 where the same meaning is nearer, 0 where the trap is, and a half for a tie."""
    return float(np.sign(same - trap) + 1) / 2
