"""When an ability appears in a training run: the moment at which its score has made a share of its way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LEAST_RISE", "Ability"]

LEAST_RISE = 0.05
"""A score that rises by less in the whole run counts as no rise: a few hundred items do not say more."""

_NAMES = {
    "agreement": "a verb that agrees with its subject",
    "pronoun": "the right pronoun",
    "mention": "who or what was named before",
    "consequence": "what follows from a need",
    "masked_words": "any masked word",
    "next_part": "true next part, or another story’s",
    "minimal_pairs": "minimal pairs: the right form of two",
    "senses": "which sense of a two-sense word",
    "head.subject": "a head looks from verb to subject",
    "head.person": "a head looks from pronoun to person",
}


@dataclass(frozen=True)
class Ability:
    """One score over the run, and when it has made a share of its way.

    Attributes
    ----------
    name, title
        The score's name in the history, and in words.
    values
        A share of right answers for each moment, None where it was not measured.
    start, best
        The first value that was measured, and the largest; None where none was.
    level
        What a value must reach: `start` plus a share of the way to `best`. None where the score does not
        rise by `LEAST_RISE`.
    first
        Index of the first moment that reaches `level`.
    below
        Index of the last moment before it that was measured; the ability appeared between the two.
    """

    name: str
    title: str
    values: tuple[float | None, ...]
    start: float | None
    best: float | None
    level: float | None
    first: int | None
    below: int | None

    @property
    def absence(self) -> str:
        """Why it never appears; empty where it does.

        >>> Ability.of("pronoun", [None, 0.9], 0.5).absence
        'once, at the end'
        """
        if self.first is not None:
            return ""
        if sum(value is not None for value in self.values) != 1:
            return "no rise"
        return "measured once" if self.values[-1] is None else "once, at the end"

    @classmethod
    def of(cls, name: str, values: Sequence[float | None], threshold: float) -> Ability:
        """Measure one score.

        >>> Ability.of("pronoun", [0.1, None, 0.5, 0.9], 0.5).first
        2
        """
        measured = [(index, value) for index, value in enumerate(values) if value is not None]
        start = measured[0][1] if measured else None
        best = max((value for _, value in measured), default=None)
        level = first = below = None
        if start is not None and best is not None and best - start >= LEAST_RISE:
            level = start + threshold * (best - start)
            # The best value is reached, whatever the last bits of the sum above say.
            first = next(index for index, value in measured if value >= level or value == best)
            below = max((index for index, _ in measured if index < first), default=None)
        return cls(name, _NAMES.get(name, name), tuple(values), start, best, level, first, below)
