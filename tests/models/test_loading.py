"""`load` makes the model that was saved, in silence."""

import logging
import os
import shutil
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import BertForPreTraining, BertModel

from bertviz_lite import ModelError, load
from bertviz_lite.models.loading import folder_of
from bertviz_lite.models.shapes import expected_shapes
from tests.helpers.tiny_models import edit_json, make, save
from tests.models.damaged_models import WITH_HEADS, message


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


def test_the_folder_of_a_model_is_what_transformers_can_load(folder: Path) -> None:
    assert folder_of(folder) == folder
    theirs = BertForPreTraining.from_pretrained(folder_of("pocket"))
    _, ours = load("pocket")
    assert torch.equal(theirs.bert.pooler.dense.weight, ours.base_model.pooler.dense.weight)
    with pytest.raises(ModelError, match="no such folder"):
        folder_of("nowhere/at/all")


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
