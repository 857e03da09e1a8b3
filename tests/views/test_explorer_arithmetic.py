"""Arithmetic behind the explorer: codes, numbers of heads, rollout, words, filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, strategies as st

from bertviz_lite import Explorer
from bertviz_lite.views import ViewError
from bertviz_lite.views.attention.passes import weights as _weights

if TYPE_CHECKING:
    pass
from tests.helpers.explorers import TOKENS, codes, crossed, floats, plain, random_layers


@given(st.floats(0, 1, width=32))
def test_no_drawn_weight_is_off_by_more_than_half_a_step(weight: float) -> None:
    drawn = float(_weights.decode(_weights.encode(np.array([weight])))[0])
    assert abs(drawn - weight) <= 0.004
    assert (drawn == weight) or weight not in (0.0, 1.0)


def test_the_error_that_is_told_is_the_error_that_is_drawn() -> None:
    view = Explorer(plain())
    layers = random_layers()
    drawn = [(codes(view, f"0/self/layer/{layer}", 2, 10, 10) / 255.0) ** 2 for layer in range(3)]
    errors = [np.abs(drawn[layer] - layers[layer]).max() for layer in range(3)]
    assert view._meta["error"] == pytest.approx(max(errors), abs=1e-6)
    assert 0.001 < view._meta["error"] <= 0.004
    rows = [np.abs(drawn[layer].sum(-1) - layers[layer].sum(-1)).max(-1) for layer in range(3)]
    stats = floats(view, "0/self/stats").reshape(3, 2, 4)
    assert stats[:, :, 3] == pytest.approx(np.stack(rows), abs=1e-5)


def test_long_rows_sum_to_one_where_a_linear_code_would_lose_them() -> None:
    uniform = np.full((1, 1, 512, 512), 1 / 512, np.float32)
    view = Explorer([uniform, *random_layers(512, layers=1, heads=1)], ["t"] * 512)
    assert floats(view, "0/self/stats").reshape(2, 1, 4)[:, :, 3].max() <= 0.05
    assert view._meta["error"] <= 0.004


@given(st.integers(1, 700), st.floats(0, 0.9), st.integers(0, 100))
def test_no_row_is_drawn_with_another_sum(size: int, largest: float, noise: int) -> None:
    draw = np.random.default_rng(noise)
    row = np.full(size, 1.0) + 1e-3 * noise * draw.random(size)
    row[0] += largest * size / (1 - largest)
    row = (row / row.sum()).astype(np.float32)
    drawn = _weights.decode(_weights.encode_rows(row[None]))[0]
    assert abs(drawn.sum() - row.sum()) <= 0.021
    assert np.abs(drawn - row).max() <= 0.004


def test_numbers_of_a_head_worked_out_by_hand() -> None:
    weights = np.array([[[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.25, 0.25, 0.5]]], np.float32)
    view = Explorer([weights], ["[CLS]", "a", "b"])
    entropy, distance, special, _ = floats(view, "0/self/stats")
    assert entropy == pytest.approx((1 + 0 + 1.5) / 3)
    assert distance == pytest.approx((0.5 + 0 + 0.25 * 2 + 0.25) / 3)
    assert special == pytest.approx((0.5 + 0 + 0.25) / 3)


def test_padding_does_not_count() -> None:
    tokens = ["[CLS]", "a", "[PAD]"]
    weights = np.array([[[1, 0, 0], [0, 1, 0], [1 / 3, 1 / 3, 1 / 3]]], np.float32)
    view = Explorer([weights], tokens)
    assert view._meta["sides"][0]["kinds"]["self"]["queries"]["padding"] == [0, 0, 1]
    entropy, distance, _, _ = floats(view, "0/self/stats")
    assert (entropy, distance) == (0.0, 0.0)


def test_there_is_no_distance_between_two_texts() -> None:
    stats = floats(Explorer(crossed()), "0/cross/stats").reshape(2, 2, 4)
    assert np.isnan(stats[:, :, 1]).all()
    assert np.isfinite(stats[:, :, [0, 2, 3]]).all()


def test_rollout_is_the_product_of_half_attention_and_half_identity() -> None:
    layers = random_layers()
    view = Explorer(layers, TOKENS)
    expected = np.eye(10)
    for number, layer in enumerate(layers):
        expected = (0.5 * layer.mean(axis=0) + 0.5 * np.eye(10)) @ expected
        drawn = (codes(view, f"0/self/rollout/{number}", 10, 10) / 255.0) ** 2
        assert np.abs(drawn - expected).max() <= 0.004
    assert expected.sum(axis=1) == pytest.approx(np.ones(10))
    with pytest.raises(ViewError):
        Explorer(crossed())._block("0/cross/rollout/0")


def test_thumbs_hold_the_largest_weight_of_each_block() -> None:
    layers = random_layers(50, layers=2)
    view = Explorer(layers, ["t"] * 50)
    assert view._meta["sides"][0]["kinds"]["self"]["thumb"] == [24, 24]
    thumbs = codes(view, "0/self/thumbs", 2, 2, 24, 24)
    edges = [row * 50 // 24 for row in range(25)]
    for row, column in ((0, 0), (5, 17), (23, 23)):
        block = layers[1][0, edges[row] : edges[row + 1], edges[column] : edges[column + 1]]
        assert thumbs[1, 0, row, column] == round(255 * float(np.sqrt(block.max())))


def test_mean_and_max_are_over_all_layers_and_heads() -> None:
    layers = np.stack(random_layers())
    view = Explorer(layers, TOKENS)
    assert np.array_equal(codes(view, "0/self/mean", 10, 10), _weights.encode(layers.mean(axis=(0, 1))))
    assert np.array_equal(codes(view, "0/self/max", 10, 10), _weights.encode(layers.max(axis=(0, 1))))


def test_words_sum_over_keys_and_average_over_queries() -> None:
    weights = np.array([[0.1, 0.2, 0.3, 0.4], [0.5, 0.1, 0.1, 0.3], [0.0, 0.5, 0.25, 0.25], [1, 0, 0, 0]])
    starts = _weights.word_starts(np.array([-1, 0, 0, -1]))
    assert starts.tolist() == [0, 1, 3]
    merged = _weights.merge_words(weights, starts, starts)
    assert merged == pytest.approx(np.array([[0.1, 0.5, 0.4], [0.25, 0.475, 0.275], [1, 0, 0]]))
    assert merged.sum(axis=1) == pytest.approx(np.ones(3))


@given(st.integers(0, 10_000), st.floats(0.01, 1))
def test_the_kept_weights_are_the_fewest_that_hold_the_share(seed: int, mass: float) -> None:
    row = random_layers(1, 9, layers=1, heads=1, seed=seed)[0][0]
    keep = _weights.keep_mass(row, mass)[0]
    kept = np.sort(row[0][keep].astype(np.float64))
    assert kept.sum() >= mass * row.sum() - 1e-6
    assert kept[1:].sum() < mass * row.sum()
    assert row[0][~keep].max(initial=0) <= kept[0]
