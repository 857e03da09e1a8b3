"""The results as tables and as JSON, and the command that prints them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.evaluation.scores.own_words import BothExams, Marks, Tally, side_by_side
from bertviz_lite.evaluation.scores.own_words.__main__ import main
from bertviz_lite.evaluation.scores.own_words.town import town_exam
from tests.evaluation.own_words.test_exams import write
from tests.helpers.small_town import small_model, small_tokenizer

RESULT = BothExams(
    "unread",
    4_000,
    Marks(
        {
            "agreement-near": Tally(10, 9, {"left neighbour": 5.5, "both neighbours": 6.0}),
            "verb-form": Tally(10, 4, {"left neighbour": 5.0, "both neighbours": 4.0}),
        },
        {"true-short": Tally(20, 18, {"shared words": 11.0})},
    ),
    Marks({"verb form": Tally(50, 50, {"left neighbour": 40.0})}, {}),
)


def test_both_exams_stand_side_by_side() -> None:
    lines = side_by_side(RESULT).splitlines()
    of_50 = "1.000 (0.93 to 1.00; 50)"
    for line in (  # the interval of 9 of 10 is Wilson's 0.596 to 0.982
        f"| **choices between two words** | {of_50} | 0.650 (0.43 to 0.82; 20) | 0.93 MISSED |",
        "| left neighbour | 0.800 | 0.525 | |",
        "| both neighbours |  | 0.500 | |",
        "| **next part** |  | 0.900 (0.70 to 0.97; 20) | 0.90 met |",
        "| agreement-near |  | 0.900 (0.60 to 0.98; 10) | both neighbours 0.600 | 0.85 met |",
        f"| verb-form | {of_50} | 0.400 (0.17 to 0.69; 10) | left neighbour 0.500 | 0.85 MISSED |",
        "| true-short |  | 0.900 (0.70 to 0.97; 20) | shared words 0.550 |",
        "Below what is needed in people's own words: verb-form, all choices.",
    ):
        assert line in lines


def test_results_survive_json() -> None:
    assert BothExams.from_json(RESULT.to_json()) == RESULT
    for text in ("", "{}", "[]", '{"half": "look", "counted": 1, "own": {}, "town": {}}'):
        with pytest.raises(ArgumentError, match="text holds no marks"):
            BothExams.from_json(text)


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    tokenizer = small_tokenizer()
    small_model(tokenizer).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture
def exam_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(
        "bertviz_lite.evaluation.scores.own_words.marking.town_exam",
        lambda town: town_exam(town, per_kind=1, pairs=12),
    )
    choices = "near\tThe cat [MASK] old.\tis\tare\nnear\tThe cat [MASK] old.\tare\tis\n"
    return write(tmp_path / "exam", choices, "short\tnext\tIt rained.\tIt was wet.\n")


def test_what_fails_is_listed_for_the_half_that_may_be_read(
    model_folder: Path, exam_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(model_folder), "--folder", str(exam_folder), "--stories", "30"]
    assert main([*given, "--show", "--shared", "20"]) == 1
    out = capsys.readouterr().out
    assert "| near |  | 0.500 (0.09 to 0.91; 2) |" in out
    assert out.count("near: The cat [MASK] old. (") == 1, "one of the two is right"
    assert "0 of 1 sentences are among 20 stories" not in out
    assert "0 of 2 sentences are among 20 stories" in out


def test_the_unread_half_is_scored_and_never_shown(
    model_folder: Path, exam_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(model_folder), "--folder", str(exam_folder), "--stories", "30", "--half", "unread"]
    with pytest.raises(SystemExit):
        main([*given, "--show"])
    captured = capsys.readouterr()
    assert "nobody reads the half 'unread'" in captured.err
    assert "cat" not in captured.out
    assert main([*given, "--keep", "--shared", "20"]) == 1
    text = (model_folder / "own_words.json").read_text(encoding="utf-8")
    assert BothExams.from_json(text).half == "unread"
    assert "cat" not in capsys.readouterr().out + text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--stories", "0"], "--stories 0: the rivals need 1 story or more"),
        (["--town", "nowhere"], "invalid choice: 'nowhere'"),
        (["--half", "all"], "invalid choice: 'all'"),
    ],
)
def test_a_wrong_option_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert message in capsys.readouterr().err


def test_a_folder_without_an_exam_or_without_a_model_is_named(
    model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(model_folder), "--folder", str(tmp_path)]) == 2
    assert "choices.tsv is missing" in capsys.readouterr().err
    assert main([str(tmp_path)]) == 2
    assert "holds no model" in capsys.readouterr().err
