"""Views of a site, in Chromium: what they have in common lies in files beside the page, on the disk."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bertviz_lite import FillIn, load
from bertviz_lite.views.pages.shelf import Shelf, Shown
from tests.conftest import assert_quiet
from tests.helpers.browser import assert_fills_in_as_python, open_context, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

SENTENCE = "Anna lost her [MASK] ."
PAGE = """<!doctype html>
<html lang="en" data-theme="light"><head><meta charset="utf-8"><title>Two views</title>
<style>{style}
html[data-theme="dark"] body {{ background: #111; }}
html[data-theme="light"] body {{ background: #fff; }}
</style></head><body><main>{views}</main>{shared}{runtime}</body></html>"""


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    """Write a page with two views, and beside it what they have in common."""
    tokenizer, model = load()
    (tmp_path / "views").mkdir()
    (tmp_path / "chapters").mkdir()
    contents = [FillIn(model, tokenizer, text)._contents(None) for text in (SENTENCE, "The [MASK] barks .")]
    shown = [Shown(f"fillin-{number}", content, "", 2) for number, content in enumerate(contents)]
    shelf = Shelf(contents)
    page = tmp_path / "chapters" / "page.html"
    page.write_text(
        PAGE.format(
            style=shelf.style(),
            views=b"".join(part for view in shown for part in view.parts()).decode(),
            shared=b"".join(shelf.parts_beside(tmp_path / "views", "../views/")).decode(),
            runtime=Shelf.runtime("book_page.js").decode(),
        ),
        encoding="utf-8",
    )
    return page


def test_views_read_their_model_from_a_file_once_and_answer_as_python_does(
    browser: Browser, page_file: Path
) -> None:
    assert page_file.stat().st_size < 200_000, "the model is not in it"
    with open_context(browser, offline=True) as (context, watched):
        page = context.new_page()
        page.goto(page_file.as_uri())
        for number in (0, 1):
            page.locator(f"[data-bvl-view=fillin-{number}]").scroll_into_view_if_needed()
            wait_until(page, f"bertvizLite.views['fillin-{number}']")
        assert_fills_in_as_python(page, "fillin-0", "The farmer opens the [MASK] .")
        loaded = [url for url in watched.requests if re.search(r"/views/(model|module|engine)-\w+\.js$", url)]
        assert len(loaded) == len(set(loaded)) == 3
        assert_quiet([watched])


def test_views_follow_the_page_into_the_dark(browser: Browser, page_file: Path) -> None:
    with open_context(browser, color_scheme="light") as (context, watched):
        page = context.new_page()
        page.goto(page_file.as_uri())
        page.locator(".bvl[data-theme=light]").first.wait_for()
        page.wait_for_timeout(700)  # longer than a view looks again by itself
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        page.locator(".bvl[data-theme=dark]").first.wait_for()
        assert_quiet([watched])


def test_a_view_whose_file_is_missing_says_which(browser: Browser, page_file: Path) -> None:
    (module,) = (page_file.parents[1] / "views").glob("module-*.js")
    module.unlink()
    with open_context(browser) as (context, _):
        page = context.new_page()
        page.goto(page_file.as_uri())
        alert = page.get_by_role("alert").first
        alert.wait_for()
        assert f"../views/{module.name} could not be read." in html.unescape(alert.inner_text())
