"""The document of results is what its program writes, and its numbers are those of the records."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bertviz_lite.evaluation.recorded import recorded
from experiments.results.__main__ import DOCUMENT, TABLES, document, main
from experiments.results.markdown import MarkdownTable

ROOT = Path(__file__).resolve().parents[2]
ALL = [table() for tables in TABLES.values() for table in tables]


def table(title: str) -> MarkdownTable:
    (match,) = (table for table in ALL if title in table.title)
    return match


def test_the_written_document_is_up_to_date() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run: python -m experiments.results"


def test_the_command_writes_and_prints_the_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "new" / "results.md"
    assert main(["--output", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == document() == capsys.readouterr().out


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.title)
def test_every_command_is_a_program(table: MarkdownTable) -> None:
    module = re.fullmatch(
        r"python -m (experiments(?:\.\w+)+)( --town (?:second|chinese))?( --bf16)?( --jobs 2)?", table.command
    )
    assert module is not None
    place = ROOT / module[1].replace(".", "/")
    program = place / "__main__.py" if place.is_dir() else place.with_suffix(".py")
    assert "def main(" in program.read_text(encoding="utf-8")


@pytest.mark.parametrize("chapter", TABLES)
def test_every_chapter_reads_the_records_of_its_tables_or_has_their_program(chapter: str) -> None:
    (notebook,) = (ROOT / "notebooks").glob(f"{chapter.split()[1]}_*.ipynb")
    text = notebook.read_text(encoding="utf-8")
    assert "recorded(" in text or "real_english" in text


def test_numbers_are_those_of_the_records() -> None:
    variants = recorded("ablations_second")["variants"]
    recipes = table("recipe")
    assert [row[0] for row in recipes.rows] == list(variants)
    losses = [seed["losses"][-1][1] for seed in variants["80/10/10"]["seeds"]]
    assert recipes.rows[0][1] == f"{sum(losses) / len(losses):.3f} ({min(losses):.3f} to {max(losses):.3f})"
    names = recorded("finetuning_results")["tasks"]["names"]
    low, high = names["interval"]
    assert ("fine-tuned, names", f"{names['score']:.3f} ({low:.3f} to {high:.3f})") in table("Names").rows
    assert table("Learning rates").rows[0][:3] == ("before", "", "")
    right, of = recorded("real_english")["bank"]["after layer 2"]["crossed"]
    assert table("*bank*").rows[4][2].startswith(f"{right:g} of {of} (")


def test_intervals_hold_their_share() -> None:
    shares = re.findall(r"(\d\.\d{3}) \((\d\.\d{3}) to (\d\.\d{3})\)", document())
    assert len(shares) > 20
    for share, low, high in shares:
        assert float(low) <= float(share) <= float(high)


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Heads: 2 columns, but a row is \[\('a',\)\]"):
        MarkdownTable("Heads", "python", "", ("one", "two"), (("a", "b"), ("a",)))
    with pytest.raises(ValueError, match="a row is missing"):
        MarkdownTable("Heads", "python", "", ("one", "two"), ())
