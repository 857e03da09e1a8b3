"""A capture run again with other tokens and heads off, and what the model predicts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st
from transformers import (
    BertForMaskedLM,
    BertForTokenClassification,
    BertModel,
    PreTrainedModel,
)

from bertviz_lite import capture
from tests.helpers.captures import (
    CAUSAL,
    FAMILIES,
    OF_BOTH,
    OUTPUTS,
    axis,
    logits_of,
    of_the_library,
    pair_for,
    refusal,
)
from tests.helpers.tiny_families import TEXT, family, tokenizer as tokenizer_of
from tests.helpers.tiny_models import make


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
