"""Where the links of a translated cell lead: to translations where there are some, else to the originals."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from notebook_checks.notebook import Notebook, NotebookError, prose_cells, read
from notebook_checks.rules.markup import addresses, headings, images, links

BACK = "../"
"""From a translation's folder to its original's."""


def addresses_of(source: str) -> list[str]:
    """Return the address of each link and each picture of a cell."""
    return [*links(source), *(address for _, address in images(source))]


def led(address: str, original: Path, translation: Path) -> str:
    """Return where a link of the original leads in the translation.

    Parameters
    ----------
    address
        As the original has it.
    original, translation
        The two files.
    """
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return address
    target = (original.parent / unquote(parts.path)).resolve() if parts.path else original.resolve()
    there = translation.resolve().parent / target.name
    is_chapter = target.parent == original.resolve().parent and target.suffix == ".ipynb"
    if not is_chapter or not (there.is_file() or there == translation.resolve()):
        return BACK + address
    place = f"#{_place(unquote(parts.fragment), target, there)}" if parts.fragment else ""
    return parts.path + place


def _place(anchor: str, original: Path, translation: Path) -> str:
    """Return the address of a heading in the translation: the one at the same place of the same cell."""
    if not translation.is_file():
        return anchor  # it is being made: its headings are still the original's
    try:
        texts = dict(_headings(read(translation)))
        for place, text in _headings(read(original)):
            if anchor in addresses(text) and place in texts:
                return addresses(texts[place])[0]
    except NotebookError:
        pass  # said of that file itself
    return anchor


def _headings(notebook: Notebook) -> list[tuple[tuple[str, int], str]]:
    """Return ((id of the cell, number in it), text) of each heading."""
    return [
        ((cell.get("id", ""), number), text)
        for _, cell in prose_cells(notebook)
        for number, (_, text) in enumerate(headings(cell["source"]))
    ]


def readdressed(source: str, english: str, original: Path, translation: Path) -> str:
    """Return a cell whose links lead where they should; those that its author has changed stay.

    Parameters
    ----------
    source
        The cell: its original's text, or a translation.
    english
        Its original's text.
    original, translation
        The two files.
    """
    for address in dict.fromkeys(addresses_of(english)):
        should = led(address, original, translation)
        for old in {address, BACK + address} - {should}:
            parts = re.split(rf"(?<=\]\(){re.escape(old)}(?=[\s)])", source)
            source = should.join(parts)
    return source
