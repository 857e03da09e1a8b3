"""Slides in Chromium, from a disk and without a network: they fit, the back row reads them, and views answer.

``make test`` opens one deck; ``python tools/check_slides.py`` all of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import assert_quiet
from tests.helpers.browser import CUT_TEXTS, open_context, says, wait_until
from tests.helpers.slides import HEIGHT, WIDTH, go_to, slide_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

ROOT = Path(__file__).parents[2]
ALL = sorted((ROOT / "slides").glob("*.md"))
ONE = [ROOT / "slides" / "2_attention.md"]
IS_ALL = os.environ.get("BERTVIZ_LITE_ALL_DECKS") == "1"
DECKS = ALL if IS_ALL else ONE
SIZES = [(WIDTH, HEIGHT), (1920, 1080)] if IS_ALL else [(WIDTH, HEIGHT)]
CLICKS = [("2_attention", 3, "[MASK] it"), ("4_training", 5, "anna")]
"""A deck, a slide, and what is clicked there: more stands on the slide then."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the decks, as ``make slides`` does."""
    place = tmp_path_factory.mktemp("slides")
    command = [sys.executable, "-m", "bertviz_lite.views.pages.slides", *map(str, DECKS), "--to", str(place)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
    return place


@pytest.fixture
def open_deck(browser: Browser, folder: Path) -> Iterator[Callable[..., Page]]:
    """Open a deck from file://; at the end, nothing must have left the machine or complained."""
    with ExitStack() as stack:
        every = []

        def opened(deck: Path, width: int = WIDTH, height: int = HEIGHT, **options: object) -> Page:
            viewport = {"width": width, "height": height}
            context, watched = stack.enter_context(open_context(browser, viewport=viewport, **options))
            every.append(watched)
            page = context.new_page()
            page.goto((folder / f"{deck.stem}.html").as_uri())
            wait_until(page, "window.Reveal?.isReady()")
            return page

        yield opened
        assert_quiet(every)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.stem)
def test_every_slide_fits_and_can_be_read_from_the_back(
    open_deck: Callable[..., Page], deck: Path, width: int, height: int
) -> None:
    page = open_deck(deck, width, height, color_scheme="dark")  # a dark laptop does not make a dark deck
    count = page.evaluate("Reveal.getTotalSlides()")
    wrong = []
    for number in range(1, count + 1):
        go_to(page, number)
        wrong += [f"slide {number}: {problem}" for problem in slide_problems(page, axe=width == WIDTH)]
    assert not wrong, "\n".join(wrong)
    assert page.evaluate("Reveal.getTotalSlides()") == count, "a view's sections are no slides"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize(
    ("deck", "number", "text"), [click for click in CLICKS if click[0] in {deck.stem for deck in DECKS}]
)
def test_what_a_view_answers_fits_its_slide(
    open_deck: Callable[..., Page], deck: str, number: int, text: str
) -> None:
    page = open_deck(ROOT / "slides" / f"{deck}.md")
    go_to(page, number)
    page.locator(".bvs-stage:not([hidden]) :is(button, [role=option])", has_text=text).first.click()
    says(page.locator(".bvs-stage:not([hidden]) :is(.bvl-prediction, .bvl-guesses.bvl-open)").first, "she")
    assert [*slide_problems(page)] == []


def test_the_room_reads_the_whole_sentence(open_deck: Callable[..., Page]) -> None:
    page = open_deck(ONE[0])
    go_to(page, 3)
    field = page.locator(".bvs-stage:not([hidden])").get_by_role("textbox", name="Sentence")
    for more in (
        "",
        " Tom, who had lost his key in the park, was not happy, so he did not wave.",
    ):
        field.fill(field.input_value() + more)
        hidden = field.evaluate(
            "(field) => [field.scrollWidth - field.clientWidth, field.scrollHeight - field.clientHeight]"
        )
        assert max(hidden) <= 0, field.input_value()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_presented_from_a_slide_a_view_lies_inside_the_screen(
    open_deck: Callable[..., Page], width: int, height: int
) -> None:
    page = open_deck(ONE[0], width, height)
    go_to(page, 3)
    page.get_by_role("button", name="[MASK] it").click()
    says(page.locator(".bvl-prediction").first, "she")
    page.get_by_role("button", name="Present").click()
    wait_until(page, "document.fullscreenElement !== null")
    page.wait_for_timeout(500)
    assert page.evaluate(CUT_TEXTS) == []
    readout = page.locator(":fullscreen .bvl-readout").bounding_box()
    assert readout is not None
    assert readout["x"] >= 8, "text does not touch the edge of the screen"
    page.get_by_role("button", name="Leave").click()
    wait_until(page, "document.fullscreenElement === null")


def test_a_view_has_the_keys_until_it_gives_them_back(open_deck: Callable[..., Page]) -> None:
    page = open_deck(ONE[0])
    go_to(page, 3)
    page.get_by_role("textbox", name="Sentence").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("Reveal.getIndices().h") == 2
    page.keyboard.press("PageDown")
    wait_until(page, "Reveal.getIndices().h === 3")
    assert page.locator(".bvs-stage").filter(visible=True).count() == 0
    page.keyboard.press("ArrowLeft")
    wait_until(page, "Reveal.getIndices().h === 2")
    page.get_by_role("textbox", name="Sentence").focus()
    page.keyboard.press("Escape")
    wait_until(page, "!document.activeElement.closest('.bvl')")
    assert not page.evaluate("Reveal.isOverview()")
    page.keyboard.press("ArrowRight")
    wait_until(page, "Reveal.getIndices().h === 3")


def test_keys_that_end_presenting_do_not_show_all_slides(open_deck: Callable[..., Page]) -> None:
    page = open_deck(ONE[0])
    for key, slide, has_focus in (("Escape", 3, False), ("Escape", 3, True), ("PageDown", 4, False)):
        go_to(page, 3)
        page.get_by_role("button", name="Present").click()
        wait_until(page, "document.fullscreenElement !== null")
        # The slide takes the focus off the view when it has measured anew, sooner or later.
        change = "focus()" if has_focus else "blur()"
        page.evaluate(f"document.fullscreenElement.querySelector('.bvl-present').{change}")
        page.keyboard.press("o")  # reveal.js's own key for all slides, where nothing has the focus
        page.keyboard.press(key)
        wait_until(page, "document.fullscreenElement === null")
        assert page.locator(".bvl-presenting").count() == 0
        assert not page.evaluate("Reveal.isOverview()")
        wait_until(page, f"Reveal.getIndices().h === {slide - 1}")


@pytest.mark.parametrize("by_mouse", [True, False])
def test_presented_from_a_slide_a_view_has_its_keys_at_once(
    open_deck: Callable[..., Page], by_mouse: bool
) -> None:
    page = open_deck(ONE[0])
    go_to(page, 3)
    present = page.get_by_role("button", name="Present")
    if by_mouse:
        present.click()
    else:
        present.focus()
        page.keyboard.press("Enter")
    wait_until(page, "document.fullscreenElement !== null")
    page.wait_for_timeout(500)  # what takes the focus away does so once the screen is measured
    page.keyboard.press("h")
    assert page.locator(".bvl-held").count() == 1
    page.keyboard.press("s")
    field = page.locator(":fullscreen").get_by_role("textbox", name="Sentence")
    assert field.evaluate("(one) => one === document.activeElement")
    field.fill("Tom brought Anna a coat because he was warm.")
    page.keyboard.press("Escape")
    assert field.is_hidden()
    assert page.evaluate("document.fullscreenElement !== null")
    page.keyboard.press("h")
    assert page.locator(".bvl-held").count() == 0


def test_once_a_view_has_left_the_screen_its_keys_turn_no_slide(open_deck: Callable[..., Page]) -> None:
    page = open_deck(ONE[0])
    go_to(page, 3)
    page.get_by_role("button", name="Present").click()
    wait_until(page, "document.fullscreenElement !== null")
    page.wait_for_timeout(500)
    page.get_by_role("button", name="Leave").click()
    wait_until(page, "document.fullscreenElement === null && document.activeElement === document.body")
    for key in "hjkl":
        page.keyboard.press(key)
        assert page.evaluate("Reveal.getIndices().h") == 2, key
    page.keyboard.press("Escape")
    assert not page.evaluate("Reveal.isOverview()"), "one Escape too many"
    page.keyboard.press("o")
    assert page.evaluate("Reveal.isOverview()")
    page.keyboard.press("Escape")
    assert not page.evaluate("Reveal.isOverview()")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("Reveal.getIndices().h") == 3


def test_the_speaker_has_the_notes_in_a_window_of_their_own(open_deck: Callable[..., Page]) -> None:
    page = open_deck(ONE[0])
    go_to(page, 2)
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    says(opened.value.locator(".speaker-controls-notes .value"), "Vote by hands")
    page.keyboard.press("ArrowRight")
    says(opened.value.locator(".speaker-controls-notes .value"), "the lines show one row")
