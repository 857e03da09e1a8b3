"""Static rules on the text: headings, length, links, and the parts that every chapter has."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from notebook_checks.notebook import ROOT, Cell, Notebook, cell_name, code_cells, prose_cells, read, shown
from notebook_checks.rules.markup import (
    Markup,
    anchors,
    code_blocks,
    headings,
    images,
    links,
    without_code,
    words,
)

MAX_WORDS = 120
MIN_EXERCISES = 3
LANGUAGES = ("python", "bash", "json", "toml", "html", "javascript")
CHAPTER = re.compile(r"(?!00_)\d\d_\w+\.ipynb")
NUMBERED = re.compile(r"\d\d_\w+\.ipynb")
# The sections of a chapter: a word that one of its headings has, and what the section is for.
PARTS = {
    "build": "rebuild the part from tensors",
    "prove": "show that it equals the library's",
    "see": "a view and a figure",
    "break": "an ablation or a common mistake, run for real",
    "you will read": "claims found elsewhere, each settled by a cell",
    "exercise": "three or more, with .check(), .hint() and a solution",
    "recap": "the answer in three sentences, and what comes next",
}
# HTML that draws, runs or hides, which prose does not need
ACTIVE = ("canvas", "embed", "iframe", "object", "script", "style", "svg", "video")


def title(notebook: Notebook, path: Path) -> Iterator[str]:
    """Begin with the only H1, which in a chapter asks a question; go down one level at a time."""
    found = [
        (index, cell, level, text)
        for index, cell in prose_cells(notebook)
        for level, text in headings(cell["source"])
    ]
    if not found or found[0][0] != 0 or found[0][2] != 1:
        yield "does not begin with a title: make the first cell start with `# ...`"
    elif NUMBERED.fullmatch(path.name) and not re.search("[?\uff1f]", found[0][3] + _first_lines(notebook)):
        yield f"the title {found[0][3]!r} asks no question: say what the chapter answers"
    before = 0
    for index, cell, level, text in found:
        where = cell_name(index, cell)
        if level == 1 and before:
            yield f"{where}: {text!r} is a second H1: a notebook has one title"
        elif level > before + 1 and before:
            yield f"{where}: {text!r} goes from level {before} to level {level}: leave none out"
        before = level


def _first_lines(notebook: Notebook) -> str:
    lines = [line for line in notebook["cells"][0]["source"].splitlines() if line.strip()]
    return " ".join(lines[:2])


def chapter_parts(notebook: Notebook, path: Path) -> Iterator[str]:
    """Have every part that a chapter has (a numbered notebook after 00)."""
    if not CHAPTER.fullmatch(path.name):
        return
    prose = [cell["source"] for _, cell in prose_cells(notebook)]
    titles = [text.lower() for source in prose for _, text in headings(source)]
    for word, purpose in PARTS.items():
        if not any(re.search(rf"\b{word}", text) for text in titles):
            yield f'no section with "{word}" in its heading ({purpose})'
    code = [cell["source"] for _, cell in code_cells(notebook)]
    checks = sum(".check(" in source for source in code)
    if checks < MIN_EXERCISES:
        yield f"{checks} exercises with .check(), at least {MIN_EXERCISES} are needed"
    if not any(re.search(r"^\s*assert\b", source, re.MULTILINE) for source in code):
        yield "no assert: prove that the rebuilt part and the library's give the same numbers"
    if not re.search(r"\bminutes\b", " ".join(prose[:1])):
        yield "the first cell does not say how many minutes the chapter needs"


def prose_length(cell: Cell, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Keep a cell of prose short."""
    if cell["cell_type"] == "markdown" and (count := words(cell["source"])) > MAX_WORDS:
        yield f"has {count} words, at most {MAX_WORDS}: cut, or show some of it by a cell"


def code_in_prose(cell: Cell, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Show in prose no block that might be taken for an output: of a block of code, name the language."""
    if cell["cell_type"] == "markdown":
        for language in code_blocks(cell["source"]):
            if language not in LANGUAGES:
                yield (
                    f"has a block of {language or 'unnamed'} text that reads like an output, which no run "
                    f"gives: print it in a cell, or name what code it is ({', '.join(LANGUAGES)})"
                )


def plain_html(cell: Cell, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Use in prose no HTML that runs, draws, or hides or restyles what is around it."""
    if cell["cell_type"] == "markdown":
        for tag, attributes in Markup(without_code(cell["source"])).elements:
            if tag in ACTIVE or {"style", "hidden"} & set(attributes):
                yield f"<{tag}> in prose may draw, hide or imitate an output: write it in plain Markdown"


def link_targets(notebook: Notebook, path: Path) -> Iterator[str]:
    """Lead to files that exist, inside the repository, and to headings that they have."""
    for index, cell in prose_cells(notebook):
        for address in links(cell["source"]) + [address for _, address in images(cell["source"])]:
            if wrong := leads_to_nothing(address, path, notebook):
                yield f"{cell_name(index, cell)}: the link {address} {wrong}"


def leads_to_nothing(address: str, path: Path, notebook: Notebook | None = None) -> str:
    """Say what is wrong with a link of a file (a notebook that is read already); "" for nothing."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return ""
    file = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
    if parts.path.startswith("/"):
        return "starts at the root of a disk: make it relative"
    if not file.exists():
        return f"leads to nothing: {shown(file)} does not exist"
    if path.resolve().is_relative_to(ROOT) and not file.is_relative_to(ROOT):
        return "leads out of the repository"
    anchor = unquote(parts.fragment)
    there = notebook if file == path.resolve() else None
    if anchor and anchor not in _anchors(file, there, anchor):
        return f"leads to no heading: {shown(file)} has no #{anchor}"
    return ""


def _anchors(file: Path, notebook: Notebook | None, anchor: str) -> set[str]:
    """Give the addresses within a file; of a kind of file whose addresses are not known, this one."""
    if file.suffix == ".md":
        return anchors(file.read_text(encoding="utf-8"))
    if file.suffix != ".ipynb":
        return {anchor}
    return {one for _, cell in prose_cells(notebook or read(file)) for one in anchors(cell["source"])}


NOTEBOOK_RULES_IN_ANY_LANGUAGE = (title, link_targets)
NOTEBOOK_RULES = (*NOTEBOOK_RULES_IN_ANY_LANGUAGE, chapter_parts)
CELL_RULES = (prose_length, code_in_prose, plain_html)
