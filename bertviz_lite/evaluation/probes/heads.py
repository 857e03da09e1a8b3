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
class Misleading:
    """The scored occurrences on which a simple rule is wrong: does a head know more than the rule.

    Attributes
    ----------
    accuracy
        Of the head that is best on all occurrences.
    best
        Of the head that is best where the rule is wrong, chosen on the other half.
    layer, head
        That head.
    guess, nearest
        Of the two rules; the one that misleads has 0.
    occurrences
        How many there are.
    """

    accuracy: float
    best: float
    layer: int
    head: int
    guess: float
    nearest: float
    occurrences: int


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
    nearest
        Accuracy of always looking at the nearest noun or name before the word (``Relation.nearest``).
    offset_misleads, nearest_misleads
        The occurrences on which always looking at the same distance, or at the nearest noun, is wrong. None
        where there are none.
    """

    accuracy: float
    with_special: float
    layer: int
    head: int
    guess: float
    offset: int
    occurrences: int
    nearest: float = float("nan")
    offset_misleads: Misleading | None = None
    nearest_misleads: Misleading | None = None


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
    nearest = np.array([bool({*relation.nearest} & {*relation.targets}) for relation in relations])
    return HeadResult(
        accuracy=float(hits[~choosing, layer, head].mean()),
        with_special=float(hits_with[~choosing].mean()),
        layer=layer,
        head=head,
        guess=float(guessed[~choosing].mean()),
        offset=offset,
        occurrences=int((~choosing).sum()),
        nearest=float(nearest[~choosing].mean()),
        offset_misleads=_misleading(~guessed, choosing, hits, (layer, head), (guessed, nearest)),
        nearest_misleads=_misleading(~nearest, choosing, hits, (layer, head), (guessed, nearest)),
    )


def _misleading(
    wrong: NDArray[np.bool_],
    choosing: NDArray[np.bool_],
    hits: NDArray[np.bool_],
    chosen: tuple[int, int],
    rules: tuple[NDArray[np.bool_], NDArray[np.bool_]],
) -> Misleading | None:
    """Score the chosen head, the best one and both rules on the occurrences in ``wrong``."""
    to_choose, to_score = wrong & choosing, wrong & ~choosing
    if not to_choose.any() or not to_score.any():
        return None
    shares = hits[to_choose].mean(0)
    layer, head = (int(index) for index in np.unravel_index(shares.argmax(), shares.shape))
    guess, nearest = (float(rule[to_score].mean()) for rule in rules)
    return Misleading(
        accuracy=float(hits[to_score, chosen[0], chosen[1]].mean()),
        best=float(hits[to_score, layer, head].mean()),
        layer=layer,
        head=head,
        guess=guess,
        nearest=nearest,
        occurrences=int(to_score.sum()),
    )


def best_offset(relations: Sequence[Relation]) -> int:
    """Return the most frequent distance of a target, in tokens; the smallest one where several are."""
    counts: dict[int, int] = defaultdict(int)
    for relation in relations:
        for target in relation.targets:
            counts[target - relation.start] += 1
    return min(counts, key=lambda offset: (-counts[offset], abs(offset)))
