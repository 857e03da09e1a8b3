"""One axis of an attention map: tokens with their segments, words and special places.

No torch, and no tokenizer: plain strings become tokens here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertviz_lite.capture.errors import CaptureError, kind_of

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

WORD_STARTS = ("Ġ", "▁")
"""How byte-level and SentencePiece vocabularies write a space before a token."""

_PIECE_FOLLOWS = "##"
_SPECIAL = frozenset(
    (
        *("[CLS]", "[SEP]", "[PAD]", "[BOS]", "[EOS]", "<s>", "</s>", "<pad>", "<bos>", "<eos>"),
        *("<|endoftext|>", "<|begin_of_text|>", "<|end_of_text|>"),
    )
)
_PADDING = frozenset({"[PAD]", "<pad>"})


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
        takes the place of a word.
    attention_mask
        bool, shape (seq_len,): False for padding.
    words
        int64, shape (seq_len,): the word that a token belongs to, counted from 0; -1 for special tokens and
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
        values = list(dict.fromkeys(numbers.ravel().tolist()))
        raise CaptureError(
            f"segments is {numbers.shape} of {values[:4]}: it "
            f"must be {len(texts)} numbers, 0 for text A and 1 for text B."
        )
    numbers = numbers.astype(np.int64)
    words = word_numbers(texts, special | ~attention_mask, numbers)
    return Tokens(texts, None, numbers, special, attention_mask, words)


def word_numbers(
    tokens: Sequence[str], outside: Bools, segments: Ints, word_ids: Sequence[int | None] | None = None
) -> Ints:
    """Return the number of the word that each token belongs to; -1 where `outside` is set.

    A token begins a word

    - if it is the first of its text, or follows a special token;
    - if it is written with a space before it (``Ġ``, ``▁``);
    - if the tokenizer's own rule (`word_ids`: spaces and, in most, punctuation) puts it in another word than
      the token before;
    - without such a rule: if its vocabulary does not mark word starts (as above) and it does not begin with
      ``##``.

    All other tokens continue the word before them.

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
