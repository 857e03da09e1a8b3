"""The cells of chapter 11 as one file: it runs alone and in two processes, and what it saves can be used."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from transformers import pipeline

from bertviz_lite.chapters.chapter_11 import my_job
from bertviz_lite.models.loading import folder_of

MODULE = "bertviz_lite.chapters.chapter_11.my_job"
PLAIN = "\n".join(
    f"{label} | {name} {does}."
    for label, does in (
        ("glad", "won the race"),
        ("sad", "lost her key"),
        ("glad", "is happy"),
        ("sad", "is sad"),
    )
    for name in ("Anna", "Tom", "Eva", "Max", "Ivy", "Ben", "Lily", "Hugo", "Nora", "Carl")
)


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.txt"
    path.write_text(PLAIN, encoding="utf-8")
    return path


@pytest.mark.thorough
def test_what_it_saves_is_a_classifier_of_the_readers_labels(
    labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "model"
    my_job.main(
        [
            str(folder_of("pocket")),
            str(labels),
            str(folder),
            "--rate",
            "1e-3",
            "--epochs",
            "15",
            "--batch",
            "4",
        ]
    )
    said = capsys.readouterr().out
    assert "<- kept" in said
    assert [line.split()[0] for line in said.splitlines()[-3:]] == ["glad", "sad", "macro"]
    feel = pipeline("text-classification", model=str(folder))
    answers = [answer["label"] for answer in feel(["Ruby won the race.", "Ruby lost her key."])]
    assert answers == ["glad", "sad"]


@pytest.mark.thorough
def test_the_same_file_runs_in_two_processes(labels: Path, tmp_path: Path) -> None:
    launch = [
        sys.executable,
        "-m",
        "accelerate.commands.launch",
        "--num_processes",
        "2",
        "--cpu",
        "-m",
        MODULE,
    ]
    job = [
        str(folder_of("pocket")),
        str(labels),
        str(tmp_path / "model"),
        "--rate",
        "1e-3",
        "--epochs",
        "3",
    ]
    done = subprocess.run([*launch, *job], capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.count("test: accuracy") == 1  # one of the processes speaks
    assert (tmp_path / "model" / "model.safetensors").exists()


def test_precision_and_recall_are_those_counted_by_hand() -> None:
    # Of two called b one is; of three that are b one is called so: by hand.
    said = np.array([[9.0, 0.0], [9.0, 0.0], [0.0, 9.0], [0.0, 9.0]])
    prediction = SimpleNamespace(predictions=said, label_ids=np.array([1, 1, 1, 0]))
    scores = my_job.metrics_for(["a", "b"])(prediction)
    assert (scores["precision_b"], scores["recall_b"]) == (1 / 2, pytest.approx(1 / 3))
    assert scores["f1_b"] == pytest.approx(2 / 5)
    assert (scores["precision_a"], scores["recall_a"], scores["f1_a"]) == (0, 0, 0)
    assert scores["macro_f1"] == pytest.approx(1 / 5)
    assert scores["accuracy"] == 1 / 4


def test_few_texts_get_more_epochs() -> None:
    # 18 texts, 8 at a time, are 3 steps an epoch, so 90 steps take 30 epochs; 1,000, 16 at a time, are 63.
    assert [my_job.epochs_for(*given) for given in ((18, 8), (1_000, 16))] == [30, 6]
