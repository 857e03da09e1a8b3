"""The one exam that [CLS] sits in pre-training, next sentence prediction, on the chapter's texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from bertviz_lite.world.stories import stories

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import BatchEncoding, BertForPreTraining, PreTrainedTokenizerBase

    from bertviz_lite.evaluation.similarity import SimilarityQuestion

_PAIRS_SEED = 900_000_071
_ROWS = 250  # pairs of texts that are read at once


def continues(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerBase, questions: Sequence[SimilarityQuestion]
) -> Tensor:
    """Ask the next-sentence head of each candidate whether it continues the query.

    Returns
    -------
    Tensor
        Bool, shape (questions, candidates).
    """
    import torch

    first = [question.query for question in questions for _ in question.candidates]
    second = [candidate for question in questions for candidate in question.candidates]
    answers = []
    with torch.no_grad():
        for start in range(0, len(first), _ROWS):
            part = slice(start, start + _ROWS)
            batch: Any = tokenizer(first[part], second[part], padding=True, return_tensors="pt")
            answers.append(model(**batch).seq_relationship_logits.argmax(dim=-1) == 0)
    passed: Tensor = torch.cat(answers).reshape(len(questions), -1)
    return passed


class Pairs(NamedTuple):
    """What `story_pairs` returns."""

    inputs: BatchEncoding
    """The pairs as a model reads them."""
    labels: Tensor
    """For each pair 0, the second text continues the first, or 1, it is of another story."""


def story_pairs(tokenizer: PreTrainedTokenizerBase, n: int) -> Pairs:
    """Make `n` pairs of texts of three sentences each: every other one is mixed from two stories."""
    import torch

    told = [[str(sentence) for sentence in story.sentences] for story in stories(_PAIRS_SEED, n)]
    halves = [(" ".join(story[:3]), " ".join(story[3:6])) for story in told]
    labels = torch.arange(n) % 2
    second = [halves[(at + mixed) % n][1] for at, mixed in enumerate(labels.tolist())]
    inputs = tokenizer(
        [first for first, _ in halves], second, padding=True, truncation=True, return_tensors="pt"
    )
    return Pairs(inputs, labels)
