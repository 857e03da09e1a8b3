"""The machine in a real Chromium: its numbers, its path of light, keys, touch, its size on three screens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from playwright.sync_api import expect

from bertviz_lite import Machine, load
from bertviz_lite.views.base.asking import pack_found
from bertviz_lite.views.machine import readings
from tests.helpers.browser import (
    PATIENCE_MS,
    accessibility_problems,
    assert_leaves_nothing,
    overflowing,
    says,
    trait,
    wait_until,
)
from tests.helpers.fake_engine import FakeEngine
from tests.views.test_views import HOSTILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PAIR = ("Anna is hungry, so [MASK] eats an apple.", "Now she is unhappy.")
MAY_BE_WIDER = ".bvl-tokens, .bvl-panel-content, .bvl-residual, details:not([open]) > :not(summary)"


def fake(text_pair: str | None = "she sleeps .", **state: Any) -> Machine:  # noqa: ANN401
    return Machine(FakeEngine(), text="the [MASK] sits .", text_pair=text_pair, **state)


def pocket(**state: Any) -> Machine:  # noqa: ANN401
    tokenizer, model = load()
    return Machine(model, tokenizer, *PAIR, **state)


def number_in(text: str) -> float:
    return float(text.replace("−", "-"))


def test_a_box_opens_and_its_table_holds_the_numbers_of_python(open_page: Callable[..., Page]) -> None:
    view = fake(layer=1, token=3)
    page = open_page(view)
    for name in ("query", "up", "output", "sum", "pooler"):
        page.locator(f".bvl-map [data-box={name}]").click()
        wait_until(page, f"bertvizLite.model.get('box') === '{name}'")
        if not page.locator("details[open]").count():
            page.locator(".bvl-panel summary").click()
        numbers = np.atleast_2d(view.read(name))
        expected = numbers[0 if name == "pooler" else 3]
        cells = page.locator(".bvl-panel tbody td")
        expect(cells).to_have_count(len(expected), timeout=PATIENCE_MS)
        shown = [number_in(text) for text in cells.all_inner_texts()]
        np.testing.assert_allclose(shown, expected, rtol=1e-3, atol=1e-5)


def test_a_head_that_the_model_lacks_has_no_sizes_and_nothing_leads_to_it(
    open_page: Callable[..., Page],
) -> None:
    tokenizer, model = load()
    page = open_page(Machine(model.bert, tokenizer, *PAIR), viewport={"width": 1366, "height": 900})
    box = page.locator('.bvl-map [data-box="words"]')
    says(box, "not in this model")
    expect(box.locator(".bvl-shape")).to_be_hidden()
    for group, border in (("lm_head", "dashed"), ("pooler", "solid"), ("nsp_head", "dashed")):
        expect(page.locator(f'.bvl-map [data-group="{group}"]')).to_have_css("border-top-style", border)
    arrow = page.locator(".bvl-map .bvl-layer-frame + .bvl-down .bvl-arrow")
    expect(arrow).to_have_css("visibility", "hidden")


def test_pointing_and_arrow_keys_read_exact_numbers(open_page: Callable[..., Page]) -> None:
    view = fake(box="key", layer=0)
    page = open_page(view, viewport={"width": 1366, "height": 900})
    field = page.get_by_role("group", name=re.compile("^Vectors"))
    readout = page.locator(".bvl-panel [role=status]:visible")
    place = field.bounding_box()
    assert place
    rows, columns = view.read("key").shape
    row, column = 2, 5
    page.mouse.move(
        place["x"] + place["width"] * (column + 0.5) / columns,
        place["y"] + place["height"] * (row + 0.5) / rows,
    )
    says(readout, f"key of {view.found[0]['tokens'][row]} · component {column}: ")
    told = readout.inner_text().split(": ")[1].split(" ")[0]
    assert number_in(told) == pytest.approx(view.read("key")[row, column], rel=1e-3)
    says(readout, "head 1, its component 1")
    page.mouse.move(0, 0)
    says(readout, "Point at a number")
    field.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    says(readout, f"key of {view.found[0]['tokens'][1]} · component 2: ")
    page.keyboard.press("Enter")
    wait_until(page, "bertvizLite.model.get('token') === 1")


def test_the_keyboard_alone_walks_through_the_machine(open_page: Callable[..., Page]) -> None:
    page = open_page(fake(), viewport={"width": 1366, "height": 768})
    page.locator(".bvl-map [data-box=word]").focus()
    press = page.keyboard.press
    focused = "document.activeElement.dataset.box"
    press("ArrowRight")
    assert page.evaluate(focused) == "position"
    press("ArrowDown")
    assert page.evaluate(focused) in {"query", "key"}
    press("End")
    assert page.evaluate(focused) == "verdict"
    press("Enter")
    wait_until(page, "bertvizLite.model.get('box') === 'verdict'")
    assert page.evaluate(focused) == "verdict"
    press("Escape")
    wait_until(page, "bertvizLite.model.get('box') === null")
    tabbable = ".bvl-map .bvl-box[tabindex='0']"
    assert page.locator(tabbable).count() == 1
    page.get_by_role("button", name="The next box").click()
    names = []
    for _ in range(30):
        names.append(trait(page, "box"))
        following = page.get_by_role("button", name="The next box")
        if following.is_disabled():
            break
        following.click()
    assert names == [one["id"] for one in fake()._map["boxes"]]


def test_a_chosen_token_lights_its_path_and_the_head_says_what_it_reads(
    open_page: Callable[..., Page],
) -> None:
    view = fake(box="weights", layer=1, head=1)
    page = open_page(view)
    assert page.locator(".bvl-lit").count() == 0
    page.get_by_role("option", name=re.compile("^sits, id")).click()
    expect(page.locator(".bvl-left")).to_have_class(re.compile("bvl-lit"), timeout=PATIENCE_MS)
    weights = view.read("weights")[1, 3]
    best = int(weights.argmax())
    says(
        page.locator(".bvl-panel .bvl-readout:visible"),
        f"In head 1, “sits” reads from “{view.found[0]['tokens'][best]}”",
    )
    says(page.locator(".bvl-panel .bvl-readout:visible"), f"{100 * weights[best]:.1f}")
    page.get_by_role("button", name="head 0", exact=True).click()
    says(page.locator(".bvl-panel .bvl-readout:visible"), "In head 0, “sits” reads from")
    page.get_by_role("option", name=re.compile("^sits, id")).click()
    wait_until(page, "bertvizLite.model.get('token') === null")


def test_the_way_of_a_token_is_its_vector_after_each_step(open_page: Callable[..., Page]) -> None:
    view = fake(layer=1)
    page = open_page(view, viewport={"width": 1366, "height": 768})
    page.get_by_role("option", name=re.compile("^sits, id")).click()
    says(page.locator(".bvl-panel .bvl-heading"), "The way of “sits”")
    says(page.locator(".bvl-panel .bvl-chapter"), "position 3 · segment 0 · inside layer 1")
    page.get_by_role("group", name=re.compile("^The way of a token")).focus()
    readout = page.locator(".bvl-panel .bvl-readout:visible")
    for row, name in enumerate(("word", "position", "segment", "norm", "query")):
        page.keyboard.press("ArrowDown" if row else "ArrowRight")
        says(readout, f": {number_text(view.read(name)[3, 0])}")
    page.keyboard.press("Enter")
    wait_until(page, "bertvizLite.model.get('box') === 'query'")


def number_text(number: float) -> str:
    return f"{number:.4g}".replace("-", "−")


def test_colours_are_the_numbers(open_page: Callable[..., Page]) -> None:
    view = fake(token=None)
    page = open_page(view)
    wait_until(page, "document.querySelector('[data-box=word] canvas').width > 10")
    blue = page.evaluate(
        """() => {
            const canvas = document.querySelector("[data-box=word] canvas");
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            const at = (row, column) => {
                const x = Math.round(((column + 0.5) * canvas.width) / 8);
                const y = Math.round(((row + 0.4) * canvas.height) / 10);
                return [...data.slice(4 * (y * canvas.width + x), 4 * (y * canvas.width + x) + 4)];
            };
            const columns = [0, 1, 2, 3, 4, 5, 6, 7];
            return Array.from({ length: 10 }, (_, row) => columns.map((column) => at(row, column)));
        }"""
    )
    pixels, numbers = np.array(blue, dtype=float), view.read("word")
    assert pixels.shape == (10, 8, 4)
    strong = np.abs(numbers) > 0.3
    assert ((pixels[..., 2] > pixels[..., 0]) == (numbers < 0))[strong].all()
    assert np.corrcoef(pixels[..., 3].ravel(), np.minimum(np.abs(numbers), 2).ravel())[0, 1] > 0.9


def test_a_saved_page_answers_what_is_typed_layer_by_layer(open_page: Callable[..., Page]) -> None:
    view = pocket(box="words")
    page = open_page(view, viewport={"width": 1366, "height": 768})
    says(page.locator("[data-box=words]"), "▢ → she")
    page.get_by_role("textbox", name="Text", exact=True).fill(
        "Tom is thirsty, so [MASK] drinks a glass of water."
    )
    says(page.locator("[data-box=words]"), "▢ → he")
    page.get_by_role("textbox", name="Second text").fill("")
    says(page.locator("[data-box=verdict]"), "needs two texts")
    page.get_by_role("button", name="layer 2", exact=True).click()
    page.locator(".bvl-map [data-box=query]").click()
    page.locator(".bvl-panel summary").click()
    view.text, view.text_pair, view.layer = str(trait(page, "text")), None, 2
    token = view.found[0]["tokens"].index("[MASK]")
    says(page.locator(".bvl-panel thead"), "[MASK]")
    expect(page.locator(".bvl-panel tbody td")).to_have_count(192, timeout=PATIENCE_MS)
    shown = [number_in(text) for text in page.locator(".bvl-panel tbody td").all_inner_texts()]
    np.testing.assert_allclose(shown, view.read("query")[token], rtol=1e-3, atol=1e-5)
    page.get_by_role("option", name=re.compile("^drinks, id")).click()
    page.get_by_role("button", name=re.compile("^hide “drinks”")).click()
    wait_until(page, "bertvizLite.model.get('text') === 'Tom is thirsty, so [MASK] [MASK] a glass of water.'")
    says(page.locator("[data-box=words]"), "▢ → drinks")
    page.get_by_role("textbox", name="Text", exact=True).fill(" ")
    says(page.locator(".bvl-problem").first, "The sentence is empty: type one.")
    expect(page.locator(".bvl-answer")).to_have_class(re.compile("bvl-stale"), timeout=PATIENCE_MS)
    facts, _ = readings.unpack(view._found)
    assert facts["is_tied"]


@pytest.mark.thorough
def test_a_recording_says_which_layers_it_holds(
    open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bertviz_lite.views.machine.view._MOST_SAVED", 1000)
    page = open_page(fake(layer=1, box="query"))
    assert page.locator(".bvl-answer .bvl-problem").is_hidden()
    page.get_by_role("button", name="layer 0", exact=True).click()
    says(page.locator(".bvl-answer .bvl-problem"), "saved without the inside of this layer")
    assert page.locator(".bvl-strips").first.is_hidden()
    page.get_by_role("button", name="layer 1", exact=True).click()
    expect(page.locator(".bvl-answer .bvl-problem")).to_be_hidden(timeout=PATIENCE_MS)


SCREENS = {"laptop": (1366, 768, 640), "pane": (900, 656, 640), "jupyterlab": (1190, 656, 640)}


@pytest.mark.sampled
@pytest.mark.parametrize("screen", SCREENS)
def test_map_and_open_box_share_a_screen(open_page: Callable[..., Page], screen: str) -> None:
    width, height, most = SCREENS[screen]
    page = open_page(pocket(here="attention"), viewport={"width": width, "height": height})
    place = page.locator(".bvl").bounding_box()
    panel = page.locator(".bvl-panel").bounding_box()
    below = page.locator(".bvl-map").bounding_box()
    assert place
    assert panel
    assert below
    assert place["height"] <= most
    assert panel["y"] + panel["height"] <= below["y"] + below["height"] + 2
    assert overflowing(page, MAY_BE_WIDER) == []
    page.locator(".bvl-map [data-box=up]").click()
    assert page.locator(".bvl-map").bounding_box() == below  # what was clicked has not moved


def test_a_phone_reaches_everything_by_touch(open_page: Callable[..., Page]) -> None:
    page = open_page(pocket(), viewport={"width": 390, "height": 844}, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert overflowing(page, MAY_BE_WIDER) == []
    page.locator(".bvl-map [data-box=output]").tap()
    says(page.locator(".bvl-panel .bvl-heading"), "add & norm after feed-forward")
    says(page.locator(".bvl-panel .bvl-chapter"), "layer 0 · step 17 of 21 · chapter 04")
    sheet = page.locator(".bvl-panel").bounding_box()
    tapped = page.locator(".bvl-map [data-box=output]").bounding_box()
    assert sheet
    assert tapped
    assert sheet["y"] + sheet["height"] <= 845
    assert tapped["y"] < sheet["y"]
    page.get_by_role("button", name="The next box").tap()  # the transform, after it
    wait_until(page, "bertvizLite.model.get('box') === 'transform'")
    following = "document.querySelector('[data-box=transform]').getBoundingClientRect().bottom"
    wait_until(page, f"{following} < document.querySelector('.bvl-panel').getBoundingClientRect().top")
    page.get_by_role("option", name=re.compile("^eats, id")).tap()
    wait_until(page, "bertvizLite.model.get('token') === 7")
    small = page.evaluate(
        """() => [...document.querySelectorAll(".bvl button, .bvl [role=option]")]
            .filter((one) => one.checkVisibility())
            .map((one) => ({ text: one.textContent, place: one.getBoundingClientRect() }))
            .filter(({ place }) => Math.min(place.width, place.height) < 24)
            .map(({ text }) => text)"""
    )
    assert small == []
    letters = page.evaluate(
        """() => [...document.querySelectorAll(".bvl *")]
            .filter((one) => one.checkVisibility() && one.firstChild?.data)
            .map((one) => parseFloat(getComputedStyle(one).fontSize)).reduce((a, b) => Math.min(a, b))"""
    )
    assert letters >= 12


def test_on_a_phone_the_first_box_that_is_touched_stays_in_sight_and_one_touch_closes_its_card(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(fake(), viewport={"width": 390, "height": 844}, has_touch=True)
    box, card = page.locator(".bvl-map [data-box=up]"), page.locator(".bvl-panel")
    box.evaluate("(box) => scrollBy(0, box.getBoundingClientRect().bottom - innerHeight + 10)")
    box.tap()  # at the screen's lower edge, where the card will be
    wait_until(page, "bertvizLite.model.get('box') === 'up'")
    wait_until(
        page,
        "document.querySelector('.bvl-map [data-box=up]').getBoundingClientRect().bottom <= "
        "document.querySelector('.bvl-panel').getBoundingClientRect().top",
    )
    shown, sheet = box.bounding_box(), card.bounding_box()
    assert shown
    assert sheet
    assert shown["y"] >= 0
    assert sheet["y"] >= 0.6 * 844
    close = page.get_by_role("button", name="Close this box")
    place = close.bounding_box()
    assert place
    assert min(place["width"], place["height"]) >= 44
    close.tap()
    wait_until(page, "bertvizLite.model.get('box') === null")
    assert card.evaluate("(card) => getComputedStyle(card).position") != "sticky"


DRAWN = """() => [...document.querySelectorAll(".bvl-map .bvl-wire")].filter((line) => {
    const { width, height } = line.getBBox();
    return width > 0 || height > 0;
}).length"""


@pytest.mark.thorough
def test_lines_show_what_goes_where_at_every_width(open_page: Callable[..., Page]) -> None:
    page = open_page(pocket(layer=3), viewport={"width": 1366, "height": 768})
    assert page.evaluate(DRAWN) == 20
    says(page.locator(".bvl-said"), "residual connection: + x")
    says(page.locator(".bvl-said"), "tied: the same table")
    says(page.locator(".bvl-said"), "the vector of [CLS] alone")
    says(page.locator(".bvl-down").last, "after the last layer")
    page.get_by_role("button", name="layer 1", exact=True).click()
    says(page.locator(".bvl-down").last, "on through layers 2 … 3")
    page.set_viewport_size({"width": 390, "height": 844})
    wait_until(page, f"({DRAWN})() === 11")


def test_lines_that_lead_into_the_open_box_stand_out(open_page: Callable[..., Page]) -> None:
    page = open_page(fake(box="attended"), viewport={"width": 1366, "height": 768})
    assert page.locator(".bvl-leads-in").count() == 2  # the projection, and the residual connection
    page.locator(".bvl-map [data-box=query]").click()
    expect(page.locator(".bvl-leads-in")).to_have_count(1, timeout=PATIENCE_MS)


@pytest.mark.thorough
def test_a_text_that_is_typed_sends_a_wave_through_all_boxes(open_page: Callable[..., Page]) -> None:
    page = open_page(pocket(), reduced_motion="no-preference")
    before = page.locator(".bvl-left").get_attribute("data-wave")
    page.get_by_role("textbox", name="Text", exact=True).fill("Tom is thirsty.")
    says(page.locator(".bvl-tokens"), "thirsty")
    assert page.locator(".bvl-left").get_attribute("data-wave") != before
    assert (
        page.locator(".bvl-pulse").first.evaluate("(line) => getComputedStyle(line).animationName") != "none"
    )


@pytest.mark.sampled
@pytest.mark.parametrize("opened", ["words", "verdict", "tokens", "query", "weights"])
def test_only_what_is_of_a_layer_is_dimmed_while_another_layer_is_awaited(
    open_page: Callable[..., Page], opened: str
) -> None:
    page = open_page(fake(layer=1, box=opened, token=2))
    root = page.locator(".bvl")
    expect(root).to_have_attribute("aria-busy", "false", timeout=PATIENCE_MS)
    page.evaluate("void (bertvizLite.model.savedBlock = () => new Promise(() => {}))")  # it never comes
    page.get_by_role("button", name="layer 0", exact=True).click()
    expect(root).to_have_attribute("aria-busy", "true", timeout=PATIENCE_MS)
    for _ in range(2):  # the second drawing knows what the first has shown
        page.get_by_role("option", name=re.compile("^sits, id")).click()
        page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    is_dimmed = page.locator(".bvl-panel .bvl-panel-body").last.evaluate(
        "(body) => body.classList.contains('bvl-late')"
    )
    assert is_dimmed == (opened in {"query", "weights"})


@pytest.mark.sampled
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("opened", [None, "query", "weights", "words", "verdict", "tokens"])
def test_nothing_keeps_a_reader_out(open_page: Callable[..., Page], scheme: str, opened: str | None) -> None:
    page = open_page(fake(here="attention", box=opened, token=2), color_scheme=scheme)
    # Until the numbers of the layer are there what waits for them is dimmed.
    expect(page.locator(".bvl")).to_have_attribute("aria-busy", "false", timeout=PATIENCE_MS)
    assert accessibility_problems(page) == []


@pytest.mark.sampled
@pytest.mark.parametrize("opened", [None, "query", "verdict"])
def test_a_keyboard_scrolls_what_is_longer_than_its_place(
    open_page: Callable[..., Page], opened: str | None
) -> None:
    page = open_page(fake(here="attention", box=opened, token=2), viewport={"width": 1000, "height": 420})
    expect(page.locator(".bvl")).to_have_attribute("aria-busy", "false", timeout=PATIENCE_MS)
    assert accessibility_problems(page) == []
    scrolls = "(part) => part.offsetParent !== null && getComputedStyle(part).overflowY === 'auto'"
    parts = page.locator(".bvl-panel-content, .bvl-intro").all()
    shown = [part for part in parts if part.evaluate(scrolls)]
    assert shown
    for part in shown:
        part.focus()
        assert part.evaluate("(part) => part === part.getRootNode().activeElement")


def test_a_token_that_looks_like_markup_stays_text(open_page: Callable[..., Page]) -> None:
    view = fake()
    facts, numbers = view.found
    facts["tokens"][2] = facts["best"][2][0] = HOSTILE
    view._found = pack_found(facts, numbers)
    page = open_page(view)
    page.locator(".bvl-map [data-box=words]").click()
    says(page.locator(".bvl-tokens"), HOSTILE)


def test_reduced_motion_sends_no_wave(open_page: Callable[..., Page]) -> None:
    for preference, expected in (("reduce", "none"), ("no-preference", "bvl-wave-0")):
        page = open_page(fake(token=2), reduced_motion=preference)
        name = page.locator(".bvl-map [data-box=query]").evaluate(
            "(box) => getComputedStyle(box).animationName"
        )
        assert name == expected


@pytest.mark.thorough
def test_taken_down_it_leaves_nothing(open_page: Callable[..., Page]) -> None:
    assert_leaves_nothing(open_page(fake(token=2, box="weights")))
