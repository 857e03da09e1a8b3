"""Static rules on claims found elsewhere, from which the page of claims is made, and how they are read.

A claim is a paragraph, or an item of a list, that begins with it, after three dots or "You will read that".
Its verdict is one of five in bold, in the same paragraph or in one below; the sentence after it says why::

    … *`[UNK]` stands for rare words.* **False.** Words of plain letters are never unknown.

The next code cell of the section settles it. If another does, some words of the paragraph with the verdict
lead to its section, and name it in the link's title: `[as you saw](#Break-it "cell break-run")`. Where only
others have measured it, a link leads to them: `[their table](https://... "measured elsewhere")`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from notebook_checks.notebook import Notebook, cell_name, code_cells
from notebook_checks.rules.markup import FENCE, NAMED_CELL, headings, sentence_ends

VERDICTS = ("True", "False", "Once true", "It depends", "Open")
FORM = "… *the claim.* **False.** One sentence that says why."
SECTION = "You will read"
CLAIM = re.compile(r"(?:…|(?:…\s*)?You(?: wi|')ll read that) \*(?P<text>(?:`[^`]+`|[^*`])+[.?!]”?)\*(?!\*)")
VERDICT = re.compile(rf"\*\*(?P<verdict>{'|'.join(VERDICTS)})\.\*\*\s*")
ANY_VERDICT = re.compile(rf"\*\*(?:{'|'.join(VERDICTS)})\b[^*]*\*\*", re.IGNORECASE)
SPOKEN = re.compile(r"\byou(?: wi|')ll read that\b(?!\*)|\bone often reads\b", re.IGNORECASE)
NO_CELL = "measured elsewhere"
ELSEWHERE = re.compile(rf"\]\(https://\S+\s+\"{NO_CELL}\"\)")


@dataclass(frozen=True)
class Claim:
    """A claim, what a chapter found, and which of its cells shows it; "" and 0 for what isn't known yet."""

    text: str
    verdict: str = ""
    why: str = ""
    cell: str = ""
    number: int = 0


def key(text: str) -> str:
    """Return what two claims have in common if they are the same: letters and digits, without case."""
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()


@dataclass
class _Reading:
    """One pass over a notebook: its claims as they are known so far, and what is wrong with them."""

    notebook: Notebook

    def __post_init__(self) -> None:
        self.claims: list[Claim] = []
        self.wrong: list[str] = []
        self.done = 0
        """So many of the claims belong to sections that are over."""
        cells = [cell for _, cell in code_cells(self.notebook)]
        self.numbers = {cell.get("id", ""): number for number, cell in enumerate(cells, 1)}
        section = ""
        for index, cell in enumerate(self.notebook["cells"]):
            self.where = cell_name(index, cell)
            if cell["cell_type"] == "code":
                self._settle(cell.get("id", ""))
                continue
            for block in paragraphs(cell["source"]):
                if titles := headings(block):
                    self._end(section)
                    section = titles[-1][1] if titles[-1][1].startswith(SECTION) else ""
                else:
                    self._paragraph(block, section)
        self._end(section)

    def _settle(self, cell: str) -> None:
        for place in range(self.done, len(self.claims)):
            if not self.claims[place].cell:
                self.claims[place] = replace(self.claims[place], cell=cell, number=self.numbers[cell])

    def _paragraph(self, text: str, section: str) -> None:
        if begins := CLAIM.match(text):
            self.claims.append(Claim(begins["text"]))
        elif SPOKEN.search(text) or (section and text.startswith("…")):
            self._say(f"has a claim that the page of claims would miss, `{text[:60]}`: write `{FORM}`")
        found = list(VERDICT.finditer(text))
        if len(found) > 1 or len(found) != len(ANY_VERDICT.findall(text)):
            self._say(f"gives a verdict in another form, or two at once, in `{text[:60]}`: write `{FORM}`")
        elif found and (len(self.claims) == self.done or self.claims[-1].verdict):
            self._say(f"has a verdict without a claim, `{text[found[0].start() :][:60]}`")
        elif found:
            self._judge(text, found[0])

    def _judge(self, text: str, found: re.Match[str]) -> None:
        rest = text[found.end() :]
        claim = replace(self.claims[-1], verdict=found["verdict"], why=rest[: next(sentence_ends(rest), 0)])
        if not claim.why:
            self._say(f"“{claim.text}” has no sentence after its verdict that says why")
        if named := NAMED_CELL.search(text):
            if named["id"] not in self.numbers:
                self._say(f"“{claim.text}” is settled by a code cell {named['id']}, which isn't there")
            claim = replace(claim, cell=named["id"], number=self.numbers.get(named["id"], 0))
        elif ELSEWHERE.search(text):
            claim = replace(claim, cell=NO_CELL, number=0)
        self.claims[-1] = claim

    def _end(self, section: str) -> None:
        for claim in self.claims[self.done :]:
            if not claim.verdict:
                self._say(f"“{claim.text}” has no verdict before the next heading or claim: write `{FORM}`")
            if not claim.cell:
                self._say(f"“{claim.text}” is settled by no cell: add one below it, or name it in a link")
        if section and len(self.claims) == self.done:
            self._say(f"“{section}” has no claim: write `{FORM}`")
        self.done = len(self.claims)

    def _say(self, message: str) -> None:
        self.wrong.append(f"{self.where}: {message}")


def paragraphs(markdown: str) -> Iterator[str]:
    """Yield the paragraphs and the items of lists of a Markdown cell, each as one line, and its headings."""
    for block in re.split(r"\n[ \t]*\n|\n(?=#{1,6} |[-*] )|(?<=\n)(?=#{1,6} )", FENCE.sub("", markdown)):
        lines = block.strip().splitlines()
        while lines and lines[0].startswith("#"):
            yield lines.pop(0)
        if lines:
            yield re.sub(r"^[-*] ", "", " ".join(line.strip() for line in lines))


def read_claims(notebook: Notebook) -> tuple[list[Claim], list[str]]:
    """Return the claims of a notebook, and what is wrong with those that the page cannot take."""
    reading = _Reading(notebook)
    return reading.claims, reading.wrong


def claims_in_form(notebook: Notebook, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Have each claim in the form from which the page of claims is made, with its verdict and its cell."""
    yield from read_claims(notebook)[1]


def claims_once(notebook: Notebook, path: Path) -> Iterator[str]:  # noqa: ARG001
    """Settle a claim once in a chapter."""
    seen: set[str] = set()
    for claim in read_claims(notebook)[0]:
        if key(claim.text) in seen:
            yield f"settles “{claim.text}” twice"
        seen.add(key(claim.text))


NOTEBOOK_RULES = (claims_in_form, claims_once)
"""Rules on a notebook's file, which need no kernel."""
