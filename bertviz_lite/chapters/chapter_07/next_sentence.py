"""The one exam that [CLS] sits in pre-training, next sentence prediction: what it asks for, and what not."""

from __future__ import annotations

from itertools import count, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.data.story_pairs import (
    StoryPair,
    cut_stories,
    other_people,
    other_story,
    same_names,
    swapped,
)
from bertviz_lite.world.life import story

if TYPE_CHECKING:
    from collections.abc import Sequence

    from transformers import BertForPreTraining, PreTrainedTokenizerBase

    from bertviz_lite.world import Story

_PAIRS_SEED = 900_000_071
_PART = 3  # sentences in each part, at least
_LONGEST = 95  # words and punctuation of a story, as in chapter 09: of longer ones the head refuses half
_ROWS = 250  # pairs of texts that are read at once


def kinds_of_pairs(n: int) -> dict[str, list[StoryPair]]:
    """Cut `n` stories of the town in two, A and B; change B in one way at a time.

    Both parts name somebody, and the stories are as short as those of chapter 09. ("Another story's, A's
    names" may be fewer: the other story must have as many women and as many men.)
    """
    rng = np.random.default_rng(_PAIRS_SEED)
    told = [one for one in _long_stories(5 * n) if len(one.words) <= _LONGEST]
    cut = cut_stories(told, rng, _PART)
    true = [pair for pair in cut if all(_has_names(pair, part) for part in (0, 1))][:n]
    return {
        "the next part": true,
        "the next part, other names": other_people(true, rng),
        "another story's part": other_story(true),
        "another story's, A's names": same_names(true, true),
        "from before A": swapped(true),
    }


def nameless(n: int) -> float:
    """Cut `n` stories of the town in two, all that come; return the share whose second part names nobody."""
    cut = cut_stories(_long_stories(n), np.random.default_rng(_PAIRS_SEED), _PART)
    return float(np.mean([not _has_names(pair, 1) for pair in cut]))


def passing(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerBase, pairs: Sequence[StoryPair]
) -> float:
    """Ask the next-sentence head whether B continues A; return the share of pairs in which it says yes."""
    import torch

    texts = [pair.texts for pair in pairs]
    passed = []
    with torch.no_grad():
        for start in range(0, len(texts), _ROWS):
            first, second = zip(*texts[start : start + _ROWS], strict=True)
            batch: Any = tokenizer(
                list(first), list(second), padding=True, truncation=True, return_tensors="pt"
            )
            pooled = model.base_model(**batch).pooler_output
            passed.append(model.cls.seq_relationship(pooled).argmax(dim=-1) == 0)
    return float(torch.cat(passed).double().mean())


def _long_stories(n: int) -> list[Story]:
    every = (story(_PAIRS_SEED, index) for index in count())
    return list(islice((one for one in every if len(one.sentences) >= 2 * _PART), n))


def _has_names(pair: StoryPair, part: int) -> bool:
    return any(word.name == "person" for word in pair.words(part))
