"""The pair view, the masking lab and the token view in JupyterLab go on without Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bertviz_lite import MaskingLab, PairView, load
from tests.helpers.browser import PATIENCE_MS, page_percent, says, wait_until
from tests.views.test_browser_alive import GONE, LOSE
from tests.views.test_browser_alive_pages import FIRST, GUESSES, IDLE, SECOND

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

LOADED = "from bertviz_lite import MaskingLab, PairView, TokenView, load; tokenizer, model = load()"
ROOM = {"width": 1400, "height": 1100}


def lose(page: Page, how: str) -> None:
    page.evaluate(LOSE[how])
    if how == "killed":
        page.get_by_role("button", name="Ok").click()


def test_a_pair_goes_on_when_python_is_killed_live_in_jupyterlab(open_notebook: Callable[..., Page]) -> None:
    pair_goes_on(open_notebook, "killed")


@pytest.mark.thorough
def test_a_pair_goes_on_when_python_starts_anew_live_in_jupyterlab(
    open_notebook: Callable[..., Page],
) -> None:
    pair_goes_on(open_notebook, "restarted")


def pair_goes_on(open_notebook: Callable[..., Page], how: str) -> None:
    tokenizer, model = load()
    view = PairView(model, tokenizer, FIRST, SECOND, measure="probability")
    page = open_notebook(
        [LOADED, f'PairView(model, tokenizer, "{FIRST}", "{SECOND}", measure="probability")'], viewport=ROOM
    )
    b = page.get_by_role("textbox", name="B, the second text")
    b.wait_for()
    wait_until(page, IDLE)
    lose(page, how)
    b.fill("The dog sleeps in the boat.")
    says(page.locator(".bvl-asking"), GONE)
    view.second = "The dog sleeps in the boat."
    says(page.locator(".bvl-answer .bvl-heading").first, page_percent(view.probability))
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "1", timeout=PATIENCE_MS)
    wait_until(page, IDLE)  # the words come after the answer
    page.locator(".bvl summary").click()
    words, _, support = view.table()
    rows = {row.split("\t")[0]: row for row in page.locator(".bvl tbody tr").all_inner_texts()}
    assert set(rows) == set(words)
    adds = 100 * support[words.index("dog"), 0]
    assert float(rows["dog"].split("\t")[3].replace("−", "-")) == pytest.approx(adds, abs=0.05)
    page.locator(".bvl-language").click()
    says(page.locator(".bvl-asking"), "现在由页面里的模型代为回答")


def test_the_masking_lab_goes_on_when_python_is_killed_live_in_jupyterlab(
    open_notebook: Callable[..., Page],
) -> None:
    lab_goes_on(open_notebook, "killed")


@pytest.mark.thorough
def test_the_masking_lab_goes_on_when_python_is_shut_down_live_in_jupyterlab(
    open_notebook: Callable[..., Page],
) -> None:
    lab_goes_on(open_notebook, "shut down")


def lab_goes_on(open_notebook: Callable[..., Page], how: str) -> None:
    tokenizer, model = load()
    lab = MaskingLab(model, tokenizer, FIRST, seed=3)
    page = open_notebook([LOADED, f'MaskingLab(model, tokenizer, "{FIRST}", seed=3)'], viewport=ROOM)
    field = page.get_by_role("textbox", name="Sentence")
    field.wait_for()
    lose(page, how)
    lab.text = "The farmer opens the window and sings."
    field.fill(lab.text)
    field.press("Enter")
    says(page.locator(".bvl-asking"), GONE)
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "1", timeout=PATIENCE_MS)
    place = lab.tokens.index("farmer")
    says(page.locator(".bvl [role=option]").nth(place), "farmer")
    page.locator(".bvl [role=option]").nth(place).click()
    wait_until(page, GUESSES)
    for table, guess in zip(
        page.locator(".bvl-guesses table").all(), lab.guesses(place).values(), strict=True
    ):
        token, probability = guess.top[0]
        says(table.locator("tbody tr").first, token)
        says(table.locator("tbody tr").first, page_percent(probability))


def test_the_token_view_goes_on_when_python_is_killed_live_in_jupyterlab(
    open_notebook: Callable[..., Page],
) -> None:
    tokens_go_on(open_notebook, "killed")


@pytest.mark.thorough
def test_the_token_view_goes_on_when_python_starts_anew_live_in_jupyterlab(
    open_notebook: Callable[..., Page],
) -> None:
    tokens_go_on(open_notebook, "restarted")


def tokens_go_on(open_notebook: Callable[..., Page], how: str) -> None:
    tokenizer, _ = load()
    page = open_notebook([LOADED, 'TokenView(tokenizer, "Anna unwrapped it.")'], viewport=ROOM)
    field = page.get_by_role("textbox", name="Text", exact=True)
    field.wait_for()
    says(page.locator(".bvl details").first, "LATIN CAPITAL LETTER A")  # the names have come
    lose(page, how)
    field.fill("Zoë sees bumblebees.")
    says(page.locator(".bvl-asking"), "Python is gone: the tokenizer in this page answers in its place.")
    ids = [str(number) for number in tokenizer("Zoë sees bumblebees.")["input_ids"]]
    expect(page.locator(".bvl-card:not(.bvl-labels) .bvl-id")).to_have_text(ids, timeout=PATIENCE_MS)
    expect(page.locator(".bvl-answer")).to_have_css("opacity", "1", timeout=PATIENCE_MS)
    page.locator(".bvl summary", has_text="What normalisation changes").click()
    says(page.locator(".bvl details").first, "LATIN SMALL LETTER E WITH DIAERESIS")
    page.locator(".bvl-language").click()
    says(page.locator(".bvl-asking"), "现在由页面里的分词器代为回答")
