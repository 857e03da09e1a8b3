"""A view as one HTML file: its state, its numbers and its module, run from a USB stick without a network."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bertviz_lite.views.base.contents import PAGE_STYLE, Contents, head, in_json, utf8
from bertviz_lite.views.base.sources import read_module

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Page"]


@dataclass(frozen=True)
class Page:
    """What a page of one view is made of."""

    title: str
    about: str
    """What the view shows and what to do with it, without a full stop; nothing is said if it is empty."""
    fallback: str
    """HTML for a browser that runs no scripts."""
    contents: Contents

    def parts(self) -> Iterator[bytes]:
        """Return the page's bytes, one part after the other."""
        title, view = html.escape(self.title), self.contents
        yield head(title, PAGE_STYLE + view.style)
        about = _ABOUT.format(about=html.escape(self.about, quote=False)) if self.about else ""
        yield utf8(_MAIN.format(title=title, about=about, fallback=self.fallback))
        yield from view.state_parts()
        yield in_json("module", view.module)
        yield from view.block_parts()
        if view.model:
            yield from view.model.held_engine().parts()
            yield from view.model.held().parts()
        yield utf8(_TAIL.format(runtime=read_module("base", "js/saved/page.js")))


_MAIN = """<main>
<header>
<h1>{title}</h1>
{about}</header>
<div data-bvl-place></div>
<noscript>{fallback}</noscript>
</main>
"""

_ABOUT = """<p>{about}; this page works offline.</p>
"""

_TAIL = """<script type="module">
{runtime}</script>
</body>
</html>
"""
