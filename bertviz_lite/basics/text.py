"""Tokens as text that any place can show: without control characters, half characters, or turned lines."""

from __future__ import annotations

import unicodedata

__all__ = ["clip", "isolated", "readable"]

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
