"""A capture of inputs that a tokenizer made already, and of words that are split already."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from transformers import DebertaConfig, DebertaModel, ViTConfig, ViTModel

from bertviz_lite import Capture, CaptureError, capture
from tests.helpers.tiny_families import MODELS, PAIR, TEXT, family, tokenizer as tokenizer_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transformers import PreTrainedModel


def attentions_of(model: PreTrainedModel, batch: Mapping[str, Any]) -> tuple[np.ndarray, ...]:
    """Return what the library itself gives for a batch, on its eager attention."""
    before = model.config._attn_implementation
    model.config._attn_implementation = "eager"
    try:
        with torch.no_grad():
            outputs = model(**batch, output_attentions=True)
    finally:
        model.config._attn_implementation = before
    given = outputs["encoder_attentions" if model.config.is_encoder_decoder else "attentions"]
    return tuple(weights[0].numpy() for weights in given)


def assert_equal(seen: Capture, wanted: tuple[np.ndarray, ...]) -> None:
    for mine, theirs in zip(seen.attentions, wanted, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-6)


@pytest.mark.parametrize("name", [*MODELS])
def test_a_batch_gives_what_its_text_gives(name: str) -> None:
    model, tokenizer = family(name)
    batch = tokenizer(TEXT, return_tensors="pt")
    seen, wanted = capture(model, tokenizer, inputs=batch), capture(model, tokenizer, TEXT)
    assert seen.tokens == wanted.tokens
    first, second = (next(iter(each.kinds.values())).query_tokens for each in (seen, wanted))
    for part in ("input_ids", "segments", "special", "attention_mask", "words"):
        np.testing.assert_array_equal(getattr(first, part), getattr(second, part))
    assert_equal(seen, wanted.attentions)


def test_a_truncated_and_padded_pair_is_read_as_the_library_reads_it() -> None:
    model, tokenizer = family("bert")
    options = {"truncation": True, "max_length": 12, "padding": "max_length", "return_tensors": "pt"}
    for pair in (PAIR, "she"):
        batch = tokenizer("the cat sits", pair, **options)
        seen = capture(model, tokenizer, inputs=batch)
        assert len(seen.tokens) == 12
        assert_equal(seen, attentions_of(model, batch))
    assert seen.tokens[:7] == ("[CLS]", "the", "cat", "sits", "[SEP]", "she", "[SEP]")
    assert set(seen.tokens[7:]) == {"[PAD]"}
    assert seen.attention_mask.tolist() == [True] * 7 + [False] * 5
    tokens = seen.kinds["self"].query_tokens
    assert tokens.segments.tolist() == [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    assert tokens.words.tolist() == [-1, 0, 1, 2, -1, 3, *[-1] * 6]


def test_padding_on_the_left_is_padding() -> None:
    model, tokenizer = family("bert")
    batch = {
        "input_ids": [0, 0, *tokenizer("the cat")["input_ids"]],
        "attention_mask": [0, 0, 1, 1, 1, 1],
    }
    seen = capture(model, tokenizer, inputs=batch)
    assert seen.attention_mask.tolist() == [False, False, True, True, True, True]
    assert not seen.attentions[0][:, :, :2].any()
    assert_equal(seen, attentions_of(model, {name: torch.tensor([row]) for name, row in batch.items()}))


def test_ids_alone_are_enough() -> None:
    model, tokenizer = family("gpt2")
    ids = tokenizer(TEXT)["input_ids"]
    wanted = capture(model, tokenizer, TEXT)
    for inputs in (ids, np.array([ids]), torch.tensor(ids), {"input_ids": ids}):
        seen = capture(model, tokenizer, inputs=inputs)
        assert seen.tokens == wanted.tokens
        assert_equal(seen, wanted.attentions)
        assert seen.rerun(heads_off=[(0, 1)]).heads_off == ((0, 1),)


def test_ids_that_were_changed_since_do_not_take_words_from_the_text() -> None:
    model, tokenizer = family("bert")
    batch = tokenizer("the trees", return_tensors="pt")
    assert capture(model, tokenizer, inputs=batch).kinds["self"].query_tokens.words.tolist() == [
        -1,
        0,
        1,
        1,
        -1,
    ]
    batch["input_ids"][0, 3] = tokenizer.convert_tokens_to_ids("cat")
    seen = capture(model, tokenizer, inputs=batch)
    assert seen.tokens == ("[CLS]", "the", "tree", "cat", "[SEP]")
    assert seen.kinds["self"].query_tokens.words.tolist() == [-1, 0, 1, 2, -1]


def test_a_chat_is_captured_by_its_template() -> None:
    model, tokenizer = family("llama")
    template = "{% for turn in messages %}{{ turn.content }} {% endfor %}"
    chat = [{"role": "user", "content": "the cat"}, {"role": "assistant", "content": "sits"}]
    for as_dict in (True, False):
        batch = tokenizer.apply_chat_template(
            chat, chat_template=template, tokenize=True, return_dict=as_dict
        )
        seen = capture(model, tokenizer, inputs=batch)
        assert seen.tokens[0] == "▁the"  # the template, unlike tokenizer(text), puts no <s> there
        ids = batch["input_ids"] if as_dict else batch
        assert_equal(seen, attentions_of(model, {"input_ids": torch.tensor([ids])}))


def test_a_decoder_reads_its_ids() -> None:
    model, tokenizer = family("bart")
    batch = tokenizer(TEXT, return_tensors="pt")
    batch["decoder_input_ids"] = torch.tensor([[2, 0, 7, 8]])
    seen = capture(model, tokenizer, inputs=batch)
    assert seen.kinds["decoder"].query_tokens.input_ids.tolist() == [2, 0, 7, 8]  # type: ignore[union-attr]
    assert_equal(seen, attentions_of(model, batch))
    alone = capture(model, tokenizer, inputs=tokenizer(TEXT))
    assert len(alone.kinds["decoder"].query_tokens) == 1


def test_ready_inputs_can_be_padded_and_run_again() -> None:
    model, tokenizer = family("bert")
    seen = capture(model, tokenizer, inputs=tokenizer("the cat"), pad_to=6)
    assert seen.tokens == ("[CLS]", "the", "cat", "[SEP]", "[PAD]", "[PAD]")
    assert seen.rerun({2: "dog"}).tokens[2] == "dog"


@pytest.mark.parametrize("name", ["bert", "roberta", "distilbert", "albert"])
def test_words_that_are_split_already_are_words(name: str) -> None:
    model, tokenizer = family(name)
    words = ["the", "trees,", "she", "sleeps"]
    seen = capture(model, tokenizer, words, is_split_into_words=True)
    batch = tokenizer(words, is_split_into_words=True, return_tensors="pt")
    tokens = next(iter(seen.kinds.values())).query_tokens
    assert tokens.input_ids.tolist() == batch["input_ids"][0].tolist()  # type: ignore[union-attr]
    wanted = [-1 if word is None else word for word in batch.word_ids(0)]
    assert tokens.words.tolist() == wanted
    assert_equal(seen, attentions_of(model, batch))


def test_a_pair_of_word_lists() -> None:
    model, tokenizer = family("bert")
    seen = capture(model, tokenizer, ["the", "cat"], ["she"], is_split_into_words=True)
    assert seen.tokens == ("[CLS]", "the", "cat", "[SEP]", "she", "[SEP]")
    assert seen.segments.tolist() == [0, 0, 0, 0, 1, 1]


REFUSED: dict[str, tuple[Any, str]] = {
    "nothing": ({}, "inputs has nothing, but no input_ids: give what tokenizer(text) returns."),
    "no ids": ({"attention_mask": [1]}, "inputs has attention_mask, but no input_ids"),
    "two texts": ({"input_ids": [[1, 2], [3, 4]]}, "inputs: input_ids has shape (2, 2): it must be one text"),
    "rows of two lengths": ({"input_ids": [[1, 2], [3]]}, "inputs: input_ids holds 2 rows of different"),
    "a text": ("the cat", "inputs: input_ids is a str of <U7: whole numbers are needed"),
    "empty": ({"input_ids": []}, "whole numbers are needed"),
    "floats": ({"input_ids": [2.0, 3.0]}, "inputs: input_ids is a list of float64: whole numbers"),
    "a shorter mask": (
        {"input_ids": [2, 9, 3], "attention_mask": [1, 1]},
        "inputs: attention_mask has 2 entries, input_ids 3.",
    ),
    "a mask of nothing": ({"input_ids": [2, 9], "attention_mask": [0, 0]}, "with one 1 or more"),
    "an additive mask": ({"input_ids": [2, 9], "attention_mask": [0, -1]}, "must be 1 for tokens and 0 for"),
    "only special tokens": ({"input_ids": [2, 3]}, "nothing but special tokens"),
    "labels": (
        {"input_ids": [2, 9], "labels": [1, 2]},
        "inputs has labels, which capture() does not pass",
    ),
    "positions": ({"input_ids": [2, 9], "position_ids": [1, 0]}, "inputs has position_ids, which"),
    "a decoder": ({"input_ids": [2, 9], "decoder_input_ids": [1]}, "BertForPreTraining has no decoder."),
    "another vocabulary": ({"input_ids": [2, 999]}, "the tokenizer gives id 999"),
    "a label's filler": (
        {"input_ids": [2, 9, -100]},
        "input_ids holds -100, which is no token's id.",
    ),
    "a segment too many": (
        {"input_ids": [2, 9], "token_type_ids": [0, 2]},
        "has 2 segments, 0 to 1",
    ),
    "too long": ({"input_ids": [9] * 65}, "text has 65 tokens, BertForPreTraining has 64 positions"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_inputs_that_cannot_be_captured_are_refused_in_one_line(case: str) -> None:
    inputs, message = REFUSED[case]
    with pytest.raises(CaptureError) as caught:
        capture(*family("bert"), inputs=inputs)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        ((TEXT,), {"inputs": [2, 9]}, "inputs take the place of a text: give one of them"),
        ((), {"inputs": [2, 9], "is_split_into_words": True}, "inputs take the place of a text"),
        ((), {}, "text is None: it must be one string"),
        ((["the", "cat"],), {}, "of one text's words say is_split_into_words=True."),
        (("the cat",), {"is_split_into_words": True}, "text is a str: with is_split_into_words=True it must"),
        (([],), {"is_split_into_words": True}, "text is empty"),
        ((["the", 3],), {"is_split_into_words": True}, "text[1] is an int"),
        ((["the", " "],), {"is_split_into_words": True}, "text[1] is empty"),
        ((["the"], "cat"), {"is_split_into_words": True}, "text_pair is a str"),
    ],
)
def test_arguments_that_do_not_fit_together_are_refused_in_one_line(
    arguments: tuple[Any, ...], named: dict[str, Any], message: str
) -> None:
    with pytest.raises(CaptureError) as caught:
        capture(*family("bert"), *arguments, **named)
    assert message in str(caught.value)


def test_a_batch_whose_entries_come_one_by_one_is_refused_with_the_same_advice() -> None:
    model, tokenizer = family("bert")
    batch = tokenizer(TEXT, return_tensors="pt")
    advice = "capture(model, tokenizer, inputs=batch)."
    for call in (lambda: capture(model, tokenizer, batch), lambda: capture(model, tokenizer, **batch)):
        with pytest.raises(CaptureError) as caught:
            call()
        assert str(caught.value).endswith(advice)
    assert [*inspect.signature(capture).parameters][2:5] == ["text", "text_pair", "inputs"]
    with pytest.raises(TypeError, match="txt"):
        capture(model, tokenizer, txt=TEXT)


def test_a_model_without_segments_takes_pairs() -> None:
    """DeBERTa is trained with type_vocab_size=0: it reads pairs and looks at no segments."""
    tokenizer = tokenizer_of("wordpiece")
    config = DebertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=24,
        max_position_embeddings=64,
        type_vocab_size=0,
    )
    model = DebertaModel(config).eval()
    seen = capture(model, tokenizer, "the cat sits", "she walks")
    batch = tokenizer("the cat sits", "she walks", return_tensors="pt")
    assert seen.segments.tolist() == [0, 0, 0, 0, 0, 1, 1, 1]
    with torch.no_grad():
        wanted = model(**batch, output_attentions=True).attentions
    assert_equal(seen, tuple(weights[0].numpy() for weights in wanted))


def test_a_model_of_pictures_is_refused_in_one_line() -> None:
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 24}
    model = ViTModel(ViTConfig(image_size=32, **sizes))
    with pytest.raises(CaptureError, match=r"^ViTModel reads no text \(it takes pixel_values\): give"):
        capture(model, tokenizer_of("wordpiece"), TEXT)


@pytest.mark.parametrize("name", ["bert", "t5", "albert"])
def test_padding_without_end_is_refused_before_it_is_made(name: str) -> None:
    with pytest.raises(CaptureError, match=r"^pad_to=1000000000: "):
        capture(*family(name), TEXT, pad_to=10**9)


def test_a_model_without_positions_is_padded() -> None:
    model, tokenizer = family("t5")
    assert len(capture(model, tokenizer, "the cat", pad_to=70).tokens) == 70
