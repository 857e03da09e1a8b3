"""Several views in one HTML file, each behind a tab: what a teacher mails to a class.

The file needs no network, server or kernel. A model that several views ask is in it once; a view starts when
its tab is first opened. ``page.html#fill-in`` opens the tab "Fill in".
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bertviz_lite.basics.files import written_whole
from bertviz_lite.capture.errors import kind_of
from bertviz_lite.views.base.contents import PAGE_STYLE, head, utf8
from bertviz_lite.views.base.errors import ViewError, ViewTypeError, checked_path, checked_title
from bertviz_lite.views.base.sources import read_source
from bertviz_lite.views.base.view import View
from bertviz_lite.views.pages.shelf import Shelf, Shown

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

__all__ = ["save_page"]

_TITLE = "BERT, view by view"
_LEVEL = 3
"""Of a view's headings: the page has the first, its tab's text the second."""


def save_page(
    path: str | os.PathLike[str],
    views: Mapping[str, View],
    *,
    title: str | None = None,
    texts: Mapping[str, str] | None = None,
    live: bool | None = None,
) -> None:
    """Write several views, in their present state, as one HTML file with a tab for each.

    A file that is there is replaced when the new one is complete.

    Parameters
    ----------
    path
        The file to write; its folder must exist.
    views
        The views by the names of their tabs, in order.
    title
        Heading of the page.
    texts
        What is said above a view, by the name of its tab: a sentence or two; the view's own sentence where
        there is none.
    live
        Whether the models are put into the page, each once; see :meth:`View.save`.

    Raises
    ------
    ViewError
        If there is no view, two names are alike, or a text has no tab; else as :meth:`View.save` does.

    Examples
    --------
    >>> save_page("class.html", {"Fill in": fill_in, "Pairs": pairs})  # doctest: +SKIP
    """
    page = _Tabs(_checked(views), checked_title(title, _TITLE), _checked_texts(texts or {}, views), live)
    with written_whole(checked_path(path)) as file:
        for part in page.parts():
            file.write(part)


class _Tabs:
    """The page, part after part."""

    def __init__(
        self, views: Mapping[str, View], title: str, texts: Mapping[str, str], live: bool | None
    ) -> None:
        self.title = title
        self.texts = texts
        self.views = views
        self.shown = {
            tab: Shown(_slug(tab), view._contents(live), view._page_fallback(), _LEVEL)
            for tab, view in views.items()
        }

    def parts(self) -> Iterator[bytes]:
        """Return the page's bytes, one part after the other."""
        shelf = Shelf([shown.contents for shown in self.shown.values()])
        title = html.escape(self.title)
        yield head(title, PAGE_STYLE + shelf.style() + read_source("pages/tabs.css"))
        yield utf8(f"<header>\n<h1>{title}</h1>\n</header>\n<main>\n{self._list()}")
        for number, (tab, shown) in enumerate(self.shown.items()):
            about = self.views[tab].about
            text = self.texts.get(tab, f"{about}." if about else "")
            yield utf8(
                f'<section id="panel-{number}" role="tabpanel" aria-labelledby="tab-{number}">\n'
                f"<h2>{html.escape(self.views[tab].title)}</h2>\n"
            )
            if text:
                yield utf8(f'<p class="bvp-intro">{html.escape(text)}</p>\n')
            yield from shown.parts()
            yield b"</section>\n"
        yield utf8(f"</main>\n{self._note()}")
        yield from shelf.parts()
        yield Shelf.runtime("tabs_page.js")
        yield b"</body>\n</html>\n"

    def _note(self) -> str:
        if not any(shown.contents.model for shown in self.shown.values()):
            return ""
        return (
            '<footer class="bvp-soft">The model is in this page and computes on your own device: nothing '
            "that you type leaves it.</footer>\n"
        )

    def _list(self) -> str:
        tabs = "".join(
            f'<button type="button" role="tab" id="tab-{number}" aria-controls="panel-{number}" '
            f'aria-selected="false" data-bvp-tab="{shown.name}">{html.escape(tab)}</button>\n'
            for number, (tab, shown) in enumerate(self.shown.items())
        )
        return f'<div class="bvp-tabs" role="tablist" aria-label="Views" hidden>\n{tabs}</div>\n'


def _checked(views: object) -> Mapping[str, View]:
    if not isinstance(views, Mapping):
        raise ViewTypeError(
            f"views is {kind_of(views)}: views by the names of their tabs are needed, as in "
            '{"Fill in": view}.'
        )
    if not views:
        raise ViewError("views is empty: a page needs at least one.")
    for tab, view in views.items():
        if not isinstance(view, View):
            raise ViewTypeError(f"views[{tab!r}] is {kind_of(view)}: a view is needed.")
    slugs: dict[str, str] = {}
    for tab in views:
        slug = _slug(tab)
        if not slug or slug in slugs:
            other = f" and {slugs[slug]!r}" if slug else ""
            raise ViewError(f"{tab!r}{other}: each tab needs a name of its own, of letters or digits.")
        slugs[slug] = tab
    return views


def _checked_texts(texts: Mapping[str, str], views: Mapping[str, View]) -> Mapping[str, str]:
    for tab in texts:
        if tab not in views:
            raise ViewError(f"texts has {tab!r}, and there is no such tab: {', '.join(map(repr, views))}.")
    return texts


def _slug(tab: object) -> str:
    """Return how an address names a tab.

    >>> _slug("Fill in")
    'fill-in'
    """
    return re.sub(r"[^\w]+", "-", str(tab).lower(), flags=re.ASCII).strip("-")
