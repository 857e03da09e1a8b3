"""Scores on a small sample, beside those that a model's card has of a large one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bertviz_lite.evaluation.scores import QUICK

if TYPE_CHECKING:
    from bertviz_lite.evaluation.scores import Scores

SAMPLE = replace(
    QUICK, stories=500, per_kind=100, random_stories=60, head_stories=100, part_pairs=120, counted=300
)

_DEVIATIONS = 4
_FEWEST = 30
"""Of fewer items nothing is said."""
_NOISE = {"senses": 0.08}
"""Centroids of fewer occurrences are worse."""
_LEAST_NOISE = 0.02
"""Layers and heads are chosen on the sample, too."""


def far_from_recorded(sampled: Scores, recorded: Scores) -> list[str]:
    """Return the scores that a sample measures farther from the recorded ones than chance explains."""
    assert set(sampled) == set(recorded)
    compared = [name for name in recorded if sampled[name].n >= _FEWEST]
    assert len(compared) >= 7, compared
    far = []
    for name in compared:
        value, n, expected = sampled[name].value, sampled[name].n, recorded[name].value
        deviation = (expected * (1 - expected) / n) ** 0.5
        if abs(value - expected) > _DEVIATIONS * deviation + _NOISE.get(name, _LEAST_NOISE):
            far.append(f"{name}: {value:.3f} of {n}, recorded {expected:.3f}")
    return far
