"""Static rules on the shape of a chapter of the course: see first, then build."""

import re
from collections.abc import Iterator
from pathlib import Path

from notebook_checks.notebook import NOTEBOOKS, Cell, Notebook, cell_name, code_cells, prose_cells
from notebook_checks.rules.markup import FENCE, Markup, headings, words

EARLY = 8
OVERTURE = "00_start_here.ipynb"
PREDICTIONS, EXPLANATIONS = 2, 1
MAX_CODE_CELLS, MAX_WORDS, MAX_WIDTH = 34, 2300, 88
STAY = "For those who stay"
# The sections in their order; those of one line may take turns, and come several times.
ORDER = (
    ("See it",),
    ("Why",),
    ("Build it", "Prove it"),
    ("Break it",),
    ("You will read that",),
    ("Exercises",),
    ("Recap",),
    (STAY,),
)
SECTIONS = [section for sections in ORDER for section in sections]
PREDICT, EXPLAIN = (re.compile(rf"\*\*{word}:\*\*") for word in ("Predict", "Explain"))
MAP = re.compile(r"\bMachine\(")


def _section(text: str) -> str:
    """Return which section a heading begins, "" for none: its words stand alone or before a colon."""
    return next((name for name in SECTIONS if text == name or text.startswith(f"{name}:")), "")


def _headings(notebook: Notebook) -> list[tuple[int, str]]:
    """Return (position of the cell, text) of each heading of the second level."""
    return [
        (index, text)
        for index, cell in prose_cells(notebook)
        for level, text in headings(cell["source"])
        if level == 2
    ]


def _main_path(notebook: Notebook) -> list[Cell]:
    """Return the cells before the section for those who stay."""
    ends = [index for index, text in _headings(notebook) if _section(text) == STAY]
    cells: list[Cell] = notebook["cells"]
    return cells[: ends[0]] if ends else cells


def _prose(cells: list[Cell]) -> str:
    return "\n\n".join(FENCE.sub("", cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def sections(notebook: Notebook) -> Iterator[str]:
    """Have the sections of a chapter, each under its own heading, in their order."""
    step, seen = -1, set()
    for index, text in _headings(notebook):
        where = cell_name(index, notebook["cells"][index])
        if not (name := _section(text)):
            yield (
                f"{where}: “{text}” is no section of a chapter: make it `### {text}`, or one of "
                f"{', '.join(SECTIONS)} (a colon and more words may follow)"
            )
            continue
        now = next(number for number, names in enumerate(ORDER) if name in names)
        if now < step:
            yield f"{where}: “{text}” comes too late: the order is {', '.join(SECTIONS)}"
        elif name in seen and len(ORDER[now]) == 1:
            yield f"{where}: “{text}” is a second section of that name: go down a level, `###`"
        elif name == "Prove it" and "Build it" not in seen:
            yield f"{where}: “{text}” has nothing to prove: “Build it” comes before it"
        step = max(step, now)
        seen.add(name)
    for name in SECTIONS:
        if name not in seen:
            yield f"has no section “## {name}”"


def opening(notebook: Notebook, *, overture: bool = False) -> Iterator[str]:
    """Open with the map and a picture, before the eighth cell is over.

    The overture is for people who have never seen a BERT: its map may come anywhere on the main path.
    """
    first = notebook["cells"][0]["source"]
    if not re.search(r"\bminutes\b", first):
        yield "the first cell does not say how many minutes the chapter needs"
    early = notebook["cells"][:EARLY]
    for_map = _main_path(notebook) if overture else early
    if not any(cell["cell_type"] == "code" and MAP.search(cell["source"]) for cell in for_map):
        yield f'has no map in its first {EARLY} cells: Machine(model, tokenizer, "...", here="...")'
    if not any(_shows_picture(cell) for cell in early if not MAP.search(cell["source"])):
        yield f"shows no picture beside the map in its first {EARLY} cells: a live view, or a figure"


def _shows_picture(cell: Cell) -> bool:
    return any(
        tag == "img"
        for output in cell.get("outputs", ())
        for tag, _ in Markup("".join(output.get("data", {}).get("text/html", ""))).elements
    )


def predictions(notebook: Notebook) -> Iterator[str]:
    """Let the reader predict before a cell tells, first in what is seen, and explain at the end."""
    cells = _main_path(notebook)
    prose = _prose(cells)
    for pattern, least, name in ((PREDICT, PREDICTIONS, "Predict"), (EXPLAIN, EXPLANATIONS, "Explain")):
        if (count := len(pattern.findall(prose))) < least:
            yield f"asks {count} times “**{name}:** ...” before “{STAY}”, at least {least} are needed"
    starts = [index for index, text in _headings(notebook) if _section(text) not in ("", "See it")]
    if not PREDICT.search(_prose(cells[: starts[0]] if starts else cells)):
        yield "asks for no “**Predict:** ...” in “See it”, where the reader is to find the surprise"


def main_path(notebook: Notebook) -> Iterator[str]:
    """Keep what everybody reads short; the rest is for those who stay."""
    cells = _main_path(notebook)
    count = sum(cell["cell_type"] == "code" for cell in cells)
    length = sum(words(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    if count > MAX_CODE_CELLS:
        yield f"has {count} code cells before “{STAY}”, at most {MAX_CODE_CELLS}: move some below it"
    if length > MAX_WORDS:
        yield f"has {length:,} words before “{STAY}”, at most {MAX_WORDS:,}: cut, or move some below it"


def code_width(notebook: Notebook) -> Iterator[str]:
    """Have lines of code that nobody must scroll to read."""
    for index, cell in code_cells(notebook):
        for number, line in enumerate(cell["source"].splitlines(), start=1):
            if len(line) > MAX_WIDTH:
                where = cell_name(index, cell)
                yield f"{where}: line {number} has {len(line)} characters, at most {MAX_WIDTH}"


def shape(notebook: Notebook, path: Path) -> Iterator[str]:
    """Apply the rules on shape to a chapter of the course, by the name of its file."""
    if (NOTEBOOKS / path.name).is_file():
        yield from opening(notebook, overture=path.name == OVERTURE)
        for rule in (sections, predictions, main_path, code_width):
            yield from rule(notebook)


NOTEBOOK_RULES = (shape,)
