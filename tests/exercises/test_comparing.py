"""In what two results differ, in words."""

import doctest
from types import ModuleType

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st
from torch import nn

import bertviz_lite.chapters
import bertviz_lite.exercises
from bertviz_lite.exercises import (
    comparing,
    showing,
)
from bertviz_lite.exercises.comparing import difference
from bertviz_lite.exercises.showing import beside, show

EXPECTED = torch.arange(6.0).reshape(2, 3) + 1
DIFFERENCES: list[tuple[object, object, str | None]] = [
    (EXPECTED, EXPECTED, None),
    (EXPECTED.numpy(), EXPECTED, None),
    (EXPECTED.tolist(), EXPECTED, None),
    (EXPECTED.requires_grad_(), EXPECTED, None),
    (EXPECTED + 1e-7, EXPECTED, None),
    (EXPECTED.T, EXPECTED, "is (3, 2); it should be (2, 3): the numbers are right, but transposed."),
    (EXPECTED[None], EXPECTED, "is (1, 2, 3); it should be (2, 3): the numbers are right, but there is an"),
    (EXPECTED.flatten(), EXPECTED, "is (6,); it should be (2, 3): the numbers are right, but an axis is"),
    (torch.zeros(3, 2), EXPECTED, "The shape is (3, 2); it should be (2, 3): are two axes swapped?"),
    (EXPECTED[:1], EXPECTED, "The shape is (1, 3); it should be (2, 3)."),
    (torch.zeros(2, 3, 4), torch.zeros(4, 2, 3), "with its axes in another order, try (2, 0, 1)."),
    (EXPECTED.long(), EXPECTED, "The numbers are int64; they should be floating point."),
    (EXPECTED, EXPECTED.long(), "The numbers are float32; they should be whole (int64)."),
    (-EXPECTED, EXPECTED, "Every number has the opposite sign of what it should be."),
    (EXPECTED * 8**-0.5, EXPECTED, "Every number is 0.354 times what it should be."),
    (EXPECTED - 0.5, EXPECTED, "Every number is too small by 0.5."),
    (EXPECTED.flip(0), EXPECTED, "The rows are in the opposite order."),
    (EXPECTED[:, [1, 2, 0]], EXPECTED, "The right columns, in another order."),
    (np.array([1.0, 1, 0, 0]), np.array([1.0, 0, 1, 0]), "Only places 1, 2 (counted from 0) of 4 differ."),
    (EXPECTED * torch.tensor([[1.0], [2.0]]), EXPECTED, "Only row 1 (counted from 0) of 2 differs."),
    (EXPECTED + torch.tensor([0.0, 1.0, 3.0]), EXPECTED, "Only columns 1, 2 (counted from 0) of 3 differ."),
    (EXPECTED**2, EXPECTED + 1, "The numbers differ, most at [1, 2]: yours is 36, it should be 7."),
    (EXPECTED / 0, EXPECTED, "6 of 6 numbers are NaN or infinite: is something divided by zero?"),
    (torch.full((2,), torch.nan), torch.full((2,), torch.nan), None),
    (torch.zeros(2, 2), torch.eye(2), "The numbers differ, most at [0, 0]: yours is 0, it should be 1."),
    (3, 4.0, "The number is 0.75 times what it should be."),
    (10_003, 10_000, "It is 10,003; that is too large."),
    (9, 2, "It is 9; that is too large."),
    (10**400, 1_049_600, "It has more than 19 digits; that is too large."),
    (-(10**400), 2.0, "It has more than 19 digits; that is too small."),
    (EXPECTED.half(), EXPECTED.long(), "The numbers are float16; they should be whole (int64)."),
    (np.ones((2, 3)), EXPECTED.long(), "The numbers are float64; they should be whole (int64)."),
    (torch.eye(2).to_sparse(), torch.eye(2), "not a Tensor of float32, torch.sparse_coo."),
    (torch.zeros(2, device="meta"), torch.zeros(2), "not a Tensor of float32, on the meta device."),
    (float("nan"), 4.0, "It is nan: is something divided by zero?"),
    ("text", 4.0, "It should be a number, not a str."),
    ([[1.0], [1.0, 2.0]], EXPECTED, "It should be an array of shape (2, 3), not a list."),
    (True, True, None),
    (False, True, "It should be True."),
    (1.0, 0.0, "It is 1; that is too large."),
    (np.array([1, 2]), {"a": 2}, "It should be a dictionary"),
    (torch.zeros(0), torch.zeros(2, 0), "The shape is (0,); it should be (2, 0)"),
    (torch.zeros(2, dtype=torch.complex64), torch.zeros(2), "shape (2,), not a Tensor of complex64."),
    (["a", "b"], ["a", "b"], None),
    (("b", "a"), ["a", "b"], "The list is in the opposite order."),
    (["b", "c", "a"], ["a", "b", "c"], "The right entries, in another order."),
    (["a", "d"], ["a", "b"], "'d' should not be there."),
    (["a", "a"], ["a", "b"], "An entry is there twice."),
    (["a"], ["a", "b"], "The list should have 2 entries, yours has 1."),
    ([1, 2], ["a", "b"], "It should be a list of strings, not a list of int."),
    ("ab", ["a", "b"], "It should be a list of strings, not a str."),
    ((1.0, 2.0), (1.0, 2.0), None),
    ((1.0, 4.0), (1.0, 2.0), "Result 1 (from 0): The number is 2 times what it should be."),
    (1.0, (1.0, 2.0), "It should be 2 results, yours is a float."),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}, None),
    ({"a": 1}, {"a": 2}, "Entry 'a': It is 1; that is too small."),
    ({"a": 1}, {"b": 1}, "It should be a dictionary with the keys 'b'."),
    (None, None, None),
    (0, None, "It should be None."),
]  # fmt: skip


@pytest.mark.parametrize(("actual", "expected", "message"), DIFFERENCES)
def test_a_difference_is_put_into_words(actual: object, expected: object, message: str | None) -> None:
    sentence = difference(actual, expected)
    assert (sentence is None) == (message is None)
    assert message is None or (sentence is not None and message in sentence)


def test_two_values_are_shown_beside_each_other() -> None:
    table = torch.zeros(4, 5)
    other = table.clone()
    other[2, 3:] = 1e-3
    assert beside(other, table) == ["first entry that differs: [2, 3]", "yours: 0.001", "should be: 0"]
    assert beside(table.log(), table)[1:] == ["yours: -inf", "should be: 0"]
    assert beside(table == 1, table == 0)[1:] == ["yours: 0", "should be: 1"]
    shape = "float32 of shape (4, 5)"
    assert beside(table, table) == [f"yours: {shape}", f"should be: {shape}"]
    assert beside(table[1:], table) == ["yours: float32 of shape (3, 5)", f"should be: {shape}"]
    assert beside("a", table) == ["yours: 'a'", f"should be: {shape}"]


def test_a_value_is_shown_in_one_short_line() -> None:
    assert show(torch.tensor([[1.0, -0.0], [1 / 3, 1e-9]])) == "[[1, 0], [0.3333, 1e-09]]"
    assert show(torch.tensor([1, 2])) == "[1, 2]"
    assert show(torch.zeros(4, 5)) == "float32 of shape (4, 5)"
    assert show(["a"] * 40) == "40 strings"
    assert show(nn.Identity()) == "Identity"
    assert show(True) == "True"
    inside: list[object] = []
    inside.append(inside)
    assert show(inside) == "list"


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=3)
    | st.just(torch.zeros(2, 3)),
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=1), inner)
    ),
    max_leaves=6,
)


@given(actual=ANYTHING, expected=ANYTHING)
@settings(max_examples=300, deadline=None)
def test_any_two_values_can_be_compared_and_shown(actual: object, expected: object) -> None:
    sentence = difference(actual, expected)
    assert sentence is None or sentence.endswith((".", "?"))
    assert (difference(actual, expected, cause=False) is None) == (sentence is None)
    assert "\n" not in show(actual)


MODULES = (bertviz_lite.exercises, comparing, showing)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_the_docstrings(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0
