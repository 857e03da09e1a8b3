"""Vectors of texts while a model is trained for them, and those of all-MiniLM-L6-v2 as they are.

``python -m experiments.similarity --bf16`` trains the pocket model on chapter 07's questions about town
events, with each pooling and two orders of the questions, and scores it as it goes; and it scores
all-MiniLM-L6-v2 on the English ones. It writes the recorded numbers "similarity": the training takes too long
for a notebook, and not everybody has the other model.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from bertviz_lite.basics.files import write_text
from bertviz_lite.chapters.chapter_07.same_event import TEST_SEED, TRAINING_SEED, event_questions
from bertviz_lite.chapters.chapter_07.same_meaning import english_scores
from bertviz_lite.chapters.chapter_07.tuning import Schedule, finish, states, tune
from bertviz_lite.evaluation.poolings import Pool, poolings
from bertviz_lite.evaluation.recorded import file_of
from bertviz_lite.evaluation.similarity import chosen, cosines
from bertviz_lite.models.loading import load

NOTES = {
    "over steps": """
        Accuracy on 200 new questions about town events, at each of "steps", while the pocket model is
        trained with each pooling: a row for each of two orders of the questions. "no tanh" is the pooler
        without its tanh. All layers are trained, or the top layer alone; the embeddings never.""",
    "all-MiniLM-L6-v2": """
        Accuracy on the 24 English questions, as installed: the same meaning against the same
        topic, and against like words too.""",
}
STEPS, EVERY, SEEDS = 240, 30, (0, 1)
TRAINING, TEST = 400, 200  # questions
LEARNING_RATES = {"all layers": 1e-3, "top layer": 4e-3}


def ways() -> dict[str, Pool]:
    """Return the poolings that are trained, by name: chapter 07's four, and the pooler without its tanh."""
    return poolings() | {"no tanh": lambda bert, hidden, _real: bert.pooler.dense(hidden[:, 0])}


def accuracies(which: str, pool: Pool, seed: int, *, bf16: bool = False) -> list[float]:
    """Train "all layers" or the "top layer" with a pooling; return accuracies from the start to the end."""
    tokenizer, model = load("pocket")
    bert: Any = model.base_model
    layers = model.config.num_hidden_layers if which == "all layers" else 1
    training_questions = event_questions(TRAINING_SEED, TRAINING)
    test_questions = event_questions(TEST_SEED, TEST)
    below = states(bert, tokenizer, test_questions, layer=-1 - layers)
    found: list[float] = []

    def watch(step: int, tuned: object) -> None:
        if step % EVERY == 0:
            some: Any = tuned
            with torch.no_grad(), torch.autocast("cpu", enabled=False):
                vectors = pool(some, finish(some, below, layers), below[1])
            found.append(round(float(chosen(cosines(vectors, test_questions))[:, 0].mean()), 4))

    schedule = Schedule(layers, STEPS, batch_size=16, learning_rate=LEARNING_RATES[which], seed=seed)
    # without a cache: it would keep the weights of the first step
    with torch.autocast("cpu", torch.bfloat16, enabled=bf16, cache_enabled=False):
        tune(model, tokenizer, training_questions, pool, schedule, watch=watch)
    return found


def over_steps(*, bf16: bool = False) -> dict[str, Any]:
    """Train everything that can be trained with every pooling and seed; return the accuracies over steps."""
    results: dict[str, Any] = {"steps": list(range(0, STEPS + 1, EVERY))}
    for which in LEARNING_RATES:
        results[which] = {}
        for name, pool in ways().items():
            runs = [accuracies(which, pool, seed, bf16=bf16) for seed in SEEDS]
            results[which][name] = runs
            sys.stdout.write(f"{which} {name:8} {' '.join(f'{run[-1]:.3f}' for run in runs)}\n")
            sys.stdout.flush()
    return results


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the pocket model with each pooling, score all-MiniLM-L6-v2, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m experiments.similarity", description=main.__doc__)
    parser.add_argument("--output", type=Path, default=file_of("similarity"), help="the file to write")
    parser.add_argument("--bf16", action="store_true", help="matrix products of the training in bfloat16")
    options = parser.parse_args(arguments)
    results = {
        "notes": {name: " ".join(text.split()) for name, text in NOTES.items()},
        "over steps": over_steps(bf16=options.bf16),
        "all-MiniLM-L6-v2": english_scores(poolings()),
    }
    write_text(options.output, json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
