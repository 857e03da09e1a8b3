"""What the pages for teachers say, read so that tests can hold it against chapters, model and library."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from notebook_checks.rules.markup import anchors, headings

ROOT = Path(__file__).resolve().parents[2]
TEACHING = ROOT / "TEACHING.md"
FOLDER = ROOT / "docs" / "teaching"
BELIEFS, QUESTIONS, ANSWERS = (FOLDER / f"{name}.md" for name in ("misconceptions", "exam", "exam_answers"))
SHEET, SHEET_ANSWERS = FOLDER / "sheet.md", FOLDER / "sheet_answers.md"
BERTVIZ = ROOT / "docs" / "coming_from_bertviz.md"
PAGES = [ROOT / "README.md", ROOT / "README.zh.md", TEACHING, BERTVIZ, *sorted(FOLDER.glob("*.md"))]

CELL = re.compile(r"\]\((?P<file>[^)\s#]+\.ipynb)#(?P<anchor>[^)\s]+) \"cell (?P<id>[\w-]+)\"\)")
CODE = re.compile(r"(`+) ?(.+?) ?\1")
BOLD = re.compile(r"\*\*(.+?)\*\*")
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def text_of(page: Path) -> str:
    """Return the text of a file."""
    return page.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Cell:
    """A cell of a chapter: "code" or "markdown", its id, its text, and the addresses of the heading above."""

    kind: str
    id: str
    source: str
    above: frozenset[str]


@cache
def cells_of(notebook: Path) -> list[Cell]:
    """Return a chapter's cells."""
    found, above = [], frozenset[str]()
    for cell in json.loads(text_of(notebook))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown" and (titles := headings(source)):
            above = frozenset(anchors(f"# {titles[-1][1]}"))
        found.append(Cell(cell["cell_type"], cell["id"], source, above))
    return found


def rows(markdown: str) -> list[list[str]]:
    """Return the cells of all rows of tables, headings and rules left out."""
    lines = [line.strip().strip("|") for line in markdown.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.split("|")] for line in lines if not set(line) <= set("-| ")]


@dataclass(frozen=True)
class Step:
    """A row of a plan with something to type: a sentence or a pair, and what the model should say."""

    texts: tuple[str, ...]
    expected: str
    outside: bool


def steps() -> list[Step]:
    """Return what is to be typed in the plans of 90 minutes, in their order."""
    found = []
    for row in rows(text_of(TEACHING)):
        if len(row) == 4 and "`" in row[2]:
            texts = tuple(code for _, code in CODE.findall(row[2]))
            said = BOLD.findall(row[3])
            found.append(Step(texts, said[0] if said else "", "†" in row[2]))
    return found


def sheet_steps() -> dict[str, tuple[Step, str]]:
    """Return what the printed sheet and its answers have typed, by its number: the step, and its share."""
    typed = {row[0]: CODE.findall(row[1]) for row in rows(text_of(SHEET)) if row[0]}
    found = {}
    for number, *cells in (row for row in rows(text_of(SHEET_ANSWERS)) if row[0]):
        own = [code for _, code in CODE.findall(cells[0])]
        said, share = cells[1:3] if own else cells[:2]
        texts = own or [code for _, code in typed.pop(number)]
        found[f"{number} {texts[-1]}"] = (Step(tuple(texts), BOLD.findall(said)[0], outside=False), share)
    assert not typed, f"the sheet's {', '.join(typed)} have no answer"
    return found


def numbered(page: Path) -> dict[int, str]:
    """Return the numbered items of a page, the lines of each joined."""
    items: dict[int, str] = {}
    number = 0
    for line in text_of(page).splitlines():
        if begins := re.match(r"(\d+)\. (.*)", line):
            number = int(begins[1])
            assert number == len(items) + 1, f"{page.name}: after {len(items)} comes {number}"
            items[number] = begins[2]
        elif line.startswith("   ") and number:
            items[number] += " " + line.strip()
    return items
