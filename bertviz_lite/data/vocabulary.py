"""The vocabulary: word pieces learned from training text, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bertviz_lite.basics.arguments import ArgumentError, a_or_an, instance, shown, whole_number

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
MAX_LENGTH = 128


def train_tokenizer(
    texts: Iterable[str], vocab_size: int = 2000, words: Iterable[str] = ()
) -> PreTrainedTokenizerFast:
    """Learn a lower-cased WordPiece vocabulary.

    The ids are: the five special tokens, the printable ASCII characters, the same letters and digits as
    ``##`` continuations, the listed words, then the learned word pieces, the earliest joined first. The same
    texts give the same vocabulary in every process: the trainer of ``tokenizers`` numbers continuations in
    the order of a hash table and breaks ties by these numbers, so they are given to it beforehand.

    Parameters
    ----------
    texts
        Any number of texts.
    vocab_size
        Number of entries at most; fewer where the texts hold no more.
    words
        Words that are one token each, whether the texts hold them or not. One with a hyphen or an apostrophe
        is several words to BERT, and each of these is one token.

    Returns
    -------
    PreTrainedTokenizerFast
        A ``BertTokenizer``, padding to at most 128 positions.

    Raises
    ------
    ArgumentError
        Where ``vocab_size`` leaves no room for the alphabet and the words, or ``texts`` or ``words`` holds
        something else.
    """
    from tokenizers import Tokenizer, normalizers, pre_tokenizers
    from tokenizers.models import WordPiece
    from tokenizers.trainers import WordPieceTrainer

    _check_list("texts", texts, "texts")
    _check_list("words", words, "words")
    vocab_size = whole_number("vocab_size", vocab_size)
    alphabet = _alphabet()
    if vocab_size < len(alphabet):
        raise ArgumentError(
            f"vocab_size={vocab_size}: the special tokens and characters alone are {len(alphabet)}"
        )
    whole = [word for word in _single_words(words) if word not in alphabet]
    if vocab_size < len(alphabet) + len(whole):
        raise ArgumentError(
            f"vocab_size={vocab_size}: the special tokens and characters are {len(alphabet)}, "
            f"the listed words {len(whole):,}; {len(alphabet) + len(whole):,} is the least"
        )
    learner = Tokenizer(WordPiece(unk_token="[UNK]"))
    learner.normalizer = normalizers.BertNormalizer(lowercase=True)
    learner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = WordPieceTrainer(
        vocab_size=vocab_size,
        special_tokens=alphabet,
        initial_alphabet=[],
        limit_alphabet=0,
        show_progress=False,
    )
    learner.train_from_iterator((instance("a text", text, str, "a str") for text in texts), trainer)
    vocabulary = learner.get_vocab()
    learned = vocabulary.keys() - set(alphabet) - set(whole)
    pieces = [*alphabet, *whole, *sorted(learned, key=lambda piece: (vocabulary[piece], piece))][:vocab_size]
    return _tokenizer_of(pieces)


def character_tokenizer(characters: Iterable[str]) -> PreTrainedTokenizerFast:
    """Return a tokenizer that cuts Chinese as ``bert-base-chinese`` does: each character is a token.

    The ids are: the five special tokens, the printable ASCII characters, the same letters and digits as
    ``##`` continuations (a Latin word is cut into letters), then the given characters in the order of
    Unicode. So the ids are the same whatever the order in which characters are given.

    Parameters
    ----------
    characters
        Texts whose characters are to be known: words, punctuation.

    Returns
    -------
    PreTrainedTokenizerFast
        A ``BertTokenizer``, padding to at most 128 positions.

    Raises
    ------
    ArgumentError
        Where ``characters`` holds something else than texts.

    Examples
    --------
    >>> character_tokenizer(["小狗", "一只"]).tokenize("一只小狗，Q")
    ['一', '只', '小', '狗', '[UNK]', 'q']
    """
    _check_list("characters", characters, "texts")
    known = {character for text in characters for character in instance("a text", text, str, "a str")}
    alphabet = _alphabet()
    pieces = [*alphabet, *sorted(known - set(alphabet) - set(ascii_uppercase) - {" "})]
    return _tokenizer_of(pieces)


def _check_list(name: str, given: object, items: str) -> None:
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise ArgumentError(f"{name}={shown(given)}: a list of {items} is needed, not {a_or_an(given)}.")


def _tokenizer_of(tokens: list[str]) -> PreTrainedTokenizerFast:
    """Return the tokenizer of a vocabulary; a token's place in it is its id."""
    from transformers import BertTokenizer

    tokenizer: PreTrainedTokenizerFast = BertTokenizer(
        vocab={token: index for index, token in enumerate(tokens)},
        do_lower_case=True,
        model_max_length=MAX_LENGTH,
    )
    return tokenizer


def _alphabet() -> list[str]:
    """Return what every vocabulary begins with."""
    characters = [chr(code) for code in range(33, 127) if not chr(code).isupper()]
    continuations = [f"##{character}" for character in digits + ascii_lowercase]
    return [*SPECIAL_TOKENS, *characters, *continuations]


def _single_words(words: Iterable[str]) -> list[str]:
    """Return what BERT reads as the different words of a list, in their order."""
    from tokenizers import normalizers, pre_tokenizers

    normalise = normalizers.BertNormalizer(lowercase=True).normalize_str
    split = pre_tokenizers.BertPreTokenizer().pre_tokenize_str
    given = [instance("a word", word, str, "a str") for word in words]
    return list(dict.fromkeys(part for word in given for part, _ in split(normalise(word))))


def check_tokenizer(tokenizer: PreTrainedTokenizerFast) -> PreTrainedTokenizerFast:
    """Return a fast tokenizer, or refuse what is none.

    Raises
    ------
    ArgumentError
        Where it is something else.
    """
    if not hasattr(tokenizer, "backend_tokenizer"):
        raise ArgumentError(
            f"tokenizer={shown(tokenizer)}: a fast tokenizer is needed, as load()[0], "
            f"not {a_or_an(tokenizer)}."
        )
    return tokenizer


def continuation_tokens(tokenizer: PreTrainedTokenizerFast) -> NDArray[np.bool_]:
    """Return which ids are word pieces with ``##``: boolean, shape (vocab_size,)."""
    check_tokenizer(tokenizer)
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    return np.array([token.startswith("##") for token in tokens])
