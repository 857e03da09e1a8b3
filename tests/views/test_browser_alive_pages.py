"""Saved pages of the pair view, the masking lab and the token view answer without Python, as Python does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from transformers import BertTokenizer

from bertviz_lite import MaskingLab, PairView, TokenView, load
from tests.helpers.browser import PATIENCE_MS, page_percent, says, traits, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

FIRST, SECOND = "Anna lost her key in the park.", "She could not open the door."
IDLE = "document.querySelector('.bvl').getAttribute('aria-busy') === 'false'"
GUESSES = "document.querySelectorAll('.bvl-guesses table').length === 2"


def test_a_saved_pair_is_judged_as_it_is_typed(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    view = PairView(model, tokenizer, FIRST, SECOND, measure="probability")
    page = open_page(view)
    b = page.get_by_role("textbox", name="B, the second text")
    b.fill("The dog sleeps in the boat.")
    view.second = "The dog sleeps in the boat."
    says(page.locator(".bvl-heading").first, page_percent(view.probability))
    wait_until(page, IDLE)  # the words come after the answer
    page.locator("summary").click()
    words, _, support = view.table()
    rows = {row.split("\t")[0]: row for row in page.locator("tbody tr").all_inner_texts()}
    assert set(rows) == set(words)
    adds = 100 * support[words.index("dog"), 0]
    assert float(rows["dog"].split("\t")[3].replace("−", "-")) == pytest.approx(adds, abs=0.05)
    # A word hidden for good, and taken back.
    page.locator("button.bvl-word", has_text="sleeps").click()
    expect(b).to_have_value("The dog [MASK] in the boat.", timeout=PATIENCE_MS)
    view.second = "The dog [MASK] in the boat."
    says(page.locator(".bvl-heading").first, page_percent(view.probability))
    # What is refused stays beside the reason, and the answer before is grey.
    b.fill(" ")
    says(page.locator(".bvl-problem"), "B is empty: type one.")
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "0.4", timeout=PATIENCE_MS)
    says(page.locator(".bvl-answer .bvl-heading").first, re.compile("^The texts before: "))


def test_a_saved_masking_lab_draws_and_guesses_for_ones_own_sentence(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    lab = MaskingLab(model, tokenizer, FIRST, seed=3)
    page = open_page(lab)
    page.locator("[role=option]").nth(2).click()
    wait_until(page, GUESSES)  # recorded
    field = page.get_by_role("textbox", name="Sentence")
    field.fill("The farmer opens the window and sings.")
    field.press("Enter")
    wait_until(page, "bertvizLite.model.get('text').startsWith('The farmer')")
    lab.text = "The farmer opens the window and sings."
    names = ["_tokens", "_ids", "_ordinary", "_first", "_drawn_ids", "_drawn_names", "selected"]
    assert traits(page, names) == {name: getattr(lab, name) for name in names}
    place = lab.tokens.index("farmer")
    page.locator("[role=option]").nth(place).click()
    wait_until(page, GUESSES)
    for table, guess in zip(
        page.locator(".bvl-guesses table").all(), lab.guesses(place).values(), strict=True
    ):
        token, probability = guess.top[0]
        assert table.locator("tbody tr").first.inner_text().split() == [
            token,
            f"{100 * probability:.1f}",
            "%",
        ]
    # What is refused stays beside the reason; the sentence before is grey, under its own words.
    field.fill("")
    field.press("Enter")
    says(page.locator(".bvl-problem"), "The sentence is empty")
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "0.4", timeout=PATIENCE_MS)
    says(page.locator(".bvl"), "The sentence before: “The farmer opens the window and sings.”")
    field.fill("She sings.")
    field.press("Enter")
    wait_until(page, "bertvizLite.model.get('text') === 'She sings.'")
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "1", timeout=PATIENCE_MS)


def test_a_saved_token_view_cuts_what_is_typed(open_page: Callable[..., Page], tmp_path: Path) -> None:
    tokenizer, _ = load()
    view = TokenView(tokenizer, "Anna unwrapped it.")
    page = open_page(view)
    assert (tmp_path / "page.html").stat().st_size < 6e5  # no weights
    text = page.get_by_role("textbox", name="Text", exact=True)
    text.fill("Zoë's naïve bumblebees hum 猫.")
    page.get_by_role("textbox", name="Second text").fill("So it is.")
    wait_until(page, "bertvizLite.model.get('text_pair') === 'So it is.'")
    wait_until(page, IDLE)
    view.text, view.text_pair = "Zoë's naïve bumblebees hum 猫.", "So it is."
    assert traits(page, [*TokenView.state, "_cut"]) == {
        name: getattr(view, name) for name in (*TokenView.state, "_cut")
    }
    shown = page.locator(".bvl-card:not(.bvl-labels) .bvl-id").all_inner_texts()
    assert shown == [str(number) for number in tokenizer(view.text, view.text_pair)["input_ids"]]
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "1", timeout=PATIENCE_MS)
    page.locator("summary", has_text="What normalisation changes").click()
    says(
        page.locator("details").first, "LATIN SMALL LETTER E WITH DIAERESIS"
    )  # a name that the page was given
    page.get_by_role("combobox", name="Or choose").select_option(
        label="Tom is hungry. / So he eats a sandwich."
    )
    says(page.locator(".bvl-words"), "sandwich")
    text.fill("")
    says(page.locator(".bvl-status"), "Both texts: 0 + 22 characters → 0 + 6 words")


def test_a_token_view_of_a_tokenizer_that_a_page_cannot_run_says_so(open_page: Callable[..., Page]) -> None:
    vocabulary = {
        token: 10 * i for i, token in enumerate(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a"))
    }
    page = open_page(TokenView(BertTokenizer(vocab=vocabulary), "a"))
    says(page.locator(".bvl-asking"), "Typing is off: the tokenizer is not in this page.")
    says(page.locator(".bvl-asking"), "ids are not 0, 1, 2 and so on")
    assert page.locator("[data-bvl-model]").count() == 0
