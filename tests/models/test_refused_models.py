"""`load` refuses what is no BERT or damaged in one line; it never unpickles and never runs code."""

import contextlib
import math
import os
import pickle
import re
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from bertviz_lite import CaptureError, Explorer, ModelError, capture, load, trace
from bertviz_lite.models import loading
from tests.helpers.tiny_families import TEXT, family
from tests.helpers.tiny_models import edit_json
from tests.models.damaged_models import (
    cut,
    lfs_pointer,
    message,
    only_a_pickle,
    rewrite,
    to_integers,
    write,
)

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
        r'no BERT: config\.json says "model_type": "roberta"\. load\(\) opens BERTs only; .*AutoModel',
    ),
    "no kind at all": (
        lambda f: edit_json(f / "config.json", model_type=None, architectures=["GPT2Model"]),
        r'no BERT: .* null\. Choose a BERT',
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
    "a list of no words": (
        lambda f: [(f / "tokenizer.json").unlink(), write(f, "vocab.txt", "")],
        r"vocab\.txt holds no vocabulary\. Copy",
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


@pytest.mark.parametrize("name", ["roberta", "gpt2", "t5"])
def test_what_is_no_bert_opens_and_is_captured_and_traced_as_the_refusal_says(
    tmp_path: Path, name: str
) -> None:
    for part in family(name):
        part.save_pretrained(tmp_path)
    line = message(tmp_path)
    opening = re.findall(r"(Auto\w+)\.from_pretrained\(\)", line)
    assert opening == ["AutoModel", "AutoTokenizer"]
    assert "capture(), Explorer and trace() take" in line
    model, tokenizer = (getattr(transformers, each).from_pretrained(tmp_path) for each in opening)
    seen = capture(model, tokenizer, TEXT)
    assert repr(Explorer(seen)).startswith("Explorer(")
    inputs = dict(tokenizer(TEXT, return_tensors="pt"))
    if name == "t5":
        inputs["decoder_input_ids"] = inputs["input_ids"]
    assert trace(model, **inputs).failure is None


@pytest.mark.parametrize("name", ["bert", "roberta", "gpt2"])
def test_a_folder_without_a_tokenizer_is_named_and_not_the_text(tmp_path: Path, name: str) -> None:
    model, _ = family(name)
    model.save_pretrained(tmp_path)
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)  # no error: special tokens and no word
    for given in ({"text": TEXT}, {"inputs": [1, 2]}):
        with pytest.raises(CaptureError) as caught:
            capture(model, tokenizer, **given)
        line = str(caught.value)
        assert re.match(r"tokenizer knows \d special tokens? and no word: ", line)
        assert " holds no tokenizer. Put its files there (tokenizer.json; or vocab.txt," in line


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
def test_an_impossible_name_never_reaches_the_hub(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_an_impossible_name_is_refused_in_one_line(name: object) -> None:
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
