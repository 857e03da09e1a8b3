"""What is trained and measured for each town: recipe, variants, seeds, measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bertviz_lite.evaluation.scores import size_of
from bertviz_lite.training.pretraining.recipe import Recipe
from bertviz_lite.world.towns import CHINESE, TOWN
from experiments.ablations.chinese_town import (
    CHINESE_TASKS,
    CHINESE_VARIANTS,
    RECIPE as CHINESE_RECIPE,
    SEEDS as CHINESE_SEEDS,
)
from experiments.ablations.measuring import Measures
from experiments.ablations.second_head.scoring import PAIRS
from experiments.ablations.second_town import RECIPE, SECOND_TOWN_VARIANTS, SEEDS
from experiments.ablations.tasks import TASKS
from experiments.ablations.variants import Variant

_NOTES = {
    "scores": "[value, items]: as in the pocket model's scores.json (bertviz_lite.evaluation.scores)",
    "senses by layer": "share of two-sense words told apart on unmasked text, embeddings first",
    "tags by layer": "share of gold tags that a linear probe reads off the vectors of unmasked words",
    "read": "the LM head on the same pieces masked, as they stand, and replaced by a random piece",
    "pairs": "share right, half true: the model's second head; linear probes on its vectors, on the words",
    "losses": "[step, loss of masked words, loss of pairs], means since the line before",
    "next part by kind": "details of the score next_part: accuracy of the second head, by kind of pair",
    "minimal pairs by kind": "details of the score minimal_pairs: accuracy, by kind",
    "own words": "[right, items] of the half of people's own exam that may be looked at, by kind",
    "tasks": "fine-tuned on the town's labelled sets; new examples for each seed, the same held-out ones",
    "seconds": "of training",
    "beside": "the variant from which this one differs in one decision",
}

_CHINESE_NOTES = {
    "scores": "[value, items]: as in the scores.json of pocket-zh; masked_words: 15 % of words, each whole",
    "characters": "[value, items]: 15 % of the characters, hidden one by one",
    "minimal pairs by kind": "details of the score minimal_pairs: accuracy, by kind",
    "losses": "[step, loss of masked tokens, loss of pairs], means since the line before",
    "tasks": "fine-tuned on the Chinese town's sets; new examples for each seed, the same held-out ones",
    "seconds": "of training",
}


@dataclass(frozen=True)
class Plan:
    """What is trained and measured for a town.

    Attributes
    ----------
    record
        Name of the recorded numbers.
    recipe
        Of the base; a variant changes one decision of it.
    variants
        By name, the base first.
    measures
        What is measured, and on how much.
    notes
        What the names of the measurements mean.
    seeds
        How many runs each variant gets.
    """

    record: str
    recipe: Recipe
    variants: Mapping[str, Variant]
    measures: Measures
    notes: Mapping[str, str]
    seeds: int

    def recipe_of(self, name: str, seed: int) -> Recipe:
        """Return the recipe of one run."""
        return replace(self.recipe, **{"seed": seed, **dict(self.variants[name].recipe)})


PLANS = {
    TOWN: Plan(
        "ablations_second",
        RECIPE,
        SECOND_TOWN_VARIANTS,
        Measures(
            replace(size_of(TOWN), counted=1_000),
            stories=4_000,
            read=4_000,
            tagged=3_000,
            pairs=PAIRS,
            tasks=TASKS,
            exam=Path(__file__).parents[2] / "tests" / "own_words",
        ),
        _NOTES,
        SEEDS,
    ),
    CHINESE: Plan(
        "chinese_masking",
        CHINESE_RECIPE,
        CHINESE_VARIANTS,
        Measures(
            replace(size_of(CHINESE, quick=True), stories=1_500, per_kind=500, random_stories=300),
            stories=0,
            read=0,
            tagged=0,
            pairs={},
            tasks=CHINESE_TASKS,
        ),
        _CHINESE_NOTES,
        CHINESE_SEEDS,
    ),
}
