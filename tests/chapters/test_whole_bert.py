"""The whole BERT on one page, against `transformers`: every hidden state, attention, pooled vector, logit."""

import doctest
import importlib
import json
import math
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

import bertviz_lite.chapters.chapter_11.first_difference
import bertviz_lite.chapters.chapter_11.patients
import bertviz_lite.chapters.chapter_11.whole_bert
import bertviz_lite.exercises.listing
from bertviz_lite import ModelError, load, trace
from bertviz_lite.chapters.chapter_11.first_difference import compare, run_library
from bertviz_lite.chapters.chapter_11.patients import NUMBERS, healthy, patient
from bertviz_lite.chapters.chapter_11.whole_bert import Output, Pooler, WholeBert
from bertviz_lite.exercises.listing import SourceError, count_lines, source
from bertviz_lite.models import POCKET
from tests.helpers.tiny_models import make

Batch = dict[str, Tensor]


@pytest.fixture(autouse=True)
def _no_gradients() -> Any:  # noqa: ANN401
    with torch.no_grad():
        yield


def batch_for(model: PreTrainedModel, **left_out: bool) -> Batch:
    """Make three rows of another length each: padded, with segments that change in the middle."""
    generator, lengths = torch.Generator().manual_seed(0), (9, 5, 7)
    ids = torch.randint(5, model.config.vocab_size, (3, 9), generator=generator)
    places = torch.arange(9)[None]
    seen = (places < torch.tensor(lengths)[:, None]).long()
    segments = (places >= torch.tensor([4, 5, 2])[:, None]).long() * seen
    batch = {"input_ids": ids * seen, "attention_mask": seen, "token_type_ids": segments}
    return {name: given for name, given in batch.items() if not left_out.get(name)}


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


def pocket() -> PreTrainedModel:
    return load("pocket")[1].double()


def minilm() -> PreTrainedModel:
    try:
        return load("minilm")[1].double()
    except ModelError as error:
        pytest.skip(str(error))


def tiny(kind: type[PreTrainedModel] = BertForPreTraining) -> PreTrainedModel:
    return make(kind, attn_implementation="eager").double().eval()


def assert_equal(model: PreTrainedModel, batch: Batch, tensors: int, tolerance: float = 1e-12) -> None:
    ours = WholeBert.from_weights(model.config, model.state_dict())
    found = compare(ours(**batch), run_library(model, batch), tolerance=tolerance)
    assert found.first is None, str(found)
    assert len(found.rows) == tensors


@pytest.mark.parametrize(("make_model", "tensors"), [(pocket, 12), (minilm, 14), (tiny, 8)])
def test_equal_to_the_library(make_model: Callable[[], PreTrainedModel], tensors: int) -> None:
    model = make_model()
    assert_equal(model, batch_for(model), tensors)


def test_equal_to_a_random_bert_base(base: PreTrainedModel) -> None:
    assert_equal(base, batch_for(base), 28)


@pytest.mark.parametrize("left_out", [{"attention_mask": True}, {"token_type_ids": True}])
def test_what_is_left_out_is_filled_in_as_the_library_does(left_out: dict[str, bool]) -> None:
    model = tiny()
    assert_equal(model, batch_for(model, **left_out), 8)


@pytest.mark.parametrize(("implementation", "tensors"), [("eager", 12), ("sdpa", 8)])
def test_equal_to_both_implementations_of_attention(implementation: str, tensors: int) -> None:
    model = pocket()
    model.set_attn_implementation(implementation)
    assert_equal(model, batch_for(model), tensors)  # SDPA gives no weights: four tensors less


def test_a_batch_with_a_length_that_equals_another_size() -> None:
    model = tiny()  # 2 heads, 2 layers, 2 texts of 2 tokens
    ids = torch.tensor([[7, 8], [9, 0]])
    assert_equal(model, {"input_ids": ids, "attention_mask": ids.ne(0).long(), "token_type_ids": ids * 0}, 8)


def test_padding_changes_nothing() -> None:
    ours, batch = healthy(), batch_for(pocket())
    alone = {name: given[1:2, :5] for name, given in batch.items()}
    padded, bare = ours(**batch), ours(**alone)
    assert torch.allclose(padded.hidden_states[-1][1, :5], bare.hidden_states[-1][0], rtol=0, atol=1e-12)
    assert padded.attentions[-1][1, :, :, 5:].abs().max() == 0


def test_from_a_folder_by_the_names_in_the_file() -> None:
    ours = WholeBert.from_folder(POCKET)
    stored = load_file(POCKET / "model.safetensors")
    state = ours.state_dict()
    assert set(state) - set(stored) == {"cls.predictions.decoder.weight"}
    assert all(torch.equal(stored[name], state[name]) for name in stored)
    assert ours.cls.predictions.decoder.weight is ours.bert.embeddings.word_embeddings.weight
    assert sum(one.numel() for one in ours.parameters()) == load("pocket")[1].num_parameters()


def test_the_decoder_stays_tied_when_moved() -> None:
    ours = healthy()
    assert ours.cls.predictions.decoder.weight is ours.bert.embeddings.word_embeddings.weight


def test_a_model_without_heads() -> None:
    model = tiny(BertModel)
    ours = WholeBert.from_weights(model.config, model.state_dict())
    output = ours(**batch_for(model))
    assert output.prediction_logits is None
    assert output.seq_relationship_logits is None


LARGE = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}


@pytest.mark.parametrize(
    ("sizes", "bare", "whole"), [({}, 109_482_240, 110_106_428), (LARGE, 335_141_888, 336_226_108)]
)
def test_parameters(sizes: dict[str, int], bare: int, whole: int) -> None:
    with torch.device("meta"):
        ours = WholeBert(BertConfig(**sizes))
    assert sum(one.numel() for one in ours.parameters()) == whole
    assert sum(one.numel() for one in ours.bert.parameters()) == bare


def test_its_trace_has_the_library_s_modules_and_names() -> None:
    model = pocket()
    ours, batch = healthy(), batch_for(model)
    here, there = trace(ours, **batch), trace(model, **batch)
    paths = [{step.path: step.outputs[0] for step in one if step.kind == "module"} for one in (here, there)]
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
        {"input_ids": row(2, 2000, 3)},
        f"input_ids go from 2 to 2000, their table has the rows 0 to 1999: {TAKE}",
    ),
    "no such segment": (
        {"input_ids": row(2, 7, 3), "token_type_ids": row(0, 2, 0)},
        f"token_type_ids go from 0 to 2, their table has the rows 0 to 1: {TAKE}",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_input_that_does_not_fit(kind: str) -> None:
    batch, sentence = WRONG[kind]
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        healthy()(**batch)


def test_another_activation() -> None:
    with pytest.raises(ValueError, match=r"^hidden_act is 'relu': this page knows 'gelu' only\.$"):
        WholeBert(BertConfig(hidden_act="relu"))


@pytest.mark.parametrize("name", ["bert.pooler.dense.bias", "bert.embeddings.word_embeddings.weight"])
def test_a_weight_that_is_missing(name: str, tmp_path: Path) -> None:
    stored = load_file(POCKET / "model.safetensors")
    del stored[name]
    save_file(stored, tmp_path / "model.safetensors")
    shutil.copy(POCKET / "config.json", tmp_path)
    with pytest.raises(ValueError, match=rf"^{name} is missing, one of 1 weights: is the file a BERT's\?$"):
        WholeBert.from_folder(tmp_path)


def test_old_names_are_told_to_be_missing() -> None:
    config = BertConfig(**json.loads((POCKET / "config.json").read_text(encoding="utf-8")))
    old = {name.replace("Norm.weight", "Norm.gamma"): one for name, one in healthy().state_dict().items()}
    with pytest.raises(ValueError, match=r"LayerNorm.weight is missing, one of 10 weights"):
        WholeBert.from_weights(config, old)


# Two runs side by side


def outputs() -> Output:
    return healthy()(torch.tensor([[2, 7, 9, 3]]))


def test_the_first_difference_is_the_first_in_the_order_of_computing() -> None:
    one = outputs()
    other = one._replace(
        attentions=(*one.attentions[:2], one.attentions[2] + 1e-3, one.attentions[3]),
        hidden_states=(*one.hidden_states[:3], one.hidden_states[3] + 0.25, one.hidden_states[4]),
    )
    found = compare(one, other)
    assert found.first == "attentions[2]"
    assert found.largest == pytest.approx(0.25)
    lines = str(found).splitlines()
    assert lines[5] == "attentions[2]            (1, 4, 4, 4)         differs, most by 0.001  <- first"
    assert lines[6] == "hidden_states[3]         (1, 4, 128)          differs, most by 0.25"
    assert [line.endswith("equal") for line in lines] == [True] * 5 + [False] * 2 + [True] * 5
    assert repr(found) == "Comparison(12 tensors: attentions[2] is the first to differ)"
    assert compare(one, other, tolerance=1).first is None


def test_nan_and_another_shape_are_differences() -> None:
    one = outputs()
    nan, shape = (
        one._replace(pooler_output=one.pooler_output * torch.nan),
        one._replace(pooler_output=one.pooler_output[0]),
    )
    for other in (nan, shape):
        found = compare(one, other)
        assert found.first == "pooler_output"
        assert math.isnan(found.largest)
    assert "shape (1, 128), the other's (128,)" in str(compare(one, shape))


def test_nothing_to_compare() -> None:
    with pytest.raises(ValueError, match=r"^Output and int have no tensor in common"):
        compare(outputs(), 3)


# The patients


@pytest.mark.parametrize("number", NUMBERS)
def test_a_patient_is_sick_where_it_should_be(number: int) -> None:
    batch = batch_for(pocket())
    first = compare(patient(number)(**batch), healthy()(**batch)).first
    assert (
        first
        == {
            1: "pooler_output",
            2: "hidden_states[0]",
            3: "hidden_states[3]",
            4: "prediction_logits",
            5: "attentions[1]",
            6: "seq_relationship_logits",
        }[number]
    )


def test_two_patients_need_the_right_batch() -> None:
    alone = {"input_ids": torch.tensor([[2, 7, 9, 3]])}
    well = [n for n in NUMBERS if compare(patient(n)(**alone), healthy()(**alone)).first is None]
    assert well == [2, 5]


def test_patients_do_not_share_weights_and_are_the_same_each_time() -> None:
    one, other = patient(4), patient(4)
    alone = torch.tensor([[2, 7, 9, 3]])
    assert compare(one(alone), other(alone)).first is None
    one.bert.embeddings.word_embeddings.weight.data += 1
    assert compare(other(alone), patient(4)(alone)).first is None
    assert compare(healthy()(alone), outputs()).first is None


def test_a_patient_s_trace_has_the_names_of_axes() -> None:
    seen = trace(patient(1), input_ids=torch.tensor([[2, 7, 9, 3]]))
    assert str(seen.outputs[-2]) == "[batch=1, seq_len=4, vocab_size=2000]"


@pytest.mark.parametrize("number", NUMBERS)
def test_no_part_of_a_patient_s_trace_says_where_it_is_written(number: int) -> None:
    batch = batch_for(pocket())
    seen, whole = (trace(one, **batch) for one in (patient(number), healthy()))
    files = {step.source.file for step in seen.steps if step.source and "." in step.path}
    assert {file for file in files if not file.startswith("torch")} == {"patient"}
    assert "patients.py" not in seen.table() + str(seen) + seen._repr_html_()
    assert {(step.path, step.name) for step in seen.steps if step.kind == "module" and step.path} == {
        (step.path, step.name) for step in whole.steps if step.kind == "module" and step.path
    }


@pytest.mark.parametrize("number", NUMBERS)
def test_the_diff_with_a_patient_shows_the_mistake_and_no_noise(number: int) -> None:
    """It is the `steps` of chapter 11; every axis keeps its name, so only the mistake differs."""
    batch = batch_for(pocket())
    lines = str(trace(healthy(), **batch).diff(trace(patient(number), **batch))).splitlines()
    assert 5 <= len(lines) <= 12
    assert not any("?" in line for line in lines)


def test_there_is_no_seventh_patient() -> None:
    with pytest.raises(ValueError, match=r"^patient 7: there are patients 1 to 6\.$"):
        patient(7)


# Source as it stands


def test_a_listing_shows_the_lines_of_its_file_numbered_from_1() -> None:
    file = Path(bertviz_lite.chapters.chapter_11.whole_bert.__file__).read_text(encoding="utf-8")
    shown = source(Pooler, "chapter 06")
    head, *lines = repr(shown).splitlines()
    assert head == "whole_bert.py, Pooler · chapter 06"
    assert [int(line[:3]) for line in lines] == list(range(1, len(lines) + 1))
    assert "\n".join(line[5:] for line in lines) in file
    html = shown._repr_html_()
    assert "<script" not in html
    assert ">class</span> Pooler(nn.Module):" in html
    assert source(Pooler.forward).code.startswith("def forward(self")
    assert source(Pooler.forward).caption == "whole_bert.py, Pooler.forward"


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (3, "source shows a class, a function or a method, not 3."),
        ("Pooler", "source shows a class, a function or a method, not 'Pooler'."),
        (len, "len has no source in a Python file."),
        (type("Made", (), {}), "Made has no source in a Python file."),
    ],
)
def test_what_has_no_source_gets_one_line(target: object, message: str) -> None:
    with pytest.raises(SourceError) as error:
        source(target)
    assert str(error.value) == message
    assert error.value._render_traceback_() == [f"SourceError: {message}"]


def test_the_page_is_short() -> None:
    lines, code = count_lines(bertviz_lite.chapters.chapter_11.whole_bert)
    assert lines <= 270
    assert code <= 170


@pytest.mark.parametrize(
    "name",
    [
        "chapters.chapter_11.whole_bert",
        "chapters.chapter_11.first_difference",
        "chapters.chapter_11.patients",
        "exercises.listing",
    ],
)
def test_the_examples_in_the_docstrings(name: str) -> None:
    with torch.enable_grad():
        assert doctest.testmod(importlib.import_module(f"bertviz_lite.{name}")).failed == 0
