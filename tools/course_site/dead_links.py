"""Links inside the site that lead nowhere, and whatever a page would load from elsewhere."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urlsplit

from course_site.pages import built_pages

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["dead_links"]

_LOADING = {"script", "img", "iframe", "source", "video", "audio", "embed", "object"}
_NOT_LOADED = {"canonical", "alternate", "next", "prev", "search", "index", "author", "license"}


class _Page(HTMLParser):
    """What a page links to, what it loads, and the places that an address can name."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.places = {"", "top"}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.places |= {found[name] for name in ("id", "name") if name in found}
        if "data-bvl-view" in found:
            self.places.add(found["data-bvl-view"])
        if "data-bvl-src" in found:
            self.loaded.append(found["data-bvl-src"])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag == "link" and not set(found.get("rel", "").split()) & _NOT_LOADED:
            self.loaded.append(found.get("href", ""))
        elif tag in _LOADING and "src" in found:
            self.loaded.append(found["src"])


def dead_links(site: Path) -> list[str]:
    """Return what is wrong with the links of a built site, a line for each.

    Parameters
    ----------
    site
        The folder.
    """
    pages = {}
    for file in built_pages(site):
        pages[file.resolve()] = page = _Page()
        page.feed(file.read_text(encoding="utf-8"))
    return [
        f"{file.relative_to(site.resolve()).as_posix()}: {problem}"
        for file, page in pages.items()
        for problem in _problems(file, page, pages)
    ]


def _problems(file: Path, page: _Page, pages: dict[Path, _Page]) -> list[str]:
    found = [f"loads {address} from elsewhere" for address in page.loaded if _is_elsewhere(address)]
    for address in dict.fromkeys([*page.links, *page.loaded]):
        if _is_elsewhere(address) or address.startswith(("data:", "mailto:", "javascript:")):
            continue
        name, place = urldefrag(address)
        target = (file.parent / unquote(urlsplit(name).path)).resolve() if name else file
        if not target.is_file():
            found.append(f"{address} leads nowhere")
        elif target in pages and unquote(place) not in pages[target].places:
            found.append(f"{address}: the page has no such place")
    return found


def _is_elsewhere(address: str) -> bool:
    return bool(urlsplit(address).netloc)
