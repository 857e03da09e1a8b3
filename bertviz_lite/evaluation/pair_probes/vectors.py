"""Logits, pooled outputs and mean vectors of many pairs of texts."""

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

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class PairInput:
    """A pair of texts as ids and segments, int64, (seq_len,) each."""

    input_ids: Ints
    token_type_ids: Ints


@dataclass(frozen=True)
class PairVectors:
    """What a model computes for some pairs, in the order of the pairs.

    Attributes
    ----------
    logits
        float64, (pairs, 2): column 0 for "B continues A", column 1 for "B is of another story".
    pooled
        float64, (pairs, hidden_size): the pooled output, the input of the head.
    means
        float64, (pairs, 2 · hidden_size): the mean of the last layer's vectors over segment 0, then that over
        segment 1; special tokens are in their segment, padding is left out.
    words
        float64, (pairs, 2 · hidden_size): the same of the word embeddings, which hold nothing about order.
    """

    logits: Floats
    pooled: Floats
    means: Floats
    words: Floats

    @property
    def log_odds(self) -> Floats:
        """The logit of the probability of "B continues A", (pairs,): above 0 that label is predicted."""
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
    return run_pairs(model, [encode_pair(model, tokenizer, first, second)[0] for first, second in pairs])


def encode_pair(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, first: str, second: str
) -> tuple[PairInput, Any]:
    """Turn a pair of texts into an input; also return what the tokenizer returned."""
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
    head, encoder, size = next_sentence_head(model), cast("Any", model.base_model), model.config.hidden_size
    vectors = PairVectors(*(np.zeros((len(rows), columns)) for columns in (2, size, 2 * size, 2 * size)))
    table = encoder.get_input_embeddings()
    with ready(cast("Any", model)):
        for batch in batches([len(row.input_ids) for row in rows]):
            input_ids, attention_mask = pad([rows[index].input_ids for index in batch], model.device)
            second, _ = pad([rows[index].token_type_ids for index in batch], model.device)
            outputs = encoder(input_ids, attention_mask=attention_mask, token_type_ids=second)
            parts = attention_mask - second, second
            vectors.logits[batch] = _array(head(outputs.pooler_output))
            vectors.pooled[batch] = _array(outputs.pooler_output)
            vectors.means[batch] = _array(_means(outputs.last_hidden_state, parts))
            vectors.words[batch] = _array(_means(table(input_ids), parts))
    return vectors


def _means(states: Tensor, parts: tuple[Tensor, Tensor]) -> Tensor:
    """Average over each part's positions, end to end: (batch, seq_len, size) -> (batch, 2 · size)."""
    return torch.cat(
        [(states * part[..., None]).sum(1) / part.sum(1, keepdim=True) for part in parts], dim=-1
    )


def _array(tensor: Tensor) -> Floats:
    array: Floats = tensor.double().cpu().numpy()
    return array


def next_sentence_head(model: PreTrainedModel) -> torch.nn.Linear:
    """Return the next-sentence head of either class that has one."""
    head = getattr(getattr(model, "cls", None), "seq_relationship", None)
    if head is None:
        raise ArgumentError(
            f"{type(model).__name__} has no next-sentence head: give a BertForPreTraining or a "
            "BertForNextSentencePrediction."
        )
    return cast("torch.nn.Linear", head)
