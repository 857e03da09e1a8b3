"""Every axis has the right name, or a mark where more than one would fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import transformers as library
from torch import Tensor, nn

from bertviz_lite import Trace, trace
from bertviz_lite.trace import Axis
from bertviz_lite.trace.naming.config_sizes import HEAD_SIZE, HEADS, INPUT_SIZES
from bertviz_lite.trace.naming.resized_copy import ResizedModel
from bertviz_lite.trace.naming.resized_model import resized_model
from bertviz_lite.trace.naming.size_pairs import Names
from tests.helpers.tiny_families import family
from tests.helpers.tiny_models import make
from tests.trace.trace_models import CASES, COINCIDING, IDS, INPUTS, MASK, SQUARE
from tests.trace.untraced import step_of

NEVER_TOGETHER = {
    "src_len": "seq_len",
    "query_len": "seq_len",
    "tgt_len": "decoder_seq_len",
    "key_len": "decoder_seq_len",
    "memory_len": "encoder_seq_len",
}


def every_axis(seen: Trace) -> list[Axis]:
    values = [value for step in seen for value in (*step.inputs, *step.outputs, *step.weights)]
    return [axis for value in values for axis in value.axes]


@pytest.mark.parametrize("case", [name for name in CASES if "Bert" in name or "Model" in name])
def test_every_axis_of_a_bert_has_a_sure_name(case: str) -> None:
    model, args, inputs = CASES[case]()
    seen = trace(model, *args, **inputs)
    assert all(axis.sure for axis in every_axis(seen))
    assert {axis.size for axis in every_axis(seen) if axis.name is None} <= {0, 1, 2}


def test_sizes_that_coincide_get_different_names() -> None:
    """16 tokens, 16 wide, 16 inside, 16 positions; 4 heads of size 4; a batch of 2 and 2 labels."""
    model, args, inputs = CASES["BertForSequenceClassification"]()
    seen = trace(model, *args, **inputs)
    attention = "bert.encoder.layer.0.attention.self"
    assert (
        str(step_of(seen, attention, "matmul").outputs[0]) == "[batch=2, num_heads=4, seq_len=16, seq_len=16]"
    )
    assert (
        str(step_of(seen, attention, "view").outputs[0]) == "[batch=2, seq_len=16, num_heads=4, head_size=4]"
    )
    inner = step_of(seen, "bert.encoder.layer.0.intermediate", "BertIntermediate").outputs[0]
    assert str(inner) == "[batch=2, seq_len=16, intermediate_size=16]"
    assert str(seen.outputs[0]) == "[batch=2, num_labels=2]"
    assert seen.sizes["max_position_embeddings"] == 16


@pytest.mark.parametrize("batch", [1, 2, 16])
@pytest.mark.parametrize("length", [1, 2, 16])
def test_names_do_not_depend_on_the_sizes_given(batch: int, length: int) -> None:
    model = make(library.BertModel, num_hidden_layers=1, max_position_embeddings=16).eval()
    ids = torch.full((batch, length), 7)
    seen = trace(model, input_ids=ids, attention_mask=torch.ones_like(ids))
    expected = f"[batch={batch}, seq_len={length}, hidden_size=16]"
    assert str(seen.outputs[0]) == expected


INPUTS_OF_FAMILIES = {"input_ids": IDS, "attention_mask": MASK}


def _of_family(name: str, **more: object) -> Callable[[], tuple[nn.Module, dict[str, Any]]]:
    return lambda: (family(name)[0], {**INPUTS_OF_FAMILIES, **more})


LAYERED: dict[str, Callable[[], tuple[nn.Module, dict[str, Any]]]] = {
    "roberta": _of_family("roberta"),
    "distilbert": _of_family("distilbert"),
    "electra": _of_family("electra", output_hidden_states=True),
    "bert, all returned": lambda: (
        make(
            library.BertModel, num_hidden_layers=4, num_attention_heads=4, max_position_embeddings=32
        ).eval(),
        {**INPUTS, "output_attentions": True, "output_hidden_states": True},
    ),
    "coinciding": lambda: (
        make(library.BertForSequenceClassification, **(COINCIDING | {"num_hidden_layers": 4})).eval(),
        SQUARE,
    ),
    "pooled": lambda: (make(library.BertForPreTraining, num_hidden_layers=3).train(), INPUTS),
}


@pytest.mark.parametrize("case", LAYERED)
def test_a_resized_copy_with_one_layer_gives_the_same_names_as_one_with_all(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bertviz_lite.trace.naming import second_passes

    model, inputs = LAYERED[case]()
    made: list[Any] = []

    def kept(*args: Any, **options: Any) -> ResizedModel | None:  # noqa: ANN401
        made.append(resized_model(*args, **options))
        return made[-1]

    monkeypatch.setattr(second_passes, "resized_model", kept)
    quick = trace(model, **inputs)
    assert [copy.model.config.num_hidden_layers for copy in made] == [1]
    monkeypatch.setattr(second_passes, "stack_of", lambda _parts: None)
    slow = trace(model, **inputs)
    assert made[-1].model.config.num_hidden_layers > 1
    assert quick.steps == slow.steps
    assert (quick.inputs, quick.outputs, quick.sizes) == (slow.inputs, slow.outputs, slow.sizes)


def test_an_electra_with_embeddings_as_wide_as_its_layers_has_sure_names() -> None:
    model = family("electra", embedding_size=16, num_hidden_layers=1)[0]
    seen = trace(model, input_ids=IDS)
    assert all(axis.sure for axis in every_axis(seen))
    assert str(step_of(seen, "electra", "ElectraModel").outputs[0]) == "[batch=2, seq_len=7, hidden_size=16]"


def test_parts_of_a_model_are_named_as_well() -> None:
    model = make(library.BertModel).eval()
    states = torch.zeros(2, 7, 16)
    layer = trace(model.encoder.layer[0], states)
    assert str(layer.outputs[0]) == "[batch=2, seq_len=7, hidden_size=16]"
    assert str(step_of(layer, "attention.self", "softmax").outputs[0]) == (
        "[batch=2, num_heads=2, seq_len=7, seq_len=7]"
    )
    pooler = trace(model.pooler, states)  # has no config
    assert [str(output) for output in pooler.outputs] == ["[batch=2, out_features=16]"]


def test_an_axis_that_two_names_fit_is_a_number_with_a_mark() -> None:
    class Fixed(nn.Module):
        """Takes two rows and nothing else."""

        def forward(self, x: Tensor) -> Tensor:
            first, second = x
            return first + second

    seen = trace(Fixed(), torch.zeros(2, 3))
    assert str(seen.inputs[0]) == "[2?, 3]"
    assert seen.inputs[0].axes[0].could_be == ("batch",)


def test_a_size_that_no_config_names_stays_a_number() -> None:
    """Two classes, is it the next sentence or not: no config says so, though four of its sizes are 2."""
    seen = trace(make(library.BertForNextSentencePrediction).eval(), **INPUTS)
    assert str(seen.outputs[0]) == "[batch=2, 2]"


def test_no_two_sizes_of_the_second_pass_nor_their_products_are_equal() -> None:
    """One pair of sizes has one name: for as many key and value heads as a model may have."""
    for groups in (1, 2, 4, 8):
        sizes = {
            **INPUT_SIZES,
            "num_heads": HEADS * groups,
            "num_key_value_heads": HEADS,
            "head_size": HEAD_SIZE,
        }
        for other, same_as in NEVER_TOGETHER.items():
            assert sizes.pop(other) == sizes[same_as]
        if groups == 1:
            del sizes["num_key_value_heads"]
        made = resized_model(make(library.BertForPreTraining))
        assert made is not None
        known = {
            **{name: two for name, (_, two) in made.sizes.items()},
            **sizes,
            "hidden_size": 502,
            "embedding_size": 178,
        }
        assert len(set(known.values())) == len(known)
        products = [small * large for small in known.values() for large in known.values() if small <= large]
        assert len(set(products)) == len(products)
        assert not set(products) & set(known.values())


def test_a_pair_of_sizes_has_the_name_of_the_axis_or_of_the_expression_that_fits() -> None:
    names = Names({"batch": (2, 17), "seq_len": (7, 23), "hidden_size": (16, 494)}, {"num_labels": 2})
    assert str(names.axis(7, 23)) == "seq_len=7"
    assert str(names.axis(14, 17 * 23)) == "batch*seq_len=14"
    assert str(names.axis(48, 3 * 494)) == "3*hidden_size=48"
    assert str(names.axis(6, 22)) == "seq_len-1=6"
    assert str(names.axis(8, 247)) == "hidden_size/2=8"
    assert str(names.axis(2, 2)) == "2?"
    assert str(names.axis(3, 3)) == "3"
    assert str(names.axis(5, 19)) == "5"
    assert names.axis(7, None).could_be == ("seq_len",)
