"""A resized copy of one of torch's own transformers, which have no config."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from torch import nn

from bertviz_lite.trace.naming.config_sizes import HEAD_SIZE, HEADS, OTHER_SIZES
from bertviz_lite.trace.naming.resized_copy import ResizedModel, take_out_missing
from bertviz_lite.trace.naming.without_weights import NoWeights, quiet


def resized_torch_model(model: nn.Module) -> ResizedModel | None:
    """Make a resized copy of one of torch's own transformers; None for any other module."""
    recipe = next((recipe for kind, recipe in _RECIPES if type(model) is kind), None)
    if recipe is None:
        return None
    attention = next(module for module in model.modules() if isinstance(module, nn.MultiheadAttention))
    before = {"hidden_size": attention.embed_dim, "num_heads": attention.num_heads}
    before["head_size"] = attention.head_dim
    after = {"hidden_size": HEADS * HEAD_SIZE, "num_heads": HEADS, "head_size": HEAD_SIZE}
    inner = next((module.linear1 for module in model.modules() if hasattr(module, "linear1")), None)
    if isinstance(inner, nn.Linear):
        before["intermediate_size"] = inner.out_features
        after["intermediate_size"] = OTHER_SIZES["intermediate_size"]
    try:
        with quiet(), NoWeights():
            made = recipe(model, attention, after)
    except Exception:  # noqa: BLE001 - a custom part
        return None
    take_out_missing(model, made)
    return ResizedModel(made, {name: (size, after[name]) for name, size in before.items()}, {})


def _attention(_model: Any, like: nn.MultiheadAttention, sizes: Mapping[str, int]) -> nn.Module:  # noqa: ANN401
    return nn.MultiheadAttention(sizes["hidden_size"], sizes["num_heads"], batch_first=like.batch_first)


def _layer(model: Any, like: nn.MultiheadAttention, sizes: Mapping[str, int]) -> nn.Module:  # noqa: ANN401
    made: nn.Module = type(model)(
        sizes["hidden_size"],
        sizes["num_heads"],
        sizes["intermediate_size"],
        activation=model.activation,
        batch_first=like.batch_first,
        norm_first=model.norm_first,
        bias=model.linear1.bias is not None,
    )
    return made


def _stack(model: Any, like: nn.MultiheadAttention, sizes: Mapping[str, int]) -> nn.Module:  # noqa: ANN401
    norm = None if model.norm is None else nn.LayerNorm(sizes["hidden_size"])
    made: nn.Module = type(model)(_layer(model.layers[0], like, sizes), len(model.layers), norm)
    return made


def _whole(model: Any, like: nn.MultiheadAttention, sizes: Mapping[str, int]) -> nn.Module:  # noqa: ANN401
    return nn.Transformer(
        sizes["hidden_size"],
        sizes["num_heads"],
        custom_encoder=_stack(model.encoder, like, sizes),
        custom_decoder=_stack(model.decoder, like, sizes),
        batch_first=model.batch_first,
    )


_RECIPES: tuple[tuple[type, Callable[[Any, nn.MultiheadAttention, Mapping[str, int]], nn.Module]], ...] = (
    (nn.MultiheadAttention, _attention),
    (nn.TransformerEncoderLayer, _layer),
    (nn.TransformerDecoderLayer, _layer),
    (nn.TransformerEncoder, _stack),
    (nn.TransformerDecoder, _stack),
    (nn.Transformer, _whole),
)
