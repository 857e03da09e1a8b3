"""The text of a translated cell: from which it was made, and whether somebody has translated it."""

import calendar
import hashlib
import re
from collections.abc import Iterator

from notebook_checks.rules.markup import without_code

TO_TRANSLATE = "<!-- to translate -->"
"""Begins a cell that nobody has translated, or whose original has changed; the translator takes it away."""
SO_FAR = "<!-- the translation so far -->"
"""Stands between the new English text and what was made from the old one."""

HAN = re.compile(r"[\u3400-\u9fff]")
ENGLISH_MARK = re.compile(
    r"[\u3400-\u9fff][*`_)\]]*[,.;:?!(]|[\u3400-\u9fff]\)|[,;:?!)][*`_]*[\u3400-\u9fff]"
)
"""A mark of English between Chinese characters, where the full-width one is meant."""
NO_SPACE = re.compile(r"[\u3400-\u9fff][A-Za-z0-9]|[A-Za-z0-9%][\u3400-\u9fff]")
STARRED = re.compile(r"(?<!\*)(?P<stars>\*{1,2})(?=[^\s*])(?P<text>[^*\n]+?)(?<!\s)(?P=stars)(?!\*)")
"""Emphasised text. Its stars stay visible where they have a mark inside and a character outside."""
MARKS = "\u3002\uff0c\uff1a\uff1b\uff01\uff1f\u3001\uff08\uff09\u201c\u201d\u300a\u300b"
NUMBER = re.compile(
    r"(?<![\w.,])(?P<digits>\d+(?:,\d{3})*(?:\.\d+)?)(?:\s*(?P<scale>thousand|million|billion|万|亿))?"
)
SCALES = {"thousand": 1e3, "万": 1e4, "million": 1e6, "亿": 1e8, "billion": 1e9}
MONTHS = {name: float(number) for number, name in enumerate(calendar.month_name) if name}
UNREAD = re.compile(r"<!--.*?-->|(?<=\])\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)", re.DOTALL)
"""Comments, and the addresses of links."""


def mark_of(source: str) -> str:
    """Return what names a text: another text has another mark."""
    return hashlib.sha256(source.encode()).hexdigest()[:16]


def to_translate(english: str, before: str) -> str:
    """Return the text of a cell that waits for its translator.

    Parameters
    ----------
    english
        What is to be translated.
    before
        The text that the cell has now: a translation of an older text, or a part of one; "" for none.
    """
    so_far = before.removeprefix(TO_TRANSLATE).rpartition(SO_FAR)[2].strip()
    return "\n\n".join([TO_TRANSLATE, english, *([SO_FAR, so_far] if HAN.search(so_far) else [])])


def prose(source: str) -> str:
    """Return what a reader reads of a cell: without code, comments and addresses."""
    return UNREAD.sub("", without_code(source))


def slips(source: str) -> Iterator[str]:
    """Yield what a typesetter would mend in a text in Chinese, with some characters around it."""
    text = prose(source)
    for pattern, wanted in ((ENGLISH_MARK, "a full-width mark"), (NO_SPACE, "a space between")):
        for found in pattern.finditer(text):
            yield f"“{text[max(0, found.start() - 6) : found.end() + 6].strip()}” wants {wanted}"
    for found in STARRED.finditer(text):
        before, after = text[: found.start()][-1:], text[found.end() :][:1]
        begins, ends = found["text"][0] in MARKS, found["text"][-1] in MARKS
        if (begins and HAN.match(before)) or (ends and HAN.match(after)):
            yield f"“{found[0]}” wants a space outside of the stars, which are seen as stars otherwise"


def numbers(source: str) -> set[float]:
    """Return the numbers of a text; 8 亿 is 800 million."""
    text = UNREAD.sub("", source)
    found = (float(m["digits"].replace(",", "")) * SCALES.get(m["scale"], 1) for m in NUMBER.finditer(text))
    return {round(number, 6) for number in found}


def months(source: str) -> set[float]:
    """Return the numbers of the months that an English text names, which Chinese writes with digits."""
    return {number for name, number in MONTHS.items() if re.search(rf"\b{name}\b", source)}
