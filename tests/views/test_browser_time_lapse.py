"""The time-lapse in a real Chromium: from a saved page, and live in JupyterLab."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from bertviz_lite import TimeLapse
from bertviz_lite.views.time_lapse.step_axis import place
from tests.helpers.browser import (
    PATIENCE_MS,
    accessibility_problems,
    assert_leaves_nothing,
    choose_theme,
    overflowing,
    pass_tools,
    run_cell,
    says,
    trait,
    wait_until,
)
from tests.views.test_time_lapse import STEPS, TOKENS, codes, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

OPTION = ".bvl [role=option]"


def wait_for_maps(page: Page, size: int = 7) -> None:
    """Wait until the codes of the text have come and are painted."""
    wait_until(page, f"document.querySelector('.bvl-map canvas').width === {size}")


def row(page: Page, name: str) -> Locator:
    return page.locator(".bvl-chart tbody tr").filter(has=page.get_by_role("rowheader", name=name))


def points(page: Page, name: str, path: str = "bvl-line") -> list[list[list[float]]]:
    """Return the pieces of a row's line, each a list of (x, height), both from 0 to 1."""
    d = row(page, name).locator(f".{path}").get_attribute("d") or ""
    pieces = [re.findall(r"([\d.]+) ([\d.]+)", piece) for piece in d.split("M")[1:]]
    return [[[float(x) / 100, (92 - float(y)) / 84] for x, y in piece] for piece in pieces]


def at(moments: list[int], values: list[float]) -> list[list[float]]:
    return [
        [pytest.approx(place(STEPS[moment], STEPS), abs=1e-4), pytest.approx(value, abs=2e-4)]
        for moment, value in zip(moments, values, strict=True)
    ]


def greys(canvas: Locator) -> list[int]:
    """Return how bright each pixel of a canvas is, 0 to 765."""
    return canvas.evaluate(  # type: ignore[no-any-return]
        """(canvas) => {
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            const bright = (i) => data[4 * i] + data[4 * i + 1] + data[4 * i + 2];
            return Array.from({ length: data.length / 4 }, (_, i) => bright(i));
        }"""
    )


def test_the_page_shows_what_the_run_says(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = open_page(TimeLapse(write(tmp_path), moment=2))
    wait_for_maps(page)
    says(page.locator(".bvl-heading").first, "Step 40 of 1,000, 12,800 tokens read")
    says(page.locator(".bvl-news"), "1 of 5 abilities are there. New: a head looks from pronoun to person.")
    # Lines appear up to the moment; what was not measured leaves a gap.
    pronoun = "the right pronoun"
    assert points(page, pronoun) == [at([0, 1], [0, 0])]
    assert row(page, pronoun).locator("td").all_inner_texts()[1:] == ["–", "not yet"]
    assert row(page, "loss: masked words").locator(".bvl-value").inner_text() == "6.80"
    slider = page.get_by_role("slider", name="Moment of the run")
    slider.fill("4")
    says(page.locator(".bvl-news"), "3 of 5 abilities are there. New: true next part")
    assert trait(page, "moment") == 4
    assert points(page, pronoun) == [at([0, 1], [0, 0]), at([3, 4], [0.7, 0.9])]
    assert row(page, pronoun).locator("td").all_inner_texts()[1:] == ["0.90", "10 – 100"]
    assert row(page, "mine").locator(".bvl-there").inner_text() == "no rise"
    once = row(page, "a head looks from verb to subject").locator(".bvl-there")
    assert once.inner_text() == "once, at the end"
    # Another threshold, another order.
    names = page.locator(".bvl-chart tbody tr:not(.bvl-loss) th")
    assert names.all_inner_texts()[:3] == [
        "a head looks from pronoun to person",
        pronoun,
        "true next part, or another story’s",
    ]
    page.get_by_role("slider", name="An ability is there").fill("0.1")
    expect(names.nth(2)).to_have_text(pronoun, timeout=PATIENCE_MS)
    assert trait(page, "threshold") == pytest.approx(0.1)
    # A click in a chart chooses the nearest moment.
    panel = row(page, "mine").locator(".bvl-panel")
    box = panel.bounding_box()
    assert box
    panel.click(position={"x": place(40, STEPS) * box["width"] + 3, "y": 10})
    says(page.locator(".bvl-heading").first, "Step 40")
    assert slider.get_attribute("aria-valuetext") == "moment 3 of 5: Step 40 of 1,000, 12,800 tokens read"
    # The table has Python's numbers.
    page.locator("summary").click()
    body = page.locator("details tbody tr")
    expect(body).to_have_count(5, timeout=PATIENCE_MS)
    assert body.filter(has_text=pronoun).locator("td").all_inner_texts() == [
        "0.0000", "0.0000", "–", "0.7000", "0.9000", "0.0900", "100",
    ]  # fmt: skip


def test_every_map_is_the_attention_of_its_moment(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = open_page(TimeLapse(write(tmp_path), moment=2), color_scheme="light")
    wait_for_maps(page)
    every = codes()["text0"]
    for moment in (2, 4):
        page.get_by_role("slider", name="Moment of the run").fill(str(moment))
        says(page.locator(".bvl-heading").first, f"Step {STEPS[moment]:,} ")
        for option, large in ((1, False), (5, False), (5, True)):
            canvas = page.locator(".bvl-map canvas" if large else f"{OPTION} canvas").nth(
                0 if large else option
            )
            order = np.argsort(-every[moment, option // 2, option % 2].astype(int), axis=None, kind="stable")
            assert np.diff(np.array(greys(canvas))[order]).min() >= 0  # the larger the weight, the darker
    # The best head is marked where its score is high enough: at the last moment, not at the one before.
    marked = page.get_by_role("option", name="layer 2, head 1: a head looks from pronoun to person")
    assert marked.locator(".bvl-badge").inner_text() == "P"
    says(page.locator(".bvl-note"), "P: a head looks from pronoun to person, best by layer 2, head 1.")
    page.get_by_role("slider", name="Moment of the run").fill("3")
    expect(marked).to_have_count(0, timeout=PATIENCE_MS)
    # A weight under the pointer is read out, with its line over the run; a click keeps it.
    box = page.locator(".bvl-map").bounding_box()
    assert box
    page.locator(".bvl-map").hover(position={"x": 1.5 * box["width"] / 7, "y": 4.5 * box["height"] / 7})
    weights = (every[:, 2, 1, 4, 1] / 255) ** 2
    readout = page.locator(".bvl-readout")
    told = f"“she” (4) looks at “ada” (1): weight {weights[3]:.2f} now, {weights[0]:.2f} at step 0."
    says(readout, told)
    page.mouse.down()
    page.mouse.up()
    page.mouse.move(1, 1)
    line = page.locator(".bvl-large .bvl-line").get_attribute("d") or ""
    heights = [(92 - float(y)) / 84 for y in re.findall(r"[\d.]+ ([\d.]+)", line)]
    assert heights == pytest.approx(weights[:4], abs=2e-4)
    # The same pair in another head; another text has other tokens.
    page.locator(OPTION).nth(0).click()
    says(page.locator(".bvl-large .bvl-heading"), "Layer 0, head 0")
    says(readout, f"“she” (4) looks at “ada” (1): weight {(every[3, 0, 0, 4, 1] / 255) ** 2:.2f} now")
    page.get_by_label("Attention while it read").select_option("1")
    wait_for_maps(page, 4)
    assert trait(page, "text") == 1
    assert page.locator(".bvl-queries span").all_inner_texts() == TOKENS[1]
    assert page.locator(".bvl-columns span").all_inner_texts() == TOKENS[1]


def test_keyboard_alone_does_everything(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = open_page(TimeLapse(write(tmp_path), moment=3))
    wait_for_maps(page)
    press = page.keyboard.press
    focused = "document.activeElement.getAttribute('aria-label')"
    press("Tab")
    press("Enter")  # plays to the end, and stops
    wait_until(page, "bertvizLite.model.get('moment') === 4")
    expect(page.get_by_role("button", name="Play")).to_be_visible(timeout=PATIENCE_MS)
    press("Tab")  # the slider
    for key, moment in (("ArrowLeft", 3), ("Home", 0), ("ArrowRight", 1), ("End", 4)):
        press(key)
        assert trait(page, "moment") == moment
    pass_tools(page)
    press("Tab")  # the threshold
    press("ArrowRight")
    assert trait(page, "threshold") == pytest.approx(0.55)
    press("Tab")  # the text
    press("ArrowDown")
    assert trait(page, "text") == 1
    wait_for_maps(page, 4)
    press("Tab")  # the heads
    for key, head in (("Home", (0, 0)), ("ArrowDown", (1, 0)), ("ArrowRight", (1, 1)), ("End", (2, 1))):
        press(key)
        assert (trait(page, "layer"), trait(page, "head")) == head
        assert page.evaluate(focused).startswith(f"layer {head[0]}, head {head[1]}")
    press("Tab")  # the map
    press("Home")
    says(page.locator(".bvl-readout"), "“[CLS]” (0) looks at “[CLS]” (0): weight ")
    for key, pair in (
        ("ArrowDown", "“a” (1) looks at “[CLS]” (0)"),
        ("ArrowLeft", "“a” (1) looks at “[CLS]” (0)"),  # left and right stay in the row
        ("ArrowRight", "“a” (1) looks at “a” (1)"),
        ("End", "“[SEP]” (3) looks at “[SEP]” (3)"),
    ):
        press(key)
        says(page.locator(".bvl-readout"), pair)
        assert pair in page.evaluate(focused)
    press("Tab")
    press("Enter")
    says(page.locator("details tbody"), "the right pronoun")


def test_it_plays_and_keeps_still_where_motion_is_unwelcome(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    write(tmp_path)
    page = open_page(TimeLapse(tmp_path, moment=4))
    page.clock.install()  # nobody waits for the seconds that pass
    # From the end it starts anew, and stops at the end.
    page.evaluate(
        """() => {
            const { model } = bertvizLite;
            window.seen = [];
            model.on("change:moment", () => window.seen.push(model.get("moment")));
            document.querySelector(".bvl-play").click();
        }"""
    )
    page.clock.run_for(20_000)
    assert page.evaluate("window.seen") == [0, 1, 2, 3, 4]
    expect(page.get_by_role("button", name="Play")).to_be_visible(timeout=PATIENCE_MS)
    moving = page.locator(".bvl-now").first
    assert moving.evaluate("(one) => getComputedStyle(one).transitionDuration") != "0s"
    told = page.evaluate(
        """async () => {
            const button = document.querySelector(".bvl-play");
            button.click();
            await new Promise((done) => queueMicrotask(() => queueMicrotask(done)));
            const told = [button.textContent, document.querySelector(".bvl-news").getAttribute("aria-live")];
            button.click();
            return told;
        }"""
    )
    assert told == ["Pause", "off"]
    page.clock.run_for(1300)
    assert trait(page, "moment") == 0
    still = open_page(TimeLapse(tmp_path, moment=0), reduced_motion="reduce")
    still.clock.install()
    button = still.get_by_role("button", name="Next moment")
    button.click()
    assert trait(still, "moment") == 1
    still.clock.run_for(1300)
    assert trait(still, "moment") == 1
    assert (
        still.locator(".bvl-now").first.evaluate("(one) => getComputedStyle(one).transitionDuration") == "0s"
    )
    button.click()
    assert trait(still, "moment") == 2


@pytest.mark.parametrize("width", [1280, 640, 320])  # 100 %, 200 % and 400 % on a screen of 1280
def test_nothing_is_cut_off_when_enlarged(open_page: Callable[..., Page], width: int) -> None:
    page = open_page(TimeLapse(), viewport={"width": width, "height": 900})
    wait_for_maps(page, len(TimeLapse().run.tokens[0]))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert overflowing(page, but=".bvl-scroll") == []


@pytest.mark.sampled
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_page: Callable[..., Page], tmp_path: Path, theme: str) -> None:
    page = open_page(TimeLapse(write(tmp_path), moment=2), color_scheme=theme)
    wait_for_maps(page)
    assert page.locator(".bvl").get_attribute("data-theme") == theme
    page.locator("summary").click()
    assert accessibility_problems(page) == []
    assert page.locator(".bvl [id]").count() == 0


def test_forced_colours_touch_and_no_scripts(open_page: Callable[..., Page], tmp_path: Path) -> None:
    view = TimeLapse(write(tmp_path), moment=2)
    page = open_page(view, forced_colors="active", has_touch=True, viewport={"width": 390, "height": 800})
    wait_for_maps(page)
    page.locator(OPTION).nth(2).tap()
    assert (trait(page, "layer"), trait(page, "head")) == (1, 0)
    outlines = page.locator(OPTION).evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).outlineStyle)"
    )
    assert [i for i, style in enumerate(outlines) if style == "solid"] == [2]
    row(page, "mine").locator(".bvl-panel").tap(position={"x": 1, "y": 5})
    assert trait(page, "moment") == 0
    del view._page_fallback  # type: ignore[attr-defined] # open_page leaves it out where scripts run
    plain = open_page(view, java_script_enabled=False)
    assert plain.get_by_role("img", name="Step 40 of 1,000").bounding_box()


def test_taking_a_view_down_leaves_nothing(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = open_page(TimeLapse(write(tmp_path), moment=2))
    wait_for_maps(page)
    assert_leaves_nothing(page)
    # Taken down while it plays, it does not play on.
    page.evaluate(
        """async () => {
            const { view, model, place } = bertvizLite;
            const end = await view.render({ model, el: place });
            place.querySelector(".bvl-play").click();
            end();
        }"""
    )
    moment = trait(page, "moment")
    page.wait_for_timeout(1300)
    assert trait(page, "moment") == moment == 3


CELLS = [
    """
from bertviz_lite import TimeLapse
view = TimeLapse(moment=0)
view
""".strip(),
    'print("state", view.moment, view.text, view.layer, view.head, view.threshold)',
    "view.moment, view.text, view.layer, view.head = 5, 1, 2, 3",
]


@pytest.mark.thorough
def test_live_in_jupyterlab(open_notebook: Callable[..., Page]) -> None:
    run = TimeLapse().run
    page = open_notebook(CELLS, viewport={"width": 1400, "height": 1100})
    view = page.locator(".bvl")
    view.wait_for(state="attached")
    says(view.locator(".bvl-heading").first, f"Step {run.steps[5]:,} of")  # the last cell has set it
    says(view.locator(".bvl-large .bvl-heading"), "Layer 2, head 3")
    wait_for_maps(page, len(run.tokens[1]))
    # What is chosen in the page arrives in Python; keys are the view's, not the notebook's.
    view.get_by_role("option", name=re.compile("^layer 1, head 2")).click()
    for key in ("b", "x", "a", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    slider = view.get_by_role("slider", name="Moment of the run")
    slider.focus()
    page.keyboard.press("ArrowRight")
    says(view.locator(".bvl-heading").first, f"Step {run.steps[6]:,} of")
    view.get_by_label("Attention while it read").select_option("2")
    wait_for_maps(page, len(run.tokens[2]))
    view.get_by_role("button", name="Play").click()
    says(view.locator(".bvl-heading").first, f"Step {run.steps[8]:,} of")
    view.get_by_role("button", name="Pause").click()
    cells = page.locator(".jp-Notebook .jp-Cell")
    assert cells.count() == len(CELLS)
    run_cell(page, cells.nth(1))
    says(cells.nth(1), re.compile(r"state (8|9) 2 1 3 0\.5"))
    assert view.get_attribute("data-theme") == "light"
    choose_theme(page, "JupyterLab Dark")
    page.locator('.bvl[data-theme="dark"]').wait_for()
