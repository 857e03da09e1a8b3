"""All measurements with the pocket model: tasks, learning curve, layers, learning rates, imbalance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bertviz_lite.chapters.chapter_11.bilstm import BiLSTM, Fitting, fit, predict
from bertviz_lite.chapters.chapter_11.rivals import by_words, frozen_vectors
from bertviz_lite.chapters.chapter_11.skip_gram import word2vec
from bertviz_lite.chapters.chapter_11.tag_vectors import tag_vectors
from bertviz_lite.chapters.chapter_11.whole_words import Vocabulary
from bertviz_lite.evaluation.probes import linear_probe
from bertviz_lite.evaluation.scores import EVALUATION_SEED, EvaluationSet
from bertviz_lite.evaluation.scores.evaluation_set import size_of
from bertviz_lite.evaluation.scores.masked_words import score_masked_words
from bertviz_lite.evaluation.task_scores import Answer, Result, evaluate, name_f1
from bertviz_lite.models.loading import load
from bertviz_lite.training.finetuning import FineTuning, Tuned, fine_tune, with_old_heads
from bertviz_lite.world import stories
from bertviz_lite.world.tasks.sets import (
    FEELINGS,
    TRAINING_SEED,
    Labelled,
    Tagged,
    feelings,
    split,
)
from bertviz_lite.world.towns import TOWN
from experiments.finetuning_results.baselines import baselines
from experiments.finetuning_results.budget import (
    FITTED_STARTS,
    FROM_LITTLE,
    STARTS,
    TASKS,
    TWO_TEXTS,
    Budget,
)

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

    from bertviz_lite.world.tasks.sets import Example


class Measuring:
    """The pocket model, its examples, and all that is measured.

    Parameters
    ----------
    budget
        How much.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        tokenizer: Any
        pocket: Any
        tokenizer, pocket = load("pocket")
        self.tokenizer: PreTrainedTokenizerFast = tokenizer
        self.pocket: BertForPreTraining = pocket

    def all(self) -> dict[str, Callable[[], Any]]:
        """Return every measurement by its place in the file, "part/…"."""
        most = max(self.budget.sizes)
        measurements: dict[str, Callable[[], Any]] = {}
        for task in TASKS:
            measurements[f"baselines/{task}"] = partial(self._baselines, task, most)
            measurements[f"tasks/{task}"] = partial(self._task, task)
        measurements["tasks/names, every piece"] = partial(self._task, "names", every_token=True)
        for size in self.budget.sizes:
            for seed in range(self.budget.seeds):
                for start in STARTS:
                    measurements[f"curve/{start}/{size}/{seed}"] = partial(self._point, start, size, seed)
        for start in FROM_LITTLE:
            measurements[f"longer/{start}"] = partial(self._longer, start)
        for seed in range(self.budget.runs):
            measurements[f"best_of_runs/{seed}"] = partial(self._run, seed)
        measurements["layers"] = self._layers
        measurements["rates/before"] = lambda: {"masked words": self._masked(self.pocket)}
        for rate in self.budget.rates:
            measurements[f"rates/{rate:g}"] = partial(self._rate, rate)
        for title in ("plain", "balanced"):
            measurements[f"imbalance/{title}"] = partial(self._imbalance, balanced=title == "balanced")
        return measurements

    def _examples(self, task: str, count: int | None = None, seed: int = 0) -> tuple[Any, Any]:
        function: Any = TASKS[task]
        return split(function, count or self.budget.train, self.budget.test, seed)

    def _tune(self, train: Sequence[Example], recipe: FineTuning | None = None, **options: Any) -> Tuned:  # noqa: ANN401
        recipe = recipe or self.budget.recipe(len(train))
        return fine_tune(self.pocket, self.tokenizer, train, recipe=recipe, progress=False, **options)

    def _score(self, tuned: Tuned, test: Sequence[Example]) -> Result:
        return evaluate(tuned.model, self.tokenizer, test)

    def _baselines(self, task: str, count: int) -> dict[str, float]:
        return baselines(*self._examples(task, count))

    def _task(self, task: str, *, every_token: bool = False) -> dict[str, Any]:
        train, test = self._examples(task)
        rate = FineTuning().learning_rate * (0.5 if task in TWO_TEXTS else 1.0)
        recipe = self.budget.recipe(len(train), learning_rate=rate, every_token=every_token)
        return _described(self._score(self._tune(train, recipe), test))

    def _point(self, start: str, size: int, seed: int) -> float:
        train, test = self._examples("feelings", size, seed)
        if start == "word2vec + BiLSTM":
            (score,) = self._static_scores(train, [test], seed, self.budget.recipe(len(train)))
            return score
        if start in FITTED_STARTS:
            return self._fitted_point(start, train, test)
        if start == "random":
            return self._scratch_point(size, seed)
        return self._score(self._tune(train, self.budget.recipe(size, seed=seed)), test).value

    def _scratch_point(self, size: int, seed: int) -> float:
        """Train from random weights with each rate; score the model that is best on a validation set."""
        train, held_out = split(feelings, size, self.budget.test + self.budget.validation, seed)
        test, validation = held_out[: self.budget.test], held_out[self.budget.test :]
        recipes = [
            self.budget.recipe(size, learning_rate=rate, seed=seed) for rate in self.budget.scratch_rates
        ]
        trained = [self._tune(train, recipe, pretrained=False) for recipe in recipes]
        best = max(trained, key=lambda tuned: self._score(tuned, validation).value)
        return self._score(best, test).value

    def _longer(self, start: str) -> dict[str, list[float]]:
        """Train long enough to learn the examples themselves; score on these, and on the test set."""
        found: dict[str, list[float]] = {"own": [], "test": []}
        for seed in range(self.budget.seeds):
            train, test = self._examples("feelings", max(self.budget.sizes), seed)
            recipe = FineTuning(epochs=self.budget.longer, learning_rate=self.budget.longer_rate, seed=seed)
            if start == "random":
                tuned = self._tune(train, recipe, pretrained=False)
                scores = [self._score(tuned, examples).value for examples in (train, test)]
            else:
                scores = self._static_scores(train, [train, test], seed, recipe)
            for part, score in zip(found.values(), scores, strict=True):
                part.append(score)
        return found

    def _static_scores(
        self, train: Sequence[Labelled], sets: Sequence[Sequence[Labelled]], seed: int, recipe: FineTuning
    ) -> list[float]:
        """Train a BiLSTM once; return its accuracy on each of some sets."""
        vocabulary, vectors = self._static
        torch.manual_seed(seed)
        model = BiLSTM(vectors, len(FEELINGS))
        how = Fitting(epochs=round(recipe.epochs), batch=recipe.batch_size, seed=seed)
        labels = [FEELINGS.index(example.label) for example in train]
        fit(model, vocabulary, [example.text for example in train], labels, how, progress=False)
        scores = []
        for examples in sets:
            predicted = predict(model, vocabulary, [example.text for example in examples])
            right = [
                FEELINGS[number] == example.label for number, example in zip(predicted, examples, strict=True)
            ]
            scores.append(float(np.mean(right)))
        return scores

    def _fitted_point(self, start: str, train: Sequence[Labelled], test: Sequence[Labelled]) -> float:
        labels, true = (np.array([example.label for example in half]) for half in (train, test))
        if start == "word counts":
            words, asked = ([(example.text,) for example in half] for half in (train, test))
            guessed = by_words(words, labels, asked)
        else:
            texts = ([example.text for example in half] for half in (train, test))
            fit, score = (frozen_vectors(self.pocket, self.tokenizer, half) for half in texts)
            title = "pooler" if start == "pre-trained, frozen" else "mean of last four layers"
            guessed = linear_probe(fit[title], labels, score[title])
        return float((guessed == true).mean())

    def _run(self, seed: int) -> dict[str, float]:
        """Train once on few examples, and score on three sets of texts."""
        few, small = self.budget.few, self.budget.small
        train, held_out = split(feelings, few, 2 * small + self.budget.large)
        parts = {
            "validation": held_out[:small],
            "test": held_out[small : 2 * small],
            "new": held_out[2 * small :],
        }
        tuned = self._tune(train, self.budget.recipe(few, seed=seed))
        return {part: self._score(tuned, examples).value for part, examples in parts.items()}

    @cached_property
    def _static(self) -> tuple[Vocabulary, Tensor]:
        """Vocabulary and vectors of word2vec, trained on texts that BERT has read, too."""
        texts = [str(story) for story in stories(seed=0, n=self.budget.unlabelled)]
        vocabulary = Vocabulary.of(texts)
        return vocabulary, word2vec(texts, vocabulary, progress=False)[0]

    def _layers(self) -> dict[str, float]:
        train, test = self._examples("names")
        fit, score = (tag_vectors(self.pocket, self.tokenizer, half) for half in (train, test))
        tags = np.array([tag for example in train for tag in example.tags])
        return {title: _probe_f1(vectors, tags, score[title], test) for title, vectors in fit.items()}

    def _rate(self, rate: float) -> dict[str, float]:
        train, test = self._examples("feelings")
        tuned = self._tune(train, self.budget.recipe(len(train), learning_rate=rate))
        return {
            "accuracy": self._score(tuned, test).value,
            "last loss": float(np.mean([loss for step, loss in tuned.losses if step > 0.9 * tuned.steps])),
            "masked words": self._masked(with_old_heads(tuned.model, self.pocket)),
        }

    def _masked(self, model: BertForPreTraining) -> float:
        return score_masked_words(model, self._evaluation_set, self.tokenizer.mask_token_id).value

    @cached_property
    def _evaluation_set(self) -> EvaluationSet:
        size = replace(size_of(TOWN, quick=True), stories=240, per_kind=1, head_stories=1, minimal_pairs=1)
        return EvaluationSet.make(self.tokenizer, replace(size, counted=1), EVALUATION_SEED + 80, town=TOWN)

    def _imbalance(self, *, balanced: bool) -> dict[str, Any]:
        shares = dict.fromkeys(FEELINGS, 0.04) | {"glad": 0.88}
        train = feelings(TRAINING_SEED + 50, self.budget.train, shares)
        _, test = self._examples("feelings", 1)
        recipe = self.budget.recipe(len(train), balanced=balanced)
        return _described(self._score(self._tune(train, recipe), test)) | {"shares": shares}


def _described(result: Result) -> dict[str, Any]:
    return {
        "metric": result.metric,
        "score": result.value,
        "interval": result.interval,
        "interval by": result.how,
        "parts": result.parts,
    }


def _probe_f1(
    fit: NDArray[np.float64], tags: NDArray[np.str_], score: NDArray[np.float64], test: Sequence[Tagged]
) -> float:
    predicted = linear_probe(fit, tags, score).tolist()
    answers, at = [], 0
    for example in test:
        row = tuple(predicted[at : at + len(example.words)])
        at += len(example.words)
        answers.append(Answer(example, row, example.tags, row == example.tags, 1.0))
    return name_f1(answers).value
