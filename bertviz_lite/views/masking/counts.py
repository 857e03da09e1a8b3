"""How many tokens were chosen and what became of them, beside what is to be expected."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bertviz_lite.evaluation.intervals import binomial_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Count", "count"]

_CHANGES = ("mask", "random", "keep")


class Count(NamedTuple):
    """How often something occurred, and how often it is to be expected."""

    what: str
    of: str
    """What was tried: "words" or "tokens"."""
    hits: int
    tries: int
    expected: float
    low: int
    """With `high`: the range in which 95 % of such counts lie."""
    high: int


def count(
    outcomes: Sequence[Sequence[str]], units: Sequence[int], of: str, rate: float, shares: Sequence[float]
) -> list[Count]:
    """Count over some draws.

    Parameters
    ----------
    outcomes
        For each draw, what became of every token.
    units
        Positions that are chosen on their own: every ordinary token, or the first of every word.
    of
        What the units are: "tokens" or "words".
    rate
        With what probability a unit is chosen.
    shares
        Of what is chosen: the shares that become [MASK], a random token, and stay.
    """
    chosen = sum(draw[unit] in _CHANGES for draw in outcomes for unit in units)
    changed = [outcome for draw in outcomes for outcome in draw if outcome in _CHANGES]
    rows = [("chosen", of, chosen, len(units) * len(outcomes), rate)]
    rows += [
        (name, "tokens", changed.count(name), len(changed), share)
        for name, share in zip(_CHANGES, shares, strict=True)
    ]
    return [
        Count(what, of_what, hits, tries, tries * share, *binomial_interval(tries, share))
        for what, of_what, hits, tries, share in rows
    ]
