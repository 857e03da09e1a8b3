"""The document of results: equal to what the code writes, and every number that of its file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bertviz_lite.evaluation import recorded
from bertviz_lite.models import POCKET
from experiments import results
from experiments.results import DOCUMENT, Table, document, main, model_tables, sentence_tables, word_tables

ROOT = Path(results.__file__).parents[1]


def test_the_document_is_what_the_code_writes() -> None:
    written = DOCUMENT.read_text(encoding="utf-8")
    assert written == document(), "run: python -m experiments.results"


def test_it_is_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "new" / "results.md"
    assert main(["--output", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == capsys.readouterr().out == document()


def test_every_command_is_a_program_of_the_package() -> None:
    for table in (*word_tables(), *sentence_tables(), *model_tables()):
        module = re.search(r"(?:bertviz_lite|experiments)\.[\w.]+", table.command)
        assert module is not None, table.title
        source = (ROOT / f"{module[0].replace('.', '/')}.py").read_text(encoding="utf-8")
        assert "def main(" in source or "english_scores" in table.command, table.title


def test_numbers_are_those_of_the_files() -> None:
    scores = json.loads((POCKET / "scores.json").read_text(encoding="utf-8"))
    rows = {row[0]: row for row in word_tables()[0].rows}
    found = rows["masked word: pronoun"]
    assert found[1].startswith(f"{scores['pronoun']['value']:.3f} (")
    assert found[2] == f"both neighbours {scores['pronoun']['baselines']['both neighbours']:.3f}"
    assert found[3] == f"{scores['pronoun']['n']:,}"
    variants = json.loads((recorded.FOLDER / "ablations.json").read_text(encoding="utf-8"))["variants"]
    (recipes,) = (table for table in model_tables() if "recipe" in table.title)
    assert [row[0] for row in recipes.rows] == list(variants)
    assert recipes.rows[0][1] == f"{variants['80/10/10']['parameters']:,}"
    assert recipes.rows[0][-1] == f"{variants['80/10/10']['scores']['minimal_pairs'][0]:.3f}"


def test_intervals_hold_their_share() -> None:
    found = re.findall(r"(\d\.\d{3}) \((\d\.\d{3}) to (\d\.\d{3})\)", document())
    assert len(found) > 20
    for share, low, high in found:
        assert float(low) <= float(share) <= float(high)


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Heads: 2 columns, but a row is \[\('a',\)\]"):
        Table("Heads", "python", "", ("one", "two"), (("a", "b"), ("a",)))
    with pytest.raises(ValueError, match="a row is missing"):
        Table("Heads", "python", "", ("one", "two"), ())


def test_fine_tuning_has_its_tables_where_it_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    one = {"metric": "accuracy", "score": 0.9, "interval": [0.85, 0.93]}
    found = {
        "layers": {"static": 0.5, "layer 4": 0.75, "fine-tuned": 0.9},
        "tasks": {"names": one, "names, every piece": one, "sentence_pairs": one},
        "baselines": {"sentence_pairs": {"majority": 0.34, "words": 0.5}},
        "curve": {"random": {"30": [0.2, 0.3, 0.4], "3000": [0.5, 0.6, 0.7]}},
        "rates": {
            "before": {"masked words": 0.8},
            "0.01": {"accuracy": 0.3, "last loss": 1.4, "masked words": 0.1},
        },
    }
    monkeypatch.setattr(results, "_tuned", dict)
    counted = [len(tables()) for tables in (word_tables, sentence_tables, model_tables)]
    monkeypatch.setattr(results, "_tuned", lambda: found)
    tables = [tables() for tables in (word_tables, sentence_tables, model_tables)]
    assert [len(some) for some in tables] == [counted[0] + 1, counted[1] + 1, counted[2] + 2]
    assert ("fine-tuned, names", "0.900 (0.850 to 0.930)") in tables[0][-2].rows
    assert tables[0][-2].rows[1] == ("a linear map, layer 4", "0.750")
    assert tables[1][-1].rows[0] == (
        "sentence pairs",
        "accuracy",
        "0.900 (0.850 to 0.930)",
        "majority 0.340, words 0.500",
    )
    assert tables[2][-2].rows[0] == ("random", "0.300 (0.200 to 0.400)", "0.600 (0.500 to 0.700)")
    assert tables[2][-1].rows == (("before", "", "", "0.800"), ("0.01", "0.300", "1.400", "0.100"))
