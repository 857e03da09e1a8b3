"""What readers of one side guess at hidden words, and what two of them guess together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import torch
from torch import Tensor

from bertviz_lite.data.batches import batches, pad
from bertviz_lite.data.encoded_stories import EncodedStory
from experiments.one_way.reader import Reader


def choose_words(encoded: Sequence[EncodedStory], rate: float = 0.15) -> list[np.ndarray[Any, Any]]:
    """Choose words, no punctuation, to be hidden: a boolean array, (seq_len,), for each story."""
    rng = np.random.default_rng(1)
    chosen = []
    for story in encoded:
        hidden = np.zeros(len(story.input_ids), dtype=bool)
        for word, start, stop in story.words:
            hidden[start:stop] = word.pos != "PUNCT" and rng.random() < rate
        chosen.append(hidden)
    return chosen


def log_probabilities(reader: Reader, encoded: Sequence[EncodedStory]) -> tuple[Tensor, Tensor]:
    """Return log-probabilities, (hidden tokens, vocab_size), and the tokens that were hidden."""
    by_story: dict[int, tuple[Tensor, Tensor]] = {}
    hidden = choose_words(encoded)
    with torch.inference_mode():
        for batch in batches([len(story.input_ids) for story in encoded]):
            input_ids, attention_mask = pad(
                [encoded[index].input_ids for index in batch], reader.model.device
            )
            chosen = pad([hidden[index].astype(np.int64) for index in batch], reader.model.device)[0].bool()
            masked = input_ids.masked_fill(chosen, reader.masking.mask_id)
            guessed = reader.log_probabilities(masked, attention_mask, chosen).double().cpu()
            bounds = chosen.sum(-1).tolist()
            parts = zip(guessed.split(bounds), input_ids[chosen].cpu().split(bounds), strict=True)
            by_story |= zip(batch.tolist(), parts, strict=True)
    in_order = [by_story[index] for index in range(len(encoded))]
    return torch.cat([part for part, _ in in_order]), torch.cat([part for _, part in in_order])


def glue(left: Tensor, right: Tensor, prior: Tensor, weights: tuple[float, ...]) -> Tensor:
    """Add up the weighted log-probabilities of two readings and take off the prior's, (vocab_size,)."""
    return weights[0] * left + weights[1] * right - weights[2] * prior


def measure(readers: dict[str, Reader], encoded: Sequence[EncodedStory], prior: Tensor) -> dict[str, float]:
    """Return the accuracy of each reader on the hidden tokens, and of the two one-way ones together."""
    results = {side: log_probabilities(reader, encoded) for side, reader in readers.items()}
    answers = results["both"][1]
    left, to_right = results["left"][0], results["right"][0]
    glued: Counter[tuple[float, ...]] = Counter()
    for rows in torch.arange(len(answers)).split(64):  # few at a time: they stay in the processor's cache
        two = left[rows], to_right[rows]
        for weights in product((0.4, 0.7, 1.0, 1.3), repeat=3):
            glued[weights] += int((glue(*two, prior, weights).argmax(-1) == answers[rows]).sum())
    return {
        **{
            side: float((guessed.argmax(-1) == answers).double().mean())
            for side, (guessed, _) in results.items()
        },
        "glued": glued[1.0, 1.0, 1.0] / len(answers),
        "best glue": max(glued.values()) / len(answers),
        "pieces": len(answers),
    }
