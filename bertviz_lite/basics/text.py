"""Text that any place can show: tokens without control characters or turned lines, shares as percentages."""

from __future__ import annotations

import math
import unicodedata

__all__ = ["clip", "isolated", "percent", "readable"]

_SUBSTITUTE = "\ufffd"
_RIGHT_TO_LEFT = {"R", "AL", "RLE", "RLO", "RLI"}
_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def readable(text: str) -> str:
    r"""Return `text` with every control character as its picture, and what cannot be written as �.

    >>> readable("a\x00b\n\ud800")
    'a␀b␊�'
    """
    return "".join(map(_shown, text)) if not text.isprintable() else text


def _shown(letter: str) -> str:
    code = ord(letter)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    unseen = unicodedata.category(letter) in {"Cc", "Cs", "Zl", "Zp"}
    return _SUBSTITUTE if unseen or unicodedata.bidirectional(letter) in _TURNING else letter


def clip(text: str, most: int = 40) -> str:
    """Return `text`, or its beginning and "…" if it is longer than `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def isolated(text: str) -> str:
    """Return `text` so that right-to-left letters in it do not turn the words around it.

    U+2068 and U+2069 set it apart (Unicode Standard Annex 9); text without such letters stays as it is.
    """
    turns = any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in text)
    return f"\u2068{text}\u2069" if turns else text


def percent(share: float) -> str:
    """Return a share for reading: little is not said to be nothing, nor nearly everything to be everything.

    `formatPercent` in views/base/js/numbers.js does the same in the page.

    >>> [percent(share) for share in (0.1234, 0, 0.0004, -0.0004, 0.9996, 1)]
    ['12.3 %', '0.0 %', '< 0.1 %', '> −0.1 %', '> 99.9 %', '100.0 %']
    """
    if not math.isfinite(share):
        return "–"
    text = f"{abs(100 * share):.1f}"
    if text == "0.0" and share != 0:
        return "< 0.1 %" if share > 0 else "> −0.1 %"
    if text == "100.0" and 0 < share < 1 - 1e-6:  # a softmax in single precision ends some errors below 1
        return "> 99.9 %"
    return f"−{text} %" if share < 0 else f"{text} %"
