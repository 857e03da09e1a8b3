"""What a model is given: its tensors with their labels, copied, and made again with other sizes."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

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


@dataclass(eq=False, repr=False)
class Call:
    """The arguments of one call, copied, and the tensors in them."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    tensors: dict[str, Tensor] = field(default_factory=dict)

    @property
    def labels(self) -> dict[int, str]:
        """The label of each tensor, by its ``id``."""
        return {id(one): label for label, one in self.tensors.items()}


Change = Callable[[str, Tensor], Tensor]


def _copied(_label: str, tensor: Tensor) -> Tensor:
    return tensor.detach().clone()


def call(
    model: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any], change: Change = _copied
) -> Call:
    """Copy what a model is called with, every tensor changed; a tensor given twice stays one."""
    made = Call((), {})
    done: dict[int, Tensor] = {}

    def visit(label: str, one: Any) -> Any:  # noqa: ANN401
        if isinstance(one, Tensor):
            if id(one) not in done:
                done[id(one)] = made.tensors[label] = change(label, one)
            return done[id(one)]
        if isinstance(one, Mapping):
            parts = {key: visit(f"{label}.{key}", value) for key, value in one.items()}
            return _rebuilt(one, parts)
        if isinstance(one, list | tuple):
            items = [visit(f"{label}[{place}]", value) for place, value in enumerate(one)]
            return type(one)(*items) if hasattr(one, "_fields") else type(one)(items)
        if one is None or isinstance(one, bool | int | float | str | torch.dtype | torch.device):
            return one
        return copy.deepcopy(one)  # a cache, which the model would write into

    names = _positional(model, len(args))
    made.args = tuple(visit(name, one) for name, one in zip(names, args, strict=True))
    made.kwargs = {name: visit(name, one) for name, one in kwargs.items()}
    return made


def _rebuilt(one: Mapping[Any, Any], parts: dict[Any, Any]) -> Any:  # noqa: ANN401
    """Return a mapping of the same kind with other values."""
    if type(one) is dict:
        return parts
    try:
        return type(one)(**parts)
    except TypeError:
        return type(one)(parts)  # type: ignore[call-arg]


def _positional(model: nn.Module, count: int) -> list[str]:
    """Return the names of the first parameters of ``forward``."""
    if not count:
        return []
    try:
        parameters = list(inspect.signature(model.forward).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    named = [one.name for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    rest = next((one.name for one in parameters if one.kind is one.VAR_POSITIONAL), "args")
    return [named[place] if place < len(named) else f"{rest}[{place - len(named)}]" for place in range(count)]


def layouts(model: nn.Module, tensors: Mapping[str, Tensor]) -> tuple[dict[str, Layout], dict[str, int]]:
    """Say which axes of the inputs are the batch, the sequence, the choices; and their sizes.

    An axis belongs to a name only where its size is the same in every input that has it.
    """
    found: dict[str, Layout] = {}
    sizes: dict[str, int] = {}
    for label, tensor in tensors.items():
        names = []
        for name, size in zip(_layout(model, label, tensor), tensor.shape, strict=True):
            names.append(name if name is not None and size == sizes.setdefault(name, size) else None)
        found[label] = tuple(names)
    return found, sizes


def _layout(model: nn.Module, label: str, tensor: Tensor) -> Layout:
    last = label.rsplit(".", 1)[-1]
    rest = (None,) * tensor.ndim
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
        return (length, *rest[1:])
    is_state = last.endswith(_STATES)
    if tensor.is_floating_point() and not last.endswith(_IDS):
        choices = is_state and "MultipleChoice" in type(model).__name__
        if choices and tensor.ndim == 4:
            return ("batch", "num_choices", length, None)
        if tensor.ndim == 3:
            return ("batch", length, None) if _batch_first(model) else (length, "batch", None)
        return ("batch", *rest[1:])
    return {
        1: ("batch",),
        2: ("batch", length),
        3: ("batch", "num_choices" if "MultipleChoice" in type(model).__name__ else length, length),
        4: ("batch", None, length, length),
    }.get(tensor.ndim, ("batch", *rest[1:]))


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
