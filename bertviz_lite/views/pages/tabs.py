"""Several views in one HTML file, each behind a tab: what a teacher mails to a class.

The file needs no network, server or kernel. A model that several views ask is in it once; a view starts when
its tab is first opened. ``page.html#fill-in`` opens the tab "Fill in".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from bertviz_lite.basics.files import written_whole
from bertviz_lite.capture.errors import kind_of
from bertviz_lite.views.base.errors import ViewError, ViewTypeError, checked_path, checked_title
from bertviz_lite.views.base.language import checked_language
from bertviz_lite.views.base.saved.chinese import attributes, spoken
from bertviz_lite.views.base.saved.contents import PAGE_STYLE, Contents, head, utf8
from bertviz_lite.views.base.sources import read_source
from bertviz_lite.views.base.view import View
from bertviz_lite.views.pages.shelf import Shelf, Shown

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

__all__ = ["save_page"]

_TITLE = "BERT, view by view"
_NOTE = (
    "The model that answers, {models}, is in this page and computes on your own device: "
    "nothing that you type leaves it."
)
_LEVEL = 3
"""Of a view's headings: the page has the first, its tab's text the second."""


def save_page(
    path: str | os.PathLike[str],
    views: Mapping[str, View],
    *,
    title: str | None = None,
    texts: Mapping[str, str] | None = None,
    live: bool | None = None,
    lang: str | None = None,
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
    lang
        The language of the page's own words and of the views', until its reader switches: "en" or "zh". That
        of the first view if None.

    Raises
    ------
    ViewError
        If there is no view, two names are alike, or a text has no tab; else as :meth:`View.save` does.

    Examples
    --------
    >>> save_page("class.html", {"Fill in": fill_in, "Pairs": pairs})  # doctest: +SKIP
    """
    page = _Tabs(
        _checked(views), checked_title(title, _TITLE), _checked_texts(texts or {}, views), live, lang
    )
    with written_whole(checked_path(path)) as file:
        for part in page.parts():
            file.write(part)


class _Tabs:
    """The page, part after part."""

    def __init__(
        self,
        views: Mapping[str, View],
        title: str,
        texts: Mapping[str, str],
        live: bool | None,
        lang: str | None,
    ) -> None:
        self.title = title
        self.lang = checked_language(next(iter(views.values())).lang if lang is None else lang)
        self.texts = texts
        self.views = views
        self.shown = {
            tab: Shown(_slug(tab), self._in_language(view._contents(live)), view._page_fallback(), _LEVEL)
            for tab, view in views.items()
        }

    def parts(self) -> Iterator[bytes]:
        """Return the page's bytes, one part after the other."""
        shelf = Shelf([shown.contents for shown in self.shown.values()])
        style = PAGE_STYLE + shelf.style() + read_source("pages/tabs.css")
        yield head(spoken("title", self.title, self.lang), style, lang=self.lang)
        yield utf8(f"<header>\n{spoken('h1', self.title, self.lang)}\n</header>\n<main>\n{self._list()}")
        for number, (tab, shown) in enumerate(self.shown.items()):
            about = self.views[tab].about
            text, ending = (self.texts[tab], "") if tab in self.texts else (about, ".")
            yield utf8(
                f'<section id="panel-{number}" role="tabpanel" aria-labelledby="tab-{number}">\n'
                f"{spoken('h2', self.views[tab].title, self.lang)}\n"
            )
            if text:
                intro = spoken("p", text, self.lang, ending=ending, attribute=' class="bvp-intro"')
                yield utf8(f"{intro}\n")
            yield from shown.parts()
            yield b"</section>\n"
        yield utf8(f"</main>\n{self._note()}")
        yield from shelf.parts()
        yield Shelf.runtime("tabs_page.js")
        yield b"</body>\n</html>\n"

    def _note(self) -> str:
        models = [shown.contents.model for shown in self.shown.values() if shown.contents.model]
        if not models:
            return ""
        # A model's tokenizer alone, as the token view takes it, has the model's name.
        names = {model.called.partition(" (")[0]: model.called for model in reversed(models)}
        called = ", ".join(reversed(names.values()))
        return spoken("footer", _NOTE, self.lang, attribute=' class="bvp-soft"', models=called) + "\n"

    def _list(self) -> str:
        tabs = "".join(
            spoken(
                "button",
                tab,
                self.lang,
                attribute=f' type="button" role="tab" id="tab-{number}" aria-controls="panel-{number}" '
                f'aria-selected="false" data-bvp-tab="{shown.name}"',
            )
            + "\n"
            for number, (tab, shown) in enumerate(self.shown.items())
        )
        name = attributes("aria-label", "Views", self.lang)
        return f'<div class="bvp-tabs" role="tablist"{name} hidden>\n{tabs}</div>\n'

    def _in_language(self, contents: Contents) -> Contents:
        return replace(contents, state={**contents.state, "lang": self.lang})


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
