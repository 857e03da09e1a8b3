"""Scores as table and JSON, the baseline of counts, and the command."""

from __future__ import annotations

import json
import math

import pytest
from transformers import BertForPreTraining

from bertviz_lite.evaluation.scores import EvaluationSet, Score, Scores, Size, size_of
from bertviz_lite.evaluation.scores.__main__ import main
from bertviz_lite.evaluation.scores.neighbours import Neighbours
from bertviz_lite.world.towns import TOWN
from tests.helpers.made_stories import make_story


def test_neighbours_guess_from_counts() -> None:
    counts = Neighbours.count([make_story("The cat sat .", "The dog ran .", "A cat sat .", "The cat sat .")])
    story = make_story("The cat sat .", "No dog sat .")
    shares = counts.accuracies([(story, 1), (story, 2), (story, 5)])
    assert shares["most frequent word"] == pytest.approx(1 / 3)  # of "cat" and "sat" the first
    assert shares["left neighbour"] == pytest.approx(2 / 3)  # after "no": falls back on "cat"
    assert shares["both neighbours"] == pytest.approx(2 / 3)
    assert all(math.isnan(share) for share in counts.accuracies([]).values())


def test_scores_survive_json_and_say_what_is_missed() -> None:
    scores = Scores(
        {
            "agreement": Score(0.98766, 100, 0.97, {"both neighbours": 0.5}),
            "pronoun": Score(0.9, 100, 0.95),
            "masked_words": Score(math.nan, 0),
            "senses": Score(0.5, 9, None, {"static embedding": math.nan}, {"bank": math.nan}),
        }
    )
    assert scores.missed == ["pronoun"]
    read = Scores.from_json(scores.to_json())
    assert read["agreement"] == Score(0.9877, 100, 0.97, {"both neighbours": 0.5})
    assert math.isnan(read["masked_words"].value)
    assert json.loads(scores.to_json())["masked_words"]["value"] is None
    assert math.isnan(read["senses"].baselines["static embedding"])
    assert math.isnan(read["senses"].details["bank"])
    assert read.table().count("nan") == 2
    table = scores.table().splitlines()
    assert (
        table[2] == "| masked word: agreement | 0.9877 | 0.97 met | both neighbours 0.500 | 100 |"
        or "0.9876" in table[2]
    )
    assert "0.95 MISSED" in table[3]


def test_a_score_that_is_no_number_is_missed() -> None:
    assert Score(math.nan, 0, 0.9).passed is False
    assert Score(0.1, 5).passed is None


def test_a_folder_without_a_model_is_named(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "holds no model" in capsys.readouterr().err


def test_without_a_folder_the_pocket_model_is_scored(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scored: list[BertForPreTraining] = []

    def score(model: BertForPreTraining, _: object, size: Size) -> Scores:
        scored.append(model)
        return Scores({"pronoun": Score(0.5, 10, 0.9 if size == size_of(TOWN, quick=True) else None)})

    monkeypatch.setattr("bertviz_lite.evaluation.scores.__main__.score", score)
    monkeypatch.setattr(EvaluationSet, "make", lambda _, size, **_town: size)
    assert main([]) == 0
    assert main(["--quick"]) == 1
    assert scored[0].config.hidden_size == 192
    assert "| masked word: pronoun | 0.5000 |" in capsys.readouterr().out
