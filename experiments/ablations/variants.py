"""The variants of the recipe of the first town: each changes one decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bertviz_lite.training.pretraining.recipe import Recipe

BASE = "80/10/10"
BUDGET = Recipe(steps=2_400, stories=50_000)


@dataclass(frozen=True)
class Variant:
    """What a variant changes.

    Attributes
    ----------
    what
        The change in words.
    recipe
        Fields of ``Recipe`` that differ from the budget's.
    masking
        Fields of ``Masking`` that differ.
    tied
        Whether the LM head uses the word embedding.
    pairs
        What the second head learns, and from which inputs: a name of ``second_head.inputs.INPUTS``.
    boundaries
        In Chinese, whose words are hidden whole: see ``chinese_masking.boundaries``.
    beside
        The variant from which it differs in this one decision.
    """

    what: str
    recipe: tuple[tuple[str, Any], ...] = ()
    masking: tuple[tuple[str, Any], ...] = ()
    tied: bool = True
    pairs: str = "other story"
    boundaries: str = "town"
    beside: str = BASE


VARIANTS = {
    BASE: Variant("the recipe of the pocket model"),
    "100/0/0": Variant(
        "every chosen piece becomes [MASK]", masking=(("mask_share", 1.0), ("random_share", 0.0))
    ),
    "untied": Variant("the LM head has a matrix of its own", tied=False),
    "sentence order": Variant(
        "the second head tells the right order of two parts from the wrong", pairs="swapped order"
    ),
    "another seed": Variant("nothing but the seed", recipe=(("seed", 1),)),
    "no NSP": Variant("the masked words alone are learned; the second part is always true", pairs="nothing"),
    "40 % masked": Variant(
        "40 % of the words are chosen to be guessed, not 15 %", recipe=(("mask_rate", 0.4),)
    ),
    "half the stories": Variant(
        "25,000 stories; the same number of inputs, each story cut more often", recipe=(("stories", 25_000),)
    ),
}
