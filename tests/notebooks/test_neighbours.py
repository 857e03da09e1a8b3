"""The way through the chapters: on to the next, back to the one before, and to the chapter that is named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from notebook_checks.notebook import NOTEBOOKS, Notebook, find_notebooks, read
from notebook_checks.rules import neighbours
from notebook_checks.rules.static import static_findings

FOLDER = ("00_start.ipynb", "01_tokens.ipynb", "02_layer.ipynb", "03_end.ipynb")
GOOD = (
    "# Start?\n\n| 01 | [Tokens](01_tokens.ipynb) |\n\n**Next:** [chapter 01](01_tokens.ipynb).",
    "# 01 · Tokens?\n\n**Next:** [chapter 02, the layer](02_layer.ipynb). Back to [00](00_start.ipynb).",
    """\
# 02 · Layer?

As in [chapter 01](01_tokens.ipynb#x) and chapter 03.

**Next:** [chapter 03](03_end.ipynb). Back to [chapter 01](01_tokens.ipynb), or to [00](00_start.ipynb).""",
    "# 03 · End?\n\n**Next:** a job, as [chapter 01](01_tokens.ipynb). Back to [chapter 02](02_layer.ipynb).",
)
ON, BACK, NAMED = (
    "[chapter 03](03_end.ipynb)",
    "[chapter 01](01_tokens.ipynb),",
    "[chapter 01](01_tokens.ipynb#x)",
)


def notebook(source: str) -> Notebook:
    return {"cells": [{"cell_type": "markdown", "id": "told", "metadata": {}, "source": source}]}


def findings(folder: Path, source: str, name: str = FOLDER[2]) -> list[str]:
    """Return what the rules say of one chapter, with the others beside it."""
    for other in FOLDER:
        (folder / other).touch()
    told: Notebook = notebook(source)
    found = [text for rule in neighbours.NOTEBOOK_RULES for text in rule(told, folder / name)]
    return found + [
        text for cell in told["cells"] for rule in neighbours.CELL_RULES for text in rule(cell, folder / name)
    ]


@pytest.mark.parametrize(("name", "source"), list(zip(FOLDER, GOOD, strict=True)))
def test_a_chapter_that_leads_on_and_back_passes(tmp_path: Path, name: str, source: str) -> None:
    assert findings(tmp_path, source, name) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (ON, "[chapter 01](01_tokens.ipynb)", "“Next” leads to 01_tokens.ipynb: make it"),
        (ON, "the end", "“Next” leads to no chapter: make it [chapter 03](03_end.ipynb)"),
        (BACK, "[chapter 03](03_end.ipynb),", "“Back to” leads to 03_end.ipynb"),
        (f" Back to {BACK} or", " And", "“Back to” leads to no chapter"),
        ("**Next:**", "Next:", "has 0 paragraphs that begin with “**Next:**”"),
        (NAMED, "[chapter 02](01_tokens.ipynb#x)", "[chapter 02] leads to 01_tokens.ipynb"),
        (NAMED, "[03](01_tokens.ipynb)", "[03] leads to 01_tokens.ipynb"),
        ("and chapter 03", "and chapter 04", "names chapter 04, and there is none"),
        ("and chapter 03", 'and <a href="03_end.ipynb#so">03</a>', "write [words](03_end.ipynb#so)"),
        ("# 02 · Layer?", "# 03 · Layer?", "the title '03 · Layer?' has another number than the file"),
    ],
)
def test_a_way_that_is_wrong_is_named(tmp_path: Path, old: str, new: str, expected: str) -> None:
    wrong = GOOD[2].replace(old, new, 1)
    assert wrong != GOOD[2]
    (found,) = findings(tmp_path, wrong)
    assert expected in found


def test_a_row_of_the_table_of_chapters_is_held_to_its_number(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, GOOD[0].replace("| 01 |", "| 02 |"), FOLDER[0])
    assert "leads to 01_tokens.ipynb" in found


def test_a_notebook_without_a_number_goes_its_own_way(tmp_path: Path) -> None:
    assert findings(tmp_path, "# What?\n\nSee chapter 77.", "mine.ipynb") == []


def test_the_check_of_a_file_has_these_rules(tmp_path: Path) -> None:
    for name, source in zip(FOLDER, GOOD, strict=True):
        cells = notebook(source.replace(ON, "the end"))["cells"]
        content = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    told = [finding.message for finding in static_findings(tmp_path / FOLDER[2])]
    assert any("“Next” leads to no chapter" in message for message in told)


RULES: tuple[Callable[[Notebook, Path], Any], ...] = neighbours.NOTEBOOK_RULES


@pytest.mark.parametrize("path", find_notebooks([NOTEBOOKS]), ids=lambda path: path.stem)
def test_every_chapter_leads_to_its_neighbours(path: Path) -> None:
    told = read(path)
    found = [text for rule in RULES for text in rule(told, path)]
    found += [text for cell in told["cells"] for rule in neighbours.CELL_RULES for text in rule(cell, path)]
    assert found == []
