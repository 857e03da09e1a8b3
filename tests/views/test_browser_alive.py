"""Views that answer without Python, in Chromium: saved pages from file://, JupyterLab without its kernel."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from bertviz_lite import FillIn, load
from bertviz_lite.views.base.asking import unpack_found
from tests.helpers.browser import PATIENCE_MS, page_percent, says, trait, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

FOUND = """() => {
    const view = bertvizLite.model.get("_found");
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""


def assert_answers_as_python(page: Page, view: FillIn) -> None:
    """Compare what a saved page found with what Python finds for the same traits."""
    wait_until(page, "document.querySelector('.bvl').getAttribute('aria-busy') === 'false'")
    view.text, view.follow, view.k = (trait(page, name) for name in ("text", "follow", "k"))
    facts, numbers = unpack_found(base64.b64decode(page.evaluate(FOUND)))
    assert facts == view.found[0]
    # Ranks stand among the probabilities; two words that are alike to six digits may change places.
    ranks = view.found[1] > 1
    np.testing.assert_allclose(numbers[~ranks], view.found[1][~ranks], rtol=2e-4, atol=1e-7)
    np.testing.assert_allclose(numbers[ranks], view.found[1][ranks], rtol=2e-3, atol=1)


def test_a_saved_fill_in_answers_what_is_typed(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    examples = ["Anna lost her [MASK] .", "The [MASK] barks ."]
    view = FillIn(model, tokenizer, examples=examples)
    page = open_page(view)
    field = page.get_by_role("textbox", name="A sentence with [MASK]")
    assert "Typing is off" not in page.locator(".bvl").inner_text()
    field.fill("The farmer opens the [MASK] with a [MASK] .")
    says(page.locator(".bvl-heading"), "[MASK] 1 of 2")
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "1", timeout=PATIENCE_MS)
    assert_answers_as_python(page, view)
    page.get_by_role("textbox", name="also follow").fill("key")
    page.get_by_role("button", name="Follow", exact=True).click()
    says(page.locator(".bvl-chips"), "key")
    page.get_by_role("spinbutton").fill("3")
    page.get_by_role("spinbutton").press("Tab")
    wait_until(page, "bertvizLite.model.get('k') === 3")
    assert_answers_as_python(page, view)
    page.get_by_role("combobox", name="Examples").select_option(label=examples[1])
    wait_until(page, "bertvizLite.model.get('text') === 'The [MASK] barks .'")
    assert_answers_as_python(page, view)
    page.get_by_role("button", name="hide barks").click()
    says(page.locator(".bvl-heading"), "[MASK] 2 of 2")
    page.get_by_role("button", name="Undo").click()
    says(page.locator(".bvl-heading"), "What BERT puts for [MASK]")


def test_what_the_page_refuses_stays_beside_the_reason(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    view = FillIn(model, tokenizer, "Anna lost her [MASK] .")
    page = open_page(view)
    field = page.get_by_role("textbox", name="A sentence with [MASK]")
    field.fill("Anna lost her key .")
    says(page.locator(".bvl-problem"), "The sentence has no [MASK]: click a word to hide it.")
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "0.4", timeout=PATIENCE_MS)
    says(page.locator(".bvl-answer .bvl-heading"), re.compile(re.escape(f"in “{view.text}”") + "$"))


def test_a_page_of_a_model_that_does_not_fit_says_how_large_it_would_be(
    open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bertviz_lite.views.engine.packed.packing.pack_model.__defaults__", (1,))
    tokenizer, model = load()
    page = open_page(FillIn(type(model)(model.config).eval(), tokenizer, "Anna lost her [MASK] ."))
    says(page.locator(".bvl-asking"), "Typing is off: the model is not in this page.")
    says(page.locator(".bvl-asking"), re.compile(r"a page would have \d+ MB, and may have 1:"))
    assert page.locator("[data-bvl-model]").count() == 0


def test_the_first_answer_of_a_page_on_disk_is_there_soon_after_opening(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    tokenizer, model = load()
    page = open_page(FillIn(model, tokenizer, "Anna lost her [MASK] ."))
    assert (tmp_path / "page.html").stat().st_size < 8e6
    took = page.evaluate(
        """async () => {
            const field = document.querySelector("textarea");
            const start = performance.now();
            field.value = "The key is in the [MASK] .";
            field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
            const wait = () => new Promise((done) => setTimeout(done, 5));
            while (bertvizLite.model.get("text") !== field.value) await wait();
            return performance.now() - start;
        }"""
    )
    assert took < 5000


CELLS = [
    "import time; from bertviz_lite import FillIn, load; tokenizer, model = load()",
    'view = FillIn(model, tokenizer, "Anna lost her [MASK] .", follow=["key"])\nview',
]
# Ways in which a notebook loses its Python. A kernel that is killed is started anew by the server.
RUN = "(code) => jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestExecute({ code })"
CONTEXT = "jupyterapp.shell.currentWidget.sessionContext"
LOSE = {
    "killed": f"() => {{ ({RUN})('import os; os.kill(os.getpid(), 9)').done.catch(() => null); }}",
    "restarted": f"async () => {{ await {CONTEXT}.session.kernel.restart(); }}",
    "shut down": f"async () => {{ await {CONTEXT}.shutdown(); }}",
}
GONE = "Python is gone: the model in this page answers in its place."


def shown(page: Page) -> dict[str, str]:
    """Return the words that a fill-in view lists, with their probabilities as they are written."""
    found: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll(".bvl-option")].map((option) =>
            [".bvl-name", ".bvl-number"].map((part) => option.querySelector(part).textContent)))"""
    )
    return found


def expected(view: FillIn) -> dict[str, str]:
    words, shares, _ = view.table()
    listed = sorted(range(len(words)), key=lambda row: -shares[row, -1])[: view.k]
    return {words[row]: share(shares[row, -1]) for row in listed}


def share(probability: float) -> str:
    return page_percent(probability)


def assert_shows(page: Page, view: FillIn, text: str) -> None:
    view.text = text
    words = expected(view)
    wait_until(page, "document.querySelector('.bvl').getAttribute('aria-busy') === 'false'")
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "1", timeout=PATIENCE_MS)
    found = shown(page)
    assert {word: found.get(word) for word in words} == words


@pytest.mark.thorough
def test_fill_in_goes_on_when_python_is_killed_live_in_jupyterlab(open_notebook: Callable[..., Page]) -> None:
    goes_on(open_notebook, "killed")


@pytest.mark.thorough
def test_fill_in_goes_on_when_python_starts_anew_live_in_jupyterlab(
    open_notebook: Callable[..., Page],
) -> None:
    goes_on(open_notebook, "restarted")


@pytest.mark.thorough
def test_fill_in_goes_on_when_python_is_shut_down_live_in_jupyterlab(
    open_notebook: Callable[..., Page],
) -> None:
    goes_on(open_notebook, "shut down")


def fill_in_open(open_notebook: Callable[..., Page]) -> tuple[Page, Locator]:
    """Open a notebook with a fill-in view; return its page and the field for a sentence."""
    page = open_notebook(CELLS, viewport={"width": 1400, "height": 1000})
    field = page.get_by_role("textbox", name="A sentence with [MASK]")
    field.wait_for()
    return page, field


def goes_on(open_notebook: Callable[..., Page], how: str) -> None:
    tokenizer, model = load()
    view = FillIn(model, tokenizer, "Anna lost her [MASK] .", follow=["key"])
    page, field = fill_in_open(open_notebook)
    field.fill("The dog sees the [MASK] .")
    assert_shows(page, view, "The dog sees the [MASK] .")
    page.evaluate(LOSE[how])
    if how == "killed":
        page.get_by_role("button", name="Ok").click()
    field.fill("The farmer opens the [MASK] .")
    says(page.locator(".bvl-asking"), GONE)
    assert_shows(page, view, "The farmer opens the [MASK] .")
    page.get_by_role("slider", name="Read after which layer").fill("2")
    says(page.locator(".bvl-layer"), "layer 1 (2 of 4)")


@pytest.mark.thorough
def test_fill_in_does_not_wait_for_a_busy_python_live_in_jupyterlab(
    open_notebook: Callable[..., Page],
) -> None:
    tokenizer, model = load()
    view = FillIn(model, tokenizer, "Anna lost her [MASK] .", follow=["key"])
    page, field = fill_in_open(open_notebook)
    page.evaluate(f"() => {{ ({RUN})('time.sleep(12)'); }}")
    field.fill("The dog sees the [MASK] .")
    says(page.locator(".bvl-asking"), "the model in this page answers meanwhile.")
    assert_shows(page, view, "The dog sees the [MASK] .")
    field.fill("The farmer opens the [MASK] .")
    assert_shows(page, view, "The farmer opens the [MASK] .")
    # Python catches up with the latest question, and only with it.
    expect(page.get_by_text("answers meanwhile.")).to_be_hidden(timeout=PATIENCE_MS)
    assert_shows(page, view, "The farmer opens the [MASK] .")
    page.evaluate(
        f"async () => {{ await ({RUN})('assert view.text == \"The farmer opens the [MASK] .\"').done; }}"
    )


@pytest.mark.thorough
def test_fill_in_notices_that_a_busy_python_was_shut_down_live_in_jupyterlab(
    open_notebook: Callable[..., Page],
) -> None:
    page, field = fill_in_open(open_notebook)
    page.evaluate(f"() => {{ ({RUN})('time.sleep(600)').done.catch(() => null); }}")
    field.fill("The dog sees the [MASK] .")
    says(page.locator(".bvl-asking"), "the model in this page answers meanwhile.")
    page.evaluate(LOSE["shut down"])
    says(page.locator(".bvl-asking"), GONE)  # with nothing typed
