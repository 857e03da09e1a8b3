"""What does pre-training bring, and what may go wrong in fine-tuning? Measured, and kept for chapter 10.

``python -m experiments.finetuning_results`` fine-tunes the pocket model on the town's tasks many times and
writes ``finetuning_results.json`` beside this file: some twenty minutes of one core. A measurement that was
made is not made again; the folder ``--runs`` keeps them one by one, and the same command started several
times shares the work.

The parts of the file, each explained in its "notes":

``baselines``   each task by majority and by single words, without a model
``tasks``       each task with the standard head
``curve``       the feelings learned from 30 to 3,000 examples: pre-trained, frozen, random, word2vec + BiLSTM
``layers``      the names read off every layer by a linear map, nothing fine-tuned
``rates``       learning rates, too low to too high; and what the model has forgotten of pre-training
``imbalance``   when nearly all examples have one label

Left out: choosing a recipe for each size (all have the same one), and the best one can get.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bertviz_lite.basics.files import write_text
from bertviz_lite.basics.threads import threads
from bertviz_lite.chapters.chapter_10.static_vectors import (
    BiLSTM,
    Fitting,
    Vocabulary,
    fit,
    predict,
    word2vec,
    words_of,
)
from bertviz_lite.chapters.chapter_10.tag_vectors import tag_vectors
from bertviz_lite.evaluation.probes import linear_probe
from bertviz_lite.evaluation.recorded import file_of
from bertviz_lite.evaluation.scores import EVALUATION_SEED, QUICK, EvaluationSet
from bertviz_lite.evaluation.scores.masked_words import score_masked_words
from bertviz_lite.evaluation.task_scores import Answer, Result, evaluate, name_f1
from bertviz_lite.models.loading import load
from bertviz_lite.training.finetuning import FineTuning, Tuned, fine_tune, with_old_heads
from bertviz_lite.world import stories
from bertviz_lite.world.tasks.sets import (
    FEELINGS,
    TRAINING_SEED,
    Labelled,
    Pair,
    Question,
    Tagged,
    feelings,
    names,
    questions,
    sentence_pairs,
    split,
)

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

    from bertviz_lite.world.tasks.sets import Example

FILE = file_of("finetuning_results")
TASKS: dict[str, Callable[[int, int], Sequence[Example]]] = {
    "feelings": feelings,
    "names": names,
    "questions": questions,
    "sentence_pairs": sentence_pairs,
}
TWO_TEXTS = ("questions", "sentence_pairs")
STARTS = ("pre-trained", "random", "pre-trained, frozen", "word2vec + BiLSTM")
NOTES = {
    "baselines": """
        Scores on the test set without a model, from as many training examples as the largest size
        of the curve. "words": a linear map of word counts; for names, each word's most frequent
        tag. For questions, "words of the question" and "words of both" say only whether the story
        answers (share right), beside "answered", the share of the more frequent case; "majority"
        says "no answer" each time.""",
    "tasks": """
        One model a task, trained on "train" examples: score, 95 % interval, parts; questions and
        sentence pairs with half the learning rate. "names, every
        piece": the tags on all pieces of a word in training, scored on first pieces as always.""",
    "curve": """
        Accuracy of feelings on the same test set, by size of the training set, one number a seed
        (it draws the training examples, the first weights and the order). All with the same number
        of steps: "epochs" passes, and "fewest_steps" at least.""",
    "layers": """
        F1 of names from a linear map on vectors of first pieces, nothing fine-tuned; "static" is
        the word embedding alone.""",
    "rates": """
        Feelings with one learning rate after the other: accuracy, mean loss of the last tenth of
        the steps, and masked words of whole stories guessed with the old heads put back. "before":
        the pocket model.""",
    "imbalance": """
        Feelings learned from examples of which nearly all are "glad"; the test set has all four
        equally often. Accuracy, and the share right of each label, with the plain and the balanced
        loss.""",
}


@dataclass(frozen=True)
class Budget:
    """How much is measured; the file says it, too.

    Attributes
    ----------
    train, test
        Examples for ``tasks``, ``layers``, ``rates`` and ``imbalance``; held-out examples.
    sizes, seeds
        Of the learning curve.
    epochs, fewest_steps
        Passes over the examples, and steps at least, of every training.
    rates
        Learning rates tried.
    told
        Unlabelled stories for word2vec.
    """

    train: int = 1_000
    test: int = 500
    sizes: tuple[int, ...] = (30, 100, 300, 1_000, 3_000)
    seeds: int = 3
    epochs: int = 6
    fewest_steps: int = 90
    rates: tuple[float, ...] = (1e-5, 1e-4, 5e-4, 1e-3, 2e-3, 1e-2)
    told: int = 5_000

    def recipe(self, count: int, **changes: Any) -> FineTuning:  # noqa: ANN401 - fields of FineTuning
        """Return the recipe for so many examples."""
        batch = FineTuning().batch_size
        per_epoch = -(-count // batch)
        return FineTuning(epochs=max(self.epochs, self.fewest_steps / per_epoch), **changes)


class Kept:
    """Results that are made once, each in a file of its own.

    Processes that share the folder share the work: what one has begun, the others leave to it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name.replace('/', ' - ')}.json"

    def read(self, name: str) -> Any:  # noqa: ANN401 - JSON
        """Return a result; None where it is not there yet."""
        path = self._path(name)
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    def make(self, name: str, make: Callable[[], Any]) -> None:
        """Keep what ``make()`` returns, unless it is there or another process is at it."""
        claim = self._path(name).with_suffix(".claim")
        if self._path(name).exists():
            return
        try:
            claim.touch(exist_ok=False)
        except FileExistsError:
            return
        began = time.process_time()
        try:
            write_text(self._path(name), json.dumps(_rounded(make())) + "\n")
        finally:
            claim.unlink()
        sys.stdout.write(f"{name}: {time.process_time() - began:.0f} s\n")
        sys.stdout.flush()


def _rounded(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return {str(key): _rounded(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(one) for one in value]
    return round(float(value), 4) if isinstance(value, (float, np.floating)) else value


def _described(result: Result) -> dict[str, Any]:
    return {
        "metric": result.metric,
        "score": result.value,
        "interval": result.interval,
        "interval by": result.how,
        "parts": result.parts,
    }


# Without a model


def baselines(known: Sequence[Example], asked: Sequence[Example]) -> dict[str, Any]:
    """Score majority and single words on the examples ``asked``."""
    train: Any = known
    test: Any = asked
    if isinstance(test[0], Tagged):
        return {"majority": 0.0, "words": lookup_f1(train, test)}
    if isinstance(test[0], Question):
        answered = [np.array([str(one.answer is not None) for one in some]) for some in (train, test)]
        result = {
            "majority": float(np.mean([one.answer is None for one in test])),
            "answered": float((answered[1] == "True").mean()),
        }
        for title, texts in (("words of the question", _question_only), ("words of both", _texts)):
            said = by_words([texts(one) for one in train], answered[0], [texts(one) for one in test])
            result[title] = float((said == answered[1]).mean())
        return result
    labels = [np.array([one.label for one in some]) for some in (train, test)]
    common = Counter(labels[0].tolist()).most_common(1)[0][0]
    said = by_words([_texts(one) for one in train], labels[0], [_texts(one) for one in test])
    result = {"majority": float((labels[1] == common).mean()), "words": float((said == labels[1]).mean())}
    if isinstance(test[0], Pair):
        alone = by_words([(one.second,) for one in train], labels[0], [(one.second,) for one in test])
        result["words of the second text"] = float((alone == labels[1]).mean())
    return result


def _texts(example: Example) -> tuple[str, ...]:
    if isinstance(example, Labelled):
        return (example.text,)
    if isinstance(example, Pair):
        return example.first, example.second
    assert isinstance(example, Question)
    return example.question, example.context


def _question_only(example: Question) -> tuple[str, ...]:
    return (example.question,)


def by_words(
    known: Sequence[tuple[str, ...]], labels: NDArray[np.str_], asked: Sequence[tuple[str, ...]]
) -> NDArray[np.str_]:
    """Guess labels by a linear map of word counts, each of an example's texts with its own columns."""
    columns: dict[tuple[int, str], int] = {}
    for texts in known:
        for word in _words(texts):
            columns.setdefault(word, len(columns))

    def counts(some: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
        table = np.zeros((len(some), len(columns)))
        for row, texts in zip(table, some, strict=True):
            for word in _words(texts):
                if word in columns:
                    row[columns[word]] += 1
        return table

    # The penalty is in units of the columns' mean variance, which is small: most words are rare.
    return linear_probe(counts(known), labels, counts(asked), ridge=300.0)


def _words(texts: tuple[str, ...]) -> list[tuple[int, str]]:
    return [(number, word) for number, text in enumerate(texts) for word in words_of(text)]


def lookup_f1(known: Sequence[Tagged], asked: Sequence[Tagged]) -> float:
    """Score giving each word its most frequent tag of the training examples, O where it is new."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for one in known:
        for word, tag in zip(one.words, one.tags, strict=True):
            seen[word.lower()][tag] += 1
    usual = {word: tags.most_common(1)[0][0] for word, tags in seen.items()}
    said = [tuple(usual.get(word.lower(), "O") for word in one.words) for one in asked]
    return name_f1(
        [Answer(one, tags, one.tags, tags == one.tags, 1.0) for one, tags in zip(asked, said, strict=True)]
    ).value


# With the model


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
        found: dict[str, Callable[[], Any]] = {}
        for task in TASKS:
            found[f"baselines/{task}"] = partial(self._baselines, task, most)
            found[f"tasks/{task}"] = partial(self._task, task)
        found["tasks/names, every piece"] = partial(self._task, "names", every_token=True)
        for size in self.budget.sizes:
            for seed in range(self.budget.seeds):
                for start in STARTS:
                    found[f"curve/{start}/{size}/{seed}"] = partial(self._point, start, size, seed)
        found["layers"] = self._layers
        found["rates/before"] = lambda: {"masked words": self._masked(self.pocket)}
        for rate in self.budget.rates:
            found[f"rates/{rate:g}"] = partial(self._rate, rate)
        for title in ("plain", "balanced"):
            found[f"imbalance/{title}"] = partial(self._imbalance, balanced=title == "balanced")
        return found

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
        recipe = self.budget.recipe(len(train), learning_rate=rate)
        return _described(self._score(self._tune(train, recipe, every_token=every_token), test))

    def _point(self, start: str, size: int, seed: int) -> float:
        train, test = self._examples("feelings", size, seed)
        if start == "word2vec + BiLSTM":
            return self._static_point(train, test, seed)
        recipe = self.budget.recipe(size, frozen=start == "pre-trained, frozen", seed=seed)
        return self._score(self._tune(train, recipe, pretrained=start != "random"), test).value

    def _static_point(self, train: Sequence[Labelled], test: Sequence[Labelled], seed: int) -> float:
        vocabulary, vectors = self._static
        recipe = self.budget.recipe(len(train))
        torch.manual_seed(seed)
        model = BiLSTM(vectors, len(FEELINGS))
        how = Fitting(epochs=round(recipe.epochs), batch=recipe.batch_size, seed=seed)
        labels = [FEELINGS.index(one.label) for one in train]
        fit(model, vocabulary, [one.text for one in train], labels, how, progress=False)
        said = predict(model, vocabulary, [one.text for one in test])
        return float(np.mean([FEELINGS[number] == one.label for number, one in zip(said, test, strict=True)]))

    @cached_property
    def _static(self) -> tuple[Vocabulary, Tensor]:
        """Vocabulary and vectors of word2vec, trained on stories that BERT has read, too."""
        texts = [str(story) for story in stories(0, self.budget.told)]
        vocabulary = Vocabulary.of(texts)
        return vocabulary, word2vec(texts, vocabulary, progress=False)[0]

    def _layers(self) -> dict[str, float]:
        train, test = self._examples("names")
        known, asked = (tag_vectors(self.pocket, self.tokenizer, some) for some in (train, test))
        tags = np.array([tag for one in train for tag in one.tags])
        return {title: _probe_f1(vectors, tags, asked[title], test) for title, vectors in known.items()}

    def _rate(self, rate: float) -> dict[str, float]:
        train, test = self._examples("feelings")
        tuned = self._tune(train, self.budget.recipe(len(train), learning_rate=rate))
        return {
            "accuracy": self._score(tuned, test).value,
            "last loss": float(np.mean([loss for step, loss in tuned.losses if step > 0.9 * tuned.steps])),
            "masked words": self._masked(with_old_heads(tuned.model, self.pocket)),
        }

    def _masked(self, model: BertForPreTraining) -> float:
        return score_masked_words(model, self._questions, self.tokenizer.mask_token_id).value

    @cached_property
    def _questions(self) -> EvaluationSet:
        size = replace(QUICK, stories=60, per_kind=1, head_stories=1, minimal_pairs=1, counted=1)
        return EvaluationSet.make(self.tokenizer, size, EVALUATION_SEED + 80)

    def _imbalance(self, *, balanced: bool) -> dict[str, Any]:
        shares = dict.fromkeys(FEELINGS, 0.02) | {"glad": 0.94}
        train = feelings(TRAINING_SEED + 50, self.budget.train, shares)
        _, test = self._examples("feelings", 1)
        recipe = self.budget.recipe(len(train), balanced=balanced)
        return _described(self._score(self._tune(train, recipe), test)) | {"shares": shares}


def _probe_f1(
    known: NDArray[np.float64], tags: NDArray[np.str_], asked: NDArray[np.float64], test: Sequence[Tagged]
) -> float:
    said = linear_probe(known, tags, asked).tolist()
    answers, at = [], 0
    for one in test:
        row = tuple(said[at : at + len(one.words)])
        at += len(one.words)
        answers.append(Answer(one, row, one.tags, row == one.tags, 1.0))
    return name_f1(answers).value


def gather(budget: Budget, kept: Kept, names_wanted: Iterable[str]) -> dict[str, Any]:
    """Put all results that are there into one dictionary; seeds become lists."""
    recipe = budget.recipe(budget.train)
    found: dict[str, Any] = {
        "budget": {**asdict(budget), "batch_size": recipe.batch_size, "learning_rate": recipe.learning_rate},
        "notes": {part: " ".join(text.split()) for part, text in NOTES.items()},
    }
    for name in names_wanted:
        result = kept.read(name)
        if result is None:
            continue
        *above, last = name.split("/")
        place = found
        for title in above[:-1] if above[:1] == ["curve"] else above:
            place = place.setdefault(title, {})
        if above[:1] == ["curve"]:
            place.setdefault(above[-1], []).append(result)
        else:
            place[last] = result
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the measurements that are missing, and write the file."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.finetuning_results", description=main.__doc__
    )
    parser.add_argument("--only", nargs="*", default=[""], help='beginnings of names, as "curve/random"')
    parser.add_argument("--runs", type=Path, default=Path("runs/finetuning"), help="folder for what lasts")
    parser.add_argument("--threads", type=int, default=1, help="threads (default: %(default)s)")
    parser.add_argument("--output", type=Path, default=FILE, help="the file to write")
    options = parser.parse_args(arguments)
    with threads(options.threads):
        measure(Budget(), Kept(options.runs), options.output, tuple(options.only))


def measure(budget: Budget, kept: Kept, output: Path, only: tuple[str, ...] = ("",)) -> None:
    """Make the measurements whose names begin so, and write all that are there."""
    measurements = Measuring(budget).all()
    for name, make in measurements.items():
        if name.startswith(only):
            kept.make(name, make)
    write_text(output, json.dumps(gather(budget, kept, measurements), indent=1) + "\n")


if __name__ == "__main__":
    main()
