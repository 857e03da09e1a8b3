"""Saved pages of the pair view and the masking lab answer without Python, as Python does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bertviz_lite import MaskingLab, PairView, load
from tests.helpers.browser import PATIENCE_MS, says, traits, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

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
    says(page.locator(".bvl-heading").first, f"{100 * view.probability:.1f}\xa0%")
    wait_until(page, IDLE)  # the words come after the answer
    page.locator("summary").click()
    words, _, support = view.table()
    rows = {row.split("\t")[0]: row for row in page.locator("tbody tr").all_inner_texts()}
    assert set(rows) == set(words)
    adds = 100 * support[words.index("dog"), 0]
    assert f"{adds:+.1f}".replace("-", "−") in rows["dog"]
    # A word hidden for good, and taken back.
    page.locator("button.bvl-word", has_text="sleeps").click()
    expect(b).to_have_value("The dog [MASK] in the boat.", timeout=PATIENCE_MS)
    view.second = "The dog [MASK] in the boat."
    says(page.locator(".bvl-heading").first, f"{100 * view.probability:.1f}\xa0%")
    # What is refused stays beside the reason, and the answer before is grey.
    b.fill(" ")
    says(page.locator(".bvl-problem"), "B is empty: type a sentence.")
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
    says(page.locator(".bvl-problem"), "text is empty")
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "0.4", timeout=PATIENCE_MS)
    says(page.locator(".bvl"), "The sentence before: “The farmer opens the window and sings.”")
    field.fill("She sings.")
    field.press("Enter")
    wait_until(page, "bertvizLite.model.get('text') === 'She sings.'")
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "1", timeout=PATIENCE_MS)
