"""Sentences on which a model may fail: how often the same meaning is nearer, and when a lead is sure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.chapters.chapter_13.nearness import cosines
from bertviz_lite.chapters.chapter_13.real_english import overlap
from bertviz_lite.evaluation.intervals import bootstrap_interval, interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["lead", "report"]


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


def lead(of_model: Sequence[int], of_rule: Sequence[int]) -> str:
    """Say how far a model is ahead of a rule on the same questions, and whether that is sure.

    Parameters
    ----------
    of_model, of_rule
        1 where it is right and 0 where it isn't, question by question: both (questions,).

    Returns
    -------
    str
        How often each is right, the lead in points with its 95 % interval (the bootstrap over questions),
        and "sure" where the interval leaves out 0.

    Raises
    ------
    ValueError
        Where the two are not as long, empty, or hold anything but 1 and 0.

    Examples
    --------
    >>> lead([1, 1, 1, 1], [0, 0, 0, 0])
    '4 of 4 and 0 of 4: +100 points (+100 to +100), sure'
    """
    if len(of_model) != len(of_rule) or not len(of_model):
        raise ArgumentError(
            f"of_model has {len(of_model)} answers, of_rule {len(of_rule)}: give both for the same questions."
        )
    if not {*of_model, *of_rule} <= {0, 1}:
        raise ArgumentError("of_model and of_rule: give 1 for each right answer, 0 for each wrong one.")
    ahead = np.subtract(of_model, of_rule)
    low, high = bootstrap_interval(ahead)
    scores = " and ".join(f"{sum(each)} of {len(each)}" for each in (of_model, of_rule))
    verdict = "sure" if low > 0 or high < 0 else "not sure"
    mean, low, high = (round(100 * float(share)) for share in (ahead.mean(), low, high))
    points = f"{mean:+d} points ({low:+d} to {high:+d})"
    return f"{scores}: {points}, {verdict}"


def _right(same: float, trap: float) -> float:
    """Return 1 where the same meaning is nearer, 0 where the trap is, and a half for a tie."""
    return float(np.sign(same - trap) + 1) / 2
