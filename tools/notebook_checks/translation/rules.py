"""Static rules on a translation: its original's cells, each text made from the one that is there now."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from notebook_checks.notebook import (
    MADE_FROM,
    Cell,
    Notebook,
    NotebookError,
    cell_name,
    original_of,
    read,
    shown,
)
from notebook_checks.rules.markup import headings, words
from notebook_checks.translation.texts import (
    HAN,
    SO_FAR,
    TO_TRANSLATE,
    mark_of,
    months,
    numbers,
    prose,
    slips,
)
from notebook_checks.translation.ways import BACK, addresses_of, led

LEAST_HAN = 0.8
"""So many Chinese characters for each word of English, at least: good prose has twice as many."""


def same_cells(notebook: Notebook, path: Path) -> Iterator[str]:
    """Have the original's cells in their order, and its code, outputs and metadata."""
    original = original_of(path)
    if original is None or not original.is_file():
        yield f"has no original{f': {shown(original)} is not there' if original else ''}"
        return
    try:
        english = read(original)
    except NotebookError as error:
        yield str(error)
        return
    mend = f"run `python tools/translate_notebook.py {shown(original)}`"
    if notebook["metadata"] != english["metadata"]:
        yield f"its metadata is not the original's: {mend}"
    theirs = {cell["id"]: cell for cell in notebook["cells"]}
    ours = {cell.get("id"): cell for cell in english["cells"]}
    for number, cell in enumerate(english["cells"]):
        if cell.get("id") not in theirs:
            yield f"lacks the original's {cell_name(number, cell)} ({cell.get('id')}): {mend}"
    for number, cell in enumerate(notebook["cells"]):
        where = f"{cell_name(number, cell)} ({cell['id']})"
        if cell["id"] not in ours:
            yield f"{where} is not in the original: {mend}"
        elif wrong := _copied(cell, ours[cell["id"]]):
            yield f"{where}: {wrong}: {mend}"
    order = [name for name in theirs if name in ours]
    for name, should in zip(order, (name for name in ours if name in theirs), strict=True):
        if name != should:
            yield f"has the cell {name} where the original has {should}: {mend}"
            return


def _copied(cell: Cell, english: Cell) -> str:
    """Say what of a cell isn't its original's, though it is none of the translator's; "" for nothing."""
    if cell["cell_type"] != english["cell_type"]:
        return "prose in one of the two and code in the other"
    if cell["cell_type"] != "code":
        return ""
    names = {"source": "code", "outputs": "outputs", "execution_count": "number", "metadata": "metadata"}
    wrong = [name for key, name in names.items() if cell[key] != english[key]]
    return f"not the original's {' and '.join(wrong)}" if wrong else ""


def same_prose(notebook: Notebook, path: Path) -> Iterator[str]:
    """Have each text translated, from the one that the original has now; with its numbers and its links."""
    original = original_of(path)
    if original is None or not original.is_file():
        return
    try:
        ours = {cell.get("id"): cell for cell in read(original)["cells"]}
    except NotebookError:
        return  # said above
    mend = f"run `python tools/translate_notebook.py {shown(original)}`, and translate what it marks"
    for number, cell in enumerate(notebook["cells"]):
        english = ours.get(cell["id"])
        if cell["cell_type"] != "markdown" or not english or english["cell_type"] != "markdown":
            continue
        where = f"{cell_name(number, cell)} ({cell['id']})"
        if cell["metadata"].get(MADE_FROM) != mark_of(english["source"]):
            yield f"{where}: the English text has changed since it was translated: {mend}"
        elif TO_TRANSLATE in cell["source"] or SO_FAR in cell["source"]:
            yield f"{where}: is not translated yet: translate it, and take out {TO_TRANSLATE} and the English"
        else:
            more = [BACK + original.name] if number == 0 else []
            should = [led(address, original, path) for address in addresses_of(english["source"])] + more
            yield from (f"{where}: {text}" for text in _wrong(cell["source"], english["source"], should))


def _wrong(source: str, english: str, links: list[str]) -> Iterator[str]:
    """Say what a translated text lacks, or has too much."""
    if len(HAN.findall(source)) < LEAST_HAN * words(prose(english)):
        yield "is not translated, or only a part of it: too little of it is Chinese"
    if [level for level, _ in headings(source)] != [level for level, _ in headings(english)]:
        yield "has other headings than the original: their number and their levels are to be the same"
    found, should = Counter(addresses_of(source)), Counter(links)
    for address in should - found:
        yield f"lacks a link to {address}"
    for address in found - should:
        yield f"has a link to {address}, which the original hasn't"
    said, theirs = numbers(source), numbers(english)
    for number in sorted(theirs - said):
        yield f"lacks the number {number:,g} of the original"
    for number in sorted(said - theirs - months(english)):
        yield f"says {number:,g}, which the original doesn't"
    yield from slips(source)


NOTEBOOK_RULES = (same_cells, same_prose)
