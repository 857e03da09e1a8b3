"""Accuracy, exact match and F1 of names over many answers, each with its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.evaluation.intervals import interval
from bertviz_lite.evaluation.task_scores.results import Answer, Result


def accuracy(answers: Sequence[Answer]) -> Result:
    """Score labels: the share that is right, with Wilson's interval."""
    hits = [answer.right for answer in answers]
    parts = _accuracies(answers, lambda answer: answer.true)
    return Result(
        "accuracy", float(np.mean(hits)), interval(sum(hits), len(hits)), "Wilson", tuple(answers), parts
    )


def exact_match(answers: Sequence[Answer]) -> Result:
    """Score answers to questions: the share that is right word by word, with Wilson's interval."""
    hits = [answer.right for answer in answers]
    parts = _accuracies(answers, lambda answer: "answered by the story" if answer.true else "not answered")
    parts["F1 of words"] = float(np.mean([word_f1(answer.predicted, answer.true) for answer in answers]))
    return Result(
        "exact match", float(np.mean(hits)), interval(sum(hits), len(hits)), "Wilson", tuple(answers), parts
    )


def _accuracies(answers: Sequence[Answer], group: Callable[[Answer], str]) -> dict[str, float]:
    """Return the accuracy among the answers of each group."""
    hits: dict[str, list[bool]] = {}
    for answer in answers:
        hits.setdefault(group(answer), []).append(answer.right)
    return {name: float(np.mean(hits[name])) for name in sorted(hits)}


def name_f1(answers: Sequence[Answer]) -> Result:
    """Score tags by the names that they mark: F1 over all texts together."""
    if not answers:
        raise ArgumentError("answers is empty: give the answers to one or more texts.")
    counts = _span_counts(answers)
    draws = np.random.default_rng(0).integers(0, len(counts), (2_000, len(counts)))
    low, high = np.quantile(_f1(counts[draws].sum(1)), (0.025, 0.975))
    kinds = ("person", "pet", "place")
    parts = {name: float(_f1(_span_counts(answers, name).sum(0))) for name in kinds}
    tags = [tag for answer in answers for tag in zip(answer.predicted, answer.true, strict=True)]
    parts["accuracy of tags"] = float(np.mean([predicted == true for predicted, true in tags]))
    value = float(_f1(counts.sum(0)))
    return Result("F1 of names", value, (float(low), float(high)), "bootstrap", tuple(answers), parts)


def _span_counts(answers: Sequence[Answer], name: str | None = None) -> NDArray[np.int64]:
    """Count in each text the names that are right, true and predicted; of one kind, or all."""
    rows = []
    for answer in answers:
        true, predicted = (
            {span for span in spans_of(tags) if name in (None, span[2])}
            for tags in (answer.true, answer.predicted)
        )
        rows.append((len(true & predicted), len(true), len(predicted)))
    return np.array(rows)


def spans_of(tags: Sequence[str]) -> set[tuple[int, int, str]]:
    """Return first word, the one after the last, and kind of all names that some tags mark.

    An I- that goes on with nothing begins a name, as in the scoring script of CoNLL-2003.

    Examples
    --------
    >>> sorted(spans_of(("B-person", "I-person", "O", "B-pet", "I-place")))
    [(0, 2, 'person'), (3, 4, 'pet'), (4, 5, 'place')]
    """
    spans: list[tuple[int, int, str]] = []
    for at, tag in enumerate(tags):
        mark, _, name = tag.partition("-")
        if mark == "I" and spans and spans[-1][1:] == (at, name):
            spans[-1] = (spans[-1][0], at + 1, name)
        elif mark in ("B", "I"):
            spans.append((at, at + 1, name))
    return set(spans)


def _f1(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return 2 · hits / (true + predicted), for counts of shape (…, 3); 1 where there is nothing to find."""
    hits, true, predicted = np.moveaxis(counts, -1, 0)
    return np.where(true + predicted > 0, 2 * hits / np.maximum(true + predicted, 1), 1.0)


def word_f1(predicted: str, true: str) -> float:
    """Return the F1 of the words of two answers, as for SQuAD (https://arxiv.org/abs/1606.05250).

    Examples
    --------
    >>> round(word_f1("the bed", "under the bed"), 2), word_f1("", "")
    (0.8, 1.0)
    """
    ours, theirs = predicted.lower().split(), true.lower().split()
    if not ours or not theirs:
        return float(ours == theirs)
    shared = sum(min(ours.count(word), theirs.count(word)) for word in set(ours))
    return 2 * shared / (len(ours) + len(theirs))
