"""Chinese texts and minimal pairs on which models are scored, encoded once for many models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bertviz_lite.data.encoded_stories import encode_stories
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.shards import Shard, story_seeds
from bertviz_lite.data.vocabulary import MAX_LENGTH
from bertviz_lite.evaluation.scores.chinese.counts import WordCounts
from bertviz_lite.evaluation.scores.evaluation_set import EVALUATION_SEED, EvaluationSet, Size
from bertviz_lite.world.chinese import Story, minimal_pairs
from bertviz_lite.world.towns import CHINESE, stories_of

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


@dataclass(frozen=True)
class ChineseSet(EvaluationSet):
    """Everything that a model of Chinese is scored on.

    Of a text that is longer than the model reads, ``test`` and ``choosing`` have the sentences that fit, from
    the first; ``fitting`` is the share of texts that fit as a whole, and ``corpus`` has all of them whole.

    Attributes
    ----------
    counts
        Counts of training text, for the rivals.
    """

    counts: WordCounts = field(kw_only=True)

    @classmethod
    def write(
        cls,
        tokenizer: PreTrainedTokenizerFast,
        size: Size,
        training_seed: int = 0,
        seed: int = EVALUATION_SEED,
    ) -> ChineseSet:
        """Write the texts and encode them."""
        whole: list[Any] = stories_of(CHINESE, seed, size.stories)
        test = fitting_parts(whole)
        sentences = [[str(sentence) for sentence in text.sentences] for text in whole]
        more: list[Any] = stories_of(CHINESE, seed + 1, size.stories)
        training: list[Any] = stories_of(CHINESE, story_seeds(training_seed, 0), size.counted)
        return cls(
            test=encode_stories(test, tokenizer),
            choosing=encode_stories(fitting_parts(more), tokenizer),
            fitting=sum(part is text for part, text in zip(test, whole, strict=True)) / len(whole),
            corpus=Corpus([Shard.of(sentences, tokenizer.backend_tokenizer)]),
            pairs=minimal_pairs(seed + 2, size.minimal_pairs),
            words=(counts := WordCounts.of(training)).neighbours,
            size=size,
            town=CHINESE,
            counts=counts,
        )

    def fingerprints(self) -> set[int]:
        """Return a fingerprint of each whole test text, to compare with ``Corpus.fingerprints``."""
        return {int(number) for number in self.corpus.fingerprints}


def fitting_parts(texts: Sequence[Story], budget: int = MAX_LENGTH - 2) -> list[Story]:
    """Return of each text as many whole sentences, from the first, as have room in ``budget`` characters."""
    parts = []
    for text in texts:
        kept = sum(sentence.words[-1].end <= budget for sentence in text.sentences)
        whole = kept == len(text.sentences)
        parts.append(text if whole else replace(text, sentences=text.sentences[:kept]))
    return parts
