"""What a slide in Chromium must keep: it fits, and the back row reads it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.helpers.browser import accessibility_problems, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

WIDTH, HEIGHT = 1280, 720
LOWEST = 700
"""Where a slide's content ends, at the latest."""

SMALLEST = 24 / 1080 * HEIGHT
"""The size of the smallest letters: 24 pixels on a projector of 1920 × 1080."""

FIGURE_LETTERS = 11 * 96 / 72
"""The smallest letters of the course's figures at their own width, in pixels: ticks have 11 points."""

_MEASURE = Path(__file__).with_name("measure_slide.js").read_text(encoding="utf-8").partition("\n")[2]


def go_to(page: Page, number: int) -> None:
    """Show a slide, counted from 1, with its views drawn."""
    page.evaluate("(number) => Reveal.slide(number - 1)", number)
    wait_until(
        page,
        """[...document.querySelectorAll(".bvs-stage:not([hidden]) [data-bvl-view]")]
            .every(({ dataset }) => bertvizLite.views[dataset.bvlView])""",
    )
    wait_until(page, """document.querySelector(".bvs-stage:not([hidden]) .bvl[aria-busy=true]") === null""")


def slide_problems(page: Page, *, axe: bool = True) -> Iterator[str]:
    """Yield what is wrong with the slide that is shown; sizes are as in a window of 720 lines."""
    assert page.viewport_size is not None
    scale = page.viewport_size["height"] / HEIGHT
    measured: dict[str, Any] = page.evaluate(_MEASURE.strip().removesuffix(";"), LOWEST * scale)
    yield from (f"beyond the slide: {what}" for what in measured["beyond"])
    yield from (f"does not fit its place: {what}" for what in measured["scrolling"])
    size, text = measured["smallest"]
    letters = [(size / scale, text)]
    letters += [(FIGURE_LETTERS * larger / scale, alt) for alt, larger in measured["figures"]]
    yield from (f"letters of {size:.1f} px: {text[:60]!r}" for size, text in letters if size < SMALLEST - 0.1)
    if axe:
        yield from accessibility_problems(page, every=True)
