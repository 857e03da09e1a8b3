"""The glossary: read from the chapters, in one form, each term once, and its page current."""

from pathlib import Path
from typing import Any

import pytest
from notebook_checks.glossary_page import PAGE, entries, main, page
from notebook_checks.notebook import NotebookError, find_notebooks, normalised, serialised
from notebook_checks.rules.glossary import Term, items, read_item
from notebook_checks.rules.markup import links
from notebook_checks.rules.static import static_findings

PAPER = "[Vaswani et al., 2017](https://arxiv.org/abs/1706.03762)"
SELF = f"- **self-attention** (also: intra-attention): every token looks at the others. {PAPER}"
HEADS = f"- **multi-head attention**: several at once, e.g. BERT's twelve. {PAPER}"
MARKER = "**Elsewhere this is called**"


def chapter(folder: Path, name: str, *cells: str) -> Path:
    path = folder / name
    prose: list[dict[str, Any]] = [
        {"cell_type": "markdown", "metadata": {}, "source": source} for source in ("# What is it?", *cells)
    ]
    notebook = normalised({"cells": prose, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    path.write_text(serialised(notebook), encoding="utf-8", newline="\n")
    return path


def findings(folder: Path, *cells: str) -> list[str]:
    return [finding.message for finding in static_findings(chapter(folder, "note.ipynb", *cells))]


def test_an_item_is_read_with_its_other_names_and_its_source() -> None:
    assert read_item(SELF) == Term(
        "self-attention",
        ("intra-attention",),
        "every token looks at the others.",
        "Vaswani et al., 2017",
        "https://arxiv.org/abs/1706.03762",
    )
    wikipedia = "[Wikipedia](https://en.wikipedia.org/wiki/Bank_(geography))"
    term = read_item(
        f"- **`[CLS]`** (also: class token, sentence vector (loosely)): it (a token) sums up. {wikipedia}."
    )
    assert term.also == ("class token", "sentence vector (loosely)")
    assert term.address == "https://en.wikipedia.org/wiki/Bank_(geography)"


@pytest.mark.parametrize(
    "source",
    [
        f"{MARKER}\n\n{SELF}\n{HEADS}",
        f"{MARKER}\n{SELF}\n{HEADS}\n\nMore text.\n\n- no term",
        f"## Why\n\nText.\n\n{MARKER} by everyone:\n\n{SELF}\n\n{HEADS}\n\n## Next\n\n- no term",
        f"{MARKER}\n\n{SELF.replace(' looks', chr(10) + '  looks')}\n{HEADS}",
    ],
)
def test_the_list_below_the_paragraph_is_found_however_it_is_spaced(source: str) -> None:
    assert list(items(source)) == [SELF, HEADS]


@pytest.mark.parametrize("source", [SELF, f"```\n{MARKER}\n\n{SELF}\n```", f"text {MARKER}\n\n{SELF}"])
def test_a_list_without_the_paragraph_is_no_glossary(source: str) -> None:
    assert list(items(source)) == []


def test_good_items_are_no_finding(tmp_path: Path) -> None:
    assert findings(tmp_path, f"{MARKER}\n\n{SELF}\n{HEADS}", "An idea is seldom called by one name.") == []


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("- self-attention: it looks. " + PAPER, "does not begin with the term in bold"),
        ("- **self-attention** is when it looks. " + PAPER, "needs `: ` after the term"),
        ("- **self-attention** (intra-attention): it looks. " + PAPER, "needs `: ` after the term"),
        ("- **self-attention** (also: a, ): it looks. " + PAPER, "the same name twice, or an empty one"),
        ("- **self-attention** (also: Self attention): it looks. " + PAPER, "has the same name twice"),
        ("- **self-attention**: it looks.", "does not end with its source"),
        ("- **self-attention**: it looks. Vaswani et al., 2017", "does not end with its source"),
        ("- **self-attention**: it looks. [here](note.ipynb)", "does not end with its source"),
        ("- **self-attention**: it looks. [paper](http://arxiv.org)", "does not end with its source"),
        ("- **self-attention**: it looks. " + PAPER + " and more", "does not end with its source"),
        ("- **self-attention**: " + PAPER, "does not say what the term means"),
        ("- **self-attention**: it looks " + PAPER, "needs a full stop between its meaning and its source"),
        ("- **self-attention**: it looks. It sees. " + PAPER, "says it in more than one sentence"),
    ],
)
def test_a_malformed_item_is_named_with_the_form(item: str, message: str, tmp_path: Path) -> None:
    (found,) = findings(tmp_path, f"{MARKER}\n\n{item}\n{HEADS}")
    assert message in found
    assert found.startswith(f"the item `{item[:60]}`")
    assert "the form is `- **term** (also: other name): " in found
    with pytest.raises(NotebookError, match=r"note.ipynb: an item of the glossary"):
        entries([tmp_path / "note.ipynb"])


@pytest.mark.parametrize(
    "source",
    [f"Elsewhere this is called\n\n{SELF}", f"**elsewhere this is called**\n\n{SELF}", f"So: {MARKER}"],
)
def test_a_paragraph_that_the_glossary_would_miss_is_named(source: str, tmp_path: Path) -> None:
    assert "the glossary would miss it" in findings(tmp_path, source)[0]


def test_a_paragraph_without_a_list_is_named(tmp_path: Path) -> None:
    assert "has no list below" in findings(tmp_path, f"{MARKER} self-attention.")[0]


def test_a_term_twice_in_a_chapter_is_named(tmp_path: Path) -> None:
    again = SELF.replace("self-attention", "Self Attention")
    (found,) = findings(tmp_path, f"{MARKER}\n\n{SELF}", f"{MARKER}\n\n{again}")
    assert found == "cell 3 explains “Self Attention” again, after cell 2: the glossary has a term once"


def test_a_term_of_two_chapters_is_refused_with_both(tmp_path: Path) -> None:
    chapter(tmp_path, "03_one.ipynb", f"{MARKER}\n\n{SELF}")
    chapter(tmp_path, "04_two.ipynb", f"{MARKER}\n\n{HEADS}\n{SELF.replace('self-', 'Self-')}")
    with pytest.raises(NotebookError, match=r"04_two.*“Self-attention” is in .* already, from .*03_one"):
        entries(find_notebooks([tmp_path]))


def test_another_name_that_is_a_term_elsewhere_is_refused(tmp_path: Path) -> None:
    chapter(tmp_path, "03_one.ipynb", f"{MARKER}\n\n{SELF}")
    chapter(
        tmp_path, "04_two.ipynb", f"{MARKER}\n\n{HEADS.replace('multi-head attention', 'Intra-attention')}"
    )
    with pytest.raises(NotebookError, match=r"“intra-attention”, another name of “self-attention”"):
        entries(find_notebooks([tmp_path]))


def test_the_page_is_in_the_order_of_the_alphabet_and_leads_back(tmp_path: Path) -> None:
    notebooks = tmp_path / "notebooks"
    notebooks.mkdir()
    chapter(notebooks, "03_one.ipynb", f"{MARKER}\n\n{SELF}\n{HEADS}")
    mask = SELF.replace("self-attention", "`[MASK]`").replace("intra-attention", "8-bit mask, masks")
    chapter(notebooks, "04_two.ipynb", f"{MARKER}\n\n{mask}")
    target = tmp_path / "docs" / "glossary.md"
    target.parent.mkdir()
    assert main([str(target), "--chapters", str(notebooks)]) == 0
    text = target.read_text(encoding="utf-8")
    begins = [line.split(" (")[0].split(":")[0] for line in text.splitlines() if line[:2] in ("- ", "##")]
    assert begins == [
        "## 0–9",
        "- 8-bit mask",
        "## I",
        "- intra-attention",
        "## M",
        "- **`[MASK]`**",
        "- masks",
        "- **multi-head attention**",
        "## S",
        "- **self-attention**",
    ]
    assert "- intra-attention: see **self-attention**.\n" in text
    assert f"looks at the others. [Chapter 03](../notebooks/03_one.ipynb); {PAPER}.\n" in text
    assert all((target.parent / link).is_file() for link in links(text) if not link.startswith("https"))


def test_the_page_is_not_written_from_what_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chapter(tmp_path, "03_one.ipynb", f"{MARKER}\n\n- self-attention")
    target = tmp_path / "glossary.md"
    assert main([str(target), "--chapters", str(tmp_path)]) == 1
    assert not target.exists()
    assert "does not begin with the term in bold" in capsys.readouterr().err


def test_the_glossary_of_the_course_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(entries(find_notebooks()), PAGE.parent), (
        "run python tools/glossary.py"
    )
