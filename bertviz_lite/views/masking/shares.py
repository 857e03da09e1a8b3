"""The three shares of masking, which always add up to 1, and the rate."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING, Any

from bertviz_lite.views.base.errors import ViewError
from bertviz_lite.views.base.traits import Share

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SHARES", "Rate", "balance", "fill_up"]

SHARES = ("mask_share", "random_share", "keep_share")
"""The three shares, in the order in which the second draw goes through them."""


class Rate(Share):
    """A share above 0 and below 1: neither nothing nor everything is hidden."""

    def validate(self, obj: Any, value: object) -> float:  # noqa: ANN401
        """Return `value` as a float, or raise :class:`ViewError` in one line."""
        rate = super().validate(obj, value)
        if rate == 1:
            raise ViewError("rate=1: a number above 0 and below 1 is needed: something must be left to read.")
        return rate


def balance(shares: tuple[float, float, float], moved: int, value: float) -> tuple[float, float, float]:
    """Set one of three shares and make all of them add up to 1 again.

    The other two divide what is left as they did before: they keep their ratio, to the fourth decimal. If
    both were 0, each takes half.

    >>> balance((0.8, 0.1, 0.1), 0, 0.6)
    (0.6, 0.2, 0.2)
    """
    first, second = (share for place, share in enumerate(shares) if place != moved)
    left = 1.0 - value
    part = left / 2 if first + second == 0 else left * first / (first + second)
    part = min(left, floor(part * 1e4 + 0.5) / 1e4)
    others = [part, floor((left - part) * 1e12 + 0.5) / 1e12]
    others.insert(moved, value)
    return others[0], others[1], others[2]


def fill_up(shares: Mapping[str, float]) -> dict[str, float]:
    """Return the shares that were given together, and the third where two were given.

    Raises
    ------
    ViewError
        If they do not add up to 1.

    Examples
    --------
    >>> fill_up({"mask_share": 0.5, "keep_share": 0.25})
    {'mask_share': 0.5, 'keep_share': 0.25, 'random_share': 0.25}
    """
    total = sum(shares.values())
    if (len(shares) == 3 and abs(total - 1) > 1e-9) or total > 1 + 1e-9:
        given = ", ".join(f"{name}={value:g}" for name, value in shares.items())
        raise ViewError(f"{given}: the three shares must add up to 1, and these add up to {total:g}.")
    if len(shares) != 2:
        return dict(shares)
    (missing,) = set(SHARES) - set(shares)
    return {**shares, missing: max(0.0, round(1 - total, 12))}
