"""What was measured on one BERT, beside another: which findings hold in both, and beat guessing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bertviz_lite.chapters.chapter_13.english_sentences import BANK, PAIRS
from bertviz_lite.chapters.chapter_13.real_english import (
    nearer,
    occurrences,
    pair_cosines,
    sense_hits,
    sentence_vectors,
)
from bertviz_lite.chapters.chapter_13.words_and_heads import by_chance, same_group, where_heads_look
from bertviz_lite.evaluation.intervals import bootstrap_interval, interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["Finding", "bounds", "carries_over", "findings", "side"]


class Finding(NamedTuple):
    """A share, beside what guessing would give."""

    share: float
    guess: float
    scored: int
    """How many were scored; 0 where it is an average of weights."""
    ends: tuple[float, float] | None = None
    """The interval of an average of weights, by the bootstrap over texts."""


def findings(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    groups: Mapping[str, Sequence[str]],
    texts: Sequence[str],
) -> dict[str, Finding]:
    """Measure what this chapter measures.

    Parameters
    ----------
    model, tokenizer
        A BERT with eager attention.
    groups
        Words by their kind, each one token of the vocabulary.
    texts
        Sentences for the heads to look at.
    """
    last = sense_hits(occurrences(model, tokenizer).layers[-1])
    crossed = np.array([sentence.crossed for sentence in BANK])
    vectors = sentence_vectors(model, tokenizer, [text for entry in PAIRS for text in entry])
    before = nearer(pair_cosines(vectors["mean"]))
    looks = where_heads_look(model, tokenizer, texts)
    grouped, chance = same_group(model, tokenizer, groups), by_chance(groups)
    return {
        "neighbours of the same group": Finding(grouped.mean(), chance.mean(), len(grouped)),
        "bank, matched, last layer": Finding(last[~crossed].mean(), 0.5, int((~crossed).sum())),
        "bank, crossed, last layer": Finding(last[crossed].mean(), 0.5, int(crossed.sum())),
        **{
            f"same meaning before {relation}": Finding(hits.mean(), 0.5, len(hits))
            for relation, hits in before.items()
        },
        "best head for one place back": Finding(
            looks.before.max(), looks.evenly / 2, 0, bootstrap_interval(looks.best_before_by_text)
        ),
        "weight on [CLS] and [SEP]": Finding(
            looks.resting.mean(), looks.evenly, 0, bootstrap_interval(looks.resting_by_text)
        ),
    }


def bounds(finding: Finding) -> tuple[float, float]:
    """Return the two ends of a share's interval; the share itself, twice, where there is none."""
    share, _, scored, ends = finding
    return ends or (interval(round(share * scored), scored) if scored else (share, share))


def side(finding: Finding) -> str:
    """Say on which side of guessing a share lies, "open" where its interval holds both."""
    low, high = bounds(finding)
    return "above" if low > finding.guess else "below" if high < finding.guess else "open"


def carries_over(one: Finding, other: Finding) -> str:
    """Say whether two findings agree: "yes", "no", or "open" where neither is sure."""
    sides = {side(one), side(other)}
    if sides == {"open"}:
        return "open"
    return "yes" if len(sides) == 1 else "no"
