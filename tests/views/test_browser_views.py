"""The embedding view in a real Chromium: from a saved page, and live in JupyterLab."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from bertviz_lite import load
from bertviz_lite.evaluation.embeddings import input_parts
from bertviz_lite.views import EmbeddingView
from tests.helpers.browser import (
    accessibility_problems,
    assert_leaves_nothing,
    choose_theme,
    overflowing,
    pass_tools,
    run_cell,
    traits,
    wait_until,
)
from tests.views.test_views import HOSTILE, random_parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from bertviz_lite.evaluation.embeddings import InputParts

pytestmark = pytest.mark.browser

OPTION = ".bvl [role=option]"


@pytest.fixture(scope="module")
def parts() -> InputParts:
    return random_parts(11, 128)


def state(page: Page) -> dict[str, object]:
    return traits(page, EmbeddingView.state)


def heading(page: Page) -> str:
    return page.locator(".bvl-heading").first.inner_text()


def numbers(page: Page, column: str) -> list[str]:
    return [text.strip() for text in page.locator(f".bvl-strip ~ .bvl-{column}").all_inner_texts()]


def value(text: str) -> float:
    return float(text.replace("−", "-").removesuffix("\N{NO-BREAK SPACE}%"))


def test_numbers_are_those_of_python(open_page: Callable[..., Page], parts: InputParts) -> None:
    page = open_page(EmbeddingView(parts, token=4))
    assert heading(page) == "token 4 “t4”"
    lengths = {
        **{name: norms[4] for name, norms in parts.norms().items()},
        "bias": np.linalg.norm(parts.bias),
    }
    order = ("token", "position", "segment", "sum", "bias", "result")
    shown = [value(text) for text in numbers(page, "length")]
    assert shown == pytest.approx([lengths[name] for name in order], rel=1e-3)
    shares = dict(zip(order, numbers(page, "last"), strict=True))
    assert shares.pop("sum") == ""
    assert shares.pop("result") == "100\N{NO-BREAK SPACE}%"
    assert [value(text) for text in shares.values()] == pytest.approx(
        [100 * parts.shares[name][4] for name in shares], abs=0.051
    )
    cells = page.locator(".bvl-cosines td").all_inner_texts()
    cosines = parts.cosines(4)
    expected = [cosines[row, column] for row in range(1, 5) for column in range(row)]
    assert [value(text) for text in cells if text.strip()] == pytest.approx(expected, abs=0.006)


def test_keyboard_alone_does_everything(open_page: Callable[..., Page], parts: InputParts) -> None:
    page = open_page(EmbeddingView(parts, token=4))
    press = page.keyboard.press
    pass_tools(page)
    press("Tab")
    for key, token in (("ArrowRight", 5), ("ArrowLeft", 4), ("End", 10), ("ArrowRight", 10), ("Home", 0)):
        press(key)
        assert state(page)["token"] == token
        assert page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    press("Space")
    assert state(page)["pinned"] == 0
    assert "choose another token" in heading(page)
    press("ArrowRight")
    assert heading(page) == "token 1 “t1” minus token 0 “t0”"
    distance = np.linalg.norm(parts.token[1] - parts.token[0])
    assert value(numbers(page, "length")[0]) == pytest.approx(distance, rel=1e-3)
    press("Escape")
    assert state(page)["pinned"] is None
    press("Tab")  # as LayerNorm scales them
    press("Space")
    assert state(page)["scaled"] is True
    press("Space")
    press("Tab")  # one scale for all rows
    press("Space")
    assert state(page)["one_scale"] is True
    press("Tab")  # Pin to compare
    press("Enter")
    assert state(page)["pinned"] == 1
    press("Enter")
    press("Tab")  # the token vector's switch
    press("Space")
    assert state(page)["parts_on"] == ["position", "segment"]
    press("Tab")
    press("Tab")
    press("Tab")  # the component
    press("ArrowRight")
    assert state(page)["component"] == 1
    press("End")
    assert state(page)["component"] == 127
    press("Tab")  # the table
    press("Enter")
    lines = page.locator(".bvl-numbers tbody tr")
    lines.nth(127).wait_for(state="attached")
    assert lines.count() == 128


def test_mouse_picks_pins_and_points(open_page: Callable[..., Page], parts: InputParts) -> None:
    page = open_page(EmbeddingView(parts))
    page.locator(OPTION).nth(7).click()
    assert state(page)["token"] == 7
    page.locator(OPTION).nth(2).click(modifiers=["Shift"])
    assert (state(page)["token"], state(page)["pinned"]) == (7, 2)
    page.get_by_role("button", name="Unpin").click()
    assert state(page)["pinned"] is None
    strip = page.locator(".bvl-strip svg").first
    box = strip.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 57.5 / 128, box["y"] + 5)
    shown = page.locator(".bvl-readout").inner_text()
    found = re.fullmatch(
        r"component 57: token (\S+), position (\S+), segment (\S+) → sum (\S+); bias (\S+) → result (\S+)",
        shown,
    )
    assert found, shown
    rows = (parts.token, parts.position, parts.segment, parts.total)
    assert [value(text) for text in found.groups()[:4]] == pytest.approx(
        [row[7, 57] for row in rows], abs=6e-4
    )
    assert value(found[6]) == pytest.approx(parts.normalised[7, 57], abs=6e-4)
    assert state(page)["component"] == 0
    page.mouse.down()
    page.mouse.up()
    assert state(page)["component"] == 57


def test_switching_a_part_off_takes_it_out_of_the_sum(
    open_page: Callable[..., Page], parts: InputParts
) -> None:
    page = open_page(EmbeddingView(parts, token=3))
    page.get_by_role("checkbox", name="add the position vector").click()
    assert state(page)["parts_on"] == ["token", "segment"]
    rest = np.linalg.norm(parts.token[3] + parts.segment[3])
    assert value(numbers(page, "length")[3]) == pytest.approx(rest, rel=1e-3)
    assert numbers(page, "last")[1] == "off"
    assert "With token + segment only, the sum has length" in page.locator(".bvl-facts").inner_text()


def test_the_chosen_of_many_tokens_is_in_sight(open_page: Callable[..., Page]) -> None:
    page = open_page(EmbeddingView(random_parts(300), token=250))
    tokens = page.locator(".bvl-tokens").bounding_box()
    assert tokens
    for token in (250, 0, 299):
        page.evaluate("(token) => bertvizLite.model.set('token', token)", token)
        chosen = page.locator(f"{OPTION}[aria-selected=true]").bounding_box()
        assert chosen
        assert tokens["y"] <= chosen["y"]
        assert chosen["y"] + chosen["height"] <= tokens["y"] + tokens["height"]
    assert page.evaluate("window.scrollY") == 0


def test_touch(open_page: Callable[..., Page], parts: InputParts) -> None:
    page = open_page(EmbeddingView(parts), has_touch=True, viewport={"width": 390, "height": 800})
    page.locator(OPTION).nth(5).tap()
    page.get_by_role("button", name="Pin to compare").tap()
    page.locator(OPTION).nth(6).tap()
    assert (state(page)["token"], state(page)["pinned"]) == (6, 5)
    page.locator(".bvl-strip").first.tap()
    assert state(page)["component"] == 64


@pytest.mark.parametrize("width", [1280, 640, 320])  # 100 %, 200 % and 400 % on a screen of 1280
def test_nothing_is_cut_off_when_enlarged(
    open_page: Callable[..., Page], parts: InputParts, width: int
) -> None:
    page = open_page(EmbeddingView(parts, pinned=3), viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    strip = page.locator(".bvl-strip").first.bounding_box()
    assert strip
    assert strip["width"] >= 200
    assert overflowing(page, but=".bvl-scroll, svg") == []


def test_roles_and_names_for_a_screen_reader(open_page: Callable[..., Page], parts: InputParts) -> None:
    page = open_page(EmbeddingView(parts, token=2, pinned=4))
    assert page.get_by_role("region", name="Input embedding, taken apart").count() == 1
    assert page.get_by_role("listbox", name="Tokens").get_by_role("option").count() == 11
    assert page.get_by_role("option", selected=True).get_attribute("aria-label").startswith("t2, 2: token ")  # type: ignore[union-attr]
    assert page.get_by_role("option", name="pinned").count() == 1
    assert page.locator(f'{OPTION}[tabindex="0"]').count() == 1
    slider = page.get_by_role("slider", name="Component")
    assert slider.get_attribute("aria-valuetext") == page.locator(".bvl-readout").inner_text()
    assert page.get_by_role("img").count() == 6
    assert page.locator(".bvl [id]").count() == 0


@pytest.mark.sampled
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_page: Callable[..., Page], parts: InputParts, theme: str) -> None:
    page = open_page(EmbeddingView(parts, token=4, pinned=2), color_scheme=theme)
    page.locator(".bvl summary").click()
    assert accessibility_problems(page) == []


def test_tokens_are_text_whatever_they_say(open_page: Callable[..., Page]) -> None:
    tokens = (HOSTILE, "<img src=x onerror=alert(1)>", "${alert(1)}", "`", "\\u003c/script>", "猫")
    page = open_page(EmbeddingView(random_parts(6, tokens=tokens), token=1, pinned=0))
    said: list[str] = []
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    assert page.locator(f"{OPTION} .bvl-mono").all_inner_texts() == list(tokens)
    assert heading(page) == f"token 1 “{tokens[1]}” minus token 0 “{tokens[0]}”"
    assert page.locator(".bvl img, .bvl script").count() == 0
    assert said == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_follows_the_readers_theme(
    open_page: Callable[..., Page], parts: InputParts, scheme: str
) -> None:
    page = open_page(EmbeddingView(parts), color_scheme=scheme)
    assert page.locator(".bvl").get_attribute("data-theme") == scheme
    other = {"light": "dark", "dark": "light"}[scheme]
    page.emulate_media(color_scheme=other)  # type: ignore[arg-type]
    page.locator(f'.bvl[data-theme="{other}"]').wait_for()


def test_without_scripts_the_picture_and_the_tables_are_there(
    open_page: Callable[..., Page], parts: InputParts
) -> None:
    page = open_page(EmbeddingView(parts), java_script_enabled=False)
    assert page.get_by_role("img", name="Input embedding of token 0").bounding_box()
    page.locator("summary").nth(1).click()
    assert page.get_by_role("row").count() >= 12


def test_taking_a_view_down_leaves_nothing(open_page: Callable[..., Page], parts: InputParts) -> None:
    page = open_page(EmbeddingView(parts))
    assert_leaves_nothing(page)


def test_two_views_of_one_object_stay_together(open_page: Callable[..., Page], parts: InputParts) -> None:
    page = open_page(EmbeddingView(parts))
    page.evaluate("() => { const { view, model, place } = bertvizLite; view.render({ model, el: place }); }")
    views = page.locator(".bvl")
    assert views.count() == 2
    views.nth(1).locator("[role=option]").nth(3).click()
    assert views.nth(0).locator(".bvl-heading").first.inner_text() == "token 3 “t3”"


def near(page: Page) -> list[tuple[str, str]]:
    lines = page.locator(".bvl-near-list li")
    return [
        (name.locator("bdi").inner_text(), name.locator(".bvl-number").inner_text()) for name in lines.all()
    ]


def neighbours(word: str) -> list[tuple[str, str]]:
    """Return what torch finds near a word of the pocket model."""
    tokenizer, model = load()
    table = model.get_input_embeddings().weight.detach().double()
    filled = table.any(dim=-1)
    table[filled] -= table[filled].mean(dim=0)  # what all words share
    own = tokenizer.convert_tokens_to_ids(word)
    cosines = torch.nn.functional.cosine_similarity(table, table[own][None])
    cosines[own] = -2
    best = cosines.topk(10)
    words = tokenizer.convert_ids_to_tokens(best.indices.tolist())
    return [
        (name, f"{cosine:.2f}".replace("-", "−"))
        for name, cosine in zip(words, best.values.tolist(), strict=True)
    ]


def test_what_is_near_a_word_is_answered_in_the_page(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    page = open_page(EmbeddingView(input_parts(model, tokenizer, "Anna lost her key."), token=1))
    title = page.locator(".bvl-near .bvl-heading")
    wait_until(page, "document.querySelectorAll('.bvl-near-list button').length === 10")
    assert title.inner_text() == "What is near “anna”?"
    assert near(page) == neighbours("anna")
    page.locator(OPTION).nth(4).click()
    assert title.inner_text() == "What is near “key”?"
    assert near(page) == neighbours("key")
    nearest = page.locator(".bvl-near-list button").first
    word = nearest.inner_text()
    nearest.click()
    assert title.inner_text() == f"What is near “{word}”?"
    field = page.get_by_role("textbox", name="Near which word")
    assert field.input_value() == word
    field.fill("Dog")
    assert near(page) == neighbours("dog")
    field.fill("unwrappe")
    assert near(page) == []
    assert (
        page.locator(".bvl-near [role=status]")
        .inner_text()
        .startswith("“unwrappe” is no entry of the vocabulary: it is cut into unwrap ##p ##e, each")
    )
    assert field.get_attribute("aria-invalid") == "true"
    page.locator(OPTION).nth(3).click()
    assert near(page) == neighbours("her")


def test_a_view_of_neighbours_shows_nothing_else(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    parts = input_parts(model, tokenizer, "Anna lost her key.")
    page = open_page(EmbeddingView(parts, token=2, near_only=True))
    wait_until(page, "document.querySelectorAll('.bvl-near-list button').length === 10")
    assert near(page) == neighbours("lost")
    assert page.locator(".bvl-strip, .bvl-tokens, .bvl-cosines, .bvl-legend").count() == 0
    page.get_by_role("textbox", name="Near which word").fill("key")
    assert near(page) == neighbours("key")


def test_of_a_large_table_the_tokens_of_the_text_have_their_neighbours(
    open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bertviz_lite.views.embedding.view._MOST_WORDS", 1000)
    tokenizer, model = load()
    page = open_page(EmbeddingView(input_parts(model, tokenizer, "Anna lost her key."), token=4))
    assert near(page) == neighbours("key")
    assert page.locator(".bvl-near :is(input, button)").filter(visible=True).count() == 0
    assert page.locator("[data-bvl-block]").count() == 0


def test_vectors_without_a_vocabulary_have_no_neighbours(
    open_page: Callable[..., Page], parts: InputParts
) -> None:
    assert not open_page(EmbeddingView(parts)).locator(".bvl-near").is_visible()


CELLS = [
    """
from tests.views.test_views import random_parts
from bertviz_lite.views import EmbeddingView
view = EmbeddingView(random_parts(11, 128), token=4)
other = EmbeddingView(random_parts(5, 16))
view
""".strip(),
    "other",
    """
for each in (view, other):
    print("state", each.token, each.pinned, *each.parts_on)
""".strip(),
    "view.token, view.component = 9, 100",
]


@pytest.mark.thorough
def test_live_in_jupyterlab(open_notebook: Callable[..., Page]) -> None:
    page = open_notebook(CELLS, viewport={"width": 1280, "height": 1000})
    first, second = page.locator(".bvl").nth(0), page.locator(".bvl").nth(1)
    second.wait_for(state="attached")
    page.get_by_text("state 4 None").wait_for()
    # The last cell has set the token from Python.
    first.get_by_text("token 9 “t9”").wait_for()
    assert "component 100:" in first.locator(".bvl-readout").inner_text()
    # By mouse and keys; JupyterLab would take every one of these keys for itself.
    first.locator("[role=option]").nth(4).click()
    for key in (
        "ArrowRight",
        "ArrowRight",
        "Enter",
        "ArrowLeft",
        "b",
        "ArrowUp",
        "ArrowDown",
        "x",
        "Home",
    ):
        page.keyboard.press(key)
    first.get_by_role("checkbox", name="add the segment vector").click()
    second.locator("[role=option]").nth(2).click()
    cells = page.locator(".jp-Notebook .jp-Cell")
    assert cells.count() == len(CELLS)
    run_cell(page, cells.nth(2))
    page.get_by_text("state 0 6 token position\nstate 2 None token position segment").wait_for()
    # The notebook's theme, not the system's.
    assert first.get_attribute("data-theme") == "light"
    choose_theme(page, "JupyterLab Dark")
    page.locator('.bvl[data-theme="dark"]').nth(1).wait_for()
