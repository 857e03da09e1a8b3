"""Vectors of texts after training all layers for them, and those of all-MiniLM-L6-v2 as they are.

``python -m experiments.similarity`` trains the pocket model on chapter 06's questions about town events, once
for each pooling, and scores all-MiniLM-L6-v2 on the English ones. It writes the recorded numbers
"similarity": the training takes too long for a notebook, and not everybody has the other model.
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
from bertviz_lite.chapters.chapter_06.same_event import TEST_SEED, TRAINING_SEED, event_questions
from bertviz_lite.chapters.chapter_06.same_meaning import english_scores
from bertviz_lite.chapters.chapter_06.tuning import Schedule, states, tune
from bertviz_lite.evaluation.poolings import Pool, poolings
from bertviz_lite.evaluation.recorded import file_of
from bertviz_lite.evaluation.similarity import chosen, cosines
from bertviz_lite.models.loading import load

NOTES = {
    "all layers trained": """
        Accuracy on 200 questions about town events, after training all layers of the pocket model
        with each pooling, one run each. "no tanh" is the pooler without its tanh.""",
    "all-MiniLM-L6-v2": """
        Accuracy on the 24 English questions, as installed: the same meaning against the same
        topic, and against like words too.""",
}


def all_layers_trained(training: int = 400, test: int = 200) -> dict[str, float]:
    """Train every layer for each pooling; return the accuracies on new questions."""
    tokenizer, model = load("pocket")
    model = model.double()
    bert: Any = model.base_model
    training_questions = event_questions(TRAINING_SEED, training)
    test_questions = event_questions(TEST_SEED, test)
    schedule = Schedule(model.config.num_hidden_layers, steps=100, batch_size=16, learning_rate=1e-3)
    inputs = states(bert, tokenizer, training_questions, layer=0)
    ways: dict[str, Pool] = poolings() | {
        "no tanh": lambda bert, hidden, _real: bert.pooler.dense(hidden[:, 0]),
    }
    accuracies = {}
    for name, pool in ways.items():
        tuned = tune(model, tokenizer, training_questions, pool, schedule, inputs=inputs).model
        with torch.no_grad():
            vectors = pool(tuned, *states(tuned, tokenizer, test_questions))
        accuracies[name] = round(float(chosen(cosines(vectors, test_questions))[:, 0].mean()), 4)
        sys.stdout.write(f"{name:10} {accuracies[name]:.3f}\n")
        sys.stdout.flush()
    return accuracies


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the pocket model with each pooling, score all-MiniLM-L6-v2, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m experiments.similarity", description=main.__doc__)
    parser.add_argument("--output", type=Path, default=file_of("similarity"), help="the file to write")
    options = parser.parse_args(arguments)
    results = {
        "notes": {name: " ".join(text.split()) for name, text in NOTES.items()},
        "all layers trained": all_layers_trained(),
        "all-MiniLM-L6-v2": english_scores(poolings()),
    }
    write_text(options.output, json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
