"""Attention weights, checked: arrays or tensors in; float32 of one shape, whose rows sum to one, out.

What does not fit together is a `CaptureError` of one line.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from bertviz_lite.capture.errors import CaptureError, kind_of
from bertviz_lite.capture.forward_pass import Floats
from bertviz_lite.capture.tokens import Tokens

ROW_SUM_ERROR = 1e-3
"""By how much a row of a model's own weights may miss 1."""
ROW_SUM_ERROR_ROUNDED = 2e-2
"""The same of rounded weights: half precision (8 bits of mantissa, hundreds of keys), or three decimals."""


def layer_array(given: object, layer: int, name: str = "attentions") -> tuple[Floats, bool]:
    """Return one layer's weights as float32 (num_heads, query_len, key_len), and whether they were halves."""
    if given is None:
        raise CaptureError(
            f"{name}[{layer}] is None: the model ran without returning weights (SDPA or flash attention). "
            "capture(model, tokenizer, text) switches it for the call."
        )
    half = False
    if hasattr(given, "detach"):  # a torch tensor; torch itself need not be imported here
        half = str(given.dtype) in {"torch.float16", "torch.bfloat16"}  # type: ignore[attr-defined]
        try:
            given = given.detach().float().cpu().numpy()
        except (TypeError, RuntimeError) as error:  # sparse, or without numbers (the device "meta")
            raise CaptureError(f"{name}[{layer}] holds no plain numbers: {error}") from None
    try:
        array = np.asarray(given)
    except ValueError:  # lists of different lengths
        array = np.array(None)
    half = half or array.dtype == np.float16
    if np.ma.is_masked(given):
        raise CaptureError(f"{name}[{layer}] has masked entries: fill them, as with array.filled(0).")
    if array.dtype.kind not in "fiub":
        kind = f"{kind_of(given)} of {array.dtype}" if isinstance(given, np.ndarray) else kind_of(given)
        raise CaptureError(
            f"{name}[{layer}] is {kind}: it must be an array or a tensor of numbers, "
            "(1, num_heads, query_len, key_len) or (num_heads, query_len, key_len)."
        )
    if array.ndim == 4:
        if array.shape[0] != 1:
            raise CaptureError(
                f"{name}[{layer}] is {array.shape}, a batch of {array.shape[0]}: give one text at a time, "
                "as a[i : i + 1]."
            )
        array = array[0]
    if array.ndim != 3 or 0 in array.shape:
        raise CaptureError(
            f"{name}[{layer}] is {array.shape}: it must be (1, num_heads, query_len, key_len) or "
            "(num_heads, query_len, key_len), one such array per layer."
        )
    array = array.astype(np.float32, copy=False)
    array = array.view()
    array.setflags(write=False)
    return array, half


def layer_arrays(
    attentions: object,
    query_tokens: Tokens,
    key_tokens: Tokens,
    name: str = "attentions",
    *,
    rounded: bool = False,
) -> tuple[Floats, ...]:
    """Return checked weights, one read-only array per layer, without copying what is float32 already.

    `rounded` lets rows miss 1 by 2 % in any dtype, not only in half precision.

    Raises
    ------
    CaptureError
        If shapes differ between layers or from the tokens, a weight is NaN or negative, or a row does not
        sum to one.
    """
    if isinstance(attentions, str) or not isinstance(attentions, Iterable):
        raise CaptureError(f"{name} is {kind_of(attentions)}: it must hold one array per layer.")
    layers: list[Floats] = []
    for layer, given in enumerate(attentions):
        array, half = layer_array(given, layer, name)
        if layers and array.shape != layers[0].shape:
            raise CaptureError(
                f"{name}[{layer}] is {array.shape} but {name}[0] is {layers[0].shape}: every layer must have "
                "the same (num_heads, query_len, key_len). Are these maps of one text, and of one kind?"
            )
        if not layers:
            _check_lengths(array.shape[1:], query_tokens, key_tokens)
        _check_weights(array, layer, ROW_SUM_ERROR_ROUNDED if half or rounded else ROW_SUM_ERROR)
        layers.append(array)
    if not layers:
        raise CaptureError(f"{name} is empty: it must hold one array per layer.")
    return tuple(layers)


def _check_lengths(shape: tuple[int, ...], query_tokens: Tokens, key_tokens: Tokens) -> None:
    lengths = (len(query_tokens), len(key_tokens))
    if shape == lengths:
        return
    if query_tokens is key_tokens:
        raise CaptureError(
            f"attention is {shape} but there are {lengths[0]} tokens: both axes must equal len(tokens). "
            "Were [CLS] or [SEP] dropped?"
        )
    raise CaptureError(
        f"attention is {shape} but there are {lengths[0]} query tokens and {lengths[1]} key tokens: "
        "it must be (len(tokens), len(key_tokens))."
    )


def _check_weights(weights: Floats, layer: int, allowed: float) -> None:
    """Refuse NaN, negative weights and rows that do not sum to one; `weights` is one layer."""
    sums = weights.sum(axis=-1, dtype=np.float32)
    if weights.min() >= 0 and (np.abs(sums - 1) <= allowed + 1e-6).all():  # false for NaN as well
        return
    if np.isnan(weights).any():
        head, query, key = np.argwhere(np.isnan(weights))[0]
        raise CaptureError(
            f"layer {layer}, head {head}, query {query}, key {key}: the weight is NaN. "
            "Is a row masked completely, or did the model overflow (float16)?"
        )
    if weights.min() < 0:
        head, query, key = np.argwhere(weights < 0)[0]
        raise CaptureError(
            f"layer {layer}, head {head}, query {query}, key {key}: the weight is "
            f"{weights[head, query, key]:.4g}, but no weight is negative. Are these scores, before softmax?"
        )
    head, query = np.argwhere(~(np.abs(sums - 1) <= allowed + 1e-6))[0]
    raise CaptureError(
        f"layer {layer}, head {head}, query {query}: the weights sum to {sums[head, query]:.4g}, not to 1. "
        "Were keys cut off, was dropout on (model.eval()), or has the model an attention sink?"
    )
