"""A notebook as a page: formulas, prose, cells, and what cannot be made a page."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from bertviz_lite import Explorer
from bertviz_lite.views.base.saved.contents import AnsweringModel, Contents
from bertviz_lite.views.base.static import LIVE
from bertviz_lite.views.pages.book.cells import code_html, output_html
from bertviz_lite.views.pages.book.chapter import with_room, write_chapter
from bertviz_lite.views.pages.book.formulas import FormulaError, mathml
from bertviz_lite.views.pages.book.markdown import Prose
from bertviz_lite.views.pages.shelf import Shown

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


def formulas() -> Iterator[str]:
    """Yield every formula of the chapters."""
    for notebook in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                prose = re.sub(r"```.*?```|`[^`]*`", "", "".join(cell["source"]), flags=re.DOTALL)
                for block, line in re.findall(r"\$\$(.+?)\$\$|\$([^$]+?)\$", prose, flags=re.DOTALL):
                    yield block or line


# How many elements MathML wants inside: https://www.w3.org/TR/mathml-core/
INSIDE = {"mfrac": 2, "munder": 2, "msup": 2, "msub": 2, "mi": 0, "mn": 0, "mo": 0, "mtext": 0, "mspace": 0}


def test_every_formula_of_the_chapters_is_mathml() -> None:
    found = list(formulas())
    assert len(found) > 20
    for source in found:
        tree = ET.fromstring(mathml(source))
        for element in tree.iter():
            assert len(element) == INSIDE.get(element.tag, len(element)), source
            assert element.tag in {*INSIDE, "math", "mrow", "msqrt"}
        digits = re.sub(r"[^0-9a-z]", "", "".join(tree.itertext()))
        written = re.sub(
            r"\\(?:text|mathrm)\b|\\(?!(?:ln|sin|cos|tanh|min)\b)[A-Za-z]+|[^0-9a-z]", "", source
        )
        assert digits == written, source


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        (r"\frac{1}{n}", "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>n</mi></mrow></mfrac>"),
        ("x_i^2", "<msup><msub><mi>x</mi><mi>i</mi></msub><mn>2</mn></msup>"),
        (r"-\ln p", "<mo>−</mo><mi>ln</mi><mo>\u2061</mo><mi>p</mi>"),
        (r"\tanh^2 x", "<msup><mi>tanh</mi><mn>2</mn></msup><mo>\u2061</mo><mi>x</mi>"),
        (r"\left.a\right|", "<mrow><mi>a</mi><mo>|</mo></mrow>"),
        (r"\big(a", '<mo stretchy="false">(</mo><mi>a</mi>'),
        (
            r"\underbrace{w}_{\text{which}}",
            "<munder><munder><mrow><mi>w</mi></mrow><mo>⏟</mo></munder><mrow><mtext>which</mtext></mrow></munder>",
        ),
        ("a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
    ],
)
def test_a_formula_has_the_parts_that_the_standard_names(source: str, seen: str) -> None:
    assert mathml(source).replace("&#x2061;", "\u2061") == f"<math>{seen}</math>"


def test_what_a_formula_may_not_hold_is_named_and_shown_as_it_is_written() -> None:
    with pytest.raises(FormulaError, match=r"\\unheard is not known"):
        mathml(r"\unheard{x}")
    with pytest.raises(FormulaError, match=r"} is missing"):
        mathml(r"\sqrt{x")
    with pytest.raises(FormulaError, match="something is missing"):
        mathml("x^")
    assert Prose([]).html(r"see $\unheard{x}$").strip() == r"<p>see <code>\unheard{x}</code></p>"


def test_headings_and_links_lead_where_those_of_the_notebook_do() -> None:
    prose = Prose(["01_tokens"])
    found = prose.html("## Two `words` & more\n\n[a](01_tokens.ipynb#Break-it) [b](02.ipynb) [c](../x.md)")
    assert '<h2 id="Two-words-&amp;-more">Two <code>words</code> &amp; more</h2>' in found
    assert '<a href="01_tokens.html#Break-it">a</a> b c' in found
    assert prose.headings == [(2, "Two-words-&-more", "Two <code>words</code> &amp; more")]
    assert '<a href="https://a.b/">d</a>' in prose.html("[d](https://a.b/)")


def test_an_empty_corner_of_a_table_is_no_heading() -> None:
    found = Prose([]).html("| | a |\n| --- | ---: |\n| b | 1 |\n")
    assert re.findall(r"<t[hd]\b[^>]*>[^<]*", found) == [
        *("<td>", '<th style="text-align:right">a'),
        *("<td>b", '<td style="text-align:right">1'),
    ]


def test_outputs_are_shown_in_the_best_of_their_forms() -> None:
    prose = Prose([])
    shown: list[tuple[dict[str, Any], str]] = [
        ({"output_type": "stream", "text": ["a <b>\n", "\x1b[31mc\x1b[0m\n"]}, "a &lt;b&gt;\nc"),
        ({"output_type": "execute_result", "data": {"text/html": "<b>x</b>", "text/plain": "x"}}, "<b>x</b>"),
        ({"output_type": "display_data", "data": {"text/markdown": "*x*"}}, "<em>x</em>"),
        ({"output_type": "display_data", "data": {"image/png": "AAAA\n"}}, "data:image/png;base64,AAAA"),
        ({"output_type": "execute_result", "data": {"text/plain": ["1 <", " 2"]}}, "1 &lt; 2"),
    ]
    for output, text in shown:
        assert text in output_html(output, prose)
    assert '<span class="hl-k">def</span>' in code_html("def f(): ...")


# ------------------------------------------------------------------------------------------- refusals


def view_output(text: str) -> dict[str, Any]:
    return {"output_type": "execute_result", "data": {"text/html": "<p>picture</p>", "text/plain": text}}


def notebook(path: Path, *code: tuple[str, list[dict[str, Any]]]) -> Path:
    cells = [{"cell_type": "code", "source": source, "outputs": outputs} for source, outputs in code]
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    return path


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the program as ``make book`` does."""
    command = [sys.executable, "-m", "bertviz_lite.views.pages.book", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.thorough
def test_what_cannot_be_made_a_page_is_refused_in_one_line(tmp_path: Path) -> None:
    show = "from bertviz_lite import Explorer\nExplorer([[[[1.0]]]], ['a'])"
    stored = "Explorer(1 tokens, other)"
    broken = tmp_path / "broken.ipynb"
    broken.write_text("{", encoding="utf-8")
    fails = notebook(tmp_path / "a.ipynb", ("1 / 0", [view_output(stored)]))
    other = notebook(tmp_path / "b.ipynb", (show, [view_output(stored)]))
    for path, message in (
        (fails, "a.ipynb: cell 0: ZeroDivisionError"),
        (other, f"was stored with {stored}: run it again"),
        (broken, "broken.ipynb is no notebook"),
        (tmp_path, "is no notebook"),
        ("03", "error: 03: there is no such file; give a path, as notebooks/03_attention.ipynb."),
    ):
        done = run(path, "--to", tmp_path / "book")
        assert done.returncode == 2
        assert message in done.stderr
        assert "Traceback" not in done.stderr
        assert not list((tmp_path / "book").iterdir())


def test_a_model_that_is_too_large_for_a_chapter_stays_outside_and_its_view_says_so() -> None:
    def shown(name: str, megabytes: float) -> Shown:
        packed = np.random.default_rng(1).bytes(int(megabytes * 0.75e6))  # in base64, a third more
        model = AnsweringModel(name, "", packed)
        return Shown(name, Contents("View", "", "", {"_engine": name}, model=model), "", 3)

    views = [shown("a", 5), shown("b", 9), shown("a", 5), shown("c", 2)]
    kept = with_room(["prose", *views], room=8)[1:]
    assert [view.contents.model is not None for view in kept if isinstance(view, Shown)] == [
        True,
        False,
        True,
        True,
    ]
    assert isinstance(kept[1], Shown)
    assert kept[1].contents.state == {
        "_engine": "",
        "_not_live": "With its model this page would have 18 MB, and may have 12.",
    }


def test_a_chapter_without_views_is_not_run(tmp_path: Path) -> None:
    path = notebook(tmp_path / "a.ipynb", ("1 / 0", [{"output_type": "stream", "text": "stored"}]))
    told: list[tuple[int, int]] = []
    count = write_chapter(path, tmp_path / "a.html", [], lambda number, of: told.append((number, of)))
    assert (count, told) == (0, [])
    assert "stored</pre>" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_outputs_below_a_prediction_are_folded_up_to_the_next_prose(tmp_path: Path) -> None:
    def stream(text: str) -> dict[str, Any]:
        return {"output_type": "stream", "text": text}

    path = tmp_path / "a.ipynb"
    cells = [
        {"cell_type": "code", "source": "0", "outputs": [stream("before")]},
        {"cell_type": "markdown", "source": "**Predict:** whom will *she* ask?"},
        {"cell_type": "code", "source": "1", "outputs": [stream("anna"), stream("0.93")]},
        {"cell_type": "code", "source": "2 # no output", "outputs": []},
        {"cell_type": "code", "source": "3", "outputs": [stream("tom")]},
        {"cell_type": "markdown", "source": "It asks *Anna*."},
        {"cell_type": "code", "source": "4", "outputs": [stream("after")]},
    ]
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    write_chapter(path, tmp_path / "a.html", [], lambda *_: None)
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    folds = re.findall(r'<details class="bvp-answer">(.*?)</details>', page, flags=re.DOTALL)
    assert [re.findall(r"<pre[^>]*>(.*?)</pre>", fold) for fold in folds] == [["anna", "0.93"], ["tom"]]
    assert all("<summary>" in fold for fold in folds)
    assert "before</pre>" in page
    assert "after</pre>" in page


def test_a_view_that_a_notebook_stored_as_picture_and_live_view_is_in_the_page_once(tmp_path: Path) -> None:
    show = "from bertviz_lite import Explorer\nExplorer([[[[1.0]]]], ['a'])"
    stored = repr(Explorer([[[[1.0]]]], ["a"]))
    live = {LIVE: {"model_id": "0"}, "text/html": "", "text/plain": ""}
    outputs = [view_output(stored), {"output_type": "display_data", "data": live, "metadata": {}}]
    path = notebook(tmp_path / "saved.ipynb", (show, outputs))
    written = run(path, "--to", tmp_path)
    assert written.returncode == 0, written.stderr
    page = (tmp_path / "saved.html").read_text(encoding="utf-8")
    assert page.count("data-bvl-view=") == 1
