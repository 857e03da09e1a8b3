"""The command: choose mutants, try those that have no outcome yet, print a table."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING

from tqdm import tqdm

from mutants import stored
from mutants.changes import MUTANTS
from mutants.trying import ROOT, STARTUP, Outcome, commands, run, try_mutant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mutants.mutant import Mutant

    Outcomes = dict[str, tuple[str, Outcome]]

NEEDED = 0.95
"""The share that must be caught."""
SETTLED = ("caught", "survived")
"""What need not be tried again: to be too slow, or broken, may be the day's fault."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if enough mutants were caught and none is broken."""
    options = _parser().parse_args(arguments)
    unknown = set(options.only or ()) - {mutant.name for mutant in MUTANTS}
    if unknown:
        print(f"no mutant is called {', '.join(sorted(unknown))}: --list names them", file=sys.stderr)
        return 2
    mutants = [mutant for mutant in MUTANTS if not options.only or mutant.name in options.only]
    if options.list:
        for mutant in mutants:
            print(f"{mutant.name:34} {mutant.module}: {mutant.wrong}")
        return 0
    before = stored.read()
    marks = {mutant.name: stored.fingerprint(mutant) for mutant in mutants}
    known = {
        name
        for name, (mark, outcome) in before.items()
        if mark == marks.get(name) and outcome.kind in SETTLED
    }
    to_try = [mutant for mutant in mutants if options.again or mutant.name not in known]
    if to_try and not options.no_baseline and not _passes_unchanged(to_try):
        return 2
    outcomes = {**before, **_tried(to_try, before, marks, options)}
    found = {mutant: outcomes[mutant.name][1] for mutant in mutants}
    print(table(found))
    return verdict(found)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="try these mutants alone")
    parser.add_argument("--again", action="store_true", help="try those that have an outcome, too")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="mutants at a time (1)")
    parser.add_argument(
        "--limit", type=float, default=600, metavar="SECONDS", help="time for one mutant (600)"
    )
    parser.add_argument(
        "--no-baseline", action="store_true", help="don't run the tests without a change first"
    )
    parser.add_argument("--list", action="store_true", help="name the mutants and what is wrong with each")
    return parser


def _tried(
    mutants: Sequence[Mutant], before: Outcomes, marks: dict[str, str], options: argparse.Namespace
) -> Outcomes:
    """Try mutants, each outcome written as soon as it is there; an interruption leaves those."""
    outcomes = dict(before)
    with ThreadPoolExecutor(options.jobs) as pool, tqdm(total=len(mutants), unit="mutant") as bar:
        running = {pool.submit(try_mutant, mutant, options.limit): mutant.name for mutant in mutants}
        try:
            for done in as_completed(running):
                name = running[done]
                outcomes[name] = (marks[name], done.result())
                stored.write(outcomes)
                bar.write(f"{outcomes[name][1].kind:8} {name}", file=sys.stdout)
                bar.update()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return outcomes


def _passes_unchanged(mutants: Sequence[Mutant]) -> bool:
    """Run the mutants' tests without any change: what fails then would count as noticing."""
    tests = tuple(dict.fromkeys(test for mutant in mutants for test in mutant.tests))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(STARTUP), str(ROOT)))}
    print(f"Running the {len(tests)} tests and notebooks without a change", flush=True)
    for command in commands(tests):
        code, output = run(command, environment, limit=3_600)
        if code != 0:
            print(output[-2_000:], "They must pass before a mutant can be caught.", sep="\n", file=sys.stderr)
            return False
    return True


def table(found: dict[Mutant, Outcome]) -> str:
    """Return the outcomes as lines, what was not caught at the end."""
    rows = sorted(found.items(), key=lambda row: row[1].kind != "caught")
    lines = [f"{'mutant':34} {'outcome':9} {'s':>6}  noticed by, or why not"]
    lines += [
        f"{mutant.name:34} {outcome.kind:9} {outcome.seconds:6.0f}  {outcome.by or mutant.wrong}"
        for mutant, outcome in rows
    ]
    for room in sorted({mutant.room for mutant in found}):
        kinds = [outcome.kind for mutant, outcome in found.items() if mutant.room == room]
        lines.append(f"{room}: {kinds.count('caught')} of {len(kinds)} caught")
    return "\n".join(lines)


def verdict(found: dict[Mutant, Outcome]) -> int:
    """Return the exit status: 0 where at least 95 % are caught and every change could be made."""
    kinds = [outcome.kind for outcome in found.values()]
    return int("broken" in kinds or kinds.count("caught") < NEEDED * len(kinds))
