"""Several views in one page from file://, in Chromium: tabs, one model, no view in another's way."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from course_site.apart import set_apart
from playwright.sync_api import expect

from bertviz_lite import Explorer, FillIn, Machine, PairView, load
from bertviz_lite.views import ViewError, save_page
from bertviz_lite.views.pages.__main__ import main
from bertviz_lite.views.pages.class_page import TABS
from tests.conftest import assert_quiet
from tests.helpers.browser import PATIENCE_MS, accessibility_problems, open_context, says, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def open_file(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a page from file://; at the end, nothing must have left the machine or complained."""
    with ExitStack() as stack:
        every = []

        def opened(path: Path, place: str = "", **options: object) -> Page:
            context, watched = stack.enter_context(open_context(browser, **options))
            every.append(watched)
            page = context.new_page()
            page.goto(path.as_uri() + place)
            return page

        yield opened
        assert_quiet(every)


@pytest.fixture(scope="module")
def class_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page that ``make page`` writes."""
    path = tmp_path_factory.mktemp("pages") / "class.html"
    assert main([str(path)]) == 0
    return path


def small_page(path: Path) -> tuple[FillIn, FillIn, PairView]:
    """Write a page of three views, two of them of one kind."""
    tokenizer, model = load()
    views = {
        "One": FillIn(model, tokenizer, "Anna lost her [MASK] ."),
        "Two": FillIn(model, tokenizer, "The [MASK] barks .", k=3),
        "Pairs": PairView(model, tokenizer, "Anna lost her key.", "She looks for it."),
    }
    for view in views.values():
        view._page_fallback = lambda: "<p>Only a picture.</p>"  # type: ignore[method-assign] # drawing it takes long
    save_page(path, views, texts={"Two": "Who barks?"})
    return tuple(views.values())  # type: ignore[return-value]


def drawn(page: Page) -> list[str]:
    names: list[str] = page.evaluate("Object.keys(bertvizLite.views)")
    return names


def opened(page: Page, tab: str) -> str:
    """Open a tab, wait until its view is drawn, and return the view's name."""
    button = page.get_by_role("tab", name=tab, exact=True)
    button.click()
    name = button.get_attribute("data-bvp-tab")
    wait_until(page, f"bertvizLite.views['{name}']")
    return str(name)


# ------------------------------------------------------------------------------------------- for a class


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_for_a_class_works_on_a_phone(
    class_page: Path, open_file: Callable[..., Page], scheme: str
) -> None:
    assert class_page.stat().st_size <= 8_400_000
    page = open_file(class_page, color_scheme=scheme, **PHONE)
    sizes = page.locator("[data-bvl-model]").evaluate_all("(all) => all.map((one) => one.textContent.length)")
    assert len([size for size in sizes if size > 1_000_000]) == 1  # the model
    assert len(sizes) == 2  # and a tokenizer alone
    assert page.get_by_role("tab").all_inner_texts() == [tab.name for tab in TABS]
    seen = ["fill-in"]
    for tab in TABS:
        name = opened(page, tab.name)
        assert drawn(page) == [*dict.fromkeys([*seen, name])], "a view starts when its tab is opened"
        seen.append(name)
        panel = page.get_by_role("tabpanel")
        assert panel.count() == 1
        assert page.locator(".bvl:visible").get_attribute("data-theme") == scheme
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert accessibility_problems(page, every=True) == []
    heights = page.get_by_role("tab").evaluate_all("tabs => tabs.map((tab) => tab.offsetHeight)")
    assert min(heights) >= 44


@pytest.mark.thorough
def test_title_and_tabs_stay_in_their_place_when_a_wide_view_has_been_opened(
    class_page: Path, open_file: Callable[..., Page]
) -> None:
    page = open_file(class_page, viewport={"width": 1920, "height": 1080})
    places = []
    for tab in ("Fill in", "Attention", "Embeddings", "Tokens"):
        opened(page, tab)
        title = page.get_by_role("heading", level=1).bounding_box()
        view = page.locator(".bvl:visible").bounding_box()
        assert title is not None
        assert view is not None
        places.append(title)
        if tab in {"Attention", "Embeddings"}:
            assert view["width"] > 1_500
            middle = title["x"] + page.locator("header").bounding_box()["width"] / 2  # type: ignore[index]
            assert view["x"] + view["width"] / 2 == pytest.approx(middle, abs=1)
        else:
            assert view["x"] == title["x"]
    assert all(place == places[0] for place in places)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_page_for_a_class_has_its_first_view_soon(
    class_page: Path, open_file: Callable[..., Page]
) -> None:
    page = open_file(class_page)
    wait_until(page, "bertvizLite.views['fill-in']")
    assert page.evaluate("performance.now()") < 10_000  # a second, where nothing else runs


# ------------------------------------------------------------------------------------------- one model


def test_views_of_one_page_answer_with_one_engine_and_leave_each_other_alone(
    open_file: Callable[..., Page], tmp_path: Path
) -> None:
    one, two, pair = small_page(tmp_path / "page.html")
    page = open_file(tmp_path / "page.html")
    opened(page, "One")
    page.get_by_role("textbox", name="A sentence with [MASK]").fill("The farmer opens the [MASK] .")
    wait_until(page, "bertvizLite.views.one.model.get('text') === 'The farmer opens the [MASK] .'")
    one.text = "The farmer opens the [MASK] ."
    words, shares, _ = one.table()
    best = int(np.argmax(shares[:, -1]))
    first = page.locator(".bvl-option:visible").first
    says(first, words[best])
    says(first, f"{100 * shares[best, -1]:.1f}")
    opened(page, "Two")
    assert page.evaluate("bertvizLite.views.two.model.get('text')") == two.text
    assert page.locator(".bvl-option:visible").count() == 3
    opened(page, "Pairs")
    page.get_by_role("textbox", name="B, the second text").fill("She sleeps in the boat.")
    pair.second = "She sleeps in the boat."
    says(page.locator(".bvl-heading:visible").first, f"{100 * pair.probability:.1f}\xa0%")
    engines = "globalThis[Symbol.for('bertviz-lite engines')]"
    assert page.evaluate(f"[...{engines}.values()].map(({{borrowers}}) => borrowers)") == [2]
    opened(page, "One")
    assert page.evaluate("bertvizLite.views.one.model.get('text')") == one.text


def test_a_view_that_cannot_be_drawn_keeps_its_picture_and_leaves_the_others(
    open_file: Callable[..., Page], tmp_path: Path
) -> None:
    class Broken(Explorer):
        _esm = "export default { render() { throw new Error('no such thing'); } };"

    broken = Broken([np.full((1, 1, 2, 2), 0.5)], ["a", "b"])
    fine = Explorer([np.full((1, 1, 2, 2), 0.5)], ["a", "b"])
    save_page(tmp_path / "page.html", {"Broken": broken, "Fine": fine}, title="Two")
    page = open_file(tmp_path / "page.html")
    says(page.get_by_role("alert"), "This view cannot be drawn here: no such thing")
    assert page.locator("img:visible").count() == 1
    opened(page, "Fine")
    expect(page.locator(".bvl:visible")).to_be_visible(timeout=PATIENCE_MS)
    assert page.title() == "Two"


# ------------------------------------------------------------------------------------------------ tabs


def test_tabs_are_chosen_by_keys_and_by_address(open_file: Callable[..., Page], tmp_path: Path) -> None:
    small_page(tmp_path / "page.html")
    page = open_file(tmp_path / "page.html", "#two")
    assert page.get_by_role("tab", selected=True).inner_text() == "Two"
    assert "Who barks?" in page.get_by_role("tabpanel", name="Two").inner_text()
    page.get_by_role("tab", name="Two").focus()
    chosen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End"):
        page.keyboard.press(key)
        chosen.append(page.get_by_role("tab", selected=True).inner_text())
        expect(page.get_by_role("tab", selected=True)).to_be_focused()
        assert page.locator("[role=tab][tabindex='0']").count() == 1
        assert page.get_by_role("tabpanel").count() == 1
    assert chosen == ["Pairs", "One", "Pairs", "One", "Pairs"]
    assert page.evaluate("location.hash") == "#pairs"
    page.evaluate("location.hash = '#one'")
    expect(page.get_by_role("tab", name="One")).to_have_attribute("aria-selected", "true")
    wait_until(page, "bertvizLite.views.one")


def test_a_link_to_a_state_is_that_of_one_view(open_file: Callable[..., Page], tmp_path: Path) -> None:
    weights = [np.full((2, 3, 3), 1 / 3)] * 3
    save_page(tmp_path / "page.html", {name: Explorer(weights, ["a", "b", "c"]) for name in ("One", "Two")})
    page = open_file(tmp_path / "page.html", "#two&state=%7B%22layer%22%3A2%2C%22head%22%3A1%7D")
    wait_until(page, "bertvizLite.views.two")
    assert page.evaluate("bertvizLite.views.two.model.get('layer')") == 2
    opened(page, "One")
    assert page.evaluate("bertvizLite.views.one.model.get('layer')") == 0


def test_without_scripts_all_pictures_are_seen(open_file: Callable[..., Page], tmp_path: Path) -> None:
    small_page(tmp_path / "page.html")
    page = open_file(tmp_path / "page.html", java_script_enabled=False)
    assert page.get_by_text("Only a picture.").all_inner_texts() == ["Only a picture."] * 3
    assert page.locator("[role=tab]:visible").count() == 0


# --------------------------------------------------------------------------------------------- refusals


def test_what_makes_no_page_is_refused_in_one_line(tmp_path: Path) -> None:
    view = Explorer([np.full((1, 1, 2, 2), 0.5)], ["a", "b"])
    refused: list[tuple[object, dict[str, object], str]] = [
        ({}, {}, "views is empty: a page needs at least one."),
        (
            [view],
            {},
            'views is a list: views by the names of their tabs are needed, as in {"Fill in": view}.',
        ),
        ({"A": 3}, {}, "views['A'] is an int: a view is needed."),
        ({"A b": view, "a-B": view}, {}, "'a-B' and 'A b': each tab needs a name of its own"),
        ({"?": view}, {}, "'?': each tab needs a name of its own, of letters or digits."),
        ({"A": view}, {"texts": {"B": "x"}}, "texts has 'B', and there is no such tab: 'A'."),
    ]
    for views, options, message in refused:
        with pytest.raises(ViewError, match=re.escape(message)):
            save_page(tmp_path / "page.html", views, **options)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_numbers_beside_a_page_come_from_their_files(tmp_path: Path, open_file: Callable[..., Page]) -> None:
    tokenizer, model = load()
    view = Machine(model, tokenizer, "Anna is hungry, so [MASK] eats an apple.", layer=1, token=3)
    view.save(tmp_path / "whole.html", live=False)
    text = (tmp_path / "whole.html").read_text(encoding="utf-8")
    whole = re.sub(r"<meta[^>]*Content-Security-Policy[^>]*>", "", text)  # a page of the site has files
    (tmp_path / "views").mkdir()
    apart = tmp_path / "apart.html"
    apart.write_text(set_apart(whole, tmp_path / "views", "views/"), encoding="utf-8")
    assert len(list((tmp_path / "views").glob("block-*.js"))) == model.config.num_hidden_layers
    page = open_file(apart)
    page.locator(".bvl-map [data-box=query]").click()
    page.locator(".bvl-panel summary:visible").first.click()
    first = page.locator(".bvl-panel tbody td:visible").first
    expect(first).to_have_text(re.compile(r"\d"), timeout=PATIENCE_MS)
    shown = float(first.inner_text().replace("−", "-"))
    assert shown == pytest.approx(float(view.read("query")[3][0]), abs=5e-4)
