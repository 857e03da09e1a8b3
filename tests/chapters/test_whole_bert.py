"""The whole BERT on one page, against `transformers`: every hidden state, attention, pooled vector, logit."""

import doctest
import importlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import BertConfig, BertForPreTraining, BertModel, PreTrainedModel

import bertviz_lite.chapters.chapter_12.first_difference
import bertviz_lite.chapters.chapter_12.patients
import bertviz_lite.chapters.chapter_12.whole_bert
import bertviz_lite.exercises.listing
from bertviz_lite import ModelError, load, trace
from bertviz_lite.chapters.chapter_12.first_difference import compare, run_library
from bertviz_lite.chapters.chapter_12.patients import healthy
from bertviz_lite.chapters.chapter_12.whole_bert import WholeBert
from bertviz_lite.exercises.listing import count_lines
from bertviz_lite.models.loading import folder_of
from tests.helpers.tiny_models import make
from tests.helpers.whole_bert_inputs import Batch, batch_for, pocket

FOLDER = folder_of("pocket")


@pytest.fixture(autouse=True)
def _no_gradients() -> Any:  # noqa: ANN401
    with torch.no_grad():
        yield


@pytest.fixture(scope="module")
def base() -> PreTrainedModel:
    """BERT-Base, random: large weights and no zeros, so that nothing cancels."""
    with torch.device("meta"):
        model = BertForPreTraining(BertConfig()).double()
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        weights = {
            name: torch.randn(tensor.shape, generator=generator, dtype=torch.float64).mul_(0.05)
            for name, tensor in model.state_dict().items()
            if "decoder" not in name
        }
    model.load_state_dict(weights, strict=False, assign=True)
    model.tie_weights()
    model.bert.embeddings.position_ids = torch.arange(512)[None]
    model.bert.embeddings.token_type_ids = torch.zeros(1, 512, dtype=torch.long)
    model.set_attn_implementation("eager")
    return model.eval()


def minilm() -> PreTrainedModel:
    try:
        return load("minilm")[1].double()
    except ModelError as error:
        pytest.skip(str(error))


def tiny(kind: type[PreTrainedModel] = BertForPreTraining) -> PreTrainedModel:
    return make(kind, attn_implementation="eager").double().eval()


def assert_equal(model: PreTrainedModel, batch: Batch, tensors: int, tolerance: float = 1e-12) -> None:
    ours = WholeBert.from_weights(model.config, model.state_dict())
    comparison = compare(ours(**batch), run_library(model, batch), tolerance=tolerance)
    assert comparison.first is None, str(comparison)
    assert len(comparison.rows) == tensors


@pytest.mark.parametrize(("make_model", "tensors"), [(pocket, 12), (minilm, 14), (tiny, 8)])
def test_every_tensor_equals_that_of_transformers(
    make_model: Callable[[], PreTrainedModel], tensors: int
) -> None:
    model = make_model()
    assert_equal(model, batch_for(model), tensors)


@pytest.mark.thorough
def test_every_tensor_of_a_random_bert_base_is_equal(base: PreTrainedModel) -> None:
    assert_equal(base, batch_for(base), 28)


@pytest.mark.parametrize("left_out", [{"attention_mask": True}, {"token_type_ids": True}])
def test_a_missing_mask_or_segments_are_filled_in_as_transformers_does(left_out: dict[str, bool]) -> None:
    model = tiny()
    assert_equal(model, batch_for(model, **left_out), 8)


@pytest.mark.parametrize(("implementation", "tensors"), [("eager", 12), ("sdpa", 8)])
def test_both_implementations_of_attention_give_the_same(implementation: str, tensors: int) -> None:
    model = pocket()
    model.set_attn_implementation(implementation)
    assert_equal(model, batch_for(model), tensors)  # SDPA gives no weights: four tensors less


def test_a_length_may_equal_another_size() -> None:
    model = tiny()  # 2 heads, 2 layers, 2 texts of 2 tokens
    ids = torch.tensor([[7, 8], [9, 0]])
    assert_equal(model, {"input_ids": ids, "attention_mask": ids.ne(0).long(), "token_type_ids": ids * 0}, 8)


def test_padding_changes_nothing() -> None:
    ours, batch = healthy(), batch_for(pocket())
    alone = {name: given[1:2, :5] for name, given in batch.items()}
    padded, bare = ours(**batch), ours(**alone)
    assert torch.allclose(padded.hidden_states[-1][1, :5], bare.hidden_states[-1][0], rtol=0, atol=1e-12)
    assert padded.attentions[-1][1, :, :, 5:].abs().max() == 0


def test_a_folder_is_read_by_the_names_in_its_file() -> None:
    ours = WholeBert.from_folder(FOLDER)
    stored = load_file(FOLDER / "model.safetensors")
    state = ours.state_dict()
    assert set(state) - set(stored) == {"cls.predictions.decoder.weight"}
    assert all(torch.equal(stored[name], state[name]) for name in stored)
    assert ours.cls.predictions.decoder.weight is ours.bert.embeddings.word_embeddings.weight
    assert sum(weight.numel() for weight in ours.parameters()) == load("pocket")[1].num_parameters()


def test_the_decoder_stays_tied_when_moved() -> None:
    ours = healthy()
    assert ours.cls.predictions.decoder.weight is ours.bert.embeddings.word_embeddings.weight


def test_a_model_without_heads_has_no_logits() -> None:
    model = tiny(BertModel)
    ours = WholeBert.from_weights(model.config, model.state_dict())
    output = ours(**batch_for(model))
    assert output.prediction_logits is None
    assert output.seq_relationship_logits is None


LARGE = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}


@pytest.mark.parametrize(
    ("sizes", "bare", "whole"), [({}, 109_482_240, 110_106_428), (LARGE, 335_141_888, 336_226_108)]
)
def test_the_number_of_parameters_equals_that_of_transformers(
    sizes: dict[str, int], bare: int, whole: int
) -> None:
    with torch.device("meta"):
        ours, library = WholeBert(BertConfig(**sizes)), BertForPreTraining(BertConfig(**sizes))
    for model in (ours, library):
        assert sum(weight.numel() for weight in model.parameters()) == whole
        assert sum(weight.numel() for weight in model.bert.parameters()) == bare


def test_its_trace_has_the_library_s_modules_and_names() -> None:
    model = pocket()
    ours, batch = healthy(), batch_for(model)
    here, there = trace(ours, **batch), trace(model, **batch)
    paths = [
        {step.path: step.outputs[0] for step in steps if step.kind == "module"} for steps in (here, there)
    ]
    assert set(paths[0]) < set(paths[1])
    assert {path.rsplit(".", 1)[-1] for path in set(paths[1]) - set(paths[0])} == {
        *("dropout", "activation", "intermediate_act_fn", "transform_act_fn"),
    }
    shared = [path for path in paths[0] if path not in ("", "bert", "cls")]
    assert [str(paths[0][path]) for path in shared] == [
        str(paths[1][path]).replace("[1, seq_len", "[seq_len") for path in shared
    ]


# What does not fit


def row(*ids: int) -> Tensor:
    return torch.tensor([ids])


TAKE = "take them from this model's tokenizer."
WRONG: dict[str, tuple[Batch, str]] = {
    "one axis": (
        {"input_ids": torch.tensor([2, 7, 3])},
        "input_ids is (3,): (batch, seq_len) is needed. For one text: input_ids[None].",
    ),
    "too long": (
        {"input_ids": torch.full((1, 130), 7)},
        "seq_len is 130, the position table has 128 rows: cut the text.",
    ),
    "mask of another shape": (
        {"input_ids": row(2, 7, 3), "attention_mask": row(1, 1)},
        "attention_mask is (1, 2), input_ids (1, 3): take both from one tokenizer call.",
    ),
    "segments of another shape": (
        {"input_ids": row(2, 7, 3), "token_type_ids": row(0)},
        "token_type_ids is (1, 1), input_ids (1, 3): take both from one tokenizer call.",
    ),
    "no such token": (
        {"input_ids": row(2, 3750, 3)},
        f"input_ids go from 2 to 3750, their table has the rows 0 to 3749: {TAKE}",
    ),
    "no such segment": (
        {"input_ids": row(2, 7, 3), "token_type_ids": row(0, 2, 0)},
        f"token_type_ids go from 0 to 2, their table has the rows 0 to 1: {TAKE}",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_input_that_does_not_fit_is_refused_in_one_line(kind: str) -> None:
    batch, sentence = WRONG[kind]
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        healthy()(**batch)


CONFIGS = {
    "hidden_act": ("relu", "hidden_act is 'relu': this page knows 'gelu' only."),
    "is_decoder": (True, "is_decoder is True: this page knows False only."),
    "tie_word_embeddings": (False, "tie_word_embeddings is False: this page knows True only."),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_a_config_that_asks_for_other_numbers_is_refused(name: str) -> None:
    value, sentence = CONFIGS[name]
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        WholeBert(BertConfig(**{name: value}))


def test_without_heads_there_is_nothing_to_tie() -> None:
    model = make(BertModel, attn_implementation="eager", tie_word_embeddings=False).double().eval()
    assert_equal(model, batch_for(model), 6)


@pytest.mark.parametrize("name", ["bert.pooler.dense.bias", "bert.embeddings.word_embeddings.weight"])
def test_a_missing_weight_is_named(name: str, tmp_path: Path) -> None:
    stored = load_file(FOLDER / "model.safetensors")
    del stored[name]
    save_file(stored, tmp_path / "model.safetensors")
    shutil.copy(FOLDER / "config.json", tmp_path)
    with pytest.raises(ValueError, match=rf"^{name} is missing, one of 1 weights: is the file a BERT's\?$"):
        WholeBert.from_folder(tmp_path)


def test_weights_under_old_names_count_as_missing() -> None:
    config = BertConfig(**json.loads((FOLDER / "config.json").read_text(encoding="utf-8")))
    old = {
        name.replace("Norm.weight", "Norm.gamma"): tensor for name, tensor in healthy().state_dict().items()
    }
    with pytest.raises(ValueError, match=r"LayerNorm.weight is missing, one of 10 weights"):
        WholeBert.from_weights(config, old)


def test_the_page_is_short() -> None:
    lines, code = count_lines(bertviz_lite.chapters.chapter_12.whole_bert)
    assert lines <= 270
    assert code <= 170


@pytest.mark.parametrize(
    "name",
    [
        "chapters.chapter_12.whole_bert",
        "chapters.chapter_12.first_difference",
        "chapters.chapter_12.patients",
        "exercises.listing",
    ],
)
def test_the_examples_in_the_docstrings(name: str) -> None:
    with torch.enable_grad():
        assert doctest.testmod(importlib.import_module(f"bertviz_lite.{name}")).failed == 0
