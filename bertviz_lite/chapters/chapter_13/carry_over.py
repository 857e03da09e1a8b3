"""What was measured on one BERT, beside another: which findings hold in both, and beat guessing or a rule."""

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
    shared_words,
)
from bertviz_lite.chapters.chapter_13.words_and_heads import by_chance, same_group, where_heads_look
from bertviz_lite.evaluation.intervals import bootstrap_interval, interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = ["Finding", "Rule", "beside_rules", "bounds", "carries_over", "findings", "side", "survives"]


class Rule(NamedTuple):
    """What a simple rule reaches on the same questions, and by how much a model is ahead of it."""

    name: str
    share: float
    lead: float
    """The model's share less the rule's."""
    ends: tuple[float, float]
    """The lead's interval, by the bootstrap over questions."""


class Finding(NamedTuple):
    """A share, beside what guessing would give."""

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
    seen = occurrences(model, tokenizer)
    last, around = sense_hits(seen.layers[-1]), sense_hits(seen.others)
    crossed = np.array([sentence.crossed for sentence in BANK])
    vectors = sentence_vectors(model, tokenizer, [text for entry in PAIRS for text in entry])
    before, by_words = nearer(pair_cosines(vectors["mean"])), nearer(shared_words())
    looks = where_heads_look(model, tokenizer, texts)
    grouped, chance = same_group(model, tokenizer, groups), by_chance(groups)
    return {
        "neighbours of the same group": Finding(grouped.mean(), chance.mean(), len(grouped)),
        "bank, matched, last layer": _beside(last[~crossed], "without bank", around[~crossed]),
        "bank, crossed, last layer": _beside(last[crossed], "without bank", around[crossed]),
        **{
            f"same meaning before {relation}": _beside(hits, "shared words", by_words[relation])
            for relation, hits in before.items()
        },
        "best head for one place back": Finding(
            looks.before.max(), looks.evenly / 2, 0, bootstrap_interval(looks.best_before_by_text)
        ),
        "weight on [CLS] and [SEP]": Finding(
            looks.resting.mean(), looks.evenly, 0, bootstrap_interval(looks.resting_by_text)
        ),
    }


def _beside(hits: NDArray[np.float64], name: str, of_rule: NDArray[np.float64]) -> Finding:
    """Put a model's hits beside a rule's on the same questions, of which a coin is right about half."""
    lead = hits - of_rule
    rule = Rule(name, of_rule.mean(), lead.mean(), bootstrap_interval(lead))
    return Finding(hits.mean(), 0.5, len(hits), rule=rule)


def bounds(finding: Finding) -> tuple[float, float]:
    """Return the two ends of a share's interval; the share itself, twice, where there is none."""
    share, _, scored, ends, _ = finding
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


def survives(one: Finding, other: Finding) -> str:
    """Say whether both findings lie on the same side of their simple rules; "no rule" where one has none."""
    if one.rule is None or other.rule is None:
        return "no rule"
    (low, high), (least, most) = one.rule.ends, other.rule.ends
    return "yes" if min(low, least) > 0 or max(high, most) < 0 else "no"


def beside_rules(found: Mapping[str, Mapping[str, Finding]]) -> list[str]:
    """Write how far two models are ahead of their simple rules, and which answers stand beside them.

    A line for each answer: both models' leads in points, whether it carries over beside guessing, and whether
    it survives the rule. The last line counts what becomes of those that carry over.
    """
    one, other = found.values()
    width = max(map(len, one))
    first, second = found
    lines = [_row(width, "points ahead of the rule", first, second, "guessing", "rule")]
    fates = []
    for name in one:
        lead, others = _lead(one[name].rule), _lead(other[name].rule)
        beside_guessing, fate = carries_over(one[name], other[name]), survives(one[name], other[name])
        fates += [fate] if beside_guessing == "yes" else []
        lines.append(_row(width, name, lead, others, beside_guessing, fate))
    kept, fallen, alone = (fates.count(fate) for fate in ("yes", "no", "no rule"))
    lines.append(
        f"{len(fates)} yes beside guessing: {kept} survive the rule, {fallen} fall, {alone} have none"
    )
    return lines


def _lead(rule: Rule | None) -> str:
    if rule is None:
        return ""
    low, high = rule.ends
    return f"{100 * rule.lead:+.0f} ({100 * low:+.0f} to {100 * high:+.0f})"


def _row(width: int, name: str, one: str, other: str, beside_guessing: str, beside_rule: str) -> str:
    return f"{name:{width}}  {one:>16}  {other:>16}  {beside_guessing:8}  {beside_rule}"
