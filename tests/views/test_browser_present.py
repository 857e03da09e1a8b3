"""Present, Take away and a link to the state, in every view that has its parts from the base."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np
import pytest
from matplotlib.image import imread

from bertviz_lite import Explorer, FillIn, Machine, MaskingLab, PairView, capture, load, trace
from bertviz_lite.evaluation.embeddings import input_parts
from bertviz_lite.views import EmbeddingView, TimeLapse, TokenView
from tests.helpers.browser import CUT_TEXTS, accessibility_problems, says, trait, traits, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from bertviz_lite.views.base.view import View

pytestmark = pytest.mark.browser

FIRST, SECOND = "Anna lost her key in the park.", "She could not open the door."
BEAMER = {"width": 1920, "height": 1080}
# The letters that are seen, the tools apart: the smallest size, in pixels of the screen.
SMALLEST = """() => {
    const shown = document.createTreeWalker(document.querySelector(".bvl"), NodeFilter.SHOW_TEXT);
    let smallest = [Infinity, ""];
    while (shown.nextNode()) {
        const { textContent, parentElement } = shown.currentNode;
        if (!textContent.trim() || parentElement.closest(".bvl-tools, .bvl-keys-panel, option")) continue;
        const { width, height } = parentElement.getBoundingClientRect();
        const style = getComputedStyle(parentElement);
        if (width < 2 || height < 2 || style.visibility !== "visible") continue;
        const size = parseFloat(style.fontSize);
        if (size < smallest[0]) smallest = [size, textContent];
    }
    return smallest;
}"""

# What does not fit into its place: the view itself, or what scrolls in it.
SCROLLING = """() => [...document.querySelectorAll(".bvl, .bvl *")].filter((one) => {
    const { overflowX, overflowY } = getComputedStyle(one);
    if (!one.checkVisibility() || one.clientWidth < 3) return false;
    if (!/auto|scroll/.test(overflowX + overflowY)) return false;
    return one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.className)"""


def view_of(kind: str) -> View:
    tokenizer, model = load()
    makers: dict[str, Callable[[], Any]] = {
        "fill-in": lambda: FillIn(model, tokenizer, "Anna lost her [MASK] in the park .", follow=["key"]),
        "pair": lambda: PairView(model, tokenizer, FIRST, SECOND),
        "tokens": lambda: TokenView(tokenizer, "Zoë unwrapped the bumblebee.", "So it is."),
        "masking": lambda: MaskingLab(model, tokenizer, FIRST, seed=5, rate=0.3),
        "embedding": lambda: EmbeddingView(input_parts(model, tokenizer, FIRST), token=4),
        "time-lapse": TimeLapse,
        "machine": lambda: Machine(model, tokenizer, "Anna lost her [MASK]."),
        "machine-open": lambda: Machine(model, tokenizer, "Anna lost her [MASK].", SECOND, box="query"),
        "explorer": lambda: Explorer(capture(model, tokenizer, FIRST, SECOND)),
        "explorer-run": lambda: Explorer(capture(model, tokenizer, FIRST, SECOND), edits={4: "[MASK]"}),
        "trace": lambda: trace(model, **tokenizer("Anna lost her key.", return_tensors="pt")).follow(),
    }
    view: View = makers[kind]()
    return view


KINDS = ("fill-in", "pair", "tokens", "masking", "embedding", "time-lapse", "machine", "trace")


@pytest.mark.sampled
@pytest.mark.parametrize("kind", [*KINDS, "machine-open", "explorer", "explorer-run"])
def test_presented_nothing_scrolls_and_the_back_row_reads_all_of_it(
    open_page: Callable[..., Page], kind: str
) -> None:
    page = open_page(view_of(kind), viewport=BEAMER)
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        page.get_by_role("button", name="Present").click()
        wait_until(page, "document.fullscreenElement !== null")
        wait_until(page, f"({SCROLLING})().length === 0")
        smallest, text = page.evaluate(SMALLEST)
        assert smallest >= 24 * height / 1080, text
        page.get_by_role("button", name="Leave").click()
        wait_until(page, "document.fullscreenElement === null")


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_presented_on_a_beamer_a_view_has_letters_for_the_back_row(
    open_page: Callable[..., Page], kind: str
) -> None:
    page = open_page(view_of(kind), viewport=BEAMER)
    page.wait_for_timeout(300)
    page.get_by_role("button", name="Present").click()
    wait_until(page, "document.fullscreenElement !== null")
    page.wait_for_timeout(300)
    size, text = page.evaluate(SMALLEST)
    assert size >= 24, text
    assert page.locator(".bvl").evaluate("(root) => root.scrollWidth <= root.clientWidth + 1")
    assert page.get_by_role("textbox").filter(visible=True).count() == (1 if kind == "embedding" else 0)
    page.locator(".bvl").evaluate("(root) => root.querySelector('[tabindex=\"0\"], button').focus()")
    page.keyboard.press("?")
    assert page.get_by_role("group", name="Keys", exact=True).is_visible()
    assert accessibility_problems(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Leave").click()
    wait_until(page, "document.fullscreenElement === null")
    assert page.locator(".bvl-presenting").count() == 0


def test_tokens_guesses_and_counts_of_a_masking_lab_use_the_screen(open_page: Callable[..., Page]) -> None:
    page = open_page(view_of("masking"), viewport=BEAMER)
    page.get_by_role("button", name="Present").click()
    wait_until(page, "document.fullscreenElement !== null")
    says(page.locator(".bvl-tokens"), "%")  # the model has answered the draw
    token = page.locator(".bvl-piece .bvl-mono").first
    assert token.evaluate("(token) => parseFloat(getComputedStyle(token).fontSize)") >= 32
    tokens, counts = (page.locator(f".bvl-{name}").bounding_box() for name in ("tokens", "counts"))
    assert tokens is not None
    assert counts is not None
    assert tokens["y"] + tokens["height"] <= counts["y"]
    assert 0.9 * BEAMER["height"] <= counts["y"] + counts["height"] <= BEAMER["height"]
    assert counts["width"] >= 0.9 * BEAMER["width"]
    page.locator(".bvl-piece").nth(4).click()
    says(page.locator(".bvl-guesses"), "after: hidden")
    guesses, beside = (page.locator(f".bvl-{name}").bounding_box() for name in ("guesses", "counts"))
    assert guesses is not None
    assert beside is not None
    assert guesses["x"] + guesses["width"] <= beside["x"]
    assert 0.85 * BEAMER["height"] <= guesses["y"] + guesses["height"] <= BEAMER["height"]
    assert page.locator(".bvl-tokens").bounding_box() == tokens  # what was clicked has not moved
    wait_until(page, f"({SCROLLING})().length === 0")
    assert page.evaluate(SMALLEST)[0] >= 24
    assert page.evaluate(CUT_TEXTS) == []


def take(page: Page, what: str, file: Path) -> Path:
    """Take away one of the things, as a file."""
    page.get_by_role("button", name="Take away").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=what).click()
    download.value.save_as(file)
    page.keyboard.press("Escape")
    return file


@pytest.mark.sampled
@pytest.mark.parametrize("kind", KINDS)
def test_picture_and_numbers_are_taken_away(
    open_page: Callable[..., Page], tmp_path: Path, kind: str
) -> None:
    page = open_page(view_of(kind))
    page.wait_for_timeout(300)
    root = page.locator(".bvl").bounding_box()
    assert root is not None
    drawn = imread(take(page, "Picture (PNG)", tmp_path / "picture.png"))
    assert drawn.shape[1] == pytest.approx(2 * root["width"], abs=2)
    assert drawn.shape[0] <= 2 * root["height"] + 2
    hundredths = (drawn.reshape(-1, drawn.shape[2]) * 100).round().astype(int)
    assert len(np.unique(hundredths @ 1000 ** np.arange(drawn.shape[2]))) > 20  # letters and colours
    text = take(page, "Numbers (CSV)", tmp_path / "numbers.csv").read_text(encoding="utf-8")
    head, *rows = list(csv.reader(io.StringIO(text)))
    assert len(rows) > 3
    assert {len(row) for row in rows} == {len(head)}


def test_the_numbers_of_a_fill_in_are_those_of_python(open_page: Callable[..., Page], tmp_path: Path) -> None:
    view = view_of("fill-in")
    assert isinstance(view, FillIn)
    page = open_page(view)
    text = take(page, "Numbers (CSV)", tmp_path / "numbers.csv").read_text(encoding="utf-8")
    words, probabilities, ranks = view.table()
    read = {(row["word"], int(row["layers_passed"])): row for row in csv.DictReader(io.StringIO(text))}
    for i, word in enumerate(words):
        for layer in range(5):
            row = read[word, layer]
            assert float(row["probability"]) == pytest.approx(probabilities[i, layer], rel=1e-6)
            assert int(row["rank"]) == ranks[i, layer]


# A language, and what is said of a held answer while a sentence is typed and else.
NOTES = [
    ("en", "The answer is held back. Enter, then H shows it.", "The answer is held back. H shows it."),
    ("zh", "答案先藏着，先按 Enter，再按 H 揭晓。", "答案先藏着，按 H 揭晓。"),
]

STATES: dict[str, dict[str, Any]] = {
    "fill-in": {"text": "The [MASK] barks at the [MASK] .", "mask": 1, "layer": 2, "scale": "rank"},
    "pair": {"first": "Tom is hungry.", "second": "So he eats an apple.", "measure": "probability"},
    "tokens": {"text": "A padlock.", "text_pair": None, "word": 1, "step": 0},
    "masking": {
        "text": "Tom opens the door.",
        "seed": 7,
        "rate": 0.5,
        "mask_share": 1.0,
        "random_share": 0.0,
    },
    "embedding": {"token": 2, "pinned": 3, "parts_on": ["token", "segment"], "scaled": True},
    "time-lapse": {"moment": 3, "layer": 1, "head": 2},
    "machine": {"text": "Tom sleeps.", "text_pair": "He dreams.", "box": "weights", "layer": 2, "head": 1},
    "trace": {"step": 2},
}


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_a_link_brings_the_state_back(open_page: Callable[..., Page], kind: str) -> None:
    page = open_page(view_of(kind))
    page.wait_for_timeout(300)
    wanted = STATES[kind] | ({"keep_share": 0.0} if kind == "masking" else {})
    page.goto(page.url + "#state=" + quote(json.dumps(wanted)))
    name = next(iter(wanted))
    wait_until(
        page, f"JSON.stringify(bertvizLite.model.get({name!r})) === {json.dumps(json.dumps(wanted[name]))}"
    )
    page.wait_for_timeout(300)
    assert traits(page, list(wanted)) == wanted
    page.get_by_role("button", name="Take away").click()
    page.get_by_role("button", name="Link to what is shown").click()
    says(page.get_by_role("group", name="Take away"), "the page’s address is the same")
    address = page.get_by_role("textbox", name="Link").input_value()
    again = page.context.new_page()
    again.goto(address)
    wait_until(again, "window.bertvizLite")
    wait_until(
        again, f"JSON.stringify(bertvizLite.model.get({name!r})) === {json.dumps(json.dumps(wanted[name]))}"
    )
    again.wait_for_timeout(300)
    assert traits(again, list(wanted)) == wanted


@pytest.mark.sampled
@pytest.mark.parametrize("kind", KINDS)
def test_an_address_that_says_nonsense_changes_nothing(open_page: Callable[..., Page], kind: str) -> None:
    page = open_page(view_of(kind))
    before = traits(page, list(STATES[kind]))
    nonsense = {name: [[1e9]] if isinstance(value, list) else 1e9 for name, value in STATES[kind].items()}
    page.goto(page.url + "#state=" + quote(json.dumps(nonsense)))
    page.wait_for_timeout(200)
    assert traits(page, list(STATES[kind])) == before
    assert trait(page, "_engine") is not None


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["fill-in", "pair", "tokens"])
def test_before_a_class_a_sentence_is_typed_and_its_answer_held_back(
    open_page: Callable[..., Page], kind: str
) -> None:
    page = open_page(view_of(kind), viewport={"width": 1280, "height": 720})
    hold = page.get_by_role("button", name="Hold the answer")
    assert hold.is_hidden()
    page.get_by_role("button", name="Present").click()
    wait_until(page, "document.fullscreenElement !== null")
    answer = page.locator(".bvl-answer")
    before = answer.bounding_box()
    page.locator(".bvl").evaluate("(root) => root.querySelector('[tabindex=\"0\"], button').focus()")
    page.keyboard.press("h")
    says(page.get_by_role("status").filter(has_text="held back"), "H shows it")
    assert answer.evaluate("(one) => getComputedStyle(one).visibility") == "hidden"
    page.keyboard.press("s")
    field = page.get_by_role("textbox").first
    assert field.evaluate("(one) => one === document.activeElement")
    if kind == "fill-in":
        small = page.locator(".bvl-masked small")
        assert small.evaluate("(one) => getComputedStyle(one).visibility") == "hidden"
    field.fill("Anna was so hungry that she ate the [MASK].")
    if kind != "fill-in":  # there the sentence is above the answer
        says(page.locator(".bvl-held-note"), "so hungry")
    page.keyboard.type(" Hush!")  # no key of the view while one types
    wait_until(page, "document.querySelector('.bvl').getAttribute('aria-busy') !== 'true'")
    assert answer.evaluate("(one) => getComputedStyle(one).visibility") == "hidden"
    page.keyboard.press("Enter")
    assert field.is_hidden()
    page.keyboard.press("h")
    assert answer.evaluate("(one) => getComputedStyle(one).visibility") == "visible"
    if kind == "fill-in":
        assert before is not None
        assert answer.bounding_box() == pytest.approx(before, abs=40)  # what is typed lies over it
    hold.click()
    assert accessibility_problems(page) == []
    page.get_by_role("button", name="Leave").click()
    wait_until(page, "document.fullscreenElement === null")
    assert answer.evaluate("(one) => getComputedStyle(one).visibility") == "visible"
    assert hold.is_hidden()


@pytest.mark.parametrize(("language", "open_note", "note"), NOTES)
def test_what_the_held_note_says_is_true_while_one_types(
    open_page: Callable[..., Page], language: str, open_note: str, note: str
) -> None:
    page = open_page(view_of("pair"), viewport={"width": 1280, "height": 720})
    if language != "en":
        page.locator(".bvl-language").click()
    page.locator(".bvl-present").click()
    wait_until(page, "document.fullscreenElement !== null")
    page.keyboard.press("h")
    said, field = page.locator(".bvl-held-note [role=status]"), page.locator(".bvl textarea").first
    assert said.inner_text() == note
    page.keyboard.press("s")
    assert said.inner_text() == open_note
    field.fill("H")
    # Enter that chooses a character ends no sentence: Safari tells it by a number alone.
    for composing in ({"isComposing": True}, {"keyCode": 229}):
        event = {"key": "Enter", "bubbles": True, "cancelable": True, **composing}
        field.evaluate("(field, event) => field.dispatchEvent(new KeyboardEvent('keydown', event))", event)
        assert field.is_visible()
    page.keyboard.press("Enter")
    assert field.is_hidden()
    assert field.input_value() == "H"
    assert said.inner_text() == note
    page.keyboard.press("h")
    assert page.locator(".bvl-held").count() == 0


def test_escape_leaves_the_field_and_not_the_screen(open_page: Callable[..., Page]) -> None:
    page = open_page(view_of("fill-in"), viewport={"width": 1280, "height": 720})
    page.evaluate("() => { Element.prototype.requestFullscreen = () => Promise.reject(new Error()); }")
    page.get_by_role("button", name="Present").click()
    wait_until(page, "document.querySelector('.bvl-covering') !== null")
    page.keyboard.press("s")
    field = page.get_by_role("textbox").first
    assert field.is_visible()
    page.keyboard.press("Escape")
    assert field.is_hidden()
    assert page.locator(".bvl-covering").count() == 1
    page.keyboard.press("h")
    assert page.locator(".bvl-held").count() == 1
    # A click on what is no button takes the keys from no view that is presented.
    page.mouse.click(640, 715)
    page.keyboard.press("h")
    assert page.locator(".bvl-held").count() == 0
    page.keyboard.press("Escape")
    assert page.locator(".bvl-covering").count() == 0
    assert page.locator(".bvl").get_attribute("tabindex") is None
    assert page.evaluate("document.activeElement.matches('.bvl-present')")


# What is told of the answer in views that show more than the answer; in the explorer colours tell it, too.
ANSWERS = {
    "masking": r"is right at \d of|→ \w",
    "machine-open": r"\d\s%",
    "explorer-run": r"\d\s%|in nats|→ \w",
}
LOOKED_AT: dict[str, dict[str, Any]] = {
    "masking": {"selected": 4},
    "machine-open": {"box": "words"},
    "explorer-run": {"layer": 2, "head": 1},
}

# All that has a place, but for buttons and a note that come and go.
PLACES = """() => [...document.querySelectorAll(".bvl *")]
    .filter((one) => one.checkVisibility() && !one.closest(".bvl-tools, .bvl-held-note"))
    .map((one) => [one.className, ...Object.values(one.getBoundingClientRect().toJSON())].join())"""

# How many pixels of the matrix are as dark a blue as a weight near 1: no name and no frame is.
STRONG = """() => {
    const canvas = document.querySelector(".bvl-matrix canvas");
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    let found = 0;
    for (let i = 0; i < pixels.length; i += 4)
        if (pixels[i + 2] - pixels[i] > 80 && pixels[i] < 40 && pixels[i + 1] < 70) found += 1;
    return found;
}"""


def told(page: Page, kind: str) -> bool:
    """Whether an answer is in sight, or is read out."""
    seen = re.search(ANSWERS[kind], page.locator(".bvl").inner_text()) is not None
    read_out = page.locator("[aria-label*='the model guesses']").count() > 0
    drawn = kind == "explorer-run" and page.evaluate(STRONG) > 100
    return seen or read_out or drawn


def wait_for_the_answer(page: Page, kind: str) -> None:
    wait_until(page, "document.querySelector('.bvl').getAttribute('aria-busy') !== 'true'")
    if kind == "explorer-run":
        wait_until(page, f"({STRONG})() > 100")
    else:
        wait_until(page, f"/{ANSWERS[kind]}/.test(document.querySelector('.bvl').innerText)")


def present_what_a_class_is_asked(open_page: Callable[..., Page], kind: str, **options: object) -> Page:
    page = open_page(view_of(kind), viewport={"width": 1280, "height": 720}, **options)
    put = "(values) => Object.entries(values).forEach(([name, value]) => bertvizLite.model.set(name, value))"
    page.evaluate(put, LOOKED_AT[kind])
    page.get_by_role("button", name="Present").click()
    wait_until(page, "document.fullscreenElement !== null")
    wait_for_the_answer(page, kind)
    page.wait_for_timeout(500)
    return page


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ANSWERS)
def test_of_a_picture_the_answer_alone_is_held_back(open_page: Callable[..., Page], kind: str) -> None:
    page = present_what_a_class_is_asked(open_page, kind)
    places = page.evaluate(PLACES)
    assert told(page, kind)
    page.locator(".bvl").evaluate("(root) => root.querySelector('[tabindex=\"0\"], button').focus()")
    page.keyboard.press("h")
    says(page.get_by_role("status").filter(has_text="held back"), "The answer is held back. H shows it.")
    assert not told(page, kind)
    assert page.evaluate(PLACES) == places
    assert accessibility_problems(page) == []
    if kind == "explorer-run":  # a class may point at a pair, and is told nothing
        page.locator(".bvl-matrix").first.hover()
        page.wait_for_timeout(300)
        assert not told(page, kind)
    page.keyboard.press("?")
    says(page.get_by_role("group", name="Keys", exact=True), "hold the answer back, and show it")
    page.keyboard.press("Escape")
    # The next sentence is typed over the picture, and its answer is held back as well.
    page.keyboard.press("s")
    field = page.get_by_role("textbox").first
    assert field.evaluate("(one) => one === document.activeElement")
    field.fill("Anna was so hungry that she ate the apple.")
    page.keyboard.press("Enter")
    assert field.is_hidden()
    wait_until(page, "bertvizLite.model.get('text').includes('hungry')")
    page.wait_for_timeout(500)
    assert not told(page, kind)
    page.get_by_role("button", name="Show the answer").click()
    wait_for_the_answer(page, kind)
    hold = page.get_by_role("button", name="Hold the answer")
    hold.click()
    assert not told(page, kind)
    page.get_by_role("button", name="Leave").click()
    wait_until(page, "document.fullscreenElement === null")
    assert hold.is_hidden()
    wait_for_the_answer(page, kind)


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ANSWERS)
def test_a_finger_holds_the_answer_back(open_page: Callable[..., Page], kind: str) -> None:
    page = present_what_a_class_is_asked(open_page, kind, has_touch=True, is_mobile=True)
    hold = page.get_by_role("button", name="Hold the answer")
    size = hold.bounding_box()
    assert size is not None
    assert size["height"] >= 44
    hold.tap()
    said = page.get_by_role("status").filter(has_text="held back")
    says(said, "The answer is held back.")
    assert "H shows it" not in said.inner_text()  # there is no such key
    assert not told(page, kind)
    page.get_by_role("button", name="Show the answer").tap()
    wait_for_the_answer(page, kind)
