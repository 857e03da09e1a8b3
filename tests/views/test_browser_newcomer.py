"""What one who is new to the views is told, on a phone above all: whole words, what to tap."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bertviz_lite import Explorer, FillIn, Machine, MaskingLab, PairView, capture, load
from bertviz_lite.evaluation.embeddings import input_parts
from bertviz_lite.views import EmbeddingView, TokenView
from tests.helpers.browser import CUT_TEXTS, PATIENCE_MS, says, trait, wait_until
from tests.views.test_browser_present import KINDS, view_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
NOT_SPELLED = (
    "“我爱你” cannot be spelled with this vocabulary, so the model reads [UNK] (unknown): use another word."
)
# What a thumb cannot hit, and into what an iPhone would zoom.
SMALL_CONTROLS = """() => [...document.querySelectorAll(".bvl :is(input, select, textarea)")]
    .filter((one) => one.checkVisibility() && one.type !== "checkbox")
    .filter((one) => {
        const { width, height } = one.getBoundingClientRect();
        if (one.type === "range") return width < 140 || height < 32;
        return parseFloat(getComputedStyle(one).fontSize) < 16;
    })
    .map((one) => `${one.tagName} ${one.type} ${one.className}`)"""


@pytest.mark.sampled
@pytest.mark.parametrize("kind", KINDS)
def test_on_a_phone_hints_say_tap_and_controls_fit_a_thumb(open_page: Callable[..., Page], kind: str) -> None:
    page = open_page(view_of(kind), **PHONE)
    wait_until(page, "document.querySelector('.bvl').getAttribute('aria-busy') !== 'true'")
    assert re.search(r"\b([Cc]lick|[Pp]oint at)\b", page.locator(".bvl").inner_text()) is None
    assert page.evaluate(SMALL_CONTROLS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Present").click()
    box = page.get_by_role("button", name="Leave").bounding_box()
    assert box
    assert box["height"] >= 44
    assert box["width"] >= 44


def test_with_a_mouse_hints_say_click(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    page = open_page(PairView(model, tokenizer, "Anna lost her key.", "She looked for it."))
    says(page.locator(".bvl-readout"), "Point at a word for its exact numbers; click it to hide it")
    page.get_by_role("button", name="Present").click()
    box = page.get_by_role("button", name="Leave").bounding_box()
    assert box
    assert box["height"] >= 24


def test_words_in_pieces_are_named_whole_and_the_field_stays(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    page = open_page(FillIn(model, tokenizer, "Anna lost her [MASK]."), **PHONE)
    field = page.get_by_role("textbox", name="A sentence with [MASK]", exact=True)
    before = field.bounding_box()
    field.fill("Anna lost a phone and [mask].")
    pieces = page.locator(".bvl-pieces")
    says(
        pieces,
        "in pieces: phone (such words are not in the vocabulary: the model has seldom or never read them",
    )
    assert page.locator(".bvl-in-pieces").all_inner_texts() == ["phone"]
    after = field.bounding_box()
    assert before
    assert after
    assert (before["y"], before["height"]) == (after["y"], after["height"])
    assert field.input_value() == "Anna lost a phone and [MASK]."
    assert trait(page, "text") == "Anna lost a phone and [MASK]."
    field.fill("Anna lost a phone, coffee, a computer, bitcoin, a smartphone and [MASK].")
    says(pieces, "in pieces: phone, coffee, computer, bitcoin, smartphone (such")
    assert pieces.evaluate(
        "(line) => line.scrollWidth <= line.clientWidth && line.getClientRects().length > 0"
    )
    assert page.evaluate(CUT_TEXTS) == []
    assert pieces.evaluate("(line) => getComputedStyle(line).textOverflow") == "clip"
    field.fill("Anna lost a key and [MASK].")
    expect(pieces).to_have_text("", timeout=PATIENCE_MS)


def test_a_refused_sentence_is_called_as_a_reader_calls_it(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    page = open_page(FillIn(model, tokenizer, "Anna lost her [MASK]."), **PHONE)
    field, problem = page.locator("textarea").first, page.locator(".bvl-problem").first
    field.fill("Anna lost her key.")
    says(problem, "The sentence has no [MASK]: tap a word to hide it.")
    field.fill(" ")
    says(problem, "The sentence is empty: type one.")
    page.locator(".bvl-language").tap()
    says(page.locator(".bvl-problem").first, "句子是空的：请输入一句话。")


def test_the_characters_of_two_texts_are_counted_apart(open_page: Callable[..., Page]) -> None:
    tokenizer, _ = load()
    page = open_page(TokenView(tokenizer, "A key.", "Tom has a phone."), **PHONE)
    status = page.locator(".bvl-status")
    says(
        status,
        "Both texts: 6 + 16 characters → 3 + 5 words (punctuation marks count) → 3 + 7 word pieces and 3",
    )
    page.locator(".bvl-language").tap()
    says(page.locator(".bvl-status"), "两段文本：6 + 16 个字符 → 3 + 5 个词")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "text", "mark", "said", "button"),
    [
        (
            *("pocket", "Anna lost her [MASK]", "."),
            *("The sentence has no full stop, so BERT expects one.", "Add a full stop"),
        ),
        ("pocket", "Is Anna [MASK]", "?", "The sentence has no end mark, so BERT expects one.", "Add “?”"),
        ("pocket-zh", "小红丢了[MASK]", "。", "这句话没有句号，所以 BERT 觉得这里该是句号。", "加上句号"),
    ],
)
def test_where_an_end_mark_is_expected_for_the_last_word_one_tap_adds_it(
    open_page: Callable[..., Page], name: str, text: str, mark: str, said: str, button: str
) -> None:
    tokenizer, model = load(name)
    page = open_page(FillIn(model, tokenizer, text, lang="zh" if name == "pocket-zh" else "en"), **PHONE)
    says(page.locator(".bvl-masked small"), f"“{mark}” ")
    says(page.locator(".bvl-option .bvl-name").first, f"“{mark}”")
    hint = page.locator(".bvl-answer .bvl-no-end")
    says(hint, said)
    hint.get_by_role("button", name=button, exact=True).tap()
    wait_until(page, f"bertvizLite.model.get('text') === '{text}{mark}'")
    expect(hint).to_be_hidden(timeout=PATIENCE_MS)
    says(page.locator(".bvl-masked small"), re.compile(r"^[^“”]+ \d"))
    assert page.evaluate("document.activeElement.matches('.bvl-masked')")


def test_an_end_mark_is_added_only_where_it_is_missing(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    page = open_page(FillIn(model, tokenizer, "Anna lost her [MASK]."))
    field = page.get_by_role("textbox", name="A sentence with [MASK]", exact=True)
    hint = page.locator(".bvl-no-end")
    for text in ("Anna lost her key[MASK] Tom found it.", "[MASK] lost her key"):
        field.fill(text)
        wait_until(page, f"bertvizLite.model.get('text') === '{text}'")
        expect(hint).to_be_hidden(timeout=PATIENCE_MS)
    field.fill("Anna [MASK] her [MASK] ")
    expect(hint).to_be_visible(timeout=PATIENCE_MS)
    hint.get_by_role("button").click()
    wait_until(page, "bertvizLite.model.get('text') === 'Anna [MASK] her [MASK].'")


def test_without_the_model_the_missing_full_stop_is_said_and_cannot_be_added(
    open_page: Callable[..., Page],
) -> None:
    tokenizer, model = load()
    page = open_page(FillIn(model, tokenizer, "Anna lost her [MASK]"), live=False)
    says(page.locator(".bvl-no-end"), "The sentence has no full stop")
    assert page.locator(".bvl-no-end button").count() == 0


def test_words_of_a_pair_in_pieces_stand_at_their_text(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    page = open_page(PairView(model, tokenizer, "Anna has coffee.", "She drinks it."))
    says(page.locator(".bvl-pieces").first, "in pieces: coffee")
    assert page.locator(".bvl-pieces").nth(1).inner_text() == ""


@pytest.mark.thorough
def test_what_cannot_be_spelled_gets_one_answer_in_every_view(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    text = "Anna lost her key."
    views = {
        "A sentence with [MASK]": FillIn(model, tokenizer, "Anna lost her [MASK]."),
        "A, the first text": PairView(model, tokenizer, text, "She looked for it."),
        "Sentence": Explorer(capture(model, tokenizer, text)),
        "Text": Machine(model, tokenizer, text),
    }
    for name, view in views.items():
        page = open_page(view)
        page.get_by_role("textbox", name=name, exact=True).fill("我爱你 [MASK].")
        says(page.locator(".bvl-asking"), NOT_SPELLED)
    page = open_page(MaskingLab(model, tokenizer, text))
    page.get_by_role("textbox", name="Sentence").fill("我爱你 and me.")
    page.get_by_role("button", name="Read it").click()
    says(page.locator(".bvl-asking"), NOT_SPELLED)
    page = open_page(TokenView(tokenizer, "我爱你"))
    says(page.locator(".bvl-asking"), NOT_SPELLED)
    page = open_page(EmbeddingView(input_parts(model, tokenizer, text)))
    near = page.get_by_role("textbox", name="Near which word")
    near.fill("我爱你")
    says(page.locator(".bvl-near"), NOT_SPELLED)
    near.fill("phone")
    says(
        page.locator(".bvl-near"),
        "“phone” is no entry of the vocabulary: it is cut into p ##h ##one, each with",
    )


def test_a_pair_between_30_and_70_percent_is_undecided_in_both_languages(
    open_page: Callable[..., Page],
) -> None:
    tokenizer, model = load()
    view = PairView(model, tokenizer, "Tom lost his key.", "He looks for it.")
    assert 0.5 < view.probability < 0.7
    page = open_page(view)
    says(page.locator(".bvl-verdict .bvl-heading"), "BERT’s answer: undecided (30 to 70\xa0%)")
    assert "undecided" in (page.get_by_role("meter").get_attribute("aria-valuetext") or "")
    page.locator(".bvl-language").click()
    says(page.locator(".bvl-verdict .bvl-heading"), "未定（30 到 70\xa0%）")


@pytest.mark.thorough
def test_a_pin_ends_with_its_text(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    page = open_page(Explorer(capture(model, tokenizer, "Anna lost her key."), query=4, key=1))
    page.get_by_role("textbox", name="Sentence").fill("Tom is at home.")
    wait_until(page, "bertvizLite.model.get('text') === 'Tom is at home.'")
    assert (trait(page, "query"), trait(page, "key")) == (None, None)
    page = open_page(Machine(model, tokenizer, "Anna lost her key.", token=4))
    page.get_by_role("textbox", name="Text", exact=True).fill("Tom is at home.")
    wait_until(page, "bertvizLite.model.get('token') === null")


def test_an_empty_sentence_of_the_masking_lab_asks_for_one(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    page = open_page(MaskingLab(model, tokenizer, "Anna lost her key."))
    says(page.locator(".bvl-legend"), "−100: not scored.")
    page.get_by_role("textbox", name="Sentence").fill("")
    page.get_by_role("button", name="Read it").click()
    says(page.locator(".bvl-problem"), "The sentence is empty: type one.")


def test_old_words_are_dimmed_while_the_answer_is_awaited(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    page = open_page(FillIn(model, tokenizer, "Anna lost her [MASK]."))
    page.evaluate("document.querySelector('.bvl-answer').classList.add('bvl-stale')")
    page.wait_for_timeout(330)
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "0.4", timeout=200)
