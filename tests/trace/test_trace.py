"""trace: every shape right, every name right, the model as it was, and a failure in one sentence."""

from __future__ import annotations

import copy
import doctest
import importlib
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers as library
from packaging.version import Version
from torch import Tensor, nn

from bertviz_lite import Trace, TraceError, trace
from bertviz_lite.trace import Axis, Step, Value
from bertviz_lite.trace.model.parts import ModelParts
from bertviz_lite.trace.naming.config_sizes import HEAD_SIZE, HEADS, INPUT_SIZES
from bertviz_lite.trace.naming.resized_copy import ResizedModel
from bertviz_lite.trace.naming.resized_model import resized_model
from bertviz_lite.trace.naming.size_pairs import Names
from bertviz_lite.trace.recording.numbers import numbers_of
from tests.helpers.tiny_families import family
from tests.helpers.tiny_models import make
from tests.trace.trace_models import CASES, COINCIDING, IDS, INPUTS, MASK, SQUARE, golden

GOLDEN = Path(__file__).parent / "golden"
NEVER_TOGETHER = {
    "src_len": "seq_len",
    "query_len": "seq_len",
    "tgt_len": "decoder_seq_len",
    "key_len": "decoder_seq_len",
    "memory_len": "encoder_seq_len",
}
FAMILIES = ("bert", "roberta", "distilbert", "albert", "electra", "modernbert", "gpt2", "llama", "t5", "bart")
# The golden tables hold the steps of these releases; others build their masks in other steps.
SAME_STEPS = Version(library.__version__).release[:2] == (5, 23) and Version(torch.__version__).release[
    :2
] == (2, 13)


def families(name: str) -> tuple[nn.Module, dict[str, Tensor]]:
    inputs = {"input_ids": IDS, "attention_mask": MASK}
    if name in ("t5", "bart"):
        inputs["decoder_input_ids"] = IDS[:, :5]
    return family(name)[0], inputs


def outputs_of(result: Any) -> list[Tensor]:  # noqa: ANN401
    """Return every tensor of what a model returns, in order."""
    if isinstance(result, Tensor):
        return [result]
    if isinstance(result, dict):
        result = list(result.values())
    return [one for part in result for one in outputs_of(part)] if isinstance(result, list | tuple) else []


def run(model: nn.Module, args: tuple[Any, ...], inputs: dict[str, Any]) -> list[Tensor]:
    """Call a model untraced, on eager attention and operation by operation, which is what a trace shows."""
    configs = [vars(module)["config"] for module in model.modules() if "config" in vars(module)]
    before = [config._attn_implementation_internal for config in configs]
    for config in configs:
        config._attn_implementation_internal = "eager"
    fused = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with torch.no_grad(), torch.random.fork_rng():
            return outputs_of(model(*args, **inputs))
    finally:
        torch.backends.mha.set_fastpath_enabled(fused)
        for config, name in zip(configs, before, strict=True):
            config._attn_implementation_internal = name


def shown(steps: Trace) -> list[tuple[str, str, list[tuple[int, ...]], list[str]]]:
    return [
        (step.path, step.name, [one.shape for one in step.outputs], [one.dtype for one in step.outputs])
        for step in steps
    ]


# Golden tables


@pytest.mark.skipif(not SAME_STEPS, reason="other releases take other steps")
@pytest.mark.parametrize("case", CASES)
def test_golden(case: str) -> None:
    """Each was read line by line; `python -m tests.trace.trace_models` writes them anew, to be read again."""
    model, args, inputs = CASES[case]()
    assert golden(trace(model, *args, **inputs)) == (GOLDEN / f"{case}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
def test_shapes_without_arithmetic_are_those_with_it(case: str) -> None:
    model, args, inputs = CASES[case]()
    quick, real = trace(model, *args, **inputs), trace(model, *args, values=True, **inputs)
    assert shown(quick) == shown(real)
    assert [[one.axes for one in step.outputs] for step in quick] == [
        [one.axes for one in step.outputs] for step in real
    ]
    assert [[one.id for one in step.inputs] for step in quick] == [
        [one.id for one in step.inputs] for step in real
    ]


@pytest.mark.parametrize("name", FAMILIES)
def test_families_without_arithmetic(name: str) -> None:
    model, inputs = families(name)
    assert shown(trace(model, **inputs)) == shown(trace(model, values=True, **inputs))


def test_no_arithmetic_is_done_where_it_need_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other tests would pass as well if every trace fell back to the real pass."""
    from bertviz_lite.trace import run as module

    def refused(*_args: object, **_options: object) -> None:
        raise AssertionError("the pass was done with arithmetic")

    monkeypatch.setattr(module, "arithmetic", refused)
    for case in CASES:
        model, args, inputs = CASES[case]()
        assert trace(model, *args, **inputs).failure is None
    for name in FAMILIES:
        model, inputs = families(name)
        assert trace(model, **inputs).failure is None


# The model is left as it was


def state(model: nn.Module) -> list[object]:
    """Return everything about a model that a trace could change, tensors as copies."""
    return [
        [copy.deepcopy(dict(model.state_dict())), random.getstate(), torch.get_rng_state()],
        [(name, module.training, len(module._forward_hooks)) for name, module in model.named_modules()],
        [sorted(vars(module)) for module in model.modules()],
        [
            vars(module)["config"]._attn_implementation_internal
            for module in model.modules()
            if "config" in vars(module)
        ],
        [parameter.grad for parameter in model.parameters()],
        [parameter.requires_grad for parameter in model.parameters()],
        nn.Module.__call__,
        len(torch.overrides._get_current_function_mode_stack()),
        torch.is_grad_enabled(),
    ]


def same(one: Any, other: Any) -> bool:  # noqa: ANN401
    if isinstance(one, Tensor):
        return isinstance(other, Tensor) and torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(same(*pair) for pair in zip(one, other, strict=True))
    return bool(one == other)


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_the_model_is_left_as_it_was(case: str, training: bool) -> None:
    model, args, inputs = CASES[case]()
    model.train(training)
    kept = copy.deepcopy((args, inputs))
    before, outputs = state(model), run(copy.deepcopy(model), args, inputs)
    trace(model, *args, **inputs)
    assert same(before, state(model))
    seen = trace(model, *args, values=True, **inputs)
    assert same(before, state(model))
    assert same(kept, (args, inputs))
    assert same(outputs_of(seen.result), outputs)  # the same dice were thrown
    assert not any(one.requires_grad for one in outputs_of(seen.result))
    assert same(run(copy.deepcopy(model), args, inputs), outputs)


@pytest.mark.parametrize("values", [False, True])
def test_the_model_is_left_as_it_was_after_a_failure(values: bool) -> None:
    model = make(library.BertForPreTraining).train()
    before = state(model)
    assert trace(model, input_ids=IDS + 45, values=values).failure is not None
    assert same(before, state(model))


def test_what_a_module_writes_into_itself_is_taken_back() -> None:
    class Remembers(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(3, 3)
            self.register_buffer("count", torch.zeros(()))
            self.seen: list[Tensor] = []

        def forward(self, x: Tensor) -> Tensor:
            self.count += 1
            self.last = self.layer(x)
            self.seen.append(self.last)
            self.layer.calls = len(self.seen)
            return self.last

    model = Remembers()
    assert trace(model, torch.ones(2, 3)).failure is None
    assert model.count == 0
    assert model.seen == []
    assert not hasattr(model, "last")
    assert not hasattr(model.layer, "calls")


def test_inputs_are_not_written_into() -> None:
    class Writes(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x.add_(1)

    given = torch.zeros(2, 3)
    trace(Writes(), given)
    assert not given.any()


def test_an_error_that_is_no_failure_of_the_model_goes_through() -> None:
    class Interrupted(nn.Module):
        def forward(self) -> None:
            raise KeyboardInterrupt

    model = Interrupted()
    before = state(model)
    with pytest.raises(KeyboardInterrupt):
        trace(model)
    assert same(before, state(model))


# Names


def every_axis(seen: Trace) -> list[Axis]:
    values = [one for step in seen for one in (*step.inputs, *step.outputs, *step.weights)]
    return [axis for value in values for axis in value.axes]


@pytest.mark.parametrize("case", [name for name in CASES if "Bert" in name or "Model" in name])
def test_no_axis_of_a_bert_is_in_doubt(case: str) -> None:
    model, args, inputs = CASES[case]()
    seen = trace(model, *args, **inputs)
    assert all(axis.sure for axis in every_axis(seen))
    assert {axis.size for axis in every_axis(seen) if axis.name is None} <= {0, 1, 2}


def step_of(seen: Trace, path: str, name: str) -> Step:
    return next(step for step in seen if step.path == path and step.name.startswith(name))


def test_coinciding_sizes_are_told_apart_in_every_release() -> None:
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
def test_one_layer_stands_for_all_and_no_name_changes(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from bertviz_lite.trace.naming import second_passes

    model, inputs = LAYERED[case]()
    made: list[Any] = []

    def kept(*args: Any, **options: Any) -> ResizedModel | None:  # noqa: ANN401
        made.append(resized_model(*args, **options))
        return made[-1]

    monkeypatch.setattr(second_passes, "resized_model", kept)
    quick = trace(model, **inputs)
    assert [one.model.config.num_hidden_layers for one in made] == [1]
    monkeypatch.setattr(second_passes, "stack_of", lambda _parts: None)
    slow = trace(model, **inputs)
    assert made[-1].model.config.num_hidden_layers > 1
    assert quick.steps == slow.steps
    assert (quick.inputs, quick.outputs, quick.sizes) == (slow.inputs, slow.outputs, slow.sizes)


def test_an_electra_whose_embeddings_are_as_wide_as_its_layers() -> None:
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
    assert [str(one) for one in pooler.outputs] == ["[batch=2, out_features=16]"]


def test_what_cannot_be_told_is_a_number_with_a_mark() -> None:
    class Fixed(nn.Module):
        """Takes two rows and nothing else."""

        def forward(self, x: Tensor) -> Tensor:
            first, second = x
            return first + second

    seen = trace(Fixed(), torch.zeros(2, 3))
    assert str(seen.inputs[0]) == "[2?, 3]"
    assert seen.inputs[0].axes[0].could_be == ("batch",)


def test_a_number_that_a_model_takes_for_granted_is_no_name() -> None:
    """Two classes, is it the next sentence or not: no config says so, though four of its sizes are 2."""
    seen = trace(make(library.BertForNextSentencePrediction).eval(), **INPUTS)
    assert str(seen.outputs[0]) == "[batch=2, 2]"


def test_the_sizes_of_the_second_pass_never_meet() -> None:
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
        products = [one * two for one in known.values() for two in known.values() if one <= two]
        assert len(set(products)) == len(products)
        assert not set(products) & set(known.values())


def test_names_of_pairs() -> None:
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


# What is recorded


def test_attention_is_seen_inside_whatever_the_model_runs_on() -> None:
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
    assert all(step.source.file == "test_trace.py" for step in seen if step.source is not None)


def test_sources_are_short_and_right() -> None:
    seen = trace(make(library.BertModel).eval(), **INPUTS)
    product = step_of(seen, "encoder.layer.0.attention.self", "matmul")
    assert product.source is not None
    assert product.source.file == "transformers/models/bert/modeling_bert.py"
    assert "matmul" in product.source.text
    query = step_of(seen, "encoder.layer.1.attention.self.query", "Linear")
    assert query.source is not None
    assert "self.query(" in query.source.text


def test_steps_know_what_they_are_in() -> None:
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
    ids = {one.label: one.id for one in seen.inputs}
    assert seen.steps[0].inputs[0].id == ids["input_ids"]
    for step in seen:
        if step.kind == "module" and step.outputs:
            inside = [one.id for other in seen.steps[step.index + 1 : step.last + 1] for one in other.outputs]
            assert all(one.id in inside for one in step.outputs)


def test_parameters_are_counted_once() -> None:
    model = make(library.BertForPreTraining)
    seen = trace(model, **INPUTS)
    assert seen.parameters == sum(one.numel() for one in model.parameters())
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
        told = (numbers.min, numbers.mean, numbers.max, numbers.std)
        right = (tensor.min(), tensor.mean(), tensor.max(), tensor.std(correction=0))
        assert told == pytest.approx([float(one) for one in right], rel=1e-4, abs=1e-6)
    softmax = step_of(seen, "encoder.layer.0.attention.self", "softmax")
    assert softmax.numbers is not None
    assert softmax.numbers[0] is not None
    assert softmax.numbers[0].mean == pytest.approx(1 / 7, abs=1e-6)
    assert all(step.numbers is None for step in trace(model, **INPUTS))


@pytest.mark.parametrize(
    ("tensor", "told"),
    [
        (torch.tensor([[True, False]]), (0, 0.5, 1, 0.5)),
        (torch.tensor(3), (3, 3, 3, 0)),
        (torch.full((5,), 1e6), (1e6, 1e6, 1e6, 0)),
        (torch.tensor([0, torch.finfo(torch.float32).min]), (-3.40282e38, -1.70141e38, 0, 1.70141e38)),
        (torch.tensor([1e4, 1e4 + 1]), (1e4, 1e4 + 0.5, 1e4 + 1, 0.5)),
    ],
)
def test_numbers_of_masks_ids_and_what_is_far_from_zero(tensor: Tensor, told: tuple[float, ...]) -> None:
    found = numbers_of(tensor)
    assert found is not None
    assert (found.min, found.mean, found.max, found.std) == pytest.approx(told, rel=1e-5)


@pytest.mark.parametrize("count", [1, 2, 1_000, 98_311])
def test_numbers_of_small_and_large_tensors(count: int) -> None:
    tensor = torch.linspace(-1, 3, count)
    tensor[0], tensor[-1] = -7, 9
    found = numbers_of(tensor)
    assert found is not None
    exact = tensor.double()
    right = (exact.min(), exact.mean(), exact.max(), exact.std(correction=0))
    assert (found.min, found.mean, found.max, found.std) == pytest.approx(
        [float(one) for one in right], rel=1e-5
    )
    tensor[count // 2] = float("nan")
    found = numbers_of(tensor)
    assert found is not None
    assert all(one != one for one in (found.min, found.mean, found.max, found.std))


def test_numbers_of_what_is_no_number() -> None:
    assert numbers_of(torch.zeros(2, 0)) is None
    found = numbers_of(torch.tensor([1.0, float("nan")]))
    assert found is not None
    assert found.mean != found.mean  # NaN


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


def test_a_cache_that_is_given_is_not_filled() -> None:
    model = family("gpt2")[0]
    cache = library.DynamicCache()
    trace(model, input_ids=IDS, past_key_values=cache, use_cache=True)
    assert cache.get_seq_length() == 0


def test_positional_and_nested_inputs_have_labels() -> None:
    model, args, inputs = CASES["Gathering"]()
    labels = [one.label for one in trace(model, *args, **inputs).inputs]
    assert labels == ["pair[0]", "pair[1][0]", "by_name.more"]
    assert [one.label for one in trace(nn.ReLU(), torch.zeros(2, 3)).inputs] == ["input"]


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


# Failures


class Two(nn.Module):
    """Two layers that do not fit."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(5, 3)
        self.second = nn.Linear(4, 2)

    def forward(self, x: Tensor) -> Tensor:
        return self.second(self.first(x))


class Product(nn.Module):
    """One product."""

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        return a @ b


class Sum(nn.Module):
    """One sum."""

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        return a + b


class Joined(nn.Module):
    """One joint."""

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        return torch.cat([a, b], 1)


class Shaped(nn.Module):
    """One view."""

    def forward(self, a: Tensor) -> Tensor:
        return a.view(3, 5)


def bert(**inputs: object) -> tuple[nn.Module, tuple[Any, ...], dict[str, Any]]:
    return make(library.BertModel).eval(), (), inputs


LONG = IDS.repeat(1, 6)
FAILURES: dict[str, tuple[Callable[[], tuple[nn.Module, tuple[Any, ...], dict[str, Any]]], str]] = {
    "positions": (lambda: bert(input_ids=LONG), "seq_len is 42, the position table has 32 rows: embeddings"),
    "positions, types given": (
        lambda: bert(input_ids=LONG, token_type_ids=torch.zeros_like(LONG)),
        "seq_len is 42, the position table has 32 rows: embeddings",
    ),
    "positions of GPT-2": (
        lambda: (family("gpt2")[0], (), {"input_ids": IDS.repeat(1, 20)}),
        "seq_len is 140, the position table has 64 rows: transformer.wpe",
    ),
    "vocabulary": (
        lambda: bert(input_ids=IDS + 45),
        "input_ids holds 59, the table has 51 rows (vocab_size), 0 to 50: embeddings.word_embeddings",
    ),
    "types": (
        lambda: bert(input_ids=IDS, token_type_ids=torch.full_like(IDS, 2)),
        "token_type_ids holds 2, the table has 2 rows (type_vocab_size), 0 to 1",
    ),
    "labels": (
        lambda: (make(library.BertForMaskedLM), (), {"input_ids": IDS, "labels": IDS + 60}),
        "labels holds 74, there are 51 classes (vocab_size), 0 to 50",
    ),
    "linear": (
        lambda: (Two(), (torch.zeros(2, 5),), {}),
        (
            "out_features is 3 in first.weight [out_features=3, in_features=5], but in_features is 4 in "
            "second.weight [out_features=2, in_features=4]; the last axis of what goes in must be the last "
            "axis of the weight: second, test_trace.py:"
        ),
    ),
    "width": (
        lambda: (make(library.BertModel).eval().encoder.layer[0], (torch.zeros(2, 7, 24),), {}),
        "hidden_states [batch=2, seq_len=7, 24] has 24, but hidden_size is 16 in attention.self.query.weight",
    ),
    "matmul": (
        lambda: (Product(), (torch.zeros(2, 5), torch.zeros(4, 3)), {}),
        "a [batch=2, 5] has 5, but b [4, 3] has 4; the last axis of the first must be the last but one",
    ),
    "sum": (
        lambda: (Sum(), (torch.zeros(2, 5), torch.zeros(4)), {}),
        "a [batch=2, 5] has 5, but b [4] has 4; axes are matched from the last",
    ),
    "join": (
        lambda: (Joined(), (torch.zeros(2, 5), torch.zeros(3, 5)), {}),
        "batch is 2 in a [batch=2, 5], but b [3, 5] has 3; cat needs all axes alike",
    ),
    "view": (
        lambda: (Shaped(), (torch.zeros(2, 5),), {}),
        "a [batch=2, 5] holds 10 numbers, which do not fill the shape [3, 5]",
    ),
    "mask": (
        lambda: bert(input_ids=IDS, attention_mask=MASK[:, :5]),
        "seq_len is 7 in input_ids [batch=2, seq_len=7], but attention_mask [batch=2, 5] has 5",
    ),
    "missing": (lambda: (Two(), (), {}), "Two is called without x: Two"),
    "nothing": (bert, "its own words"),
    "dtype of ids": (lambda: bert(input_ids=IDS.float()), "input_ids is float32, but ids are whole numbers"),
    "dtype": (
        lambda: (Two().double(), (torch.zeros(2, 5),), {}),
        "x is float32, but first.weight is float64; linear needs one dtype",
    ),
    "no tensor": (lambda: bert(input_ids=[[1, 2]]), "its own words"),
}  # fmt: skip


@pytest.mark.parametrize("case", FAILURES)
def test_failure_in_one_sentence(case: str) -> None:
    made, said = FAILURES[case]
    model, args, inputs = made()
    with pytest.raises(Exception) as raised:  # noqa: PT011 - each case raises its own
        run(model, args, inputs)
    seen = trace(model, *args, **inputs)
    assert seen.failure is not None
    # Where no rule has a sentence, the library's own words are shown; they are not those of every release.
    assert seen.failure.message.startswith(str(raised.value) if said == "its own words" else said)
    assert "\n" not in seen.failure.message
    assert seen.failure.error.startswith(type(raised.value).__name__)
    assert seen.outputs == ()
    step = seen.steps[seen.failure.step]
    assert step.outputs == ()
    assert all(other.outputs == () for other in seen.steps if other.index < step.index <= other.last)
    if case not in ("missing", "nothing", "no tensor"):  # the last: only in some releases
        assert seen.failure.source is not None
        assert seen.failure.source.text


def test_a_failing_trace_keeps_the_steps_before_with_their_names() -> None:
    seen = trace(make(library.BertModel).eval(), input_ids=IDS, attention_mask=MASK[:, :5])
    assert (
        str(step_of(seen, "embeddings", "BertEmbeddings").outputs[0])
        == "[batch=2, seq_len=7, hidden_size=16]"
    )
    product = step_of(seen, "encoder.layer.0.attention.self", "matmul")
    assert str(product.outputs[0]) == "[batch=2, num_heads=2, seq_len=7, seq_len=7]"


def test_an_error_that_the_model_catches_is_no_failure() -> None:
    class Tries(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.wrong = nn.Linear(7, 3)
            self.right = nn.Linear(4, 3)

        def forward(self, x: Tensor) -> Tensor:
            try:
                return self.wrong(x)
            except RuntimeError:
                return self.right(x)

    seen = trace(Tries(), torch.zeros(2, 4))
    assert seen.failure is None
    assert [step.path for step in seen if step.kind == "module"] == ["", "wrong", "right"]
    assert str(seen.outputs[0]) == "[batch=2, out_features=3]"


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(
        TraceError, match=r"^model is a str: it must be a torch.nn.Module, as in trace\(model"
    ):
        trace("bert-base-uncased")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("args", "inputs", "end"),
    [
        (("Anna lost her key.",), {}, "; give ids in place of text: trace(model, **tokenizer(text, "),
        ((INPUTS,), {}, "; give a batch by keywords: trace(model, **batch)"),
        ((), {"input_ids": [[2, 7, 3]]}, "; give a tensor in place of the list input_ids: torch.tensor(…), "),
    ],
)
def test_a_failure_gives_advice_about_inputs_that_are_no_tensors(
    args: tuple[Any, ...], inputs: dict[str, Any], end: str
) -> None:
    failure = trace(make(library.BertModel).eval(), *args, **inputs).failure
    assert failure is not None
    assert end in failure.message
    assert "\n" not in failure.message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"values": "all"}, r"^values='all': True is needed to keep numbers, or False\.$"),
        (
            {"attention": 3},
            r"^attention=3: the name of an implementation is needed, such as 'eager', ",
        ),
    ],
)
def test_options_without_meaning_are_refused_in_one_line(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TraceError, match=message):
        trace(make(library.BertModel), **INPUTS, **options)


@pytest.mark.parametrize("name", [3, None, ["input_ids"], "logits"])
def test_a_name_that_is_not_in_the_trace_is_refused_in_one_line(name: Any) -> None:  # noqa: ANN401
    seen = trace(make(library.BertModel).eval(), **INPUTS)
    for method in (seen.path, seen.figure, seen.follow):
        with pytest.raises(TraceError, match=r"no input, parameter or module .* its inputs are input_ids, "):
            method(name)


def test_an_error_is_one_line_in_a_notebook() -> None:
    with pytest.raises(TraceError) as caught:
        trace(make(library.BertModel), **INPUTS).path("no\nsuch name")
    (line,) = caught.value._render_traceback_()
    assert line == f"TraceError: {caught.value}"
    assert "\n" not in line


# The door


def test_the_function_is_not_hidden_by_its_module_and_the_door_is_light() -> None:
    program = (
        "import sys, bertviz_lite.trace as t\n"
        "from bertviz_lite import Trace, TraceError, trace\n"
        "from bertviz_lite.trace import Axis, Value\n"
        "assert t is trace and t.TraceError is TraceError\n"
        "value = Value(1, (Axis(2, 'batch'), Axis(2, sure=False)), 'float32')\n"
        "print(type(trace).__name__, Trace.__name__, str(value), 'torch' in sys.modules)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "CallableModule Trace [batch=2, 2?] False"


def test_axes_are_written_with_their_names() -> None:
    axes = (Axis(2, "batch"), Axis(7), Axis(2, sure=False, could_be=("batch", "num_labels")))
    assert str(Value(1, axes, "int64")) == "[batch=2, 7, 2?]"
    assert Value(1, axes, "int64").shape == (2, 7, 2)


def test_shared_modules_have_all_their_paths() -> None:
    model, _, _ = CASES["Shared"]()
    assert ModelParts(model).paths[id(model.up)] == ["up", "down"]
    assert len(ModelParts(model).parameters) == 2


def test_the_examples_in_the_docstrings_are_true() -> None:
    tested = doctest.testmod(importlib.import_module("bertviz_lite.trace"))
    assert tested.attempted > 8
    assert tested.failed == 0
