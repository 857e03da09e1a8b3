"""Which pages the site has, and of which files of the repository they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bertviz_lite.basics.notebook_files import course_files

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["ADDRESS", "CHAPTERS", "HOME", "IN_CHINESE", "SiteError", "built_pages", "listed", "site_pages"]

HOME = "https://github.com/bertviz-lite/bertviz-lite"
ADDRESS = "https://bertviz-lite.github.io/bertviz-lite/"
"""Where the site is published; pictures for sharing and the sitemap need whole addresses."""

CHAPTERS = "notebooks"
IN_CHINESE = "zh"
"""The folder of the chapters in Chinese, below the others; and the page in Chinese that leads to them."""

_PAGES = {
    "site/index.md": "index",
    "site/api.md": "api",
    "bertviz_lite/models/pocket/README.md": "pocket_model",
    "bertviz_lite/models/pocket-zh/README.md": "pocket_model_zh",
    "TEACHING.md": "teaching",
    "README.zh.md": IN_CHINESE,
    "CHANGELOG.md": "changelog",
    "CONTRIBUTING.md": "contributing",
}
"""Pages by the files that they are made of, beside those of ``docs`` and the chapters."""

_OTHERS = "others"
"""The line of the first page in whose place pages come that no list names."""


def built_pages(site: Path) -> list[Path]:
    """Return the pages of a built site; what a theme keeps in ``_static`` is none."""
    return [page for page in sorted(site.rglob("*.html")) if "_static" not in page.relative_to(site).parts]


class SiteError(Exception):
    """The site cannot be made; the message is one line that says what to do."""


def site_pages(root: Path) -> dict[str, str]:
    """Return the pages by their files: ``{"docs/glossary.md": "glossary"}``.

    Parameters
    ----------
    root
        The repository.
    """
    chapters = [path.relative_to(root) for path in course_files(root / CHAPTERS)]
    documents = [path.relative_to(root) for path in sorted((root / "docs").rglob("*.md"))]
    return (
        _PAGES
        | {path.as_posix(): path.relative_to("docs").with_suffix("").as_posix() for path in documents}
        | {path.as_posix(): path.with_suffix("").as_posix() for path in chapters}
    )


def listed(index: str, pages: Iterable[str]) -> str:
    """Return the first page with every page listed: where "others" stands come those that nothing names."""
    lines = index.split("\n")
    named = {"index", *lines}
    others = sorted(page for page in pages if page not in named and not page.startswith(f"{CHAPTERS}/"))
    return "\n".join("\n".join(others) if line == _OTHERS else line for line in lines)
