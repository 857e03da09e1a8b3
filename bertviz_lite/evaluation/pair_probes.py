"""What does the next-sentence head go by? Its logits for pairs of texts, and what each word does to them.

Label 0 says "B continues A", label 1 "B is of another story"; everything here is in terms of label 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from bertviz_lite.basics.arguments import ArgumentError, shown
from bertviz_lite.data.batches import batches, pad, ready
from bertviz_lite.evaluation.checks import check_model_and_tokenizer

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

__all__ = [
    "OccludedWord",
    "Occlusion",
    "PairInput",
    "PairVectors",
    "occlusion",
    "pair_vectors",
    "run_pairs",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


# Numbers for each pair


@dataclass(frozen=True)
class PairInput:
    """A pair of texts as ids and segments, int64, (seq_len,) each."""

    input_ids: Ints
    token_type_ids: Ints


@dataclass(frozen=True)
class PairVectors:
    """What a model makes of some pairs, in the order of the pairs.

    Attributes
    ----------
    logits
        float64, (pairs, 2): column 0 for "B continues A", column 1 for "B is of another story".
    pooled
        float64, (pairs, hidden_size): the pooled output, which the head reads.
    means
        float64, (pairs, 2 · hidden_size): the mean of the last layer's vectors over segment 0, then that over
        segment 1; special tokens are in their segment, padding is left out.
    words
        float64, (pairs, 2 · hidden_size): the same of the word embeddings, which know nothing of order.
    """

    logits: Floats
    pooled: Floats
    means: Floats
    words: Floats

    @property
    def log_odds(self) -> Floats:
        """The logit of the probability of "B continues A", (pairs,): above 0 the head says yes."""
        difference: Floats = self.logits[:, 0] - self.logits[:, 1]
        return difference


def pair_vectors(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, pairs: Sequence[tuple[str, str]]
) -> PairVectors:
    """Run pairs of texts (A, B) through the model, those of like length side by side.

    Parameters
    ----------
    model
        A ``BertForPreTraining`` or ``BertForNextSentencePrediction``; it is put into evaluation mode for the
        passes and left as it was. The passes run in the model's own dtype.
    tokenizer
        The tokenizer that belongs to it.
    pairs
        Any number of pairs of texts.

    Raises
    ------
    TypeError
        If `model` has no next-sentence head, or a text is not a string.
    ValueError
        If a text is empty, or a pair has more tokens than the model has positions.
    """
    check_model_and_tokenizer(model, tokenizer)
    given: Sequence[object] = pairs
    for pair in given:
        if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise ArgumentError(f"pairs holds {shown(pair)}: give pairs of two texts, (A, B).")
    return run_pairs(model, [_encode(model, tokenizer, first, second)[0] for first, second in pairs])


def _encode(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, first: str, second: str
) -> tuple[PairInput, Any]:
    """Turn a pair of texts into an input; also return what the tokenizer says of it."""
    for name, text in (("first", first), ("second", second)):
        if not isinstance(text, str):
            raise ArgumentError(f"{name} must be one string, not {type(text).__name__}.")
        if not text.strip():
            raise ArgumentError(f"{name} is empty: the next-sentence head needs two texts.")
    encoded = tokenizer(first, second, return_token_type_ids=True, verbose=False)
    row = PairInput(np.array(encoded["input_ids"]), np.array(encoded["token_type_ids"]))
    positions = model.config.max_position_embeddings
    if len(row.input_ids) > positions:
        raise ArgumentError(
            f"the pair has {len(row.input_ids)} tokens, the model has {positions} positions: "
            "shorten first or second."
        )
    return row, encoded


def run_pairs(model: PreTrainedModel, rows: Sequence[PairInput]) -> PairVectors:
    """Run encoded pairs in batches of like length; see :func:`pair_vectors`."""
    head, encoder, size = _head(model), cast("Any", model.base_model), model.config.hidden_size
    found = PairVectors(*(np.zeros((len(rows), columns)) for columns in (2, size, 2 * size, 2 * size)))
    table = encoder.get_input_embeddings()
    with ready(cast("Any", model)):
        for batch in batches([len(row.input_ids) for row in rows]):
            input_ids, attention_mask = pad([rows[index].input_ids for index in batch], model.device)
            second, _ = pad([rows[index].token_type_ids for index in batch], model.device)
            outputs = encoder(input_ids, attention_mask=attention_mask, token_type_ids=second)
            parts = attention_mask - second, second
            found.logits[batch] = _array(head(outputs.pooler_output))
            found.pooled[batch] = _array(outputs.pooler_output)
            found.means[batch] = _array(_means(outputs.last_hidden_state, parts))
            found.words[batch] = _array(_means(table(input_ids), parts))
    return found


def _means(states: Tensor, parts: tuple[Tensor, Tensor]) -> Tensor:
    """Average over each part's positions, end to end: (batch, seq_len, size) -> (batch, 2 · size)."""
    return torch.cat([(states * one[..., None]).sum(1) / one.sum(1, keepdim=True) for one in parts], dim=-1)


def _array(tensor: Tensor) -> Floats:
    array: Floats = tensor.double().cpu().numpy()
    return array


def _head(model: PreTrainedModel) -> torch.nn.Linear:
    """Return the next-sentence head of either class that has one."""
    head = getattr(getattr(model, "cls", None), "seq_relationship", None)
    if head is None:
        raise ArgumentError(
            f"{type(model).__name__} has no next-sentence head: give a BertForPreTraining or a "
            "BertForNextSentencePrediction."
        )
    return cast("torch.nn.Linear", head)


# One number for each word


@dataclass(frozen=True)
class OccludedWord:
    """A word of a pair, as the tokenizer cuts texts: at spaces and around punctuation.

    Attributes
    ----------
    text
        As it stands in the text.
    start, stop
        Its pieces are the tokens ``start`` … ``stop - 1``.
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
        float64, shape (words,): the same two with all pieces of that one word behind [MASK].
    """

    tokens: tuple[str, ...]
    words: tuple[OccludedWord, ...]
    probability: float
    log_odds: float
    hidden_probability: Floats
    hidden_log_odds: Floats

    @property
    def drop(self) -> Floats:
        """``log_odds - hidden_log_odds``: positive for a word that speaks for "B continues A"."""
        return self.log_odds - self.hidden_log_odds

    @property
    def probability_drop(self) -> Floats:
        """``probability - hidden_probability``, the same in probability."""
        return self.probability - self.hidden_probability


def occlusion(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, first: str, second: str
) -> Occlusion:
    """Hide one word after the other, and watch the probability that B continues A.

    Every word in turn has all its pieces replaced by [MASK]; positions and segments stay, so does the length.
    All these inputs and the pair as given run side by side (in one batch, up to some 8,000 positions).

    What it may claim: by how much *this* verdict changes if *this one* word cannot be read, and nothing else
    is changed. What it may not: that the changes add up to the verdict; that a word with change 0 is not used
    (a name that stands twice can be read at its other place); or how the head would judge a text without the
    word. A [MASK] is not an absence: masked words are a usual sight in pre-training, but they carry their
    place, and with it a guess of what stood there.

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
        Words with their pieces and segment; probabilities and log-odds as float64.

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
    _head(model)
    given, encoded = _encode(model, tokenizer, first, second)
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
    """Gather the pieces of each word of either text."""
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
