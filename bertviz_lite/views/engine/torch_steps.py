"""What a BERT of ``transformers`` computes between its ids and its heads, read off its own modules."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np
from torch import Tensor, nn

from bertviz_lite.capture.errors import CaptureError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt
    from transformers import PreTrainedModel

    Vectors = dict[str, npt.NDArray[np.float32]]

__all__ = ["steps_inside", "steps_outside"]

_EMBEDDINGS = {
    "word_embeddings": "word_embeddings",
    "position_embeddings": "position_embeddings",
    "token_type_embeddings": "token_type_embeddings",
    "LayerNorm": "embeddings",
}
_LAYER = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "projected",
    "attention.output.LayerNorm": "attended",
    "intermediate.dense": "up",
    "output.dense": "down",
    "output.LayerNorm": "output",
}
# What goes into a module, where the step before it is no module, or differs between releases of transformers.
_LAYER_INPUTS = {
    "attention.self.query": "input",
    "attention.output.dense": "context",
    "output.dense": "activated",
}


def steps_outside(model: PreTrainedModel, run: Callable[[], object]) -> Vectors:
    """Return the vectors before the first layer and after the last; `run` makes one pass of one text."""
    base, heads = _base_of(model), getattr(model, "cls", None)
    watched: dict[str, nn.Module | None] = {
        name: base.embeddings.get_submodule(path) for path, name in _EMBEDDINGS.items()
    }
    watched["pooler_output"] = getattr(base, "pooler", None)
    watched["transform"] = getattr(getattr(heads, "predictions", None), "transform", None)
    watched["seq_relationship_logits"] = getattr(heads, "seq_relationship", None)
    return _watch(watched, {}, run)


def steps_inside(model: PreTrainedModel, run: Callable[[], object], layer: int) -> Vectors:
    """Return the vectors inside a layer; `run` makes one pass of one text."""
    layers = _base_of(model).encoder.layer
    if not 0 <= layer < len(layers):
        raise CaptureError(f"layer={layer}: there are {len(layers)} layers, numbered 0 to {len(layers) - 1}.")
    get = layers[layer].get_submodule
    given = {name: get(path) for path, name in _LAYER_INPUTS.items()}
    return _watch({name: get(path) for path, name in _LAYER.items()}, given, run)


def _base_of(model: PreTrainedModel) -> Any:  # noqa: ANN401 - BertModel, or a model of its form
    base: Any = model.base_model
    try:
        for path in _EMBEDDINGS:
            base.embeddings.get_submodule(path)
        for path in _LAYER:
            base.encoder.layer[0].get_submodule(path)
    except AttributeError:
        raise TypeError(
            f"{type(model).__name__} is no BERT: give a BertForPreTraining, as load() does."
        ) from None
    if model.config.is_decoder:
        raise TypeError(f"{type(model).__name__} is a decoder (is_decoder=True): give an encoder.")
    return base


def _watch(
    returned: Mapping[str, nn.Module | None], given: Mapping[str, nn.Module], run: Callable[[], object]
) -> Vectors:
    """Run once; return by name what modules returned, and what others were given."""
    steps: Vectors = {}

    def keep(name: str, tensor: Tensor) -> None:
        steps[name] = tensor.detach()[0].float().cpu().numpy().copy()

    def keep_returned(name: str) -> Callable[[nn.Module, Any, Tensor], None]:
        return lambda _, __, result: keep(name, result)

    def keep_given(name: str) -> Callable[[nn.Module, Any], None]:
        return lambda _, arguments: keep(name, arguments[0])

    with ExitStack() as stack:
        for name, module in returned.items():
            if module is not None:
                stack.callback(module.register_forward_hook(keep_returned(name)).remove)
        for name, module in given.items():
            stack.callback(module.register_forward_pre_hook(keep_given(name)).remove)
        run()
    return steps
