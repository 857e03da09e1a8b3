"""The program that asks BERTs with both heads, on a small one in a folder: what a network would bring."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from transformers import BertForPreTraining, BertModel

from experiments import real_heads
from tests.helpers.tiny_models import make, save

ROOT = Path(__file__).parents[2]


@pytest.mark.thorough
def test_it_writes_down_what_each_model_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(save(tmp_path / "small", make(BertForPreTraining, max_position_embeddings=64)))
    assert real_heads.main([folder, "--output", str(tmp_path / "out")]) == 0
    assert "2 of 2 models asked" in capsys.readouterr().out
    written = json.loads((tmp_path / "out" / "real_heads.json").read_text(encoding="utf-8"))
    assert set(written) == {"pocket", folder}
    assert written["pocket"]["parameters"] == 2_406_312
    assert written["pocket"]["gaps"]["Anna looked for her key but could not [MASK] it."][0][0] == "find"
    assert [
        len(written[name]["named after each layer, embeddings first"]) for name in ("pocket", folder)
    ] == [5, 3]
    assert written["pocket"]["accepted as a continuation"]["as it was"][1] == 16
    table = (tmp_path / "out" / "real_heads.md").read_text(encoding="utf-8").splitlines()
    assert table[0] == f"|  | pocket | {folder} |"
    assert any(line.startswith("| 08 named, hidden, after layer 0 |  | ") for line in table)


@pytest.mark.thorough
def test_a_model_that_cannot_be_had_makes_it_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    headless = str(save(tmp_path / "headless", make(BertModel)))
    assert real_heads.main(["bert-of-nobody", headless, "--output", str(tmp_path / "out")]) == 1
    printed = capsys.readouterr().out
    assert "bert-of-nobody: not in the local cache, and HF_HUB_OFFLINE forbids the network." in printed
    assert f"{headless}: a BertModel, without both heads." in printed
    assert "1 of 3 models asked" in printed


def test_the_workflow_runs_this_program_and_switches_the_chapter_on() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/real-bert.yml").read_text(encoding="utf-8"))
    triggers = workflow[True]  # YAML reads the word "on" as true
    assert set(triggers) == {"schedule", "workflow_dispatch"}
    commands = "\n".join(step.get("run", "") for step in workflow["jobs"]["ask"]["steps"])
    assert "-m experiments.real_heads --output answers" in commands
    assert "s/from_the_hub = False/from_the_hub = True/" in commands
    chapter = (ROOT / "notebooks/13_real_bert.ipynb").read_text(encoding="utf-8")
    assert chapter.count("from_the_hub = False") == 1
