"""The parts of a model's own layer, right or with one mistake."""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, cast

from torch import Tensor
from torch.nn.functional import gelu
from transformers.models.bert.modeling_bert import BertLayer

from bertviz_lite.exercises import loaded


def own_layers() -> list[BertLayer]:
    """List the layers of the model that the chapters load."""
    return list(cast(Any, loaded()[1].base_model.encoder).layer)


Part: TypeAlias = Callable[[Tensor], Tensor]


def _weigh(scores: Tensor, bias: Tensor) -> Tensor:
    return (scores + bias).softmax(dim=-1)


def run_attention(
    block: BertLayer,
    x: Tensor,
    bias: Tensor,
    *,
    scale: Callable[[int, int], float] = lambda head_size, hidden_size: head_size**-0.5,
    weigh: Callable[[Tensor, Tensor], Tensor] = _weigh,
    order: Literal["right", "mixed", "torn"] = "right",
    output: bool = True,
) -> Tensor:
    """Attend as the layer does, or with a mistake.

    `order` says how axes are handled: "mixed", those of heads and tokens never change places; "torn", the
    heads are not put side by side again.
    """
    own = block.attention.self
    count = own.num_attention_heads
    parts = [part(x) for part in (own.query, own.key, own.value)]
    if order == "mixed":
        query, key, value = (part.reshape(len(x), count, x.shape[1], -1) for part in parts)
    else:
        query, key, value = (part.unflatten(-1, (count, -1)).transpose(1, 2) for part in parts)
    scores = query @ key.transpose(-1, -2) * scale(query.shape[-1], x.shape[-1])
    weighted = weigh(scores, bias) @ value
    joined = weighted.transpose(1, 2).flatten(2) if order == "right" else weighted.reshape(x.shape)
    result: Tensor = block.attention.output.dense(joined) if output else joined
    return result


def run_ffn(block: BertLayer, x: Tensor, act: Part = gelu) -> Tensor:
    """Feed forward as the layer does, or with another activation."""
    result: Tensor = block.output.dense(act(block.intermediate.dense(x)))
    return result


def layer_norms(block: BertLayer) -> tuple[Part, Part]:
    """Give the LayerNorm after attention and the one after the FFN."""
    return block.attention.output.LayerNorm, block.output.LayerNorm
