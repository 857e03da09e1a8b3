"""The same exam for a healthy BERT and for each patient: hidden words, and pairs of texts.

Half of the pairs belong together, half do not; in each, every seventh token is hidden.

>>> from bertviz_lite import load
>>> from bertviz_lite.chapters.chapter_12.patients import healthy
>>> tokenizer, _ = load("pocket")
>>> exam = Exam(tokenizer, pairs=8)
>>> sorted(exam.mark(healthy()))
['hidden words', 'pairs']
"""

from __future__ import annotations

from itertools import count, islice
from typing import Any

import numpy as np
import torch
from torch import nn
from transformers import PreTrainedTokenizerBase

from bertviz_lite.data.story_pairs import cut_stories, other_story
from bertviz_lite.world.life import story

__all__ = ["Exam"]

_SEED = 900_000_012
_EVERY = 7
_FEWEST = 3
"""Sentences in each text of a pair, at least."""


class Exam:
    """Pairs of texts from unseen stories, with hidden tokens.

    Parameters
    ----------
    tokenizer
        The tokenizer of the models that take it.
    pairs
        How many pairs of texts; an even number.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, pairs: int = 200) -> None:
        told = (story(_SEED, index) for index in count())
        long = (each for each in told if len(each.sentences) >= 2 * _FEWEST)
        together = cut_stories(list(islice(long, pairs)), np.random.default_rng(_SEED), _FEWEST)
        half = len(together) // 2
        apart = other_story(together[half : 2 * half])
        texts = [pair.texts for pair in (*together[:half], *apart)]
        firsts, seconds = zip(*texts, strict=True)
        self.batch: Any = tokenizer(
            list(firsts), list(seconds), padding=True, truncation=True, return_tensors="pt"
        )
        self.continues = torch.arange(2 * half) < half
        ids = self.batch["input_ids"]
        ordinary = ~torch.isin(ids, torch.tensor(tokenizer.all_special_ids))
        self.hidden = ordinary & (ordinary.flatten().cumsum(0).view_as(ids) % _EVERY == 0)
        self.answers = ids[self.hidden]
        self.batch["input_ids"] = ids.masked_fill(self.hidden, tokenizer.mask_token_id)

    def __repr__(self) -> str:
        return f"Exam({len(self.answers)} hidden words, {len(self.continues)} pairs)"

    def mark(self, model: nn.Module) -> dict[str, tuple[int, int]]:
        """Return how many a model gets right, and of how many."""
        with torch.no_grad():
            output = model(**self.batch)
        words = output.prediction_logits[self.hidden].argmax(-1) == self.answers
        pairs = (output.seq_relationship_logits.argmax(-1) == 0) == self.continues
        return {
            "hidden words": (int(words.sum()), words.numel()),
            "pairs": (int(pairs.sum()), pairs.numel()),
        }
