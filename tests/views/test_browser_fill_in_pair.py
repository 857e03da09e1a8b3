"""The fill-in view and the pair view in a real Chromium: from a saved page, and live in JupyterLab."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect
from transformers import BertForPreTraining

from bertviz_lite import FillIn, PairView, load
from bertviz_lite.basics.text import percent
from bertviz_lite.views.fill_in.picture import rows_listed
from bertviz_lite.views.pair.verdicts import answer_to
from bertviz_lite.world.life import story
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
)
from tests.helpers.tiny_models import SPECIAL, WORDS, make
from tests.views.test_fill_in import tiny, tiny_tokenizer
from tests.views.test_pair_view import FIRST, SECOND, tiny as tiny_pair
from tests.views.test_views import HOSTILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

OPTION = ".bvl [role=option]"
MAY_BE_WIDER = ".bvl-scroll, svg, details:not([open]) > :not(summary)"
EXAMPLES = ["the cat [MASK] the [MASK] .", "a red [MASK] sings ."]
STORIES = [story(seed=3, index=0), story(seed=3, index=1)]  # of 7 and 8 sentences


def listed_words(view: Page | Locator) -> list[str]:
    shown = view.locator("[role=option] .bvl-name").all_inner_texts()
    return [re.sub(r"^“(\W+)”$", r"\1", word) for word in shown]  # punctuation marks are quoted


def numbers_of(view: FillIn) -> list[list[str]]:
    """Return the table's rows as Python's numbers make them."""
    words, shares, ranks = view.table()
    return [
        [
            words[row],
            *(f"{exact(share)} ({rank:,})" for share, rank in zip(shares[row], ranks[row], strict=True)),
        ]
        for row in rows_listed(view._shown())
    ]


def exact(share: float) -> str:
    if not 0 < share < 0.001:
        return f"{share:.4f}"
    digits, power = f"{share:.2e}".split("e")
    return f"{digits}e−{abs(int(power))}"


def table_of(view: Page | Locator) -> list[list[str]]:
    """Return the open table, read in one go: it may change while it is read."""
    read = """(bodies) => bodies.flatMap((body) =>
        [...body.rows].map((row) => [...row.cells].map((cell) => cell.textContent)))"""
    return view.locator("details tbody").evaluate_all(read)


def shows(view: Page | Locator, rows: list[list[str]]) -> None:
    """Wait until the view shows this table: opening it and answering what was typed take their time."""
    end = time.monotonic() + PATIENCE_MS / 1000
    while table_of(view) != rows and time.monotonic() < end:
        time.sleep(0.02)
    assert table_of(view) == rows


# ---- the fill-in view, saved


@pytest.mark.parametrize(("mask", "layer"), [(0, 2), (1, 0)])
def test_numbers_are_those_of_python(open_page: Callable[..., Page], mask: int, layer: int) -> None:
    view = tiny(mask=mask, layer=layer, follow=["boat"], k=5)
    page = open_page(view)
    page.locator("summary").click()
    rows = page.locator("details tbody tr")
    expect(rows).to_have_count(len(rows_listed(view._shown())), timeout=PATIENCE_MS)
    shows(page, numbers_of(view))
    assert listed_words(page) == [view.table()[0][row] for row in rows_listed(view._shown())]
    words, shares, _ = view.table()
    share = shares[words.index("boat"), layer]
    boat = page.get_by_role("option", name=re.compile("^boat: "))
    assert f"{100 * share:.1f}" in str(boat.get_attribute("aria-label"))
    assert "followed" in str(boat.get_attribute("aria-label"))


def test_heights_of_the_lines_are_the_probabilities(open_page: Callable[..., Page]) -> None:
    view = tiny(k=3)
    page = open_page(view)
    top = max(float(share) for share in page.locator(".bvl-ticks").inner_text().replace("\xa0%", "").split())
    area = page.locator(".bvl-area > svg").bounding_box()
    assert area
    words, shares, _ = view.table()
    for number, row in enumerate(rows_listed(view._shown())):
        d = page.locator(".bvl-area g .bvl-line").nth(number).get_attribute("d")
        places = np.array(re.findall(r"(-?[\d.]+) (-?[\d.]+)", str(d)), dtype=float)
        assert places[:, 0] == pytest.approx([0, 50, 100])
        assert 1 - places[:, 1] / 100 == pytest.approx(shares[row] / (top / 100), abs=1e-4)
    assert len(words) >= 3


def test_keyboard_alone_looks_follows_and_chooses(open_page: Callable[..., Page]) -> None:
    page = open_page(tiny(examples=EXAMPLES, k=4), live=False)
    press = page.keyboard.press
    press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SELECT"
    press("Tab")  # the sentence can be read and copied
    assert page.evaluate("document.activeElement.readOnly")
    pass_tools(page)
    press("Tab")  # the masks
    press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("[MASK] 2")
    press("Enter")
    assert trait(page, "mask") == 1
    says(page.locator(".bvl-heading"), "[MASK] 2 of 2")
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    press("Home")
    press("Space")
    assert trait(page, "mask") == 0
    press("Tab")  # the layer
    press("Home")
    assert trait(page, "layer") == 0
    press("End")
    press("Tab")  # probability or rank: how many words is off here
    press("Tab")
    press("Space")
    assert trait(page, "scale") == "rank"
    says(page.locator(".bvl-chart"), "Rank among")
    press("Tab")  # the words
    words = listed_words(page)
    for key, number in (("ArrowDown", 0), ("ArrowDown", 1), ("End", 3), ("ArrowUp", 2), ("Home", 0)):
        press(key)
        assert trait(page, "word") == words[number]
        says(page.locator(".bvl-readout"), f"“{words[number]}” after each layer: input: ")
        assert page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    press("Escape")
    assert trait(page, "word") is None
    press("Tab")  # the table
    press("Enter")
    expect(page.locator("details tbody tr")).to_have_count(4, timeout=PATIENCE_MS)


def test_mouse_points_and_follows(open_page: Callable[..., Page]) -> None:
    view = tiny(k=4)
    page = open_page(view)
    words = listed_words(page)
    page.locator(OPTION).nth(2).hover()
    says(page.locator(".bvl-readout"), f"“{words[2]}” after each layer")
    assert trait(page, "word") is None
    page.locator(OPTION).nth(2).click()
    assert trait(page, "word") == words[2]
    area = page.locator(".bvl-area > svg").bounding_box()
    assert area
    d = str(page.locator(".bvl-area g .bvl-line").first.get_attribute("d"))
    x, y = (float(number) for number in re.findall(r"(-?[\d.]+) (-?[\d.]+)", d)[-1])
    page.mouse.move(area["x"] + area["width"] * x / 100 - 1, area["y"] + area["height"] * y / 100)
    says(page.locator(".bvl-readout"), f"“{words[0]}” after each layer")
    page.mouse.down()
    page.mouse.up()
    assert trait(page, "word") == words[0]
    page.locator(".bvl-masked").nth(1).click()
    assert trait(page, "mask") == 1


def test_examples_are_there_without_python(open_page: Callable[..., Page]) -> None:
    view = tiny("the [MASK] .", examples=EXAMPLES, follow=["boat"], k=5)
    other = tiny(EXAMPLES[0], follow=["boat"], k=5, mask=1)
    page = open_page(view, live=False)
    field = page.get_by_role("textbox", name="A sentence with [MASK]")
    assert field.get_attribute("readonly") is not None
    says(page.locator(".bvl-asking"), "Typing is off: the model is not in this page.")
    assert page.get_by_role("button", name="Follow", exact=True).is_disabled()
    assert page.get_by_role("button", name="Insert").count() == 0
    page.locator("summary").click()
    page.get_by_label("Examples").select_option(EXAMPLES[0])
    says(page.locator(".bvl-heading"), "[MASK] 1 of 2")
    assert field.input_value() == EXAMPLES[0]
    page.locator(".bvl-masked").nth(1).click()
    says(page.locator(".bvl-heading"), "[MASK] 2 of 2")
    shows(page, numbers_of(other))
    page.get_by_label("Examples").select_option("as it was saved")
    expect(field).to_have_value("the [MASK] .", timeout=PATIENCE_MS)
    shows(page, numbers_of(view))


def test_touch_on_a_narrow_screen(open_page: Callable[..., Page]) -> None:
    page = open_page(tiny(), has_touch=True, viewport={"width": 390, "height": 800})
    page.locator(".bvl-masked").nth(1).tap()
    assert trait(page, "mask") == 1
    page.locator(OPTION).nth(3).tap()
    assert trait(page, "word") == listed_words(page)[3]
    page.get_by_role("button", name="rank").tap()
    assert trait(page, "scale") == "rank"


@pytest.mark.parametrize("width", [1280, 640, 320])  # 100 %, 200 % and 400 % on a screen of 1280
def test_nothing_is_cut_off_when_enlarged(open_page: Callable[..., Page], width: int) -> None:
    view = tiny(examples=EXAMPLES, follow=["under", "boat"], word="boat")
    page = open_page(view, viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    area = page.locator(".bvl-area > svg").bounding_box()
    assert area
    assert area["width"] >= 180
    assert overflowing(page, but=MAY_BE_WIDER) == []


@pytest.mark.sampled
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_page: Callable[..., Page], theme: str) -> None:
    view = tiny(examples=EXAMPLES, follow=["boat"], word="boat")
    page = open_page(view, color_scheme=theme)
    assert page.locator(".bvl").get_attribute("data-theme") == theme
    page.locator(".bvl summary").click()
    assert accessibility_problems(page) == []
    assert page.locator(".bvl [id]").count() == 0


def test_pieces_are_text_whatever_they_say(open_page: Callable[..., Page]) -> None:
    nasty = ("<img/src=x/onerror=alert(1)>", HOSTILE, "${alert(1)}")
    model = make(BertForPreTraining, vocab_size=len(SPECIAL) + len(WORDS) + len(nasty))
    view = FillIn(model, tiny_tokenizer(*nasty), "the [MASK]", follow=nasty, word=nasty[0])
    page = open_page(view)
    said: list[str] = []
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    assert set(nasty) <= set(listed_words(page))
    says(page.locator(".bvl-readout"), f"“{nasty[0]}” after each layer")
    assert page.locator(".bvl img, .bvl script").count() == 0
    assert said == []


def test_without_scripts_the_picture_and_the_table_are_there(open_page: Callable[..., Page]) -> None:
    page = open_page(tiny(), java_script_enabled=False)
    assert page.get_by_role("img", name="the words that BERT puts for mask 1 of 2").bounding_box()
    page.locator("summary").first.click()
    assert page.get_by_role("row").count() >= 9


def leaks(page: Page) -> None:
    assert_leaves_nothing(page)


def test_taking_a_view_down_leaves_nothing(open_page: Callable[..., Page]) -> None:
    leaks(open_page(tiny(examples=EXAMPLES)))


def test_two_views_of_one_object_stay_together(open_page: Callable[..., Page]) -> None:
    page = open_page(tiny(examples=EXAMPLES))
    page.evaluate("() => { const { view, model, place } = bertvizLite; view.render({ model, el: place }); }")
    first, second = page.locator(".bvl").nth(0), page.locator(".bvl").nth(1)
    second.locator("[role=option]").nth(2).click()
    says(first.locator(".bvl-readout"), f"“{listed_words(second)[2]}” after each layer")
    second.get_by_label("Examples").select_option(EXAMPLES[1])
    field = first.get_by_role("textbox", name="A sentence with [MASK]")
    expect(field).to_have_value(EXAMPLES[1], timeout=PATIENCE_MS)
    expect(first.locator(".bvl-masked")).to_have_count(1, timeout=PATIENCE_MS)


# ---- the pair view, saved

PAIRS = [("true", FIRST, SECOND), ("swapped", SECOND, FIRST)]
WORD = ".bvl button.bvl-word"


def signed(value: float, digits: int) -> str:
    text = f"{abs(value):.{digits}f}"
    return text if float(text) == 0 else f"{'−' if value < 0 else '+'}{text}"


def rows_of(view: PairView) -> list[list[str]]:
    """Return the pair view's table as Python's numbers make it."""
    words, segments, support = view.table()
    facts, _ = view.found
    column = 0 if view.measure == "probability" else 1
    rows = []
    for i in np.argsort(-np.abs(support[:, column]), kind="stable"):
        points, log_odds = 100 * support[i, 0], support[i, 1]
        rows.append(
            [
                words[i],
                "AB"[segments[i]],
                f"{facts['probability'] - support[i, 0]:.4f}",
                signed(points, 1 if abs(points) >= 1 else 2),
                signed(facts["log_odds"] - log_odds, 2),
                signed(log_odds, 2),
            ]
        )
    return rows


def test_words_of_a_pair_have_pythons_numbers(open_page: Callable[..., Page]) -> None:
    view = tiny_pair(examples=PAIRS)
    page = open_page(view)
    page.locator("summary").click()
    shows(page, rows_of(view))
    meter = page.get_by_role("meter", name="Probability that B continues A")
    assert meter.get_attribute("aria-valuenow") == f"{100 * view.probability:.1f}"
    says(page.locator(".bvl-heading"), f"Probability that B continues A: {100 * view.probability:.1f}\xa0%.")
    says(page.locator(".bvl-heading"), answer_to(view.probability).replace(" %", "\xa0%"))
    fill, whole = page.locator(".bvl-fill").bounding_box(), meter.bounding_box()
    assert fill
    assert whole
    assert fill["width"] / whole["width"] == pytest.approx(view.probability, abs=0.02)
    view.measure = "probability"
    page.get_by_role("button", name="probability").click()
    says(page.locator(".bvl-note"), "in points")
    shows(page, rows_of(view))
    assert page.locator(".bvl-special").all_inner_texts() == ["[CLS]", "[SEP]", "[SEP]"]


def test_tints_say_sign_and_strength(open_page: Callable[..., Page]) -> None:
    view = tiny_pair()
    page = open_page(view, live=False)
    words, _, support = view.table()
    strongest = np.abs(support[:, 1]).max()
    for number in range(len(words)):
        word = page.locator(WORD).nth(number)
        tint = word.evaluate("(one) => one.style.getPropertyValue('--bvl-tinted')")
        assert f"--bvl-{'negative' if support[number, 1] < 0 else 'positive'})" in tint
        found = re.search(r"\* ([\d.]+)\)", tint)
        assert found
        assert float(found[1]) == pytest.approx(abs(support[number, 1]) / strongest, abs=6e-4)
        if abs(support[number, 1]) / strongest > 0.2:
            says(word.locator("small"), signed(support[number, 1], 2))
    best = int(np.abs(support[:, 1]).argmax())
    page.locator(WORD).nth(best).hover()
    readout = page.locator(".bvl-readout")
    says(readout, f"“{words[best]}” in ")
    says(readout, f"(lost: {signed(support[best, 1], 2)}).")
    shown = (
        f"{100 * view.probability:.2f}\xa0% becomes {100 * (view.probability - support[best, 0]):.2f}\xa0%"
    )
    says(readout, shown)
    page.mouse.move(1, 1)
    says(readout, "Point at a word for its exact numbers.")
    page.locator(WORD).nth(best).click()  # without Python a word is picked out, not hidden
    assert trait(page, "word") == best
    assert trait(page, "first") == FIRST


def test_keyboard_alone_reads_a_pair(open_page: Callable[..., Page]) -> None:
    view = tiny_pair(examples=PAIRS)
    page = open_page(view, live=False)
    words, _, support = view.table()
    order = np.argsort(-np.abs(support[:, 1]), kind="stable").tolist()
    press = page.keyboard.press
    press("Tab")  # examples
    pass_tools(page)
    for _ in range(2):
        press("Tab")  # A, B
    assert page.evaluate("document.activeElement.value") == SECOND
    press("Tab")
    press("Space")
    assert trait(page, "measure") == "probability"
    press("Tab")
    press("Space")
    assert trait(page, "measure") == "log-odds"
    press("Tab")  # the words
    for key, number in (("ArrowRight", 1), ("End", 13), ("ArrowLeft", 12), ("Home", 0)):
        press(key)
        says(page.locator(".bvl-readout"), f"“{words[number]}” in {'AB'[number > 6]}")
    press("Enter")
    assert trait(page, "word") == 0
    press("Tab")  # the list
    assert page.evaluate("document.activeElement.getAttribute('role')") == "option"
    press("Home")
    assert trait(page, "word") == order[0]
    press("ArrowDown")
    assert trait(page, "word") == order[1]
    press("End")
    assert trait(page, "word") == order[-1]
    last = page.locator(OPTION).last
    assert last.evaluate("(one) => one === document.activeElement")
    press("Escape")
    assert trait(page, "word") is None


def test_examples_of_pairs_are_there_without_python(open_page: Callable[..., Page]) -> None:
    tokenizer, model = load()
    view = PairView.from_stories(model, tokenizer, STORIES)
    first, second = view.first, view.second
    page = open_page(view, live=False)
    says(page.locator(".bvl-asking"), "Typing is off: the model is not in this page.")
    page.locator("summary").click()
    shows(page, rows_of(view))
    page.get_by_label("Examples").select_option("the parts in wrong order")
    field = page.get_by_role("textbox", name="A, the first text")
    expect(field).to_have_value(second, timeout=PATIENCE_MS)
    view.first, view.second = second, first
    shows(page.locator(".bvl"), rows_of(view))
    assert page.get_by_label("A from story").is_disabled()
    assert page.get_by_label("A from story").evaluate("(one) => one.selectedOptions[0].text") == "–"
    page.get_by_label("Examples").select_option("the true next part")
    expect(field).to_have_value(first, timeout=PATIENCE_MS)
    assert page.get_by_label("A from story").input_value() == "0"


@pytest.mark.parametrize("width", [1280, 640, 320])
def test_nothing_of_a_pair_is_cut_off_when_enlarged(open_page: Callable[..., Page], width: int) -> None:
    page = open_page(tiny_pair(examples=PAIRS, word=3), viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert overflowing(page, but=MAY_BE_WIDER) == []


@pytest.mark.sampled
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_a_pair(open_page: Callable[..., Page], theme: str) -> None:
    page = open_page(tiny_pair(examples=PAIRS, word=3), color_scheme=theme)
    assert page.locator(".bvl").get_attribute("data-theme") == theme
    page.locator(".bvl summary").click()
    assert accessibility_problems(page) == []
    assert page.locator(".bvl [id]").count() == 0


def test_touch_picks_a_word_of_a_pair(open_page: Callable[..., Page]) -> None:
    page = open_page(tiny_pair(), has_touch=True, viewport={"width": 390, "height": 800}, live=False)
    page.locator(OPTION).nth(2).tap()
    number = int(str(page.locator(OPTION).nth(2).get_attribute("data-word")))
    assert trait(page, "word") == number
    page.locator(WORD).nth(13 - number).tap()
    assert trait(page, "word") == 13 - number


def test_a_pair_is_text_whatever_it_says(open_page: Callable[..., Page]) -> None:
    nasty = "< img src = x onerror = the cat >"
    marks = ("<", ">", "=", "img", "src", "x", "onerror")
    model = make(BertForPreTraining, vocab_size=len(SPECIAL) + len(WORDS) + len(marks))
    view = PairView(model, tiny_tokenizer(*marks), "<img src=x onerror=the>", nasty)
    page = open_page(view)
    assert page.locator(f"{WORD} .bvl-mono").all_inner_texts() == view.table()[0]
    assert view.table()[0][:4] == ["<", "img", "src", "="]
    assert page.locator(".bvl img, .bvl script").count() == 0


def test_taking_a_pair_down_leaves_nothing(open_page: Callable[..., Page]) -> None:
    leaks(open_page(tiny_pair(examples=PAIRS)))


# ---- live

FILL_IN_CELLS = [
    """
from bertviz_lite import FillIn, load
tokenizer, model = load()
examples = ["Anna lost her [MASK] ."]
view = FillIn(model, tokenizer, "The farmer lost her [MASK].", examples=examples, follow=["key"])
view
""".strip(),
    'print("state", view.text, view.mask, view.layer, *view.follow, view.word)',
    "view.layer = 3",
]


@pytest.mark.thorough
def test_fill_in_live_in_jupyterlab(open_notebook: Callable[..., Page]) -> None:
    tokenizer, model = load()
    page = open_notebook(FILL_IN_CELLS, viewport={"width": 1400, "height": 1000})
    view = page.locator(".bvl")
    view.wait_for(state="attached")
    says(view.locator(".bvl-layer"), "layer 2 (3 of 4)")  # the last cell has set it
    view.locator("summary").click()
    expected = FillIn(model, tokenizer, "The farmer lost her [MASK].", follow=["key"], layer=3)
    shows(view, numbers_of(expected))
    # A word is hidden by a click, another mask is typed.
    view.get_by_role("button", name="hide farmer").click()
    says(view.locator(".bvl-heading"), "[MASK] 1 of 2")
    field = view.get_by_role("textbox", name="A sentence with [MASK]")
    expect(field).to_have_value("The [MASK] lost her [MASK].", timeout=PATIENCE_MS)
    expected.text = "The [MASK] lost her [MASK]."
    shows(view, numbers_of(expected))
    # Ctrl+M in the field: the notebook keeps its hands off.
    field.fill("Tom lost the key in the ")
    field.press("Control+m")
    says(view.locator(".bvl-masked small"), re.compile(r"\S+ [\d.<]+"))
    expect(field).to_have_value("Tom lost the key in the [MASK]", timeout=PATIENCE_MS)
    assert field.evaluate("(one) => one === document.activeElement")
    page.keyboard.type(".")
    expected.text = "Tom lost the key in the [MASK]."
    rows = numbers_of(expected)
    shows(view, rows)
    # What is refused stays, with the reason; the numbers stay too.
    field.fill("Tom lost the key.")
    says(view.locator(".bvl-problem"), "The sentence has no [MASK]: click a word to hide it.")
    assert field.get_attribute("aria-invalid") == "true"
    assert field.input_value() == "Tom lost the key."
    assert table_of(view) == rows
    view.get_by_role("textbox", name="also follow").fill("keys and locks")
    page.keyboard.press("Enter")
    says(view.locator(".bvl-problem"), re.compile(r"^“keys and locks” is \d tokens"))
    # From what was refused one goes on by a click, and back by Undo.
    view.get_by_role("button", name="hide key").click()
    says(view.locator(".bvl-masked small"), re.compile(r"\w+ [\d.<]+"))
    expect(view.locator(".bvl-problem")).to_be_hidden(timeout=PATIENCE_MS)
    expected.text = "Tom lost the [MASK]."
    shows(view, numbers_of(expected))
    view.get_by_role("button", name="Undo").click()
    expect(field).to_have_value("Tom lost the key in the [MASK].", timeout=PATIENCE_MS)
    shows(view, rows)
    # Follow a word; keys are the view's, not the notebook's.
    view.get_by_role("textbox", name="also follow").fill("Garden")
    page.keyboard.press("Enter")
    says(view.locator(".bvl-chips"), "garden")
    view.get_by_role("option", name=re.compile("^garden: ")).click()
    for key in ("b", "x", "a", "ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
    cells = page.locator(".jp-Notebook .jp-Cell")
    assert cells.count() == len(FILL_IN_CELLS)
    run_cell(page, cells.nth(1))
    page.get_by_text("state Tom lost the key in the [MASK]. 0 3 key garden garden").wait_for()
    view.get_by_label("Examples").select_option("Anna lost her [MASK] .")
    expect(field).to_have_value("Anna lost her [MASK] .", timeout=PATIENCE_MS)
    expected.text, expected.follow = "Anna lost her [MASK] .", ["key", "garden"]
    shows(view, numbers_of(expected))
    field.fill("no mask")
    says(view.locator(".bvl-problem"), "The sentence has no [MASK]")
    view.get_by_role("button", name="Undo").click()
    expect(field).to_have_value("Anna lost her [MASK] .", timeout=PATIENCE_MS)
    expect(view.locator(".bvl-problem")).to_be_hidden(timeout=PATIENCE_MS)
    assert view.get_attribute("data-theme") == "light"
    choose_theme(page, "JupyterLab Dark")
    page.locator('.bvl[data-theme="dark"]').wait_for()


PAIR_CELLS = [
    """
from bertviz_lite import PairView, load
from bertviz_lite.world.life import story
tokenizer, model = load()
view = PairView.from_stories(model, tokenizer, [story(seed=3, index=0), story(seed=3, index=1)])
view
""".strip(),
    'print("state", view.first, "|", view.second, "|", view.word, view.measure)',
    'view.measure = "probability"',
]


@pytest.mark.thorough
def test_pair_live_in_jupyterlab(open_notebook: Callable[..., Page]) -> None:
    tokenizer, model = load()
    expected = PairView.from_stories(model, tokenizer, STORIES, measure="probability")
    page = open_notebook(PAIR_CELLS, viewport={"width": 1400, "height": 1100})
    view = page.locator(".bvl")
    view.wait_for(state="attached")
    says(view.locator(".bvl-note"), "in points")  # the last cell has set it
    view.locator("summary").click()
    shows(view, rows_of(expected))
    # A word is hidden for good, and the numbers go on from there.
    words, _, _ = expected.table()
    word = words.index("rope")
    view.locator("button.bvl-word").nth(word).click()
    first, second = expected.first, expected.second
    expected.second = second.replace("rope", "[MASK]", 1)
    says(view.locator(".bvl-heading"), f"{percent(expected.probability)}.".replace(" %", "\xa0%"))
    shows(view, rows_of(expected))
    fields = view.get_by_role("textbox")
    expect(fields.nth(1)).to_have_value(expected.second, timeout=PATIENCE_MS)
    expect(view.locator("button.bvl-hidden")).to_have_count(1, timeout=PATIENCE_MS)
    view.get_by_role("button", name="Undo").click()
    expected.second = second
    shows(view, rows_of(expected))
    # Typed texts; what is refused stays, with the reason.
    fields.nth(1).fill("")
    says(view.locator(".bvl-problem"), "B is empty: type one.")
    shows(view, rows_of(expected))
    fields.nth(1).fill("She was happy.")
    expected.second = "She was happy."
    shows(view, rows_of(expected))
    expect(view.locator(".bvl-problem")).to_be_hidden(timeout=PATIENCE_MS)
    # A and B picked from stories.
    view.get_by_label("B from story").select_option("1")
    told = STORIES[1].sentences
    expected.second = " ".join(map(str, told[1:]))
    shows(view, rows_of(expected))
    view.get_by_label("B: cut after sentence").select_option("3")
    expected.second = " ".join(map(str, told[3:]))
    shows(view, rows_of(expected))
    view.get_by_role("button", name="Swap A and B").click()
    expected.first, expected.second = expected.second, first
    shows(view, rows_of(expected))
    # Keys are the view's, not the notebook's; Python has the state.
    view.locator(OPTION.removeprefix(".bvl ")).first.click()
    for key in ("b", "x", "ArrowDown"):
        page.keyboard.press(key)
    cells = page.locator(".jp-Notebook .jp-Cell")
    assert cells.count() == len(PAIR_CELLS)
    picked = int(np.argsort(-np.abs(expected.table()[2][:, 0]), kind="stable")[1])
    run_cell(page, cells.nth(1))
    says(cells.nth(1), f"state {expected.first} | {expected.second} | {picked} probability")
    view.get_by_label("Examples").select_option("another story’s")
    says(view.locator(".bvl-heading"), "B is of another story (label 1)")
    choose_theme(page, "JupyterLab Dark")
    page.locator('.bvl[data-theme="dark"]').wait_for()
