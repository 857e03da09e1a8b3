"""The program behind the recorded similarities: it trains every pooling, and the file has its form."""

import json
from pathlib import Path
from typing import Any

import pytest
from transformers import BertForPreTraining

from bertviz_lite.chapters.chapter_06.tuning import TunedEncoder
from bertviz_lite.evaluation.recorded import recorded
from experiments import similarity


def test_the_program_writes_a_file_like_the_recorded_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def untrained(model: BertForPreTraining, *_: object, **__: object) -> TunedEncoder:
        bert: Any = model.base_model
        return TunedEncoder(bert, [])

    questions = similarity.event_questions
    monkeypatch.setattr(similarity, "tune", untrained)
    monkeypatch.setattr(similarity, "event_questions", lambda seed, _n: questions(seed, 12))
    similarity.main(["--output", str(tmp_path / "similarity.json")])
    written = json.loads((tmp_path / "similarity.json").read_text(encoding="utf-8"))
    record = recorded("similarity")
    assert written["notes"] == record["notes"]
    assert written.keys() == record.keys()
    for part in ("all layers trained", "all-MiniLM-L6-v2"):
        assert written[part].keys() == record[part].keys()
