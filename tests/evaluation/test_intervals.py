"""The interval of a counted share: against its equation, and one for the whole package."""

from __future__ import annotations

import pytest

from bertviz_lite.evaluation import pair_probes
from bertviz_lite.evaluation.intervals import interval


@pytest.mark.parametrize(("count", "n"), [(9, 10), (43, 50), (1, 400), (80, 100)])
def test_both_ends_lie_196_deviations_from_the_share(count: int, n: int) -> None:
    """Wilson's ends solve |share - end| = z · sqrt(end · (1 - end) / n)."""
    for end in interval(count, n):
        assert abs(count / n - end) == pytest.approx(1.959964 * (end * (1 - end) / n) ** 0.5, rel=1e-6)


def test_pair_probes_has_the_same() -> None:
    assert pair_probes.interval is interval
