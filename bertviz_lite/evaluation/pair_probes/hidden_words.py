"""What each word does to the verdict on a pair: its tokens are masked, one word at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.evaluation.checks import check_model_and_tokenizer
from bertviz_lite.evaluation.pair_probes.vectors import (
    Floats,
    PairInput,
    encode_pair,
    next_sentence_head,
    run_pairs,
)

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


@dataclass(frozen=True)
class OccludedWord:
    """A word of a pair, as the tokenizer cuts texts: at spaces and around punctuation.

    Attributes
    ----------
    text
        As in the text.
    start, stop
        Its tokens are those from ``start`` to ``stop - 1``.
    segment
        0 for a word of A, 1 for a word of B.
    """

    text: str
    start: int
    stop: int
    segment: int


@dataclass(frozen=True)
class Occlusion:
    """The head's verdict on a pair, as given and with each word hidden in turn.

    Attributes
    ----------
    tokens
        All tokens of the pair, special ones included.
    words
        Every word of A, then every word of B; [CLS] and [SEP] are not words.
    probability
        Of "B continues A" (label 0), for the pair as given.
    log_odds
        Its logit: the logit of label 0 minus that of label 1. Changes of it can be compared where
        probabilities are pressed against 0 or 1.
    hidden_probability, hidden_log_odds
        float64, shape (words,): the same two with all tokens of that one word replaced by [MASK].
    """

    tokens: tuple[str, ...]
    words: tuple[OccludedWord, ...]
    probability: float
    log_odds: float
    hidden_probability: Floats
    hidden_log_odds: Floats

    @property
    def drop(self) -> Floats:
        """``log_odds - hidden_log_odds``: positive for a word that supports "B continues A"."""
        return self.log_odds - self.hidden_log_odds

    @property
    def probability_drop(self) -> Floats:
        """``probability - hidden_probability``, the same in probability."""
        return self.probability - self.hidden_probability


def occlusion(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, first: str, second: str
) -> Occlusion:
    """Hide one word after the other, and watch the probability that B continues A.

    Every word in turn has all its tokens replaced by [MASK]; positions, segments and length stay.
    All these inputs and the pair as given run side by side (in one batch, up to some 8,000 positions).

    The result shows by how much *this* verdict changes if *this one* word cannot be read and nothing else is
    changed. It does not show that the changes add up to the verdict; that a word with change 0 is not used (a
    name that occurs twice can be read at its other place); or how the head would judge a text without the
    word. A [MASK] is not an absence: masked words are common in pre-training, but they keep their position,
    and the model guesses what was there.

    Parameters
    ----------
    model
        A ``BertForPreTraining`` or ``BertForNextSentencePrediction``; left as it was. The passes run in the
        model's own dtype: for digits that hold on every machine, give ``model.double()``.
    tokenizer
        The fast tokenizer that belongs to it, with a [MASK].
    first, second
        The texts A and B.

    Returns
    -------
    Occlusion
        Words with their tokens and segment; probabilities and log-odds as float64.

    Raises
    ------
    TypeError
        If `model` has no next-sentence head, or a text is not a string.
    ValueError
        If a text is empty, or the pair has more tokens than the model has positions.

    Examples
    --------
    >>> seen = occlusion(model, tokenizer, "Ada lost a key.", "Ada found it.")  # doctest: +SKIP
    >>> seen.words[-3]  # doctest: +SKIP
    OccludedWord(text='found', start=8, stop=9, segment=1)
    >>> seen.drop.shape  # doctest: +SKIP
    (9,)
    """
    check_model_and_tokenizer(model, tokenizer)
    next_sentence_head(model)
    given, encoded = encode_pair(model, tokenizer, first, second)
    words = _words(encoded, (first, second))
    rows = [given]
    for word in words:
        input_ids = given.input_ids.copy()
        input_ids[word.start : word.stop] = tokenizer.mask_token_id
        rows.append(PairInput(input_ids, given.token_type_ids))
    log_odds = run_pairs(model, rows).log_odds
    probability = _sigmoid(log_odds)
    return Occlusion(
        tokens=tuple(encoded.tokens()),
        words=words,
        probability=float(probability[0]),
        log_odds=float(log_odds[0]),
        hidden_probability=probability[1:],
        hidden_log_odds=log_odds[1:],
    )


def _words(encoded: Any, texts: tuple[str, str]) -> tuple[OccludedWord, ...]:  # noqa: ANN401 - BatchEncoding
    """Gather the tokens of each word of either text."""
    words: list[OccludedWord] = []
    last: tuple[int, int] | None = None
    for place, (segment, number) in enumerate(zip(encoded.sequence_ids(), encoded.word_ids(), strict=True)):
        if segment is None:
            last = None
            continue
        if (segment, number) == last:
            before = words.pop()
            words.append(OccludedWord(before.text, before.start, place + 1, segment))
            continue
        span = encoded.word_to_chars(number, sequence_index=segment)
        words.append(OccludedWord(texts[segment][span.start : span.end], place, place + 1, segment))
        last = (segment, number)
    return tuple(words)


def _sigmoid(log_odds: Floats) -> Floats:
    """1 / (1 + e^-x), without overflow at either end."""
    small = np.exp(-np.abs(log_odds))
    return np.where(log_odds >= 0, 1.0, small) / (1.0 + small)
