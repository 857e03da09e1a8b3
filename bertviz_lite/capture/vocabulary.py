"""Tokens by id and by name, and tokens put in place of others.

Every refusal is a `CaptureError` of one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bertviz_lite.basics.text import clip
from bertviz_lite.capture.errors import CaptureError, is_count, kind_of
from bertviz_lite.capture.tokens import WORD_STARTS, Bools, Ints, Tokens, word_numbers

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

_BOUNDARIES = ("cls", "sep", "pad", "bos", "eos")


def check_not_empty(tokenizer: PreTrainedTokenizerBase) -> None:
    """Refuse a tokenizer that has special tokens only: ``transformers`` makes one where no files of one are.

    Such a tokenizer raises nothing: of BERT's kind it reads every word as ``[UNK]``.
    """
    if len(tokenizer) > len(tokenizer.all_special_tokens):
        return
    named = str(getattr(tokenizer, "name_or_path", "") or "")
    place = clip(named, 80) if named else "what it was loaded from"
    raise CaptureError(
        f"tokenizer knows {len(tokenizer)} special token{'s' * (len(tokenizer) != 1)} and no word: "
        f"{place} holds no tokenizer. Put its files there (tokenizer.json; or vocab.txt, for GPT-2 "
        "vocab.json and merges.txt), or load it from where they are."
    )


def is_boundary(tokenizer: PreTrainedTokenizerBase, input_ids: Ints) -> Bools:
    """Return which ids mark an end or padding; [MASK] takes the place of a word."""
    ids = [getattr(tokenizer, f"{name}_token_id", None) for name in _BOUNDARIES]
    return np.isin(input_ids, [number for number in ids if number is not None])


def token_names(tokenizer: PreTrainedTokenizerBase, input_ids: Iterable[Any]) -> list[str]:
    """Return tokens by id; a model may have more ids than its tokenizer has tokens (T5, to fill up)."""
    ids = [int(number) for number in input_ids]
    names = cast("list[str | None]", tokenizer.convert_ids_to_tokens(ids))
    return [f"[id {number}]" if name is None else str(name) for number, name in zip(ids, names, strict=True)]


def token_id(tokenizer: PreTrainedTokenizerBase, token: object, instead_of: str = "") -> int:
    """Return the id of one token of the vocabulary.

    A word is tried with the mark of a space before it if the token that it replaces has one (``"dog"`` for
    ``"Ġcat"`` is ``"Ġdog"``), as it stands, and as the tokenizer reads it (``"Dog"`` may be ``"dog"``).
    """
    if not isinstance(token, str) or not token:
        raise CaptureError(f'{token!r} is no token: give one token of the vocabulary, as "[MASK]".')
    mark = instead_of[:1] if instead_of.startswith(WORD_STARTS) else ""
    for candidate in dict.fromkeys((mark + token, token)):
        number = _vocabulary_id(tokenizer, candidate)
        if number is not None:
            return number
    try:
        parts = tokenizer.tokenize(token)
    except (TypeError, UnicodeEncodeError):  # half a character
        parts = []
    known = [_vocabulary_id(tokenizer, part) for part in parts]
    if all(number in (None, tokenizer.unk_token_id) for number in known):
        raise CaptureError(f"{clip(token)!r} is not in the vocabulary, nor are parts of it. Give another.")
    if len(known) == 1 and known[0] is not None:
        return known[0]
    raise CaptureError(
        f"{clip(token)!r} is not one token of the vocabulary: it falls into "
        f"{', '.join(repr(clip(part)) for part in parts[:8])}{', …' * (len(parts) > 8)}. "
        "Give one of these, or another word."
    )


def _vocabulary_id(tokenizer: PreTrainedTokenizerBase, token: str) -> int | None:
    try:
        number: Any = tokenizer.convert_tokens_to_ids(token)
    except (TypeError, UnicodeEncodeError):  # half a character
        return None
    if number is None or (number == tokenizer.unk_token_id and token != tokenizer.unk_token):
        return None
    return int(number)


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
    special[changed] = is_boundary(tokenizer, input_ids[changed])
    outside = special | ~tokens.attention_mask
    words = word_numbers(texts, outside, tokens.segments, tokens.words.tolist())
    return replace(tokens, tokens=tuple(texts), input_ids=input_ids, special=special, words=words)
