"""What a page holds of one view: its state, its numbers, its module and the model that answers in it."""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bertviz_lite.views.base.saved.blocks import compress
from bertviz_lite.views.base.saved.chinese import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["PAGE_STYLE", "AnsweringModel", "Contents", "Held", "head", "in_json", "utf8", "without_comments"]

_MUCH = 2**20  # bytes: of a model's numbers it makes nothing smaller, and takes a second

# A comment that has its lines for itself. Those behind code stay: telling them from a text takes a parser.
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)


@dataclass(frozen=True)
class Held:
    """Bytes that a page holds until they are needed: a module, the engine, a model."""

    mark: str
    """The attribute by which the page finds them, without ``data-``: ``bvl-module="FillIn"``."""
    data: bytes

    def letters(self) -> bytes:
        """Return the bytes as a page holds them: deflated, in base64."""
        packed = compress(self.data)
        if len(self.data) < _MUCH:  # a program's text: the longest search makes it 5 % smaller
            packed = min(packed, zlib.compress(self.data, 9), key=len)
        return base64.b64encode(packed)

    def parts(self) -> Iterator[bytes]:
        """Return the element that holds them, one part after the other."""
        yield utf8(f'<script type="text/plain" data-{self.mark} data-bvl-deflated>')
        yield self.letters()
        yield b"</script>\n"

    def elsewhere(self, address: str) -> bytes:
        """Return the element where a file beside the page holds the letters: `address`, a script."""
        place = html.escape(address)
        return utf8(
            f'<script type="text/plain" data-{self.mark} data-bvl-src="{place}" data-bvl-deflated></script>\n'
        )


@dataclass(frozen=True)
class AnsweringModel:
    """What answers in a page: the model's name, the engine's JavaScript, model and tokenizer."""

    name: str
    source: str
    packed: bytes
    called: str = "a model without a name"
    """What its reader is told that it is."""

    def held_engine(self) -> Held:
        """Return the engine, which is the same for every model."""
        return Held('bvl="engine"', utf8(without_comments(self.source)))

    def held(self) -> Held:
        """Return the model itself."""
        return Held(f'bvl-model="{html.escape(self.name)}"', self.packed)


@dataclass(frozen=True)
class Contents:
    """What a page holds of one view."""

    kind: str
    """Views of one kind have the same module and the same style sheet."""
    style: str
    module: str
    state: dict[str, Any]
    """The view's traits; bytes as they are."""
    blocks: Iterable[tuple[str, bytes]] = field(default=())
    """Names and bytes, made while the page is written."""
    model: AnsweringModel | None = None

    def held_module(self) -> Held:
        """Return the module, which is the same for every view of the kind."""
        return Held(f'bvl-module="{html.escape(self.kind)}"', utf8(without_comments(self.module)))

    def state_parts(self) -> Iterator[bytes]:
        """Return the traits: those that are bytes, and the others."""
        numbers = {
            name: value
            for name, value in self.state.items()
            if isinstance(value, bytes | memoryview | bytearray)
        }
        yield in_json("state", {name: value for name, value in self.state.items() if name not in numbers})
        yield in_json("bytes", {name: base64.b64encode(value).decode() for name, value in numbers.items()})

    def block_parts(self) -> Iterator[bytes]:
        """Return the blocks, one after the other."""
        for name, block in self.blocks:
            yield utf8(f'<script type="text/plain" data-bvl-block="{html.escape(name)}">')
            yield base64.b64encode(compress(block))
            yield b"</script>\n"


def without_comments(program: str) -> str:
    """Return JavaScript without the comments that have lines of their own: deflated, a third less."""
    return _COMMENT.sub("", program)


def in_json(kind: str, value: object) -> bytes:
    r"""Return a ``<script>`` of JSON: ``<`` is written ``\u003c``, so that no tag can end it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return utf8(f'<script type="application/json" data-bvl="{kind}">{text}</script>\n')


def utf8(text: str) -> bytes:
    """Return the bytes of `text`; half a surrogate pair, which no file can hold, becomes a question mark."""
    return text.encode("utf-8", errors="replace")


_HEAD = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' \
'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; img-src data:{more}">
<meta name="color-scheme" content="{schemes}">
{title}
<style>
{style}
</style>
</head>
<body>
"""

PAGE_STYLE = """html { font: 100%/1.5 system-ui, sans-serif; }
body { background: #fff; color: #1f2328; margin: 0 auto; max-width: 76rem; padding: 1rem; }
h1 { font-size: 1.4rem; margin: 0 0 0.6rem; }
header { align-items: center; display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0 0 0.6rem; }
header > h1 { margin: 0; }
header > p { flex: 1 1 22rem; font-size: 0.85rem; line-height: 1.2; margin: 0; }
img { height: auto; max-width: 100%; }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e8eaed; } }
"""
"""With what the style of a page to read begins."""


def head(title: str, style: str, *, schemes: str = "light dark", frames: str = "", lang: str = "en") -> bytes:
    """Return how a page begins; what it may load is what it holds.

    Parameters
    ----------
    title
        As HTML; or the whole element.
    style
        All of its style.
    schemes
        The colour schemes that it has.
    frames
        What it may show in frames, as a Content-Security-Policy says it; by default nothing.
    lang
        Its language: "en" or "zh".
    """
    more = f"; frame-src {frames}" if frames else ""
    titled = title if title.startswith("<title") else f"<title>{title}</title>"
    return utf8(_HEAD.format(title=titled, style=style, schemes=schemes, more=more, lang=LANGUAGES[lang]))
