"""Restore the state of a model, whatever a forward pass does to it."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from bertviz_lite.trace.model.parts import ModelParts

_one_pass = threading.RLock()  # the attention belongs to the model, `nn.Module.__call__` to everybody


@contextmanager
def on_attention(parts: ModelParts, attention: str | None) -> Iterator[None]:
    """Run something without gradients, on the attention named, and put that back."""
    with _one_pass, torch.no_grad(), _attention(parts, attention):
        yield


@contextmanager
def _attention(parts: ModelParts, name: str | None) -> Iterator[None]:
    configs = [] if name is None else configs_of(parts.modules)
    chosen = [config._attn_implementation_internal for config in configs]
    try:
        for config in configs:
            config._attn_implementation_internal = name
        yield
    finally:
        for config, before in zip(configs, chosen, strict=True):
            config._attn_implementation_internal = before


def configs_of(modules: Iterable[nn.Module]) -> list[Any]:
    """Return every config of ``transformers`` that a module may read its attention from, each once."""
    library = sys.modules.get("transformers.configuration_utils")
    if library is None:
        return []
    kind = getattr(library, "PreTrainedConfig", None) or library.PretrainedConfig
    configs = [vars(module).get("config") for module in modules]
    return list({id(config): config for config in configs if isinstance(config, kind)}.values())


@contextmanager
def random_numbers_restored(parts: ModelParts) -> Iterator[None]:
    """Put the random numbers back to where they were."""
    devices = {weight.device for _, weight in parts.parameters.values() if weight.is_cuda}
    state, of_torch = random.getstate(), torch.get_rng_state()
    of_devices = {device: torch.cuda.get_rng_state(device) for device in devices}
    try:
        yield
    finally:
        random.setstate(state)
        torch.set_rng_state(of_torch)
        for device, numbers in of_devices.items():
            torch.cuda.set_rng_state(numbers, device)


@contextmanager
def model_restored(parts: ModelParts) -> Iterator[None]:
    """Put attributes and buffers back to what they were."""
    attributes = [(vars(module), dict(vars(module))) for module in parts.modules]
    inside = [
        (held, held.copy())
        for _, before in attributes
        for held in before.values()
        if type(held) in (dict, list, set)
    ]
    buffers = [(buffer, buffer.clone(), buffer._version) for _, buffer in parts.buffers.values()]
    try:
        yield
    finally:
        for now, before in attributes:
            if len(now) != len(before) or any(now.get(key) is not value for key, value in before.items()):
                now.clear()
                now.update(before)
        for held, copied in inside:
            _put_back(held, copied)
        for buffer, copied, version in buffers:
            # Batch normalization writes into its statistics without counting that as a new version.
            if buffer._version != version or not torch.equal(buffer, copied):
                buffer.copy_(copied)


def _put_back(held: Any, before: Any) -> None:  # noqa: ANN401
    if isinstance(held, list):
        if len(held) != len(before) or any(a is not b for a, b in zip(held, before, strict=True)):
            held[:] = before
    elif isinstance(held, dict):
        if list(held) != list(before) or any(held[key] is not before[key] for key in before):
            held.clear()
            held.update(before)
    elif held != before:
        held.clear()
        held.update(before)
