"""Claims found elsewhere: read from the chapters, each settled by a cell, and their page current."""

from pathlib import Path
from typing import Any

import pytest
from notebook_checks.claims_page import PAGE, main, page, settled, versions
from notebook_checks.notebook import NotebookError, find_notebooks, normalised, read, serialised
from notebook_checks.rules.claims import Claim, paragraphs, read_claims
from notebook_checks.rules.markup import links
from notebook_checks.rules.static import static_findings

HEADING = "## You will read that"
RARE = "… *`[UNK]` stands for rare words.*"
NOT_SO = "**False.** Not for words of plain letters, e.g. *zoo*. It has an entry for each letter."
FEWEST = "… *longest first finds the fewest tokens.*"


def chapter(folder: Path, name: str, *cells: str) -> Path:
    """Write a notebook; a cell that begins with `code` is one of code, and its id is the word after."""
    made: list[dict[str, Any]] = [{"cell_type": "markdown", "metadata": {}, "source": "# What is so?"}]
    for number, source in enumerate(cells):
        kind, _, name_of_cell = source.partition(" ")
        if kind == "code":
            made.append(
                {"cell_type": "code", "id": name_of_cell, "metadata": {}, "source": "1", "outputs": []}
            )
        else:
            made.append({"cell_type": "markdown", "id": f"text-{number}", "metadata": {}, "source": source})
    count = 0
    for cell in made:
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"] = count
    notebook = normalised({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    path = folder / name
    path.write_text(serialised(notebook), encoding="utf-8", newline="\n")
    return path


def findings(folder: Path, *cells: str) -> list[str]:
    return [finding.message for finding in static_findings(chapter(folder, "note.ipynb", *cells))]


def claims(folder: Path, *cells: str) -> list[Claim]:
    found, wrong = read_claims(read(chapter(folder, "note.ipynb", *cells)))
    assert wrong == []
    return found


def test_a_claim_is_read_with_its_verdict_its_reason_and_the_next_cell_of_code(tmp_path: Path) -> None:
    (claim,) = claims(tmp_path, "code one", f"{HEADING}\n\n{RARE} {NOT_SO}", "code two", "code three")
    assert claim == Claim(
        "`[UNK]` stands for rare words.", "False", "Not for words of plain letters, e.g. *zoo*.", "two", 2
    )


def test_a_verdict_may_come_after_the_cell_that_shows_it(tmp_path: Path) -> None:
    found = claims(tmp_path, f"{HEADING}\n\n{RARE} **Predict:** is it?", "code shows", f"Look!\n\n{NOT_SO}")
    assert [(claim.verdict, claim.cell) for claim in found] == [("False", "shows")]


def test_claims_without_code_between_them_share_the_next_cell(tmp_path: Path) -> None:
    found = claims(tmp_path, f"{HEADING}\n\n{RARE} {NOT_SO}\n\n{FEWEST} **Open.** Who knows?", "code both")
    assert [(claim.verdict, claim.cell) for claim in found] == [("False", "both"), ("Open", "both")]


def test_a_link_names_the_cell_where_it_is_not_the_next_one(tmp_path: Path) -> None:
    verdict = '**True.** It was [so above](#What-is-so? "cell first").'
    found = claims(tmp_path, "code first", f"{HEADING}\n\n{RARE} {verdict}", "code second")
    assert [(claim.cell, claim.number) for claim in found] == [("first", 1)]


def test_a_claim_elsewhere_in_a_chapter_begins_with_you_will_read_that(tmp_path: Path) -> None:
    found = claims(tmp_path, "Text.\n- You will read that *it is.* **Once true.** It was.", "code shows")
    assert [(claim.text, claim.verdict) for claim in found] == [("it is.", "Once true")]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([f"{HEADING}\n\nThat is all."], "“You will read that” has no claim"),
        ([f"{HEADING}\n\n{RARE} Not at all.", "code a"], "rare words.” has no verdict before the next"),
        ([f"{HEADING}\n\n{RARE} **False.**", "code a"], "has no sentence after its verdict"),
        ([f"{HEADING}\n\n{RARE} **False.** Not for these:", "code a"], "has no sentence after its verdict"),
        ([f"{HEADING}\n\n{RARE} {NOT_SO}"], "is settled by no cell"),
        ([f"{HEADING}\n\n{RARE} {NOT_SO}", "## Next", "code a"], "is settled by no cell"),
        (
            [f'{HEADING}\n\n{RARE} **True.** [So](#a "cell b").', "code a"],
            "settled by a code cell b, which isn't",
        ),
        ([f"{HEADING}\n\n{RARE} **Half true.** Here.", "code a"], "has no verdict before the next"),
        ([f"{HEADING}\n\n{RARE} **false**: it isn't.", "code a"], "gives a verdict in another form"),
        ([f"{HEADING}\n\n{RARE} **True.** Here. **False.** There.", "code a"], "or two at once"),
        ([f"{HEADING}\n\n{RARE} {NOT_SO}\n\n{NOT_SO}", "code a"], "has a verdict without a claim"),
        (["**True.** It is.", "code a"], "has a verdict without a claim"),
        ([f"{HEADING}\n\n{RARE} {NOT_SO}\n\n… *a*, *b.* Both.", "code a"], "would miss, `… *a*, *b.* Both.`"),
        (
            ["You'll read that it is so.", "code a"],
            "the page of claims would miss, `You'll read that it is so.`",
        ),
        (["There you will read that it is.", "code a"], "the page of claims would miss"),
        ([f"{HEADING}\n\n{RARE} {NOT_SO}", "code a", f"{RARE} {NOT_SO}", "code b"], "twice"),
    ],
)
def test_a_claim_that_the_page_cannot_take_is_named(cells: list[str], message: str, tmp_path: Path) -> None:
    assert any(message in found for found in findings(tmp_path, *cells)), findings(tmp_path, *cells)


def test_claims_in_form_and_prose_without_them_are_no_finding(tmp_path: Path) -> None:
    code = "```python\n# You will read that it is so.\n```"
    assert (
        findings(tmp_path, "Here you will read how it is.", code, f"Under *{HEADING[3:]}* it says so.") == []
    )


def test_paragraphs_and_items_are_one_line_each() -> None:
    text = "# A\nb\nc\n\n- d\n  e\n- f\n## G\n\n```\nno\n```\nh"
    assert list(paragraphs(text)) == ["# A", "b c", "d e", "f", "## G", "h"]


def test_the_page_has_a_claim_of_two_chapters_once_with_both_cells(tmp_path: Path) -> None:
    notebooks = tmp_path / "notebooks"
    notebooks.mkdir()
    also = "**False.** See [the word](01_one.ipynb#What-is-so?) and [above](#What-is-so?), or [x](https://x.org)."
    chapter(notebooks, "01_one.ipynb", f"{HEADING}\n\n{RARE} {also}", "code cut")
    other = RARE.replace("[UNK]", "[unk]")
    out = f'{FEWEST} **It depends.** [Others](https://x.org "measured elsewhere") say so.'
    chapter(notebooks, "02_two.ipynb", "code first", f"{HEADING}\n\n{out}\n\n{other} {NOT_SO}", "code more")
    target = tmp_path / "docs" / "claims.md"
    target.parent.mkdir()
    assert main([str(target), "--chapters", str(notebooks)]) == 0
    text = target.read_text(encoding="utf-8")
    one, two = "../notebooks/01_one.ipynb", "../notebooks/02_two.ipynb"
    lines = [line for line in text.splitlines() if line[:2] in ("##", "- ")]
    assert lines[0] == lines[2] == "## What is so?"
    assert lines[1] == (
        f"- **False.** *`[UNK]` stands for rare words.* See [the word]({one}#What-is-so?) and above, or "
        f"[x](https://x.org). [Chapter 01, cell 1]({one}#cell-id=cut); also "
        f"[chapter 02, cell 2]({two}#cell-id=more)."
    )
    assert lines[3] == (
        "- **It depends.** *longest first finds the fewest tokens.* [Others](https://x.org) say so. "
        f"[Chapter 02]({two}), not measured there."
    )
    assert "2 claims: 1 false, 1 that depend" in text


def test_chapters_that_disagree_are_refused_with_both(tmp_path: Path) -> None:
    chapter(tmp_path, "01_one.ipynb", f"{HEADING}\n\n{RARE} {NOT_SO}", "code a")
    chapter(tmp_path, "02_two.ipynb", f"{HEADING}\n\n{RARE} **True.** It does.", "code a")
    with pytest.raises(NotebookError, match=r"02_two.*“True” here and “False” in .*01_one"):
        settled(find_notebooks([tmp_path]))


def test_the_page_is_not_written_from_what_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chapter(tmp_path, "03_one.ipynb", f"{HEADING}\n\n{RARE}", "code a")
    target = tmp_path / "claims.md"
    assert main([str(target), "--chapters", str(tmp_path)]) == 1
    assert not target.exists()
    assert "03_one.ipynb, cell 3 [1]: “`[UNK]` stands for rare words.” has no" in capsys.readouterr().err


def test_the_versions_are_those_of_the_lock(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text("sentence-transformers==9\ntorch==2.1.0 ; x\ntransformers==5.0.1\n", encoding="utf-8")
    assert versions(lock) == {"transformers": "5.0.1", "torch": "2.1.0"}


def test_the_page_of_claims_is_current_and_leads_to_cells_that_exist() -> None:
    text = page(settled(find_notebooks()), PAGE.parent)
    assert PAGE.read_text(encoding="utf-8") == text, "run python tools/claims.py"
    for link in links(text):
        file, _, place = link.partition("#")
        if not link.startswith("https:"):
            cells = read((PAGE.parent / file).resolve())["cells"]
            assert not place.startswith("cell-id=") or place.removeprefix("cell-id=") in {
                c["id"] for c in cells
            }
