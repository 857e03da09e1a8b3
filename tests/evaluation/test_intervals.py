"""Intervals: Wilson's against its equation, the bootstrap against the normal approximation."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from bertviz_lite.evaluation.intervals import binomial_interval, bootstrap_interval, interval


@pytest.mark.parametrize(("count", "n"), [(9, 10), (43, 50), (1, 400), (80, 100)])
def test_both_ends_lie_196_deviations_from_the_share(count: int, n: int) -> None:
    """Wilson's ends solve |share - end| = z · sqrt(end · (1 - end) / n)."""
    for end in interval(count, n):
        assert abs(count / n - end) == pytest.approx(1.959964 * (end * (1 - end) / n) ** 0.5, rel=1e-6)


def test_a_bootstrap_interval_is_as_wide_as_the_normal_approximation() -> None:
    hits = np.arange(400) % 2
    low, high = bootstrap_interval(hits)
    assert (high - low) / 2 == pytest.approx(1.96 * 0.5 / 20, rel=0.08)
    assert bootstrap_interval(hits) == (low, high)


@pytest.mark.parametrize("values", [[], 3.0, [[1.0, 0.0]], [1.0, float("nan")]])
def test_a_bootstrap_interval_needs_finite_numbers(values: object) -> None:
    with pytest.raises(ValueError, match=r"give one or more numbers, \(n,\), all finite"):
        bootstrap_interval(values)  # type: ignore[arg-type]


@pytest.mark.parametrize(("share", "n"), [(0.5, 200), (0.03, 200), (0.98, 50)])
def test_wilsons_interval_holds_the_true_share_in_95_of_100_draws(share: float, n: int) -> None:
    drawn = np.random.default_rng(0).binomial(n, share, 4_000)
    bounds = {count: interval(count, n) for count in np.unique(drawn).tolist()}
    covered = np.mean([bounds[count][0] <= share <= bounds[count][1] for count in drawn.tolist()])
    assert 0.92 < covered < 0.99


def test_wilsons_interval_stays_between_0_and_1() -> None:
    assert interval(0, 20)[0] == 0.0
    assert interval(20, 20)[1] == 1.0
    assert interval(9, 10) == pytest.approx((0.5958, 0.9821), abs=5e-5)


@pytest.mark.parametrize(("count", "n"), [(3, 2), (-1, 5), (0, 0)])
def test_an_impossible_count_is_refused(count: int, n: int) -> None:
    with pytest.raises(ValueError, match=f"count={count}, n={n}"):
        interval(count, n)


@pytest.mark.parametrize("count", [0, 1, 7, 40, 133])
@pytest.mark.parametrize("percent", [0, 1, 15, 50, 80, 100])
def test_binomial_interval_against_fractions(count: int, percent: int) -> None:
    share, below = Fraction(percent, 100), []
    for hits in range(count + 1):
        term = math.comb(count, hits) * share**hits * (1 - share) ** (count - hits)
        below.append(term + (below[-1] if below else 0))
    low = next(hits for hits, total in enumerate(below) if total > Fraction(25, 1000))
    high = next(hits for hits, total in enumerate(below) if total >= Fraction(975, 1000))
    assert binomial_interval(count, percent / 100) == (low, high)
