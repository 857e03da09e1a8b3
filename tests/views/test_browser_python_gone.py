"""Views that ask Python, in a real Chromium, where Python refuses, does not answer, or is gone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bertviz_lite import Explorer, TokenView, load
from tests.helpers.browser import PATIENCE_MS, says, wait_until
from tests.helpers.explorers import plain
from tests.views.test_fill_in import tiny
from tests.views.test_pair_view import FIRST, tiny as tiny_pair

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

# A saved view drawn anew, as if Python were at the other end: messages are kept, answer() is Python's.
LIVE = """(isGone) => {
    const { model: saved, view, place, end } = bertvizLite;
    end();
    const sent = [];
    const model = Object.create(saved, {
        savedBlock: { value: undefined },
        hasSavedBlock: { value: undefined },
        send: { value: (message) => {
            if (isGone) throw new Error("Cannot send");
            sent.push(message);
        } },
    });
    const answer = (message) => {
        const { ticket } = sent.at(-1);
        for (const react of saved.followers.get("msg:custom")) react({ ticket, ...message });
    };
    view.render({ model, el: place });
    Object.assign(window, { sent, answer });
}"""


def make_live(page: Page, *, is_gone: bool = False) -> None:
    page.evaluate(LIVE, is_gone)


def assert_is_of_before(page: Page, heading: str | re.Pattern[str]) -> None:
    """Check that the answer is grey and says which texts it is about, and that nothing is awaited."""
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "0.4", timeout=PATIENCE_MS)
    says(page.locator(".bvl-answer .bvl-heading"), heading)
    expect(page.locator(".bvl")).to_have_attribute("aria-busy", "false", timeout=PATIENCE_MS)


def fill_in(page: Page) -> Locator:
    return page.get_by_role("textbox", name="A sentence with [MASK]")


def test_fill_in_greys_out_the_answer_to_the_sentence_before_a_refused_one(
    open_page: Callable[..., Page],
) -> None:
    view = tiny()
    page = open_page(view, live=False)
    make_live(page)
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "1")
    fill_in(page).fill("the dog sings")
    wait_until(page, "sent.length === 1")
    page.evaluate("answer({ type: 'asked', problem: 'There is no [MASK].' })")
    says(page.get_by_role("status"), "There is no [MASK].")
    assert_is_of_before(page, re.compile(re.escape(f"in “{view.text}”") + "$"))
    fill_in(page).fill(view.text)
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "1", timeout=PATIENCE_MS)


def test_fill_in_does_not_wait_for_ever(open_page: Callable[..., Page]) -> None:
    view = tiny()
    page = open_page(view, live=False)
    page.clock.install()
    make_live(page)
    fill_in(page).fill("the dog [MASK]")
    page.clock.run_for(200)
    expect(page.locator(".bvl")).to_have_attribute("aria-busy", "true")
    page.clock.run_for(10_000)
    says(page.get_by_role("status"), re.compile("^Python has not answered yet"))
    assert_is_of_before(page, re.compile(re.escape(f"in “{view.text}”") + "$"))
    page.evaluate("answer({ type: 'asked', problem: '' })")
    expect(page.get_by_role("status")).to_be_hidden()


def test_a_pair_greys_out_the_answer_to_the_texts_before_when_python_is_gone(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(tiny_pair(), live=False)
    make_live(page, is_gone=True)
    page.get_by_role("textbox", name="A, the first text").fill(f"{FIRST} again")
    says(page.get_by_role("status"), "Python is gone: it was started anew, or stopped. Run this cell again.")
    assert_is_of_before(page, re.compile("^The texts before: Probability that B continues A"))


def test_the_explorer_says_in_words_that_python_is_gone(open_page: Callable[..., Page]) -> None:
    page = open_page(Explorer(plain()))
    make_live(page, is_gone=True)
    says(
        page.locator(".bvl-stage > p"),
        "Python is gone: it was started anew, or stopped. Run this cell again.",
    )


def test_the_explorer_draws_a_layer_that_comes_late(open_page: Callable[..., Page]) -> None:
    page = open_page(Explorer(plain()))
    blocks = page.evaluate(
        "Object.fromEntries([...bertvizLite.model.blocks].map(([name, e]) => [name, e.textContent]))"
    )
    page.clock.install()
    make_live(page)
    page.clock.run_for(10_000)
    says(page.locator(".bvl-stage > p"), re.compile("^Python has not answered yet"))
    page.evaluate(
        """(blocks) => {
            for (const { ticket, name } of [...sent]) {
                const bytes = Uint8Array.from(atob(blocks[name]), (letter) => letter.charCodeAt(0));
                for (const react of bertvizLite.model.followers.get("msg:custom")) {
                    react({ type: "block", ticket }, [bytes]);
                }
            }
        }""",
        blocks,
    )
    expect(page.locator(".bvl-matrix")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(".bvl-stage > p")).to_be_hidden()


def test_the_token_view_does_not_wait_for_ever(open_page: Callable[..., Page]) -> None:
    tokenizer, _ = load()
    page = open_page(TokenView(tokenizer, "the keyring"), live=False)
    page.clock.install()
    make_live(page)
    page.get_by_role("textbox", name="Text", exact=True).fill("a padlock")
    expect(page.locator(".bvl")).to_have_attribute("aria-busy", "true")
    page.clock.run_for(10_000)
    says(page.get_by_role("status").first, re.compile("^Python has not answered yet"))
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "0.4", timeout=PATIENCE_MS)
    says(page.locator(".bvl-status"), "The text before, “the keyring”: 11 characters")
    expect(page.locator(".bvl")).to_have_attribute("aria-busy", "false", timeout=PATIENCE_MS)
