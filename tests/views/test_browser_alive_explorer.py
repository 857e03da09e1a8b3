"""The explorer answers without Python, in Chromium: saved pages from file://, and when a kernel is killed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bertviz_lite import Explorer, capture, load
from tests.helpers.browser import PATIENCE_MS, page_percent, says, trait, wait_until
from tests.helpers.explorers import plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from bertviz_lite.capture import Capture

pytestmark = pytest.mark.browser

IDLE = "document.querySelector('.bvl').getAttribute('aria-busy') === 'false'"
GONE = "Python is gone: the model in this page answers in its place."


def tops(page: Page) -> list[list[tuple[str, str]]]:
    """Return what the model expects, as it is written: a table for each run."""
    found: list[list[tuple[str, str]]] = page.evaluate(
        """() => [...document.querySelectorAll(".bvl-top")].map((table) =>
            [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent)))"""
    )
    return [[(name, share) for name, share in table] for table in found]


def expected(*runs: Capture, at: int) -> list[list[tuple[str, str]]]:
    return [[(token, page_percent(share)) for token, share in run.predictions(at)[:5]] for run in runs]


def assert_expects(page: Page, *runs: Capture, at: int) -> None:
    says(page.locator(".bvl-effect h5"), re.compile(rf"What the model expects at {at}$"))
    wait_until(page, IDLE)
    assert tops(page) == expected(*runs, at=at)


def test_a_saved_page_runs_tokens_heads_and_a_sentence_of_ones_own(
    open_page: Callable[..., Page], seen: Capture
) -> None:
    page = open_page(Explorer(seen, layer=2, head=1, query=5, key=2))
    page.get_by_role("button", name="[MASK] it").click()
    assert_expects(page, seen, seen.rerun({5: "[MASK]"}), at=5)
    page.get_by_role("textbox", name="or put").fill("boat")
    page.get_by_role("button", name="in its place").click()
    wait_until(page, "bertvizLite.model.get('edits')['5'] === 'boat'")
    assert_expects(page, seen, seen.rerun({5: "boat"}), at=5)
    page.get_by_role("button", name="Switch layer 2, head 1 off").click()
    says(page.locator(".bvl-effect"), "all heads on")
    after = seen.rerun({5: "boat"}, [(2, 1)])
    assert_expects(page, seen.rerun({5: "boat"}), after, at=5)
    # Why, of the second run: the formula gives the weight that Python has.
    page.get_by_role("group", name="Side").get_by_text("after").click()
    weight = after.attentions[2][1, 5, 2]
    says(page.get_by_role("region", name="One pair of tokens").locator(".bvl-steps"), f"{weight:.4f}"[:5])
    # Another layer of it, and what all layers together do.
    page.get_by_role("combobox", name="Layer").select_option("3")
    says(page.locator(".bvl-readout"), "layer 3 head 1")
    expect(page.locator(".bvl-readout")).not_to_contain_text("±", timeout=PATIENCE_MS)
    says(page.locator(".bvl-readout"), f"{after.attentions[3][1, 5, 2]:.4f}")
    page.get_by_role("combobox", name="Weights of").select_option("rollout")
    says(page.locator(".bvl-heading"), re.compile("rollout", re.IGNORECASE))
    page.get_by_role("button", name="Undo all").click()
    wait_until(page, "bertvizLite.model.get('_meta').sides.length === 1")
    # One's own sentence: the page's tokens are Python's.
    page.get_by_role("textbox", name="Sentence").fill("Tom loses his keyring.")
    page.get_by_role("textbox", name="and a second").fill("")
    wait_until(page, "bertvizLite.model.get('text_pair') === ''")
    wait_until(page, IDLE)
    tokenizer, model = load()
    own = capture(model, tokenizer, "Tom loses his keyring.")
    assert page.evaluate("bertvizLite.model.get('_meta').sides[0].kinds.self.queries.tokens") == list(
        own.tokens
    )


def test_changes_in_quick_succession_all_count(open_page: Callable[..., Page], seen: Capture) -> None:
    page = open_page(Explorer(seen, query=5))
    page.locator(".bvl-thumbs").focus()
    for key in "1wdv":  # as fast as keys come
        page.keyboard.press(key)
    page.get_by_role("button", name="[MASK] it").click()
    diagonal = [[number, number] for number in range(4)]
    wait_until(page, "bertvizLite.model.get('edits')['5'] === '[MASK]'")
    wait_until(page, IDLE)
    assert trait(page, "heads_off") == diagonal
    masked = seen.rerun({5: "[MASK]"})
    assert_expects(page, masked, seen.rerun({5: "[MASK]"}, [(n, n) for n in range(4)]), at=5)


def test_a_page_of_a_model_that_is_too_large_is_a_recording_and_says_how_large_it_would_be(
    open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bertviz_lite.views.engine.packed.packing.pack_model.__defaults__", (1,))
    tokenizer, model = load()
    view = Explorer(capture(type(model)(model.config).eval(), tokenizer, "Anna lost her key."), query=2)
    page = open_page(view)
    note = page.get_by_role("region", name="Try it")
    says(note, "This page is a recording without its model")
    says(note, re.compile(r"a page would have \d+ MB, and may have 1:"))
    assert page.locator("[data-bvl-model]").count() == 0
    assert page.get_by_role("button", name="[MASK] it").count() == 0
    assert page.get_by_role("textbox", name="Sentence").get_attribute("readonly") is not None
    assert page.locator(".bvl").get_by_text("recording").count() == 1  # said once


def test_arrays_stay_a_recording_and_say_so(open_page: Callable[..., Page]) -> None:
    page = open_page(Explorer(plain(), query=2))
    says(page.get_by_role("region", name="Try it"), "These are plain arrays without a model")
    assert page.locator("[data-bvl-model]").count() == 0


def test_a_recording_of_a_model_that_would_fit(open_page: Callable[..., Page], seen: Capture) -> None:
    page = open_page(Explorer(seen, query=2), live=False)
    says(page.get_by_role("region", name="Try it"), "This page is a recording without its model")
    assert page.locator("[data-bvl-model]").count() == 0


CELLS = [
    "from bertviz_lite import Explorer, capture, load; tokenizer, model = load()",
    'Explorer(capture(model, tokenizer, "The farmer finds the key.", "She opens the door."), query=5)',
]
KILL = """() => {
    const { kernel } = jupyterapp.shell.currentWidget.sessionContext.session;
    kernel.requestExecute({ code: "import os; os.kill(os.getpid(), 9)" }).done.catch(() => null);
}"""


@pytest.mark.thorough
def test_the_explorer_goes_on_when_python_is_killed_live_in_jupyterlab(
    open_notebook: Callable[..., Page], seen: Capture
) -> None:
    page = open_notebook(CELLS, viewport={"width": 1400, "height": 1000})
    view = page.locator(".bvl")
    view.locator(".bvl-matrix canvas[aria-label]").wait_for()
    view.get_by_role("button", name="[MASK] it").click()
    assert_expects(page, seen, seen.rerun({5: "[MASK]"}), at=5)
    page.evaluate(KILL)
    page.get_by_role("button", name="Ok", exact=True).click()
    view.locator(".bvl-thumbs").focus()
    page.keyboard.press("s")  # layer 2, head 1
    says(view.locator(".bvl-asking"), GONE)
    says(view.locator(".bvl-effect"), "all heads on")
    off = seen.rerun({5: "[MASK]"}, [(2, 1)])
    assert_expects(page, seen.rerun({5: "[MASK]"}), off, at=5)
    # A layer that was never looked at, another sentence, and back to no changes.
    view.get_by_role("combobox", name="Layer").select_option("3")
    view.locator(".bvl-matrix").last.focus()
    page.keyboard.press("ArrowLeft")
    says(view.locator(".bvl-readout"), "→ ")
    expect(view.locator(".bvl-readout")).not_to_contain_text("±", timeout=PATIENCE_MS)
    view.get_by_role("textbox", name="Sentence").fill("Tom finds the key.")
    says(view.locator(".bvl-chosen-token"), "Click a token, then:")
    expect(view.locator(".bvl-main")).not_to_have_class(re.compile("bvl-stale"), timeout=PATIENCE_MS)
    view.get_by_role("button", name="Undo all").click()
    expect(view.locator(".bvl-matrix:visible")).to_have_count(1)
