"""Arrays that were rounded somewhere: accepted up to 2 %, and the view says by how much rows miss 1."""

from __future__ import annotations

import numpy as np
import pytest

from bertviz_lite import CaptureError, Explorer

TOKENS = [f"t{number}" for number in range(64)]


def softmax_rows() -> np.ndarray:
    logits = np.random.default_rng(0).normal(size=(1, 2, 64, 64))
    weights = np.exp(logits)
    exact: np.ndarray = weights / weights.sum(axis=-1, keepdims=True)
    return exact


ROUNDED = {
    "three decimals": softmax_rows().round(3),
    "three decimals in single precision": softmax_rows().round(3).astype(np.float32),
    "half precision, widened": (softmax_rows() * 1.004).astype(np.float16).astype(np.float32),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", ROUNDED)
def test_rounded_weights_are_shown_with_what_their_rows_miss(name: str) -> None:
    given = ROUNDED[name]
    worst = float(np.abs(given.astype(np.float64).sum(axis=-1) - 1).max())
    assert 0.001 < worst < 0.02
    view = Explorer([given], TOKENS)
    said = f"The weights are rounded: the sum of a row misses 1 by {worst:.2g} at most."
    assert view._problem == said
    assert said in view.fallback()
    view.head = 1
    view.set_state({"layer": 0})
    assert view._problem == said  # after a change that the page makes, too
    view.close()


def test_two_percent_is_accepted_and_more_is_refused() -> None:
    even = np.full((1, 1, 4, 4), 0.25)
    for factor in (0.98, 1.02):
        Explorer([even * factor], TOKENS[:4]).close()
    for factor in (0.975, 1.025):
        with pytest.raises(CaptureError, match=r"^layer 0, head 0, query 0: the weights sum to"):
            Explorer([even * factor], TOKENS[:4])


@pytest.mark.thorough
def test_exact_weights_are_shown_without_a_word() -> None:
    view = Explorer([softmax_rows()], TOKENS)
    assert view._problem == ""
    assert "rounded" not in view.fallback()
    view.close()
