"""Views in Chinese in a real Chromium: switched there and back, and what is left in English."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bertviz_lite import FillIn, load
from bertviz_lite.views.pages.tabs import save_page
from tests.helpers.browser import (
    PATIENCE_MS,
    accessibility_problems,
    open_context,
    run_cell,
    says,
    wait_until,
)
from tests.views.test_browser_present import view_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

KINDS = (
    *("fill-in", "pair", "tokens", "masking", "embedding", "time-lapse", "trace"),
    *("machine", "machine-open", "explorer", "explorer-run"),
)
SWITCH = ".bvl-language"

NAMES = (
    "BERT MASK CLS SEP LM NSP LayerNorm GELU softmax tanh Abnar Zuidema log ln logit attention rollout "
    "Enter Esc Shift Ctrl CSV PNG SVG Explorer model BertForPreTraining attention_mask "  # keys, files, code
    "seq_len hidden_size intermediate_size num_heads head_size vocab_size query key token types "  # axes
    "input_ids token_type_ids position_ids latin small capital letter with diaeresis U+00EB "  # of characters
)
# What is of the model's text, or a key of the keyboard, or code.
NOT_OURS = ".bvl-mono, .bvl-module, .bvl-token-name, .bvl-word, .bvl-language, kbd, bdi"

# All that is read or heard in the view: every English word that is none of these.
ENGLISH = r"""([known, notOurs]) => {
    const { state } = bertvizLite.model;
    const tokensOf = ({ kinds }) => Object.values(kinds).map(({ queries }) => queries.tokens);
    const tokens = state._meta?.sides.map(tokensOf);
    const { text, text_pair, first, second, _examples, _run } = state;
    const code = state._trace?.texts.filter((each) => !each.endsWith("."));
    const record = [_run?.texts, _run?.tokens, _run?.notes];
    const texts = [known, text, text_pair, first, second, _examples, tokens, record, code];
    const ours = [...document.querySelectorAll(".bvl *")].filter((part) => part.matches(notOurs));
    const names = JSON.stringify([texts, ours.map((part) => part.textContent)]);
    const words = new Set(names.toLowerCase().match(/[a-z]+/g));
    const left = new Set();
    const look = (text) => {
        for (const word of (text ?? "").match(/[A-Za-z]{2,}/g) ?? [])
            if (!words.has(word.toLowerCase())) left.add(`${word}: ${text}`);
    };
    const view = document.querySelector(".bvl");
    for (const part of [view, ...view.querySelectorAll("*")]) {
        if (part.closest(notOurs)) continue;
        for (const node of part.childNodes) if (node.nodeType === Node.TEXT_NODE) look(node.textContent);
        for (const name of ["aria-label", "aria-valuetext", "title"]) look(part.getAttribute(name));
    }
    return [...left];
}"""


def left_in_english(page: Page) -> list[str]:
    """Return the English words of the view, each with what it stands in."""
    found: list[str] = page.evaluate(ENGLISH, [NAMES, NOT_OURS])
    return found


def words_of(page: Page) -> str:
    """Return what is read in the view, less its numbers, which may become exact at any time."""
    return re.sub(r"[<−+]?\d[\d.]*(?: ±[\d.]+)?", "#", page.locator(".bvl").inner_text())


def unfold(page: Page, *, on: bool) -> None:
    page.evaluate(
        "(on) => { for (const part of document.querySelectorAll('.bvl details')) part.open = on; }", on
    )


@pytest.mark.sampled
@pytest.mark.parametrize("kind", KINDS)
def test_a_view_is_switched_to_chinese_and_back(open_page: Callable[..., Page], kind: str) -> None:
    page = open_page(view_of(kind), viewport={"width": 1366, "height": 768})
    wait_until(page, "document.querySelector('.bvl').getAttribute('aria-busy') !== 'true'")
    page.wait_for_timeout(500)
    before = words_of(page)
    unfold(page, on=True)
    heading = page.locator("h1").inner_text()
    button = page.locator(SWITCH)
    place = button.bounding_box()
    button.focus()
    page.keyboard.press("Enter")
    assert page.locator(".bvl").count() == 1
    assert page.locator(".bvl").get_attribute("lang") == "zh-Hans"
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    wait_until(page, "document.activeElement.matches('.bvl-language')")
    page.wait_for_timeout(500)
    assert left_in_english(page) == []
    assert page.locator("h1").inner_text() != heading
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert accessibility_problems(page) == []
    now = page.locator(SWITCH).bounding_box()
    assert place is not None
    assert now is not None
    assert abs(now["x"] - place["x"]) < 2  # it stays where it was clicked
    page.keyboard.press("Enter")
    unfold(page, on=False)
    page.wait_for_timeout(500)
    assert words_of(page) == before
    assert page.locator("h1").inner_text() == heading
    assert page.locator("html").get_attribute("lang") == "en"


def test_what_was_typed_opened_and_chosen_stays(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    page = open_page(FillIn(model, tokenizer, "Anna lost her [MASK] in the park."))
    field = page.locator(".bvl textarea")
    field.fill("Tom lost his [MASK].")
    wait_until(page, "document.querySelector('.bvl').getAttribute('aria-busy') !== 'true'")
    says(page.locator(".bvl-words"), "Tom")
    page.locator(".bvl details summary").click()
    page.locator(".bvl [role=option]").nth(1).click()
    chosen = page.locator(".bvl [aria-selected=true] .bvl-name").inner_text()
    answers = page.locator(".bvl [role=option] .bvl-number").all_inner_texts()
    page.locator(SWITCH).click()
    assert field.input_value() == "Tom lost his [MASK]."
    assert page.locator(".bvl [aria-selected=true] .bvl-name").inner_text() == chosen
    assert page.locator(".bvl [role=option] .bvl-number").all_inner_texts() == answers
    assert page.locator(".bvl details").evaluate("(details) => details.open")
    field.fill("Tom lost his key.")  # which is refused, in Chinese
    says(page.locator(".bvl-problem"), "句子里没有 [MASK]")
    page.locator(SWITCH).click()
    assert field.input_value() == "Tom lost his key."
    says(page.locator(".bvl-problem"), "The sentence has no [MASK]: click a word to hide it.")


def test_the_choice_is_remembered_and_another_page_is_drawn_in_it(browser: Browser, tmp_path: Path) -> None:
    tokenizer, model = load()
    view = FillIn(model, tokenizer, "Anna lost her [MASK].")
    view._page_fallback = lambda: ""  # type: ignore[method-assign] # drawing it takes long
    view.save(tmp_path / "page.html")
    with open_context(browser) as (context, _):
        page = context.new_page()
        page.goto((tmp_path / "page.html").as_uri())
        wait_until(page, "window.bertvizLite")
        assert page.locator(".bvl").get_attribute("lang") == "en"
        page.locator(SWITCH).click()
        page.reload()
        wait_until(page, "window.bertvizLite")
        assert page.locator(".bvl").get_attribute("lang") == "zh-Hans"


@pytest.mark.thorough
def test_nothing_moves_while_a_chinese_page_opens(browser: Browser, tmp_path: Path) -> None:
    tokenizer, model = load()
    views = {"Fill in": FillIn(model, tokenizer, "Anna lost her [MASK].", lang="zh")}
    save_page(tmp_path / "page.html", views)
    with open_context(browser) as (context, _):
        page = context.new_page()
        page.add_init_script(
            """new PerformanceObserver((list) => {
                for (const { value, hadRecentInput } of list.getEntries())
                    if (!hadRecentInput) window.shift = (window.shift ?? 0) + value;
            }).observe({ type: "layout-shift", buffered: true });"""
        )
        page.goto((tmp_path / "page.html").as_uri())
        wait_until(page, "window.bertvizLite?.views['fill-in']")
        page.wait_for_timeout(300)
        assert page.get_by_role("tab", name="填词").count() == 1
        in_chinese = page.evaluate("window.shift ?? 0")
        page.locator(SWITCH).click()
        expect(page.get_by_role("tab", name="Fill in")).to_be_visible()
        page.wait_for_timeout(300)
        assert page.evaluate("window.shift ?? 0") == in_chinese  # what a click changes is no jump
        page.reload()
        wait_until(page, "window.bertvizLite?.views['fill-in']")
        page.wait_for_timeout(300)
        assert in_chinese <= page.evaluate("window.shift ?? 0") + 0.05


@pytest.mark.thorough
def test_on_a_phone_a_finger_switches_and_nothing_is_clipped(open_page: Callable[..., Page]) -> None:
    for kind in KINDS:
        page = open_page(
            view_of(kind), viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
        )
        page.locator(SWITCH).tap()
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, kind
        box = page.locator(SWITCH).bounding_box()
        assert box is not None
        assert box["height"] >= 24, kind


@pytest.mark.thorough
def test_a_view_speaks_the_language_of_its_call_live_in_jupyterlab(
    open_notebook: Callable[..., Page],
) -> None:
    page = open_notebook(
        [
            "from bertviz_lite import FillIn, load",
            'FillIn(*reversed(load()), "Anna lost her [MASK].", lang="zh")',
        ]
    )
    view = page.locator(".bvl")
    expect(view).to_have_attribute("lang", "zh-Hans", timeout=PATIENCE_MS)
    page.locator(SWITCH).click()
    expect(view).to_have_attribute("lang", "en", timeout=PATIENCE_MS)
    assert view.count() == 1
    run_cell(page, page.locator(".jp-CodeCell").last)
    expect(view).to_have_attribute("lang", "en", timeout=PATIENCE_MS)  # the reader's choice holds
