"""What each variant is fine-tuned for: whether a decision of pre-training matters is decided by tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from bertviz_lite.chapters.chapter_11.tag_vectors import tag_vectors
from bertviz_lite.evaluation.probes import linear_probe
from bertviz_lite.evaluation.task_scores import Answer, evaluate, name_f1
from bertviz_lite.training.finetuning import FineTuning, fine_tune
from bertviz_lite.world.tasks.sets import feelings, names, split

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

    from bertviz_lite.world.tasks.sets import Example


@dataclass(frozen=True)
class Task:
    """A labelled set, and how a model learns it.

    Attributes
    ----------
    examples
        The set: a function of seed and count, as those of ``world.tasks``.
    train, test
        Examples to learn from, and held-out ones.
    recipe
        Of the fine-tuning; the seed is the run's.
    labels
        Of the head; those of the set where None.
    """

    examples: Callable[[int, int], Sequence[Example]]
    train: int
    test: int = 1_000
    recipe: FineTuning = field(default_factory=FineTuning)
    labels: tuple[str, ...] | None = None

    def score(
        self, model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, seed: int
    ) -> dict[str, Any]:
        """Fine-tune a copy of a model and score it on the held-out examples."""
        train, test = _split(self.examples, self.train, self.test, seed)
        recipe = replace(self.recipe, seed=seed)
        tuned = fine_tune(model, tokenizer, train, recipe=recipe, labels=self.labels, progress=False)
        result = evaluate(tuned.model, tokenizer, test)
        return {
            "metric": result.metric,
            "score": result.value,
            "items": len(test),
            "parts": result.parts,
            "last loss": tuned.losses[-1][1],
        }


@lru_cache(maxsize=16)
def _split(task: Any, train: int, test: int, seed: int) -> tuple[Any, Any]:  # noqa: ANN401 - as Task.examples
    return split(task, train, test, seed)


def score_as_they_are(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerFast,
    seed: int,
    train: int = 300,
    test: int = 1_000,
) -> dict[str, Any]:
    """Read names off a model's vectors as they are, the sum of the last four layers', by a linear map."""
    examples, held_out = _split(names, train, test, seed)
    vectors = [tag_vectors(model, tokenizer, half)["sum of the last four"] for half in (examples, held_out)]
    tags = np.array([tag for example in examples for tag in example.tags])
    predicted = iter(linear_probe(vectors[0], tags, vectors[1]).tolist())
    answers = []
    for example in held_out:
        row = tuple(next(predicted) for _ in example.tags)
        answers.append(Answer(example, row, example.tags, row == example.tags, 1.0))
    result = name_f1(answers)
    return {"metric": result.metric, "score": result.value, "items": test, "parts": result.parts}


TASKS = {
    "feelings": Task(feelings, 1_000),
    "names": Task(names, 100, recipe=FineTuning(epochs=12)),
}
"""What two of the papers' tables are about: the label of a text, and names in it. Pairs of texts are left
out: models as small as these, trained as shortly, learn no more about them than chance."""
