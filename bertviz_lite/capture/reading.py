"""What a tokenizer says of a text: tokens with their segments, words and special places; one token by name.

Every refusal is a `CaptureError` of one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from bertviz_lite.basics.text import clip
from bertviz_lite.capture.maps import (
    WORD_STARTS,
    Bools,
    CaptureError,
    Ints,
    Tokens,
    is_count,
    kind_of,
    word_numbers,
)

if TYPE_CHECKING:
    from transformers import BatchEncoding, PreTrainedModel, PreTrainedTokenizerBase

_BOUNDARIES = ("cls", "sep", "pad", "bos", "eos")


def check_text(name: str, text: object) -> None:
    """Refuse what is not one string with something in it."""
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


class Reading(NamedTuple):
    """A text, or a pair of texts, as a tokenizer reads it."""

    tokens: Tokens
    token_type_ids: Ints | None
    """None if the tokenizer gives none."""
    encoding: BatchEncoding
    """What the tokenizer returned."""


def read(
    tokenizer: PreTrainedTokenizerBase, text: str, text_pair: str | None = None, *, name: str = "text"
) -> Reading:
    """Tokenize one text or a pair."""
    texts = {"text_target": text} if name == "text_pair" else {"text": text, "text_pair": text_pair}
    encoded = tokenizer(
        **texts, return_special_tokens_mask=True, truncation=False, padding=False, verbose=False
    )
    input_ids = np.array(encoded["input_ids"], dtype=np.int64)
    special = _is_boundary(tokenizer, input_ids) | np.array(encoded["special_tokens_mask"], dtype=bool)
    if special.all():
        raise CaptureError(f"{name} is as good as empty: the tokenizer gives nothing but special tokens.")
    sequences = encoded.sequence_ids(0) if encoded.is_fast else None
    if text_pair is not None:
        _check_pair(tokenizer, sequences, input_ids)
    given = encoded.get("token_type_ids")
    type_ids = None if given is None else np.array(given, dtype=np.int64)
    if type_ids is not None:
        segments = np.minimum(type_ids, 1)
    else:
        segments = _segments([0] * len(input_ids) if sequences is None else sequences)
    tokens = tuple(token_names(tokenizer, input_ids))
    words = word_numbers(tokens, special, segments, encoded.word_ids(0) if encoded.is_fast else None)
    real = np.ones(len(tokens), dtype=bool)
    return Reading(Tokens(tokens, input_ids, segments, special, real, words), type_ids, encoded)


def _is_boundary(tokenizer: PreTrainedTokenizerBase, input_ids: Ints) -> Bools:
    """Return which ids stand for an end or for padding; [MASK] stands for a word."""
    ids = [getattr(tokenizer, f"{name}_token_id", None) for name in _BOUNDARIES]
    return np.isin(input_ids, [one for one in ids if one is not None])


def token_names(tokenizer: PreTrainedTokenizerBase, input_ids: Iterable[Any]) -> list[str]:
    """Return tokens by id; a model may have more ids than its tokenizer has tokens (T5, to fill up)."""
    ids = [int(one) for one in input_ids]
    names = cast("list[str | None]", tokenizer.convert_ids_to_tokens(ids))
    return [f"[id {one}]" if name is None else str(name) for one, name in zip(ids, names, strict=True)]


def _segments(sequences: Sequence[int | None]) -> Ints:
    """Give special tokens the segment of what stands before them."""
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


def read_decoder(tokenizer: PreTrainedTokenizerBase, text: str | None, model: PreTrainedModel) -> Tokens:
    """Return what the decoder reads: its start token, then `text` without the token that ends it."""
    start = getattr(model.config, "decoder_start_token_id", None)
    if start is None:
        start = getattr(getattr(model, "generation_config", None), "decoder_start_token_id", None)
    if start is None:
        raise CaptureError(
            f"{type(model).__name__} has no decoder_start_token_id in its config: "
            "set model.config.decoder_start_token_id, the token that the decoder begins with."
        )
    first = Tokens(
        tuple(token_names(tokenizer, [start])),
        input_ids=np.array([int(start)]),
        segments=np.array([0]),
        special=np.array([True]),
        attention_mask=np.array([True]),
        words=np.array([-1]),
    )
    if text is None:
        return first
    rest = read(tokenizer, text, name="text_pair").tokens
    assert first.input_ids is not None
    assert rest.input_ids is not None
    stop = len(rest) - int(rest.input_ids[-1] == tokenizer.eos_token_id)
    arrays = {
        name: np.concatenate([getattr(first, name), getattr(rest, name)[:stop]])
        for name in ("input_ids", "segments", "special", "attention_mask", "words")
    }
    return Tokens(first.tokens + rest.tokens[:stop], **arrays)


def pad(
    tokens: Tokens, type_ids: Ints | None, tokenizer: PreTrainedTokenizerBase, length: int
) -> tuple[Tokens, Ints | None]:
    """Fill up with padding on the right."""
    if not is_count(length):
        raise CaptureError(f"pad_to={length!r}: it must be a whole number of tokens.")
    more = length - len(tokens)
    if more < 0:
        raise CaptureError(f"pad_to={length}: the text has {len(tokens)} tokens. Give that number or more.")
    if more == 0:
        return tokens, type_ids
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
    return padded, None if type_ids is None else filled(type_ids, tokenizer.pad_token_type_id)


def check_fits(tokens: Tokens, model: PreTrainedModel, name: str, type_ids: Ints | None = None) -> None:
    """Refuse what the model has no positions or no embeddings for."""
    kind, config = type(model).__name__, model.config
    positions = positions_of(model)
    if positions is not None and len(tokens) > positions:
        raise CaptureError(
            f"{name} has {len(tokens)} tokens, {kind} has {positions} positions: "
            "shorten it, or capture it in parts."
        )
    assert tokens.input_ids is not None
    highest, known = int(tokens.input_ids.argmax()), _vocab_size(model)
    if tokens.input_ids[highest] >= known:
        raise CaptureError(
            f"the tokenizer gives id {tokens.input_ids[highest]} for {_short(tokens.tokens[highest])}, "
            f"{kind} knows ids up to {known - 1}: this tokenizer belongs to another model."
        )
    types = getattr(config, "type_vocab_size", None)
    if type_ids is not None and types is not None and type_ids.max() >= max(types, 1):
        raise CaptureError(
            f"text_pair: {kind} has type_vocab_size={types}, so it knows no pairs. Give one text."
        )


def _vocab_size(model: PreTrainedModel) -> int:
    table: Any = model.get_input_embeddings()
    return int(table.weight.shape[0])


def positions_of(model: PreTrainedModel) -> int | None:
    """Return how many tokens the model has positions for; None if it sets no limit."""
    positions = getattr(model.config, "max_position_embeddings", None)
    if not isinstance(positions, int) or positions <= 0:
        return None
    table = getattr(getattr(model.base_model, "embeddings", None), "position_embeddings", None)
    padding = getattr(table, "padding_idx", None)  # RoBERTa's positions begin after the padding id
    return positions if padding is None else positions - int(padding) - 1


def token_id(tokenizer: PreTrainedTokenizerBase, token: object, instead_of: str = "") -> int:
    """Return the id of one token of the vocabulary.

    A word is tried with the mark of a space before it if the token that it replaces has one (``"dog"`` for
    ``"Ġcat"`` is ``"Ġdog"``), as it stands, and as the tokenizer reads it (``"Dog"`` may be ``"dog"``).
    """
    if not isinstance(token, str) or not token:
        raise CaptureError(f'{token!r} is no token: give one token of the vocabulary, as "[MASK]".')
    mark = instead_of[:1] if instead_of.startswith(WORD_STARTS) else ""
    for candidate in dict.fromkeys((mark + token, token)):
        found = _vocabulary_id(tokenizer, candidate)
        if found is not None:
            return found
    try:
        pieces = tokenizer.tokenize(token)
    except (TypeError, UnicodeEncodeError):  # half a character
        pieces = []
    known = [_vocabulary_id(tokenizer, piece) for piece in pieces]
    if all(piece in (None, tokenizer.unk_token_id) for piece in known):
        raise CaptureError(f"{_short(token)} is not in the vocabulary, nor are parts of it. Give another.")
    if len(known) == 1 and known[0] is not None:
        return known[0]
    raise CaptureError(
        f"{_short(token)} is not one token of the vocabulary: it falls into "
        f"{', '.join(map(_short, pieces[:8]))}{', …' * (len(pieces) > 8)}. "
        "Give one of these, or another word."
    )


def _vocabulary_id(tokenizer: PreTrainedTokenizerBase, token: str) -> int | None:
    try:
        found: Any = tokenizer.convert_tokens_to_ids(token)
    except (TypeError, UnicodeEncodeError):  # half a character
        return None
    if found is None or (found == tokenizer.unk_token_id and token != tokenizer.unk_token):
        return None
    return int(found)


def _short(token: str) -> str:
    return repr(clip(token))


def edited(tokens: Tokens, tokenizer: PreTrainedTokenizerBase, edits: object) -> Tokens:
    """Put other tokens in some places; words stay as they are, but for places that were or become special."""
    if not isinstance(edits, Mapping):
        raise CaptureError(f'edits is {kind_of(edits)}: it must give tokens by position, {{4: "[MASK]"}}.')
    if not edits:
        return tokens
    assert tokens.input_ids is not None
    input_ids, texts = tokens.input_ids.copy(), list(tokens.tokens)
    for position, token in edits.items():
        if not is_count(position) or not 0 <= position < len(texts):
            raise CaptureError(
                f"edits: position {position!r} does not exist: there are {len(texts)} tokens, "
                f"numbered 0 to {len(texts) - 1}."
            )
        if not tokens.attention_mask[position]:
            raise CaptureError(f"edits: position {position} is padding, which nothing attends to.")
        input_ids[position] = token_id(tokenizer, token, texts[position])
        (texts[position],) = token_names(tokenizer, [input_ids[position]])
    changed = list(edits)
    special = tokens.special.copy()
    special[changed] = _is_boundary(tokenizer, input_ids[changed])
    outside = special | ~tokens.attention_mask
    words = word_numbers(texts, outside, tokens.segments, tokens.words.tolist())
    return replace(tokens, tokens=tuple(texts), input_ids=input_ids, special=special, words=words)
