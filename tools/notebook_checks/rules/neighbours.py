"""Static rules on the way through the chapters: on to the next, back to the last, and to one by its number.

A chapter's number is that of its file. So when a chapter is put between two others, these rules list what
still has an old number.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from notebook_checks.notebook import Cell, Notebook, prose_cells
from notebook_checks.rules.markup import Markup, headings, links, without_code

NUMBERED = re.compile(r"(\d\d)_\w+\.ipynb")
NEXT = re.compile(r"^\*\*Next:\*\*.*?(?=\n[ \t]*\n|\Z)", re.DOTALL | re.MULTILINE)
BACK = "Back to"
# [chapter 05, depth](05_depth.ipynb) and [05](05_depth.ipynb); in a table, | 05 | [Depth](05_depth.ipynb)
LINK_BY_NUMBER = re.compile(r"(\[(?:[Cc]hapter )?(\d\d)\b[^\]]*\])\(((\d\d)_\w+\.ipynb)")
ROW_BY_NUMBER = re.compile(r"^(\|\s*(\d\d)\s*\|\s*\[[^\]]*\])\(((\d\d)_\w+\.ipynb)", re.MULTILINE)
MENTION = re.compile(r"\b[Cc]hapters? (\d\d)\b")


def chapters(path: Path) -> list[str]:
    """Name the chapters in the folder of a notebook, in their order."""
    return sorted(file.name for file in path.parent.glob("*.ipynb") if NUMBERED.fullmatch(file.name))


def way(notebook: Notebook, path: Path) -> Iterator[str]:
    """Lead on to the next chapter, and back to the one before."""
    names = chapters(path)
    if path.name not in names:
        return
    place = names.index(path.name)
    ends = [match[0] for _, cell in prose_cells(notebook) for match in NEXT.finditer(cell["source"])]
    if len(names) > 1 and len(ends) != 1:
        yield f"has {len(ends)} paragraphs that begin with “**Next:**”: one is needed"
        return
    on, _, back = "".join(ends).partition(BACK)
    if place + 1 < len(names):
        yield from _leads("Next", on, names[place + 1])
    if place:
        yield from _leads(BACK, back, names[place - 1])


def _leads(name: str, text: str, chapter: str) -> Iterator[str]:
    """Have the first link of a text lead to a chapter."""
    found = [address.partition("#")[0] for address in links(text)][:1]
    if found != [chapter]:
        where = found[0] if found else "no chapter"
        yield f"“{name}” leads to {where}: make it [chapter {chapter[:2]}]({chapter})"


def own_number(notebook: Notebook, path: Path) -> Iterator[str]:
    """Have the number of the file in the title, where the title has one."""
    if not (file := NUMBERED.fullmatch(path.name)):
        return
    titles = [text for cell in notebook["cells"][:1] for _, text in headings(cell["source"])][:1]
    for title in titles:
        if (number := re.match(r"\d+", title)) and number[0] != file[1]:
            yield f"the title {title!r} has another number than the file: make it {file[1]}"


def named(cell: Cell, path: Path) -> Iterator[str]:
    """Lead to the chapter that a link names by its number, and name only chapters that there are."""
    names = chapters(path)
    if cell["cell_type"] != "markdown" or path.name not in names:
        return
    prose = without_code(cell["source"])
    for pattern in (LINK_BY_NUMBER, ROW_BY_NUMBER):
        for words, number, target, target_number in pattern.findall(prose):
            if number != target_number:
                yield f"{words.strip('| ')} leads to {target}: mend the number or the link"
    for number in MENTION.findall(prose):
        if len(names) > 1 and number not in {name[:2] for name in names}:
            yield f"names chapter {number}, and there is none"


def in_markdown(cell: Cell, _path: Path) -> Iterator[str]:
    """Write links to notebooks in Markdown: only those become the site's, and Colab's, own."""
    if cell["cell_type"] == "markdown":
        for link in Markup(without_code(cell["source"])).attributes("a"):
            if link.get("href", "").partition("#")[0].endswith(".ipynb"):
                yield (
                    f'<a href="{link["href"]}"> is HTML: write [words]({link["href"]}), '
                    "in a folded part with an empty line before and after"
                )


NOTEBOOK_RULES = (way, own_number)
CELL_RULES = (named, in_markdown)
