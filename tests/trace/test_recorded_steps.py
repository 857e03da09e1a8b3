"""What a trace records: operations as written, source lines, parents, ids, numbers."""

from __future__ import annotations

import pytest
import torch
import transformers as library
from torch import Tensor, nn

from bertviz_lite import TraceError, trace
from bertviz_lite.trace.model.parts import ModelParts
from bertviz_lite.trace.recording.numbers import numbers_of
from tests.helpers.tiny_families import family
from tests.helpers.tiny_models import make
from tests.trace.trace_models import CASES, IDS, INPUTS
from tests.trace.untraced import run, step_of


def test_the_operations_inside_attention_are_recorded_whatever_implementation_the_model_has() -> None:
    model = family("bert")[0]
    assert model.config._attn_implementation == "sdpa"
    keys = [step.name for step in trace(model, input_ids=IDS) if step.path.endswith("layer.0.attention.self")]
    for wanted in ("view", "transpose", "matmul", "softmax"):
        assert any(name.startswith(wanted) for name in keys)
    own = [step.name for step in trace(model, attention=None, input_ids=IDS)]
    assert any(name.startswith("scaled_dot_product_attention") for name in own)


class Written(nn.Module):
    """One operation a line."""

    def forward(self, x: Tensor) -> Tensor:
        y = x + x
        y = y.add(1)
        y = 2 - y
        y = y[:, 0]
        y = y[..., None, 1:]
        y = y.mT
        y = -y
        y += 1
        y[0] = 3
        y = y > 0
        y = torch.where(y, 1.0, 2.0)
        y = y.view(2, -1).softmax(dim=-1)
        return y @ y.T


def test_operations_are_called_as_they_are_written() -> None:
    seen = trace(Written(), torch.zeros(2, 3, 4))
    names = [step.name for step in seen if step.kind == "operation"]
    assert names == [
        *("+", "add(1)", "2 -", "[:, 0]", "[..., None, 1:]", ".mT", "-", "+= 1", "[0] =", "> 0"),
        *("where(1, 2)", "view(2, -1)", "softmax(dim=-1)", ".T", "@"),
    ]
    lines = [step.source.text for step in seen if step.source is not None]
    assert lines[0] == "y = x + x"
    assert lines[-1] == "return y @ y.T"
    assert all(step.source.file == "test_recorded_steps.py" for step in seen if step.source is not None)


def test_a_source_is_the_file_from_the_package_on_and_the_line_of_the_call() -> None:
    seen = trace(make(library.BertModel).eval(), **INPUTS)
    product = step_of(seen, "encoder.layer.0.attention.self", "matmul")
    assert product.source is not None
    assert product.source.file == "transformers/models/bert/modeling_bert.py"
    assert "matmul" in product.source.text
    query = step_of(seen, "encoder.layer.1.attention.self.query", "Linear")
    assert query.source is not None
    assert "self.query(" in query.source.text


def test_parents_depths_and_last_steps_are_those_of_nested_modules() -> None:
    seen = trace(make(library.BertForPreTraining).eval(), **INPUTS)
    assert seen.steps[0].last == len(seen) - 1
    for index, step in enumerate(seen):
        assert step.index == index
        assert index <= step.last < len(seen)
        if step.parent is None:
            assert index == 0
        else:
            above = seen.steps[step.parent]
            assert above.kind == "module"
            assert above.depth == step.depth - 1
            assert above.index < index <= step.last <= above.last


def test_the_same_tensor_has_the_same_id() -> None:
    seen = trace(make(library.BertModel).eval(), **INPUTS)
    ids = {value.label: value.id for value in seen.inputs}
    assert seen.steps[0].inputs[0].id == ids["input_ids"]
    for step in seen:
        if step.kind == "module" and step.outputs:
            inside = [
                value.id for other in seen.steps[step.index + 1 : step.last + 1] for value in other.outputs
            ]
            assert all(value.id in inside for value in step.outputs)


def test_parameters_are_counted_once() -> None:
    model = make(library.BertForPreTraining)
    seen = trace(model, **INPUTS)
    assert seen.parameters == sum(weight.numel() for weight in model.parameters())
    assert seen.steps[0].parameters == seen.parameters
    decoder = step_of(seen, "cls.predictions.decoder", "Linear")
    assert decoder.weights[0].label == "bert.embeddings.word_embeddings.weight"  # tied


def test_numbers_are_those_of_the_tensors() -> None:
    model = make(library.BertModel).eval()
    seen = trace(model, values=True, **INPUTS)
    outputs = run(model, (), INPUTS)
    assert seen.steps[0].numbers is not None
    for numbers, tensor in zip(seen.steps[0].numbers, outputs, strict=True):
        assert numbers is not None
        recorded = (numbers.min, numbers.mean, numbers.max, numbers.std)
        right = (tensor.min(), tensor.mean(), tensor.max(), tensor.std(correction=0))
        assert recorded == pytest.approx([float(number) for number in right], rel=1e-4, abs=1e-6)
    softmax = step_of(seen, "encoder.layer.0.attention.self", "softmax")
    assert softmax.numbers is not None
    assert softmax.numbers[0] is not None
    assert softmax.numbers[0].mean == pytest.approx(1 / 7, abs=1e-6)
    assert all(step.numbers is None for step in trace(model, **INPUTS))


@pytest.mark.parametrize(
    ("tensor", "expected"),
    [
        (torch.tensor([[True, False]]), (0, 0.5, 1, 0.5)),
        (torch.tensor(3), (3, 3, 3, 0)),
        (torch.full((5,), 1e6), (1e6, 1e6, 1e6, 0)),
        (torch.tensor([0, torch.finfo(torch.float32).min]), (-3.40282e38, -1.70141e38, 0, 1.70141e38)),
        (torch.tensor([1e4, 1e4 + 1]), (1e4, 1e4 + 0.5, 1e4 + 1, 0.5)),
    ],
)
def test_numbers_of_masks_ids_and_values_far_from_zero(tensor: Tensor, expected: tuple[float, ...]) -> None:
    numbers = numbers_of(tensor)
    assert numbers is not None
    assert (numbers.min, numbers.mean, numbers.max, numbers.std) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("count", [1, 2, 1_000, 98_311])
def test_numbers_of_small_and_large_tensors(count: int) -> None:
    tensor = torch.linspace(-1, 3, count)
    tensor[0], tensor[-1] = -7, 9
    numbers = numbers_of(tensor)
    assert numbers is not None
    exact = tensor.double()
    right = (exact.min(), exact.mean(), exact.max(), exact.std(correction=0))
    assert (numbers.min, numbers.mean, numbers.max, numbers.std) == pytest.approx(
        [float(number) for number in right], rel=1e-5
    )
    tensor[count // 2] = float("nan")
    numbers = numbers_of(tensor)
    assert numbers is not None
    assert all(number != number for number in (numbers.min, numbers.mean, numbers.max, numbers.std))


def test_an_empty_tensor_has_no_numbers_and_nan_stays_nan() -> None:
    assert numbers_of(torch.zeros(2, 0)) is None
    numbers = numbers_of(torch.tensor([1.0, float("nan")]))
    assert numbers is not None
    assert numbers.mean != numbers.mean  # NaN


def test_code_that_looks_at_numbers_is_followed() -> None:
    class Looks(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(4, 4)

        def forward(self, x: Tensor) -> Tensor:
            y = self.layer(x)
            if y.sum() > 1e6:
                return y
            return y[y > 0]

    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = Looks()
    x = torch.linspace(-1, 1, 12).reshape(3, 4)
    seen = trace(model, x)
    assert seen.failure is None
    assert seen.outputs[0].shape == model(x).shape
    assert seen.steps[-1].name == "[mask]"


def test_positional_and_nested_inputs_have_labels() -> None:
    model, args, inputs = CASES["Gathering"]()
    labels = [value.label for value in trace(model, *args, **inputs).inputs]
    assert labels == ["pair[0]", "pair[1][0]", "by_name.more"]
    assert [value.label for value in trace(nn.ReLU(), torch.zeros(2, 3)).inputs] == ["input"]


def test_path_follows_a_tensor() -> None:
    seen = trace(make(library.BertForPreTraining).eval(), **INPUTS)
    route = seen.path("attention_mask")
    assert route[0].index == 0
    names = [step.name for step in route]
    assert "softmax(dim=-1)" in names
    assert "embedding(padding_idx=0)" not in names
    assert [step.index for step in route] == sorted(step.index for step in route)
    pooled = [step.path for step in seen.path("bert.pooler")]
    assert "cls.seq_relationship" in pooled
    assert "cls.predictions" not in pooled
    assert {step.path for step in seen.path("cls.predictions.bias")} >= {"cls.predictions.decoder"}
    with pytest.raises(
        TraceError, match=r"'logits': no input, parameter or module .* input_ids, attention_mask"
    ):
        seen.path("logits")


def test_shared_modules_have_all_their_paths() -> None:
    model, _, _ = CASES["Shared"]()
    assert ModelParts(model).paths[id(model.up)] == ["up", "down"]
    assert len(ModelParts(model).parameters) == 2
