"""Read the little of Markdown and HTML that the rules need."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n.*?^ {0,3}\1[`~]*[ \t]*$", re.DOTALL | re.MULTILINE)
CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
HEADING = re.compile(
    r"^ {0,3}(#{1,6})[ \t]+([^\n]+?)[ \t#]*$|<h([1-6])\b[^>]*>(.*?)</h\3>", re.MULTILINE | re.DOTALL
)
IMAGE = re.compile(r"!\[((?:[^\[\]]|\[[^\]]*\])*)\]\(\s*<?([^)\s>]*)>?[^)]*\)")
LINK = re.compile(r"(?<!!)\[(?:[^\[\]]|!?\[[^\]]*\](?:\([^)]*\))?)*\]\(\s*<?([^)\s>]*)>?[^)]*\)")
FENCE_LINE = re.compile(r"^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}|~{3,})[ \t]*([^\s`]*)")
LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)", re.MULTILINE)
NAMED_CELL = re.compile(r"\]\(\S*\s+\"cell (?P<id>[\w-]+)\"\)")
"""A link that names a cell by its title: `[so](#Break-it "cell break-run")`."""
SENTENCE_END = re.compile(r"[.!?][\"”*)]*(?=\s+[A-Z“`\[*(0-9]|$)")
NO_END = re.compile(r"\b(?:e\.g|i\.e|vs|cf|et al)\.$")


@dataclass
class Markup(HTMLParser):
    """The elements of a piece of HTML, in order, each with its attributes; and the text inside <style>."""

    html: str
    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    style: str = ""

    def __post_init__(self) -> None:
        HTMLParser.__init__(self)
        self.feed(self.html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        """Note the text of a style sheet."""
        if self.cdata_elem == "style":
            self.style += data

    def attributes(self, tag: str) -> list[dict[str, str]]:
        """Give the attributes of each element of one kind."""
        return [attributes for name, attributes in self.elements if name == tag]


def without_code(markdown: str) -> str:
    """Take out fenced code and code spans."""
    return CODE_SPAN.sub("", FENCE.sub("", markdown))


def headings(markdown: str) -> list[tuple[int, str]]:
    """Give (level, text) of each heading outside code."""
    found = HEADING.finditer(FENCE.sub("", markdown))
    return [(len(m[1]), m[2].strip()) if m[1] else (int(m[3]), m[4].strip()) for m in found]


def code_blocks(markdown: str) -> Iterator[str]:
    """Give the language of each block of code, "" where it names none: fenced, indented or in HTML."""
    fence, in_list, blank = "", False, True
    for line in markdown.expandtabs(4).splitlines():
        if match := FENCE_LINE.match(line):
            if not fence:
                fence = match[1]
                yield match[2].lower()
            elif match[1].startswith(fence) and not match[2]:
                fence = ""
        elif not fence and line.strip():
            indented = line.startswith("    ")
            in_list = bool(LIST_ITEM.match(line)) or (in_list and (indented or not blank))
            if indented and blank and not in_list:
                yield ""
        blank = not line.strip() or (blank and line.startswith("    "))
    for tag, _ in Markup(without_code(markdown)).elements:
        if tag in ("listing", "output", "plaintext", "pre", "samp", "xmp"):
            yield ""


def addresses(heading: str) -> tuple[str, str]:
    """Give the address of a heading, as JupyterLab makes it and as GitHub does."""
    plain = re.sub(r"<[^>]+>|!?\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", heading)
    return plain.replace(" ", "-"), re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")


def anchors(markdown: str) -> set[str]:
    """Give the addresses of the headings, as JupyterLab and as GitHub make them."""
    found = {address for _, text in headings(markdown) for address in addresses(text)}
    return found | {one["id"] for _, one in Markup(without_code(markdown)).elements if "id" in one}


def images(markdown: str) -> list[tuple[str, str]]:
    """Give (alt text, address) of each picture of a Markdown cell, in either notation."""
    text = without_code(markdown)
    html = [(one.get("alt", ""), one.get("src", "")) for one in Markup(text).attributes("img")]
    return [(m[1], m[2]) for m in IMAGE.finditer(text)] + html


def links(markdown: str) -> list[str]:
    """Give the address of each link of a Markdown cell, in any notation."""
    text = without_code(markdown)
    html = [one["href"] for one in Markup(text).attributes("a") if "href" in one]
    return [m[1] for m in LINK.finditer(text)] + [m[1] for m in REFERENCE.finditer(text)] + html


def sentence_ends(text: str) -> Iterator[int]:
    """Give where the sentences of a paragraph end."""
    for end in SENTENCE_END.finditer(text):
        if not NO_END.search(text[: end.end()]):
            yield end.end()


def sentences(text: str) -> Iterator[str]:
    """Give the sentences of a text; paragraphs, items and rows of tables end one, too."""
    for block in re.split(r"\n[ \t]*\n|\n(?=[-*|] ?)", text):
        start = 0
        for end in sentence_ends(block):
            yield block[start:end]
            start = end
        yield block[start:]


def words(markdown: str) -> int:
    """Count the words of prose: without folded parts, code blocks, tables, displayed formulas, addresses."""
    text = re.sub(
        r"<details\b.*?</details>|<!--.*?-->|\$\$.*?\$\$", " ", FENCE.sub("", markdown), flags=re.DOTALL
    )
    text = re.sub(r"^\s*\|.*$|^ {0,3}\[[^\]]+\]:.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"<[^>]+>|(?<=\])\([^)]*\)", " ", text)
    text = re.sub(r"\$[^$\n]+\$", " formula ", text)
    return sum(1 for word in text.split() if re.search(r"\w", word))
