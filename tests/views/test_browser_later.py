"""Views in a notebook that is seen later: exported by nbconvert, saved and opened again in JupyterLab.

JupyterLab here stands for Notebook too, which is made of the same parts.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.helpers.browser import (
    PATIENCE_MS,
    notebook_address,
    open_context,
    run_all,
    write_notebook,
)
from tests.views.test_browser_alive import CELLS, LOSE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

ROOM = {"width": 1400, "height": 1000}
VIEWS = {
    "EmbeddingView": "EmbeddingView(input_parts(model, tokenizer, 'Anna lost her key.'))",
    "Explorer": "Explorer(seen)",
    "FillIn": 'FillIn(model, tokenizer, "Anna lost her [MASK] .")',
    "Machine": 'Machine(model, tokenizer, "Anna lost her key.")',
    "MaskingLab": 'MaskingLab(model, tokenizer, "Anna lost her key.")',
    "PairView": 'PairView(model, tokenizer, "Anna lost her key.", "She looked for it.")',
    "TimeLapse": "TimeLapse()",
    "TokenView": 'TokenView(tokenizer, "Anna lost her key.")',
    "TraceView": 'trace(model, **tokenizer("Anna lost her key.", return_tensors="pt")).follow()',
}


def convert(notebook: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "nbconvert", str(notebook), "--log-level=ERROR", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-3000:]


@pytest.mark.thorough
def test_a_notebook_that_nbconvert_runs_shows_a_picture_of_every_view(
    browser: Browser, tmp_path: Path
) -> None:
    first = (
        "from bertviz_lite import *\nfrom bertviz_lite import capture, trace\n"
        'tokenizer, model = load(); seen = capture(model, tokenizer, "Anna lost her key.")'
    )
    write_notebook(tmp_path / "course.ipynb", [first, *VIEWS.values()])
    convert(tmp_path / "course.ipynb", "--execute", "--to=html")
    with open_context(browser, viewport={"width": 1200, "height": 900}) as (context, _):
        context.set_offline(True)
        page = context.new_page()
        page.goto((tmp_path / "course.html").as_uri())
        outputs = page.locator(".jp-Cell .jp-Cell-outputWrapper")
        assert outputs.count() == len(VIEWS)
        for name, output in zip(VIEWS, outputs.all(), strict=True):
            picture = output.locator("figure img").first
            expect(picture).to_be_visible()
            assert picture.evaluate("(image) => image.complete && image.naturalWidth > 300"), name
            assert len(picture.get_attribute("alt") or "") > 40, name
        assert page.locator("script[type*=widget-view]").count() == 0
    # Without the model, which nothing in it could ask: twice as large with it.
    assert (tmp_path / "course.html").stat().st_size < 4_000_000


CONTEXT = "jupyterapp.shell.currentWidget.context"
ERROR = "Error displaying widget: model not found"


@pytest.mark.thorough
def test_a_notebook_that_is_opened_again_shows_pictures_until_it_is_run_live_in_jupyterlab(
    open_notebook: Callable[..., Page], jupyterlab: tuple[Path, str], browser: Browser, tmp_path: Path
) -> None:
    folder, address = jupyterlab
    page = open_notebook(CELLS, viewport=ROOM)
    page.get_by_role("textbox", name="A sentence with [MASK]").wait_for()
    expect(page.locator(".bvl-still")).to_be_hidden()
    expect(page.locator(".bvl-still")).to_have_attribute(
        "hidden", ""
    )  # for notebooks with other style sheets
    assert page.locator(".jp-OutputArea-child:visible").count() == 1
    page.evaluate(f"async () => {{ await {CONTEXT}.save(); }}")
    page.evaluate(LOSE["shut down"])
    saved = folder / "test.ipynb"
    assert ".bvl-still" in saved.read_text(encoding="utf-8")

    with open_context(browser, viewport=ROOM) as (context, watched):
        again = context.new_page()
        again.goto(notebook_address(address, "test.ipynb"))
        again.get_by_text(ERROR).wait_for(state="attached")
        assert_pictured(again)
        expect(again.get_by_text(ERROR)).to_be_hidden()
        expect(again.locator(".bvl-still-note")).to_be_visible()
        assert watched.left_the_machine() == []
        run_all(again)
        again.get_by_role("textbox", name="A sentence with [MASK]").wait_for()
        expect(again.locator(".bvl-still")).to_be_hidden()
        again.evaluate(LOSE["shut down"])

    # Of another's notebook, as of one whose text was changed elsewhere, JupyterLab runs nothing.
    saved.write_text(
        saved.read_text(encoding="utf-8").replace("import time;", "import sys;"), encoding="utf-8"
    )
    with open_context(browser, viewport=ROOM) as (context, _):
        strange = context.new_page()
        strange.goto(notebook_address(address, "test.ipynb"))
        assert_pictured(strange)
        assert strange.get_by_text(ERROR).count() == 0
        strange.evaluate(LOSE["shut down"])

    convert(saved, "--to=html", f"--output-dir={tmp_path}")
    with open_context(browser, viewport=ROOM) as (context, _):
        context.set_offline(True)
        exported = context.new_page()
        exported.goto((tmp_path / "test.html").as_uri())
        assert_pictured(exported)
        expect(exported.locator(".bvl-still-note")).to_be_hidden()


def assert_pictured(page: Page) -> None:
    """See that the picture of a fill-in view is there, and nothing else is drawn or written as an output."""
    picture = page.locator(".jp-OutputArea figure img")
    expect(picture).to_be_visible(timeout=PATIENCE_MS)
    assert "after layer 3 (4 of 4)" in (picture.get_attribute("alt") or "")
    assert page.locator(".bvl").count() == 0
    assert "FillIn(" not in page.locator(".jp-OutputArea").all_inner_texts()
