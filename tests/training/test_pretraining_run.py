"""Runs of the recipe in processes of their own: whole, killed, damaged, shared by two processes."""

from __future__ import annotations

import hashlib
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForPreTraining, AutoTokenizer, BertForPreTraining

from bertviz_lite.evaluation.scores import QUICK, Scores, heads_table
from bertviz_lite.evaluation.scores.own_words import BothExams, side_by_side
from bertviz_lite.training.pretraining.checkpoints import last_checkpoint
from bertviz_lite.training.watched import decode_attention
from tests.evaluation.own_words.test_exams import write
from tests.helpers.children import finish, start
from tests.training.launched_run import as_launched

pytestmark = pytest.mark.thorough

TINY = [
    "--recipe=first",  # one of few words: the town of the course lists more than a small vocabulary holds
    "--steps=24",
    "--batch-size=4",
    "--stories=200",
    "--tokenizer-stories=100",
    "--vocab-size=300",
    "--hidden-size=16",
    "--num-layers=1",
    "--num-heads=2",
    "--intermediate-size=32",
    "--no-bf16",
    "--threads=1",
    "--save-every=6",
    "--no-progress",
]


@pytest.fixture(scope="module", autouse=True)
def no_gpu() -> Iterator[None]:
    """Let every process that a test starts run on the CPU."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CUDA_VISIBLE_DEVICES", "")
        yield


def run(folder: Path, *arguments: object) -> str:
    """Run the recipe in a process of its own and return what it has printed."""
    log = folder / "printed.txt"
    return finish(
        start("bertviz_lite.training.pretraining.__main__", ["--output", folder, *TINY, *arguments], log), log
    )


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    run(folder, "--no-evaluate")
    return folder


@pytest.mark.slow
def test_the_model_folder_loads_as_any_other(finished: Path) -> None:
    folder = finished / "pocket"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForPreTraining.from_pretrained(folder)
    assert type(model) is BertForPreTraining
    assert model.config.architectures == ["BertForPreTraining"]
    assert model.config.hidden_dropout_prob == 0.1
    assert not model.bert.embeddings.word_embeddings.weight[0].any()
    assert len(tokenizer) == model.config.vocab_size
    assert (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()[4] == "[MASK]"
    for path in folder.iterdir():
        assert str(finished).encode() not in path.read_bytes(), path.name
    logits = model.eval()(**tokenizer("She [MASK] home.", return_tensors="pt")).prediction_logits
    assert torch.isfinite(logits).all()


@pytest.mark.slow
def test_a_run_that_begins_with_a_model_and_never_moves_ends_with_it(finished: Path, tmp_path: Path) -> None:
    """With a learning rate of almost 0, weights and vocabulary are those of the start."""
    still = ["--learning-rate=1e-30", "--matrix-learning-rate=1e-30", "--seed=5"]
    run(tmp_path, "--no-evaluate", "--start", finished / "pocket", *still)
    before, after = (load_file(folder / "pocket" / "model.safetensors") for folder in (finished, tmp_path))
    assert all(torch.equal(tensor, after[name]) for name, tensor in before.items())
    vocabularies = [(folder / "pocket" / "vocab.txt").read_bytes() for folder in (finished, tmp_path)]
    assert vocabularies[0] == vocabularies[1]


@pytest.mark.slow
def test_a_run_with_a_teacher_ends_nearer_to_it(finished: Path, tmp_path: Path) -> None:
    """Both begin with the teacher's weights, and the labels pull both away."""
    alone, taught = tmp_path / "alone", tmp_path / "taught"
    for folder, options in ((alone, []), (taught, ["--teacher", finished / "pocket"])):
        folder.mkdir()
        begin = ["--start", finished / "pocket", "--learning-rate=3e-3", "--seed=5"]
        run(folder, "--no-evaluate", *begin, *options)
    files = (folder / "pocket" / "model.safetensors" for folder in (finished, alone, taught))
    teacher, plain, near = (load_file(file)["bert.embeddings.word_embeddings.weight"] for file in files)
    assert (near - teacher).norm() < (plain - teacher).norm()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system cannot kill a process at once")
def test_a_killed_run_ends_with_the_same_weights(finished: Path, tmp_path: Path) -> None:
    log = tmp_path / "killed.txt"
    options = ["--output", tmp_path, *TINY, "--no-evaluate"]
    process = start("bertviz_lite.training.pretraining.__main__", options, log)
    deadline = time.monotonic() + 200
    while not last_checkpoint(tmp_path / "checkpoints"):
        assert time.monotonic() < deadline
        assert process.is_alive(), log.read_text(encoding="utf-8")
        time.sleep(0.005)
    process.kill()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert not (tmp_path / "pocket").exists()
    # What a kill amid writing leaves: a newer folder without its state.
    (tmp_path / "checkpoints" / "checkpoint-23").mkdir()
    printed = run(tmp_path, "--no-evaluate")
    expected = load_file(finished / "pocket" / "model.safetensors")
    resumed = load_file(tmp_path / "pocket" / "model.safetensors")
    assert expected.keys() == resumed.keys()
    for name, tensor in expected.items():
        assert torch.equal(tensor, resumed[name]), f"{name} differs\n{printed[-2000:]}"


@pytest.mark.slow
def test_a_run_with_a_damaged_checkpoint_goes_on_from_the_older_one(finished: Path, tmp_path: Path) -> None:
    """By hand: the newest checkpoint's weights are cut off in the middle."""
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    shutil.rmtree(folder / "pocket")
    weights = folder / "checkpoints" / "checkpoint-24" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1_000])
    printed = run(folder, "--no-evaluate")
    assert "checkpoint-24 cannot be read (model.safetensors: " in printed
    assert "an older one is tried" in printed
    expected = load_file(finished / "pocket" / "model.safetensors")
    resumed = load_file(folder / "pocket" / "model.safetensors")
    assert all(torch.equal(tensor, resumed[name]) for name, tensor in expected.items())


def launch(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the recipe in two processes, six steps at most."""
    launcher = [sys.executable, "-m", "accelerate.commands.launch", "--num_processes", "2", "--cpu"]
    options = ["--output", str(folder), "--no-evaluate", *TINY, "--steps=6", *arguments]
    command = [*launcher, "-m", "bertviz_lite.training.pretraining", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.thorough
def test_two_processes_train_the_same_file(tmp_path: Path) -> None:
    done = launch(tmp_path)
    assert done.returncode == 0, done.stderr[-20_000:]  # a launcher's own lines come after the cause
    assert "the model is in" in done.stdout
    settings = json.loads((tmp_path / "recipe.json").read_text(encoding="utf-8"))
    assert settings["processes"] == 2
    weights = load_file(tmp_path / "pocket" / "model.safetensors")
    assert all(torch.isfinite(tensor).all() for tensor in weights.values())
    assert not weights["bert.embeddings.word_embeddings.weight"][0].any()
    # Both stop after the same step when the time is up, and end with the same weights when they go on.
    assert launch(tmp_path / "again", "--max-minutes=0").returncode == 1
    assert [path.name for path in (tmp_path / "again" / "checkpoints").iterdir()] == ["checkpoint-1"]
    assert launch(tmp_path / "again").returncode == 0
    resumed = load_file(tmp_path / "again" / "pocket" / "model.safetensors")
    assert all(torch.equal(weights[name], resumed[name]) for name in weights)


def in_one_process(folder: Path, parts: int) -> dict[str, torch.Tensor]:
    """Train as a finished run did, in this process: the gradients of equal parts of each step, averaged."""
    launched = as_launched(folder)
    for step in range(launched.recipe.steps):
        launched.optimizer.zero_grad()
        for part in range(parts):
            (launched.model(**launched.batch(step, part, parts))["loss"] / parts).backward()
        torch.nn.utils.clip_grad_norm_(launched.model.parameters(), launched.recipe.max_grad_norm)
        launched.optimizer.step()
        launched.schedule.step()
    return launched.model.state_dict()


@pytest.mark.thorough
def test_two_processes_take_the_mean_of_their_gradients(tmp_path: Path) -> None:
    done = launch(tmp_path, "--steps=3", "--warmup=0")
    assert done.returncode == 0, done.stderr[-20_000:]
    trained = load_file(tmp_path / "pocket" / "model.safetensors")

    def distance(other: dict[str, torch.Tensor]) -> float:
        apart = [(weights - other[name]).flatten() for name, weights in trained.items()]
        return torch.cat(apart).double().norm().item()

    way = distance(as_launched(tmp_path).model.state_dict())
    # float32: the sums have another order, and AdamW's division by a tiny root magnifies what differs
    assert distance(in_one_process(tmp_path, parts=2)) < 0.01 * way
    # the same inputs as one batch, masked as one process alone masks them, are another training
    assert distance(in_one_process(tmp_path, parts=1)) > 0.01 * way


@pytest.mark.slow
def test_history_scores_and_card_are_written(tmp_path: Path) -> None:
    exam = write(
        tmp_path / "exam", "near\tThe cat [MASK] old.\tis\tare\n", "short\tnext\tIt rained.\tIt was wet.\n"
    )
    run(tmp_path, "--steps=3", "--quick", "--exam", exam)
    folder = tmp_path / "pocket"
    history = json.loads((folder / "history.json").read_text(encoding="utf-8"))
    steps = [moment["step"] for moment in history["moments"]]
    assert steps == [0, 1, 2, 3]
    assert history["moments"][-1]["tokens"] > 0
    with np.load(folder / "history_attention.npz") as attention:
        for number, tokens in enumerate(history["tokens"]):
            assert attention[f"text{number}"].shape == (4, 1, 2, len(tokens), len(tokens))
            rows = decode_attention(attention[f"text{number}"]).sum(-1)
            assert rows == pytest.approx(np.ones_like(rows), abs=0.05)
    scores = Scores.from_json((folder / "scores.json").read_text(encoding="utf-8"))
    assert {"agreement", "masked_words", "next_part", "minimal_pairs", "senses", "head.subject"} <= set(
        scores
    )
    assert scores["minimal_pairs"].n == 8 * QUICK.minimal_pairs
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "| masked word: agreement |" in card
    assert "`python -m bertviz_lite.evaluation.scores --quick --town first`" in card
    assert str(tmp_path) not in card
    assert "--steps 3" in card
    assert "--exam exam" in card
    assert "No story holds one of the 2 sentences" in card
    recipe = json.loads((tmp_path / "recipe.json").read_text(encoding="utf-8"))
    assert (
        json.loads((tmp_path / "stories" / "corpus.json").read_text(encoding="utf-8"))["forbidden"]
        == (recipe["forbidden_sentences"])
    )
    exams = BothExams.from_json((folder / "own_words.json").read_text(encoding="utf-8"))
    assert (exams.half, exams.own.all_choices.n) == ("unread", 1)
    assert side_by_side(exams) in card
    assert heads_table(scores).splitlines()[0] in card
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    assert f"`{digest}`" in card
    assert (folder / "SHA256SUMS").read_text(encoding="utf-8") == f"{digest}  model.safetensors\n"
