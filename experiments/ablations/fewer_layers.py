"""Train the live model of chapter 10 with fewer layers, and with more.

``python -m experiments.ablations.fewer_layers`` trains small BERTs of one, two and three layers on the same
tiny stories, by the same recipe, with ten seeds each, and asks each for the form of hidden verbs. It records,
as "fewer_layers", how many of its questions each got right. Chapter 05 reads these numbers. In one of the
models with one layer, the FFN is wider: it has as many parameters as the model of two layers.
Some twelve minutes on one core.

Left out: the pocket model, which would need hours for each depth.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertviz_lite.basics.files import write_text
from bertviz_lite.basics.threads import threads
from bertviz_lite.chapters.chapter_10.live.ten_seeds import EACH
from bertviz_lite.chapters.chapter_10.live.training import LIVE, LiveTraining
from bertviz_lite.evaluation.recorded import file_of
from experiments.common.record_text import record_text

if TYPE_CHECKING:
    from bertviz_lite.training.pretraining.recipe import Recipe

SEEDS = 10
RECIPES: dict[str, Recipe] = {
    "1 layer": replace(LIVE, num_layers=1),
    "1 layer, wider": replace(LIVE, num_layers=1, intermediate_size=292),
    "2 layers": LIVE,
    "3 layers": replace(LIVE, num_layers=3),
}


def run(recipe: Recipe, steps: int | None = None) -> tuple[list[int], int]:
    """Train; return the right answers of each kind, as `Exam.counts` orders them, and the parameters."""
    live = LiveTraining(recipe, moments=1)
    live.run(steps, curve=False)
    counts = live.exam.counts(live.exam.right(live.model, live.tokenizer))
    return counts, live.model.num_parameters()


def main(arguments: Sequence[str] | None = None) -> None:
    """Train with every number of layers and every seed, and write the record."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.ablations.fewer_layers", description=main.__doc__
    )
    parser.add_argument("--seeds", type=int, default=SEEDS, help="trainings each (default: %(default)s)")
    parser.add_argument("--steps", type=int, help="steps of each (default: the recipe's)")
    parser.add_argument("--output", type=Path, default=file_of("fewer_layers"), help="the file to write")
    options = parser.parse_args(arguments)
    found: dict[str, Any] = {}
    with threads(1):
        for name, recipe in RECIPES.items():
            every = [run(replace(recipe, seed=seed), options.steps) for seed in range(options.seeds)]
            found[name] = {"parameters": every[0][1], "right": [counts for counts, _ in every]}
            sys.stdout.write(f"{name}: {found[name]}\n")
            sys.stdout.flush()
    record = {"steps": options.steps or LIVE.steps, "questions of a kind": EACH, "models": found}
    write_text(options.output, record_text(record))


if __name__ == "__main__":
    main()
