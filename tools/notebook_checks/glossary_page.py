"""Make the glossary, `docs/glossary.md`, from the chapters' paragraphs "Elsewhere this is called"."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from notebook_checks.chapters_page import address, chapter_name, write_page
from notebook_checks.notebook import ROOT, NotebookError, read, shown
from notebook_checks.rules.glossary import ItemError, Term, key, terms

PAGE = ROOT / "docs" / "glossary.md"
BEGINNING = """\
# Glossary

The field's own words for what this course builds. Each entry says what the word means, which chapter
introduces it, and where it comes from or is explained best.
"""


@dataclass(frozen=True)
class Entry:
    """A term, and the notebook that explains it."""

    term: Term
    path: Path


def entries(paths: Iterable[Path]) -> list[Entry]:
    """Collect the terms of notebooks.

    Raises
    ------
    NotebookError
        If an item is malformed, or one word is explained twice: the message says where.
    """
    found: list[Entry] = []
    for path in paths:
        try:
            found += [Entry(term, path) for term in terms(read(path))]
        except ItemError as error:
            raise NotebookError(f"{shown(path)}: an item of the glossary {error}") from error
    _check_once(found)
    return found


def _check_once(found: Sequence[Entry]) -> None:
    first: dict[str, Entry] = {}
    for entry in found:
        if earlier := first.get(key(entry.term.name)):
            raise NotebookError(
                f"{shown(entry.path)}: “{entry.term.name}” is in the glossary already, from "
                f"{shown(earlier.path)}: explain it once, and link to it from the other chapter"
            )
        first[key(entry.term.name)] = entry
    for entry in found:
        for name in entry.term.also:
            if other := first.get(key(name)):
                raise NotebookError(
                    f"{shown(entry.path)}: “{name}”, another name of “{entry.term.name}”, is explained in "
                    f"{shown(other.path)} as a term of its own: leave out one of the two"
                )


def page(found: Sequence[Entry], folder: Path) -> str:
    """Write the page as text, its links as seen from a folder."""
    lines: dict[tuple[str, str], str] = {}
    for entry in found:
        lines[_place(entry.term.name)] = _explained(entry, folder)
    others: dict[str, set[str]] = {}
    for entry in found:
        for name in entry.term.also:
            others.setdefault(name, set()).add(entry.term.name)
    for name, names in others.items():
        see = " and ".join(f"**{one}**" for one in sorted(names, key=_place))
        lines[_place(name)] = f"- {name}: see {see}."
    return "\n".join([BEGINNING, *_by_letter(lines)]).rstrip("\n") + "\n"


def _place(name: str) -> tuple[str, str]:
    """Return where a name is in the alphabet: by its letters first."""
    return (key(name), name)


def _explained(entry: Entry, folder: Path) -> str:
    term = entry.term
    also = f" (also: {', '.join(term.also)})" if term.also else ""
    chapter = chapter_name(entry.path)
    return (
        f"- **{term.name}**{also}: {term.meaning} "
        f"[{chapter[0].upper()}{chapter[1:]}]({address(entry.path, folder)}); "
        f"[{term.source}]({term.address})."
    )


def _by_letter(lines: dict[tuple[str, str], str]) -> Iterator[str]:
    letter = ""
    for place, line in sorted(lines.items()):
        first = place[0][:1].upper()
        if (heading := first if first.isalpha() else "0–9") != letter:
            yield f"{'' if not letter else chr(10)}## {heading}\n"
            letter = heading
        yield line


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page; 1 where a chapter's items cannot be read."""
    return write_page(arguments, "glossary", PAGE, entries, page, "terms")
