"""The token view in a real Chromium: from a saved page, and live in JupyterLab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bertviz_lite import load
from bertviz_lite.views import TokenView
from tests.helpers.browser import (
    accessibility_problems,
    assert_leaves_nothing,
    choose_theme,
    overflowing,
    run_cell,
    traits,
)
from tests.views.test_views import HOSTILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

WORD = ".bvl-words [role=option]"
LOOK = ".bvl-tries [role=option]"
TEXT = "Anna unwrapped Zoë's keyring."


@pytest.fixture(scope="module")
def tokenizer() -> Any:  # noqa: ANN401 - tokenizers have no types
    return load("pocket")[0]


def state(page: Page) -> dict[str, object]:
    return traits(page, TokenView.state)


def said(page: Page) -> str:
    return page.locator(".bvl-said").inner_text()


def seen(page: Page) -> list[str]:
    """Return the looks into the vocabulary that are shown: the piece and the answer."""
    lines = page.locator(f"{LOOK}:not(.bvl-later)")
    names: list[str] = lines.evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    return names


def test_cards_hold_what_the_tokenizer_gave(open_page: Callable[..., Page], tokenizer: Any) -> None:  # noqa: ANN401
    page = open_page(TokenView(tokenizer, TEXT, "So he eats."))
    ids = tokenizer(TEXT, "So he eats.")["input_ids"]
    assert page.locator(".bvl-piece bdi").all_inner_texts() == tokenizer.convert_ids_to_tokens(ids)
    assert page.locator(".bvl-piece .bvl-id").all_inner_texts() == [str(one) for one in ids]
    assert page.locator(f"{WORD} .bvl-typed").all_inner_texts()[:3] == ["Anna", "unwrapped", "Zoë"]
    assert page.locator(f"{WORD} .bvl-word").all_inner_texts()[:3] == ["anna", "unwrapped", "zoe"]
    assert page.locator(".bvl-segment-1 .bvl-band").count() == 5
    status = page.locator(".bvl-status").inner_text()
    assert status.startswith("Both texts: 29 + 11 characters → 7 + 4 words")
    assert status.endswith(f"3 special tokens = {len(ids)} tokens")


def test_the_search_is_that_of_python(open_page: Callable[..., Page], tokenizer: Any) -> None:  # noqa: ANN401
    view = TokenView(tokenizer, TEXT)
    page = open_page(view)
    chosen = view.cut.words[view.word]
    assert chosen.search
    vocabulary = tokenizer.get_vocab()
    expected = [
        f"{one.piece}: yes, id {vocabulary[one.piece]}" if one.found else f"{one.piece}: no"
        for one in chosen.search.tries
    ]
    assert seen(page) == expected
    assert page.locator(".bvl-heading").inner_text() == f"“keyring” → {' '.join(chosen.search.tokens)}"
    assert said(page).endswith(f"after {len(expected)} looks into the vocabulary.")


def test_keyboard_alone_does_everything(open_page: Callable[..., Page], tokenizer: Any) -> None:  # noqa: ANN401
    page = open_page(TokenView(tokenizer, TEXT))
    press = page.keyboard.press
    focused = "document.activeElement.ariaLabel"
    page.locator(".bvl-words [tabindex='0']").focus()
    for key, word in (("Home", 0), ("ArrowRight", 1), ("ArrowLeft", 0), ("End", 6), ("ArrowRight", 6)):
        press(key)
        assert state(page)["word"] == word
        assert page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    press("ArrowLeft")  # the keyring
    press("Enter")
    assert state(page)["step"] == 0
    assert seen(page) == ["keyring: no"]
    assert page.evaluate(focused) == "keyring: no"
    assert said(page).endswith("“keyring”. Not in the vocabulary: one character less.")
    press("ArrowDown")
    assert seen(page) == ["keyring: no", "keyrin: no"]
    while "yes" not in page.evaluate(focused):
        press("ArrowDown")
    assert "In the vocabulary: kept. Go on with “" in said(page)
    press("End")
    assert said(page).endswith("kept, and the word is done.")
    press("Home")
    assert state(page)["step"] == 0
    press("Escape")
    assert state(page)["step"] is None
    assert page.evaluate("document.activeElement.closest('.bvl-words') !== null")
    press("Tab")  # Start
    press("Space")
    assert state(page)["step"] == 0
    assert page.evaluate("document.activeElement.textContent") == "Start"
    press("Tab")  # Next: Back is off at the first look
    press("Enter")
    assert state(page)["step"] == 1


def test_mouse_and_touch(open_page: Callable[..., Page], tokenizer: Any) -> None:  # noqa: ANN401
    page = open_page(TokenView(tokenizer, TEXT), has_touch=True, viewport={"width": 390, "height": 800})
    page.locator(WORD).nth(0).tap()
    assert state(page)["word"] == 0
    assert seen(page) == [f"anna: yes, id {tokenizer.convert_tokens_to_ids('anna')}"]
    page.locator(WORD).nth(5).tap()
    page.get_by_role("button", name="Start").tap()
    page.get_by_role("button", name="Next").tap()
    page.get_by_role("button", name="Next").tap()
    page.get_by_role("button", name="Back").tap()
    assert state(page)["step"] == 1
    page.locator(LOOK).first.click()
    assert state(page)["step"] == 0
    page.get_by_role("button", name="All").tap()
    assert state(page)["step"] is None


def test_words_that_are_not_cut(open_page: Callable[..., Page], tokenizer: Any) -> None:  # noqa: ANN401
    page = open_page(TokenView(tokenizer, f"unz猫 [MASK] straße {'a' * 101}"))
    for index, answer in (
        (1, "At “猫” no word piece fits, not even one character: the whole word is [UNK]."),
        (2, "A special token, written into the text: it is taken out whole, without a search."),
        (4, "It has 101 characters, too many to be searched: [UNK]."),
    ):
        page.locator(WORD).nth(index).click()
        assert said(page) == answer
    page.locator(WORD).nth(3).click()
    assert said(page).startswith("At “ß")


def test_a_text_without_words(open_page: Callable[..., Page], tokenizer: Any) -> None:  # noqa: ANN401
    page = open_page(TokenView(tokenizer, "\u200b"))
    assert page.locator(".bvl-heading").inner_text() == "There is no word in this text."
    assert page.locator(WORD).count() == 0
    assert page.locator(".bvl-answer").get_by_role("button").count() == 0
    assert page.locator(".bvl-status").inner_text().startswith("1 character → 0 words")


@pytest.mark.parametrize("width", [1280, 640, 320])  # 100 %, 200 % and 400 % on a screen of 1280
def test_nothing_is_cut_off_when_enlarged(
    open_page: Callable[..., Page],
    tokenizer: Any,  # noqa: ANN401
    width: int,
) -> None:
    long = "supercalifragilisticexpialidocious" * 2
    view = TokenView(tokenizer, f"{TEXT} {long} שלום", "👩\u200d👩\u200d👧 猫")
    page = open_page(view, viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert overflowing(page, but=".bvl-scroll, .bvl-typed, .bvl-word", tolerance=0.5) == []


def test_roles_and_names_for_a_screen_reader(open_page: Callable[..., Page], tokenizer: Any) -> None:  # noqa: ANN401
    page = open_page(TokenView(tokenizer, TEXT, word=0))
    assert page.get_by_role("region", name="Tokens of a text").count() == 1
    assert page.get_by_role("textbox", name="Text", exact=True).input_value() == TEXT
    assert page.get_by_role("textbox", name="Second text").input_value() == ""
    assert page.get_by_role("listbox", name="Words.").get_by_role("option").count() == 7
    chosen = page.locator(".bvl-words").get_by_role("option", selected=True)
    assert chosen.count() == 1
    name = chosen.get_attribute("aria-label")
    assert name == f"anna: 1 token: anna {tokenizer.convert_tokens_to_ids('anna')}; segment 0"
    for box in (".bvl-words", ".bvl-tries"):
        assert page.locator(f'{box} [tabindex="0"]').count() == 1
    assert page.locator(".bvl [id]").count() == 0


@pytest.mark.sampled
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_page: Callable[..., Page], tokenizer: Any, theme: str) -> None:  # noqa: ANN401
    page = open_page(TokenView(tokenizer, f"{TEXT} 银行", "So he eats.", step=3), color_scheme=theme)
    for summary in page.locator(".bvl summary").all():
        summary.click()
    assert accessibility_problems(page) == []


def test_a_text_is_text_whatever_it_says(open_page: Callable[..., Page], tokenizer: Any) -> None:  # noqa: ANN401
    texts = (f"{HOSTILE} ${{alert(1)}} `", "<img src=x onerror=alert(1)> \u202eabc שלום")
    page = open_page(TokenView(tokenizer, *texts))
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for summary in page.locator(".bvl summary").all():
        summary.click()
    assert page.get_by_role("textbox", name="Text", exact=True).input_value() == texts[0]
    assert page.locator(f"{WORD} .bvl-typed").all_inner_texts()[:3] == ["<", "/", "script"]
    assert page.locator(".bvl img, .bvl script").count() == 0
    assert dialogs == []


def test_what_normalisation_changes_unfolds(open_page: Callable[..., Page], tokenizer: Any) -> None:  # noqa: ANN401
    page = open_page(TokenView(tokenizer, "Zoe\u0308"))
    page.get_by_text("What normalisation changes: 2 characters").click()
    rows = page.locator(".bvl details").first.locator("tbody tr").all_inner_texts()
    assert rows[0].split("\t")[1:] == ["U+005A", "LATIN CAPITAL LETTER Z", "z", "capital: made small"]
    assert "COMBINING DIAERESIS\tnothing" in rows[1]


def test_without_scripts_the_picture_and_the_tables_are_there(
    open_page: Callable[..., Page],
    tokenizer: Any,  # noqa: ANN401
) -> None:
    page = open_page(TokenView(tokenizer, TEXT), java_script_enabled=False)
    assert page.get_by_role("img", name="7 words become").bounding_box()
    page.locator("summary").first.click()
    assert page.get_by_role("row").count() >= 10


def test_taking_a_view_down_leaves_nothing(open_page: Callable[..., Page], tokenizer: Any) -> None:  # noqa: ANN401
    page = open_page(TokenView(tokenizer, TEXT))
    assert_leaves_nothing(page)


CELLS = [
    """
from bertviz_lite import TokenView, load
tokenizer, _ = load("pocket")
view = TokenView(tokenizer, "Anna unwrapped it.")
view
""".strip(),
    'print("state", repr(view.text), repr(view.text_pair), view.word, view.step)',
    'view.text_pair = "It sleeps."',
]


@pytest.mark.thorough
def test_live_in_jupyterlab(open_notebook: Callable[..., Page], tokenizer: Any) -> None:  # noqa: ANN401
    page = open_notebook(CELLS, viewport={"width": 1280, "height": 1000})
    view = page.locator(".bvl-tokens").first
    # The last cell has set the second text from Python.
    view.locator(".bvl-card", has_text="sleeps").wait_for()
    field = view.get_by_role("textbox", name="Text", exact=True)
    field.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("ab keyrings x")  # a, b and x are shortcuts of the notebook
    view.locator(".bvl-card", has_text="keyrings").wait_for()
    count = len(tokenizer("ab keyrings x", "It sleeps.")["input_ids"])
    view.get_by_text(f"= {count} tokens").wait_for()
    assert field.input_value() == "ab keyrings x"
    view.get_by_role("textbox", name="Second text").fill("")
    view.locator(".bvl-card", has_text="sleeps").wait_for(state="detached")
    view.locator(".bvl-card", has_text="keyrings").click()
    for key in ("Enter", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    view.get_by_text("Look 3 of ").wait_for()
    cells = page.locator(".jp-Notebook .jp-Cell")
    assert cells.count() == len(CELLS)
    run_cell(page, cells.nth(1))
    page.get_by_text("state 'ab keyrings x' None 1 2").wait_for()
    examples = view.get_by_role("combobox", name="Or choose")
    examples.select_option(label="Tom is hungry. / So he eats a sandwich.")
    view.locator(".bvl-card", has_text="sandwich").wait_for()
    assert view.get_by_role("textbox", name="Second text").input_value() == "So he eats a sandwich."
    assert view.get_attribute("data-theme") == "light"
    choose_theme(page, "JupyterLab Dark")
    page.locator('.bvl-tokens[data-theme="dark"]').wait_for()
