"""A few fixed texts whose attention is kept at the moments of a training run, coded as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from bertviz_lite.data.batches import ready
from bertviz_lite.world.towns import CHINESE, TOWN, stories_of

if TYPE_CHECKING:
    from transformers import (
        BertForPreTraining,
        PreTrainedTokenizerFast,
    )


WATCHED_SEED = 900_000_100
WATCHED_LENGTH = 22
LONGER = {CHINESE: 34}
"""The most tokens of a pair, where a town has more of them for the same sentence: one for each character."""


def watched_texts(
    tokenizer: PreTrainedTokenizerFast, count: int = 3, town: str = TOWN
) -> list[tuple[str, str]]:
    """Choose short neighbouring sentences of which the second has a pronoun for somebody in the first."""
    chosen: list[tuple[str, str]] = []
    longest = LONGER.get(town, WATCHED_LENGTH)
    for story in stories_of(town, WATCHED_SEED, 300):
        for first, second in zip(story.sentences, story.sentences[1:], strict=False):
            named = {word.entity for word in first.words if word.name == "person"}
            meant = {word.entity for word in second.words if word.pos == "PRON"} - {None}
            pair = str(first), str(second)
            if meant & named and 12 <= len(tokenizer(*pair)["input_ids"]) <= longest:
                chosen.append(pair)
                break
        if len(chosen) == count:
            break
    return chosen


def watched_attention(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, texts: Sequence[tuple[str, str]]
) -> dict[str, NDArray[np.uint8]]:
    """Return the coded attention of every input.

    ``text0`` … have the shape (num_layers, num_heads, seq_len, seq_len).
    """
    coded = {}
    with ready(model, "eager"):
        for number, pair in enumerate(texts):
            inputs = tokenizer(*pair, return_tensors="pt").to(model.device)
            attentions = model.bert(**inputs, output_attentions=True).attentions
            stacked = torch.stack([layer[0] for layer in attentions]).float().cpu().numpy()
            coded[f"text{number}"] = encode_attention(stacked)
    return coded


def encode_attention(weights: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    """Code weights from 0 to 1 as bytes, finer for small ones: round(255 · √weight)."""
    code: NDArray[np.uint8] = np.rint(255 * np.sqrt(np.clip(weights, 0, 1))).astype(np.uint8)
    return code


def decode_attention(code: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the weights of a code: the largest error is 0.004, at weight 1."""
    return (code / 255.0) ** 2
