"""Arithmetic behind the attention explorer: codes for drawing, numbers about heads, words, rollout, filters.

Arrays in, arrays out: nothing here knows of a widget, a model or a picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Codes = npt.NDArray[np.uint8]
    Floats = npt.NDArray[np.float32]
    Flags = npt.NDArray[np.bool_]

__all__ = [
    "THUMB",
    "Summary",
    "decode",
    "encode",
    "encode_rows",
    "keep_mass",
    "merge_words",
    "pool",
    "rollout_step",
    "summarise",
    "word_starts",
]

Number = TypeVar("Number", np.uint8, np.float64)

THUMB = 24
"""Rows and columns of a small picture, at most."""

_ROW_SUM_OFF = 0.02
_WEIGHT_OF = ((np.arange(256) / 255) ** 2).astype(np.float32)


def encode(weights: npt.NDArray[np.floating]) -> Codes:
    """Return the 8-bit square-root codes of attention weights: ``round(255 · √w)``.

    Half a step of the root is 1/510, so a weight is off by at most 2 · √w / 510 + 1/510², below 0.004. A
    linear code is as good for the largest weights and rounds every weight below 1/510 to nothing: a uniform
    row of 512 would vanish.

    >>> encode(np.array([0.0, 1 / 512, 0.25, 1.0])).tolist()
    [0, 11, 128, 255]
    """
    root = np.sqrt(np.clip(weights, 0.0, 1.0))
    root *= 255
    codes: Codes = np.rint(root, out=root).astype(np.uint8)
    return codes


def encode_rows(weights: Floats) -> Codes:
    """Return codes as :func:`encode`, where no row of them is drawn with a sum far from its own.

    Rounding adds up where many weights are nearly the same: a uniform row of 492 would be drawn with a sum of
    1.09. In a row that is off by more than 0.02, as many small weights as it takes are rounded the other way,
    those first that are nearly half a step off anyway. They stay within 0.004.
    """
    codes = encode(weights)
    errors = decode(codes).sum(axis=-1) - weights.sum(axis=-1)
    off = np.abs(errors) > _ROW_SUM_OFF
    if off.any():
        codes[off] = _rounded_back(weights[off], codes[off], errors[off])
    return codes


def _rounded_back(weights: Floats, codes: Codes, errors: Floats) -> Codes:
    """Return `codes` (rows, key_len) with some moved one step against the `errors` (rows,) of their sums."""
    down = (errors > 0)[:, None]
    moved = np.where(down, np.maximum(codes, 1) - 1, np.minimum(codes, 254) + 1).astype(np.uint8)
    gain = np.abs(decode(codes) - decode(moved))
    root = 255 * np.sqrt(weights)
    # A whole step of a weight up to 0.2 is below 0.004. What was rounded the right way already is left alone.
    may = (weights < 0.2) & np.where(down, codes > root, codes < root)
    spread = np.arange(weights.shape[1]) * 0.618034 % 1  # among equals not all at the left
    order = np.argsort(np.where(may, np.abs(moved - root) + 1e-3 * spread, np.inf), axis=1)
    gained = np.cumsum(np.take_along_axis(np.where(may, gain, 0.0), order, axis=1), axis=1)
    move = np.zeros(weights.shape, dtype=bool)
    np.put_along_axis(move, order, gained <= np.abs(errors)[:, None], axis=1)
    return np.where(move & may, moved, codes)


def decode(codes: Codes) -> Floats:
    """Return the weights that the page draws for `codes`: ``(code / 255)²``, float32."""
    weights: Floats = _WEIGHT_OF[codes]
    return weights


def pool(values: npt.NDArray[Number], rows: int, columns: int) -> npt.NDArray[Number]:
    """Return the largest value of each block of the last two axes, so that they are (rows, columns).

    Row ``r`` stands for the rows from ``r · n // rows`` up to, not including, ``(r + 1) · n // rows``.

    >>> pool(np.array([[1, 2, 3], [4, 9, 6]]), 1, 2).tolist()
    [[4, 9]]
    """
    for axis, count in ((-2, rows), (-1, columns)):
        if count < values.shape[axis]:
            starts = np.arange(count) * values.shape[axis] // count
            values = np.maximum.reduceat(values, starts, axis=axis)
    return values


def rollout_step(weights: npt.NDArray[np.floating], below: npt.NDArray[np.floating] | None) -> Floats:
    """Return attention rollout up to and including a layer.

    Parameters
    ----------
    weights
        The layer's attention, averaged over its heads, (seq_len, seq_len).
    below
        Rollout up to the layer before, (seq_len, seq_len); None at the first.

    Returns
    -------
    numpy.ndarray
        ``(½ weights + ½ identity) @ below``, its first factor's rows made to sum to one: the identity stands
        for the residual connection. Abnar and Zuidema, "Quantifying Attention Flow in Transformers" (2020,
        https://arxiv.org/abs/2005.00928).
    """
    mixed = 0.5 * weights.astype(np.float32)
    mixed[np.diag_indices(len(mixed))] += 0.5
    mixed /= mixed.sum(axis=1, keepdims=True)
    return mixed if below is None else mixed @ below


@dataclass(frozen=True, eq=False)
class Summary:
    """What all heads of one kind of attention look like at a glance."""

    thumbs: Codes
    """(num_layers, num_heads, rows, columns): every map, its largest weights pooled."""
    stats: Floats
    """(num_layers, num_heads, 4): entropy in bits, mean distance in tokens, share of mass on special tokens,
    largest error of a row sum as drawn."""
    mean: Codes
    """(query_len, key_len), over all layers and heads."""
    max: Codes
    """(query_len, key_len), over all layers and heads."""
    rollout: tuple[Codes, ...]
    """(seq_len, seq_len) up to each layer; empty where queries and keys are not the same tokens."""
    error: float
    """The largest difference between a weight and what is drawn for it."""


def summarise(attentions: Sequence[Floats], *, special: Flags, is_real: Flags, is_self: bool) -> Summary:
    """Go through the layers once.

    Parameters
    ----------
    attentions
        One array (num_heads, query_len, key_len) per layer.
    special
        Which keys are special tokens, (key_len,).
    is_real
        Which queries are no padding, (query_len,): the numbers are means over them.
    is_self
        Whether queries and keys are the same tokens: only then there are distances and rollout.
    """
    query_len, key_len = attentions[0].shape[1:]
    rows, columns = min(THUMB, query_len), min(THUMB, key_len)
    # Means over queries, as one product: padding queries have no share.
    share = (is_real / max(1, int(is_real.sum()))).astype(np.float32)
    distance = np.abs(np.arange(query_len)[:, None] - np.arange(key_len), dtype=np.float32)
    distance *= share[:, None]
    thumbs, stats, rollout = [], [], []
    total, most = np.zeros((query_len, key_len), np.float32), np.zeros((query_len, key_len), np.float32)
    below: Floats | None = None
    error = 0.0
    for weights in attentions:
        codes = encode_rows(weights)
        thumbs.append(pool(codes, rows, columns))
        drawn = decode(codes)
        drawn -= weights
        row_error = np.abs(drawn.sum(axis=2)).max(axis=1)
        error = max(error, float(drawn.max()), -float(drawn.min()))
        stats.append(_numbers(weights, share, distance if is_self else None, special, row_error))
        average = weights.mean(axis=0)
        total += average
        np.maximum(most, weights.max(axis=0), out=most)
        if is_self:
            below = rollout_step(average, below)
            rollout.append(encode_rows(below))
    return Summary(
        np.stack(thumbs).astype(np.uint8, copy=False),
        np.stack(stats),
        encode_rows(np.divide(total, len(attentions), dtype=np.float32)),
        encode(most),
        tuple(rollout),
        error,
    )


def _numbers(
    weights: Floats, share: Floats, distance: Floats | None, special: Flags, row_error: Floats
) -> Floats:
    """Return (num_heads, 4): see :class:`Summary`."""
    logs = np.log2(np.maximum(weights, np.float32(1e-30)))
    logs *= weights
    entropy = -(logs.sum(axis=2) @ share)
    far = np.full_like(entropy, np.nan) if distance is None else np.tensordot(weights, distance, 2)
    resting = weights[:, :, special].sum(axis=2) @ share
    return np.stack([entropy, far, resting, row_error], axis=1).astype(np.float32)


def word_starts(words: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the position at which each word begins; special tokens and padding (−1) are words of their own.

    >>> word_starts(np.array([-1, 0, 0, 1, -1, -1])).tolist()
    [0, 1, 3, 4, 5]
    """
    begins = np.ones(len(words), dtype=bool)
    begins[1:] = (words[1:] != words[:-1]) | (words[1:] < 0)
    return np.flatnonzero(begins)


def merge_words(
    weights: npt.NDArray[np.float64], queries: npt.NDArray[np.int64], keys: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Return weights between words: summed over the tokens of a key, averaged over those of a query.

    So a row still sums to one. `queries` and `keys` are what :func:`word_starts` returns for each axis.
    Clark et al., "What Does BERT Look At?" (2019, https://arxiv.org/abs/1906.04341), section 4.1.
    """
    counts = np.diff(np.append(queries, weights.shape[-2]))
    summed = np.add.reduceat(weights, keys, axis=-1)
    merged: npt.NDArray[np.float64] = np.add.reduceat(summed, queries, axis=-2) / counts[:, None]
    return merged


def keep_mass(weights: npt.NDArray[np.floating], mass: float) -> Flags:
    """Return which weights are the largest of their row that together hold the share `mass` of it.

    The weight that reaches the share is kept too; of equal weights those further left come first.

    >>> keep_mass(np.array([[0.5, 0.1, 0.4]]), 0.6).tolist()
    [[True, False, True]]
    """
    order = np.argsort(-weights, axis=-1, kind="stable")
    ranked = np.take_along_axis(weights, order, axis=-1).astype(np.float64)
    before = np.cumsum(ranked, axis=-1) - ranked
    keep = before < mass * ranked.sum(axis=-1, keepdims=True) - 1e-9
    flags: Flags = np.zeros(weights.shape, dtype=bool)
    np.put_along_axis(flags, order, keep, axis=-1)
    return flags
