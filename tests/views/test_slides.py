"""Decks: every quotation stands in its chapter, every slide keeps the rules, and what is stale is seen."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bertviz_lite import Explorer
from bertviz_lite.views.pages.slides.__main__ import main
from bertviz_lite.views.pages.slides.chapters import Chapters, SlideError
from bertviz_lite.views.pages.slides.deck import problems, read_deck
from bertviz_lite.views.pages.slides.page import write_deck

ROOT = Path(__file__).parents[2]
DECKS = sorted((ROOT / "slides").glob("*.md"))
REVEAL = ROOT / "slides" / "reveal"

PICTURE = (
    '<figure><img alt="Two bars." width="768" src="data:image/png;base64,R0lGODlhAQABAAAAACw="></figure>'
)
SHOW = "from bertviz_lite import Explorer\nExplorer([[[[1.0]]]], ['a'])"
TITLE = "# A deck\n\nWhat it is about\n\nNote:\nSay it."
QUESTION = "## Which?\n\n**Predict:** how many?\n\nNote:\nAsk."
PLAIN = "## Words\n\nOnly words.\n\nNote:\nSay them."


def code(name: str, source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "id": name, "source": source, "outputs": list(outputs)}


@pytest.fixture
def chapters(tmp_path: Path) -> Chapters:
    """Return a folder with one small chapter."""
    printed = {"output_type": "stream", "text": ["she 0.90\n", "he  0.09\n", "nobody 0.01\n"]}
    drawn = {"output_type": "display_data", "data": {"text/html": PICTURE, "text/plain": "Two bars."}}
    shown = {"text/html": "<p>picture</p>", "text/plain": repr(Explorer([[[[1.0]]]], ["a"]))}
    cells = [
        {"cell_type": "markdown", "id": "title", "source": "# One\n\n**About 30 minutes**"},
        code("setup", "import math"),
        code(
            "count", "def count(words):\n    total = len(words)\n    return total\n\nprint(count(x))", printed
        ),
        code("bars", "draw()", drawn),
        code("fails", "1 / 0"),
        code("view", f"{SHOW}  # {{math.pi}}", {"output_type": "execute_result", "data": shown}),
    ]
    (tmp_path / "01_one.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    return Chapters(tmp_path)


def deck(folder: Path, *slides: str) -> Path:
    """Write a deck of the given slides, filled up to eight."""
    filled = [TITLE, QUESTION, *slides, *[PLAIN] * (6 - len(slides))]
    file = folder / "deck.md"
    file.write_text("\n\n---\n\n".join(filled) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("file", DECKS, ids=lambda file: file.stem)
def test_every_deck_keeps_the_rules_and_quotes_what_its_chapters_show(file: Path) -> None:
    slides = read_deck(file)
    wrong = [f"{file.name}, {problem}" for problem in problems(slides, Chapters(ROOT / "notebooks"))]
    assert not wrong, "\n".join(wrong)
    assert sum(slide.asks for slide in slides) >= 3


def test_there_are_six_decks_and_most_have_a_view() -> None:
    assert [file.name[:2] for file in DECKS] == [f"{number}_" for number in range(1, 7)]
    assert sum(any(slide.views() for slide in read_deck(file)) for file in DECKS) >= 5


GOOD = (
    "## Seen\n\n[0.90](01_one#count), [30 minutes](01_one#title)\n\nNote:\nSay.",
    "## Seen\n\n```output 01_one#count\nshe 0.90\n…\nnobody   0.01\n```\n\nNote:\nSay.",
    "## Seen\n\n```python 01_one#count\ndef count(words):\n…\n    return total\n```\n\nNote:\nSay.",
    "## Seen\n\n![figure](01_one#bars)\n\nNote:\nSay.",
    "## Seen\n\n![view](01_one#view)\n\nNote:\n**Click:** it.",
    "## Seen\n\nSee chapter 01 and `x[0]`, $2^2$, and [2018](https://arxiv.org/abs/1810.04805).\n\nNote:\nSay.",
)

BAD = {
    "“0.91” no longer stands in 01_one#count": "## A\n\n[0.91](01_one#count)\n\nNote:\nSay.",
    "01_one has no cell with the id coun": "## A\n\n[0.90](01_one#coun)\n\nNote:\nSay.",
    "there is no chapter 02_two": "## A\n\n[0.90](02_two#count)\n\nNote:\nSay.",
    "“he 0.09” no longer stands (here)": "## A\n\n```output 01_one#count\nnobody\nhe 0.09\n```\n\nNote: Say.",
    "in the code of 01_one#count": "## A\n\n```python 01_one#count\nreturn 3\n```\n\nNote:\nSay.",
    "01_one#count shows no figure": "## A\n\n![figure](01_one#count)\n\nNote:\nSay.",
    "01_one#bars shows 0 views": "## A\n\n![view](01_one#bars)\n\nNote:\n**Click:** it.",
    "write figure, view": "## A\n\n![picture](01_one#bars)\n\nNote:\nSay.",
    "“17” has no source": "## A\n\n17 of them\n\nNote:\nSay.",
    "“18” has no source": "## A\n\nSome of them\n\nNote:\nSay 18.",
    "has no notes": "## A\n\nWords.",
    "begins without a heading": "Words.\n\nNote:\nSay.",
    "asks, and shows the answer": "## A\n\n**Predict:** what?\n\n![figure](01_one#bars)\n\nNote:\nSay.",
    "its notes don't say what to do": "## A\n\n![view](01_one#view)\n\nNote:\nSay.",
    "may have a heading only": "## A\n\nWords.\n\n![view](01_one#view)\n\nNote:\n**Click:** it.",
    "has 61 words": f"## {'word ' * 60}\n\nNote:\nSay.",
}


@pytest.mark.parametrize("slide", GOOD)
def test_what_a_chapter_shows_may_be_quoted(tmp_path: Path, chapters: Chapters, slide: str) -> None:
    assert [*problems(read_deck(deck(tmp_path, slide)), chapters)] == []


@pytest.mark.parametrize("message", BAD)
def test_a_bad_slide_is_named_with_its_number(tmp_path: Path, chapters: Chapters, message: str) -> None:
    found = [*problems(read_deck(deck(tmp_path, PLAIN, BAD[message])), chapters)]
    assert len(found) == 1, found
    assert found[0].startswith("slide 4: ")
    assert message in found[0]


def test_a_surprise_before_any_question_and_a_deck_too_short_are_named(
    tmp_path: Path, chapters: Chapters
) -> None:
    file = tmp_path / "deck.md"
    file.write_text(f"{TITLE}\n\n---\n\n{GOOD[3]}\n", encoding="utf-8")
    assert [*problems(read_deck(file), chapters)] == [
        "has 2 slides: 8 to 14 are wanted",
        "slide 2: shows something before the room was asked: put a question slide before it",
    ]


def test_a_deck_is_one_file_with_its_figures_notes_and_views(tmp_path: Path, chapters: Chapters) -> None:
    file = deck(tmp_path, *GOOD[:5])
    written = write_deck(read_deck(file), tmp_path / "deck.html", chapters, REVEAL)
    page = written.file.read_text(encoding="utf-8")
    assert (written.title, written.about, written.slides) == ("A deck", "What it is about", 8)
    assert page.count("<section id=") == 8
    assert page.count('<aside class="notes">') == 8
    assert 'alt="Two bars."' in page
    assert page.count("data-bvl-view=") == 1
    assert '<section id="slide-2" class="bvs-question">' in page
    assert '<span class="bvs-quoted">0.90</span>' in page
    outside = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r'(?:src|href)="(?!data:|https://arxiv|#)', outside)


def test_only_the_cells_of_a_view_are_run(chapters: Chapters) -> None:
    views = chapters.views([("01_one#view", [])])
    assert [contents.kind for contents in views.values()] == ["Explorer"]
    with pytest.raises(SlideError, match=r"run only setup, fails, view: cell 1: ZeroDivisionError"):
        chapters.views([("01_one#view", ["fails"])])


def test_a_stale_deck_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, chapters: Chapters
) -> None:
    (tmp_path / "notebooks").symlink_to(chapters.folder, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    stale = deck(tmp_path, BAD["“0.91” no longer stands in 01_one#count"])
    assert main([str(stale), "--to", str(tmp_path / "out")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {stale}, slide 3: “0.91” no longer stands in 01_one#count")
    assert not (tmp_path / "out").exists()
    assert main(["--check", str(deck(tmp_path))]) == 0


def test_reveal_js_is_the_version_that_the_lock_names() -> None:
    pinned = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]["reveal.js"]
    locked = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert locked["node_modules/reveal.js"]["version"] == pinned
    assert pinned in (REVEAL / "reveal.js").read_text(encoding="utf-8")
    assert "Hakim El Hattab" in (REVEAL / "LICENSE").read_text(encoding="utf-8")


def test_reveal_js_is_what_npm_installs() -> None:
    installed = ROOT / "node_modules" / "reveal.js"
    if not installed.is_dir():
        pytest.skip("npm has not installed reveal.js here")
    for name in ("dist/reveal.js", "dist/reveal.css", "dist/plugin/notes.js", "LICENSE"):
        assert (installed / name).read_bytes() == (REVEAL / Path(name).name).read_bytes(), name
