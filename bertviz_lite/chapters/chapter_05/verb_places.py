"""What the place of a hidden verb tells, all by itself: a rule for the exam on the verbs of tiny stories.

A plural is cut in two (*ball ##s*), and the subject is named in both sentences; a noun between it
and its verb, only once. So where a verb stands depends on the number of its subject, and a model that knows
nothing but the verb's place can use that.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import torch

from bertviz_lite.chapters.chapter_10.live.tiny_stories import PLURAL, agreeing_verb
from bertviz_lite.data.encoded_stories import encode_stories

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor
    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.chapters.chapter_10.live.verb_exam import Exam
    from bertviz_lite.world.events.text import Story

__all__ = ["right_by_place"]


def right_by_place(exam: Exam, stories: Sequence[Story], tokenizer: PreTrainedTokenizerFast) -> Tensor:
    """Answer an exam with the number that was commoner at the verb's place; singular where none was.

    Parameters
    ----------
    exam
        Its questions, each with its verb hidden.
    stories
        Tiny stories to count in.
    tokenizer
        That of the exam.

    Returns
    -------
    Tensor
        For each question whether the number is right: bool, shape (questions,).
    """
    votes: Counter[int] = Counter()
    for encoded in encode_stories(stories, tokenizer):
        verb = agreeing_verb(encoded.story)
        place = encoded.of(1, verb.index)[0] + 1  # a pair has one more [SEP], before the second sentence
        votes[place] += 1 if verb.text in PLURAL else -1
    return torch.tensor([votes[place] > 0 for place in exam.places.tolist()]) == exam.plural
