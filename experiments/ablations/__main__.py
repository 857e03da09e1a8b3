"""Train the variants that are missing and write the recorded numbers."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from bertviz_lite.basics.files import write_text
from bertviz_lite.basics.threads import threads
from bertviz_lite.evaluation.recorded import file_of
from bertviz_lite.world.towns import TOWN
from experiments.ablations.plans import PLANS, Plan
from experiments.ablations.queue import do_all
from experiments.ablations.work import Job
from experiments.common.record_text import record_text


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the variants that are missing, measure all that were trained, write the file.

    A run that was killed goes on where it was when the same command is given again.
    """
    options = _parse(arguments)
    plan = PLANS[options.town]
    whole = options.steps in (None, plan.recipe.steps) and options.output is None
    recipe = replace(plan.recipe, steps=options.steps or plan.recipe.steps, bf16=options.bf16)
    plan = replace(plan, recipe=recipe)
    runs = options.runs or Path("runs") / plan.record
    output = options.output or runs / f"{plan.record}.json"
    seeds, names = options.seeds or range(plan.seeds), options.only or plan.variants
    jobs = [Job(name, seed) for seed in seeds for name in names]
    with threads(1):
        failed = do_all(
            plan, runs, jobs, options.jobs, progress=options.progress, done=lambda: gather(plan, runs, output)
        )
    gather(plan, runs, output)
    missing = [job for job in all_jobs(plan) if not job.result(runs).exists()]
    if whole and not missing:
        output = file_of(plan.record)
        gather(plan, runs, output)
    sys.stdout.write(f"{len(all_jobs(plan)) - len(missing)} of {len(all_jobs(plan))} runs are in {output}\n")
    return 1 if failed else 0


def all_jobs(plan: Plan) -> list[Job]:
    """Return all runs of a plan."""
    return [Job(name, seed) for seed in range(plan.seeds) for name in plan.variants]


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    every = list(dict.fromkeys(name for plan in PLANS.values() for name in plan.variants))
    shown = ", ".join(every).replace("%", "%%")  # argparse formats what it shows
    parser = argparse.ArgumentParser(
        prog="python -m experiments.ablations",
        description=main.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--town", choices=PLANS, default=TOWN, help="whose stories (default: %(default)s)")
    parser.add_argument("--only", nargs="+", choices=every, metavar="VARIANT", help=f"of {shown}")
    parser.add_argument("--seeds", nargs="+", type=int, metavar="SEED", help="seeds to run (default: all)")
    parser.add_argument("--steps", type=int, help="optimizer steps (default: the plan's)")
    parser.add_argument("--jobs", type=int, default=1, help="runs side by side, one thread each")
    parser.add_argument("--bf16", action="store_true", help="matrix products in bfloat16")
    parser.add_argument("--runs", type=Path, help="folder for what lasts (default: in runs/)")
    parser.add_argument("--progress", action=argparse.BooleanOptionalAction, default=True, help="show a bar")
    parser.add_argument(
        "--output",
        type=Path,
        help="the file to write; without it what is finished is gathered in the folder of the runs, and all "
        "of it, once everything is, in the record that the chapters read",
    )
    options = parser.parse_args(arguments)
    plan = PLANS[options.town]
    unknown = [name for name in options.only or () if name not in plan.variants]
    if unknown:
        parser.error(f"--only {unknown[0]!r}: of the {options.town} town there is {', '.join(plan.variants)}")
    if not set(options.seeds or ()) <= set(range(plan.seeds)):
        parser.error(f"--seeds: {', '.join(map(str, range(plan.seeds)))} for the {options.town} town")
    if options.jobs < 1:
        parser.error(f"--jobs {options.jobs}: 1 or more is needed")
    return options


def gather(plan: Plan, runs: Path, output: Path) -> None:
    """Put the results of all finished runs into one file."""
    results = {}
    for name, variant in plan.variants.items():
        paths = [Job(name, seed).result(runs) for seed in range(plan.seeds)]
        found = [json.loads(path.read_text(encoding="utf-8")) for path in paths if path.exists()]
        if not found:
            continue
        results[name] = _of_seeds(variant.beside, found)
    described = {"recipe": asdict(plan.recipe), "notes": dict(plan.notes), "variants": results}
    write_text(output, record_text(described))


def _of_seeds(beside: str, found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what is the same for all seeds of a variant, and the list of what is not."""
    same = ("what", "parameters")
    return {
        **{name: found[0][name] for name in same},
        "beside": beside,
        "seeds": [{name: value for name, value in one.items() if name not in same} for one in found],
    }


if __name__ == "__main__":
    sys.exit(main())
