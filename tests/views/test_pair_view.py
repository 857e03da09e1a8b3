"""The pair view, as far as Python reaches: its numbers, what it refuses, what it saves."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from matplotlib.figure import Figure
from transformers import BertForMaskedLM, BertForNextSentencePrediction, BertForPreTraining

from bertviz_lite import PairView, load, stories
from bertviz_lite.evaluation.pair_probes import occlusion
from bertviz_lite.plots.display import MAX_BYTES
from bertviz_lite.views import ViewError
from bertviz_lite.views.base.asking import unpack_found
from bertviz_lite.world.life import story
from tests.helpers.fake_engine import FakeEngine
from tests.helpers.tiny_models import SPECIAL, WORDS, make
from tests.views.test_fill_in import tiny_tokenizer
from tests.views.test_views import HOSTILE, KEPT, Reader

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = "the cat sits under the tree .", "it sleeps , and the cats sing"
EXAMPLES = [("true", FIRST, SECOND), ("swapped", SECOND, FIRST)]
PIECES = ("##s", "sing")
EXAMPLE_OF_WORDS = [("other", "a dog sleeps .", "she sits .")]


def tiny(first: str | None = FIRST, second: str | None = SECOND, **options: Any) -> PairView:  # noqa: ANN401
    model = make(BertForPreTraining, vocab_size=len(SPECIAL) + len(WORDS) + len(PIECES))
    return PairView(model, tiny_tokenizer(*PIECES), first, second, **options)


def answer(view: PairView, first: str, second: str) -> tuple[float, float]:
    """Return probability and log-odds of "B continues A" by the view's model alone."""
    model, tokenizer = view.engine.model, view.engine.tokenizer
    with torch.no_grad():
        logits = model.eval()(**tokenizer(first, second, return_tensors="pt")).seq_relationship_logits[0]
    return float(logits.double().softmax(-1)[0]), float(logits[0] - logits[1])


# ---- numbers


def test_the_answer_is_the_models_label_0() -> None:
    view = tiny()
    probability, log_odds = answer(view, FIRST, SECOND)
    assert view.probability == pytest.approx(probability, rel=1e-5)
    assert view.found[0]["log_odds"] == pytest.approx(log_odds, abs=1e-5)
    view.first, view.second = SECOND, FIRST
    assert view.probability == pytest.approx(answer(view, SECOND, FIRST)[0], rel=1e-5)


def test_the_support_of_a_word_is_the_drop_when_it_is_hidden() -> None:
    view = tiny()
    words, segments, support = view.table()
    assert words == [*FIRST.split(), *SECOND.split()]
    assert segments.tolist() == [0] * 7 + [1] * 7
    before = np.array(answer(view, FIRST, SECOND))
    for number, word in enumerate(words):
        mask = "[MASK] [MASK]" if word == "cats" else "[MASK]"
        hidden = [mask if i == number else one for i, one in enumerate(words)]
        after = answer(view, " ".join(hidden[:7]), " ".join(hidden[7:]))
        assert support[number] == pytest.approx(before - after, abs=2e-6), word


def test_a_word_replaced_by_mask_gives_the_same_number_as_hiding_it() -> None:
    view = tiny()
    words, _, support = view.table()
    without = view.found[0]["probability"] - support[words.index("tree"), 0]
    view.first = FIRST.replace("tree", "[MASK]")
    assert view.probability == pytest.approx(without, rel=1e-5)
    words, _, support = view.table()
    assert support[words.index("[MASK]")].tolist() == pytest.approx([0, 0], abs=1e-6)
    assert view.found[0]["words"][words.index("[MASK]")][3] == 1


def test_a_next_sentence_model_without_lm_head_is_accepted() -> None:
    model = make(BertForNextSentencePrediction)
    view = PairView(model, tiny_tokenizer(), FIRST, "it sleeps .")
    seen = occlusion(model, tiny_tokenizer(), FIRST, "it sleeps .")
    assert view.probability == pytest.approx(seen.probability, rel=1e-6)
    assert model.training


# ---- state


def test_state_starts_plain_and_can_be_given() -> None:
    view = tiny()
    assert {name: getattr(view, name) for name in view.state} == {
        "first": FIRST,
        "second": SECOND,
        "word": None,
        "measure": "log-odds",
    }
    view = tiny(None, None, examples=EXAMPLES, word=np.int64(3), measure="probability")
    assert (view.first, view.second, view.word, view.measure) == (FIRST, SECOND, 3, "probability")
    view.second = "a boat ."
    assert view.word is None  # another text has other words


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("first", " ", r"^A is empty: type a sentence\.$"),
        ("second", None, r"^B is None: a string is needed\.$"),
        ("second", "猫", r"^“猫” cannot be spelled with this vocabulary, so the model reads \[UNK\]"),
        (
            "second",
            "the " * 40,
            r"^A and B are a pair of 50 tokens, \[CLS\] and \[SEP\] included: this model has",
        ),
        (
            "first",
            "half \ud800",
            r"^A holds half a character, which no tokenizer reads: write it again\.$",
        ),
        ("word", 14, r"^word=14: there are 14 words, numbered 0 to 13\.$"),
        ("measure", "logit", r"^measure='logit': one of 'log-odds', 'probability' is needed\.$"),
    ],
)
def test_bad_values_are_refused_in_one_line_and_change_nothing(
    name: str, value: object, message: str
) -> None:
    view = tiny(word=2)
    before = {known: getattr(view, known) for known in (*view.state, "_found")}
    with pytest.raises(ViewError, match=message) as caught:
        setattr(view, name, value)
    assert "\n" not in str(caught.value)
    assert {known: getattr(view, known) for known in (*view.state, "_found")} == before
    if value is not None:
        with pytest.raises(ViewError, match=message):
            tiny(**{name: value})


def test_models_and_examples_that_do_not_fit_are_refused() -> None:
    with pytest.raises(TypeError, match=r"^BertForMaskedLM has no next-sentence head"):
        PairView(make(BertForMaskedLM), tiny_tokenizer(), FIRST, "it sleeps .")
    with pytest.raises(TypeError, match=r"^model is an int: give a BertForPreTraining"):
        PairView(3, tiny_tokenizer(), FIRST, SECOND)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^PairView\(\) needs two texts, first and second, or examples"):
        tiny(FIRST, None)
    with pytest.raises(TypeError, match=r"^examples: \('true', 'a'\) is no \(name, first, second\)\.$"):
        tiny(examples=[("true", "a")])
    with pytest.raises(ViewError, match=r"^“猫” cannot be spelled"):
        tiny(examples=[("true", FIRST, "猫")])
    with pytest.raises(ViewError, match=r"^an example’s B is empty: type a sentence\.$"):
        tiny(examples=[("true", FIRST, " ")])
    with pytest.raises(TypeError, match=r"^colour='red': PairView knows first, second, word, measure\.$"):
        tiny(colour="red")


def test_another_models_tokenizer_is_refused_in_one_line() -> None:
    with pytest.raises(ViewError, match=r"knows ids up to \d+: this tokenizer belongs to another model\.$"):
        PairView(make(BertForPreTraining), tiny_tokenizer("zebra"), "the zebra", "the cat")


def test_an_engine_without_torch_stands_behind_the_view() -> None:
    engine = FakeEngine()
    view = PairView(engine, first="the cat sits .", second="she sleeps .", examples=EXAMPLE_OF_WORDS)
    encoded = engine.encode("the cat sits .", "she sleeps .")
    odds = engine.judge_pair(encoded, [(), (2,)])
    assert view.probability == pytest.approx(1 / (1 + np.exp(-odds[0])))
    words, segments, support = view.table()
    assert words == ["the", "cat", "sits", ".", "she", "sleeps", "."]
    assert segments.tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert support[1, 1] == pytest.approx(odds[0] - odds[1], abs=1e-6)
    with pytest.raises(ViewError, match=r"^“zebra” cannot be spelled with this vocabulary"):
        view.second = "the zebra ."
    assert "<img" in view.fallback()


# ---- from stories


def test_stories_give_the_examples_and_the_texts_to_pick_from() -> None:
    tokenizer, model = load()
    both = [story(seed=3, index=0), story(seed=3, index=1)]
    single = stories(seed=5, n=2)[1]  # one sentence, which cannot be cut
    view = PairView.from_stories(model, tokenizer, [single, *both])
    names = [name for name, _, _ in view._examples]
    assert names == [
        "the true next part",
        "another story’s",
        "the parts in wrong order",
        "the true next part, other names",
    ]
    cut = (len(both[0].sentences) + 1) // 2
    assert view.first == " ".join(map(str, both[0].sentences[:cut]))
    assert view.second == " ".join(map(str, both[0].sentences[cut:]))
    assert view._examples[2][1:] == [view.second, view.first]
    assert view._examples[1][2] == " ".join(map(str, both[1].sentences[(len(both[1].sentences) + 1) // 2 :]))
    assert view._examples[3][2] != view.second
    assert len(single.sentences) == 1
    for number, (shown, told) in enumerate(zip(view._stories, both, strict=True), start=2):
        assert shown["sentences"] == list(map(str, told.sentences))
        assert shown["name"].startswith(f"{number}: {str(told)[:20]}")
    chances = {}
    for name, first, second in view._examples:
        view.first, view.second = first, second
        chances[name] = view.probability
    assert chances["the true next part"] > 0.9
    assert chances["another story’s"] < 0.1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1, 2], r"^stories\[0\] is 1, not a story: give stories\(seed=1, n=6\)\.$"),
        (3, r"^stories is 3: give stories\(seed=1, n=6\)\.$"),
    ],
)
def test_values_that_are_no_stories_are_refused_in_one_line(given: Any, message: str) -> None:  # noqa: ANN401
    tokenizer, model = load()
    with pytest.raises(ViewError, match=message):
        PairView.from_stories(model, tokenizer, given)


def test_too_few_stories_are_refused() -> None:
    tokenizer, model = load()
    with pytest.raises(
        ViewError, match=r"^1 of 1 stories can be cut in two and fit into the model: give two"
    ):
        PairView.from_stories(model, tokenizer, stories(seed=5, n=1))


# ---- questions from the page


class Page:
    """Stands in for the page: what it would be sent."""

    def __init__(self, view: PairView) -> None:
        self.view = view
        self.heard: list[tuple[dict[str, Any], list[bytes]]] = []
        view.send = lambda content, buffers=(): self.heard.append((content, list(buffers)))  # type: ignore[method-assign]

    def ask(self, **values: object) -> str:
        self.view._answer(None, {"type": "ask", "ticket": "t", "values": values}, [])
        return str(self.heard[-1][0]["problem"])


def test_the_answer_is_sent_before_the_words() -> None:
    page = Page(tiny())
    assert page.ask(first=SECOND, second=FIRST) == ""
    facts, numbers = unpack_found(page.view._found)
    assert "words" not in facts
    assert numbers.size == 0
    facts, numbers = unpack_found(page.view._block("words"))
    assert (facts["first"], facts["second"], len(facts["words"])) == (SECOND, FIRST, 14)
    assert facts["special"] == ["[CLS]", "[SEP]"]
    assert numbers.shape == (28,)
    assert page.ask(first="", second=FIRST) == "A is empty: type a sentence."
    assert (page.view.first, page.view.second) == (SECOND, FIRST)


def test_an_answer_is_one_pass() -> None:
    tokenizer, model = load()
    page = Page(PairView.from_stories(model, tokenizer, stories(seed=5, n=4)))
    passes: list[int] = []
    with_hook = model.bert.encoder.register_forward_hook(lambda *_: passes.append(1))
    assert page.ask(first=page.view.first, second=page.view.second + "!") == ""
    with_hook.remove()
    assert len(passes) == 1


# ---- how it travels, and without scripts


def test_a_saved_page_holds_every_word_of_every_example(tmp_path: Path) -> None:
    view = tiny(examples=EXAMPLES)
    assert list(view._saved_blocks()) == ["example/0", "example/1"]
    facts, numbers = unpack_found(view._block("example/1"))
    assert (facts["first"], len(facts["words"]), numbers.size) == (SECOND, 14, 28)
    assert (view.first, "words" in unpack_found(view._found)[0]) == (FIRST, False)
    view.save(tmp_path / "one.html")
    view.save(tmp_path / "two.html")
    page = (tmp_path / "one.html").read_text(encoding="utf-8")
    assert page == (tmp_path / "two.html").read_text(encoding="utf-8")
    state = re.search(r'data-bvl="state">(.*?)</script>', page)
    assert state
    assert json.loads(state[1])["_examples"] == [list(one) for one in EXAMPLES]
    assert view.first == FIRST


def test_repr_has_no_address_and_no_numbers() -> None:
    assert repr(tiny(word=3)) == (
        f"PairView(BertForPreTraining, first={FIRST!r}, second={SECOND!r}, word=3, measure='log-odds')"
    )


@pytest.mark.parametrize(("measure", "unit"), [("log-odds", "log-odds"), ("probability", "points")])
def test_fallback_says_its_numbers_and_is_kept_by_an_untrusted_notebook(measure: str, unit: str) -> None:
    view = tiny(examples=EXAMPLES, measure=measure)
    html = view.fallback()
    assert len(html) < 1.4 * MAX_BYTES
    found = Reader(html)
    assert set(found.tags) <= KEPT
    alt = dict(found.attributes)["alt"]
    assert alt is not None
    assert alt.startswith(
        f"BERT finds it {100 * view.probability:.1f} % probable that B continues A (label 0)"
    )
    words, segments, support = view.table()
    column = 0 if measure == "probability" else 1
    best = int(np.abs(support[:, column]).argmax())
    value = support[best, column] * (100 if measure == "probability" else 1)
    assert (
        f"in {unit}: {words[best]} ({'AB'[segments[best]]}) {'+' if value > 0 else '−'}{abs(value):.2f}"
        in alt
    )
    assert "The examples|" in found.text
    assert view._repr_mimebundle_()[0]["text/html"] == html


def test_the_picture_has_the_pages_title_signs_and_colours() -> None:
    view = tiny()
    figure = view._static().figure
    assert isinstance(figure, Figure)
    assert 0.3 < view.probability < 0.7
    answer = "undecided (30 to 70 %)"
    title = f"Probability that B continues A: {100 * view.probability:.1f} %.\nBERT’s answer: {answer}"
    assert figure.get_suptitle() == title
    top, bars = figure.axes
    assert top.patches[1].get_width() == pytest.approx(100 * view.probability)
    support = view.table()[2][:, 1]
    drawn = [bar.get_width() for bar in bars.patches]
    assert drawn == pytest.approx(sorted(support, key=abs, reverse=True)[: len(drawn)])
    orange, blue = (0xD6 / 255, 0x60 / 255, 0x28 / 255), (0x21 / 255, 0x66 / 255, 0xAC / 255)
    for bar in bars.patches:
        assert bar.get_facecolor()[:3] == pytest.approx(orange if bar.get_width() > 0 else blue)


def test_hostile_texts_are_escaped_everywhere(tmp_path: Path) -> None:
    letters = sorted({letter for letter in HOSTILE if not letter.isspace()})
    more = (*(one for one in letters if len(one) == 1), *(f"##{one}" for one in letters), "script", "alert")
    model = make(BertForPreTraining, vocab_size=len(SPECIAL) + len(WORDS) + len(more))
    view = PairView(
        model, tiny_tokenizer(*more), HOSTILE[:20], "the cat", examples=[(HOSTILE, "a", "the cat")]
    )
    view.save(tmp_path / "page.html")
    for text in (view.fallback(), (tmp_path / "page.html").read_text(encoding="utf-8")):
        assert "</script><script>alert" not in text
        assert HOSTILE[:20] not in text
