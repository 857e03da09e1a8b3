"""Make the pocket model from nothing: ``python -m bertviz_lite.training.pretraining``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from bertviz_lite.data.pretraining.by_hand import SHARE
from bertviz_lite.evaluation import scores as evaluation
from bertviz_lite.training.pretraining.finished import install, shipped_folder
from bertviz_lite.training.pretraining.parallel.processes import processes_not_started, start_processes
from bertviz_lite.training.pretraining.recipe import RECIPES, Recipe
from bertviz_lite.training.pretraining.run import Run
from bertviz_lite.training.pretraining.runner import pretrain
from bertviz_lite.training.pretraining.trainer import fast_bf16


def parse(arguments: Sequence[str] | None) -> tuple[Recipe, Run, bool]:
    """Read the command line: a recipe, how to run it, and whether to install the result under its name."""
    named = argparse.ArgumentParser(add_help=False)
    named.add_argument(
        "--recipe", choices=list(RECIPES), default="pocket", help="whose settings the others change"
    )
    base = RECIPES[named.parse_known_args(arguments)[0].recipe]
    parser = argparse.ArgumentParser(
        prog="python -m bertviz_lite.training.pretraining",
        description="Train the pocket model from nothing; the same command goes on after a kill.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        parents=[named],
    )
    for entry in fields(Recipe):
        option = f"--{entry.name.replace('_', '-')}"
        value = getattr(base, entry.name)
        if isinstance(value, bool):
            default = None if entry.name == "bf16" else value
            parser.add_argument(option, action=argparse.BooleanOptionalAction, default=default)
        else:
            parser.add_argument(option, type=type(value), default=value)
    parser.add_argument(
        "--output", type=Path, default=Path("build/pretraining"), help="folder for everything"
    )
    parser.add_argument("--resume", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument(
        "--new-stage",
        action="store_true",
        help="go on with a run though its length, its mix of inputs or the town's text have changed since",
    )
    parser.add_argument("--threads", type=int, help="per process; all cores when not given")
    parser.add_argument(
        "--compiled", action="store_true", help="compile the encoder first: faster, needs a C++ compiler"
    )
    parser.add_argument("--save-every", type=int, default=500, help="steps between checkpoints")
    parser.add_argument("--max-minutes", type=float, help="save and stop after this time")
    parser.add_argument("--evaluate", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--quick", action="store_true", help="score the finished model on fewer stories")
    parser.add_argument(
        "--exam",
        type=Path,
        help="folder of people's own exam, tests/own_words: for the card, and left out of the stories",
    )
    parser.add_argument(
        "--by-hand",
        type=Path,
        help="folder of texts by hand (experiments/packed_pretraining/written_by_hand), which take the place "
        "of a share of the stories",
    )
    parser.add_argument("--by-hand-share", type=float, default=SHARE, help="that share")
    parser.add_argument(
        "--start",
        type=Path,
        help="folder of a finished model whose vocabulary and weights a new run begins with",
    )
    parser.add_argument(
        "--teacher",
        dest="teachers",
        type=Path,
        action="append",
        default=[],
        help="folder of a finished model with the same vocabulary, whose probabilities count as much as the "
        "labels; may be given several times",
    )
    parser.add_argument("--progress", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument(
        "--install",
        nargs="?",
        const="pocket",
        metavar="NAME",
        help="ship the finished model with the package, as pocket or beside it under a name of its own",
    )
    options = vars(parser.parse_args(arguments))
    if options["bf16"] is None:
        options["bf16"] = fast_bf16()
    del options["recipe"]
    name = options.pop("install")
    installs = name is not None
    if installs:
        options["name"] = shipped_folder(name).name
    if installs and options["quick"]:
        parser.error("what is shipped is scored on everything: leave out --quick, or --install")
    options["teachers"] = tuple(options["teachers"])
    recipe = Recipe(**{entry.name: options.pop(entry.name) for entry in fields(Recipe)})
    return recipe, Run(**options), installs


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 1 where the time was up or the settings are wrong."""
    count = processes_not_started()
    if count > 1:
        return start_processes(count, main, sys.argv[1:] if arguments is None else arguments)
    try:
        recipe, run, installs = parse(arguments)
        folder = pretrain(recipe, run)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if int(os.environ.get("RANK", "0")) != 0:
        return 0
    if folder is None:
        print("stopped and saved: give the same command again to go on", flush=True)
        return 1
    print(f"the model is in {folder}")
    if (folder / "scores.json").exists():
        scores = evaluation.Scores.from_json((folder / "scores.json").read_text(encoding="utf-8"))
        print(scores.table())
        if scores.missed:
            print(f"below what is needed: {', '.join(scores.missed)}")
    if installs:
        install(folder, shipped_folder(run.name))
        print("installed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
