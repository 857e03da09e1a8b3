"""Minimal pairs: is the right form more likely than the wrong one in the same place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.data.cloze import slot_log_probabilities
from bertviz_lite.evaluation.scores.results import NEEDED, Score

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

    from bertviz_lite.world import MinimalPair


def score_minimal_pairs(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, pairs: Sequence[MinimalPair]
) -> Score:
    """Compare the probability of the right and the wrong form in the same place."""
    slots = [(pair.before, word, pair.after) for pair in pairs for word in (pair.right, pair.wrong)]
    sums = slot_log_probabilities(model, tokenizer, slots).reshape(-1, 2)
    by_kind: dict[str, list[bool]] = defaultdict(list)
    for pair, (right, wrong) in zip(pairs, sums, strict=True):
        by_kind[pair.kind].append(bool(right > wrong))
    details = {kind: float(np.mean(results)) for kind, results in sorted(by_kind.items())}
    value = float(np.mean([result for results in by_kind.values() for result in results]))
    return Score(value, len(pairs), NEEDED["minimal_pairs"], {"chance": 0.5}, details)
