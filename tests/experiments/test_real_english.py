"""The recorded numbers of all-MiniLM-L6-v2 are those of the model, where it is installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from transformers import BertModel

from bertviz_lite import load
from bertviz_lite.chapters.chapter_13.english_sentences import BANK
from bertviz_lite.evaluation.recorded import recorded
from experiments import real_english
from tests.helpers.tiny_models import make
from tests.models.damaged_models import needs_minilm


@needs_minilm
def test_the_recorded_numbers_are_those_of_the_model() -> None:
    tokenizer, model = load("minilm")
    for river, money in zip(BANK[0:32:2], BANK[1:32:2], strict=True):
        places = [tokenizer.tokenize(sentence.text).index("bank") for sentence in (river, money)]
        assert places[0] == places[1], river.text
    measured = real_english.scores(model.double(), tokenizer)
    assert measured["bank"]["embeddings"] == {"matched": [16.0, 32], "crossed": [12.0, 24]}
    assert measured == recorded("real_english")


def test_the_program_writes_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(real_english, "load", lambda _name: (None, make(BertModel)))
    monkeypatch.setattr(real_english, "scores", lambda _model, _tokenizer: {"bank": {}})
    real_english.main(["--output", str(tmp_path / "real_english.json")])
    assert json.loads((tmp_path / "real_english.json").read_text()) == {"bank": {}}
