"""What a text needs so that a language can be learned from it, and whether it has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bertviz_lite.world.balance.counting import Counts
from bertviz_lite.world.balance.pronouns import PRONOUNS
from bertviz_lite.world.balance.used_words import listed_words

PATTERN_SENTENCES = 36_000
"""Patterns are counted among this many sentences: among more there are always more."""
RARE = 20


class Aim(NamedTuple):
    """A measured value, and the least and most that it should be."""

    name: str
    value: float
    least: float
    most: float = float("inf")

    @property
    def met(self) -> bool:
        """Whether the value is where it should be."""
        return self.least <= self.value <= self.most


_FEATURES = {
    "question": 8, "negation": 10, "contraction": 8, "passive": 2, "progressive": 3, "perfect": 4,
    "modal": 8, "relative clause": 4,
}  # fmt: skip
_LEAST_PRONOUN = 200


def aims(counts: Counts) -> Iterator[Aim]:
    """Return the aims with their values; of a short text those of patterns and listed words are left out."""
    n = max(counts.sentences, 1)
    if counts.sentences >= PATTERN_SENTENCES:
        patterns = len(counts.patterns) * PATTERN_SENTENCES / n
        yield Aim(f"patterns among {PATTERN_SENTENCES:,} sentences", patterns, 18_000)
    finite = counts.finite
    for name, few, all_forms in (
        ("are of is, are", [("be", "are")], [("be", "is"), ("be", "are")]),
        ("were of was, were", [("be", "were")], [("be", "was"), ("be", "were")]),
        ("have of has, have", [("have", "have")], [("have", "has"), ("have", "have")]),
        ("do of does, do", [("do", "do")], [("do", "does"), ("do", "do")]),
        ("base of base, -s", [("other", "base")], [("other", "-s"), ("other", "base")]),
    ):
        share = sum(finite[key] for key in few) / max(sum(finite[key] for key in all_forms), 1)
        yield Aim(f"{name}, %", 100 * share, 35, 65)
    present = sum(
        finite[key]
        for key in finite
        if key[1] in ("am", "is", "are", "has", "have", "does", "do", "-s", "base")
    )
    yield Aim("present of finite verbs, %", 100 * present / max(finite.total(), 1), 35, 65)
    nouns = counts.nouns
    yield Aim("plural of nouns, %", 100 * nouns["plural"] / max(nouns.total(), 1), 30, 60)
    for feature, least in _FEATURES.items():
        yield Aim(f"sentences with a {feature}, %", 100 * counts.features[feature] / n, least)
    for personal in PRONOUNS:
        times = sum(number for (name, _), number in counts.pronouns.items() if name == personal)
        yield Aim(f"{personal} in any case, per 10,000", 10_000 * times / n, _LEAST_PRONOUN)
    yield Aim("words in a sentence", counts.words / n, 7, 12)
    if counts.sentences >= PATTERN_SENTENCES:
        words = listed_words()
        rare = counts.used.rare(words, RARE)
        never = sum(times == 0 for _, times in rare)
        yield Aim("listed words never used, %", 100 * never / len(words), 0, 1)
        yield Aim(f"listed words used fewer than {RARE} times, %", 100 * len(rare) / len(words), 0, 15)
