"""What a tokenizer makes of a text: tokens with their segments, words and special places.

Every refusal is a `CaptureError` of one line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bertviz_lite.capture.errors import CaptureError, is_count, kind_of
from bertviz_lite.capture.limits import check_padding
from bertviz_lite.capture.tokens import Bools, Ints, Tokens, word_numbers
from bertviz_lite.capture.vocabulary import is_boundary, token_names

if TYPE_CHECKING:
    from transformers import BatchEncoding, PreTrainedModel, PreTrainedTokenizerBase

    Text = str | Sequence[str]
    """One string, or the words of a text that is split already."""


class Inputs(NamedTuple):
    """What a model is to read."""

    tokens: Tokens
    token_type_ids: Ints | None = None
    """None if the tokenizer gives none, or the model takes none."""
    decoder_tokens: Tokens | None = None
    encoding: BatchEncoding | None = None
    """What the tokenizer returned for the text, where it speaks of these tokens."""


def check_text(name: str, text: object, *, split: bool = False) -> None:
    """Refuse what is not one string with something in it, or, with `split`, a list of such words."""
    if split:
        if isinstance(text, str) or not isinstance(text, Sequence):
            raise CaptureError(
                f"{name} is {kind_of(text)}: with is_split_into_words=True it must be a list of words."
            )
        if not text:
            raise CaptureError(f"{name} is empty: there is nothing to attend to.")
        for number, word in enumerate(text):
            check_text(f"{name}[{number}]", word)
        return
    if _is_of_a_tokenizer(text):
        raise CaptureError(
            f"{name} is {kind_of(text)}: it must be one string. What a tokenizer returned is given by name: "
            "capture(model, tokenizer, inputs=batch)."
        )
    if isinstance(text, list | tuple):
        raise CaptureError(
            f"{name} is {kind_of(text)}: it must be one string. Capture several one by one; "
            "of one text's words say is_split_into_words=True."
        )
    if not isinstance(text, str):
        raise CaptureError(f"{name} is {kind_of(text)}: it must be one string. Capture several one by one.")
    if not text.strip():
        raise CaptureError(f"{name} is empty: there is nothing to attend to.")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise CaptureError(
            f"{name} holds half a character (a lone surrogate) at position {error.start}: take it out."
        ) from None


def _is_of_a_tokenizer(value: object) -> bool:
    """Return whether a value is what tokenizers return: entries by name, or ids in lists, arrays, tensors."""
    inside = value
    while isinstance(inside, list | tuple) and inside:
        inside = inside[0]
    if isinstance(inside, np.ndarray):
        return inside.dtype.kind in "iuf"
    if isinstance(inside, Mapping) or hasattr(inside, "detach"):
        return True
    return inside is not value and is_count(inside)


def read(
    tokenizer: PreTrainedTokenizerBase,
    text: Text,
    text_pair: Text | None = None,
    *,
    name: str = "text",
    split: bool = False,
) -> Inputs:
    """Tokenize one text or a pair; `split` says that they are lists of words."""
    texts: dict[str, Any] = {"text": text, "text_pair": text_pair}
    if name == "text_pair":
        texts = {"text_target": text}
    if split:
        texts["is_split_into_words"] = True
    try:
        encoding = tokenizer(
            **texts, return_special_tokens_mask=True, truncation=False, padding=False, verbose=False
        )
    except (AssertionError, TypeError, ValueError) as error:
        if not split:
            raise
        raise CaptureError(f"{type(tokenizer).__name__} does not take words one by one: {error}") from error
    input_ids = np.array(encoding["input_ids"], dtype=np.int64)
    given = encoding.get("token_type_ids")
    type_ids = None if given is None else np.array(given, dtype=np.int64)
    special = np.array(encoding["special_tokens_mask"], dtype=bool)
    tokens = make_tokens(tokenizer, input_ids, special=special, type_ids=type_ids, encoding=encoding)
    if tokens.special.all():
        raise CaptureError(f"{name} is as good as empty: the tokenizer gives nothing but special tokens.")
    if text_pair is not None:
        _check_pair(tokenizer, _sequences(encoding), input_ids)
    return Inputs(tokens, type_ids, encoding=encoding)


def make_tokens(
    tokenizer: PreTrainedTokenizerBase,
    input_ids: Ints,
    *,
    special: Bools | bool = False,
    type_ids: Ints | None = None,
    attention_mask: Bools | None = None,
    encoding: BatchEncoding | None = None,
) -> Tokens:
    """Return ids as tokens.

    `special` says which the tokenizer put around the text, where that is known; `encoding` is what it
    returned for just these ids.
    """
    real = np.ones(len(input_ids), dtype=bool) if attention_mask is None else attention_mask
    special = is_boundary(tokenizer, input_ids) | special | ~real
    if type_ids is not None:
        segments = np.minimum(type_ids, 1)
    else:
        segments = _segments(_sequences(encoding) or [0] * len(input_ids))
    names = tuple(token_names(tokenizer, input_ids))
    rule = encoding.word_ids(0) if encoding is not None and encoding.is_fast else None
    words = word_numbers(names, special, segments, rule)
    return Tokens(names, input_ids, segments, special, real, words)


def _sequences(encoding: BatchEncoding | None) -> list[int | None] | None:
    """Return which text each token is of; None for a tokenizer that does not say."""
    return encoding.sequence_ids(0) if encoding is not None and encoding.is_fast else None


def _segments(sequences: Sequence[int | None]) -> Ints:
    """Give special tokens the segment of the token before them."""
    segments = np.zeros(len(sequences), dtype=np.int64)
    for position, sequence in enumerate(sequences):
        segments[position] = segments[position - 1] if sequence is None and position else sequence or 0
    return segments


def _check_pair(
    tokenizer: PreTrainedTokenizerBase, sequences: Sequence[int | None] | None, input_ids: Ints
) -> None:
    """Refuse a pair that the tokenizer runs together."""
    if sequences is None:
        separated = tokenizer.num_special_tokens_to_add(True) > tokenizer.num_special_tokens_to_add(False)
    else:
        first = max((i for i, sequence in enumerate(sequences) if sequence == 0), default=-1)
        second = min((i for i, sequence in enumerate(sequences) if sequence == 1), default=len(sequences))
        between = set(input_ids[first + 1 : second].tolist())
        separated = bool(between & {tokenizer.sep_token_id, tokenizer.eos_token_id})
    if not separated:
        raise CaptureError(
            f"text_pair: {type(tokenizer).__name__} puts no separator between two texts, so its model knows "
            "no pairs. Give one text."
        )


def read_decoder(
    tokenizer: PreTrainedTokenizerBase, text: Text | None, model: PreTrainedModel, *, split: bool = False
) -> Tokens:
    """Return what the decoder reads: its start token, then `text` without the token that ends it."""
    start = getattr(model.config, "decoder_start_token_id", None)
    if start is None:
        start = getattr(getattr(model, "generation_config", None), "decoder_start_token_id", None)
    if start is None:
        raise CaptureError(
            f"{type(model).__name__} has no decoder_start_token_id in its config: "
            "set model.config.decoder_start_token_id, the token that the decoder begins with."
        )
    first = make_tokens(tokenizer, np.array([int(start)]), special=True)
    if text is None:
        return first
    rest = read(tokenizer, text, name="text_pair", split=split).tokens
    assert first.input_ids is not None
    assert rest.input_ids is not None
    stop = len(rest) - int(rest.input_ids[-1] == tokenizer.eos_token_id)
    arrays = {
        name: np.concatenate([getattr(first, name), getattr(rest, name)[:stop]])
        for name in ("input_ids", "segments", "special", "attention_mask", "words")
    }
    return Tokens(first.tokens + rest.tokens[:stop], **arrays)


def pad(inputs: Inputs, tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, length: int) -> Inputs:
    """Fill up with padding on the right."""
    tokens, type_ids = inputs.tokens, inputs.token_type_ids
    check_padding(length, len(tokens), model)
    more = length - len(tokens)
    if more == 0:
        return inputs
    if tokenizer.pad_token_id is None:
        raise CaptureError(f"pad_to={length}: {type(tokenizer).__name__} has no padding token.")

    def filled(array: Any, value: int) -> Any:  # noqa: ANN401 - of any type of number
        return np.pad(array, (0, more), constant_values=value)

    padded = Tokens(
        (*tokens.tokens, *[tokenizer.pad_token] * more),
        input_ids=filled(tokens.input_ids, tokenizer.pad_token_id),
        segments=filled(tokens.segments, 0),
        special=filled(tokens.special, True),
        attention_mask=filled(tokens.attention_mask, False),
        words=filled(tokens.words, -1),
    )
    padded_types = None if type_ids is None else filled(type_ids, tokenizer.pad_token_type_id)
    return Inputs(padded, padded_types, inputs.decoder_tokens)
