"""The program behind the recorded similarities: it trains every pooling, and the file has its form."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from transformers import BertForPreTraining

from bertviz_lite.chapters.chapter_07.tuning import TunedEncoder
from bertviz_lite.evaluation.recorded import recorded
from experiments import similarity

Watch = Callable[[int, object], None]


@pytest.mark.thorough
def test_the_program_writes_a_file_like_the_recorded_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def untrained(model: BertForPreTraining, *_: object, watch: Watch, **__: object) -> TunedEncoder:
        bert: Any = model.base_model
        for step in range(similarity.STEPS + 1):
            watch(step, bert)
        return TunedEncoder(bert, [])

    questions = cache(similarity.event_questions)
    monkeypatch.setattr(similarity, "tune", untrained)
    monkeypatch.setattr(similarity, "event_questions", lambda seed, _n: questions(seed, 12))
    similarity.main(["--output", str(tmp_path / "similarity.json")])
    written = json.loads((tmp_path / "similarity.json").read_text(encoding="utf-8"))
    record = recorded("similarity")
    assert written["notes"] == record["notes"]
    assert written.keys() == record.keys()
    for part in ("over steps", "all-MiniLM-L6-v2"):
        assert written[part].keys() == record[part].keys()
    for which in ("all layers", "top layer"):
        for name, runs in record["over steps"][which].items():
            assert np.shape(written["over steps"][which][name]) == np.shape(runs)
            assert np.shape(runs) == (2, len(record["over steps"]["steps"]))


def test_more_steps_narrow_the_gap_that_thirty_leave() -> None:
    over = recorded("similarity")["over steps"]
    early, last = over["steps"].index(30), -1
    for which in ("top layer", "all layers"):
        for order in (0, 1):
            pooler, mean = (over[which][name][order] for name in ("pooler", "mean"))
            assert mean[early] - pooler[early] > 0.15
            assert mean[last] - pooler[last] < mean[early] - pooler[early] - 0.1
        for without, mean in zip(over[which]["no tanh"], over[which]["mean"], strict=True):
            assert mean[last] - without[last] < 0.035
