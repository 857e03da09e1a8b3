"""Attention as plain arrays with their tokens, checked: what every picture and every chapter reads.

Nothing here knows of models or torch. What does not fit together is a `CaptureError` of one line.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertviz_lite.basics.one_line_error import OneLineError

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

WORD_STARTS = ("Ġ", "▁")
"""How byte-level and SentencePiece vocabularies write a space before a piece."""

_PIECE_FOLLOWS = "##"
_ROW_SUM_ERROR = 1e-3
_ROW_SUM_ERROR_HALF = 2e-2  # 8 bits of mantissa (bfloat16), hundreds of keys
_SPECIAL = frozenset(
    (
        *("[CLS]", "[SEP]", "[PAD]", "[BOS]", "[EOS]", "<s>", "</s>", "<pad>", "<bos>", "<eos>"),
        *("<|endoftext|>", "<|begin_of_text|>", "<|end_of_text|>"),
    )
)
_PADDING = frozenset({"[PAD]", "<pad>"})


class CaptureError(OneLineError, ValueError):
    """Attention could not be captured; the message is one line and says what to do next."""

    __module__ = "bertviz_lite"


@dataclass(frozen=True, eq=False)
class Tokens:
    """One axis of an attention map. All arrays are read-only and as long as `tokens`.

    Attributes
    ----------
    tokens
        As the tokenizer writes them: ``"##s"``, ``"Ġthe"``, ``"▁the"``.
    input_ids
        int64, shape (seq_len,); None for plain arrays.
    segments
        int64, shape (seq_len,): 0 for text A, 1 for text B.
    special
        bool, shape (seq_len,): put around the text by the tokenizer, as ``[CLS]``. ``[MASK]`` is not: it
        stands for a word.
    attention_mask
        bool, shape (seq_len,): False for padding.
    words
        int64, shape (seq_len,): the word that a piece belongs to, counted from 0; -1 for special tokens and
        padding. See :func:`word_numbers`.
    """

    tokens: tuple[str, ...]
    input_ids: Ints | None = field(repr=False)
    segments: Ints = field(repr=False)
    special: Bools = field(repr=False)
    attention_mask: Bools = field(repr=False)
    words: Ints = field(repr=False)

    def __post_init__(self) -> None:
        for array in (self.input_ids, self.segments, self.special, self.attention_mask, self.words):
            if array is not None:
                array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, eq=False)
class Scores:
    """Why one layer's weights are what they are.

    ``weights == softmax(scaling * queries @ keys.T + bias)`` to 1e-5, which was checked with the weights.

    Attributes
    ----------
    queries, keys
        float32, shapes (num_heads, query_len, head_size) and (num_heads, key_len, head_size), after rotary
        embedding if the model has one; keys that several heads share are repeated.
    scaling
        What the products are multiplied by: most often ``1 / sqrt(head_size)``.
    bias
        float32, shape (1 or num_heads, query_len, key_len): what is added to the scaled products, the
        additive attention mask and a relative position bias; None if all zero.
    """

    queries: Floats = field(repr=False)
    keys: Floats = field(repr=False)
    scaling: float
    bias: Floats | None = field(repr=False)


@dataclass(frozen=True, eq=False)
class Maps:
    """One kind of attention.

    Attributes
    ----------
    attentions
        float32, one per layer, shape (num_heads, query_len, key_len): the weights after the softmax.
    query_tokens, key_tokens
        The two axes; the same object where a text attends to itself.
    scores
        One per layer; None for plain arrays, and where the formula does not give the weights.
    """

    attentions: tuple[Floats, ...] = field(repr=False)
    query_tokens: Tokens
    key_tokens: Tokens
    scores: tuple[Scores, ...] | None = field(default=None, repr=False)

    @property
    def num_layers(self) -> int:
        """Number of layers."""
        return len(self.attentions)

    @property
    def num_heads(self) -> int:
        """Number of heads of a layer."""
        return int(self.attentions[0].shape[0])


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
        given = given.detach().float().cpu().numpy()
    try:
        array = np.asarray(given)
    except ValueError:  # lists of different lengths
        array = np.array(None)
    half = half or array.dtype == np.float16
    if array.dtype.kind not in "fiub":
        raise CaptureError(
            f"{name}[{layer}] is {kind_of(given)}: it must be an array or a tensor of numbers, "
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
    attentions: object, query_tokens: Tokens, key_tokens: Tokens, name: str = "attentions"
) -> tuple[Floats, ...]:
    """Return checked weights, one read-only array per layer, without copying what is float32 already.

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
        _check_weights(array, layer, _ROW_SUM_ERROR_HALF if half else _ROW_SUM_ERROR)
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
    if weights.min() >= 0 and (np.abs(sums - 1) <= allowed).all():  # false for NaN as well
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
    head, query = np.argwhere(~(np.abs(sums - 1) <= allowed))[0]
    raise CaptureError(
        f"layer {layer}, head {head}, query {query}: the weights sum to {sums[head, query]:.4g}, not to 1. "
        "Were keys cut off, was dropout on (model.eval()), or has the model an attention sink?"
    )


def plain_tokens(tokens: object, segments: npt.ArrayLike | None = None, name: str = "tokens") -> Tokens:
    """Make `Tokens` of bare strings: special tokens and padding by their usual names, words by the marks.

    Raises
    ------
    CaptureError
        If `tokens` is not a sequence of strings, or `segments` does not fit.
    """
    if isinstance(tokens, str) or not isinstance(tokens, Iterable):
        raise CaptureError(f"{name} is {kind_of(tokens)}: it must be a list of strings, one per position.")
    texts = tuple(tokens)
    for position, token in enumerate(texts):
        if not isinstance(token, str):
            raise CaptureError(f"{name}[{position}] is {kind_of(token)}: every token must be a string.")
    if not texts:
        raise CaptureError(f"{name} is empty: it must hold one string per position.")
    special = np.array([token in _SPECIAL for token in texts])
    attention_mask = np.ones(len(texts), dtype=bool)
    for position in range(len(texts) - 1, 0, -1):  # only a run of padding at the end is padding
        if texts[position] not in _PADDING:
            break
        attention_mask[position] = False
    numbers = np.zeros(len(texts), np.int64) if segments is None else np.array(segments)
    if numbers.shape != special.shape or not np.isin(numbers, (0, 1)).all():
        raise CaptureError(
            f"segments is {numbers.shape} of {sorted(set(numbers.ravel().tolist()))[:4]}: it "
            f"must be {len(texts)} numbers, 0 for text A and 1 for text B."
        )
    numbers = numbers.astype(np.int64)
    words = word_numbers(texts, special | ~attention_mask, numbers)
    return Tokens(texts, None, numbers, special, attention_mask, words)


def word_numbers(
    tokens: Sequence[str], outside: Bools, segments: Ints, word_ids: Sequence[int | None] | None = None
) -> Ints:
    """Return the number of the word that each piece belongs to; -1 where `outside` is set.

    A piece begins a word

    - if it is the first of its text, or follows a special token;
    - if it is written with a space before it (``Ġ``, ``▁``);
    - if the tokenizer's own rule (`word_ids`: spaces and, in most, punctuation) puts it in another word than
      the piece before;
    - without such a rule: if its vocabulary does not mark word starts (as above) and it does not begin with
      ``##``.

    All other pieces go on with the word before them.

    >>> word_numbers(["[CLS]", "find", "##s", "a"], np.array([True, False, False, False]), np.zeros(4, int))
    array([-1,  0,  0,  1])
    """
    marked = any(token.startswith(WORD_STARTS) for token in tokens)
    numbers = np.full(len(tokens), -1, np.int64)
    count = 0
    for position, token in enumerate(tokens):
        if outside[position]:
            continue
        before = position - 1
        begins = (
            before < 0
            or outside[before]
            or segments[before] != segments[position]
            or token.startswith(WORD_STARTS)
            or (word_ids is not None and word_ids[position] != word_ids[before])
            or (word_ids is None and not marked and not token.startswith(_PIECE_FOLLOWS))
        )
        count += bool(begins)
        numbers[position] = count - 1
    return numbers


def kind_of(value: object) -> str:
    """Name the type of a value in an error: "None", "a list"."""
    name = type(value).__name__
    return "None" if value is None else f"an {name}" if name[0] in "aeiouAEIOU" else f"a {name}"


def is_count(value: object) -> bool:
    """Return whether a value is a whole number (of Python or numpy), True and False not counted in."""
    try:
        operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return False
    return not isinstance(value, bool | np.bool_)
