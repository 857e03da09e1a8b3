"""A view as one HTML file: its state, its numbers and its module, run from a USB stick without a network."""

from __future__ import annotations

import base64
import html
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bertviz_lite.views.base.blocks import compress
from bertviz_lite.views.base.sources import read_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Page"]


@dataclass(frozen=True)
class Page:
    """What a page is made of."""

    title: str
    fallback: str
    """HTML for a browser that runs no scripts."""
    style: str
    module: str
    state: dict[str, Any]
    """The view's traits; bytes as they are."""
    blocks: Iterable[tuple[str, bytes]]
    """Names and bytes, made while the page is written."""
    model: tuple[str, str, bytes] | None = None
    """What answers in the page: the model's name, the engine's JavaScript, model and tokenizer."""

    def parts(self) -> Iterator[bytes]:
        """Return the page's bytes, one part after the other."""
        numbers = {
            name: value
            for name, value in self.state.items()
            if isinstance(value, bytes | memoryview | bytearray)
        }
        parts = {
            "state": {name: value for name, value in self.state.items() if name not in numbers},
            "bytes": {name: base64.b64encode(value).decode("ascii") for name, value in numbers.items()},
            "module": self.module,
        }
        yield _utf8(_HEAD.format(title=html.escape(self.title), style=self.style, fallback=self.fallback))
        for kind, part in parts.items():
            yield _utf8(f'<script type="application/json" data-bvl="{kind}">{_json(part)}</script>\n')
        for name, block in self.blocks:
            yield _utf8(f'<script type="text/plain" data-bvl-block="{html.escape(name)}">')
            yield base64.b64encode(compress(block))
            yield b"</script>\n"
        if self.model:
            name, source, packed = self.model
            yield _utf8(f'<script type="application/json" data-bvl="engine">{_json(source)}</script>\n')
            yield _utf8(f'<script type="text/plain" data-bvl-model="{html.escape(name)}">')
            yield base64.b64encode(packed)
            yield b"</script>\n"
        yield _utf8(_TAIL.format(runtime=read_source("base/js/page.js")))


def _utf8(text: str) -> bytes:
    """Return the bytes of `text`; half a surrogate pair, which no file can hold, becomes a question mark."""
    return text.encode("utf-8", errors="replace")


def _json(value: object) -> str:
    r"""Return JSON that can stand in a ``<script>``: ``<`` is written ``\u003c``, so no tag can end it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' \
'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; img-src data:">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
html {{ font: 100%/1.5 system-ui, sans-serif; }}
body {{ background: #fff; color: #1f2328; margin: 0 auto; max-width: 76rem; padding: 1rem; }}
h1 {{ font-size: 1.4rem; margin: 0 0 0.6rem; }}
img {{ height: auto; max-width: 100%; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #0d1117; color: #e8eaed; }} }}
{style}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<div data-bvl-place></div>
<noscript>{fallback}</noscript>
</main>
"""

_TAIL = """<script type="module">
{runtime}</script>
</body>
</html>
"""
