"""One forward pass of a model of ``transformers`` that shows its attention, whatever it runs on otherwise.

``transformers`` lets a model choose its attention function by name. Here one more is registered: it calls the
model's own eager function, so the weights are the library's to the last bit, and keeps what went in. The name
is set for the length of a pass and put back. A model that does not choose by name runs on "eager".
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from transformers import AttentionInterface, AttentionMaskInterface, PreTrainedConfig
from transformers.masking_utils import eager_mask

from bertviz_lite.capture.errors import CaptureError

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel

_NAME = "bertviz_lite_recorder"

_one_pass = threading.RLock()  # the name of the attention function belongs to the model, not to the caller


@dataclass
class Call:
    """One call of an attention function: tensors as the model gave and got them, batch first."""

    query: Tensor
    key: Tensor
    bias: tuple[Tensor, ...]
    scaling: float
    weights: Tensor


@dataclass
class Recorder:
    """The calls of one pass, in order, and the heads to switch off: number of the call -> heads."""

    heads_off: Mapping[int, Sequence[int]] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)


_recorder: ContextVar[Recorder | None] = ContextVar("bertviz_lite_recorder", default=None)


def _eager_function(module_class: type) -> Callable[..., tuple[Tensor, Tensor]] | None:
    """Return the eager function of the module of an attention class, or of a class that it derives from."""
    for base in module_class.__mro__:
        source = vars(sys.modules.get(base.__module__, object))
        if "ALL_ATTENTION_FUNCTIONS" in source and "eager_attention_forward" in source:
            eager: Callable[..., tuple[Tensor, Tensor]] = source["eager_attention_forward"]
            return eager
    return None


def _attention(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None = None,
    **kwargs: Any,  # noqa: ANN401 - each model passes its own
) -> tuple[Tensor, Tensor]:
    """Call the model's own eager attention, keep what went in, and empty the heads that are off.

    ``query`` is (batch, num_heads, query_len, head_size), the returned output (batch, query_len, num_heads,
    head_size), the weights (batch, num_heads, query_len, key_len).
    """
    eager = _eager_function(type(module))
    assert eager is not None
    output, weights = eager(module, query, key, value, attention_mask, **kwargs)
    recorder = _recorder.get()
    if recorder is None:  # another thread runs the model meanwhile
        return output, weights
    off = recorder.heads_off.get(len(recorder.calls))
    if off:
        output = _without_heads(output, weights, off)
    scaling = kwargs.get("scaling")
    bias = tuple(term for term in (attention_mask, kwargs.get("position_bias")) if term is not None)
    scaling = query.shape[-1] ** -0.5 if scaling is None else float(scaling)
    recorder.calls.append(Call(query, key, bias, scaling, weights))
    return output, weights


def _without_heads(output: Tensor, weights: Tensor, heads: Sequence[int]) -> Tensor:
    """Empty what some heads give: the same as if all their weights were 0."""
    if output.shape[:3] != (len(weights), weights.shape[2], weights.shape[1]):
        raise CaptureError(
            f"heads_off: the attention gives {tuple(output.shape)} and not "
            "(batch, query_len, num_heads, head_size), so no head of this model can be switched off."
        )
    output = output.clone()
    output[:, :, list(heads)] = 0
    return output


AttentionInterface.register(_NAME, _attention)
AttentionMaskInterface.register(_NAME, eager_mask)


@contextmanager
def recording(model: PreTrainedModel, recorder: Recorder) -> Iterator[None]:
    """Record attention, in evaluation mode and without gradients, for a while; all is put back."""
    with _one_pass:
        modules = list(model.modules())
        configs = _configs(modules)
        chosen = [config._attn_implementation_internal for config in configs]
        in_training = [module for module in modules if module.training]
        name = _NAME if _choose_by_name(modules) else "eager"
        token = _recorder.set(recorder)
        try:
            for config in configs:
                config._attn_implementation_internal = name
            for module in in_training:
                module.training = False
            with torch.no_grad():
                yield
        finally:
            _recorder.reset(token)
            for module in in_training:
                module.training = True
            for config, before in zip(configs, chosen, strict=True):
                config._attn_implementation_internal = before


def _choose_by_name(modules: Sequence[torch.nn.Module]) -> bool:
    """Return whether there is a module that asks for its attention function by name."""
    if getattr(modules[0].config, "reorder_and_upcast_attn", False):  # GPT-2 has a second eager way for this
        return False
    return any(_eager_function(kind) is not None for kind in {type(module) for module in modules})


def _configs(modules: Sequence[torch.nn.Module]) -> list[PreTrainedConfig]:
    """Return every config that a module may ask for the name of its attention, each once."""
    configs = [vars(module).get("config") for module in modules]
    return list({id(config): config for config in configs if isinstance(config, PreTrainedConfig)}.values())


def calls_of(recorder: Recorder, attentions: Sequence[Tensor]) -> tuple[int, ...] | None:
    """Return the number of the call that made each layer's weights; None if a layer's were made elsewhere."""
    made = {
        (call.weights.data_ptr(), call.weights.shape): number for number, call in enumerate(recorder.calls)
    }
    numbers = [made.get((weights.data_ptr(), weights.shape)) for weights in attentions]
    return None if None in numbers else tuple(number for number in numbers if number is not None)
