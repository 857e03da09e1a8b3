"""The interface through which views reach a model: torch behind it, and a made-up model without torch."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from bertviz_lite import Explorer, capture
from bertviz_lite.capture import CaptureError
from bertviz_lite.views import ViewError
from bertviz_lite.views.engine.choose import engine_for
from bertviz_lite.views.engine.interface import Engine
from bertviz_lite.views.engine.torch_engine import TorchEngine, engine_behind
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.tiny_families import PAIR, TEXT, family

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


@pytest.fixture(scope="module")
def bert() -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    return family("bert")


def test_both_engines_satisfy_the_interface(bert: tuple[PreTrainedModel, PreTrainedTokenizerBase]) -> None:
    assert isinstance(FakeEngine(), Engine)
    assert isinstance(TorchEngine(*bert), Engine)
    fake: Engine = FakeEngine()
    assert engine_for(fake) is fake
    assert isinstance(engine_for(*bert), TorchEngine)


def test_what_is_no_model_is_refused_in_one_line(
    bert: tuple[PreTrainedModel, PreTrainedTokenizerBase],
) -> None:
    model, tokenizer = bert
    with pytest.raises(ViewError, match=r"^model is None: give a BertForPreTraining, as load\(\) does\.$"):
        engine_for(None, tokenizer)  # type: ignore[arg-type]
    with pytest.raises(ViewError, match=r"^model and tokenizer are swapped: the model is given first\.$"):
        engine_for(tokenizer, model)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^tokenizer is None: give the tokenizer that belongs to BertForPre"):
        engine_for(model)
    with pytest.raises(TypeError, match=r"^tokenizer: an engine has its own; give the engine alone\.$"):
        engine_for(FakeEngine(), tokenizer)


def test_torch_engine_runs_as_the_library_does(
    bert: tuple[PreTrainedModel, PreTrainedTokenizerBase],
) -> None:
    model, tokenizer = bert
    engine = TorchEngine(model, tokenizer)
    encoded = engine.encode(TEXT, PAIR)
    batch = tokenizer(TEXT, PAIR, return_tensors="pt")
    assert encoded.tokens.input_ids.tolist() == batch["input_ids"][0].tolist()  # type: ignore[union-attr]
    model.set_attn_implementation("eager")
    with torch.no_grad():
        outputs = model(**batch, output_attentions=True)
    model.set_attn_implementation("sdpa")
    seen = engine.run(encoded)
    for given, wanted in zip(seen.kinds["self"].attentions, outputs.attentions, strict=True):
        np.testing.assert_allclose(given, wanted[0].numpy(), atol=1e-6)
    wanted = outputs.prediction_logits[0, 3].double().log_softmax(-1).numpy()
    np.testing.assert_allclose(seen.log_probabilities(3), wanted, atol=1e-6)
    verdict = outputs.seq_relationship_logits[0].double()
    np.testing.assert_allclose(engine.judge_pair(encoded), [float(verdict[0] - verdict[1])], atol=1e-5)


def test_torch_engine_judges_a_pair_with_words_hidden(
    bert: tuple[PreTrainedModel, PreTrainedTokenizerBase],
) -> None:
    model, tokenizer = bert
    engine = TorchEngine(model, tokenizer)
    encoded = engine.encode("the cat sits", "she walks .")
    assert [tuple(word) for word in encoded.words] == [
        ("the", 1, 2, 0),
        ("cat", 2, 3, 0),
        ("sits", 3, 4, 0),
        ("she", 5, 6, 1),
        ("walks", 6, 7, 1),
        (".", 7, 8, 1),
    ]
    batch = tokenizer("the cat sits", "she walks .", return_tensors="pt")
    batch["input_ids"][0, [2, 6]] = tokenizer.mask_token_id
    with torch.no_grad():
        verdict = model(**batch).seq_relationship_logits[0].double()
    odds = engine.judge_pair(encoded, [(), (2, 6)])
    np.testing.assert_allclose(odds[1], float(verdict[0] - verdict[1]), atol=1e-5)
    assert abs(odds[0] - odds[1]) > 1e-3


def test_torch_engine_reads_the_last_layer_as_the_model_does(
    bert: tuple[PreTrainedModel, PreTrainedTokenizerBase],
) -> None:
    model, tokenizer = bert
    engine = TorchEngine(model, tokenizer)
    with torch.no_grad():
        wanted = model(**tokenizer(TEXT, return_tensors="pt")).prediction_logits[0, [1, 4]].double().numpy()
    read = engine.read_layers(engine.encode(TEXT), [1, 4])
    assert read.shape == (engine.facts.num_layers + 1, 2, engine.facts.vocab_size)
    np.testing.assert_array_equal(read[-1], wanted)


def test_torch_engine_reads_the_layers_of_a_pair_with_its_segments(
    bert: tuple[PreTrainedModel, PreTrainedTokenizerBase],
) -> None:
    model, tokenizer = bert
    engine = TorchEngine(model, tokenizer)
    with torch.no_grad():
        wanted = model(**tokenizer(TEXT, PAIR, return_tensors="pt")).prediction_logits[0, [1, 14]]
    read = engine.read_layers(engine.encode(TEXT, PAIR), [1, 14])
    np.testing.assert_array_equal(read[-1], wanted.double().numpy())


def test_torch_engine_refuses_what_does_not_fit(
    bert: tuple[PreTrainedModel, PreTrainedTokenizerBase],
) -> None:
    engine = TorchEngine(*bert)
    encoded = engine.encode("the cat sits " * 30)
    assert len(encoded.tokens) == 92
    for call in (engine.run, engine.judge_pair, lambda text: engine.read_layers(text, [1])):
        with pytest.raises(CaptureError, match=r"^text has 92 tokens, BertForPreTraining has 64 positions"):
            call(encoded)
    with pytest.raises(CaptureError, match=r"^another engine encoded this text"):
        engine.run(FakeEngine().encode("the cat"))


def test_a_capture_is_repeated_by_the_engine_behind_it() -> None:
    for name, token in (("bert", "cat"), ("gpt2", "a"), ("bart", "a")):
        seen = capture(*family(name), TEXT)
        behind = engine_behind(seen)
        assert behind is not None
        engine, encoded = behind
        assert engine.run(encoded) is seen
        wanted = seen.rerun({2: token}, [(0, 1)]).attentions[-1]
        np.testing.assert_array_equal(
            engine.run(encoded, {2: token}, [(0, 1)]).kinds[next(iter(seen.kinds))].attentions[-1], wanted
        )
    assert engine_behind(capture.Capture.from_arrays([np.full((1, 1, 2, 2), 0.5)], ["a", "b"])) is None


@pytest.mark.thorough
def test_the_explorer_works_with_an_engine_that_has_no_torch() -> None:
    engine = FakeEngine()
    view = Explorer(engine, text=("the cat sits .", "she sleeps ."))
    assert repr(view) == "Explorer(FakeBert, 10 tokens, 2 layers of 2 heads, layer=0, head=0)"
    view.edits = {2: "[MASK]"}
    assert engine.passes == 2
    (told,) = view._predictions["positions"]
    assert told["token"] == "cat"
    assert [len(told[name]) for name in ("before", "after")] == [5, 5]
    logits = engine.read_layers(engine.encode("the cat sits .", "she sleeps ."), [2])[-1, 0]
    shares = np.exp(logits) / np.exp(logits).sum()
    assert told["before"][0][1] == pytest.approx(shares.max(), rel=1e-5)
    assert told["loss"][0] == pytest.approx(-np.log(shares[7]), rel=1e-5)
    view.heads_off = [(0, 1)]
    assert view.side == "both"
    with pytest.raises(ViewError, match=r"^'zebra' is not in the vocabulary\.$"):
        view.edits = {2: "zebra"}
    assert view.edits == {"2": "[MASK]"}
    assert "<img" in view.fallback()
    view.close()


def test_an_engine_needs_a_text_and_a_capture_does_not() -> None:
    with pytest.raises(TypeError, match=r"^an engine needs a text: Explorer\(engine, text="):
        Explorer(FakeEngine())
    with pytest.raises(TypeError, match=r"^text is given with an engine only"):
        Explorer([np.full((1, 1, 2, 2), 0.5)], ["a", "b"], text="a b")
    with pytest.raises(ViewError, match=r"^text is empty"):
        Explorer(FakeEngine(), text=" ")


VIEWS = {
    "pair": "PairView(FakeEngine(), first='the cat sits .', second='she sleeps .')",
    "fill_in": "FillIn(FakeEngine(), text='the [MASK] sits .')",
    "attention": "Explorer(FakeEngine(), text='the cat sits .')",
    "machine": "Machine(FakeEngine(), text='the cat [MASK] .')",
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", VIEWS)
def test_a_view_shows_and_saves_without_torch(name: str, tmp_path: object) -> None:
    """In a process of its own, where importing torch fails."""
    cls = VIEWS[name].partition("(")[0]
    program = f"""
import sys
sys.modules["torch"] = sys.modules["transformers"] = None  # an import of either fails
from bertviz_lite.views.{name}.view import {cls}
from tests.helpers.fake_engine import FakeEngine
view = {VIEWS[name]}
assert len(view.fallback()) > 1000
view.save({str(tmp_path)!r} + "/page.html")
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
