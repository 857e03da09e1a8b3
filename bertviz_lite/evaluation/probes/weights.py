"""Attention weights of chosen words: where each head's largest one falls, and how much lies on targets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from bertviz_lite.data.batches import batches, pad, ready
from bertviz_lite.data.encoded_stories import EncodedStory
from bertviz_lite.evaluation.checks import check_encoded
from bertviz_lite.evaluation.probes.relations import Relation

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import BertForPreTraining


def largest_weights(
    model: BertForPreTraining, encoded: Sequence[EncodedStory], relations: Sequence[Relation]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find where each head looks most, for each relation's word.

    The rows of a word's tokens are averaged.

    Returns
    -------
    tuple
        Positions, each of shape (relations, num_layers, num_heads): with [CLS] and [SEP] left out, and with
        them in.
    """
    config = model.config
    without = np.zeros((len(relations), config.num_hidden_layers, config.num_attention_heads), np.int64)
    with_special = without.copy()
    for index, weights in _rows(model, encoded, relations):
        with_special[index] = weights.argmax(-1)
        without[index] = weights[..., 1:-1].argmax(-1) + 1
    return without, with_special


def weights_on_targets(
    model: BertForPreTraining, encoded: Sequence[EncodedStory], relations: Sequence[Relation]
) -> NDArray[np.float64]:
    """Measure how much of its weight each head puts on the targets of each relation, all of them together.

    The rows of a word's tokens are averaged.

    Returns
    -------
    ndarray
        Shares, float64, shape (relations, num_layers, num_heads).
    """
    config = model.config
    shares = np.zeros((len(relations), config.num_hidden_layers, config.num_attention_heads))
    for index, weights in _rows(model, encoded, relations):
        shares[index] = weights[..., list(relations[index].targets)].sum(-1)
    return shares


def _rows(
    model: BertForPreTraining, encoded: Sequence[EncodedStory], relations: Sequence[Relation]
) -> Iterator[tuple[int, NDArray[np.floating[Any]]]]:
    """Yield each relation's index and its word's weights, shape (num_layers, num_heads, seq_len)."""
    check_encoded(encoded)
    wanted: dict[int, list[int]] = defaultdict(list)
    for index, relation in enumerate(relations):
        wanted[relation.story].append(index)
    stories = sorted(wanted)
    with ready(model, "eager"):
        for batch in batches([len(encoded[story].input_ids) for story in stories]):
            chosen = [stories[index] for index in batch]
            input_ids, attention_mask = pad([encoded[story].input_ids for story in chosen], model.device)
            outputs = model.bert(input_ids, attention_mask=attention_mask, output_attentions=True)
            attentions = np.stack([_numpy(layer) for layer in outputs.attentions], 1)
            for row, story in enumerate(chosen):
                seq_len = len(encoded[story].input_ids)
                for index in wanted[story]:
                    relation = relations[index]
                    weights = attentions[row, :, :, relation.start : relation.stop, :seq_len]
                    yield index, weights.mean(2)


def _numpy(weights: Tensor) -> NDArray[np.floating[Any]]:
    """Copy weights to the processor; half precision, which numpy may not know, becomes float32."""
    array: NDArray[np.floating[Any]] = (
        weights.to(torch.promote_types(weights.dtype, torch.float32)).cpu().numpy()
    )
    return array
