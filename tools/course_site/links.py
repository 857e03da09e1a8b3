"""Links of a Markdown file of the repository, as the site needs them."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from course_site.pages import HOME, SiteError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["SCHEME", "cell_place", "relinked"]

SCHEME = "site"
"""How links begin that are addresses of the built site: to a cell, which Sphinx knows nothing of."""

_CODE = re.compile(r"(```.*?```|~~~.*?~~~|(?<!`)`[^`\n]+`(?!`))", re.DOTALL)
_LINK = re.compile(r'(!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\()((?:[^()\s]|\([^()\s]*\))+)((?: "[^"]*")?\))')
_CELL = re.compile(r'#cell-id=([\w-]+)| "cell ([\w-]+)"')
_ELSEWHERE = re.compile(r"\w+:|#|//")


def relinked(markdown: str, file: str, pages: Mapping[str, str], root: Path) -> str:
    """Return Markdown whose links lead to pages of the site, and to the repository's own for all other files.

    Parameters
    ----------
    markdown
        The text; code in it stays as it is.
    file
        Where it stands in the repository: ``docs/glossary.md``.
    pages
        Pages by their files: :func:`~course_site.pages.site_pages`.
    root
        The repository.

    Raises
    ------
    SiteError
        If a link leads to no file.
    """

    def lead(match: re.Match[str]) -> str:
        before, target, after = match.groups()
        if _ELSEWHERE.match(target) and not (target.startswith("#") and file.endswith(".ipynb")):
            return match[0]
        name, _, place = target.partition("#")
        name = name or posixpath.basename(file)
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(file), name))
        if wanted in pages:
            cell = _CELL.search(f"#{place}{after}")
            if cell and wanted.endswith(".ipynb"):
                address = _from(file, pages[wanted] + ".html", pages)
                return f"{before}{SCHEME}:{address}#{cell_place(cell[1] or cell[2])})"
            address = _from(file, pages[wanted] + posixpath.splitext(wanted)[1], pages)
            return f"{before}{address}{'#' + _slug(place) if place else ''}{after}"
        if not (root / wanted).exists():
            raise SiteError(f"{file}: {target} leads nowhere.")
        kind = "tree" if (root / wanted).is_dir() else "raw" if before.startswith("!") else "blob"
        return f"{before}{HOME}/{kind}/main/{wanted}{'#' + place if place else ''}{after}"

    codes: list[str] = []

    def hide(match: re.Match[str]) -> str:
        codes.append(match[0])
        return f"\0{len(codes) - 1}\0"

    found = _LINK.sub(lead, _CODE.sub(hide, markdown))
    return re.sub(r"\0(\d+)\0", lambda match: codes[int(match[1])], found)


def cell_place(name: str) -> str:
    """Return how an address names a cell, on the site as in JupyterLab."""
    return f"cell-id={name}"


def _from(file: str, address: str, pages: Mapping[str, str]) -> str:
    """Return an address of the site as the page of `file` names it."""
    return posixpath.relpath(address, posixpath.dirname(pages[file]) or ".")


def _slug(place: str) -> str:
    """Return how a page names a heading that notebooks call ``Break-it``, and GitHub ``break-it``.

    >>> _slug("You-will-read-that-…")
    'you-will-read-that-'
    """
    return re.sub(r"[^\w-]", "", place.lower())
