"""The glossary in Chinese: each term has one name, each name a term, and the page is current."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from notebook_checks.glossary_page import Entry
from notebook_checks.notebook import NotebookError, find_notebooks
from notebook_checks.rules.glossary import Term
from notebook_checks.translation import glossary
from notebook_checks.translation.glossary import PAGE, chinese_names, entries_with_names, page

HEADS = Term("attention head", ("head",), "one of several.", "Vaswani", "https://arxiv.org/abs/1706.03762")
CHAPTER = Path(glossary.NOTEBOOKS / "03_attention.ipynb")


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have a list of names of its own, and chapters that explain one term."""

    def explained(_: Iterable[Path]) -> list[Entry]:
        return [Entry(HEADS, CHAPTER)]

    file = tmp_path / "terms.txt"
    monkeypatch.setattr(glossary, "chinese_names", lambda: chinese_names(file))
    monkeypatch.setattr(glossary, "entries", explained)
    return file


def test_the_page_is_current_and_every_term_of_the_chapters_has_a_chinese_name() -> None:
    found = entries_with_names(find_notebooks())
    assert PAGE.read_text(encoding="utf-8") == page(found, PAGE.parent), "run: python tools/glossary.py"


def test_a_row_has_both_names_and_leads_to_the_chapter(names: Path) -> None:
    names.write_text("attention head = 注意力头\n", encoding="utf-8")
    last = page(entries_with_names([]), PAGE.parent).splitlines()[-1]
    assert last == "| attention head | head | 注意力头 | [03](../notebooks/03_attention.ipynb) |"


def test_a_chapter_that_is_translated_is_linked_in_chinese() -> None:
    start = Entry(HEADS, glossary.NOTEBOOKS / "00_start_here.ipynb")
    assert "(../notebooks/zh/00_start_here.ipynb)" in page([(start, "注意力头")], PAGE.parent)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "“attention head” has no Chinese name"),
        ("attention head = 注意力头\nattention tail = 尾\n", "no chapter has the term “attention tail”"),
        ("attention head 注意力头\n", "line 1"),
        ("attention head = \n", "line 1"),
        ("attention head = 头\nattention head = 注意力头\n", "line 2"),
    ],
)
def test_terms_and_names_that_do_not_match_are_refused(names: Path, lines: str, message: str) -> None:
    names.write_text(lines, encoding="utf-8")
    with pytest.raises(NotebookError, match=message):
        entries_with_names([])
