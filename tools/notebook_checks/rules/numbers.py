"""A static rule that ties the numbers in prose to what the notebook shows.

Read are decimals, percentages, whole numbers above twelve, and "7 of 9"; not years, the numbers of chapters
and exercises, minutes in the first cell, code, formulas, and words ("nine in ten"). A number must be in an
output (printed, in a table, in the text of a figure) or in the code of a cell at most six cells away, or of
one that a link names by its title, `"cell break-run"`; there it may have more digits. If it isn't, it is
wrong, or from elsewhere, and says so:

- in its sentence is a link to a source, https://...;
- `known_numbers.txt` has it, with what it is: sizes of BERT and of the course;
- a comment in its cell, which readers don't see, names it and says where it is from::

      <!-- from elsewhere: 37, 38 (a quarter of 150); 0.69 (ln 2) -->
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from notebook_checks.notebook import Cell, Notebook, cell_name, prose_cells
from notebook_checks.rules.markup import CODE_SPAN, FENCE, NAMED_CELL, sentences
from notebook_checks.rules.shown_numbers import NUMBER, Number, number, numbers_of_cell

KNOWN = Path(__file__).with_name("known_numbers.txt")
NEAR = 6
"""A number in prose is shown at most so many cells before it or after it."""
COUNTED_ABOVE = 12
YEARS = range(1900, 2031)
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}

MARK = re.compile(r"<!-- from elsewhere: (?P<groups>.*?) -->", re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
GROUP = re.compile(r"(?P<numbers>[^()]*)\((?P<why>(?:[^()]|\([^()]*\))+)\)(?:;\s*|\s*$)")
NAMED = re.compile(  # numbers that name a thing: a chapter, an exercise, a data set, a part of a recipe
    r"^#+ \d\d · |^\| *\d\d *\| *\[|\b[A-Z]+-\d+\b|\bSQuAD \d\.\d|\d+(?:/\d+)+|\*\*\d+\."
    r"|\b(?:[Cc]hapters?|[Ee]xercises?|[Tt]able|[Ss]ection|[Aa]ppendix) [\d.]+(?:(?:,| and| to|–) \d\d?)*",
    re.MULTILINE,
)
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$", re.DOTALL)
LINK = re.compile(r"\[[^\[\]]*\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)")
SOURCE = "\N{OBJECT REPLACEMENT CHARACTER}"
OF = re.compile(r"\b(\d+) (?:of|in|out of) (\d+)\b")


class Said(NamedTuple):
    """A number in prose: its text, what it is, by what it is multiplied, and the words around it."""

    text: str
    number: Number
    scale: float
    around: str


def plain(markdown: str) -> str:
    """Return prose without code, formulas, comments and addresses; a mark is left where an outer link is."""
    text = COMMENT.sub(" ", FENCE.sub(" ", markdown))
    text = CODE_SPAN.sub(" code ", FORMULA.sub(" formula ", text))
    text = LINK.sub(_link, NAMED.sub(" ", text))
    return re.sub(r"</?[a-z][^>]*>", " ", text)


def _link(link: re.Match[str]) -> str:
    return SOURCE if "](https:" in link[0] else link[0][1 : link[0].index("](")]


def said(markdown: str) -> Iterator[Said]:
    """Yield the numbers of a cell of prose that the rule reads: those without a source in their sentence."""
    for sentence in sentences(plain(markdown)):
        if SOURCE in sentence:
            continue
        pairs = {place for pair in OF.finditer(sentence) for place in (pair.start(1), pair.start(2))}
        for found in NUMBER.finditer(sentence):
            value = number(found)
            whole = value.kind == "whole"
            if whole and (value.value in YEARS and "," not in found[0]):
                continue
            if whole and value.value <= COUNTED_ABOVE and found.start() not in pairs:
                continue
            around = sentence[max(0, found.start() - 40) : found.end() + 20].strip()
            yield Said(found[0].strip(), value, _scale(sentence, found), around)


def _scale(text: str, found: re.Match[str]) -> float:
    """Return by what the word after a number multiplies it."""
    unit = re.match(r"\s(\w+)", text[found.end() :])
    return SCALES.get(unit[1], 1.0) if unit else 1.0


def holds(shown: Number, claim: Said) -> bool:
    """Whether a number that a cell shows is the one in prose, which may be rounded."""
    value, decimals, kind = claim.number
    half = 0.5 * 10**-decimals + 1e-9
    exact = shown.decimals >= decimals or shown.value == value
    if kind == "percent":
        if shown.kind == "percent":
            return exact and abs(shown.value - value) <= half
        precise = shown.decimals >= decimals + 2 or abs(100 * shown.value - value) < 1e-9
        return (
            shown.kind == "decimal"
            and shown.value <= 1
            and precise
            and abs(100 * shown.value - value) <= half
        )
    if shown.kind == "percent":
        return kind == "decimal" and shown.decimals + 2 >= decimals and abs(shown.value / 100 - value) <= half
    if shown.kind == "decimal" or kind == "decimal":
        return exact and abs(shown.value - value) <= half
    return shown.value == value or (claim.scale > 1 and abs(shown.value / claim.scale - value) <= half)


@lru_cache(maxsize=1)
def known() -> tuple[Number, ...]:
    """Return the numbers that every chapter may say: those before the colon of each line."""
    lines = [line.partition(":")[0] for line in KNOWN.read_text(encoding="utf-8").splitlines()]
    found = [(line, each) for line in lines for each in NUMBER.finditer(line)]
    return tuple(number(each)._replace(value=number(each).value * _scale(line, each)) for line, each in found)


def _from_elsewhere(source: str) -> tuple[set[str], list[str]]:
    """Return the numbers that a cell's comments name, and what is wrong with these comments."""
    named: set[str] = set()
    wrong = []
    for mark in MARK.finditer(source):
        groups = list(GROUP.finditer(mark["groups"]))
        if "".join(group[0] for group in groups) != mark["groups"]:
            wrong.append(f"`{mark[0][:60]}` isn't `<!-- from elsewhere: 37, 38 (a quarter of 150) -->`")
        named |= {found[0].strip() for group in groups for found in NUMBER.finditer(group["numbers"])}
    if source.count("from elsewhere:") != len(MARK.findall(source)):
        wrong.append("has a mark of numbers that isn't `<!-- from elsewhere: 37 (a quarter of 150) -->`")
    return named, wrong


def numbers_are_shown(notebook: Notebook, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Show each number that prose says in a cell near it, or say that it is from elsewhere."""
    cells: list[Cell] = notebook["cells"]
    shown = [numbers_of_cell(cell) if cell["cell_type"] == "code" else frozenset() for cell in cells]
    by_id = {cell.get("id", ""): place for place, cell in enumerate(cells)}
    for index, cell in prose_cells(notebook):
        where = cell_name(index, cell)
        named_cells = (by_id.get(link["id"], index) for link in NAMED_CELL.finditer(cell["source"]))
        near = frozenset(known()).union(*shown[max(0, index - NEAR) : index + NEAR + 1])
        near = near.union(*(shown[place] for place in named_cells))
        named, wrong = _from_elsewhere(cell["source"])
        yield from (f"{where}: {text}" for text in wrong)
        first = plain(cell["source"]) if index == 0 and "minutes" in cell["source"] else ""
        claims = [claim for claim in said(cell["source"]) if not (first and _minutes(claim, first))]
        for claim in claims:
            if claim.text not in named and not any(holds(value, claim) for value in near):
                yield (
                    f"{where}: {claim.text} in “{claim.around}” is in no output and no code within {NEAR} "
                    f"cells: mend it, or add <!-- from elsewhere: {claim.text} (its source) -->"
                )
        for text in sorted(named - {claim.text for claim in claims}):
            yield f"{where}: the comment says where {text} is from, but the cell doesn't say it"


def _minutes(claim: Said, first: str) -> bool:
    """Whether a number of the first cell says how long the chapter takes."""
    block = next((block for block in first.split("\n\n") if "minutes" in block), "")
    return claim.text in block


NOTEBOOK_RULES = (numbers_are_shown,)
"""Rules on a notebook's file, which need no kernel."""
