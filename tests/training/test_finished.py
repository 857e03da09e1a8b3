"""A finished model is installed as a whole, and its card shows what is missed."""

from __future__ import annotations

import hashlib
import math
from dataclasses import replace
from pathlib import Path

import pytest

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.basics.files import replace_folder, write_text
from bertviz_lite.data.pretraining.by_hand import SHARE
from bertviz_lite.evaluation.scores import Score, Scores
from bertviz_lite.evaluation.scores.own_words import BothExams, Marks, Tally
from bertviz_lite.models import POCKET
from bertviz_lite.training.card import Making, Packed, Raised, card_with_exams, main, model_card
from bertviz_lite.training.pretraining.__main__ import parse
from bertviz_lite.training.pretraining.finished import Reporter, install, shipped_folder
from bertviz_lite.training.pretraining.recipe import RECIPES, Recipe, command_of
from bertviz_lite.training.pretraining.run import Run
from tests.helpers.small_town import small_tokenizer

EXAMS = BothExams(
    "unread",
    4_000,
    Marks({"agreement-near": Tally(20, 13, {"left neighbour": 10.5})}, {"true-short": Tally(20, 18, {})}),
    Marks({"verb form": Tally(50, 50, {"left neighbour": 40.0})}, {}),
)


def test_install_replaces_the_folder_as_a_whole(tmp_path: Path) -> None:
    target, source = tmp_path / "package" / "pocket", tmp_path / "new"
    target.mkdir(parents=True)
    (target / "old.txt").write_text("old", encoding="utf-8")
    source.mkdir()
    with pytest.raises(ValueError, match="no finished model"):
        install(source, target)
    assert (target / "old.txt").exists()
    (source / "model.safetensors").write_bytes(b"x")
    install(source, target)
    assert sorted(path.name for path in target.iterdir()) == ["SHA256SUMS", "model.safetensors"]
    digest = hashlib.sha256(b"x").hexdigest()
    assert (target / "SHA256SUMS").read_text(encoding="utf-8") == f"{digest}  model.safetensors\n"
    assert (source / "model.safetensors").exists()
    assert [path.name for path in target.parent.iterdir()] == ["pocket"]


def test_card_shows_what_is_missed() -> None:
    making = Making("python", 1, 2, 3, 4, 5, 6, 7.0, "1 CPU thread", 0, 1.0)
    card = model_card(
        making, Scores({"agreement": Score(0.5, 10, 0.97), "masked_words": Score(math.nan, 0)}), "0" * 64
    )
    assert "| masked word: agreement | 0.5000 | 0.97 MISSED |" in card


def test_card_says_how_many_stories_were_left_out_for_the_exam() -> None:
    making = Making("python", 1, 2, 3, 4, 5, 6, 7.0, "1 CPU thread", 0, 1.0)
    card, plain = (
        model_card(one, Scores({"pronoun": Score(0.5, 10)}), "0" * 64)
        for one in (replace(making, forbidden=2_092, left_out=1_234), making)
    )
    assert "the 2,092 sentences of four words or more" in card
    assert "either word): 1,234 stories did" in card
    assert "--exam" not in plain
    assert next(line for line in card.splitlines() if "seed 6." in line) in plain


def test_card_says_in_which_stages_a_run_was_made() -> None:
    making = Making("python", 1, 2, 3, 4, 5, 6, 7.0, "1 CPU thread", 0, 1.0)
    card, plain = (
        model_card(each, Scores({"pronoun": Score(0.5, 10)}), "0" * 64)
        for each in (replace(making, stages=((42_000, {"steps": 42_000, "other": 0.35}),)), making)
    )
    assert "at step 42,000, until which it had steps 42,000, other 0.35.\n" in card
    assert "Stages" not in plain


def test_card_says_what_share_of_the_texts_was_written_by_hand() -> None:
    making = Making("python", 1, 2, 3, 4, 5, 6, 7.0, "1 CPU thread", 0, 1.0)
    card, plain = (
        model_card(each, Scores({"pronoun": Score(0.5, 10)}), "0" * 64)
        for each in (replace(making, by_hand=0.25), making)
    )
    assert "25% of them gave way to texts\n  written by hand" in card
    assert "by hand" not in plain


def test_the_card_is_the_shipped_one(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = (POCKET / "README.md").read_text(encoding="utf-8")
    versions = {"torch": "2.13.0+cpu", "transformers": "5.23.0", "tokenizers": "0.23.3"}
    monkeypatch.setattr("bertviz_lite.training.card.version", versions.__getitem__)
    monkeypatch.setattr("platform.python_version", lambda: "3.11.7")
    recipe = replace(RECIPES["pocket"], steps=80_000, stories=1_000_000, other=0.28, swapped=0.14, bf16=True)
    earlier = {"stories": 1_250_000, "other": 0.35, "swapped": 0.15}
    making = Making(
        command_of(recipe, 2, Path("tests/own_words")),
        parameters=2_406_312,
        stories=recipe.stories,
        steps=recipe.steps,
        batch=128,
        tokens=288_898_399,
        seed=0,
        minutes=218.0,
        device="2 × 1 CPU threads (bfloat16)",
        shared_stories=1_900,
        fitting=1.0,
        vocabulary=recipe.vocab_size,
        swapped=recipe.swapped,
        renamed=recipe.renamed,
        float16=recipe.float16,
        forbidden=2_092,
        left_out=450,
        stages=((42_000, {"steps": 42_000, **earlier}), (54_000, earlier)),
        packed=(
            Packed(
                steps=74_095,
                inputs=1_157,
                tokens=2_387_670_713,
                rows=256,
                minutes=8.7,
                device="one NVIDIA H200",
                by_hand=(SHARE, SHARE),
                lines=18_418,
                false_pairs=(0.12, 0.24),
                mask_rate=(0.2, 0.13),
                raised=Raised(3.0, 103 / 120, 110 / 120),
            ),
            Packed(
                steps=13_239,
                inputs=248,
                tokens=80_043_901,
                rows=48,
                minutes=100.0,
                device="2 CPU threads",
                by_hand=(0.5, 0.25),
                lines=64_749,
                false_pairs=(0.12, 0.24),
                mask_rate=(0.22, 0.13),
                kept=0.6,
                mean_with="from the H200",
            ),
            Packed(
                steps=4_467,
                inputs=239,
                tokens=27_005_121,
                rows=48,
                minutes=26.0,
                device="2 CPU threads",
                by_hand=(0.29, 0.29),
                lines=64_749,
                false_pairs=(0.24, 0.24),
                mask_rate=(0.18, 0.13),
                kept=0.5,
                mean_with="from the H200",
            ),
            Packed(
                steps=1_855,
                inputs=239,
                tokens=11_215_712,
                rows=48,
                minutes=10.0,
                device="2 CPU threads",
                by_hand=(0.29, 0.29),
                lines=64_749,
                false_pairs=(0.24, 0.24),
                mask_rate=(0.18, 0.13),
            ),
            Packed(
                steps=13_490,
                inputs=247,
                tokens=81_582_702,
                rows=48,
                minutes=82.0,
                device="2 CPU threads",
                by_hand=(0.4, 0.25),
                lines=82_784,
                false_pairs=(0.12, 0.24),
                mask_rate=(0.18, 0.13),
                kept=0.7,
                mean_with="from the H200",
                raised=Raised(1.0, 109 / 120, 112 / 120),
            ),
        ),
    )
    scores = Scores.from_json((POCKET / "scores.json").read_text(encoding="utf-8"))
    consequence = scores["consequence"]  # its file has four digits, 0.0265, of a number that rounds to 0.027
    scores["consequence"] = replace(consequence, baselines={"both neighbours": 3 / consequence.n})
    exams = BothExams.from_json((POCKET / "own_words.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256((POCKET / "model.safetensors").read_bytes()).hexdigest()
    assert model_card(making, scores, digest, exams) == shipped


def test_card_tells_how_a_run_went_on_part_by_part() -> None:
    making = Making("python", 1, 2, 3, 4, 5, 6, 7.0, "1 CPU thread", 0, 1.0)
    first = Packed(
        9, 8, 70_000, 48, 100.2, "2 CPU threads", (0.5, 0.25), 64_749, (0.12, 0.24), (0.22, 0.13), kept=0.6
    )
    second = replace(first, by_hand=(0.3, 0.3), kept=1.0, raised=Raised(2.0, 0.9, 0.95))
    scores = Scores({"pronoun": Score(0.5, 10)})
    card, plain = (
        " ".join(model_card(each, scores, "0" * 64).split())
        for each in (replace(making, packed=(first, second)), making)
    )
    assert card.count("- Then 9 steps more in 100 minutes on 2 CPU threads") == 2
    assert "Of the texts 50% (in the last two fifths 25%) are written by hand" in card
    assert "By hand 30% (64,749 lines)" in card
    assert card.count("the mean of the weights after this part and those before it, 0.6 to 0.4") == 1
    assert card.count("was raised by 2: ") == 1
    assert "95.0% are right with it and 90.0% without" in card
    assert "Then" not in plain


def test_both_exams_stand_side_by_side_on_the_card() -> None:
    making = Making("python", 1, 2, 3, 4, 5, 6, 7.0, "1 CPU thread", 0, 1.0)
    card = model_card(making, Scores({"pronoun": Score(0.5, 10)}), "0" * 64, EXAMS)
    plain = model_card(making, Scores({"pronoun": Score(0.5, 10)}), "0" * 64)
    before, section, after = card.partition("## Two exams\n")
    section, limits, end = after.partition("## What it cannot do\n")
    assert before + limits + end == plain
    assert "20 choices between two words" in section
    assert "the half that nobody has read" in section
    assert "| **choices between two words** | 1.000 (0.93 to 1.00; 50) | 0.650 (0.43 to 0.82; 20)" in section
    assert "Below what is needed in people's own words: agreement-near, all choices." in section


def test_a_finished_model_gets_both_exams_into_its_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = (POCKET / "README.md").read_text(encoding="utf-8")
    (tmp_path / "README.md").write_text(plain, encoding="utf-8")
    assert main([str(tmp_path)]) == 2
    assert "own_words.json" in capsys.readouterr().err
    for exams in (replace(EXAMS, half="look"), EXAMS):
        (tmp_path / "own_words.json").write_text(exams.to_json(), encoding="utf-8")
        assert main([str(tmp_path)]) == 0
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert card == card_with_exams(plain, EXAMS), "the first results were replaced"
    assert card.count("## Two exams") == card.count("## What it cannot do") == 1
    with pytest.raises(ArgumentError, match="card holds no '## What it cannot do'"):
        card_with_exams("# Something else\n", EXAMS)


def test_heads_where_simple_rules_mislead_are_on_the_card() -> None:
    details = {"layer": 1.0, "head": 2.0, "nearest noun wrong: items": 7.0, "nearest noun wrong: head": 0.25}
    details |= {f"nearest noun wrong: {rule}": 0.0 for rule in ("fixed offset", "nearest noun")}
    details |= {"nearest noun wrong: best head": 0.5, "nearest noun wrong: its layer": 3.0}
    details["nearest noun wrong: its head"] = 0.0
    score = Score(0.75, 40, None, {"fixed offset": 0.5, "nearest noun": 0.625}, details)
    making = Making("python", 1, 2, 3, 4, 5, 6, 7.0, "1 CPU thread", 0, 1.0)
    card = model_card(making, Scores({"head.person": score}), "0" * 64)
    assert "| best head: pronoun -> its person | 40 | 0.750 (1.2) | 0.750 (1.2) | 0.500 | 0.625 |" in card
    assert "| – nearest noun wrong | 7 | 0.250 | 0.500 (3.0) | 0.000 | 0.000 |" in card
    assert "- head.person: layer 1, head 2\n" in card


def test_an_exam_that_is_missing_is_named_before_training(tmp_path: Path) -> None:
    run = Run(tmp_path, exam=tmp_path / "nowhere")
    with pytest.raises(ArgumentError, match=r"choices.tsv is missing"):
        Reporter(Recipe(), run, small_tokenizer(), None)  # type: ignore[arg-type]


def test_files_are_replaced_whole(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "one\n")
    write_text(tmp_path / "a.txt", "two\n")
    assert (tmp_path / "a.txt").read_bytes() == b"two\n"
    assert len(list(tmp_path.iterdir())) == 1
    (tmp_path / "new").mkdir()
    replace_folder(tmp_path / "new", tmp_path / "deep" / "place")
    assert (tmp_path / "deep" / "place").is_dir()


def test_a_model_is_installed_beside_the_others_under_its_own_name(tmp_path: Path) -> None:
    assert shipped_folder("pocket") == POCKET
    assert shipped_folder("second_pocket") == POCKET.parent / "second_pocket"
    for name in ("minilm", "hub", "../pocket", "Second", "", "a b"):
        with pytest.raises(ValueError, match="a name of small letters"):
            shipped_folder(name)
    recipe, run, installs = parse(["--output", str(tmp_path), "--install", "second_pocket", "--no-bf16"])
    assert (run.name, installs, recipe) == ("second_pocket", True, RECIPES["pocket"])
    assert parse(["--install"])[1:] == (Run(Path("build/pretraining")), True)
    assert parse([])[1:] == (Run(Path("build/pretraining")), False)
    with pytest.raises(ValueError, match="--install hub"):
        parse(["--install", "hub"])


def test_the_card_names_the_model_its_pairs_and_its_rounding() -> None:
    plain = Making("python", 1, 2, 3, 4, 5, 6, 7.0, "1 CPU thread", 0, 1.0)
    card = model_card(plain, Scores(), "0" * 64)
    assert 'load("pocket")' in card
    assert "label 1: it is of another story; half of each)" in card
    assert "some four thousand word pieces" in card
    assert "float16" not in card
    other = replace(
        plain, name="other", town="first", vocabulary=2_000, swapped=0.1, renamed=0.5, float16=True
    )
    card = model_card(other, Scores(), "0" * 64)
    assert 'load("other")' in card
    assert "or comes before it (10% of the pairs); 50% of these with the names of the first part" in card
    assert "some two thousand word pieces" in card
    assert "rounded to float16" in card
    assert "python -m bertviz_lite.evaluation.scores --town first" in card
