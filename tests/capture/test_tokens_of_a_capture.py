"""Tokens of a capture: segments, words, padding, what the decoder reads."""

from __future__ import annotations

import numpy as np
import pytest

from bertviz_lite import Capture, capture
from tests.helpers.captures import axis, refusal
from tests.helpers.tiny_families import TEXT, family


def test_a_pair_of_bert() -> None:
    model, tokenizer = family("bert")
    seen = capture(model, tokenizer, "The cat walks.", "She sleeps.", pad_to=11)
    tokens = axis(seen)
    assert seen.tokens == (
        *("[CLS]", "the", "cat", "walks", ".", "[SEP]", "she", "sleeps", ".", "[SEP]"),
        "[PAD]",
    )
    assert tokens.input_ids.tolist() == tokenizer.convert_tokens_to_ids(list(seen.tokens))
    assert seen.segments.tolist() == [0] * 6 + [1] * 4 + [0]
    assert tokens.special.tolist() == [token.startswith("[") for token in seen.tokens]
    assert seen.attention_mask.tolist() == [True] * 10 + [False]
    assert tokens.words.tolist() == [-1, 0, 1, 2, 3, -1, 4, 5, 6, -1, -1]
    assert seen.kinds["self"].key_tokens is tokens
    for weights in seen.attentions:
        assert not weights[..., 10].any()
    assert repr(seen) == "Capture(BertForPreTraining; self: 3 layers × 4 heads, 11 × 11 tokens)"


def test_padding_changes_nothing_for_the_text() -> None:
    model, tokenizer = family("bert")
    bare, padded = (capture(model, tokenizer, TEXT, pad_to=length) for length in (None, 40))
    for mine, theirs in zip(padded.attentions, bare.attentions, strict=True):
        size = theirs.shape[1]
        np.testing.assert_allclose(mine[:, :size, :size], theirs, atol=1e-6)


def test_a_row_that_is_masked_completely_is_no_nan() -> None:
    model, tokenizer = family("modernbert")
    seen = capture(model, tokenizer, "the cat.", pad_to=40)  # the last rows of a local layer see padding only
    np.testing.assert_allclose(seen.attentions[1].sum(-1), 1, atol=1e-5)


def test_segments_without_token_type_ids() -> None:
    seen = capture(*family("roberta"), "the cat.", "she reads.")
    separators = [i for i, token in enumerate(seen.tokens) if token == "</s>"]
    assert seen.tokens[0] == "<s>"
    assert len(separators) == 3
    first, second, last = separators
    assert seen.segments.tolist() == [0] * (second + 1) + [1] * (last - second)
    assert axis(seen).special.nonzero()[0].tolist() == [0, first, second, last]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("bert", {"input_ids", "attention_mask", "token_type_ids"}),
        ("distilbert", {"input_ids", "attention_mask"}),  # its tokenizer here gives segments, it knows none
        ("t5", {"input_ids", "attention_mask", "decoder_input_ids", "use_cache"}),
    ],
)
def test_what_the_model_is_given(name: str, given: set[str]) -> None:
    model, tokenizer = family(name)
    calls: list[dict[str, object]] = []
    model.register_forward_pre_hook(lambda _, __, named: calls.append(named), with_kwargs=True)
    seen = capture(model, tokenizer, "the cat.", "she reads.")
    (named,) = calls  # one pass
    assert set(named) == given | {"output_attentions", "output_hidden_states", "return_dict"}
    assert not named.get("use_cache")
    if name != "t5":
        assert seen.segments.tolist() == [0] * 5 + [1] * 4


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("bert", "walks, cats", ["walks", ",", "cat ##s"]),
        ("roberta", "the cat, sits.", ["the", "Ġcat", ",", "Ġsits", "."]),
        ("gpt2", "the housecat", ["the", "Ġhouse cat"]),
        ("llama", "the tree, under", ["▁the", "▁tree ,", "▁ un d er"]),
    ],
)
def test_words(name: str, text: str, words: list[str]) -> None:
    tokens = axis(capture(*family(name), text))
    found: list[list[str]] = [[] for _ in range(tokens.words.max() + 1)]
    for token, word in zip(tokens.tokens, tokens.words, strict=True):
        if word >= 0:
            found[word].append(token)
    assert [" ".join(pieces) for pieces in found] == words


def test_words_of_pieces_in_a_row_that_the_tokenizer_takes_for_one() -> None:
    # A tokenizer without a rule for words (Llama's old ones) calls the whole text one word.
    from bertviz_lite.capture.tokens import word_numbers

    tokens = ["<s>", "▁the", "▁c", "at", "▁sits"]
    special = np.array([True, False, False, False, False])
    assert word_numbers(tokens, special, np.zeros(5, int), [None, 0, 0, 0, 0]).tolist() == [-1, 0, 1, 1, 2]


def test_what_the_decoder_reads() -> None:
    for name, end, start in (("t5", "</s>", ["<pad>"]), ("bart", "</s>", ["</s>", "<s>"])):
        seen = capture(*family(name), TEXT, "she reads.")
        decoder = axis(seen, "decoder")
        assert list(decoder.tokens[: len(start)]) == start
        assert decoder.special.tolist() == [True] * len(start) + [False] * (len(decoder) - len(start))
        assert seen.tokens[-1] == end != decoder.tokens[-1]
        assert seen.kinds["cross"].query_tokens is decoder
        assert seen.kinds["cross"].key_tokens is axis(seen, "encoder")
        alone = capture(*family(name), TEXT)
        assert axis(alone, "decoder").tokens == tuple(start[:1])
        assert [weights.shape[1] for weights in alone.kinds["cross"].attentions] == [1, 1]


def test_hostile_tokens_are_data() -> None:
    hostile = (
        "</script><script>alert(1)</script> <img onerror> {{ $x | \u202eabc\u202c e\u0301 👩‍👩‍👧 \x00\x07"
    )
    model, tokenizer = family("roberta")
    seen = capture(model, tokenizer, hostile[:40])
    assert "".join(seen.tokens[1:-1]).replace("Ġ", " ") == hostile[:40]
    arrays = Capture.from_arrays([np.full((1, 2, 2), 0.5)], [hostile, "x" * 10_000])
    assert arrays.tokens == (hostile, "x" * 10_000)
    assert capture(*family("bert"), hostile).tokens.count("[UNK]") > 3
    assert len(refusal(seen.rerun, {1: hostile})) < 600
    assert len(refusal(seen.rerun, {1: "z" * 10_000})) < 600
