"""Masked words: determined ones hidden alone, and 15 % of all words hidden at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bertviz_lite.data.cloze import Cloze, guess
from bertviz_lite.evaluation.scores.evaluation_set import EvaluationSet
from bertviz_lite.evaluation.scores.results import NEEDED, Score
from bertviz_lite.world.events.text import DETERMINED

if TYPE_CHECKING:
    from transformers import BertForPreTraining


def score_determined(
    model: BertForPreTraining, evaluation_set: EvaluationSet, mask_id: int
) -> dict[str, Score]:
    """Hide one determined word at a time in its whole story; every token must be the model's first choice.

    The baseline is the best guess from the words left and right of it.
    """
    results = {}
    for kind in DETERMINED:
        candidates = [
            (story, number)
            for story in evaluation_set.test
            for number, word in enumerate(story.story.words)
            if word.determined == kind
        ]
        # Spread over all stories rather than the first ones.
        rng = np.random.default_rng(0)
        chosen = sorted(rng.permutation(len(candidates))[: evaluation_set.size.per_kind].tolist())
        words = [candidates[index] for index in chosen]
        right = _all_right(
            model, [Cloze.word(story.input_ids, *story.spans[number]) for story, number in words], mask_id
        )
        by_guess = evaluation_set.words.accuracies([(story.story, number) for story, number in words])
        results[kind] = Score(
            right, len(words), NEEDED[kind], {"both neighbours": by_guess["both neighbours"]}
        )
    return results


def _all_right(model: BertForPreTraining, clozes: Sequence[Cloze], mask_id: int) -> float:
    results = guess(model, clozes, mask_id)
    return float(np.mean([result.right for result in results])) if results else float("nan")


def score_masked_words(
    model: BertForPreTraining, evaluation_set: EvaluationSet, mask_id: int, rate: float = 0.15
) -> Score:
    """Hide 15 % of the words of each story at once, no punctuation; all tokens of a word must be right."""
    rng = np.random.default_rng(1)
    clozes, words, bounds = [], [], []
    for story in evaluation_set.test[: evaluation_set.size.random_stories]:
        numbers = [number for number, word in enumerate(story.story.words) if word.pos != "PUNCT"]
        chosen = [number for number in numbers if rng.random() < rate]
        if not chosen:
            continue
        hidden = np.concatenate([np.arange(*story.spans[number]) for number in chosen])
        clozes.append(Cloze(story.input_ids, hidden))
        words += [(story.story, number) for number in chosen]
        bounds.append(np.cumsum([story.spans[number][1] - story.spans[number][0] for number in chosen]))
    right = [
        bool(part.all())
        for result, ends in zip(guess(model, clozes, mask_id), bounds, strict=True)
        for part in np.split(result.best == result.answers, ends[:-1])
    ]
    value = float(np.mean(right)) if right else float("nan")
    return Score(value, len(words), baselines=evaluation_set.words.accuracies(words))
