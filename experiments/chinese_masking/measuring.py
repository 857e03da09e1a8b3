"""What is measured of a model of Chinese: hidden characters and words, scores of the town, two tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from bertviz_lite.data.cloze import Cloze, guess
from bertviz_lite.evaluation.scores.chinese import ChineseSet, score_chinese

if TYPE_CHECKING:
    from collections.abc import Mapping

    from transformers import BertForPreTraining, PreTrainedTokenizerFast

    from bertviz_lite.evaluation.scores import Size

RATE = 0.15


class Scorer(Protocol):
    """What a model is fine-tuned for."""

    def score(
        self, model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, seed: int
    ) -> dict[str, Any]:
        """Fine-tune a copy of a model and score it on held-out examples."""


@dataclass(frozen=True)
class ChineseMeasures:
    """What a model is measured on: texts that none has read, and the tasks."""

    scored: ChineseSet
    tasks: Mapping[str, Scorer]

    @classmethod
    def make(
        cls, tokenizer: PreTrainedTokenizerFast, size: Size, tasks: Mapping[str, Scorer]
    ) -> ChineseMeasures:
        """Write the texts."""
        return cls(ChineseSet.write(tokenizer, size), tasks)


def measure_chinese(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, measures: ChineseMeasures, seed: int
) -> dict[str, Any]:
    """Measure one model; ``seed`` is for the training examples of the tasks."""
    scores = score_chinese(model, tokenizer, measures.scored)
    return {
        "scores": {name: [result.value, result.n] for name, result in scores.items()},
        "characters": hidden_characters(model, tokenizer, measures.scored),
        "minimal pairs by kind": {
            kind: value for kind, value in scores["minimal_pairs"].details.items() if "," not in kind
        },
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "tasks": {name: task.score(model, tokenizer, seed) for name, task in measures.tasks.items()},
    }


def hidden_characters(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, evaluation_set: ChineseSet
) -> list[float]:
    """Hide 15 % of the characters of each text one by one; return the share that is guessed, and how many."""
    rng = np.random.default_rng(2)
    right = total = 0
    for encoded in evaluation_set.test[: evaluation_set.size.random_stories]:
        places = np.array([place for span in encoded.spans for place in range(*span)])
        chosen = places[rng.random(len(places)) < RATE]
        if not len(chosen):
            continue
        (guessed,) = guess(model, [Cloze(encoded.input_ids, chosen)], tokenizer.mask_token_id)
        right += int((np.asarray(guessed.best) == np.asarray(encoded.input_ids)[chosen]).sum())
        total += len(chosen)
    return [right / total, total]
