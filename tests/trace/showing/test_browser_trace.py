"""The trace view and the trace's tree in a real Chromium: from a saved page, and live in JupyterLab."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bertviz_lite.trace.showing.walk.route import route
from bertviz_lite.views import TraceView
from tests.helpers.browser import (
    accessibility_problems,
    assert_leaves_nothing,
    choose_theme,
    open_context,
    overflowing,
    run_cell,
    traits,
    wait_until,
)
from tests.trace.hand_traces import bert, failed
from tests.trace.showing.hostile import hostile
from tests.views.test_views import HOSTILE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page

    from bertviz_lite.trace import Trace

pytestmark = pytest.mark.browser

ROW = ".bvl [role=treeitem]"


@pytest.fixture(scope="module")
def made() -> Trace:
    return bert()


def state(page: Page) -> dict[str, object]:
    return traits(page, TraceView.state)


def heading(page: Page) -> str:
    return page.locator(".bvl-heading").inner_text()


def chosen(page: Page) -> Locator:
    return page.locator(f'{ROW}[aria-selected="true"]')


def axes(page: Page, which: int) -> list[str]:
    """Return the axes of what comes in (0) or goes out (1), without the marks before them."""
    texts = page.locator(".bvl-tensor").nth(which).locator("li").all_inner_texts()
    return [re.sub(r"^\W+", "", text) for text in texts]


def focus(page: Page) -> None:
    page.locator(f'{ROW}[tabindex="0"]').focus()


def test_arrows_walk_the_steps_of_python(open_page: Callable[..., Page], made: Trace) -> None:
    view = made.follow()
    way = route(made, "input_ids")
    stops = way.stops({step.index for step in way.modules if step.path in view.collapsed})
    page = open_page(view)
    assert heading(page) == "Start: input_ids"
    assert axes(page, 0) == ["batch=2", "seq_len=7"]
    focus(page)
    for number, step in enumerate(stops, 1):
        page.keyboard.press("ArrowRight")
        assert heading(page).startswith(f"Step {number} of {len(stops)}: ")
        hop = way.hops[step.index]
        assert hop.before is not None
        assert hop.after is not None
        assert axes(page, 0) == [str(axis) for axis in hop.before.axes]
        shown = [text.removesuffix(" (new)") for text in axes(page, 1)]
        assert shown == [str(axis) for axis in hop.after.axes]
        assert page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    page.keyboard.press("ArrowRight")
    assert heading(page).startswith(f"Step {len(stops)} of")
    page.keyboard.press("Home")
    assert heading(page) == "Start: input_ids"


def test_keyboard_goes_into_and_out_of_modules(open_page: Callable[..., Page], made: Trace) -> None:
    page = open_page(made.follow())
    press = page.keyboard.press
    focus(page)
    press("ArrowDown")
    assert heading(page) == "Step 1 of 7: embeddings (BertEmbeddings)"
    press("Enter")
    assert heading(page) == "Step 1 of 8: word_embeddings (Embedding)"
    assert page.locator(".bvl-change").inner_text() == (
        "Each id is replaced by a row of the table: hidden_size=128 is new."
    )
    assert axes(page, 1) == ["batch=2", "seq_len=7", "hidden_size=128 (new)"]
    press("Shift+ArrowLeft")
    assert heading(page) == "Step 1 of 7: embeddings (BertEmbeddings)"
    press("ArrowRight")
    for _ in range(3):
        press("]")
    assert heading(page).endswith(": query (Linear)")
    crumbs = page.locator(".bvl-crumbs button").all_inner_texts()
    assert crumbs == ["BertForPreTraining", "bert", "encoder", "layer.0", "attention", "self"]
    press("ArrowRight")
    assert heading(page).endswith(": view(2, 7, -1, 32)")
    sentence = page.locator(".bvl-change").inner_text()
    assert sentence == "hidden_size=128 is split into num_heads=4 × head_size=32."
    assert page.locator(".bvl-heard").inner_text().endswith(sentence)
    press("[")
    press("Enter")
    assert heading(page).endswith(": query (Linear)")
    press("Shift+ArrowUp")
    press("Shift+ArrowUp")
    assert heading(page).endswith(": attention (BertAttention)")
    press("End")
    assert heading(page).endswith(": cls (BertPreTrainingHeads)")
    press("Shift+ArrowRight")
    assert heading(page).endswith(": predictions (Linear)")


def test_buttons_slider_and_tree_by_mouse(open_page: Callable[..., Page], made: Trace) -> None:
    page = open_page(made.follow())
    page.get_by_role("button", name="Step forward").click()
    page.get_by_role("button", name="Step forward").click()
    assert heading(page) == "Step 2 of 7: layer.0 (BertLayer)"
    page.get_by_role("button", name="Into").click()
    assert heading(page) == "Step 2 of 9: attention (BertAttention)"
    page.get_by_role("button", name="Out").click()
    assert heading(page) == "Step 2 of 7: layer.0 (BertLayer)"
    page.get_by_role("button", name="Last step").click()
    page.get_by_role("button", name="Step back").click()
    assert heading(page) == "Step 6 of 7: pooler (BertPooler)"
    page.get_by_role("slider", name="Step").fill("3")
    assert heading(page) == "Step 3 of 7: layer.1 (BertLayer)"
    page.locator(ROW, has_text="layer.2").click()
    assert heading(page) == "Step 4 of 7: layer.2 (BertLayer)"
    page.locator(ROW, has_text="layer.3").locator(".bvl-fold").click()
    assert heading(page) == "Step 5 of 9: attention (BertAttention)"
    page.locator(ROW, has_text="BertEncoder").click()
    assert heading(page) == "Step 2 of 4: encoder (BertEncoder)"
    page.get_by_role("button", name="First step").click()
    assert heading(page) == "Start: input_ids"
    assert page.get_by_role("button", name="Step back").get_attribute("aria-disabled") == "true"


def test_crumbs_close_the_module_that_they_name(open_page: Callable[..., Page], made: Trace) -> None:
    page = open_page(made.follow(collapsed=[], step=30))
    before = page.locator(".bvl-crumbs button").all_inner_texts()
    assert before[:3] == ["BertForPreTraining", "bert", "encoder"]
    page.get_by_role("button", name="encoder", exact=True).click()
    assert heading(page).endswith(": encoder (BertEncoder)")
    assert state(page)["collapsed"] == ["bert.encoder"]


def test_another_tensor_can_be_followed(open_page: Callable[..., Page], made: Trace) -> None:
    page = open_page(made.follow(step=5))
    page.get_by_role("combobox", name="Follow").select_option("attention_mask")
    assert heading(page) == "Start: attention_mask"
    assert state(page)["step"] == 0
    focus(page)
    page.keyboard.press("ArrowRight")
    assert heading(page).endswith(": [:, None, None, :]")
    assert page.locator(".bvl-change").inner_text() == "2 axes of size 1 are put in."


def test_state_set_from_outside_is_drawn(open_page: Callable[..., Page], made: Trace) -> None:
    page = open_page(made.follow())
    page.evaluate("""() => {
        bertvizLite.model.set("collapsed", []);
        bertvizLite.model.set("step", 15);
    }""")
    way = route(made, "input_ids")
    wait_until(page, "document.querySelector('.bvl-heading').textContent.startsWith('Step ')")
    assert way.steps[14].name in heading(page)


def test_table_holds_every_stop(open_page: Callable[..., Page], made: Trace) -> None:
    view = made.follow(step=3)
    page = open_page(view)
    assert page.locator(".bvl-numbers tbody tr").count() == 0
    page.locator(".bvl-numbers summary").click()
    rows = page.locator(".bvl-numbers tbody tr")
    way = route(made, "input_ids")
    stops = way.stops({step.index for step in way.modules if step.path in view.collapsed})
    rows.nth(len(stops)).wait_for()
    assert rows.count() == len(stops) + 1
    assert "hidden_size=128 is new." in rows.nth(1).inner_text()
    assert rows.nth(1).get_attribute("aria-current") == "step"


def test_failure_is_seen_at_once_and_at_its_step(open_page: Callable[..., Page]) -> None:
    page = open_page(failed().follow())
    message = "seq_len is 130, the position table has 128 rows: encoder input, line 106."
    assert page.get_by_role("status").inner_text() == f"✗ {message}"
    focus(page)
    page.keyboard.press("End")
    assert page.locator(".bvl-change").inner_text() == f"✗ Failed here: {message}"
    assert "✗ failed here" in page.locator(".bvl-hop").inner_text()
    assert "[128, hidden_size=128]" in page.locator(".bvl-facts").inner_text()
    assert page.locator(f"{ROW}.bvl-failed").count() == 3


def test_unsure_axes_have_their_mark_and_its_meaning(open_page: Callable[..., Page], made: Trace) -> None:
    page = open_page(made.follow(collapsed=[]))
    legend = "? marks a size that more than one axis name would fit."
    assert legend not in page.locator(".bvl-facts").inner_text()
    focus(page)
    page.keyboard.press("End")
    assert axes(page, 1)[-1] == "2? (new)"
    assert legend in page.locator(".bvl-facts").inner_text()


def test_touch(open_page: Callable[..., Page], made: Trace) -> None:
    page = open_page(made.follow(), has_touch=True, viewport={"width": 390, "height": 800})
    page.locator(ROW, has_text="layer.1").tap()
    page.get_by_role("button", name="Into").tap()
    page.get_by_role("button", name="Step forward").tap()
    assert heading(page).endswith(": intermediate (Linear)")


@pytest.mark.parametrize("width", [1280, 640, 320])  # 100 %, 200 % and 400 % on a screen of 1280
def test_nothing_is_cut_off_when_enlarged(open_page: Callable[..., Page], made: Trace, width: int) -> None:
    page = open_page(made.follow(collapsed=[], step=25), viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert overflowing(page, but=".bvl-scroll, .bvl-tree, svg, .bvl-heard") == []


def test_the_chosen_row_is_in_sight_and_the_page_stays(open_page: Callable[..., Page], made: Trace) -> None:
    page = open_page(made.follow(collapsed=[]))
    tree = page.locator(".bvl-tree").bounding_box()
    assert tree
    focus(page)
    for key in ("End", "Home", "End"):
        page.keyboard.press(key)
        row = chosen(page).bounding_box()
        assert row
        assert tree["y"] - 1 <= row["y"]
        assert row["y"] + row["height"] <= tree["y"] + tree["height"] + 1
    assert page.evaluate("window.scrollY") == 0


def test_roles_and_names_for_a_screen_reader(open_page: Callable[..., Page], made: Trace) -> None:
    page = open_page(made.follow(step=3))
    assert page.get_by_role("region", name="Path of a tensor through BertForPreTraining").count() == 1
    assert page.get_by_role("tree", name="Steps of the path").count() == 1
    assert page.get_by_role("treeitem", selected=True).count() == 1
    assert page.get_by_role("treeitem", expanded=True).count() == 3
    assert page.locator(f'{ROW}[tabindex="0"]').count() == 1
    slider = page.get_by_role("slider", name="Step")
    assert slider.get_attribute("aria-valuetext") == heading(page)
    assert page.locator(".bvl-heard[aria-live=polite]").inner_text().startswith(heading(page))
    assert page.locator(".bvl [id]").count() == 0


@pytest.mark.sampled
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("make", [bert, failed])
def test_axe_finds_nothing_serious(
    open_page: Callable[..., Page], make: Callable[[], Trace], theme: str
) -> None:
    page = open_page(make().follow(collapsed=[], step=4), color_scheme=theme)
    page.locator(".bvl summary").click()
    assert accessibility_problems(page) == []


def test_names_are_text_whatever_they_say(open_page: Callable[..., Page]) -> None:
    page = open_page(hostile().follow(HOSTILE, collapsed=[]))
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    assert heading(page) == f"Start: {HOSTILE}"
    focus(page)
    page.keyboard.press("End")
    page.locator(".bvl summary").click()
    assert HOSTILE in heading(page)
    assert page.locator(".bvl img, .bvl script").count() == 0
    assert dialogs == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_follows_the_readers_theme(open_page: Callable[..., Page], made: Trace, scheme: str) -> None:
    page = open_page(made.follow(), color_scheme=scheme)
    assert page.locator(".bvl").get_attribute("data-theme") == scheme


def test_without_scripts_the_figure_and_the_table_are_there(
    open_page: Callable[..., Page], made: Trace
) -> None:
    page = open_page(made.follow(), java_script_enabled=False)
    assert page.get_by_role("img", name="input_ids gains hidden_size").bounding_box()
    page.locator("summary").click()
    assert page.get_by_role("row").count() == 8


def test_taking_a_view_down_leaves_nothing(open_page: Callable[..., Page], made: Trace) -> None:
    page = open_page(made.follow())
    assert_leaves_nothing(page)


def test_two_views_of_one_object_stay_together(open_page: Callable[..., Page], made: Trace) -> None:
    page = open_page(made.follow())
    page.evaluate("() => { const { view, model, place } = bertvizLite; view.render({ model, el: place }); }")
    views = page.locator(".bvl")
    assert views.count() == 2
    views.nth(1).get_by_role("button", name="Step forward").click()
    assert views.nth(0).locator(".bvl-heading").inner_text().startswith("Step 1 of 7")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_tree_folds_without_a_script(browser: Browser, made: Trace, tmp_path: Path, theme: str) -> None:
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>'
    scheme = '<meta name="color-scheme" content="light dark">'
    page_text = f"{head}{scheme}<body><main><h1>Trace</h1>{made._repr_html_()}</main></body></html>"
    (tmp_path / "tree.html").write_text(page_text, encoding="utf-8")
    with open_context(browser, java_script_enabled=False, color_scheme=theme) as (context, watched):
        page = context.new_page()
        page.goto((tmp_path / "tree.html").as_uri())
        attention = page.locator("summary", has_text="BertAttention").first
        inside = page.locator("summary", has_text="BertSelfAttention").first
        assert not inside.is_visible()
        attention.focus()
        page.keyboard.press("Enter")
        inside.wait_for()
        inside.click()
        page.get_by_text("softmax(dim=-1)").first.wait_for()
        assert watched.left_the_machine() == []
    with open_context(browser, color_scheme=theme) as (context, _):
        page = context.new_page()
        page.goto((tmp_path / "tree.html").as_uri())
        assert accessibility_problems(page) == []


CELLS = [
    """
from tests.trace.hand_traces import bert
made = bert()
view = made.follow("input_ids")
view
""".strip(),
    "made",
    """
print("state", view.value, view.step, len(view.collapsed))
""".strip(),
    'view.step, view.collapsed = 3, ["cls", "bert.encoder"]',
]


@pytest.mark.thorough
def test_live_in_jupyterlab(open_notebook: Callable[..., Page]) -> None:
    page = open_notebook(CELLS, viewport={"width": 1280, "height": 1000})
    view = page.locator(".bvl")
    view.wait_for(state="attached")
    # The last cell has set the step from Python; embeddings are open, so the first inside is shown.
    view.locator(".bvl-heading", has_text="Step 1 of 7: word_embeddings (Embedding)").wait_for()
    view.locator("[role=treeitem]", has_text="BertEncoder").click()
    # JupyterLab would take every one of these keys for itself.
    for key in ("ArrowUp", "b", "x", "ArrowDown", "Enter", "[", "Home", "End"):
        page.keyboard.press(key)
    view.locator(".bvl-heading", has_text="cls (BertPreTrainingHeads)").wait_for()
    cells = page.locator(".jp-Notebook .jp-Cell")
    assert cells.count() == len(CELLS)
    steps = route(bert(), "input_ids").steps
    cls = next(number for number, step in enumerate(steps, 1) if step.path == "cls")
    run_cell(page, cells.nth(2))
    page.get_by_text(re.compile(rf"state input_ids {cls} \d+")).wait_for()
    # The tree of the second cell.
    tree = cells.nth(1)
    tree.locator("summary", has_text="BertAttention").first.click()
    tree.locator("summary", has_text="BertSelfAttention").first.wait_for()
    assert view.get_attribute("data-theme") == "light"
    choose_theme(page, "JupyterLab Dark")
    page.locator('.bvl[data-theme="dark"]').wait_for()
