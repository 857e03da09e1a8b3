"""Put together what Sphinx reads: the pages, the chapters made ready, and what is copied beside them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertviz_lite.basics.notebook_files import read
from bertviz_lite.views.pages.__main__ import main as write_class_page
from bertviz_lite.views.pages.class_page import TABS
from bertviz_lite.views.pages.shelf import Shelf, Shown
from course_site.apart import set_apart
from course_site.chapters import VIEWS, digest, prepared, still, up
from course_site.links import relinked
from course_site.pages import (
    ADDRESS,
    CHAPTERS,
    HOME,
    IN_CHINESE,
    SiteError,
    built_pages,
    listed,
    site_pages,
)

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["Staging"]


_NOTE = "*This page is [a notebook]({address}); its code was run before. `make lab` opens it for you to run.*"
_LANGUAGE = "BERTVIZ_LITE_LANG"
"""What the views of a page begin with: see ``View.lang``."""
_NOTE_IN_CHINESE = (
    "*这一页是一本[笔记本]({address})，其中的代码已经运行过。`make lab` 会打开它，让你自己运行。*"
)


class Staging:
    """What Sphinx reads, in folders below ``build``.

    Parameters
    ----------
    root
        The repository.

    Attributes
    ----------
    source
        The pages, as Sphinx takes them.
    beside
        Files that are copied to the site as they are.
    kept
        Chapters that were run, kept for the next time.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.pages = site_pages(root)
        build = root / "build"
        self.source, self.beside, self.kept = (
            build / "site_source",
            build / "site_beside",
            build / "site_chapters",
        )

    def write(self, alive: Collection[str] | None = None) -> None:
        """Write everything anew; chapters that have not changed are not run again.

        Parameters
        ----------
        alive
            Chapters with live views, the others then have pictures; None for all.
        """
        for folder in (self.source, self.beside):
            shutil.rmtree(folder, ignore_errors=True)
        self.beside.joinpath(VIEWS).mkdir(parents=True)
        self.kept.mkdir(parents=True, exist_ok=True)
        for file, page in self.pages.items():
            target = self.source / (page + Path(file).suffix)
            target.parent.mkdir(parents=True, exist_ok=True)
            if file.startswith(CHAPTERS):
                self._chapter(self.root / file, target, alive is None or target.stem in alive)
            else:
                text = relinked((self.root / file).read_text(encoding="utf-8"), file, self.pages, self.root)
                whole = listed(text, self.pages.values()) if page == "index" else text
                target.write_text(whole, encoding="utf-8")
        (self.beside / VIEWS / "views.css").write_text(views_style(self.root), encoding="utf-8")
        shutil.copy(self.root / "docs" / "attention_explorer.png", self.beside)  # for those who share a link
        self._first_view()
        self._class_page()

    def _chapter(self, notebook: Path, target: Path, is_alive: bool) -> None:
        shown = self._alive(notebook) if is_alive else still(notebook)
        views = (self.beside / VIEWS, f"{up(notebook)}{VIEWS}/")
        shown["below"] = {number: set_apart(html, *views) for number, html in shown["below"].items()}
        stored = read(notebook)
        file = notebook.relative_to(self.root).as_posix()
        note = (_NOTE_IN_CHINESE if _is_chinese(notebook) else _NOTE).format(
            address=f"{HOME}/blob/main/{file}"
        )
        made = prepared(stored, shown, lambda text: relinked(text, file, self.pages, self.root), note)
        target.write_text(json.dumps(made), encoding="utf-8")
        for shared in (self.kept / VIEWS).glob("*.js"):
            if shared.name in shown["shared"]:
                shutil.copy(shared, self.beside / VIEWS)

    def _alive(self, notebook: Path) -> dict[str, Any]:
        """Return what a chapter shows with live views; it is run if that is not kept from before."""
        of = notebook.relative_to(self.root / CHAPTERS)
        kept = self.kept / f"{'-'.join(of.with_suffix('').parts)}.json"
        if not self._is_new(kept, notebook):
            print(f"Running {of.with_suffix('').as_posix()} for its views", flush=True)
            _run(notebook, kept)
            self._remember(kept, notebook)
        shown: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
        return shown

    def _first_view(self) -> None:
        """Write the view of the first page: a sentence to be filled in."""
        from bertviz_lite.models.loading import load

        tokenizer, model = load("pocket")
        view = TABS[0].make(model, tokenizer)
        contents = view._contents(None)
        shown = Shown("fillin", contents, f'<div class="bvp-html">{view._page_fallback()}</div>', 2)
        parts = [*shown.parts(), *Shelf([contents]).parts_beside(self.beside / VIEWS, f"{VIEWS}/")]
        page = b"".join([*parts, Shelf.runtime("book_page.js")])
        (self.source / "first_view.html").write_bytes(page)

    def _class_page(self) -> None:
        """Write the page for phones."""
        kept = self.kept / "play.html"
        if not self._is_new(kept):
            if write_class_page([str(kept)]):
                raise SiteError("The page for phones was not written: see above.")
            self._remember(kept)
        target = self.beside / "play" / "index.html"
        target.parent.mkdir()
        target.write_text(with_way_back(kept.read_text(encoding="utf-8")), encoding="utf-8")

    def _is_new(self, kept: Path, *notebooks: Path) -> bool:
        """Whether what was made before is of the same notebook, and made by the same package."""
        stamp = kept.with_suffix(".of")
        of = digest(self.root / "bertviz_lite", *notebooks)
        return kept.is_file() and stamp.is_file() and stamp.read_text(encoding="utf-8") == of

    def _remember(self, kept: Path, *notebooks: Path) -> None:
        of = digest(self.root / "bertviz_lite", *notebooks)
        kept.with_suffix(".of").write_text(of, encoding="utf-8")


def with_way_back(page: str) -> str:
    """Return the page for phones with a link to the course behind it."""
    head, mark, rest = page.partition("</header>")
    if not mark:
        raise SiteError("The page for phones has no header that could lead to the course.")
    return f'{head}<p><a href="../index.html">The course behind this page</a></p>\n{mark}{rest}'


def views_style(root: Path) -> str:
    """Return the style sheets of all views: what they share comes first."""
    views = root / "bertviz_lite" / "views"
    files = [views / "base" / "common.css", *sorted(views.glob("*/view.css"))]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def write_sitemap(site: Path) -> None:
    """Write which pages a search engine may find."""
    pages = [page.relative_to(site).as_posix() for page in built_pages(site)]
    found = [page for page in pages if page not in {"search.html", "genindex.html"}]
    lines = [f"<url><loc>{ADDRESS}{page.removesuffix('index.html')}</loc></url>" for page in found]
    text = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    (site / "sitemap.xml").write_text(text + "\n".join(lines) + "\n</urlset>\n", encoding="utf-8")


def environment() -> dict[str, str]:
    """Return the environment in which a Python finds these tools, and opens no window."""
    tools = Path(__file__).resolve().parents[1]
    paths = os.pathsep.join([str(tools), str(tools.parent)])
    return {**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": paths}


def _is_chinese(notebook: Path) -> bool:
    return notebook.parent.name == IN_CHINESE


def _run(notebook: Path, target: Path) -> None:
    command = [sys.executable, "-m", "course_site.chapters", str(notebook), str(target)]
    language = {_LANGUAGE: "zh"} if _is_chinese(notebook) else {}
    if subprocess.run(command, env=environment() | language, check=False).returncode:
        raise SiteError(f"{notebook.name} could not be run: see above.")
