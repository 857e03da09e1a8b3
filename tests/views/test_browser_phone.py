"""Every view on a phone, and axe on every view's page: nothing too small, nothing out of reach."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bertviz_lite import Explorer, capture, load
from tests.helpers.browser import CUT_TEXTS, accessibility_problems, says, wait_until
from tests.views.test_browser_present import KINDS, SMALLEST, view_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# What is meant to be touched and is less than 24 px wide or high; a control's label is touched as well.
SMALL_TARGETS = """() => [...document.querySelectorAll(
    ".bvl :is(button, select, input, textarea, summary, a, [role=option], [role=treeitem], [tabindex='0'])"
)].flatMap((target) => {
    const own = target.getBoundingClientRect();
    const label = target.closest("label")?.getBoundingClientRect() ?? own;
    const width = Math.max(own.width, label.width);
    const height = Math.max(own.height, label.height);
    const isFolded = !target.matches("summary") && target.closest("details:not([open])");
    if (isFolded || own.width === 0 || own.height === 0 || (width >= 23.9 && height >= 23.9)) return [];
    return [`${target.tagName}.${target.className} ${target.textContent.slice(0, 20)}: ${width} × ${height}`];
})"""
# Lists of words and tokens that show only a part of themselves.
CUT = """() => [...document.querySelectorAll(".bvl :is(.bvl-words, .bvl-tokens)")]
    .filter((box) => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1)
    .map((box) => `${box.className}: ${box.clientHeight} of ${box.scrollHeight}`)"""


@pytest.mark.sampled
@pytest.mark.parametrize("kind", KINDS)
def test_on_a_phone_everything_can_be_read_and_reached(open_page: Callable[..., Page], kind: str) -> None:
    page = open_page(view_of(kind), **PHONE)
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    size, text = page.evaluate(SMALLEST)
    assert size >= 12, text
    assert page.evaluate(SMALL_TARGETS) == []
    if kind != "machine":  # whose tokens are one row, to be scrolled
        assert page.evaluate(CUT) == []
    assert page.locator("kbd").filter(visible=True).count() == 0
    assert re.search(r"[Aa]rrow keys|\bEsc\b|Ctrl", page.locator(".bvl").inner_text()) is None


@pytest.mark.sampled
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_of_any_impact(open_page: Callable[..., Page], kind: str, scheme: str) -> None:
    page = open_page(view_of(kind), color_scheme=scheme)
    wait_until(page, "document.querySelector('.bvl').getAttribute('aria-busy') !== 'true'")
    for summary in page.locator(".bvl summary").filter(visible=True).all():
        summary.click()
    page.get_by_role("button", name="Take away").click()
    assert accessibility_problems(page, every=True) == []


def test_a_probability_of_nearly_one_fits_its_column(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    taken = capture(model, tokenizer, "Tom put his book on the table and went to bed.")
    page = open_page(Explorer(taken, edits={12: "[MASK]"}), **PHONE)  # the full stop
    says(page.locator(".bvl-prediction").first, "> 99.9 %")
    assert page.evaluate(CUT_TEXTS) == []


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["fill-in", "tokens", "pair", "masking", "machine", "explorer"])
def test_that_the_model_runs_is_said_beside_the_buttons_and_not_over_them(
    open_page: Callable[..., Page], kind: str
) -> None:
    page = open_page(view_of(kind), **PHONE)
    said = page.locator(".bvl-running")
    for width in (320, 390, 600, 656, 900, 1024, 1400):
        page.set_viewport_size({"width": width, "height": 844})
        covered = said.evaluate(
            """(said) => {
                const { left, right, top, bottom } = said.getBoundingClientRect();
                const controls = document.querySelectorAll(".bvl :is(button, input, select, textarea)");
                return [...controls].filter((one) => {
                    const box = one.getBoundingClientRect();
                    const isBeside = box.right <= left || box.left >= right;
                    return box.width > 0 && !isBeside && box.bottom > top + 1 && box.top < bottom - 1;
                }).map((one) => one.textContent);
            }"""
        )
        assert covered == [], width


def test_a_pair_says_what_is_lost_without_each_word(open_page: Callable[..., Page]) -> None:
    page = open_page(view_of("pair"), **PHONE)
    assert page.locator(".bvl-side .bvl-note").inner_text() == (
        "Lost without the word, in log-odds, the strongest first"
    )


def test_a_fill_in_counts_layers_as_the_course_does(open_page: Callable[..., Page]) -> None:
    page = open_page(view_of("fill-in"), **PHONE)
    slider = page.get_by_role("slider", name="Read after which layer")
    slider.fill("0")
    assert page.locator(".bvl-layer").inner_text().endswith("the embeddings")
    assert page.locator(".bvl-layers").inner_text().split() == ["input", "0", "1", "2", "3"]


def test_a_trace_has_whole_class_names_and_something_on_its_first_screen(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(view_of("trace"), **PHONE)
    cut = page.locator(".bvl-here *, .bvl-crumbs *").evaluate_all(
        "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)"
        ".map((one) => one.textContent)"
    )
    assert cut == []
    names = page.locator(".bvl-tree .bvl-row").evaluate_all(
        """(rows) => rows.filter((row) => {
            const { left, right } = row.lastElementChild.getBoundingClientRect();
            const tree = row.parentElement.getBoundingClientRect();
            return right > tree.right + 1 || left < tree.left;
        }).map((row) => row.textContent)"""
    )
    assert names == []
    boxes = page.locator(".bvl-hop svg").all()
    assert len(boxes) == 2  # what comes in at the start, and what goes out at the end
    says(page.locator(".bvl-hop"), "goes out at the end")
    assert all((box.bounding_box() or {"y": 1e9})["y"] < 844 for box in boxes)
