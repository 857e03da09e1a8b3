"""The variants of the pocket model's recipe: each changes one decision, and is trained with three seeds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bertviz_lite.training.pretraining.recipe import RECIPES
from experiments.ablations.variants import BASE, Variant

SEEDS = 3
RECIPE = replace(RECIPES["pocket"], steps=2_400, batch_size=128, stories=100_000)
"""The recipe of the next pocket model, but for its length: 307,200 inputs, so that each text is cut three
times. The batch is that of the model's two processes together."""

SHORT = "short vocabulary"
"""In the vocabulary of the recipe 99 of 100 words are one token, and choosing tokens is choosing words. So
that decision is looked at with a vocabulary in which a quarter of the words are several."""


def _shares(mask: float, random: float) -> tuple[tuple[str, Any], ...]:
    return ("mask_share", mask), ("random_share", random)


SECOND_TOWN_VARIANTS = {
    BASE: Variant(
        "the recipe of the pocket model: of the chosen words 80 % become [MASK], 10 % a random one, 10 % stay"
    ),
    "100/0/0": Variant("every chosen word becomes [MASK]", masking=_shares(1.0, 0.0)),
    "80/0/20": Variant("80 % become [MASK], 20 % stay, none is random", masking=_shares(0.8, 0.0)),
    "80/20/0": Variant("80 % become [MASK], 20 % a random word, none stays", masking=_shares(0.8, 0.2)),
    "untied": Variant("the LM head has a matrix of its own", tied=False),
    "other texts alone": Variant(
        "a false second part is always another text's, as in 2018; none has changed places with the first",
        recipe=(("other", 0.5), ("swapped", 0.0)),
    ),
    "sentence order": Variant(
        "a false pair is always the text's own two parts in the wrong order", pairs="order alone"
    ),
    "NSP inputs, no NSP loss": Variant(
        "the same inputs, false pairs among them; only the masked words are learned", pairs="inputs alone"
    ),
    "true next parts, no NSP loss": Variant(
        "the second part is always the text's own; only the masked words are learned",
        pairs="own parts alone",
        beside="NSP inputs, no NSP loss",
    ),
    "40 % masked": Variant("40 % of the words are chosen, not 20 %", recipe=(("mask_rate", 0.4),)),
    "half the texts": Variant(
        "50,000 texts; the same number of inputs, each text cut more often", recipe=(("stories", 50_000),)
    ),
    SHORT: Variant(
        "1,000 tokens, so that a quarter of the words are several", recipe=(("vocab_size", 1_000),)
    ),
    "short vocabulary, single tokens": Variant(
        "tokens are chosen one by one, not whole words",
        recipe=(("vocab_size", 1_000), ("whole_words", False)),
        beside=SHORT,
    ),
}
