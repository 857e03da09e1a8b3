"""The attention head that follows a relation, chosen on half of the stories and scored on the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.data.encoded_stories import EncodedStory
from bertviz_lite.evaluation.probes.relations import Relation
from bertviz_lite.evaluation.probes.weights import largest_weights

if TYPE_CHECKING:
    from transformers import BertForPreTraining


@dataclass(frozen=True)
class HeadResult:
    """The best head for a relation, chosen on one half of the occurrences and scored on the other.

    Attributes
    ----------
    accuracy
        Share of the words whose largest weight, [CLS] and [SEP] left out, falls on a target.
    with_special
        The same with [CLS] and [SEP] taking part.
    layer, head
        The head.
    guess
        Accuracy of always looking at the same distance.
    offset
        This distance, in tokens: -1 is the token before.
    occurrences
        Words in the scored half.
    """

    accuracy: float
    with_special: float
    layer: int
    head: int
    guess: float
    offset: int
    occurrences: int


def score_heads(
    model: BertForPreTraining, encoded: Sequence[EncodedStory], relations: Sequence[Relation]
) -> HeadResult:
    """Score all heads for one relation; stories of even number choose, the others score."""
    return best_head(relations, *largest_weights(model, encoded, relations))


def best_head(
    relations: Sequence[Relation], without: NDArray[np.int64], with_special: NDArray[np.int64]
) -> HeadResult:
    """Score all heads for one relation from the result of ``largest_weights``."""
    nothing = float("nan")
    choosing = np.array([relation.story % 2 == 0 for relation in relations], dtype=bool)
    if choosing.all() or not choosing.any():
        return HeadResult(nothing, nothing, 0, 0, nothing, 0, 0)
    hits = np.array(
        [np.isin(places, relation.targets) for places, relation in zip(without, relations, strict=True)]
    )
    shares = hits[choosing].mean(0)
    layer, head = (int(index) for index in np.unravel_index(shares.argmax(), shares.shape))
    hits_with = np.array(
        [
            place in relation.targets
            for place, relation in zip(with_special[:, layer, head], relations, strict=True)
        ]
    )
    offset = best_offset([relation for relation, chooses in zip(relations, choosing, strict=True) if chooses])
    guessed = np.array([relation.start + offset in relation.targets for relation in relations])
    return HeadResult(
        accuracy=float(hits[~choosing, layer, head].mean()),
        with_special=float(hits_with[~choosing].mean()),
        layer=layer,
        head=head,
        guess=float(guessed[~choosing].mean()),
        offset=offset,
        occurrences=int((~choosing).sum()),
    )


def best_offset(relations: Sequence[Relation]) -> int:
    """Return the most frequent distance of a target, in tokens; the smallest one where several are."""
    counts: dict[int, int] = defaultdict(int)
    for relation in relations:
        for target in relation.targets:
            counts[target - relation.start] += 1
    return min(counts, key=lambda offset: (-counts[offset], abs(offset)))
