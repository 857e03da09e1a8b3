"""Which axes of the inputs are the batch, the sequence, the choices; and inputs of other sizes."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

Layout = tuple[str | None, ...]  # of each axis of a tensor the name, None where there is none

_IDS = ("ids", "mask", "labels", "label", "positions", "position")
_STATES = ("embeds", "hidden_states", "hidden_state")
_LENGTHS = {
    # what nn.Transformer and nn.MultiheadAttention call their inputs
    "src": "src_len", "tgt": "tgt_len", "memory": "memory_len",
    "query": "query_len", "key": "key_len", "value": "key_len",
    "src_key_padding_mask": "src_len", "tgt_key_padding_mask": "tgt_len",
    "memory_key_padding_mask": "src_len", "key_padding_mask": "key_len",
}  # fmt: skip
_SQUARES = {
    "src_mask": ("src_len", "src_len"),
    "tgt_mask": ("tgt_len", "tgt_len"),
    "memory_mask": ("tgt_len", "src_len"),
    "attn_mask": ("query_len", "key_len"),
}


def layouts(model: nn.Module, tensors: Mapping[str, Tensor]) -> tuple[dict[str, Layout], dict[str, int]]:
    """Say which axes of the inputs are the batch, the sequence, the choices; and their sizes.

    An axis belongs to a name only where its size is the same in every input that has it.
    """
    axes: dict[str, Layout] = {}
    sizes: dict[str, int] = {}
    for label, tensor in tensors.items():
        names = []
        for name, size in zip(_layout(model, label, tensor), tensor.shape, strict=True):
            names.append(name if name is not None and size == sizes.setdefault(name, size) else None)
        axes[label] = tuple(names)
    return axes, sizes


def _layout(model: nn.Module, label: str, tensor: Tensor) -> Layout:
    last = label.rsplit(".", 1)[-1]
    unnamed = (None,) * tensor.ndim
    if tensor.ndim == 0:
        return ()
    if last in _SQUARES and tensor.ndim == 2:
        return _SQUARES[last]
    if last in _LENGTHS and tensor.ndim in (2, 3) and _is_of_attention(model):
        length = _LENGTHS[last]
        if tensor.ndim == 2:
            return ("batch", length) if "mask" in last else (length, None)
        return ("batch", length, None) if _batch_first(model) else (length, "batch", None)
    length = _length(model, last)
    if last == "cache_position":
        return (length, *unnamed[1:])
    is_state = last.endswith(_STATES)
    if tensor.is_floating_point() and not last.endswith(_IDS):
        choices = is_state and "MultipleChoice" in type(model).__name__
        if choices and tensor.ndim == 4:
            return ("batch", "num_choices", length, None)
        if tensor.ndim == 3:
            return ("batch", length, None) if _batch_first(model) else (length, "batch", None)
        return ("batch", *unnamed[1:])
    return {
        1: ("batch",),
        2: ("batch", length),
        3: ("batch", "num_choices" if "MultipleChoice" in type(model).__name__ else length, length),
        4: ("batch", None, length, length),
    }.get(tensor.ndim, ("batch", *unnamed[1:]))


def _length(model: nn.Module, last: str) -> str:
    """Return which of several sequences a tensor runs along."""
    both = getattr(getattr(model, "config", None), "is_encoder_decoder", False)
    if last.startswith("decoder_") or (both and last == "labels"):
        return "decoder_seq_len"
    return "encoder_seq_len" if last.startswith("encoder_") else "seq_len"


def _is_of_attention(model: nn.Module) -> bool:
    kinds = (nn.Transformer, nn.TransformerEncoder, nn.TransformerDecoder, nn.TransformerEncoderLayer)
    return isinstance(model, (*kinds, nn.TransformerDecoderLayer, nn.MultiheadAttention))


def _batch_first(model: nn.Module) -> bool:
    """Return whether the batch is the first axis: so it is unless a module inside says otherwise."""
    return all(vars(module).get("batch_first", True) for module in model.modules())


def resized(tensor: Tensor, layout: Layout, sizes: Mapping[str, int], other: Mapping[int, int]) -> Tensor:
    """Return a tensor with other sizes, filled with its own entries again and again.

    `sizes` gives the new size of an axis by its name; `other` that of an axis without a name by its size.
    """
    for dim, (name, size) in enumerate(zip(layout, tensor.shape, strict=True)):
        wanted = sizes.get(name, size) if name is not None else other.get(size, size)
        if wanted != size and size:
            tensor = tensor.index_select(dim, torch.arange(wanted, device=tensor.device) % size)
    return tensor if tensor._base is None else tensor.clone()
