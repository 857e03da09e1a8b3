"""Make the measurements that are missing and write the recorded numbers "finetuning_results"."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bertviz_lite.basics.files import write_text
from bertviz_lite.basics.threads import threads
from bertviz_lite.evaluation.recorded import file_of
from experiments.finetuning_results.budget import Budget
from experiments.finetuning_results.kept import Kept
from experiments.finetuning_results.measuring import Measuring

FILE = file_of("finetuning_results")
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
        of steps: "epochs" passes, and "fewest_steps" at least; but "word counts", "pre-trained, frozen"
        (the pooled vector) and "frozen, mean of four layers" (over the tokens of a text, in the pocket
        model) are a linear map each, fitted by least squares. "random" is trained with each of
        "scratch_rates"; the model that is best on "validation" further texts is scored.""",
    "longer": """
        Feelings from as many examples as the largest size of the curve, in "longer" passes: accuracy, one
        number a seed, on these examples ("own") and on the test set of the curve. "random" at the rate
        "longer_rate", without a choice among rates.""",
    "best_of_runs": """
        Feelings from "few" examples: one training after the other, alike but for the seed, by seed;
        accuracy on "small" validation texts, on as many of a test set, and on "large" new ones.""",
    "layers": """
        F1 of names from a linear map on vectors of first pieces, nothing fine-tuned; "static" is
        the word embedding alone.""",
    "rates": """
        Feelings with one learning rate after the other: accuracy, mean loss of the last tenth of
        the steps, and masked words of the town's texts guessed with the old heads put back. "before":
        the pocket model.""",
    "imbalance": """
        Feelings learned from examples of which nearly all are "glad"; the test set has all four
        equally often. Accuracy, and the share right of each label, with the plain and the balanced
        loss.""",
}


def gather(budget: Budget, kept: Kept, names_wanted: Iterable[str]) -> dict[str, Any]:
    """Put all results that are there into one dictionary; seeds become lists."""
    recipe = budget.recipe(budget.train)
    results: dict[str, Any] = {
        "budget": {**asdict(budget), "batch_size": recipe.batch_size, "learning_rate": recipe.learning_rate},
        "notes": {part: " ".join(text.split()) for part, text in NOTES.items()},
    }
    for name in names_wanted:
        result = kept.read(name)
        if result is None:
            continue
        *above, last = name.split("/")
        place = results
        for title in above[:-1] if above[:1] == ["curve"] else above:
            place = place.setdefault(title, {})
        if above[:1] == ["curve"]:
            place.setdefault(above[-1], []).append(result)
        else:
            place[last] = result
    return results


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
