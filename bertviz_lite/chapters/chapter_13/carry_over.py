"""What was measured on one BERT, beside another: which findings hold in both, and beat guess and rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bertviz_lite.chapters.chapter_13.english_sentences import BANK, TOWN_PAIRS
from bertviz_lite.chapters.chapter_13.real_english import (
    QUESTIONS,
    nearer,
    occurrences,
    pair_cosines,
    rules,
    sense_hits,
    sentence_vectors,
)
from bertviz_lite.chapters.chapter_13.words_and_heads import by_chance, same_group, where_heads_look
from bertviz_lite.evaluation.intervals import bootstrap_interval, interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = [
    "Finding",
    "Rule",
    "ahead",
    "both_beat",
    "both_show",
    "bounds",
    "findings",
    "of_bank",
    "rival",
    "side",
]


class Rule(NamedTuple):
    """What a simple rule reaches on the same questions, and by how much a model is ahead of it."""

    name: str
    share: float
    lead: float
    """The model's share less the rule's."""
    ends: tuple[float, float]
    """The lead's interval, by the bootstrap over questions."""
    room: bool = True
    """Whether a model that is right in every question would be surely ahead."""


class Finding(NamedTuple):
    """A share, beside what guessing would give (for the best of all heads: the best for another place)."""

    share: float
    guess: float
    scored: int
    """How many were scored; 0 where it is an average of weights."""
    ends: tuple[float, float] | None = None
    """The interval of an average of weights, by the bootstrap over texts."""
    rule: Rule | None = None
    """The baseline, where there is one besides guessing."""


def findings(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    groups: Mapping[str, Sequence[str]],
    texts: Sequence[str],
) -> dict[str, Finding]:
    """Measure what can be asked of two models in words that both have whole.

    Parameters
    ----------
    model, tokenizer
        A BERT with eager attention.
    groups
        Words by their kind, each one token of the vocabulary.
    texts
        Sentences for the heads to look at.
    """
    of_pairs = [text for entry in TOWN_PAIRS for text in entry]
    before = nearer(pair_cosines(sentence_vectors(model, tokenizer, of_pairs)["mean"]))
    by_rule = {name: nearer(found) for name, found in rules(model, tokenizer, TOWN_PAIRS).items()}
    looks = where_heads_look(model, tokenizer, texts)
    grouped, chance = same_group(model, tokenizer, groups), by_chance(groups)
    return {
        "neighbours of the same group": Finding(grouped.mean(), chance.mean(), len(grouped)),
        **{
            QUESTIONS[relation]: _beside_better(
                hits, {name: rule[relation] for name, rule in by_rule.items()}
            )
            for relation, hits in before.items()
        },
        # The best of many heads needs a rival that is a best of as many.
        "best of all heads, one place back": Finding(
            looks.before.max(), looks.two_before.max(), 0, bootstrap_interval(looks.best_before_by_text)
        ),
        "weight on [CLS] and [SEP]": Finding(
            looks.resting.mean(), looks.evenly, 0, bootstrap_interval(looks.resting_by_text)
        ),
    }


def of_bank(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> dict[str, Finding]:
    """Measure how often the last layer tells the two senses of *bank* in ``BANK``, in everyday English."""
    seen = occurrences(model, tokenizer)
    last, around = sense_hits(seen.layers[-1]), sense_hits(seen.others)
    crossed = np.array([sentence.crossed for sentence in BANK])
    return {
        "bank, matched, last layer": _beside(last[~crossed], "without bank", around[~crossed]),
        "bank, crossed, last layer": _beside(last[crossed], "without bank", around[crossed]),
    }


def _beside(hits: NDArray[np.float64], name: str, of_rule: NDArray[np.float64]) -> Finding:
    """Put a model's hits beside a rule's on the same questions, of which a coin is right about half."""
    lead = hits - of_rule
    room = bootstrap_interval(1 - of_rule)[0] > 0
    rule = Rule(name, of_rule.mean(), lead.mean(), bootstrap_interval(lead), room)
    return Finding(hits.mean(), 0.5, len(hits), rule=rule)


def _beside_better(hits: NDArray[np.float64], rules: Mapping[str, NDArray[np.float64]]) -> Finding:
    """Put a model's hits beside the better of some rules, the first where two are as good."""
    name = max(rules, key=lambda rule: float(rules[rule].mean()))
    return _beside(hits, name, rules[name])


def bounds(finding: Finding) -> tuple[float, float]:
    """Return the two ends of a share's interval; the share itself, twice, where there is none."""
    share, _, scored, ends, _ = finding
    return ends or (interval(round(share * scored), scored) if scored else (share, share))


def side(finding: Finding) -> str:
    """Say on which side of guessing a share lies, "open" where its interval holds both."""
    low, high = bounds(finding)
    return _side(low - finding.guess, high - finding.guess)


def _side(low: float, high: float) -> str:
    """Say on which side of 0 an interval lies."""
    return "above" if low > 0 else "below" if high < 0 else "open"


def both_show(one: Finding, other: Finding) -> str:
    """Say whether two models both beat guessing: "yes", "both fail" (both are below it), or "no"."""
    return _agreed(side(one), side(other))


def _agreed(*sides: str) -> str:
    return "no" if len({*sides}) > 1 else {"above": "yes", "below": "both fail"}.get(sides[0], "no")


def rival(finding: Finding) -> str:
    """Name the better of guessing and the simple rule; guessing also where both are as good."""
    rule = finding.rule
    return rule.name if rule is not None and rule.share > finding.guess else "guessing"


def ahead(finding: Finding) -> tuple[float, float, float]:
    """Say how far a model is ahead of its rival, the better of guessing and the rule: (lead, low, high)."""
    if finding.rule is not None and rival(finding) == finding.rule.name:
        return finding.rule.lead, *finding.rule.ends
    low, high = bounds(finding)
    return finding.share - finding.guess, low - finding.guess, high - finding.guess


def both_beat(one: Finding, other: Finding) -> str:
    """Say whether two models both beat the better of guessing and the rule, as `both_show` says it.

    "no room" where the rule is so good that even a model without a mistake would not be surely ahead of it.
    """
    for finding in (one, other):
        if finding.rule is not None and rival(finding) == finding.rule.name and not finding.rule.room:
            return "no room"
    return _agreed(*(_side(*ahead(finding)[1:]) for finding in (one, other)))
