"""Captures of weights that were made elsewhere; no torch is needed for them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
import torch

from bertviz_lite import Capture
from bertviz_lite.capture import Maps
from tests.helpers.captures import axis, even, refusal


def test_arrays_of_every_kind_are_the_same() -> None:
    generator = np.random.default_rng(0)
    weights = generator.dirichlet(np.ones(4), size=(2, 3, 4)).astype(np.float32)
    tokens = ["[CLS]", "find", "##s", "[SEP]"]
    for given_ in (
        weights,
        tuple(weights),
        [layer[None] for layer in weights],
        [torch.tensor(layer[None], requires_grad=True) for layer in weights],
        weights.astype(np.float64),
        iter(weights),
    ):
        seen = Capture.from_arrays(given_, tokens)
        assert seen.tokens == tuple(tokens)
        assert isinstance(seen.kinds["self"], Maps)
        assert all(np.array_equal(*both) for both in zip(seen.attentions, weights, strict=True))
    halves = Capture.from_arrays([torch.tensor(layer).bfloat16() for layer in weights], tokens)
    np.testing.assert_allclose(halves.attentions, weights, atol=0.004)
    assert np.shares_memory(Capture.from_arrays(weights, tokens).attentions[0], weights)
    with pytest.raises(ValueError, match="read-only"):
        seen.attentions[0][:] = 0
    assert weights.flags.writeable
    assert repr(seen) == "Capture(plain arrays; self: 2 layers × 3 heads, 4 × 4 tokens)"


def test_tokens_of_plain_arrays() -> None:
    words = ["[CLS]", "find", "##s", "[MASK]", "[SEP]", "a", "[SEP]", "[PAD]", "[PAD]"]
    tokens = axis(Capture.from_arrays([even(1, 9, 9)], words, segments=[0] * 5 + [1] * 2 + [0] * 2))
    assert tokens.input_ids is None
    assert tokens.special.tolist() == [True, False, False, False, True, False, True, True, True]
    assert tokens.attention_mask.tolist() == [True] * 7 + [False] * 2
    assert tokens.words.tolist() == [-1, 0, 0, 1, -1, 2, -1, -1, -1]
    assert tokens.segments.tolist() == [0, 0, 0, 0, 0, 1, 1, 0, 0]
    seen = Capture.from_arrays([even(2, 3, 2)], ["<pad>", "x", "y"], ["a", "b"])
    assert list(seen.kinds) == ["cross"]
    assert axis(seen).attention_mask.all()  # a decoder's start, not padding
    assert seen.kinds["cross"].key_tokens.tokens == ("a", "b")
    assert not seen.can_run
    assert not seen.predicts
    assert seen.hidden_states == ()


def test_a_word_does_not_go_on_in_the_next_text() -> None:
    tokens = axis(Capture.from_arrays([even(1, 4, 4)], ["find", "##s", "##s", "a"], segments=[0, 0, 1, 1]))
    assert tokens.words.tolist() == [0, 0, 1, 2]


def altered(layer: int, place: tuple[int, ...], value: float | list[float]) -> list[np.ndarray]:
    layers = [even(2, 3, 3) for _ in range(2)]
    layers[layer][place] = value
    return layers


THREE = ["a", "b", "c"]
ARRAYS_REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "length": (
        lambda: Capture.from_arrays([even(1, 9, 9)], ["a"] * 8),
        (
            "attention is (9, 9) but there are 8 tokens: both axes must equal len(tokens). "
            "Were [CLS] or [SEP] dropped?"
        ),
    ),
    "not square": (lambda: Capture.from_arrays([even(1, 3, 4)], THREE), "(3, 4) but there are 3 tokens"),
    "cross": (
        lambda: Capture.from_arrays([even(1, 3, 4)], THREE, THREE),
        "attention is (3, 4) but there are 3 query tokens and 3 key tokens",
    ),
    "nan": (
        lambda: Capture.from_arrays(altered(1, (1, 2, 0), np.nan), THREE),
        "layer 1, head 1, query 2, key 0: the weight is NaN.",
    ),
    "infinite": (lambda: Capture.from_arrays(altered(0, (0, 0, 0), np.inf), THREE), "sum to inf"),
    "negative": (
        lambda: Capture.from_arrays(altered(1, (0, 1), [1.25, 0, -0.25]), THREE),
        "layer 1, head 0, query 1, key 2: the weight is -0.25",
    ),
    "sum": (
        lambda: Capture.from_arrays(altered(1, (1, 0, 1), 0.5), THREE),
        "layer 1, head 1, query 0: the weights sum to 1.167, not to 1.",
    ),
    "shapes": (
        lambda: Capture.from_arrays([even(2, 3, 3), even(4, 3, 3)], THREE),
        "attentions[1] is (4, 3, 3) but attentions[0] is (2, 3, 3)",
    ),
    "none inside": (
        lambda: Capture.from_arrays([None], THREE),
        "attentions[0] is None: the model ran without",
    ),
    "none": (lambda: Capture.from_arrays(None, THREE), "attentions is None"),
    "masked": (
        lambda: Capture.from_arrays([np.ma.masked_greater(even(1, 3, 3), 0.1)], THREE),
        "attentions[0] has masked entries: fill them, as with array.filled(0).",
    ),
    "complex": (
        lambda: Capture.from_arrays([even(1, 3, 3) * 1j], THREE),
        "attentions[0] is a ndarray of complex64: it must be an array or a tensor of numbers",
    ),
    "sparse": (
        lambda: Capture.from_arrays([torch.tensor(even(1, 3, 3)).to_sparse()], THREE),
        "attentions[0] holds no plain numbers: can't convert Sparse",
    ),
    "without numbers": (
        lambda: Capture.from_arrays([torch.empty((1, 3, 3), device="meta")], THREE),
        "attentions[0] holds no plain numbers: Cannot copy out of meta tensor",
    ),
    "segments of None": (
        lambda: Capture.from_arrays([even(1, 3, 3)], THREE, segments=[0, None, 1]),
        "segments is (3,) of [0, None, 1]: it must be 3 numbers",
    ),
    "no layers": (lambda: Capture.from_arrays([], THREE), "attentions is empty"),
    "a word": (lambda: Capture.from_arrays(["weights"], THREE), "attentions[0] is a str"),
    "ragged": (lambda: Capture.from_arrays([[[1, 0], [1]]], THREE), "attentions[0] is a list"),
    "batch": (
        lambda: Capture.from_arrays([even(2, 1, 3, 3)], THREE),
        "a batch of 2: give one text at a time",
    ),
    "two axes": (lambda: Capture.from_arrays([even(3, 3)], THREE), "attentions[0] is (3, 3): it must be"),
    "one string": (lambda: Capture.from_arrays([even(1, 3, 3)], "abc"), "tokens is a str"),
    "ids": (lambda: Capture.from_arrays([even(1, 3, 3)], [1, 2, 3]), "tokens[0] is an int"),
    "no tokens": (lambda: Capture.from_arrays([even(1, 3, 3)], []), "tokens is empty"),
    "segments": (
        lambda: Capture.from_arrays([even(1, 3, 3)], THREE, segments=[0, 2, 1]),
        "it must be 3 numbers, 0 for text A and 1 for text B",
    ),
    "few segments": (lambda: Capture.from_arrays([even(1, 3, 3)], THREE, segments=[0]), "segments is (1,)"),
    "no model": (lambda: Capture.from_arrays([even(1, 3, 3)], THREE).rerun(), "no model behind plain arrays"),
    "no predictions": (
        lambda: Capture.from_arrays([even(1, 3, 3)], THREE).predictions(0),
        "plain arrays: no",
    ),
    "no queries": (lambda: Capture.from_arrays([even(1, 3, 3)], THREE).keys, "plain arrays: no queries"),
}


@pytest.mark.parametrize("case", ARRAYS_REFUSED)
def test_arrays_refused(case: str) -> None:
    action, said = ARRAYS_REFUSED[case]
    assert said in refusal(action)


def test_the_function_is_not_hidden_by_its_module_and_arrays_need_no_torch() -> None:
    program = (
        "import sys, bertviz_lite.capture as c\n"
        "from bertviz_lite import Capture, capture\n"
        "import numpy as np\n"
        "Capture.from_arrays([np.full((1, 2, 2), 0.5)], ['a', 'b'])\n"
        "from bertviz_lite.capture import CaptureError, Maps, Scores, Tokens\n"
        "assert c is capture and c.CaptureError is CaptureError\n"
        "print(type(capture).__name__, CaptureError.__module__, 'torch' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["CallableModule", "bertviz_lite", "False"]
