"""The fill-in view, as far as Python reaches: its numbers, what it refuses, what it saves."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from matplotlib.figure import Figure
from matplotlib.text import Text
from transformers import BertConfig, BertForPreTraining, BertForSequenceClassification, BertTokenizer

from bertviz_lite import load
from bertviz_lite.plots.display import MAX_BYTES
from bertviz_lite.views import FillIn, ViewError
from bertviz_lite.views.base.asking import pack_found, unpack_found
from bertviz_lite.views.fill_in.picture import rows_listed
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.tiny_families import family
from tests.helpers.tiny_models import SPECIAL, WORDS, make
from tests.views.test_views import HOSTILE, KEPT, Reader

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "the cat [MASK] the [MASK] ."


def tiny_tokenizer(*more: str) -> BertTokenizer:
    vocab = {token: i for i, token in enumerate((*SPECIAL, *WORDS, *more))}
    return BertTokenizer(vocab=vocab, do_lower_case=True)


def tiny(text: str | None = TEXT, *, more: tuple[str, ...] = (), **options: Any) -> FillIn:  # noqa: ANN401
    model = make(BertForPreTraining, vocab_size=len(SPECIAL) + len(WORDS) + len(more))
    return FillIn(model, tiny_tokenizer(*more), text, **options)


# ---- numbers


def read_by_hand(view: FillIn, mask: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return probabilities and ranks, (layers + 1, vocab_size), by the model's own parts."""
    model, tokenizer = view.engine.model, view.engine.tokenizer
    model.eval()
    encoded = tokenizer(view.text, return_tensors="pt")
    with torch.no_grad():
        states = view.engine.model.bert(**encoded, output_hidden_states=True).hidden_states
        position = (encoded["input_ids"][0] == view.engine.tokenizer.mask_token_id).nonzero()[mask, 0]
        logits = torch.stack(
            [view.engine.model.cls.predictions(state[0, position]) for state in states]
        ).double()
    ranks = 1 + (logits[:, None, :] > logits[:, :, None]).sum(-1)
    return logits.softmax(-1), ranks


@pytest.mark.parametrize("mask", [0, 1])
def test_numbers_are_those_of_the_model_at_every_layer(mask: int) -> None:
    view = tiny(mask=mask, follow=["boat", "river"], k=3)
    shares, ranks = read_by_hand(view, mask)
    words, found_shares, found_ranks = view.table()
    ids = view.engine.tokenizer.convert_tokens_to_ids(words)
    assert np.allclose(found_shares, shares[:, ids].T, rtol=1e-5, atol=0)
    assert np.array_equal(found_ranks, ranks[:, ids].T)
    assert words[:3] == view.engine.tokenizer.convert_ids_to_tokens(shares[-1].topk(3).indices.tolist())
    best = {
        word
        for layer in shares
        for word in view.engine.tokenizer.convert_ids_to_tokens(layer.topk(3).indices)
    }
    assert set(words) == best | {"boat", "river"}


def test_the_last_layer_is_what_the_model_answers() -> None:
    tokenizer, model = load()
    view = FillIn(model, tokenizer, "The farmer lost her [MASK].")
    words, shares, ranks = view.table()
    encoded = tokenizer(view.text, return_tensors="pt")
    at = encoded["input_ids"][0] == tokenizer.mask_token_id
    with torch.no_grad():
        answered = model(**encoded).prediction_logits[0, at][0].double().softmax(-1)
    assert np.allclose(shares[:, -1], answered[tokenizer.convert_tokens_to_ids(words)], rtol=1e-4)
    assert ranks[:8, -1].tolist() == list(range(1, 9))


def test_the_list_follows_the_layer() -> None:
    view = tiny(k=4, follow=["river"])
    shares, _ = read_by_hand(view, 0)
    for layer in range(3):
        view.layer = layer
        words = [view.table()[0][row] for row in rows_listed(view._shown())]
        best = view.engine.tokenizer.convert_ids_to_tokens(shares[layer].topk(4).indices.tolist())
        assert words[:4] == best
        assert words[4:] == ([] if "river" in best else ["river"])


def test_dropout_and_gradients_of_the_model_stay_as_they_were() -> None:
    view = tiny()
    view.engine.model.train()
    before = view.table()[1]
    view.text = "the [MASK] sings ."
    view.text = TEXT
    assert np.array_equal(view.table()[1], before)
    assert view.engine.model.training
    assert all(parameter.grad is None for parameter in view.engine.model.parameters())


# ---- state


def test_state_starts_plain_and_can_be_given() -> None:
    view = tiny()
    assert {name: getattr(view, name) for name in view.state} == {
        "text": TEXT,
        "mask": 0,
        "layer": 2,
        "k": 8,
        "follow": (),
        "word": None,
        "scale": "probability",
    }
    view = tiny(mask=1, layer=np.int64(0), k=2, follow="Boat", word="boat", scale="rank")
    assert (view.mask, view.layer, view.k, view.follow, view.word) == (1, 0, 2, ("boat",), "boat")
    assert tiny(None, examples=["a [MASK] ."]).text == "a [MASK] ."
    tokenizer, model = load()
    assert FillIn(model, tokenizer).text == "Anna lost her [MASK] ."


LONG = "[MASK] " * 40


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("text", "the cat .", r"^text has no \[MASK\]: choose a word to hide it, or write \[MASK\] where"),
        ("text", "   ", r"^text is empty: type a sentence\.$"),
        ("text", 3, r"^text is an int: a string is needed\.$"),
        ("text", LONG, r"^text of 42 tokens, \[CLS\] and \[SEP\] included: this model has 32 positions, so"),
        ("text", "x" * 20_001, r"^text has 20,001 characters, at most 20,000 are read: shorten it\.$"),
        (
            "text",
            "a [MASK] 猫",
            r"^“猫” cannot be spelled with this vocabulary, so the model reads \[UNK\]",
        ),
        ("follow", ["boats"], r"^follow: “boats” cannot be spelled with this vocabulary\.$"),
        (
            "follow",
            ["red boat"],
            r"^follow: “red boat” is 2 tokens \(red \+ boat\), and a \[MASK\] holds one",
        ),
        ("follow", [""], r"^follow: type a word\.$"),
        ("follow", 7, r"^follow=7: a list of words is needed"),
        ("follow", WORDS[:7], r"^follow: 7 words, at most 6 are followed\.$"),
        ("k", 0, r"^k=0: a whole number from 1 to 20 is needed\.$"),
        ("k", True, r"^k=True: a whole number from 1 to 20"),
        ("mask", 2, r"^mask=2: there are 2 masks, numbered 0 to 1\.$"),
        ("layer", 3, r"^layer=3: there are 3 layers, the embeddings included, numbered 0 to 2\.$"),
        ("word", "nobody", r"^word='nobody' leads at no layer: follow it with follow=\['nobody'\]\.$"),
        ("scale", "logit", r"^scale='logit': one of 'probability', 'rank' is needed\.$"),
    ],
)
def test_bad_values_are_refused_in_one_line_and_change_nothing(
    name: str, value: object, message: str
) -> None:
    view = tiny(follow=["boat"], word="boat")
    before = {known: getattr(view, known) for known in (*view.state, "_found")}
    with pytest.raises(ViewError, match=message) as caught:
        setattr(view, name, value)
    assert "\n" not in str(caught.value)
    assert {known: getattr(view, known) for known in (*view.state, "_found")} == before
    with pytest.raises(ViewError, match=message):
        tiny(**{"text": TEXT, name: value})


def test_a_typed_unk_token_is_accepted() -> None:
    assert tiny("the [UNK] [MASK] .").text == "the [UNK] [MASK] ."


def test_models_and_arguments_that_do_not_fit_are_refused() -> None:
    tokenizer = tiny_tokenizer()
    with pytest.raises(TypeError, match=r"^BertForSequenceClassification has no LM head of BERT"):
        FillIn(make(BertForSequenceClassification), tokenizer, TEXT)
    with pytest.raises(TypeError, match=r"^model is a str: give a BertForPreTraining, as load\(\) does\.$"):
        FillIn("bert", tokenizer, TEXT)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^tokenizer is None: give the tokenizer that belongs to BertForPre"):
        FillIn(make(BertForPreTraining), None, TEXT)
    with pytest.raises(TypeError, match=r"^the tokenizer of GPT2LMHeadModel has no \[MASK\], so there is"):
        FillIn(*family("gpt2"), "the cat")
    with pytest.raises(TypeError, match=r"^top=3: FillIn knows text, mask, layer, k, follow, word, scale\.$"):
        tiny(top=3)
    with pytest.raises(TypeError, match=r"^examples='a \[MASK\]': a list of sentences is needed\.$"):
        tiny(examples="a [MASK]")
    with pytest.raises(ViewError, match=r"^text has no \[MASK\]"):
        tiny(examples=["the cat ."])


def test_another_models_tokenizer_is_refused_in_one_line() -> None:
    with pytest.raises(ViewError, match=r"knows ids up to \d+: this tokenizer belongs to another model\.$"):
        FillIn(make(BertForPreTraining), tiny_tokenizer("zebra"), "the zebra [MASK] .")


def test_an_engine_without_torch_stands_behind_the_view() -> None:
    engine = FakeEngine()
    view = FillIn(engine, text="the [MASK] sits .", follow=["dog"], k=2)
    assert repr(view).startswith("FillIn(FakeBert, 2 layers, text='the [MASK] sits .', mask=0, layer=2, k=2,")
    logits = engine.read_layers(engine.encode("the [MASK] sits ."), [2])[:, 0]
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    words, probabilities, ranks = view.table()
    ids = [engine.id_of(word) for word in words]
    assert np.allclose(probabilities, shares[:, ids].T, rtol=1e-6)
    assert np.array_equal(ranks, 1 + (logits[:, None] > logits[:, ids, None]).sum(axis=-1).T)
    assert words[:2] == engine.names(np.argsort(-logits[-1])[:2])
    with pytest.raises(ViewError, match=r"^“zebra” cannot be spelled with this vocabulary"):
        view.text = "the zebra [MASK] ."
    with pytest.raises(TypeError, match=r"^FakeBert has no language-model head\.$"):
        FillIn(FakeEngine(predicts=False), text="the [MASK] sits .")
    assert "<img" in view.fallback()


def test_a_text_with_fewer_masks_moves_the_chosen_mask_and_word() -> None:
    view = tiny(mask=1, follow=["river"], word="river")
    view.text = "the [MASK] ."
    assert (view.mask, view.word) == (0, "river")
    view.follow = []
    if "river" not in view.table()[0]:
        assert view.word is None
    view.word = view.table()[0][0]
    view.text = TEXT
    assert view.word is None or view.word in view.table()[0]


# ---- questions from the page


class Page:
    """Stands in for the page: what it would be sent."""

    def __init__(self, view: FillIn) -> None:
        self.view = view
        self.heard: list[dict[str, Any]] = []
        view.send = self.heard.append  # type: ignore[assignment]

    def ask(self, **values: object) -> str:
        ticket = f"t-{len(self.heard)}"
        self.view._answer(None, {"type": "ask", "ticket": ticket, "values": values}, [])
        answer = self.heard[-1]
        assert (answer["type"], answer["ticket"]) == ("asked", ticket)
        return str(answer["problem"])


def test_a_question_changes_all_of_its_traits_or_none() -> None:
    page = Page(tiny())
    assert page.ask(text="the [MASK] sings .", follow=["Boat"], k=3) == ""
    assert (page.view.text, page.view.follow, page.view.k) == ("the [MASK] sings .", ("boat",), 3)
    found = page.view._found
    assert page.ask(text="a [MASK] .", follow=["red boat"]).startswith("follow: “red boat” is 2 tokens")
    assert page.ask(text="a cat .", follow=["cat"]).startswith("text has no [MASK]")
    assert (page.view.text, page.view.follow, page.view._found) == ("the [MASK] sings .", ("boat",), found)


@pytest.mark.parametrize("values", [{"_found": ""}, {"mask": 1}, {"comm": None}])
def test_a_question_reaches_no_other_trait(values: dict[str, object]) -> None:
    page = Page(tiny())
    assert page.ask(**values).endswith("new values of text, follow, k are needed.")
    page.view._answer(None, {"type": "ask", "ticket": "x", "values": "text"}, [])
    assert page.heard[-1]["problem"].startswith("'text': new values of")


def test_an_error_of_the_model_reaches_the_page_and_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(tiny())

    def broken(_: object) -> bytes:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(page.view, "_compute", broken)
    with pytest.raises(RuntimeError):
        page.ask(text="a [MASK] .")
    assert page.heard[-1]["problem"] == "RuntimeError: out of memory"
    assert page.view.text == TEXT


def test_unknown_messages_are_ignored() -> None:
    page = Page(tiny())
    for message in (None, "ask", {"type": "other"}, {}):
        page.view._answer(None, message, [])
    assert page.heard == []


def test_an_answer_is_one_pass() -> None:
    tokenizer, model = load()
    page = Page(FillIn(model, tokenizer, "Anna lost her [MASK] ."))
    passes: list[int] = []
    with_hook = model.bert.encoder.register_forward_hook(lambda *_: passes.append(1))
    assert page.ask(text="The farmer lost the [MASK] of her [MASK] in the garden.") == ""
    with_hook.remove()
    assert len(passes) == 1


# ---- how it travels


def test_facts_and_numbers_travel_in_one_piece() -> None:
    for text in ("", "é", "a\u2028b", HOSTILE):
        facts, numbers = unpack_found(pack_found({"text": text}, [[1.0, -2.5], [np.inf, 0.0]]))
        assert facts == {"text": text}
        assert numbers.tolist() == [1.0, -2.5, np.inf, 0.0]


def test_a_saved_page_holds_every_example(tmp_path: Path) -> None:
    view = tiny(examples=["a [MASK] sings .", "the red [MASK] ."], follow=["boat"])
    assert list(view._saved_blocks()) == ["example/0", "example/1"]
    facts, _ = unpack_found(view._block("example/1"))
    assert (facts["text"], facts["follow"]) == ("the red [MASK] .", ["boat"])
    assert view.text == TEXT
    view.text = "the red [MASK] ."
    assert view._found == view._block("example/1")
    for name in ("example/2", "example/x", "other/0", "example/-1"):
        with pytest.raises(ViewError, match="has no such block"):
            view._block(name)
    view.save(tmp_path / "one.html")
    view.save(tmp_path / "two.html")
    page = (tmp_path / "one.html").read_text(encoding="utf-8")
    assert page == (tmp_path / "two.html").read_text(encoding="utf-8")
    assert page.count("data-bvl-block=") == 2
    state = re.search(r'data-bvl="state">(.*?)</script>', page)
    assert state
    assert json.loads(state[1])["_examples"] == ["a [MASK] sings .", "the red [MASK] ."]


# ---- without scripts


def test_repr_has_no_address_and_no_numbers() -> None:
    assert repr(tiny(follow=["boat"])) == (
        "FillIn(BertForPreTraining, 2 layers, text='the cat [MASK] the [MASK] .', mask=0, layer=2, k=8, "
        "follow=('boat',), word=None, scale='probability')"
    )


@pytest.mark.parametrize("scale", ["probability", "rank"])
def test_fallback_says_its_numbers_and_is_kept_by_an_untrusted_notebook(scale: str) -> None:
    view = tiny(mask=1, follow=["boat"], scale=scale)
    html = view.fallback()
    assert len(html) < 1.4 * MAX_BYTES
    found = Reader(html)
    assert set(found.tags) <= KEPT
    alt = dict(found.attributes)["alt"]
    assert alt is not None
    words, shares, _ = view.table()
    row = rows_listed(view._shown())[0]
    best = f"{words[row]} {100 * shares[row, 2]:.1f} %"
    assert f"mask 2 of 2 in “{TEXT}”, read after layer 1 (2 of 2): {best}" in alt
    assert f"their {scale} after every layer" in alt
    assert "boat|" in found.text
    assert view._repr_mimebundle_()[0]["text/html"] == html


@pytest.mark.parametrize("scale", ["probability", "rank"])
def test_the_picture_has_the_pages_words_order_and_lines(scale: str) -> None:
    view = tiny(mask=1, layer=1, follow=["boat"], scale=scale, k=6)
    figure = view._static().figure
    assert isinstance(figure, Figure)
    assert figure.get_suptitle() == "[MASK] 2 of 2"
    listed, paths = figure.axes
    words, shares, ranks = view.table()
    rows = rows_listed(view._shown())
    shown = [words[row] for row in rows]
    texts = [text.get_text() for text in listed.texts]
    assert texts[::3] == shown
    assert texts[2::3] == [f"#{ranks[row, 1]}" for row in rows]
    assert listed.get_title(loc="left") == "Probability after layer 0 (1 of 2)"
    tracks, bars = listed.patches[: len(rows)], listed.patches[len(rows) :]
    assert {track.get_width() for track in tracks} == {1.0}  # a full bar is 100 %
    assert [bar.get_width() for bar in bars] == pytest.approx(shares[rows, 1])
    assert [text.get_text() for text in paths.texts] == shown
    expected = ranks[rows] if scale == "rank" else 100 * shares[rows]
    drawn = [line.get_ydata() for line in paths.lines if len(line.get_xdata()) == 3]
    assert np.array(drawn) == pytest.approx(expected)
    if scale == "rank":
        size = view._shown().vocab_size
        assert paths.get_ylim() == (min(size, max(10, 10 ** len(str(ranks[rows].max() - 1)))), 1)
        assert paths.get_yticks()[-1] == paths.get_ylim()[0]
    assert "after each layer" in paths.get_title(loc="left")
    bold = [label.get_text() for label in paths.get_xticklabels() if label.get_fontweight() == "bold"]
    assert bold == ["0"]


@pytest.mark.parametrize(
    ("text", "title"), [("the [MASK] .", "Without attention"), (TEXT, "Without attention: [MASK] 2 of 2")]
)
def test_a_heading_says_which_model_is_asked(text: str, title: str) -> None:
    view = tiny(text, heading="Without attention", mask=text.count("[MASK]") - 1)
    figure = view._static().figure
    assert isinstance(figure, Figure)
    assert figure.get_suptitle() == title
    assert 'alt="Without attention. Left, bars: ' in view.fallback()


def test_without_lines_the_picture_has_the_words_and_their_bars_alone() -> None:
    view = tiny("the [MASK] .", lines=False, k=3)
    figure = view._static().figure
    assert isinstance(figure, Figure)
    (listed,) = figure.axes
    words, shares, _ = view.table()
    rows = rows_listed(view._shown())
    texts = [text.get_text() for text in listed.texts]
    assert texts[::2] == [words[row] for row in rows]
    assert all(text.endswith("%") for text in texts[1::2])
    assert len(rows) == 3
    best = f"{words[rows[0]]} {100 * shares[rows[0], -1]:.1f} %"
    assert f'alt="Bars: the words that BERT puts for [MASK] in “the [MASK] .”: {best}, ' in view.fallback()
    with pytest.raises(TypeError, match=r"^lines is an int: True or False is needed\.$"):
        tiny(lines=1)


def test_a_heading_that_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^heading is an int: a string is needed\.$"):
        tiny(heading=3)


def test_the_title_of_the_list_ends_before_that_of_the_lines() -> None:
    figure = tiny(layer=0)._static().figure
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    listed, paths = (
        next(text for text in ax.findobj(Text) if text.get_text() == ax.get_title(loc="left"))
        for ax in figure.axes
    )
    assert listed.get_window_extent().x1 < paths.get_window_extent().x0


def test_hostile_tokens_are_escaped_everywhere(tmp_path: Path) -> None:
    nasty = ("<img/src=x/onerror=alert(1)>", HOSTILE, "$x^2$", r"$\href{x}$")
    view = tiny("the [MASK]", more=nasty, follow=list(nasty), k=20)
    assert set(nasty) <= set(view.table()[0])
    html = view.fallback()
    view.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for text in (html, page):
        assert HOSTILE not in text
        assert "<img/src=x" not in text


def test_a_model_of_one_layer_is_shown() -> None:
    config = BertConfig(
        vocab_size=len(SPECIAL) + len(WORDS),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        max_position_embeddings=16,
    )
    view = FillIn(BertForPreTraining(config), tiny_tokenizer(), "[MASK]")
    assert view.layer == 1
    assert ">after layer 0<" in view.fallback()
