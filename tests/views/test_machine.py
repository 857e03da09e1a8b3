"""The machine in Python: its numbers are those of transformers, its map names what it draws."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from matplotlib.figure import Figure
from transformers import BertForMaskedLM, BertForPreTraining, BertModel

from bertviz_lite import Machine, input_parts, load
from bertviz_lite.views import ViewError
from bertviz_lite.views.machine import readings
from bertviz_lite.views.machine.boxes import BOXES, CHAPTERS, GROUPS
from bertviz_lite.views.machine.places import BOXES_AT
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.tiny_families import family
from tests.helpers.tiny_models import SPECIAL, WORDS, make
from tests.views.test_fill_in import tiny_tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAIR = ("Anna is hungry, so [MASK] eats an apple.", "Now she is unhappy.")
SIZE = len(SPECIAL) + len(WORDS)


@pytest.fixture(scope="module")
def library() -> dict[str, Any]:
    """Return what transformers itself computes for the pair."""
    tokenizer, model = load()
    batch = tokenizer(*PAIR, return_tensors="pt")
    with torch.no_grad():
        outputs = model(**batch, output_hidden_states=True, output_attentions=True)
    return {"batch": batch, "model": model, "outputs": outputs, "tokenizer": tokenizer}


@pytest.fixture(scope="module")
def view() -> Iterator[Machine]:
    tokenizer, model = load()
    shown = Machine(model, tokenizer, *PAIR)
    yield shown
    shown.close()


def close_to(numbers: np.ndarray, tensor: torch.Tensor) -> None:
    np.testing.assert_allclose(numbers, tensor.numpy(), atol=2e-5)


# ---- numbers


def test_embeddings_and_their_sum_are_the_rows_of_the_three_tables(
    view: Machine, library: dict[str, Any]
) -> None:
    parts = input_parts(library["model"], library["tokenizer"], *PAIR)
    for box, rows in (("word", parts.token), ("position", parts.position), ("segment", parts.segment)):
        np.testing.assert_allclose(view.read(box), rows, atol=1e-6)
    np.testing.assert_allclose(view.read("sum"), parts.total, atol=1e-6)
    close_to(view.read("norm"), library["outputs"].hidden_states[0][0])


@pytest.mark.parametrize("layer", range(4))
def test_every_step_inside_a_layer_is_that_of_the_library(
    view: Machine, library: dict[str, Any], layer: int
) -> None:
    view.layer = layer
    outputs, block = library["outputs"], library["model"].bert.encoder.layer[layer]
    x = outputs.hidden_states[layer][0]
    own = block.attention.self
    with torch.no_grad():
        for box, part in (("query", own.query), ("key", own.key), ("value", own.value)):
            close_to(view.read(box), part(x))
        close_to(view.read("weights"), outputs.attentions[layer][0])
        heads = own.value(x).unflatten(-1, (6, 32)).transpose(0, 1)
        context = (outputs.attentions[layer][0] @ heads).transpose(0, 1).flatten(1)
        close_to(view.read("context"), context)
        projected = block.attention.output.dense(context)
        close_to(view.read("projected"), projected)
        attended = block.attention.output.LayerNorm(x + projected)
        close_to(view.read("attended"), attended)
        up = block.intermediate.dense(attended)
        close_to(view.read("up"), up)
        close_to(view.read("activated"), torch.nn.functional.gelu(up))
        down = block.output.dense(torch.nn.functional.gelu(up))
        close_to(view.read("down"), down)
    close_to(view.read("output"), outputs.hidden_states[layer + 1][0])


def test_the_heads_say_what_the_library_says(view: Machine, library: dict[str, Any]) -> None:
    outputs, model, tokenizer = library["outputs"], library["model"], library["tokenizer"]
    with torch.no_grad():
        transform = model.cls.predictions.transform(outputs.hidden_states[-1][0])
        pooled = model.bert.pooler(outputs.hidden_states[-1])[0]
    close_to(view.read("transform"), transform)
    close_to(view.read("pooler"), pooled)
    close_to(view.read("verdict"), outputs.seq_relationship_logits[0])
    facts, arrays = readings.unpack(view._found)
    shares, ids = outputs.prediction_logits[0].softmax(-1).topk(readings.BEST)
    close_to(arrays["best"], shares)
    assert facts["best"] == [tokenizer.convert_ids_to_tokens(row) for row in ids.tolist()]
    assert facts["best"][facts["tokens"].index("[MASK]")][0] == "she"


def test_whether_the_decoder_is_tied_is_seen_from_the_numbers() -> None:
    for is_tied in (True, False):
        model = make(BertForMaskedLM, vocab_size=SIZE, tie_word_embeddings=is_tied)
        view = Machine(model, tiny_tokenizer(), "the cat [MASK]")
        assert view.found[0]["is_tied"] is is_tied
        view.close()


def test_every_box_with_an_array_has_the_shape_that_the_map_names(view: Machine) -> None:
    sizes = view.found[0]["sizes"]
    assert sizes == {
        "seq_len": 18,
        "hidden_size": 192,
        "intermediate_size": 640,
        "num_heads": 6,
        "head_size": 32,
        "vocab_size": 3750,
    }
    by_axis = {**sizes, "query": 18, "key": 18, "2": 2}
    drawn = [box for box in BOXES if box.id not in ("tokens", "words")]
    for box in drawn:
        assert view.read(box.id).shape == tuple(by_axis[axis] for axis in box.axes), box.id
    assert len(drawn) == 19


def test_the_map_names_modules_that_there_are_and_chapters_that_there_are(library: dict[str, Any]) -> None:
    names = {name.removeprefix("bert.") for name, _ in library["model"].named_modules()}
    for box in BOXES:
        assert not box.module or box.module.format(layer=0) in names, box.module
    assert {box.chapter for box in BOXES} == set(CHAPTERS)
    assert {box.group for box in BOXES} == {group.id for group in GROUPS}
    assert {group.opens for group in GROUPS} <= {box.id for box in BOXES}


# ---- state


def test_here_marks_a_place_and_opens_its_box() -> None:
    engine = FakeEngine()
    view = Machine(engine, text="the cat sits .", here="attention")
    assert (view.here, view.box) == ("attention", "weights")
    assert Machine(engine, text="the cat", here="down").box == "down"
    assert Machine(engine, text="the cat", here="pooler", box=None).box is None
    assert repr(view) == (
        "Machine(FakeBert, 2 layers, text='the cat sits .', text_pair='', here='attention', box='weights', "
        "layer=0, head=0, token=None)"
    )


def test_another_text_keeps_what_it_has_and_lets_go_of_the_rest() -> None:
    view = Machine(FakeEngine(), text="the cat sits .", token=5, layer=1, head=1)
    view.text_pair = "she sleeps ."
    assert view.token == 5
    view.text_pair = None
    assert view.text_pair == ""
    view.text = "the"
    assert (view.token, view.layer, view.head) == (None, 1, 1)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("text", " ", r"^text is empty"),
        ("text_pair", "  ", r"^text_pair is empty"),
        ("text", "the " * 30, r"^text of 32 tokens, .* 24 positions, so shorten by 8\.$"),
        ("layer", 2, r"^layer=2: there are 2 layers"),
        ("head", -1, r"^head=-1: there are 2 heads"),
        ("token", 4, r"^token=4: there are 4 tokens"),
        ("box", "attention", r"^box='attention': one of tokens, word, .* is needed, or None\.$"),
        ("here", "chapter 3", r"^here='chapter 3': one of tokens, embeddings, "),
    ],
)
def test_what_means_nothing_changes_nothing(name: str, value: object, said: str) -> None:
    view = Machine(FakeEngine(), text="the cat")
    before = repr(view)
    with pytest.raises(ViewError, match=said):
        setattr(view, name, value)
    assert repr(view) == before


def test_a_model_of_another_form_is_refused_in_one_line() -> None:
    with pytest.raises(TypeError, match=r"^GPT2LMHeadModel is no BERT: give a BertForPreTraining"):
        Machine(*family("gpt2"), "the cat")
    with pytest.raises(ViewError, match=r"^box='tokens': one of word, position, segment, sum, norm, query"):
        Machine(FakeEngine(), text="the cat").read("tokens")
    with pytest.raises(TypeError, match=r"^colour='red': Machine knows text, text_pair, here, box"):
        Machine(FakeEngine(), text="the cat", colour="red")


# ---- what travels, and what is seen without scripts


def test_a_model_without_heads_has_none_and_says_so() -> None:
    view = Machine(make(BertModel, vocab_size=SIZE), tiny_tokenizer(), "the cat", "a dog")
    facts, arrays = readings.unpack(view._found)
    assert facts["best"] == []
    assert "pooler_output" in arrays
    assert not {"best", "transform", "seq_relationship_logits"} & set(arrays)
    static = view._static()
    assert "LM head" not in static.alt
    assert "NSP head" not in static.alt
    assert isinstance(static.figure, Figure)
    texts = [text.get_text() for text in static.figure.axes[0].texts]
    assert texts.count("not in this model") == len(["transform", "decoder", "classifier"])
    assert not any("vocab_size" in text for text in texts)
    assert "the vector of [CLS] alone" in texts


def test_nothing_leads_to_a_pooler_that_a_model_lacks() -> None:
    view = Machine(make(BertForMaskedLM, vocab_size=SIZE), tiny_tokenizer(), "the cat", "a dog")
    figure = view._static().figure
    assert isinstance(figure, Figure)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert "tied: the same table" in texts
    assert "the vector of [CLS] alone" not in texts


def test_the_picture_says_what_it_shows(view: Machine) -> None:
    view.here, view.layer = "attention", 2
    static = view._static()
    said = (
        PAIR[0],
        "18 tokens",
        "layer 2 is drawn",
        "she at [MASK]",
        "continues the first",
        "Multi-head self-attention",
        "Residual",
        "token embeddings.",
    )
    for words in said:
        assert words in static.alt
    assert isinstance(static.figure, Figure)
    texts = [text.get_text() for text in static.figure.axes[0].texts]
    drawn = (
        *("you are here", "hidden_size 192", "seq_len 18 × intermediate_size 640", "chapter 07", "4 layers"),
        *(
            "Encoder",
            "residual connection: + x",
            "tied: the same table",
            "the vector of [CLS] alone",
            "attended",
        ),
        *("softmax(Q·Kᵀ/√32)", "on through layer 3"),
    )
    assert set(drawn) <= set(texts)
    boxes, tokens = static.tables
    assert len(boxes.rows) == len(BOXES)
    assert boxes.rows[8][:3] == ["attention weights", "num_heads 6 × query 18 × key 18", "03 · Attention"]
    assert tokens.rows[6][:4] == ["[MASK]", "4", "6", "0"]
    assert len(view.fallback()) < 160_000


def test_what_a_box_says_ends_inside_of_it(view: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    longest = "[MASK] → kindness…   > 99.9 %"
    monkeypatch.setattr("bertviz_lite.views.machine.shown.Shown.answer", lambda *_: [longest])
    figure = view._static().figure
    assert isinstance(figure, Figure)
    texts = [text for text in figure.axes[0].texts if text.get_text() == longest]
    texts.sort(key=lambda text: text.get_position()[0])
    for text, box in zip(texts, ("words", "verdict"), strict=True):
        assert text.get_window_extent().x1 / figure.dpi * 100 <= BOXES_AT[box].right


@pytest.mark.thorough
def test_the_picture_of_a_larger_model_and_a_long_text_stays_small() -> None:
    sizes = {"hidden_size": 192, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 768}
    model = make(BertForPreTraining, vocab_size=SIZE, max_position_embeddings=128, **sizes)
    view = Machine(model, tiny_tokenizer(), "the cat sits . " * 31, layer=7, here="encoder")
    assert len(view.fallback()) < 200_000
    figure = view._static().figure
    assert isinstance(figure, Figure)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert {"0", "6", "7", "8", "11", "⋮", "12 layers", "on through layers 8 … 11"} <= set(texts)


def test_a_saved_page_holds_every_layer_and_of_a_large_model_the_one_that_is_shown(
    view: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list(view._saved_blocks()) == [f"layer/{layer}" for layer in range(4)]
    monkeypatch.setattr("bertviz_lite.views.machine.view._MOST_SAVED", 1000)
    view.layer = 3
    assert list(view._saved_blocks()) == ["layer/3"]
    facts, arrays = readings.unpack(view._block("layer/3"))
    assert (facts["text"], facts["text_pair"], facts["layer"]) == (*PAIR, 3)
    np.testing.assert_array_equal(arrays["query"], view.read("query"))
    with pytest.raises(ViewError, match=r"^'layer/4': Machine has no such block"):
        view._block("layer/4")


def test_the_page_gets_the_map_as_plain_data(view: Machine, tmp_path: Path) -> None:
    assert json.loads(json.dumps(view._map))["boxes"][0]["id"] == "tokens"
    view.save(tmp_path / "page.html", live=False)
    assert (tmp_path / "page.html").stat().st_size < 1_700_000


def test_a_model_in_float64_is_shown_and_left_as_it_was() -> None:
    model = make(BertForPreTraining, vocab_size=SIZE).double()
    first = Machine(model, tiny_tokenizer(), "the cat")  # transformers puts hooks of its own, once
    hooks = hooks_of(model)
    view = Machine(model, tiny_tokenizer(), "the dog sits", layer=1)
    assert view.read("query").dtype == np.float32
    assert model.dtype == torch.float64
    assert hooks_of(model) == hooks
    first.close()


def hooks_of(model: torch.nn.Module) -> list[int]:
    return [len(module._forward_hooks) + len(module._forward_pre_hooks) for module in model.modules()]
