"""A few long stories, which can all be cut in two, a vocabulary learned from them, and a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.shards import Shard
from bertviz_lite.data.vocabulary import train_tokenizer
from bertviz_lite.world.english.stories import stories

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


@pytest.fixture(scope="session")
def texts() -> list[str]:
    """Write some stories."""
    return [str(story) for story in stories(1, 300)]


@pytest.fixture(scope="session")
def tokenizer(texts: list[str]) -> PreTrainedTokenizerFast:
    """Learn a vocabulary."""
    return train_tokenizer(texts, vocab_size=600)


@pytest.fixture(scope="session")
def corpus(tokenizer: PreTrainedTokenizerFast) -> Corpus:
    """Encode other stories, in two shards."""
    sentences = [[str(sentence) for sentence in story.sentences] for story in stories(2, 1000)]
    return Corpus(
        [
            Shard.of(sentences[:400], tokenizer.backend_tokenizer),
            Shard.of(sentences[400:], tokenizer.backend_tokenizer),
        ]
    )
