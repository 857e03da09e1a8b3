"""Models that do not choose their attention by name, and others of their own kind."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import torch
from transformers import (
    BertLMHeadModel,
    BertModel,
    EncoderDecoderModel,
    FNetConfig,
    FNetModel,
    GPT2Model,
    LongformerConfig,
    LongformerModel,
    MambaConfig,
    MambaModel,
    XLNetConfig,
    XLNetLMHeadModel,
)

from bertviz_lite import capture, load, trace
from tests.helpers.captures import MINILM, OUTPUTS, inputs_of, of_the_library, refusal
from tests.helpers.tiny_families import PAIR, TEXT, family, tokenizer as tokenizer_of
from tests.helpers.tiny_models import make


def test_a_model_that_does_not_choose_its_attention_by_name() -> None:
    tokenizer = tokenizer_of("wordpiece")
    torch.manual_seed(0)
    model = XLNetLMHeadModel(
        XLNetConfig(vocab_size=len(tokenizer), d_model=16, n_layer=2, n_head=4, d_inner=24)
    )
    seen = capture(model.train(), tokenizer, TEXT)
    assert model.training
    model.eval()
    inputs = {name: values for name, values in inputs_of(seen).items() if name != "token_type_ids"}
    inputs["token_type_ids"] = torch.tensor(seen.segments)[None]
    with torch.no_grad():
        weights = model(**inputs, output_attentions=True, use_mems=False).attentions
    for mine, theirs in zip(seen.attentions, weights, strict=True):
        assert np.array_equal(mine, theirs[0].numpy())
    assert seen.kinds["self"].scores is None
    assert "cannot be switched off" in refusal(seen.rerun, heads_off=[(0, 0)])
    assert "no queries and keys" in refusal(lambda: seen.queries)
    assert seen.rerun({2: "dog"}).tokens[2] == "dog"


def test_a_model_without_attention() -> None:
    tokenizer = tokenizer_of("wordpiece")
    model = FNetModel(FNetConfig(vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1))
    assert "FNetModel returned no attentions" in refusal(capture, model, tokenizer, TEXT)


def test_a_model_that_does_not_speak_of_attention() -> None:
    tokenizer = tokenizer_of("wordpiece")
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "state_size": 4}
    model = MambaModel(MambaConfig(vocab_size=len(tokenizer), **sizes)).eval()
    line = refusal(capture, model, tokenizer, TEXT)
    assert line.startswith(
        "MambaModel gives no attention weights: there is nothing to explore. trace(model, "
    )
    advised = {"trace": trace, "model": model, "tokenizer": tokenizer, "text": TEXT}
    seen = eval(line[line.index("trace(") : line.index(" reads it.")], advised)
    assert seen.failure is None


def test_a_model_whose_weights_are_no_square() -> None:
    tokenizer = tokenizer_of("wordpiece")
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 24}
    model = LongformerModel(LongformerConfig(vocab_size=len(tokenizer), attention_window=4, **sizes))
    line = refusal(capture, model, tokenizer, TEXT)
    assert line.startswith(
        "LongformerModel returned attentions of shape (1, 4, 13, 5) for 13 queries and 13 keys"
    )


def test_gpt2_that_upcasts_in_a_way_of_its_own() -> None:
    model, tokenizer = family("gpt2", reorder_and_upcast_attn=True, scale_attn_by_inverse_layer_idx=True)
    seen = capture(model.bfloat16(), tokenizer, TEXT)
    for mine, theirs in zip(seen.attentions, of_the_library(model, seen)["attentions"], strict=True):
        assert np.array_equal(mine, theirs[0].float().numpy())


def test_an_encoder_and_a_decoder_with_configs_of_their_own() -> None:
    tokenizer = tokenizer_of("wordpiece")
    encoder = make(BertModel, vocab_size=len(tokenizer))
    decoder = make(BertLMHeadModel, vocab_size=len(tokenizer), is_decoder=True, add_cross_attention=True)
    model = EncoderDecoderModel(encoder=encoder, decoder=decoder).eval()
    model.config.decoder_start_token_id = tokenizer.cls_token_id
    configs = [model.config, model.config.encoder, model.config.decoder, encoder.config, decoder.config]
    implementations = [config._attn_implementation for config in configs]
    seen = capture(model, tokenizer, TEXT, PAIR)
    assert implementations == [config._attn_implementation for config in configs]
    assert [len(maps.scores or ()) for maps in seen.kinds.values()] == [2, 2, 2]
    library = of_the_library(model, seen)
    for kind, maps in seen.kinds.items():
        for mine, theirs in zip(maps.attentions, library[OUTPUTS[kind]], strict=True):
            assert np.array_equal(mine, theirs[0].numpy())


def test_a_class_of_ones_own_and_a_base_model() -> None:
    class Mine(GPT2Model):
        """A reader's own class, in a module of its own."""

    model, tokenizer = family("gpt2")
    seen = capture(Mine(model.config), tokenizer, TEXT)
    assert (seen.model_name, seen.predicts) == ("Mine", False)
    assert seen.kinds["self"].scores is not None


def test_scores_that_do_not_give_the_weights_are_kept_back() -> None:
    model, tokenizer = family("bert")
    source = sys.modules[type(model).__module__]
    theirs = source.eager_attention_forward

    def with_a_cap(module, query, key, value, attention_mask, **given):  # noqa: ANN001, ANN003, ANN202
        return theirs(module, query.tanh(), key, value, attention_mask, **given)

    source.eager_attention_forward = with_a_cap
    try:
        seen = capture(model, tokenizer, TEXT)
    finally:
        source.eager_attention_forward = theirs
    assert seen.kinds["self"].scores is None
    assert len(seen.attentions) == 3


@pytest.mark.skipif(not MINILM, reason="the extra real is not installed")
def test_minilm() -> None:
    tokenizer, model = load("minilm")
    seen = capture(model, tokenizer, "A kitten is unhappy.", "It sleeps.")
    for mine, theirs in zip(seen.attentions, of_the_library(model, seen)["attentions"], strict=True):
        assert np.array_equal(mine, theirs[0].numpy())
    assert len(seen.kinds["self"].scores) == 6
    assert seen.queries[0].shape == (12, len(seen.tokens), 32)
    assert not seen.predicts


def test_the_pocket_model_fills_a_gap() -> None:
    tokenizer, model = load()
    seen = capture(model, tokenizer, "The farmer finds the key.")
    assert seen.tokens == ("[CLS]", "the", "farmer", "finds", "the", "key", ".", "[SEP]")
    assert (len(seen.attentions), seen.attentions[0].shape) == (4, (6, 8, 8))
    hidden = seen.rerun({6: "[MASK]"})
    assert hidden.predictions(6, 1)[0][0] == "."
    assert hidden.loss(6, ".") < hidden.loss(6, "key")
