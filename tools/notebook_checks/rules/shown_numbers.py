"""Which numbers a code cell shows: printed, in tables, in the texts of its figures, and in its code."""

import html
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from bertviz_lite.basics.png import unsealed
from notebook_checks.comparison.pictures import PictureError, decoded
from notebook_checks.notebook import Cell

NUMBER = re.compile(
    r"(?<![\w.,])(?P<digits>(?:\d{1,3}(?:[,\u202f]\d{3})+|\d+)(?:\.\d+)?)(?P<exponent>e[+-]?\d+)?"
    r"(?P<percent>[ \u00a0\u202f]?%)?(?![\w]|\.\d)"
)
IN_CODE = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])")
SAID_IN_CODE = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|#.*")
RATIO = re.compile(r"(?<![\w.,])(\d[\d,]*) (?:of|out of|/) (\d[\d,]*)")
PICTURE = re.compile(r"base64,([A-Za-z0-9+/=]+)")
UNSEEN = re.compile(r"<(style|script)\b.*?</\1>", re.DOTALL)
SPOKEN = re.compile(r"\b(?:alt|title|aria-label)=\"([^\"]*)\"")


class Number(NamedTuple):
    """A number as it is written: its value, its digits after the point, and percent, decimal or whole."""

    value: float
    decimals: int
    kind: str


def number(found: re.Match[str]) -> Number:
    """Return what :data:`NUMBER` has found as a number."""
    digits = re.sub(r"[,\u202f]", "", found["digits"])
    decimals = len(digits.partition(".")[2])
    kind = "percent" if found["percent"] else "decimal" if decimals or found["exponent"] else "whole"
    return Number(float(digits + (found["exponent"] or "")), decimals, kind)


def numbers(text: str) -> Iterator[Number]:
    """Yield the numbers of a text, and what "3 of 4" is as a share."""
    yield from map(number, NUMBER.finditer(text))
    for found in RATIO.finditer(text):
        part, whole = (float(each.replace(",", "")) for each in found.groups())
        if 0 < part <= whole:
            yield Number(part / whole, 9, "decimal")


def numbers_of_cell(cell: Cell) -> frozenset[Number]:
    """Return every number that a code cell shows."""
    return frozenset(each for text in (*_shown(cell), *_said(cell)) for each in numbers(text)) | _constants(
        cell
    )


def _constants(cell: Cell) -> frozenset[Number]:
    found = (match[0].replace("_", "") for match in IN_CODE.finditer(cell["source"]))
    return frozenset(
        Number(
            float(text),
            len(text.partition("e")[0].partition(".")[2]),
            "whole" if text.isdigit() else "decimal",
        )
        for text in found
    )


def _said(cell: Cell) -> Iterator[str]:
    yield from SAID_IN_CODE.findall(cell["source"])


def _shown(cell: Cell) -> Iterator[str]:
    for output in cell["outputs"]:
        yield output.get("text", "")
        for kind, content in output.get("data", {}).items():
            if kind == "text/html":
                yield from _of_html(content)
            elif kind == "image/png":
                yield from _of_picture(content)
            elif kind.startswith("text/"):
                yield content


@lru_cache(maxsize=256)
def _of_html(content: str) -> tuple[str, ...]:
    texts = [text for found in PICTURE.finditer(content) for text in _of_picture(found[1])]
    texts += map(html.unescape, SPOKEN.findall(content))
    return (*texts, html.unescape(re.sub(r"<[^>]+>", " ", UNSEEN.sub(" ", content))))


def _of_picture(picture: str) -> list[str]:
    """Return the texts of a figure, which travel inside its PNG."""
    try:
        said = unsealed(decoded(picture))[1]
    except PictureError:
        return []
    return list(said["texts"]) if said else []
