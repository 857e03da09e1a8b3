"""A trace leaves the model, its inputs and the random numbers as they were."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
import torch
import transformers as library
from torch import Tensor, nn

from bertviz_lite import trace
from tests.helpers.tiny_families import family
from tests.helpers.tiny_models import make
from tests.trace.trace_models import CASES, IDS
from tests.trace.untraced import outputs_of, run


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


def same(first: Any, second: Any) -> bool:  # noqa: ANN401
    if isinstance(first, Tensor):
        return isinstance(second, Tensor) and torch.equal(first, second)
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(same(*pair) for pair in zip(first, second, strict=True))
    return bool(first == second)


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
    assert not any(output.requires_grad for output in outputs_of(seen.result))
    assert same(run(copy.deepcopy(model), args, inputs), outputs)


@pytest.mark.parametrize("values", [False, True])
def test_the_model_is_left_as_it_was_after_a_failure(values: bool) -> None:
    model = make(library.BertForPreTraining).train()
    before = state(model)
    assert trace(model, input_ids=IDS + 45, values=values).failure is not None
    assert same(before, state(model))


def test_attributes_and_buffers_that_a_module_changes_are_restored() -> None:
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


def test_an_interrupt_is_raised_and_the_model_restored() -> None:
    class Interrupted(nn.Module):
        def forward(self) -> None:
            raise KeyboardInterrupt

    model = Interrupted()
    before = state(model)
    with pytest.raises(KeyboardInterrupt):
        trace(model)
    assert same(before, state(model))


def test_a_cache_that_is_given_is_not_filled() -> None:
    model = family("gpt2")[0]
    cache = library.DynamicCache()
    trace(model, input_ids=IDS, past_key_values=cache, use_cache=True)
    assert cache.get_seq_length() == 0
