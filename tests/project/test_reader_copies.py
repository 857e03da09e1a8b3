"""A reader's copies of the chapters: without outputs, never overwritten where they were changed."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest

from bertviz_lite.basics.notebook_files import read, sources
from bertviz_lite.chapters.copies import AS_COPIED, copy_chapters

ROOT = Path(__file__).resolve().parents[2]

NAME = "01_tokens.ipynb"


def write(folder: Path, *texts: str, ran: bool = True, name: str = NAME) -> Path:
    cells = [nbformat.v4.new_markdown_cell("# Tokens", id="head")]
    for number, text in enumerate(texts):
        cell = nbformat.v4.new_code_cell(text, id=f"cell{number}")
        if ran:
            cell.execution_count = number + 1
            cell.outputs = [nbformat.v4.new_output("stream", text="she 97 %\n")]
        cells.append(cell)
    folder.mkdir(exist_ok=True)
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / name)
    return folder / name


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    write(tmp_path / "notebooks", "guess()")
    return tmp_path / "notebooks", tmp_path / "my"


def code(path: Path) -> list[str]:
    return [text for kind, text in sources(read(path)) if kind == "code"]


def test_a_copy_has_the_chapters_cells_and_no_outputs(folders: tuple[Path, Path]) -> None:
    chapters, copies = folders
    before = (chapters / NAME).read_bytes()
    assert copy_chapters(chapters, copies) == []
    copy = nbformat.read(copies / NAME, as_version=4)
    nbformat.validate(copy)
    assert code(copies / NAME) == ["guess()"]
    assert [cell.outputs for cell in copy.cells if cell.cell_type == "code"] == [[]]
    assert (chapters / NAME).read_bytes() == before


def test_a_copy_that_was_only_run_keeps_its_outputs_and_follows_its_chapter(
    folders: tuple[Path, Path],
) -> None:
    chapters, copies = folders
    copy_chapters(chapters, copies)
    ran = write(copies, "guess()").read_bytes()
    assert copy_chapters(chapters, copies) == []
    assert (copies / NAME).read_bytes() == ran
    write(chapters, "guess()", "explain()")
    assert copy_chapters(chapters, copies) == []
    assert code(copies / NAME) == ["guess()", "explain()"]


def test_a_copy_with_the_readers_work_is_never_touched(folders: tuple[Path, Path]) -> None:
    chapters, copies = folders
    copy_chapters(chapters, copies)
    mine = write(copies, "my_answer()").read_bytes()
    assert copy_chapters(chapters, copies) == []
    write(chapters, "guess()", "explain()")
    [line] = copy_chapters(chapters, copies)
    assert line.startswith(f"my/{NAME} has your changes")
    assert (copies / NAME).read_bytes() == mine
    (copies / NAME).rename(copies / "mine.ipynb")
    assert copy_chapters(chapters, copies) == []
    assert code(copies / NAME) == ["guess()", "explain()"]
    assert (copies / "mine.ipynb").read_bytes() == mine


@pytest.mark.parametrize("content", ["", "{", "[]", '{"cells": 3}'])
def test_a_copy_that_is_no_notebook_any_more_is_left(folders: tuple[Path, Path], content: str) -> None:
    chapters, copies = folders
    copy_chapters(chapters, copies)
    (copies / NAME).write_text(content, encoding="utf-8")
    write(chapters, "explain()")
    assert len(copy_chapters(chapters, copies)) == 1
    assert (copies / NAME).read_text(encoding="utf-8") == content


def test_every_chapter_can_be_copied_and_none_shows_an_answer(tmp_path: Path) -> None:
    assert copy_chapters(ROOT / "notebooks", tmp_path / "my") == []
    names = {path.relative_to(ROOT / "notebooks") for path in (ROOT / "notebooks").rglob("[0-9]*.ipynb")}
    names = {name for name in names if ".ipynb_checkpoints" not in name.parts}
    assert Path("zh/00_start_here.ipynb") in names
    copied = {path.relative_to(tmp_path / "my") for path in (tmp_path / "my").rglob("*.ipynb")}
    assert {name for name in copied if name.parts[0] != AS_COPIED} == names
    for name in names:
        cells = json.loads((tmp_path / "my" / name).read_text(encoding="utf-8"))["cells"]
        assert not any(cell.get("outputs") for cell in cells)
