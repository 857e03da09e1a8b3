"""Weights, states and scores are the library's own, for every family; the model is put back."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import torch
from transformers import (
    PreTrainedModel,
)

from bertviz_lite import capture
from bertviz_lite.capture import recorder
from tests.helpers.captures import (
    CAUSAL,
    FAMILIES,
    OF_BOTH,
    OUTPUTS,
    inputs_of,
    logits_of,
    of_the_library,
    pair_for,
)
from tests.helpers.tiny_families import TEXT, family


@pytest.mark.parametrize("name", FAMILIES)
def test_weights_and_states_are_the_librarys_own(name: str) -> None:
    model, tokenizer = family(name)
    seen = capture(model, tokenizer, TEXT, pair_for(name))
    library = of_the_library(model, seen)
    assert list(seen.kinds) == (["encoder", "decoder", "cross"] if name in OF_BOTH else ["self"])
    for kind, maps in seen.kinds.items():
        weights = library[OUTPUTS[kind]]
        assert maps.num_layers == len(weights) == (2 if name in OF_BOTH else 3)
        for mine, theirs in zip(maps.attentions, weights, strict=True):
            assert mine.dtype == np.float32
            assert mine.shape == (4, len(maps.query_tokens), len(maps.key_tokens))
            assert np.array_equal(mine, theirs[0].numpy())
    prefix = "encoder_" if name in OF_BOTH else ""
    for mine, theirs in zip(seen.hidden_states, library[f"{prefix}hidden_states"], strict=True):
        assert np.array_equal(mine, theirs[0].numpy())
    assert len(seen.decoder_hidden_states) == (3 if name in OF_BOTH else 0)
    for mine, theirs in zip(
        seen.decoder_hidden_states, library.get("decoder_hidden_states", ()), strict=True
    ):
        assert np.array_equal(mine, theirs[0].numpy())


@pytest.mark.parametrize("name", FAMILIES)
def test_scores_give_the_weights(name: str) -> None:
    model, tokenizer = family(name)
    seen = capture(model, tokenizer, TEXT, pair_for(name), pad_to=None if name in CAUSAL else 48)
    for kind, maps in seen.kinds.items():
        if maps.scores is None:
            assert name == "t5"
            pytest.skip("the T5 of this release does not choose its attention function by name")
        assert (len(maps.scores), len(seen.kinds[kind].attentions)) == (maps.num_layers,) * 2
        for weights, scores in zip(maps.attentions, maps.scores, strict=True):
            assert scores.queries.shape == (4, len(maps.query_tokens), 4)
            assert scores.keys.shape == (4, len(maps.key_tokens), 4)
            products = scores.scaling * scores.queries.astype(float) @ scores.keys.astype(float).mT
            if scores.bias is not None:
                assert scores.bias.shape in {(1, *weights.shape[1:]), weights.shape}
                assert scores.bias.any()
                products = products + scores.bias
            exponentials = np.exp(products - products.max(-1, keepdims=True))
            np.testing.assert_allclose(weights, exponentials / exponentials.sum(-1, keepdims=True), atol=1e-5)


def test_what_the_scores_are_made_of() -> None:
    of = {
        name: capture(*family(name), TEXT).kinds["encoder" if name == "t5" else "self"].scores
        for name in ("bert", "modernbert", "llama", "t5")
    }
    assert [scores.scaling for scores in of["bert"]] == [0.5] * 3  # 1 / sqrt(4)
    assert [scores.bias for scores in of["bert"]] == [None] * 3
    is_local = [scores.bias is not None for scores in of["modernbert"]]
    assert is_local == [False, True, False]
    for scores in of["llama"]:  # two heads share a key
        assert np.array_equal(scores.keys[0], scores.keys[1])
        assert not np.array_equal(scores.keys[1], scores.keys[2])
        assert scores.bias.shape == (1, *scores.bias.shape[1:])
        assert ((scores.bias < -1e30) == np.triu(np.ones(scores.bias.shape), 1)).all()
    if of["t5"] is not None:
        assert [scores.scaling for scores in of["t5"]] == [1.0] * 2
        assert of["t5"][0].bias.shape[0] == 4  # a relative position bias of each head


def test_queries_and_keys_are_those_of_the_projections() -> None:
    model, tokenizer = family("bert")
    seen = capture(model, tokenizer, TEXT)
    for layer, queries, keys, states in zip(
        model.bert.encoder.layer, seen.queries, seen.keys, seen.hidden_states, strict=False
    ):
        for part, vectors in ((layer.attention.self.query, queries), (layer.attention.self.key, keys)):
            flat = part(torch.tensor(states)).detach().numpy()
            np.testing.assert_allclose(vectors.transpose(1, 0, 2).reshape(flat.shape), flat, atol=1e-6)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_model_is_as_it_was(name: str) -> None:
    model, tokenizer = family(name)
    seen = capture(model, tokenizer, TEXT, pair_for(name))  # also the first use of the library's own hooks
    inputs = inputs_of(seen)
    implementations = {id(module): module.config._attn_implementation for module in parts(model)}
    with torch.no_grad():
        before = logits_of(dict(model(**inputs)))
        capture(model, tokenizer, TEXT, pair_for(name)).rerun({1: tokenizer.eos_token or "cat"})
        after = logits_of(dict(model(**inputs)))
    assert torch.equal(before, after)
    assert implementations == {id(module): module.config._attn_implementation for module in parts(model)}
    assert not any("recorder" in str(implementation) for implementation in implementations.values())
    assert all(parameter.grad is None and parameter.requires_grad for parameter in model.parameters())
    assert torch.is_grad_enabled()
    assert recorder._recorder.get() is None


def parts(model: PreTrainedModel) -> list[torch.nn.Module]:
    return [module for module in model.modules() if hasattr(module, "config")]


@pytest.mark.parametrize("name", ["bert", "llama", "bart"])
def test_dropout_is_off_and_every_mode_is_put_back(name: str) -> None:
    dropout = {"attention_dropout": 0.5} if name != "bert" else {"attention_probs_dropout_prob": 0.5}
    model, tokenizer = family(name, **dropout)
    quiet = capture(model, tokenizer, TEXT)
    model.train()
    some = [module for module in model.modules() if not list(module.children())][::2]
    for module in some:
        module.eval()
    modes = [module.training for module in model.modules()]
    loud = capture(model, tokenizer, TEXT)
    assert modes == [module.training for module in model.modules()]
    assert 0 < sum(modes) < len(modes)
    for mine, theirs in zip(loud.attentions, quiet.attentions, strict=True):
        assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("name", ["bert", "t5"])
def test_an_error_on_the_way_puts_all_back(name: str) -> None:
    model, tokenizer = family(name)
    model.train()
    last = list(model.base_model.modules())[-1]

    def fail(*_: object) -> None:
        raise MemoryError("no room")

    handle = last.register_forward_pre_hook(fail)
    implementations = [module.config._attn_implementation for module in parts(model)]
    with pytest.raises(MemoryError, match="no room"):
        capture(model, tokenizer, TEXT)
    handle.remove()
    assert implementations == [module.config._attn_implementation for module in parts(model)]
    assert all(module.training for module in model.modules())
    assert torch.is_grad_enabled()
    capture(model, tokenizer, TEXT)


def test_the_model_may_run_elsewhere_meanwhile() -> None:
    model, tokenizer = family("bert")
    seen = capture(model, tokenizer, TEXT)
    inputs, found = inputs_of(seen), []
    record = recorder.Recorder()
    with recorder.recording(model, record):
        other = threading.Thread(target=lambda: found.append(model(**inputs).prediction_logits))
        other.start()
        other.join()
    assert record.calls == []
    assert torch.equal(found[0][0], logits_of(of_the_library(model, seen)))


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("name", ["bert", "llama", "t5"])
def test_other_kinds_of_number(name: str, dtype: torch.dtype) -> None:
    model, tokenizer = family(name)
    exact = capture(model, tokenizer, TEXT)
    seen = capture(model.to(dtype), tokenizer, TEXT, pad_to=len(exact.tokens) + 2)
    size = len(exact.tokens)
    for mine, theirs in zip(seen.attentions, exact.attentions, strict=True):
        assert mine.dtype == np.float32
        # 8 bits of mantissa, through layers of a model with large random weights
        np.testing.assert_allclose(
            mine[:, :size, :size], theirs, atol=1e-5 if dtype == torch.float64 else 0.3
        )
    assert np.isfinite(seen.hidden_states[-1]).all()
    assert seen.hidden_states[-1].dtype == np.float32
    if dtype == torch.float64 and exact.kinds[next(iter(exact.kinds))].scores:
        assert next(iter(seen.kinds.values())).scores is not None
    position = 1
    assert seen.predictions(position)[0][1] == pytest.approx(exact.predictions(position)[0][1], abs=0.2)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no second device")
@pytest.mark.parametrize("name", ["bert", "llama", "t5"])
def test_another_device(name: str) -> None:
    model, tokenizer = family(name)
    here = capture(model, tokenizer, TEXT, pair_for(name))
    there = capture(model.to("cuda"), tokenizer, TEXT, pair_for(name))
    for kind, maps in here.kinds.items():
        for mine, theirs in zip(maps.attentions, there.kinds[kind].attentions, strict=True):
            np.testing.assert_allclose(mine, theirs, atol=1e-4)
        assert (maps.scores is None) == (there.kinds[kind].scores is None)
    assert here.loss(1, here.predictions(1)[0][0]) == pytest.approx(
        there.loss(1, here.predictions(1)[0][0]), abs=1e-3
    )
