"""A chapter as one file, in Chromium: each view alive in its place, the model in it once, nothing fetched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import assert_quiet
from tests.helpers.browser import (
    accessibility_problems,
    assert_fills_in_as_python,
    open_context,
    wait_until,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

ROOT = Path(__file__).parents[2]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PROSE = """# A chapter: does it work?

The scores are divided by $\\sqrt{d}$, as [chapter 02](02_next.ipynb) says.

$$y = \\frac{x - \\mu}{\\sigma}$$

## See it

### Here
"""
PICTURE = '<figure><img alt="A picture" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></figure>'
LOAD = "from bertviz_lite import FillIn, PairView, load\n\ntokenizer, model = load()  # the pocket model"
FILL_IN = 'FillIn(model.double(), tokenizer, "Anna lost her [MASK] .")'
OTHER = 'FillIn(model, tokenizer, "The [MASK] barks .", k=3)'
PAIR = 'PairView(model, tokenizer, "Anna lost her key.", "She looks for it.")'
FILL_IN_SHOWN = (
    "FillIn(BertForPreTraining, 4 layers, text='Anna lost her [MASK] .', mask=0, layer=4, k=8, follow=(), "
    "word=None, scale='probability')"
)
OTHER_SHOWN = (
    "FillIn(BertForPreTraining, 4 layers, text='The [MASK] barks .', mask=0, layer=4, k=3, follow=(), "
    "word=None, scale='probability')"
)
PAIR_SHOWN = (
    "PairView(BertForPreTraining, first='Anna lost her key.', second='She looks for it.', word=None, "
    "measure='log-odds')"
)


def code(source: str, *shown: str) -> dict[str, Any]:
    outputs = [
        {"output_type": "execute_result", "data": {"text/html": PICTURE, "text/plain": text}}
        for text in shown
    ]
    return {"cell_type": "code", "source": source, "outputs": outputs}


def prose(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": source}


@pytest.fixture(scope="module")
def chapter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a small notebook as a page, as ``make book`` does."""
    folder = tmp_path_factory.mktemp("book")
    between = prose("\n\n".join(["Some words."] * 60))
    long = {"output_type": "stream", "text": "number " * 60}
    cells = [
        *(prose(PROSE), code(LOAD), code(FILL_IN, FILL_IN_SHOWN), code(OTHER, OTHER_SHOWN)),
        *(between, code(PAIR, PAIR_SHOWN)),
        {"cell_type": "code", "source": "raise SystemExit  # not run: no view follows", "outputs": [long]},
    ]
    (folder / "01_small.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    subprocess.run(
        [
            *(sys.executable, "-m", "bertviz_lite.views.pages.book", str(folder / "01_small.ipynb")),
            *("--to", str(folder / "pages"), "--beside", "01_small", "02_next"),
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    return folder / "pages" / "01_small.html"


@pytest.fixture
def open_chapter(browser: Browser, chapter: Path) -> Iterator[Callable[..., Page]]:
    """Open the chapter from file://; at the end, nothing must have left the machine or complained."""
    with ExitStack() as stack:
        every = []

        def opened(place: str = "", **options: object) -> Page:
            context, watched = stack.enter_context(open_context(browser, **options))
            every.append(watched)
            page = context.new_page()
            page.goto(chapter.as_uri() + place)
            return page

        yield opened
        assert_quiet(every)


def drawn(page: Page) -> list[str]:
    names: list[str] = page.evaluate("Object.keys(bertvizLite.views)")
    return names


def test_views_of_a_chapter_start_when_they_are_scrolled_to_and_answer(
    open_chapter: Callable[..., Page], chapter: Path
) -> None:
    page = open_chapter()
    wait_until(page, "bertvizLite.views.fillin")
    wait_until(page, "bertvizLite.views['fillin-2']")
    assert drawn(page) == ["fillin", "fillin-2"]
    assert page.locator("[data-bvl-view=pairview] img").is_visible(), "a picture until then"
    assert page.locator("[data-bvl-model]").count() == 1
    assert chapter.stat().st_size < 12_000_000
    assert_fills_in_as_python(page, "fillin", "The farmer opens the [MASK] .")
    assert page.evaluate("bertvizLite.views['fillin-2'].model.get('text')") == "The [MASK] barks ."
    page.locator("[data-bvl-view=pairview]").scroll_into_view_if_needed()
    wait_until(page, "bertvizLite.views.pairview")
    assert page.locator("[data-bvl-view=pairview] img").count() == 0
    page.get_by_role("textbox", name="B, the second text").fill("The dog sleeps in the boat.")
    wait_until(page, "bertvizLite.views.pairview.model.get('second').startsWith('The dog')")


def test_an_address_leads_to_a_view(open_chapter: Callable[..., Page]) -> None:
    page = open_chapter("#pairview")
    wait_until(page, "bertvizLite.views.pairview")
    wait_until(
        page, "document.querySelector('[data-bvl-view=pairview]').getBoundingClientRect().top < innerHeight"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_chapter_reads_well_on_a_phone(open_chapter: Callable[..., Page], scheme: str) -> None:
    page = open_chapter(color_scheme=scheme, **PHONE)
    wait_until(page, "bertvizLite.views.fillin")
    for formula in page.locator("math").all():
        assert formula.bounding_box()["height"] > 10  # type: ignore[index]
    assert page.locator("math mfrac").count() == 1
    assert page.get_by_role("link", name="chapter 02").get_attribute("href") == "02_next.html"
    page.locator(".bvp-contents summary").click()
    assert page.get_by_role("navigation").get_by_role("link").all_inner_texts() == ["See it"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    wait_until(page, "document.querySelector('.bvp-output').tabIndex === 0")  # wide: scrolled by keys, too
    assert page.locator(".bvl-heading").first.get_attribute("aria-level") == "4"
    page.locator("[data-bvl-view=fillin-2]").scroll_into_view_if_needed()
    wait_until(page, "bertvizLite.views['fillin-2']")
    names = page.locator("section.bvl").evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert names == ["What stands behind the mask", "What stands behind the mask, 2"]
    assert accessibility_problems(page, every=True) == []


def test_without_scripts_a_chapter_shows_its_pictures(open_chapter: Callable[..., Page]) -> None:
    page = open_chapter(java_script_enabled=False)
    assert page.locator("img[alt='A picture']").count() == 3
    assert "does it work?" in page.get_by_role("heading", level=1).inner_text()
