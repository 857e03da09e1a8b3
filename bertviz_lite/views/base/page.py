"""A view as one HTML file: its state, its numbers and its module, run from a USB stick without a network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bertviz_lite.views.base.saved.chinese import spoken
from bertviz_lite.views.base.saved.contents import PAGE_STYLE, Contents, head, in_json, utf8
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
    of: str = ""
    """What the page is a page of, which the browser's tab says after the title: a model's name."""

    def parts(self) -> Iterator[bytes]:
        """Return the page's bytes, one part after the other."""
        view, lang = self.contents, str(self.contents.state.get("lang", "en"))
        tab = spoken("title", self.title, lang, name=self.of)
        yield head(tab, PAGE_STYLE + view.style, lang=lang)
        ending = "; {models} answers in it, offline too." if view.model else "; this page works offline."
        models = view.model.called if view.model else ""
        about = spoken("p", self.about, lang, ending=ending, models=models) if self.about else ""
        title = spoken("h1", self.title, lang)
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
{title}
{about}
</header>
<div data-bvl-place></div>
<noscript>{fallback}</noscript>
</main>
"""

_TAIL = """<script type="module">
{runtime}</script>
</body>
</html>
"""
