"""What a variant of a recipe can change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

BASE = "80/10/10"


@dataclass(frozen=True)
class Variant:
    """What a variant changes.

    Attributes
    ----------
    what
        The change in words.
    recipe
        Fields of ``Recipe`` that differ from the base's.
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
