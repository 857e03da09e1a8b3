"""Tables of chapter 11: the tasks, names read off layers, learning curves, learning rates."""

from __future__ import annotations

from typing import Any

from bertviz_lite.evaluation.recorded import recorded
from experiments.results.markdown import MarkdownTable, share

_COMMAND = "python -m experiments.finetuning_results"


def _scored(result: dict[str, Any]) -> str:
    return f"{result['score']:.3f} ({result['interval'][0]:.3f} to {result['interval'][1]:.3f})"


def tasks() -> MarkdownTable:
    """Return the table of the town's tasks, beside baselines without a model."""
    results = recorded("finetuning_results")
    return MarkdownTable(
        "The town's tasks, fine-tuned",
        _COMMAND,
        f"The pocket model with the standard head of each task, from {results['budget']['train']} examples. "
        "Beside it what needs no model: the most frequent answer, and a linear map of word counts.",
        ("task", "measure", "score", "beside it"),
        tuple(
            (
                name.replace("_", " "),
                results["tasks"][name]["metric"],
                _scored(results["tasks"][name]),
                ", ".join(f"{how} {value:.3f}" for how, value in simple.items()),
            )
            for name, simple in results["baselines"].items()
        ),
    )


def names() -> MarkdownTable:
    """Return the table of names, read off the layers as they are, and fine-tuned."""
    results = recorded("finetuning_results")
    rows = [("a linear map, " + name, share(f1)) for name, f1 in results["layers"].items()]
    rows += [
        ("fine-tuned, names", _scored(results["tasks"]["names"])),
        ("fine-tuned, names, every token", _scored(results["tasks"]["names, every piece"])),
    ]
    return MarkdownTable(
        "Names of people, places and pets",
        _COMMAND,
        "F1 in the pocket model: a linear map on vectors as they are, and the standard head with everything "
        "trained. *Every token*: trained on the tags of all tokens of a word.",
        ("how", "F1"),
        tuple(rows),
    )


def curve() -> MarkdownTable:
    """Return the table of learning curves."""
    by_start = recorded("finetuning_results")["curve"]
    sizes = list(next(iter(by_start.values())))
    seeds = len(next(iter(by_start.values()))[sizes[0]])

    def spread(accuracies: list[float]) -> str:
        mean = sum(accuracies) / len(accuracies)
        return f"{mean:.3f} ({min(accuracies):.3f} to {max(accuracies):.3f})"

    return MarkdownTable(
        "Feelings, learned from more and more examples",
        _COMMAND,
        f"Accuracy, the mean of {seeds} seeds; in these brackets the worst and the best of them.",
        ("start", *(f"{int(size):,} examples" for size in sizes)),
        tuple((start, *(spread(by_size[size]) for size in sizes)) for start, by_size in by_start.items()),
    )


def rates() -> MarkdownTable:
    """Return the table of learning rates."""
    columns = ("accuracy", "last loss", "masked words")
    return MarkdownTable(
        "Learning rates, and what is forgotten",
        _COMMAND,
        "Feelings: accuracy, and the loss of the last steps. *Masked words*: the share that the old head "
        "still guesses after the training, *before* it in the first row.",
        ("learning rate", *columns),
        tuple(
            (rate, *(share(result.get(column)) for column in columns))
            for rate, result in recorded("finetuning_results")["rates"].items()
        ),
    )
