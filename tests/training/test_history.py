"""The history of a run: its moments, and the code of its attention weights."""

from __future__ import annotations

import numpy as np
import pytest

from bertviz_lite.training.history import moments
from bertviz_lite.training.watched import decode_attention, encode_attention


def test_moments_spread_from_the_first_step_to_the_last() -> None:
    for steps in (1, 5, 100, 20_000):
        chosen = moments(steps)
        assert (chosen[0], chosen[-1]) == (0, steps)
        assert chosen == sorted(set(chosen))
        assert len(chosen) <= 12
    assert len(moments(20_000)) == 12


def test_attention_code_is_fine_for_small_weights() -> None:
    weights = np.array([0.0, 0.0001, 0.01, 0.5, 1.0])
    assert decode_attention(encode_attention(weights)) == pytest.approx(weights, abs=0.002)
    assert encode_attention(np.array([0.0, 1.0])).tolist() == [0, 255]
