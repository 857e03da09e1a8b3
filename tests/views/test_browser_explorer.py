"""The attention explorer in a real Chromium: from a saved page, and live in JupyterLab."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from bertviz_lite import Explorer, capture, load
from tests.helpers.browser import (
    PATIENCE_MS,
    accessibility_problems,
    assert_leaves_nothing,
    choose_theme,
    run_cell,
    says,
    trait,
    wait_until,
)
from tests.helpers.explorers import TOKENS, crossed, plain, random_layers
from tests.views.test_views import HOSTILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from bertviz_lite.capture import Capture

pytestmark = pytest.mark.browser

MATRIX = ".bvl-matrix"
RIBBONS = ".bvl-ribbons"


def put(page: Page, **values: object) -> None:
    page.evaluate(
        """(values) => {
            for (const [name, value] of Object.entries(values)) bertvizLite.model.set(name, value);
            bertvizLite.model.save_changes();
        }""",
        values,
    )


def readout(view: Page | Locator) -> str:
    return view.locator(".bvl-readout").inner_text()


def wait_for_readout(page: Page, text: str) -> None:
    expect(page.locator(".bvl-readout")).to_contain_text(text, timeout=PATIENCE_MS)


def weight_in(text: str) -> float:
    """Return the weight that a readout says: "the → bank 0.123 ±0.004, layer 0 head 1"."""
    found = re.search(r" (\d\.\d+)", text)
    assert found, text
    return float(found.group(1))


@pytest.mark.parametrize(("query", "key"), [(2, 3), (0, 9), (9, 0)])
def test_the_readout_says_pythons_number(open_page: Callable[..., Page], query: int, key: int) -> None:
    capture = plain()
    page = open_page(Explorer(capture, layer=1, head=1, query=query, key=key))
    wait_for_readout(page, "layer 1 head 1")
    text = readout(page)
    assert text.startswith(f"{TOKENS[query]} → {TOKENS[key]} ")
    assert weight_in(text) == pytest.approx(capture.attentions[1][1, query, key], abs=0.0045)
    assert "±" in text  # without queries and keys weights are as drawn, and it is said how good they are
    total = re.search(r"row sum (\d\.\d+)", page.locator(".bvl-detail").inner_text())
    assert total
    assert float(total.group(1)) == pytest.approx(1, abs=0.02)


def test_keyboard_alone_moves_pins_and_chooses(open_page: Callable[..., Page]) -> None:
    page = open_page(Explorer(plain()))
    page.locator(f"{MATRIX} canvas[aria-label]").wait_for()
    page.locator(MATRIX).focus()
    press = page.keyboard.press
    press("ArrowDown")  # the first key puts the cursor down
    wait_for_readout(page, "the → the")
    press("ArrowDown")
    press("ArrowLeft")
    press("ArrowRight")
    wait_for_readout(page, "bank → the")
    assert trait(page, "query") is None
    press("Enter")
    assert (trait(page, "query"), trait(page, "key")) == (2, 1)
    press("End")
    wait_for_readout(page, "bank → [SEP]")
    press("Escape")
    assert (trait(page, "query"), trait(page, "key")) == (None, None)
    press("Shift+ArrowDown")
    press("Shift+ArrowRight")
    assert (trait(page, "layer"), trait(page, "head")) == (1, 1)
    press("Shift+ArrowRight")  # there is no further head
    assert trait(page, "head") == 1
    press("Shift+ArrowUp")
    press("Shift+ArrowLeft")
    assert (trait(page, "layer"), trait(page, "head")) == (0, 0)


def test_every_control_is_reached_by_tab(open_page: Callable[..., Page]) -> None:
    page = open_page(Explorer(plain()))
    kinds = ".bvl :is(select, button, input, summary, [tabindex='0'])"
    controls = f"""() => [...document.querySelectorAll("{kinds}")]
        .filter((one) => !one.disabled && one.checkVisibility())"""
    page.evaluate("window.reached = new Set()")
    for _ in range(page.evaluate(f"({controls})().length") + 10):  # some are drawn a little later
        page.keyboard.press("Tab")
        page.evaluate(
            """() => {
                const outline = getComputedStyle(document.activeElement).outlineStyle;
                if (outline !== "none") window.reached.add(document.activeElement);
            }"""
        )
    missed = f"({controls})().filter((one) => !window.reached.has(one)).map((one) => one.outerHTML)"
    assert page.evaluate(missed) == []
    others = f"[...window.reached].filter((one) => !({controls})().includes(one)).map((one) => one.outerHTML)"
    assert page.evaluate(others) == []
    assert page.evaluate(f"({controls})().length") > 10


def test_mouse_chooses_a_head_and_pins_a_cell(open_page: Callable[..., Page]) -> None:
    capture = plain()
    page = open_page(Explorer(capture))
    thumbs = page.locator(".bvl-thumbs canvas").bounding_box()
    assert thumbs
    page.mouse.click(thumbs["x"] + 0.95 * thumbs["width"], thumbs["y"] + 0.9 * thumbs["height"])
    assert (trait(page, "layer"), trait(page, "head")) == (2, 1)
    box = page.locator(f"{MATRIX} canvas").bounding_box()
    assert box
    x, y = box["x"] + 0.75 * box["width"], box["y"] + 0.6 * box["height"]
    page.mouse.move(x, y)
    wait_for_readout(page, "→")
    hovered = readout(page)
    page.mouse.click(x, y)
    query, key = trait(page, "query"), trait(page, "key")
    assert isinstance(query, int)
    assert isinstance(key, int)
    assert hovered.startswith(f"{TOKENS[query]} → {TOKENS[key]} ")
    assert weight_in(hovered) == pytest.approx(capture.attentions[2][1, query, key], abs=0.0045)
    page.mouse.click(x, y)
    assert trait(page, "query") is None


def test_the_weight_is_painted_where_the_readout_says(open_page: Callable[..., Page]) -> None:
    weights = np.full((2, 2, 10, 10), 0.1, dtype=np.float32)
    weights[1, 0, 2] = np.eye(10)[7]
    page = open_page(Explorer(list(weights), TOKENS, layer=1))
    page.locator(f"{MATRIX} canvas[aria-label]").wait_for()
    x, y = page.evaluate(
        """(selector) => {
            const canvas = document.querySelector(`${selector} canvas`);
            const { width, height } = canvas;
            const pixels = canvas.getContext("2d").getImageData(0, 0, width, height).data;
            const found = [];
            for (let i = 0; i < width * height; i += 1) {
                const [red, green, blue] = pixels.subarray(4 * i, 4 * i + 3);
                if (blue - red > 80 && red < 40 && green < 70) found.push([i % width, Math.floor(i / width)]);
            }
            found.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
            const place = canvas.getBoundingClientRect();
            const [a, b] = found[Math.floor(found.length / 2)];
            return [place.x + (a * place.width) / width, place.y + (b * place.height) / height];
        }""",
        MATRIX,
    )
    page.mouse.move(x, y)
    wait_for_readout(page, "bank → sees 1")


def test_head_chips_put_heads_together(open_page: Callable[..., Page]) -> None:
    page = open_page(Explorer(plain(heads=5)))
    chips = page.get_by_role("group", name="Heads drawn as ribbons")
    chips.get_by_role("button", name="head 3").click()
    assert trait(page, "heads") == [0, 3]
    assert chips.locator("[aria-pressed=true]").count() == 2
    chips.get_by_role("button", name="head 0").click()
    assert trait(page, "heads") == [3]


def test_filters_say_what_they_hide(open_page: Callable[..., Page]) -> None:
    capture = plain()
    page = open_page(Explorer(capture, query=2))
    special = capture.attentions[0][0, 2][[0, 5, 9]].sum()
    page.get_by_role("checkbox", name="hide special tokens").check()
    assert trait(page, "hide_special") is True
    page.locator(".bvl-detail").get_by_text("on special tokens").wait_for()
    said = re.search(
        r"hidden ([\d.]+)\N{NO-BREAK SPACE}% on special", page.locator(".bvl-detail").inner_text()
    )
    assert said
    assert float(said.group(1)) == pytest.approx(100 * special, abs=1.5)
    page.get_by_role("checkbox", name="scale the rest up").check()
    put(page, key=1)
    wait_for_readout(page, "bank → the")
    assert weight_in(readout(page)) == pytest.approx(capture.attentions[0][0, 2, 1] / (1 - special), abs=0.01)
    page.get_by_role("combobox", name="Tokens").select_option("A→B")
    assert trait(page, "direction") == "A→B"
    put(page, key=7)
    wait_for_readout(page, "bank → sees")


def test_words_are_sums_over_keys_and_means_over_queries(open_page: Callable[..., Page]) -> None:
    capture = plain()
    page = open_page(Explorer(capture, query=2, key=2))
    facts = page.locator(".bvl-facts")
    assert facts.inner_text().startswith("entropy, bits")
    page.get_by_role("checkbox", name="join word pieces to words").check()
    wait_for_readout(page, "banker → banker")
    assert facts.inner_text().startswith("by token:"), "the numbers beside joined words are still of tokens"
    expected = capture.attentions[0][0, 2:4, 2:4].sum(1).mean()
    assert weight_in(readout(page)) == pytest.approx(expected, abs=0.009)
    assert "sum" in page.locator(".bvl-rule").inner_text()


def test_the_table_has_every_weight_of_the_query(open_page: Callable[..., Page]) -> None:
    capture = plain()
    page = open_page(Explorer(capture, query=4, layer=2))
    page.locator(".bvl-table summary").click()
    lines = page.locator(".bvl-table tbody tr")
    lines.nth(len(TOKENS) - 1).wait_for()
    row = capture.attentions[2][0, 4]
    best = lines.first.inner_text()
    assert TOKENS[int(row.argmax())] in best
    assert f"{row.max():.2f}"[:3] in best


def test_two_captures_side_by_side_and_their_difference(open_page: Callable[..., Page]) -> None:
    first, second = plain(0), plain(1)
    page = open_page(Explorer(first, other=second, query=1, key=8))
    assert page.locator(f"{MATRIX}:visible").count() == 2
    wait_for_readout(page, "first")
    numbers = [float(number) for number in re.findall(r" (\d\.\d+)", readout(page))]
    assert numbers == pytest.approx([one.attentions[0][0, 1, 8] for one in (first, second)], abs=0.0045)
    page.get_by_role("group", name="Side").get_by_text("difference").click()
    assert trait(page, "side") == "difference"
    assert page.locator(f"{MATRIX}:visible").count() == 1


def test_cross_attention_has_its_own_axes(open_page: Callable[..., Page]) -> None:
    page = open_page(Explorer(crossed()))
    page.get_by_role("combobox", name="Attention").select_option("cross")
    put(page, query=3, key=5)
    wait_for_readout(page, "</s> → [SEP]")


def test_a_saved_page_says_that_it_cannot_run(open_page: Callable[..., Page]) -> None:
    page = open_page(Explorer(plain()))
    try_it = page.get_by_role("region", name="Try it")
    assert "plain arrays without a model" in try_it.inner_text()
    assert try_it.get_by_role("button").count() == 0


def test_the_token_that_keys_have_gone_to_is_masked(open_page: Callable[..., Page], seen: Capture) -> None:
    page = open_page(Explorer(seen, query=2, key=3))
    try_it = page.get_by_role("region", name="Try it")
    says(try_it.locator(".bvl-chosen-token"), f"Token 2 {seen.tokens[2]}")
    page.locator(MATRIX).focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    wait_for_readout(page, f"{seen.tokens[4]} → {seen.tokens[3]}")
    says(try_it.locator(".bvl-chosen-token"), f"Token 4 {seen.tokens[4]}")
    try_it.get_by_role("button", name="[MASK] it").press("Enter")
    wait_until(page, """JSON.stringify(bertvizLite.model.get("edits")) === '{"4":"[MASK]"}'""")
    page.locator(MATRIX).first.focus()
    page.keyboard.press("Escape")
    says(try_it.locator(".bvl-chosen-token"), "Click a token, then:")


def test_where_keys_have_gone_ends_with_the_text(open_page: Callable[..., Page], seen: Capture) -> None:
    page = open_page(Explorer(seen))
    chosen = page.locator(".bvl-chosen-token")
    page.locator(f"{MATRIX} canvas[aria-label]").wait_for()
    page.locator(MATRIX).focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    says(chosen, f"Token 3 {seen.tokens[3]}")
    # The same text, looked at in another way or changed: the reader is where they were.
    for key in ("Shift+ArrowDown", "Shift+ArrowRight", "m"):
        page.keyboard.press(key)
    page.emulate_media(color_scheme="dark")
    wait_until(page, """JSON.stringify(bertvizLite.model.get("edits")) === '{"3":"[MASK]"}'""")
    wait_until(page, "document.querySelector('.bvl').dataset.theme === 'dark'")
    assert (trait(page, "layer"), trait(page, "head")) == (1, 1)
    wait_for_readout(page, f"{seen.tokens[3]} → {seen.tokens[1]}")
    says(chosen, f"Token 3 {seen.tokens[3]}")
    # Another text, of as many tokens: nobody has gone anywhere in it yet.
    page.get_by_role("textbox", name="Sentence").fill("The driver loses the door.")
    wait_until(page, "bertvizLite.model.get('text') === 'The driver loses the door.'")
    says(chosen, "Click a token, then:")
    wait_for_readout(page, "Point at a token or a cell")
    page.locator(MATRIX).focus()
    page.keyboard.press("ArrowDown")  # begins at the first word, not where the text before was left
    wait_for_readout(page, "the → the")


@pytest.mark.parametrize(("panel", "scale"), [(MATRIX, 1), (RIBBONS, 1), (MATRIX, 2), (RIBBONS, 2)])
def test_titles_of_short_names_are_not_clipped(
    open_page: Callable[..., Page], panel: str, scale: int
) -> None:
    """No ink touches the left or the upper edge: what stands in the corner has room."""
    page = open_page(Explorer(random_layers(5), list("abcde")), device_scale_factor=scale)
    page.locator(f"{panel} canvas[aria-label]").wait_for()
    touched = page.evaluate(
        """(panel) => {
            const canvas = document.querySelector(`${panel} canvas`);
            const { width, height } = canvas;
            const top = Math.min(height, 60 * devicePixelRatio);
            const pen = canvas.getContext("2d");
            const edges = [pen.getImageData(0, 0, 1, top), pen.getImageData(0, 0, width, 1)];
            return edges.flatMap(({ data }) => [...data]).filter((value) => value < 200).length;
        }""",
        panel,
    )
    assert touched == 0


def test_touch(open_page: Callable[..., Page]) -> None:
    page = open_page(
        Explorer(plain()), has_touch=True, is_mobile=True, viewport={"width": 400, "height": 800}
    )
    page.locator(f"{MATRIX} canvas").tap()
    assert isinstance(trait(page, "query"), int)


@pytest.mark.sampled
@pytest.mark.parametrize("width", [1280, 640, 320])  # 100 %, 200 % and 400 % on a screen of 1280
def test_nothing_is_cut_off_when_enlarged(open_page: Callable[..., Page], seen: Capture, width: int) -> None:
    page = open_page(Explorer(seen, query=3, key=4), viewport={"width": width, "height": 900})
    page.get_by_role("region", name="Softmax over the row").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator(MATRIX).bounding_box()
    assert box
    assert box["width"] >= 200


@pytest.fixture(scope="module")
def seen() -> Capture:
    tokenizer, model = load()
    return capture(model, tokenizer, "The farmer finds the key.", "She opens the door.")


def test_why_gives_the_weight_again(open_page: Callable[..., Page], seen: Capture) -> None:
    page = open_page(Explorer(seen, layer=2, head=1, query=3, key=2))
    why = page.get_by_role("region", name="One pair of tokens")
    exact = seen.attentions[2][1, 3, 2]
    expect(why.locator(".bvl-steps")).to_contain_text(f"{exact:.4f}"[:5], timeout=PATIENCE_MS)
    product = float(seen.queries[2][1, 3] @ seen.keys[2][1, 2])
    shown = why.locator(".bvl-steps li").first.locator("b").inner_text().replace("−", "-")
    assert float(shown) == pytest.approx(product, rel=2e-3, abs=6e-3)


@pytest.mark.sampled
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("edits", [{3: "[MASK]"}, {}], ids=["changed", "as it is"])
def test_axe_finds_nothing(
    open_page: Callable[..., Page], seen: Capture, edits: dict[int, str], theme: str
) -> None:
    page = open_page(Explorer(seen, edits=edits, query=2, key=3), color_scheme=theme)
    page.get_by_role("region", name="Softmax over the row").wait_for()
    page.locator(".bvl-table summary").click()
    assert page.locator(".bvl").get_attribute("data-theme") == theme
    assert accessibility_problems(page, every=True) == []
    assert page.locator(".bvl [id]").count() == 0


def test_tokens_are_text_whatever_they_say(open_page: Callable[..., Page]) -> None:
    hostile = (
        HOSTILE,
        "<img src=x onerror=alert(1)>",
        "{{constructor}}",
        "$x$ | `",
        "\u202eabc",
        "\0\x1b",
        "e\u0301",
    )
    tokens = (*hostile, "👩‍👧", "猫", "x" * 10_000)
    said: list[str] = []
    page = open_page(Explorer(random_layers(len(tokens)), tokens, query=1, key=0))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    wait_for_readout(page, "→")
    page.locator(".bvl-table summary").click()
    for key in range(len(tokens)):
        put(page, key=key, query=key)
    assert page.locator(".bvl img, .bvl script").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert said == []


def test_a_long_input_opens(open_page: Callable[..., Page]) -> None:
    layers = random_layers(512, layers=1, heads=2)
    page = open_page(Explorer(layers, [f"t{i}" for i in range(512)], query=511, key=300))
    wait_for_readout(page, "t511 → t300")
    assert weight_in(readout(page)) == pytest.approx(layers[0][0, 511, 300], abs=0.0045)


def test_without_scripts_there_is_a_picture_with_words(open_page: Callable[..., Page]) -> None:
    page = open_page(Explorer(plain(), layer=1), java_script_enabled=False)
    assert page.get_by_role("img", name="layer 1, head 0").bounding_box()


def test_taking_a_view_down_leaves_nothing(open_page: Callable[..., Page]) -> None:
    page = open_page(Explorer(plain(), query=2, key=3))
    wait_for_readout(page, "bank")
    assert_leaves_nothing(page, rounds=10, rest_ms=100)


CELLS = [
    """
from traitlets import link
from bertviz_lite import Explorer, capture, load
tokenizer, model = load()
seen = capture(model, tokenizer, "The farmer finds the key.", "She opens the door.")
view, other = Explorer(seen, query=3, key=2), Explorer(seen)
linked = link((view, "layer"), (other, "layer"))
view
""".strip(),
    "other",
    """
print("state", view.layer, view.head, view.query, view.key, other.layer, view.edits, view.heads_off)
""".strip(),
    "view.head = 2",
]


@pytest.mark.thorough
def test_live_in_jupyterlab(open_notebook: Callable[..., Page], seen: Capture) -> None:
    page = open_notebook(CELLS, viewport={"width": 1400, "height": 1000})
    view, other = page.locator(".bvl").nth(0), page.locator(".bvl").nth(1)
    other.wait_for(state="attached")

    # Exact numbers, on demand.
    says(view.locator(".bvl-readout"), "finds → farmer")
    says(view.locator(".bvl-readout"), "layer 0 head 2")  # the last cell has set it
    expect(view.locator(".bvl-readout")).not_to_contain_text("±", timeout=PATIENCE_MS)
    exact = seen.attentions[0][2, 3, 2]
    assert weight_in(readout(view)) == pytest.approx(exact, abs=6e-5)
    # Why: the formula gives the weight again.
    why = view.get_by_role("region", name="One pair of tokens")
    says(why, f"{exact:.4f}"[:5])
    # Keys go to the view, not to the notebook; the linked view follows.
    view.locator(MATRIX).focus()
    for key in ("Shift+ArrowDown", "Shift+ArrowDown", "b", "x", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    says(other.locator(".bvl-heading"), "Layer 2")
    cells = page.locator(".jp-Notebook .jp-Cell")
    assert cells.count() == len(CELLS)
    # A token is masked, and the model runs again.
    try_it = view.get_by_role("region", name="Try it")
    try_it.get_by_role("button", name="[MASK] it").click()
    effect = view.get_by_role("region", name="What the change does")
    says(effect, "What the model expects at 4")
    expect(view.locator(f"{MATRIX}:visible")).to_have_count(2)
    edited = seen.rerun({4: "[MASK]"})
    best = edited.predictions(4)[0][0]
    after = effect.locator(".bvl-top").last
    says(after.locator("tr").first, best)
    # A refused change says why, and nothing is lost.
    try_it.get_by_role("textbox").fill("zzzz")
    try_it.get_by_role("button", name="in its place").click()
    says(effect.locator(".bvl-problem"), "zzzz")
    # A head is switched off.
    try_it.get_by_role("button", name="Switch layer 2, head 2 off").click()
    says(try_it.locator(".bvl-changes"), "layer 2, head 2 off")
    without = seen.rerun({4: "[MASK]"}, [(2, 2)]).loss(4, seen.tokens[4])
    says(effect, "all heads on")
    losses = [
        float(number)
        for number in re.findall(r"(\d+\.\d+)", effect.locator(".bvl-prediction p").inner_text())
    ]
    assert losses[-1] == pytest.approx(without, rel=2e-3, abs=6e-4)
    run_cell(page, cells.nth(2))
    page.get_by_text("state 2 2 4 2 2 {'4': '[MASK]'} [[2, 2]]").wait_for()
    try_it.get_by_role("button", name="Undo all").click()
    expect(view.locator(f"{MATRIX}:visible")).to_have_count(1)
    # Another sentence: the model reads it, and the old one is gone, with where keys had gone in it.
    says(try_it.locator(".bvl-chosen-token"), "Token 4 the")
    view.get_by_role("textbox", name="Sentence").fill("Tom finds the key.")
    says(try_it.locator(".bvl-chosen-token"), "Click a token, then:")
    expect(view.locator(".bvl-main")).not_to_have_class(re.compile("bvl-stale"), timeout=PATIENCE_MS)
    # The notebook's theme, not the system's.
    assert view.get_attribute("data-theme") == "light"
    choose_theme(page, "JupyterLab Dark")
    page.locator('.bvl[data-theme="dark"]').nth(1).wait_for()
