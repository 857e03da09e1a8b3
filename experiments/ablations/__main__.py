"""Train the variants that are missing and write the recorded numbers "ablations"."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from bertviz_lite.basics.files import write_text
from bertviz_lite.basics.threads import threads
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.evaluation.recorded import file_of
from bertviz_lite.models import POCKET
from bertviz_lite.models.loading import load
from bertviz_lite.training.pretraining.recipe import Recipe
from bertviz_lite.training.pretraining.run import Run
from experiments.ablations.measuring import AblationSet, measure
from experiments.ablations.training import train
from experiments.ablations.variants import BUDGET, VARIANTS
from experiments.rounding import rounded

FILE = file_of("ablations")
NOTES = {
    "scores": "[value, items]: as in the pocket model's scores.json (bertviz_lite.evaluation.scores)",
    "senses by layer": "share of two-sense words told apart on unmasked text, embeddings first",
    "tags by layer": "share of gold tags that a linear probe reads off the vectors of unmasked words",
    "read": "the LM head on the same pieces masked, as they stand, and replaced by a random piece",
    "pairs": "share right, half true: the model's second head; linear probes on its vectors, on the words",
    "losses": "[step, loss of masked words, loss of pairs], means since the line before",
}


def folder_of(name: str) -> str:
    """Return the name of a variant's folder."""
    return name.replace("/", "-").replace(" ", "-").replace("%", "percent")


def losses(logged: Sequence[dict[str, Any]]) -> list[list[float]]:
    """Pick the two losses out of what a Trainer logged."""
    return [[entry["step"], entry["mlm_loss"], entry["nsp_loss"]] for entry in logged if "mlm_loss" in entry]


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the variants that are missing, measure all that were trained, write the file."""
    parser = argparse.ArgumentParser(prog="python -m experiments.ablations", description=main.__doc__)
    parser.add_argument(
        "--only", nargs="+", choices=VARIANTS, default=list(VARIANTS), help="variants to train"
    )
    parser.add_argument(
        "--steps", type=int, default=BUDGET.steps, help="optimizer steps (default: %(default)s)"
    )
    parser.add_argument("--runs", type=Path, default=Path("runs/ablations"), help="folder for what lasts")
    parser.add_argument("--bf16", action="store_true", help="matrix products in bfloat16")
    parser.add_argument("--threads", type=int, default=1, help="threads (default: %(default)s)")
    parser.add_argument("--output", type=Path, default=FILE, help="the file to write")
    options = parser.parse_args(arguments)
    recipe = replace(BUDGET, steps=options.steps, bf16=options.bf16)
    with threads(options.threads):
        _train_and_measure(options.only, recipe, options.runs)
    gather(options.runs, recipe, options.output)


def _train_and_measure(names: Sequence[str], recipe: Recipe, runs: Path) -> None:
    tokenizer: Any = load("pocket")[0]
    ablation_set: AblationSet | None = None
    for name in names:
        folder = runs / folder_of(name)
        done = folder / "result.json"
        if done.exists():
            continue
        start = time.monotonic()
        model, logged = train(VARIANTS[name], recipe, Run(folder), runs / "stories")
        seconds = time.monotonic() - start
        if ablation_set is None:
            corpus = Corpus.prepare(runs / "stories", POCKET, 0, BUDGET.stories, 1, progress=False)
            ablation_set = AblationSet.make(tokenizer, corpus)
        result = {
            "what": VARIANTS[name].what,
            **measure(model, tokenizer, ablation_set),
            "losses": losses(logged),
        }
        write_text(done, json.dumps(rounded(result)) + "\n")
        sys.stdout.write(f"{name}: {seconds:.0f} s of training\n")
        sys.stdout.flush()


def gather(runs: Path, recipe: Recipe, output: Path) -> None:
    """Put the results of all finished variants into one file."""
    results = {}
    for name in VARIANTS:
        path = runs / folder_of(name) / "result.json"
        if path.exists():
            results[name] = json.loads(path.read_text(encoding="utf-8"))
    described = {"recipe": asdict(recipe), "notes": NOTES, "variants": results}
    write_text(output, _lines(described) + "\n")


def _lines(value: Any, indent: str = "") -> str:  # noqa: ANN401 - JSON
    """Write JSON with one line for each list of numbers."""
    if not isinstance(value, dict):
        return json.dumps(value)
    inner = indent + " "
    entries = [f"{inner}{json.dumps(name)}: {_lines(entry, inner)}" for name, entry in value.items()]
    return "{\n" + ",\n".join(entries) + f"\n{indent}}}"


if __name__ == "__main__":
    main()
