"""The masking lab in a real browser: a saved page without a kernel, and live in JupyterLab."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
import torch
from playwright.sync_api import expect

from bertviz_lite import MaskingLab, load
from bertviz_lite.data.masking import mask_tokens
from tests.helpers.browser import (
    PATIENCE_MS,
    accessibility_problems,
    assert_leaves_nothing,
    choose_theme,
    overflowing,
    page_percent,
    pass_tools,
    run_cell,
    says,
    wait_until,
)
from tests.views.test_masking_lab import tiny
from tests.views.test_views import HOSTILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

TEXT = "Anna loses her keyring in the park, so Tom opens the door."
PIECE = ".bvl-masking [role=option]"
GUESSES = ".bvl-masking .bvl-guesses table"
SCORE = ".bvl-masking .bvl-score"


@pytest.fixture(scope="module")
def make_lab() -> Iterator[Callable[..., MaskingLab]]:
    tokenizer, model = load("pocket")
    made: list[MaskingLab] = []

    def lab(text: str = TEXT, **state: object) -> MaskingLab:
        made.append(MaskingLab(model, tokenizer, text, **state))  # type: ignore[arg-type]
        return made[-1]

    yield lab
    for each in made:
        each.close()


def state(page: Page, *names: str) -> list[object]:
    found: list[object] = page.evaluate(
        "(names) => names.map((name) => bertvizLite.model.get(name))", list(names)
    )
    return found


def shown(page: Page) -> list[tuple[str, str, str]]:
    """Return what stands in each box: the token, what the model reads, the label."""
    return [
        tuple(box.locator("span, small").all_inner_texts())  # type: ignore[misc]
        for box in page.locator(PIECE).all()
    ]


def expected(lab: MaskingLab) -> list[tuple[str, str, str]]:
    """Return the same from Python's own sampling."""
    masked, labels = (part[0].tolist() for part in lab.masked())
    reads = lab.engine.tokenizer.convert_ids_to_tokens(masked)
    return [
        (token, read if label >= 0 else "·", str(label).replace("-", "−"))
        for token, read, label in zip(lab._tokens, reads, labels, strict=True)
    ]


def wait_for_guesses(page: Page) -> None:
    wait_until(page, f"document.querySelectorAll({GUESSES!r}).length === 2")


def counted(page: Page) -> list[list[str]]:
    rows = page.locator(".bvl-masking .bvl-scroll tbody tr").all()
    return [row.locator("th, td").all_inner_texts() for row in rows]


def test_the_sliders_sample_without_a_kernel_as_python_does(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]
) -> None:
    page = open_page(make_lab())
    assert shown(page) == expected(make_lab())
    page.get_by_role("slider", name="chosen").fill("0.5")
    assert shown(page) == expected(make_lab(rate=0.5))
    page.get_by_role("slider", name="draw").fill("42")
    assert shown(page) == expected(make_lab(rate=0.5, seed=42))
    page.get_by_role("slider", name="[MASK]").fill("0.4")
    page.get_by_role("checkbox", name="whole words").check()
    assert shown(page) == expected(make_lab(rate=0.5, seed=42, mask_share=0.4, whole_words=True))
    page.get_by_role("button", name="Draw again").click()
    assert shown(page) == expected(make_lab(rate=0.5, seed=43, mask_share=0.4, whole_words=True))
    page.get_by_role("button", name="15 %, 80/10/10").click()
    assert shown(page) == expected(make_lab(seed=43, whole_words=True))


def test_the_shares_fill_up_to_one_hundred_percent(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]
) -> None:
    page = open_page(make_lab())
    sliders = [page.get_by_role("slider", name=name) for name in ("[MASK]", "random", "stays")]
    sliders[0].fill("0.6")
    assert [slider.input_value() for slider in sliders] == ["0.6", "0.2", "0.2"]
    sliders[1].fill("1")
    assert [slider.input_value() for slider in sliders] == ["0", "1", "0"]
    sliders[1].fill("0")
    assert [slider.input_value() for slider in sliders] == ["0.5", "0", "0.5"]
    assert sliders[2].get_attribute("aria-valuetext") == "50.0\N{NO-BREAK SPACE}%"


def test_counts_are_those_of_python(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]
) -> None:
    page = open_page(make_lab(rate=0.4, whole_words=True))
    lab = make_lab(rate=0.4, whole_words=True)
    for cells, one, every in zip(counted(page), lab.counts(), lab.counts(every_seed=True), strict=True):
        assert cells[1:3] == [f"{one.hits} of {one.tries}", f"{one.expected:.1f}"]
        assert cells[3].startswith(f"{one.low}–{one.high}")
        assert cells[4].startswith(f"{every.hits} of {every.tries}, ")
        assert ("outside" in cells[5]) == (not every.low <= every.hits <= every.high)
    assert counted(page)[0][0] == "chosen words"


def assert_answered(page: Page, lab: MaskingLab) -> None:
    """Compare what stands under the chosen tokens, and the sentence on them, with Python's answers."""
    answers = lab.answers()
    tops = {place: guess.top[0] for place, guess in answers.items()}
    texts = {place: f"→ {token} {page_percent(share)}" for place, (token, share) in tops.items()}
    for place, text in texts.items():
        expect(page.locator(PIECE).nth(place).locator(".bvl-guess")).to_have_text(text, timeout=PATIENCE_MS)
    under = page.locator(f"{PIECE} .bvl-guess").all_inner_texts()
    assert [bool(text) for text in under] == [place in answers for place in range(len(under))]
    right = [place for place, guess in answers.items() if guess.top[0][0] == lab.tokens[place]]
    assert page.locator(f"{PIECE} .bvl-right").count() == len(right)
    loss = -sum(math.log(guess.truth) for guess in answers.values()) / len(answers)
    said = page.locator(SCORE).inner_text()
    assert f"is right at {len(right)} of " in said
    assert said.endswith(f"is {loss:.2f}.")


def test_the_model_answers_the_draw(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]
) -> None:
    page = open_page(make_lab(rate=0.3, seed=5))
    assert_answered(page, make_lab(rate=0.3, seed=5))
    page.get_by_role("button", name="Draw again").click()
    assert_answered(page, make_lab(rate=0.3, seed=6))
    page.get_by_role("slider", name="random").fill("1")
    assert_answered(page, make_lab(rate=0.3, seed=6, random_share=1.0))
    page.evaluate("bertvizLite.model.set('rate', 0.01)")
    says(page.locator(SCORE), "Nothing is chosen in this draw, so nothing is scored.")


def test_a_recording_has_the_answer_to_the_draw_it_was_saved_with(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]
) -> None:
    page = open_page(make_lab(rate=0.3, seed=5), live=False)
    assert_answered(page, make_lab(rate=0.3, seed=5))
    page.get_by_role("button", name="Draw again").click()
    says(page.locator(SCORE), "is not in this page: it was saved without the model.")


def test_a_hundred_more_draws_are_those_of_torch(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]
) -> None:
    lab = make_lab(whole_words=True, rate=0.4)
    page = open_page(lab)
    page.get_by_role("button", name="100 more draws").click()
    chosen = kept = 0
    ids = torch.tensor(lab._ids)[None]
    for seed in range(200):
        masked, labels = mask_tokens(ids, lab.masking, torch.Generator().manual_seed(seed))
        scored = labels != -100
        heads = [place for place, first in enumerate(lab._first) if first == place]
        chosen += int(scored[0, heads].sum())
        kept += int((scored & (masked == ids)).sum())
    rows = counted(page)
    assert page.locator("thead th").nth(3).inner_text() == "all 200 draws"
    assert rows[0][4].startswith(f"{chosen} of ")
    assert abs(int(rows[3][4].split()[0]) - kept) <= 1  # a random token may be the one that was there
    for _ in range(8):
        page.get_by_role("button", name="100 more draws").click()
    assert page.locator("thead th").nth(3).inner_text() == "all 1,000 draws"
    page.get_by_role("button", name="100 draws again").click()
    assert counted(page)[0][4] == counted(open_page(make_lab(whole_words=True, rate=0.4)))[0][4]


def test_there_is_no_empty_room_for_guesses_that_nobody_asked_for(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]
) -> None:
    page = open_page(make_lab())
    guesses = page.locator(".bvl-masking .bvl-guesses")
    assert guesses.bounding_box() is None or guesses.bounding_box()["height"] == 0  # type: ignore[index]


def test_a_click_hides_the_word_and_shows_before_and_after(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]
) -> None:
    page = open_page(make_lab())
    first = make_lab()._tokens.index("key")
    for whole_words in (False, True):
        lab = make_lab(whole_words=whole_words)
        page.evaluate("(on) => bertvizLite.model.set('whole_words', on)", whole_words)
        page.locator(PIECE).nth(first).click()
        wait_for_guesses(page)
        assert state(page, "selected") == [first]
        assert page.locator(f"{PIECE}.bvl-asked").count() == (4 if whole_words else 1)
        for table, guess in zip(page.locator(GUESSES).all(), lab.guesses(first).values(), strict=True):
            assert table.locator("th").all_inner_texts() == [token for token, _ in guess.top]
            shares = [page_percent(share) for _, share in guess.top]
            assert table.locator("td:last-child").all_inner_texts() == shares
        assert page.locator(f"{GUESSES} .bvl-true th").first.inner_text() == "key"
        page.locator(PIECE).nth(first).click()
        assert state(page, "selected") == [None]
        assert page.locator(GUESSES).count() == 0


def test_keyboard_alone_does_everything(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]
) -> None:
    page, last = open_page(make_lab()), len(make_lab()._tokens) - 1
    press = page.keyboard.press
    for _ in range(2):
        press("Tab")  # the sentence and its button
    pass_tools(page)
    press("Tab")
    press("ArrowRight")  # the rate
    assert state(page, "rate") == [pytest.approx(0.16)]
    press("Tab")
    press("ArrowRight")  # the draw
    assert state(page, "seed") == [1]
    press("Tab")
    press("Enter")  # draw again
    assert state(page, "seed") == [2]
    press("Tab")
    press("Enter")  # back to 15 %, 80/10/10
    assert state(page, "rate") == [0.15]
    press("Tab")
    press("Space")
    assert state(page, "whole_words") == [True]
    press("Tab")
    press("ArrowLeft")  # the share of [MASK]
    assert state(page, "mask_share") == [pytest.approx(0.79)]
    for _ in range(3):
        press("Tab")  # past the other two shares, to the tokens
    for key, place in (
        ("ArrowRight", 1),
        ("End", last),
        ("ArrowRight", last),
        ("Home", 0),
        ("ArrowRight", 1),
    ):
        press(key)
        assert (
            page.evaluate(f"[...document.querySelectorAll({PIECE!r})].indexOf(document.activeElement)")
            == place
        )
    assert "“anna”: first random draw" in page.locator(".bvl-draws").inner_text()
    press("Enter")
    wait_for_guesses(page)
    assert state(page, "selected") == [1]
    press("Escape")
    assert state(page, "selected") == [None]
    press("Home")
    press("Space")
    assert "[CLS]” is special: it is never hidden." in page.locator(".bvl-heading").inner_text()
    assert page.locator(f'{PIECE}[tabindex="0"]').count() == 1


def test_both_random_draws_are_explained(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]
) -> None:
    lab = make_lab(rate=0.5, mask_share=0.4, seed=5)
    page = open_page(make_lab(rate=0.5, mask_share=0.4, seed=5))
    choose_draw = lab._now.draws.arrays()[0][5]
    endings = {"mask": "[MASK]", "random": "a random token", "keep": "it stays"}
    for place, outcome in enumerate(lab.outcomes()):
        page.locator(PIECE).nth(place).click()
        text = page.locator(".bvl-draws").inner_text()
        if outcome == "special":
            assert "nothing is drawn for it" in text
            continue
        draw = f"{int(float(choose_draw[place]) * 1e4) / 1e4:.4f}"
        assert f"first random draw {draw}, {'not below' if outcome == 'left' else 'below'} 0.5: " in text
        assert text.endswith(f": {endings[outcome]}." if outcome in endings else "left alone, not scored.")


def test_touch(open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]) -> None:
    page = open_page(make_lab(), has_touch=True, viewport={"width": 390, "height": 800})
    page.locator(PIECE).nth(4).tap()
    wait_for_guesses(page)
    page.get_by_role("button", name="Draw again").tap()
    assert state(page, "selected", "seed") == [4, 1]


@pytest.mark.sampled
@pytest.mark.parametrize("width", [1280, 640, 320])  # 100 %, 200 % and 400 % on a screen of 1280
def test_nothing_is_cut_off_when_enlarged(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab], width: int
) -> None:
    page = open_page(make_lab(selected=3, rate=0.5), viewport={"width": width, "height": 900})
    wait_for_guesses(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert overflowing(page, but=".bvl-scroll") == []


def test_roles_and_names_for_a_screen_reader(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]
) -> None:
    page = open_page(make_lab(rate=0.99, mask_share=1.0, selected=1))
    assert page.get_by_role("region", name="Masking lab").count() == 1
    options = page.get_by_role("listbox", name="Tokens").get_by_role("option")
    assert options.count() == 19
    assert page.get_by_role("option", selected=True).count() == 1
    label = options.nth(1).get_attribute("aria-label")
    assert label is not None
    assert label.startswith("anna, 1: becomes [MASK], label ")
    assert options.nth(0).get_attribute(
        "aria-label"
    ) == "[CLS], 0: special, never chosen, label -100".replace("-", "−")
    assert page.get_by_role("group", name="Of the chosen tokens").get_by_role("slider").count() == 3
    assert page.get_by_role("table").count() >= 1
    assert page.locator(".bvl [id]").count() == 0
    assert page.get_by_role("textbox", name="Sentence").count() == 1  # the page's engine reads it


@pytest.mark.sampled
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab], theme: str
) -> None:
    page = open_page(make_lab(rate=0.9, mask_share=0.4, selected=2), color_scheme=theme)
    wait_for_guesses(page)
    assert page.locator(".bvl").get_attribute("data-theme") == theme
    assert accessibility_problems(page) == []


def test_tokens_are_text_whatever_they_say(open_page: Callable[..., Page]) -> None:
    model, tokenizer = tiny(HOSTILE)
    tokenizer.add_tokens([HOSTILE])
    page = open_page(MaskingLab(model, tokenizer, f"the {HOSTILE} sits", selected=2, rate=0.9))
    said: list[str] = []
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    wait_for_guesses(page)
    assert page.locator(PIECE).nth(2).locator("span").first.inner_text() == HOSTILE
    assert page.locator(".bvl img, .bvl script").count() == 0
    assert said == []


def test_without_scripts_the_picture_and_the_tables_are_there(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]
) -> None:
    page = open_page(make_lab(selected=2), java_script_enabled=False)
    assert page.get_by_role("img", name="19 tokens, draw 0").bounding_box()
    page.locator("summary").nth(1).click()
    assert page.get_by_role("row").count() >= 8


def test_taking_a_view_down_leaves_nothing(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]
) -> None:
    page = open_page(make_lab(selected=2))
    wait_for_guesses(page)
    assert_leaves_nothing(page)


def test_two_views_of_one_object_stay_together(
    open_page: Callable[..., Page], make_lab: Callable[..., MaskingLab]
) -> None:
    page = open_page(make_lab())
    page.evaluate("() => { const { view, model, place } = bertvizLite; view.render({ model, el: place }); }")
    views = page.locator(".bvl")
    assert views.count() == 2
    views.nth(1).get_by_role("button", name="Draw again").click()
    assert [text for text in page.locator(".bvl output").all_inner_texts() if "seed" in text] == [
        "seed 1"
    ] * 2


CELLS = [
    """
from bertviz_lite import MaskingLab, load
tokenizer, model = load()
lab = MaskingLab(model, tokenizer, "Anna loses her key in the park.", selected=2)
lab
""".strip(),
    """
print("state", lab.text, lab.rate, lab.mask_share, lab.random_share, lab.seed, lab.selected)
""".strip(),
    "lab.whole_words, lab.seed, lab.random_share = True, 9, 0.6",
]


@pytest.mark.thorough
def test_live_in_jupyterlab(open_notebook: Callable[..., Page]) -> None:
    page = open_notebook(CELLS, viewport={"width": 1280, "height": 1000})
    lab = page.locator(".bvl-masking")
    lab.wait_for(state="attached")
    # The last cell has set the state from Python, and the other two shares follow.
    lab.get_by_text("seed 9").wait_for()
    sliders = "[...document.querySelectorAll('.bvl-masking [role=group] input[type=range]')]"
    wait_until(page, f"{sliders}.map((one) => one.value).join() === '0.36,0.6,0.04'")
    wait_for_guesses(page)
    # Every one of these keys JupyterLab would take for itself.
    lab.locator("[role=option]").nth(5).click()
    for key in ("ArrowRight", "b", "x", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    lab.get_by_role("button", name="Draw again").click()
    lab.get_by_text("seed 10").wait_for()
    cells = page.locator(".jp-Notebook .jp-Cell")
    assert cells.count() == len(CELLS)
    # Another sentence, and one that cannot be read: Python says why.
    field = lab.get_by_role("textbox", name="Sentence")
    field.fill("Tom [MASK].")
    page.keyboard.press("Enter")
    wait_until(page, f"document.querySelectorAll({PIECE!r}).length === 5")
    field.fill("")
    page.keyboard.press("Enter")
    says(lab.locator(".bvl-problem"), "The sentence is empty")
    assert page.locator(PIECE).count() == 5
    run_cell(page, cells.nth(1))
    page.get_by_text("state Tom [MASK]. 0.15").wait_for()
    page.get_by_text("10 None").wait_for()
    assert lab.get_attribute("data-theme") == "light"
    choose_theme(page, "JupyterLab Dark")
    page.locator('.bvl-masking[data-theme="dark"]').wait_for()
