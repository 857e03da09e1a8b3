"""Static rules on the paragraphs from which the glossary is made, and how they are read.

Such a paragraph begins with `**Elsewhere this is called**`; a list follows, one item a term::

    - **self-attention** (also: intra-attention): what it means, in one sentence. [Who, year](https://...)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from notebook_checks.notebook import Cell, Notebook, cell_name, prose_cells
from notebook_checks.rules.markup import FENCE, sentence_ends

SPOKEN = "elsewhere this is called"
MARKER = "**Elsewhere this is called**"
FORM = "- **term** (also: other name): what it means, in one sentence. [Who, year](https://...)"
TERM = re.compile(r"- \*\*(?P<term>(?:(?!\*\*).)+)\*\*")
ALSO = re.compile(r" \(also: (?P<also>(?:[^()]|\([^()]*\))+)\)")
SOURCE = re.compile(
    r"\s*\[(?P<source>[^\[\]]+)\]\((?P<address>https://[^\s()]+(?:\([^\s()]*\)[^\s()]*)*)\)\.?$"
)


class ItemError(ValueError):
    """An item that the glossary cannot take; the message says what is wrong with it."""


@dataclass(frozen=True)
class Term:
    """One term of the glossary: its names, what it means, who says so."""

    name: str
    also: tuple[str, ...]
    meaning: str
    source: str
    address: str


def key(name: str) -> str:
    """Return what two names have in common if they are the same: letters, without case or hyphen."""
    return re.sub(r"[^\w ]", "", name.replace("-", " ").casefold()).strip()


def items(source: str) -> Iterator[str]:
    """Yield the items below each paragraph of names in a Markdown cell, each as one line."""
    blocks = [block.strip("\n") for block in re.split(r"\n[ \t]*\n", FENCE.sub("", source))]
    below = False
    for block in blocks:
        lines = block.splitlines()
        if block.startswith(MARKER):
            below = True
            lines = lines[next((n for n, line in enumerate(lines) if line.startswith("- ")), len(lines)) :]
        if below and lines and lines[0].startswith("- "):
            yield from _joined(lines)
        elif lines and not block.startswith(MARKER):
            below = False


def _joined(lines: list[str]) -> Iterator[str]:
    """Yield the items of a list; an item goes on where a line is indented."""
    item = ""
    for line in lines:
        if line.startswith("- "):
            if item:
                yield item
            item = line.rstrip()
        else:
            item += " " + line.strip()
    if item:
        yield item


def read_item(item: str) -> Term:
    """Read one item.

    Raises
    ------
    ItemError
        If it is not in the form that the glossary is made from.
    """
    if not (head := TERM.match(item)):
        raise ItemError("does not begin with the term in bold: `- **term**`")
    rest = item[head.end() :]
    also: tuple[str, ...] = ()
    if match := ALSO.match(rest):
        also = tuple(name.strip(" *") for name in match["also"].split(","))
        rest = rest[match.end() :]
    if not rest.startswith(": "):
        raise ItemError("needs `: ` after the term, or after `(also: other name, another)`")
    if not (source := SOURCE.search(rest)):
        raise ItemError("does not end with its source, `[Who, year](https://...)`")
    meaning = rest[2 : source.start()].strip()
    if not meaning:
        raise ItemError("does not say what the term means")
    if not meaning.endswith((".", "!", "?", ".”", '."')):
        raise ItemError("needs a full stop between its meaning and its source")
    if any(end < len(meaning) for end in sentence_ends(meaning)):
        raise ItemError("says it in more than one sentence")
    if not all(also) or len({key(name) for name in (head["term"], *also)}) <= len(also):
        raise ItemError("has the same name twice, or an empty one")
    return Term(head["term"], also, meaning, source["source"], source["address"])


def terms(notebook: Notebook) -> Iterator[Term]:
    """Yield every term of a notebook.

    Raises
    ------
    ItemError
        If an item is not in the form that the glossary is made from.
    """
    for _, cell in prose_cells(notebook):
        yield from map(read_item, items(cell["source"]))


def names_in_form(cell: Cell, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Have the names of an idea in the form from which the glossary is made."""
    if cell["cell_type"] != "markdown" or SPOKEN not in cell["source"].lower():
        return
    said = cell["source"].lower().count(SPOKEN)
    paragraphs = len(re.findall(rf"(?:\A|\n[ \t]*\n){re.escape(MARKER)}", cell["source"]))
    found = list(items(cell["source"]))
    if said != paragraphs:
        yield f"says “{SPOKEN}” where no paragraph begins with `{MARKER}`: the glossary would miss it"
    elif not found:
        yield f"has no list below `{MARKER}`, one item a term: `{FORM}`"
    for item in found:
        try:
            read_item(item)
        except ItemError as error:
            yield f"the item `{item[:60]}` {error}; the form is `{FORM}`"


def names_once(notebook: Notebook, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Explain a term once."""
    seen: dict[str, str] = {}
    for index, cell in prose_cells(notebook):
        for item in items(cell["source"]):
            try:
                term = read_item(item)
            except ItemError:
                continue  # said by the rule above
            where = cell_name(index, cell)
            if first := seen.get(key(term.name)):
                yield f"{where} explains “{term.name}” again, after {first}: the glossary has a term once"
            seen.setdefault(key(term.name), where)


NOTEBOOK_RULES = (names_once,)
CELL_RULES = (names_in_form,)
