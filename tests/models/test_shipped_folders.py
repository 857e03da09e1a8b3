"""Every model that comes with the package: its files are small, standard, pinned, and as its card says."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForPreTraining, AutoTokenizer, BertForPreTraining

from bertviz_lite import load
from bertviz_lite.evaluation.scores import NEEDED, Scores
from bertviz_lite.evaluation.scores.results import CHINESE_TITLES, TITLES
from bertviz_lite.models import POCKET
from bertviz_lite.training.watched import decode_attention, watched_attention

FOLDERS = sorted(path.parent for path in POCKET.parent.glob("*/config.json"))
BYTES = {"pocket": 5_000_000, "pocket-zh": 2_600_000}

each_model = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def test_the_models_are_one_of_english_and_one_of_chinese() -> None:
    assert [folder.name for folder in FOLDERS] == sorted(BYTES)


@each_model
def test_files_are_small_and_standard(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    texts = {"README.md", "config.json", "history.json", "scores.json"}
    tokenizer = {"tokenizer.json", "tokenizer_config.json", "vocab.txt"}
    assert texts | tokenizer | {"SHA256SUMS", "history_attention.npz", "model.safetensors"} <= names
    assert not [name for name in names if name.endswith((".bin", ".pt", ".pkl", ".pth"))]
    assert (folder / "model.safetensors").stat().st_size <= BYTES[folder.name]
    assert (folder / "history_attention.npz").stat().st_size <= 330_000


@each_model
def test_transformers_loads_it_without_this_package(folder: Path) -> None:
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForPreTraining.from_pretrained(folder)
    assert type(model) is BertForPreTraining
    listed = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    assert listed == tokenizer.convert_ids_to_tokens(list(range(model.config.vocab_size)))
    assert tokenizer.model_max_length == model.config.max_position_embeddings == 128


@each_model
def test_the_weights_are_those_of_the_pin_and_of_the_card(folder: Path) -> None:
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    assert (folder / "SHA256SUMS").read_text(encoding="utf-8") == f"{digest}  model.safetensors\n"
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert f"`{digest}`" in card
    assert f'`load("{folder.name}")` refuses any other' in card


@each_model
def test_the_weights_are_stored_as_float16_and_loaded_as_float32(folder: Path) -> None:
    stored = load_file(folder / "model.safetensors")
    assert {weights.dtype for weights in stored.values()} == {torch.float16}
    assert {weights.dtype for weights in load(folder.name)[1].parameters()} == {torch.float32}


@each_model
def test_padding_row_is_zero(folder: Path) -> None:
    model = load(folder.name)[1]
    weight = model.base_model.embeddings.word_embeddings.weight
    assert model.config.pad_token_id == 0
    assert not weight[0].any()
    assert weight[1:].abs().sum(1).min() > 0


@each_model
def test_no_trace_of_the_machine_that_made_it(folder: Path) -> None:
    for path in folder.iterdir():
        if path.suffix in {".json", ".md", ".txt"}:
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"/(home|root|tmp|work|Users)/|[A-Z]:\\\\", text), path.name


@each_model
def test_the_card_shows_the_recorded_scores(folder: Path) -> None:
    recorded = Scores.from_json((folder / "scores.json").read_text(encoding="utf-8"))
    card = (folder / "README.md").read_text(encoding="utf-8")
    # Of two rows with one title the first is that of the scores.
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in reversed(card.splitlines())}
    for name, score in recorded.items():
        _, value, mark, beside, items = (
            cell.strip() for cell in rows[(TITLES | CHINESE_TITLES)[name]].split("|")[1:-1]
        )
        assert (value, items) == (f"{score.value:.4f}", f"{score.n:,}"), name
        met = "met" if score.passed else "MISSED"
        assert mark == ("" if score.needed is None else f"{score.needed:.2f} {met}"), name
        shown = dict(part.rsplit(" ", 1) for part in beside.split(", ")) if beside else {}
        assert {guess: float(share) for guess, share in shown.items()} == pytest.approx(
            score.baselines, abs=0.00056
        ), name


@each_model
def test_the_history_covers_the_whole_run(folder: Path) -> None:
    history = json.loads((folder / "history.json").read_text(encoding="utf-8"))
    steps = [moment["step"] for moment in history["moments"]]
    assert steps[0] == 0
    assert len(steps) >= 10
    assert steps == sorted(steps)
    assert history["losses"][0]["mlm_loss"] > 2 * history["losses"][-1]["mlm_loss"]
    first, last = history["moments"][0]["scores"], history["moments"][-1]["scores"]
    assert all(last[name] > first[name] for name in NEEDED.keys() & first.keys())
    assert len(history["tokens"]) == {"pocket": 3, "pocket-zh": 0}[folder.name]
    layers, heads = (
        json.loads((folder / "config.json").read_text(encoding="utf-8"))[name]
        for name in ("num_hidden_layers", "num_attention_heads")
    )
    with np.load(folder / "history_attention.npz") as arrays:
        assert arrays["steps"].tolist() == steps
        for number, tokens in enumerate(history["tokens"]):
            code = arrays[f"text{number}"]
            assert code.dtype == np.uint8
            assert code.shape == (len(steps), layers, heads, len(tokens), len(tokens))
            rows = decode_attention(code).sum(-1)
            assert rows == pytest.approx(np.ones_like(rows), abs=0.05)


@each_model
def test_the_history_ends_with_the_attention_of_the_shipped_weights(folder: Path) -> None:
    tokenizer, model = load(folder.name)
    history = json.loads((folder / "history.json").read_text(encoding="utf-8"))
    now = watched_attention(model, tokenizer, [tuple(pair) for pair in history["texts"]])
    with np.load(folder / "history_attention.npz") as arrays:
        for number in range(len(history["texts"])):
            kept = arrays[f"text{number}"][-1].astype(int)
            assert np.abs(kept - now[f"text{number}"].astype(int)).max() <= 2
