"""Senses of two-sense words: planted ones are told apart, noise is not."""

from __future__ import annotations

import math

import numpy as np

from bertviz_lite.evaluation.probes import (
    SenseVectors,
    score_senses,
)


def vectors(shift: float, seed: int) -> SenseVectors:
    """Make 40 occurrences: in layer 1 the sense moves the vector by ``shift``, in layer 0 nothing does."""
    rng = np.random.default_rng(seed)
    senses = tuple(f"{word}.{sense}" for word in ("bank", "bat") for sense in ("a", "b") for _ in range(10))
    order = rng.permutation(40)
    names = tuple(senses[index] for index in order)
    layers = rng.normal(size=(2, 40, 4))
    layers[1, :, 0] += [shift if name.endswith("a") else -shift for name in names]
    static = np.array([[1.0, 0.0] if name.startswith("bank") else [0.0, 1.0] for name in names])
    return SenseVectors(names, layers, static)


def test_senses_are_told_apart_where_a_layer_shows_them() -> None:
    result = score_senses(vectors(20, 0), vectors(20, 1))
    assert (result.accuracy, result.layer, result.occurrences) == (1.0, 1, 40)
    assert result.static == 0.5
    assert 0.3 < result.by_layer[0] < 0.75
    assert set(result.by_word) == {"bank", "bat"}


def test_senses_without_a_difference_are_guessed() -> None:
    result = score_senses(vectors(0, 0), vectors(0, 1))
    assert 0.25 < result.accuracy < 0.75


def test_rare_senses_are_left_out() -> None:
    result = score_senses(vectors(20, 0), vectors(20, 1), fewest=11)
    assert math.isnan(result.accuracy)
    assert result.occurrences == 0
