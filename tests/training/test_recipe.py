"""The recipe and its command line: what is refused, and a command that reads back."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import get_scheduler

from bertviz_lite.data.pretraining.by_hand import ByHand
from bertviz_lite.data.pretraining.forbidden import Forbidden
from bertviz_lite.data.pretraining.shards import town_fingerprint
from bertviz_lite.training.pretraining.__main__ import main, parse
from bertviz_lite.training.pretraining.recipe import RECIPES, Recipe, command_of
from bertviz_lite.training.pretraining.run import (
    MAY_CHANGE,
    Run,
    Stage,
    begin_stage,
    keep_recipe,
    open_output,
    stages_of,
)
from bertviz_lite.training.pretraining.trainer import training_arguments
from bertviz_lite.training.pretraining.vocabulary import load_or_train_tokenizer
from bertviz_lite.world import towns
from tests.helpers.checkpoints import write_checkpoint


def test_a_folder_is_refused_for_a_run_that_leaves_out_other_stories(tmp_path: Path) -> None:
    forbidden = Forbidden.of(["The cat is very old."])
    keep_recipe(Recipe(), 1, tmp_path, forbidden)
    keep_recipe(Recipe(), 1, tmp_path, forbidden)
    for other in (None, Forbidden.of(["The dog is very old."])):
        with pytest.raises(ValueError, match="forbidden_sentences"):
            keep_recipe(Recipe(), 1, tmp_path, other)


def test_the_command_names_the_exam_and_not_where_it_lies() -> None:
    assert command_of(Recipe(), 1, Path("tests/own_words")).endswith("--exam tests/own_words")
    assert command_of(Recipe(), 1, Path("/home/somebody/own_words")).endswith("--exam own_words")


def test_the_command_names_the_texts_by_hand_and_a_share_of_its_own() -> None:
    folder = Path("texts/by_hand")
    assert command_of(Recipe(), 1, by_hand=folder).endswith("--by-hand texts/by_hand")
    assert command_of(Recipe(), 1, by_hand=folder, by_hand_share=0.5).endswith("--by-hand-share 0.5")
    assert "by-hand" not in command_of(Recipe(), 1)


def test_a_folder_keeps_which_texts_by_hand_its_run_has_read(tmp_path: Path) -> None:
    texts, other = ByHand(0.5, (("A cat.",),)), ByHand(0.5, (("A dog.",),))
    keep_recipe(Recipe(), 1, tmp_path, by_hand=texts)
    keep_recipe(Recipe(), 1, tmp_path, by_hand=texts)
    for changed in (other, None):
        with pytest.raises(ValueError, match="texts_by_hand"):
            keep_recipe(Recipe(), 1, tmp_path, by_hand=changed)


def test_a_folder_keeps_which_weights_its_run_began_with(tmp_path: Path) -> None:
    models = [tmp_path / name for name in ("one", "other")]
    for folder in models:
        folder.mkdir()
        (folder / "model.safetensors").write_text(folder.name, encoding="utf-8")
    output = tmp_path / "run"
    open_output(Recipe(), 1, Run(output, start=models[0]))
    open_output(Recipe(), 1, Run(output, start=models[0]))
    for other in (models[1], None):
        with pytest.raises(ValueError, match="start"):
            open_output(Recipe(), 1, Run(output, start=other))
    with pytest.raises(ValueError, match=r"--start .*the weights cannot be read"):
        open_output(Recipe(), 1, Run(tmp_path / "new", start=tmp_path))
    assert command_of(Recipe(), 1, start=Path("models/pocket")).endswith("--start models/pocket")


def test_a_folder_keeps_which_teachers_its_run_has(tmp_path: Path) -> None:
    models = [tmp_path / name for name in ("one", "other")]
    for folder in models:
        folder.mkdir()
        (folder / "model.safetensors").write_text(folder.name, encoding="utf-8")
    output = tmp_path / "run"
    open_output(Recipe(), 1, Run(output, teachers=tuple(models)))
    open_output(Recipe(), 1, Run(output, teachers=tuple(models)))
    for others in ((models[1],), (models[1], models[0]), ()):
        with pytest.raises(ValueError, match="teachers"):
            open_output(Recipe(), 1, Run(output, teachers=others))
    with pytest.raises(ValueError, match=r"--teacher .*the weights cannot be read"):
        open_output(Recipe(), 1, Run(tmp_path / "new", teachers=(tmp_path,)))
    command = command_of(Recipe(), 1, teachers=[Path("models/pocket"), Path("/tmp/other")])
    assert command.endswith("--teacher models/pocket --teacher other")
    _, run, _ = parse(["--teacher", "one", "--teacher", "other"])
    assert run.teachers == (Path("one"), Path("other"))


def test_another_recipe_in_the_same_folder_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep_recipe(Recipe(), 1, tmp_path)
    keep_recipe(Recipe(), 1, tmp_path)
    with pytest.raises(ValueError, match=rf"steps {Recipe().steps} -> 5"):
        keep_recipe(Recipe(steps=5), 1, tmp_path)
    assert main(["--output", str(tmp_path), "--steps", "5", "--no-bf16"]) == 1
    assert capsys.readouterr().err.startswith("error: ")


def begun_run(folder: Path, recipe: Recipe, at: int) -> None:
    """Write what a run leaves that has a checkpoint at a step."""
    keep_recipe(recipe, 1, folder)
    (folder / "stories").mkdir()
    note = json.dumps({"town": town_fingerprint(recipe.town)})
    (folder / "stories" / "corpus.json").write_text(note, encoding="utf-8")
    write_checkpoint(folder / "checkpoints", at)


def settings_of(recipe: Recipe) -> dict[str, float]:
    return {name: getattr(recipe, name) for name in MAY_CHANGE}


def test_a_new_stage_goes_on_with_more_steps_and_notes_what_was(tmp_path: Path) -> None:
    first = Recipe(steps=40)
    longer, run = replace(first, steps=100), Run(tmp_path)
    begun_run(tmp_path, first, at=30)
    stories = tmp_path / "stories" / "corpus.json"
    begin_stage(longer, 1, run)
    before = Stage(30, settings := settings_of(first), town_fingerprint("first"))
    assert settings["steps"] == 40
    assert stages_of(tmp_path) == [before]
    keep_recipe(longer, 1, tmp_path)  # it is that of the folder now
    assert stories.exists()
    begin_stage(longer, 1, run)  # the same command again
    assert stages_of(tmp_path) == [before]
    stories.write_text(json.dumps({"town": "as it wrote before"}), encoding="utf-8")
    begin_stage(longer, 1, run)
    assert stages_of(tmp_path) == [before, Stage(30, settings_of(longer), "as it wrote before")]
    assert not stories.exists()  # they are written anew


def test_a_new_stage_of_nothing_or_with_another_recipe_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no run to go on with"):
        begin_stage(Recipe(), 1, Run(tmp_path))
    begun_run(tmp_path, Recipe(), at=3)
    changed = replace(Recipe(), steps=9, mask_rate=0.3)
    with pytest.raises(ValueError, match=r"mask_rate 0\.\d+ -> 0\.3"):
        open_output(changed, 1, Run(tmp_path, new_stage=True))
    assert stages_of(tmp_path) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"steps": 0}, "steps=0"),
        ({"seed": 9000}, "seed=9000"),
        ({"seed": -1}, "seed=-1"),
        ({"mask_rate": 0}, "mask_rate=0"),
        ({"matrix_learning_rate": -0.1}, "matrix_learning_rate=-0.1"),
        ({"town": "third"}, "town='third'"),
        ({"schedule": "constant"}, "schedule=constant"),
    ],
)
def test_impossible_recipes_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Recipe(**change)


def test_the_command_of_a_recipe_can_be_parsed_again(tmp_path: Path) -> None:
    recipe = replace(RECIPES["pocket"], steps=7, learning_rate=1e-3, whole_words=False, bf16=True)
    command = command_of(recipe, 1)
    assert command == (
        "python -m bertviz_lite.training.pretraining --steps 7 --learning-rate 0.001 --no-whole-words --bf16"
    )
    read, where, installs = parse([*command.split()[3:], "--output", str(tmp_path)])
    assert read == recipe
    assert where.output == tmp_path
    assert not installs
    assert not where.quick


def test_a_named_recipe_is_taken_whole_and_changed_by_what_is_given(tmp_path: Path) -> None:
    read, _, _ = parse(["--recipe", "first", "--no-bf16", "--steps", "9", "--output", str(tmp_path)])
    assert read == replace(RECIPES["first"], steps=9)
    command = command_of(replace(read, float16=True), 2)
    assert command == (
        "accelerate launch --num_processes 2 -m bertviz_lite.training.pretraining "
        "--recipe first --steps 9 --float16 --no-bf16"
    )
    again, _, _ = parse([*command.split()[6:], "--output", str(tmp_path)])
    assert again == replace(read, float16=True)


def test_a_shipped_model_is_scored_on_everything(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--install", "--quick"])
    assert "leave out --quick" in capsys.readouterr().err


def test_a_run_that_began_before_a_setting_existed_goes_on_with_its_default(tmp_path: Path) -> None:
    keep_recipe(Recipe(), 1, tmp_path)
    older = json.loads((tmp_path / "recipe.json").read_text(encoding="utf-8"))
    del older["town"]
    (tmp_path / "recipe.json").write_text(json.dumps(older), encoding="utf-8")
    keep_recipe(Recipe(), 1, tmp_path)
    assert json.loads((tmp_path / "recipe.json").read_text(encoding="utf-8"))["town"] == "first"


def test_the_words_of_a_file_or_of_the_town_become_tokens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(towns.TOWNS, "toy", "tests.helpers.toy_town:story")
    (tmp_path / "words.txt").write_text("# animals\nzebra Gnu\n\ntapir\n", encoding="utf-8")
    small = {"vocab_size": 150, "tokenizer_stories": 20}
    listed = Recipe(words=str(tmp_path / "words.txt"), **small)
    tokenizer = load_or_train_tokenizer(tmp_path / "listed", listed)
    assert [tokenizer.tokenize(word) for word in ("zebra", "gnu", "tapir")] == [["zebra"], ["gnu"], ["tapir"]]
    own = load_or_train_tokenizer(tmp_path / "own", Recipe(town="toy", **small))
    assert own.tokenize("count goes on") == ["count", "goes", "on"]
    for content, message in (("# none\n", "holds no word"), (None, "cannot be read")):
        path = tmp_path / "other.txt"
        path.unlink(missing_ok=True) if content is None else path.write_text(content, encoding="utf-8")
        with pytest.raises(ValueError, match=message):
            load_or_train_tokenizer(tmp_path / "other", Recipe(words=str(path), **small))


def test_the_learning_rate_falls_along_the_schedule(tmp_path: Path) -> None:
    """Halfway down a cosine and a line are at one half, a quarter down they are not."""
    for schedule, quarter in (("cosine", 0.5 + 0.5 * math.cos(math.pi / 4)), ("linear", 0.75)):
        recipe = Recipe(steps=105, warmup=5 / 105, schedule=schedule)
        arguments = training_arguments(recipe, Run(tmp_path))
        optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
        kind = get_scheduler(
            arguments.lr_scheduler_type, optimizer, int(arguments.warmup_steps), arguments.max_steps
        )
        rates = []
        for _ in range(recipe.steps):
            rates.append(kind.get_last_lr()[0])
            optimizer.step()
            kind.step()
        assert (rates[0], rates[5], rates[55]) == (0.0, 1.0, pytest.approx(0.5))
        assert rates[30] == pytest.approx(quarter)
