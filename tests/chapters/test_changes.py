"""The figure of what changes bring: a mark for each seed, on a band as wide as the seeds are apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.collections import FillBetweenPolyCollection

from bertviz_lite.chapters.changes import changes
from bertviz_lite.evaluation.recorded.by_seed import BySeed


def variant(beside: str, *shares: float) -> dict[str, Any]:
    return {"what": "", "parameters": 1, "beside": beside, "seeds": [{"score": share} for share in shares]}


FOUND = BySeed(
    {
        "recipe": {},
        "variants": {
            "base": variant("base", 0.5, 0.52),
            "first": variant("base", 0.6, 0.58),
            "second": variant("first", 0.59, 0.5),
        },
    }
)


def drawn(names: dict[str, str], found: BySeed = FOUND) -> Any:  # noqa: ANN401 - axes
    return changes(found, names, {"a score": ("score",)}, title="Up")


def marks(ax: Any, called: str) -> list[float]:  # noqa: ANN401
    (points,) = (drawing for drawing in ax.collections if drawing.get_label() == called)
    return [float(across) for across, _ in np.asarray(points.get_offsets())]


def widths(ax: Any) -> list[float]:  # noqa: ANN401
    bands = [drawing for drawing in ax.collections if isinstance(drawing, FillBetweenPolyCollection)]
    return [float(np.asarray(band.get_paths()[0].vertices)[:, 0].max()) for band in bands]


def test_each_seed_is_a_mark_at_its_gain_over_the_variant_beside() -> None:
    ax = drawn({"first": "one change", "second": "then another"})
    assert marks(ax, "one change") == pytest.approx([0.1, 0.06])
    assert marks(ax, "then another") == pytest.approx([-0.01, -0.08])
    assert [name.get_text() for name in ax.get_yticklabels()] == ["a score"]


def test_the_band_is_as_wide_as_the_seeds_beside_are_apart() -> None:
    assert widths(drawn({"first": "one", "second": "two"})) == pytest.approx([0.02, 0.02])
    single = BySeed({"recipe": {}, "variants": {"base": variant("base", 0.5), "up": variant("base", 0.6)}})
    ax = drawn({"up": "up"}, single)
    assert marks(ax, "up") == pytest.approx([0.1])
    assert widths(ax) == [0.0]


def test_points_are_written_with_their_sign() -> None:
    ax = drawn({"first": "one"})
    write = ax.xaxis.get_major_formatter()
    assert [write(share) for share in (0.0, 0.025, -0.1)] == ["0", "+2.5", "−10"]
