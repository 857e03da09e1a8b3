"""The course as a site: which pages it has, where their links lead, and what a chapter holds for Sphinx."""

from __future__ import annotations

import ast
import base64
import inspect
import json
import re
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml
from course_site.apart import set_apart
from course_site.chapters import prepared, shown_by, still
from course_site.dead_links import dead_links
from course_site.links import relinked
from course_site.pages import ADDRESS, HOME, SiteError, listed, site_pages
from course_site.staging import views_style, with_way_back, write_sitemap

import bertviz_lite
from bertviz_lite.views.base.saved.contents import Contents
from bertviz_lite.views.pages.book.chapter import Chapter

ROOT = Path(__file__).resolve().parents[2]
PAGES = site_pages(ROOT)


def test_every_chapter_and_every_document_has_a_page() -> None:
    chapters = {f"notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")}
    chapters |= {f"notebooks/zh/{path.name}" for path in (ROOT / "notebooks/zh").glob("*.ipynb")}
    assert "notebooks/zh/00_start_here.ipynb" in chapters
    documents = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    others = {"CHANGELOG.md", "CONTRIBUTING.md", "site/index.md", "site/api.md"}
    assert chapters | documents | others <= set(PAGES)
    assert len(set(PAGES.values())) == len(PAGES)


def test_the_first_page_lists_every_page_once() -> None:
    index = (ROOT / "site/index.md").read_text(encoding="utf-8")
    lines = listed(index, [*PAGES.values(), "a_new_page"]).split("\n")
    wanted = {page for page in PAGES.values() if not page.startswith("notebooks/")} - {"index"} | {
        "a_new_page"
    }
    assert [page for page in wanted if lines.count(page) != 1] == []
    in_lists = re.findall(r"\n```\{toctree\}.*?\n\n(.*?)```", "\n".join(lines), re.DOTALL)
    assert set("".join(in_lists).split()) == wanted | {"notebooks/*", "notebooks/zh/*"}


@pytest.mark.parametrize("file", [file for file in PAGES if file.endswith(".md")])
def test_every_link_of_a_page_leads_somewhere(file: str) -> None:
    relinked((ROOT / file).read_text(encoding="utf-8"), file, PAGES, ROOT)


@pytest.mark.parametrize("file", ["README.md", "README.zh.md"])
def test_the_readme_says_where_the_site_will_be(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert f"<{ADDRESS}>" in text
    assert f"]({ADDRESS}play/)" in text
    assert ".github/workflows/site.yml" in text


def test_links_lead_to_pages_of_the_site_else_to_the_repository() -> None:
    def led(markdown: str, file: str = "docs/results.md") -> str:
        return relinked(markdown, file, PAGES, ROOT)

    assert led("[a](glossary.md) [b](../CHANGELOG.md)") == "[a](glossary.md) [b](changelog.md)"
    assert led("[a](../notebooks/01_tokens.ipynb#Break-it)") == "[a](notebooks/01_tokens.ipynb#break-it)"
    assert led("[a](../docs/words.md)", "notebooks/01_tokens.ipynb") == "[a](../words.md)"
    assert led("[a](../LICENSE)") == f"[a]({HOME}/blob/main/LICENSE)"
    assert led("[a](../tests)") == f"[a]({HOME}/tree/main/tests)"
    assert led("![a](attention_explorer.png)") == f"![a]({HOME}/raw/main/docs/attention_explorer.png)"
    assert led("[`a` b](../notebooks/01_tokens.ipynb)") == "[`a` b](notebooks/01_tokens.ipynb)"
    assert led("[a](#Break-it:-b)", "notebooks/01_tokens.ipynb") == "[a](01_tokens.ipynb#break-it-b)"
    to_cell = "(site:../notebooks/01_tokens.html#cell-id=claim-ids)"
    exam = "docs/teaching/exam.md"
    assert led("[a](../../notebooks/01_tokens.ipynb#cell-id=claim-ids)", exam) == f"[a]{to_cell}"
    assert led('[a](../../notebooks/01_tokens.ipynb#Why:-b "cell claim-ids")', exam) == f"[a]{to_cell}"
    for same in ("[a](https://a.b/c_(d))", "[a](#here)", "`[a](none.md)`", "```\n[a](none.md)\n```"):
        assert led(same) == same
    with pytest.raises(SiteError, match=r"^docs/results.md: none.md leads nowhere.$"):
        led("[a](none.md)")


def on_the_api_page() -> list[str]:
    """Return what the API page documents, as it is written there."""
    text = (ROOT / "site/api.md").read_text(encoding="utf-8")
    return re.findall(r"^\.\. auto\w+:: ([\w.]+)(?:\(\))?$", text, re.MULTILINE)


def test_the_api_page_names_every_public_name_once() -> None:
    named = on_the_api_page()
    public = {name for name in bertviz_lite.__all__ if name != "__version__"}
    assert len(set(named)) == len(named)
    assert public <= {name.rpartition(".")[2] for name in named}
    assert {"bertviz_lite.views.View.save", "bertviz_lite.views.save_page"} <= set(named)


PLAIN = {"Any", "Bools", "Floats", "ForwardRef", "Ints", "Kind", "Mapping", "NDArray", "None"}
"""What stands in annotations and is no class of the package: of typing, of numpy, and literals."""


@pytest.mark.parametrize("room", [bertviz_lite.capture, bertviz_lite.trace], ids=["capture", "trace"])
def test_the_api_page_has_what_a_capture_and_a_trace_hold_and_return(room: Any) -> None:  # noqa: ANN401
    named = {name.rpartition(".")[2] for name in on_the_api_page()}
    assert set(room.__all__) <= named
    for kind in (getattr(room, name) for name in room.__all__ if name[0].isupper()):
        fields = chain(*(vars(base).get("__annotations__", {}).items() for base in kind.__mro__))
        members = ((name, getattr(each, "fget", each)) for name, each in inspect.getmembers_static(kind))
        returned = ((name, getattr(each, "__annotations__", {}).get("return")) for name, each in members)
        said = " ".join(str(held) for name, held in chain(fields, returned) if name[0] != "_")
        classes = set(re.findall(r"\b[A-Z]\w+", said)) - PLAIN
        assert classes <= named, (kind, classes - named)


def stored(*cells: tuple[str, str]) -> dict[str, Any]:
    outputs = {"output_type": "stream", "name": "stdout", "text": "seen\n"}
    return {
        "cells": [
            {"cell_type": kind, "id": f"cell-{number}", "metadata": {"tags": ["x"]}, "source": [source]}
            | ({"outputs": [outputs], "execution_count": 1} if kind == "code" else {})
            for number, (kind, source) in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def made(notebook: dict[str, Any], folder: Path, views: dict[tuple[int, int], Contents] | None = None) -> Any:  # noqa: ANN401
    """Return the cells of a notebook made ready."""
    chapter = Chapter("a", notebook["cells"], [], views or {})
    return prepared(notebook, shown_by(chapter, folder), str.upper, "A note.")["cells"]


def html_below(cell: dict[str, Any]) -> str:
    (output,) = cell["outputs"]
    html: str = output["data"]["text/html"]
    return html


def test_a_chapter_keeps_prose_and_code_and_shows_what_the_book_shows(tmp_path: Path) -> None:
    notebook = stored(("markdown", "# Why?"), ("code", "print('seen')"), ("code", " "))
    prose, place, code = made(notebook, tmp_path)
    assert place["source"] == '<span id="cell-id=cell-1"></span>'
    assert (prose["source"], code["source"], code["id"]) == ("# WHY?\n\nA note.", ["print('seen')"], "cell-1")
    assert html_below(code) == '<pre class="bvp-output">seen</pre>\n'
    assert not any(tmp_path.iterdir())


def test_an_output_below_a_prediction_is_folded_on_the_site_too(tmp_path: Path) -> None:
    notebook = stored(("markdown", "**Predict:** what?"), ("code", "1"), ("markdown", "So."), ("code", "2"))
    shown = [html_below(cell) for cell in made(notebook, tmp_path) if cell["cell_type"] == "code"]
    assert ['<details class="bvp-answer">' in html for html in shown] == [True, False]


def test_a_live_view_stands_in_its_cell_and_the_last_cell_starts_it(tmp_path: Path) -> None:
    notebook = stored(("markdown", "# Why?\n## See it"), ("code", "view"))
    picture = {"text/html": "<b>picture</b>", "text/plain": "FillIn()"}
    notebook["cells"][1]["outputs"] = [{"output_type": "execute_result", "data": picture}]
    views = {(1, 0): Contents("FillIn", "", "the module", {"text": "Anna"})}
    *_, code, last = made(notebook, tmp_path, views)
    html = html_below(code)
    assert '<div class="bvp-view" data-bvl-view="fillin" data-bvl-kind="FillIn" data-bvl-level="3">' in html
    assert "<b>picture</b>" in html
    assert last["metadata"]["tags"] == ["remove-input"]
    assert last["source"], "the reader of notebooks leaves out empty cells"
    (module,) = (tmp_path / "views").iterdir()
    assert f'data-bvl-src="../views/{module.name}"' in html_below(last)
    assert '<script type="module">' in html_below(last)


def test_a_real_chapter_without_its_views_shows_their_pictures() -> None:
    path = ROOT / "notebooks/03_attention.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    shown = still(path)
    assert shown["shared"] == ""
    with_outputs = {str(number) for number, cell in enumerate(cells) if cell.get("outputs")}
    assert {number for number, html in shown["below"].items() if html} == with_outputs
    assert "data-bvl-view" not in "".join(shown["below"].values())


def test_pictures_and_large_blocks_lie_beside_the_page_once(tmp_path: Path) -> None:
    pixels, letters = b"\x89PNG" + bytes(range(200)), base64.b64encode(bytes(9_000)).decode()
    picture = f'<img alt="a map" src="data:image/png;base64,{base64.b64encode(pixels).decode()}">'
    block = f'<script type="text/plain" data-bvl-block="layer/0">{letters}</script>'
    small = '<script type="text/plain" data-bvl-block="names">AAAA</script>'
    state = '<script type="application/json">{"html": "<img src=\\"data:image/png;base64,AAAA\\">"}</script>'
    page = set_apart(picture + block + small + state + picture + block, tmp_path, "../views/")
    names = re.findall(r'"\.\./views/([^"]*)"', page)
    assert len(names) == 4
    assert page.endswith(f'data-bvl-src="../views/{names[1]}"></script>')
    assert small + state in page
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(set(names))
    assert (tmp_path / names[0]).read_bytes() == pixels
    assert (tmp_path / names[1]).read_text() == f'document.currentScript.text="{letters}";\n'


def test_what_leads_nowhere_and_what_is_loaded_from_elsewhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<link rel="stylesheet" href="https://a.b/c.css"><link rel="canonical" href="https://a.b/a.html">'
        '<a href="b.html#here">x</a><a href="b.html#gone">x</a><a href="c.html">x</a><a href="#">x</a>'
        '<a href="https://a.b/">x</a><img src="d.png"><script data-bvl-src="e.js"></script>',
        encoding="utf-8",
    )
    (tmp_path / "b.html").write_text('<h2 id="here">x</h2>', encoding="utf-8")
    assert dead_links(tmp_path) == [
        "a.html: loads https://a.b/c.css from elsewhere",
        "a.html: b.html#gone: the page has no such place",
        "a.html: c.html leads nowhere",
        "a.html: d.png leads nowhere",
        "a.html: e.js leads nowhere",
    ]


def test_the_sitemap_names_pages_by_their_whole_address(tmp_path: Path) -> None:
    for name in ("index.html", "search.html", "play/index.html", "notebooks/00_start_here.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    write_sitemap(tmp_path)
    found = [one.text for one in ET.parse(tmp_path / "sitemap.xml").iter() if one.text and one.text.strip()]
    assert found == [ADDRESS, f"{ADDRESS}notebooks/00_start_here.html", f"{ADDRESS}play/"]


def test_the_page_for_phones_leads_to_the_course() -> None:
    assert '<a href="../index.html">' in with_way_back("<header>\n</header>\n<main></main>")
    with pytest.raises(SiteError, match="no header"):
        with_way_back("<main></main>")


def test_the_views_style_sheets_are_all_there() -> None:
    style = views_style(ROOT)
    files = [*(ROOT / "bertviz_lite/views").glob("*/view.css")]
    assert len(files) > 5
    assert all(file.read_text(encoding="utf-8") in style for file in files)


def test_sphinx_runs_no_chapter_and_loads_no_formulas_from_elsewhere() -> None:
    said = {}
    for node in ast.parse((ROOT / "site/conf.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            with suppress(ValueError):  # what is computed
                said[node.targets[0].id] = ast.literal_eval(node.value)
    assert said["nb_execution_mode"] == "off"
    assert said["html_math_renderer"] == "mathml"
    assert said["html_show_search_summary"] is False, "it fetches, which a page from a disk may not"
    assert {"myst_nb", "course_site.formulas"} <= set(said["extensions"])


def test_the_workflow_checks_the_site_before_it_publishes_it() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/site.yml").read_text(encoding="utf-8"))["jobs"]
    steps = [step.get("run", step.get("uses", "")) for step in jobs["build"]["steps"]]
    commands = "\n".join(steps)
    assert commands.index("make site") < commands.index("tools/check_site.py build/site")
    assert commands.index("tools/check_site.py") < commands.index("upload-pages-artifact")
    assert jobs["publish"]["needs"] == "build"
