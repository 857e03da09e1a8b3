"""Make the page of claims, `docs/claims.md`, from what the chapters say under "You will read that"."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from notebook_checks.chapters_page import address, chapter_name, write_page
from notebook_checks.notebook import ROOT, NotebookError, read, shown
from notebook_checks.rules.claims import NO_CELL, VERDICTS, Claim, key, read_claims
from notebook_checks.rules.markup import headings

PAGE = ROOT / "docs" / "claims.md"
LOCK = ROOT / "requirements.lock"
LIBRARIES = ("transformers", "torch")
BEGINNING = """\
# You will read that …

Sentences about BERT from books, tutorials and answers on the web; what is true of each; and the cell of a
chapter that shows it, which you can run (its number stands in brackets beside it). *Once true* means: in
older versions of the library, or in other code. Where *it depends*, the reason says on what. *Open* means
that nobody has settled it. What is said of trained weights was measured on the course's own small models,
unless it names another.

"""
COUNTED = {
    "True": "true",
    "False": "false",
    "Once true": "once true",
    "It depends": "that depend",
    "Open": "open",
}
LINK = re.compile(r"\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<address>[^)\s]*)(?:\s+\"[^\"]*\")?\)")


@dataclass(frozen=True)
class Found:
    """A claim, and the notebook that settles it."""

    claim: Claim
    path: Path


def settled(paths: Iterable[Path]) -> list[list[Found]]:
    """Collect the claims of notebooks: a list for each claim, with a place for each chapter that settles it.

    Raises
    ------
    NotebookError
        If a claim is not in form, or two chapters disagree about one: the message says where.
    """
    found: dict[str, list[Found]] = {}
    for path in paths:
        claims, wrong = read_claims(read(path))
        if wrong:
            raise NotebookError(f"{shown(path)}, {wrong[0]}")
        for claim in claims:
            places = found.setdefault(key(claim.text), [])
            if places and (other := places[0]).claim.verdict != claim.verdict:
                raise NotebookError(
                    f"{shown(path)}: “{claim.text}” is “{claim.verdict}” here and “{other.claim.verdict}” in "
                    f"{shown(other.path)}: let one of them be right, or say what differs in the claim"
                )
            places.append(Found(claim, path))
    return list(found.values())


def versions(lock: Path = LOCK) -> dict[str, str]:
    """Return the version of each library with which the chapters are run."""
    text = lock.read_text(encoding="utf-8")
    return {name: re.findall(rf"^{name}==([\w.]+)", text, re.MULTILINE)[0] for name in LIBRARIES}


def page(found: Sequence[Sequence[Found]], folder: Path) -> str:
    """Write the page as text, its links as seen from a folder."""
    libraries = " and ".join(f"{name} {version}" for name, version in versions().items())
    count = Counter(places[0].claim.verdict for places in found)
    counts = ", ".join(f"{count[name]} {COUNTED[name]}" for name in VERDICTS if count[name])
    lines = [f"{BEGINNING}{len(found)} claims: {counts}. Settled with {libraries}."]
    chapter = None
    for places in found:
        if places[0].path != chapter:
            chapter = places[0].path
            lines.append(f"\n## {_title(chapter)}\n")
        lines.append(_line(places, folder))
    return "\n".join(lines) + "\n"


def _title(path: Path) -> str:
    return next((text for cell in read(path)["cells"][:1] for _, text in headings(cell["source"])), path.stem)


def _line(places: Sequence[Found], folder: Path) -> str:
    first, *others = places
    why = LINK.sub(lambda link: _seen_from(link, first.path, folder), first.claim.why)
    cells = [_link(each, folder) for each in places]
    cells[0] = cells[0].replace("[c", "[C", 1)
    also = f"; also {' and '.join(cells[1:])}" if others else ""
    return f"- **{first.claim.verdict}.** *{first.claim.text}* {why} {cells[0]}{also}."


def _link(found: Found, folder: Path) -> str:
    file = address(found.path, folder)
    if found.claim.cell == NO_CELL:
        return f"[{chapter_name(found.path)}]({file}), not measured there"
    return f"[{chapter_name(found.path)}, cell {found.claim.number}]({file}#cell-id={found.claim.cell})"


def _seen_from(link: re.Match[str], path: Path, folder: Path) -> str:
    """Return a link of a chapter as the page has it; of one that stays inside the chapter, only the words."""
    file, mark, place = link["address"].partition("#")
    if not file:
        return link["text"]
    if not file.startswith("https:"):
        file = address(path.parent / file, folder)
    return f"[{link['text']}]({file}{mark}{place})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page; 1 where a chapter's claims cannot be read."""
    return write_page(arguments, "page of claims", PAGE, settled, page, "claims")
