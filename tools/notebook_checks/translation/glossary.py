"""Make the glossary in Chinese, `docs/glossary_zh.md`: the terms of the chapters and their Chinese names."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from notebook_checks.chapters_page import address, write_page
from notebook_checks.glossary_page import Entry, entries
from notebook_checks.notebook import NOTEBOOKS, ROOT, NotebookError, shown
from notebook_checks.rules.glossary import key

PAGE = ROOT / "docs" / "glossary_zh.md"
NAMES = Path(__file__).with_name("terms.txt")
"""A line for each term: its English name, " = ", its Chinese name."""

BEGINNING = """\
# 术语表（中英对照）

本课用到的术语：英文、别的英文叫法、中文，和讲它的那一章。有中文版的章，链接通向中文版。每个词的解释和出处在
[英文术语表](glossary.md)里。中文译法各家不一，这里取常见的一种；没有通行译法的，保留英文原名，再说明它是什么。

| 英文 | 也叫 | 中文 | 章 |
| --- | --- | --- | --- |
"""


def chinese_names(file: Path = NAMES) -> dict[str, str]:
    """Return the Chinese names by the English ones.

    Raises
    ------
    NotebookError
        Where a line has another form, or names a term that a line above has named.
    """
    names: dict[str, str] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        english, equals, chinese = line.partition(" = ")
        if not (equals and english.strip() and chinese.strip()) or english in names:
            raise NotebookError(
                f"{shown(file)}: line {number}, “{line}”: one line a term is needed, `English = 中文`"
            )
        names[english] = chinese
    return names


def entries_with_names(paths: Iterable[Path]) -> list[tuple[Entry, str]]:
    """Collect the terms of notebooks, each with its Chinese name.

    Raises
    ------
    NotebookError
        Where a term has no Chinese name, or a name no term.
    """
    names = chinese_names()
    found = entries(paths)
    terms = {entry.term.name for entry in found}
    for entry in found:
        if entry.term.name not in names:
            raise NotebookError(
                f"{shown(entry.path)}: “{entry.term.name}” has no Chinese name: add a line to {shown(NAMES)}"
            )
    if gone := sorted(set(names) - terms):
        raise NotebookError(f"{shown(NAMES)}: no chapter has the term “{gone[0]}”: take out its line")
    return [(entry, names[entry.term.name]) for entry in found]


def page(found: Sequence[tuple[Entry, str]], folder: Path) -> str:
    """Write the page as text, its links as seen from a folder."""
    rows = sorted(found, key=lambda row: (key(row[0].term.name), row[0].term.name))
    return BEGINNING + "\n".join(_row(entry, chinese, folder) for entry, chinese in rows) + "\n"


def _row(entry: Entry, chinese: str, folder: Path) -> str:
    term, number = entry.term, entry.path.stem.partition("_")[0]
    link = f"[{number}]({address(_in_chinese(entry.path), folder)})"
    return f"| {' | '.join(_cell(text) for text in (term.name, ', '.join(term.also), chinese))} | {link} |"


def _in_chinese(path: Path) -> Path:
    """Return the chapter's translation, or the chapter where there is none."""
    chinese = NOTEBOOKS / "zh" / path.name
    return chinese if chinese.is_file() else path


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page; 1 where a term has no Chinese name."""
    return write_page(arguments, "glossary in Chinese", PAGE, entries_with_names, page, "terms")
