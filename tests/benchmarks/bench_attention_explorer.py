"""Measure the attention explorer beside BertViz and CircuitsVis: 12 layers × 12 heads, realistic attention.

    python tests/benchmarks/bench_attention_explorer.py [--tokens 64 128 512] [--no-peers] [--limit 120]

Prints one table: a column for each tool, what is asked of ours at most, and whether that holds. Every job
runs in a process of its own. Absolute times depend on the machine and on what else it does; the tools are
measured in one run, one after another, and medians are told.

What is meant: a *first view* goes from the start of the navigation to the end of the frame in which the maps
were painted. Ours shows all maps and one of them large from the start, so one figure serves for both.
*Renderer memory* is the private memory of Chromium's renderer process after the first view (psutil's uss).
*Peak* is what tracemalloc saw; what torch allocates it does not see. CircuitsVis has no layers: each is a
view of its own. The peers' pages of 512 tokens are not made: their size follows from that of 128.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import peers
import psutil

JOBS = Path(__file__).with_name("explorer_jobs.py")
OURS, BERTVIZ, CIRCUITSVIS = "ours", "BertViz 1.4.1", "CircuitsVis 1.43.3"
_IMPORT = (
    "import sys, time; start = time.perf_counter(); import %s; print(1000 * (time.perf_counter() - start))"
)

Results = dict[str, "float | str"]

# What a row says, its measures, what is asked of each at most, and how a measure is written.
ROWS: tuple[tuple[str, tuple[str, ...], tuple[float, ...], str], ...] = (
    ("saved page, 64 / 128 / 512 tokens, MB", ("page 64", "page 128", "page 512"), (1.0, 2.5, 32), ",.2f"),
    ("Python time to build it, 128 tokens, s", ("build 128",), (0.25,), ".2f"),
    ("Python peak memory to build it, 128 tokens, MiB", ("peak 128",), (40,), ",.0f"),
    ("first view, 128 tokens, one layer / all 144 maps, ms", ("first 128", "all 128"), (400, 400), ",.0f"),
    ("layer switch / head toggle, 128 tokens, ms", ("layer 128", "head 128"), (60, 30), ",.0f"),
    ("renderer memory, 128 tokens, all maps, MiB", ("memory 128",), (250,), ",.0f"),
    (
        "first view / layer switch / hover, 512 tokens, ms",
        ("first 512", "layer 512", "hover 512"),
        (2000, 120, 30),
        ",.0f",
    ),
    (
        "live, 128 tokens: bytes sent for the first view / one layer switch, kB",
        ("live first", "live layer"),
        (300, 300),
        ",.0f",
    ),
    ("largest error of a drawn weight, 512 tokens", ("weight error",), (0.004,), ".4f"),
    ("largest error of a row sum, 512 tokens", ("row error",), (0.05,), ".3f"),
    ("import, torch not yet loaded, ms", ("import",), (50,), ",.0f"),
)


def run(job: str, limit: float, **request: object) -> dict[str, Any]:
    """Run a job and return what it told, until it ended or its time was up (then with "late")."""
    command = [sys.executable, str(JOBS), json.dumps({"job": job, **request})]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as told, tempfile.TemporaryFile("w+") as complained:
        process = subprocess.Popen(command, stdout=told, stderr=complained, env=_environment(request))
        try:
            status = process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            _end(process)
            status = None
        told.seek(0)
        complained.seek(0)
        facts: dict[str, Any] = {}
        for line in told:
            facts |= json.loads(line)
        if status:
            facts["problem"] = (complained.read().strip().splitlines() or ["no message"])[-1]
    if status is None:
        facts["late"] = f"none within {limit:.0f} s"
    return facts


def _environment(request: dict[str, object]) -> dict[str, str]:
    return dict(os.environ) if request.get("tool", OURS) == OURS else peers.environment()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a job with the browser it has started."""
    family = [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]
    for one in family:
        try:
            one.kill()
        except psutil.NoSuchProcess:
            continue
    process.wait()


def median(job: str, limit: float, times: int, **request: object) -> dict[str, Any]:
    """Run a job several times; the median of every number it tells, and the last of what is no number."""
    runs = [run(job, limit, **request) for _ in range(times)]
    joined: dict[str, Any] = {}
    for told in runs:
        for name, value in told.items():
            joined.setdefault(name, []).append(value)
    return {
        name: statistics.median(values)
        if all(isinstance(value, int | float) for value in values)
        else values[-1]
        for name, values in joined.items()
    }


def note(results: Results, told: dict[str, Any], names: dict[str, str]) -> None:
    """Keep what a job told under the table's names; where it told nothing, why."""
    why = told.get("late") or f"failed: {told.get('problem', 'told nothing')}"
    results.update(
        {name: told.get(fact, why) for name, fact in ((n.replace("_", " "), f) for n, f in names.items())}
    )
    for complaint in told.get("complaints", []):
        print(f"(the page complained: {complaint})", file=sys.stderr)


def build_and_browse(
    results: Results, tool: str, tokens: int, folder: Path, limit: float, times: int, names: dict[str, str]
) -> None:
    """Build a tool's page and open it; `names` says which of the measures go into the table, and as what."""
    file = folder / f"{tool} {tokens}.html"
    told = median("build", limit, times, tool=tool, tokens=tokens, file=str(file))
    if "peak" in names.values():
        told |= median("build", limit, 1, tool=tool, tokens=tokens, file=str(file), trace=True)
    if not {"first", "memory", "layer", "head", "hover"}.isdisjoint(names.values()) and file.exists():
        told |= median("browse", limit, times, tool=tool, tokens=tokens, file=str(file))
    file.unlink(missing_ok=True)
    note(results, told, names)


def measure_ours(sizes: list[int], folder: Path, limit: float) -> Results:
    """Return every measure of ours."""
    results: Results = {}
    for tokens in sizes:
        names = {f"page {tokens}": "page", f"build {tokens}": "build", f"peak {tokens}": "peak"}
        names |= {f"{what} {tokens}": what for what in ("first", "memory", "layer", "head", "hover")}
        names[f"all {tokens}"] = "first"
        build_and_browse(results, OURS, tokens, folder, limit, 5 if tokens <= 128 else 3, names)
    told = run("live", limit, tokens=128)
    names = ("live first", "live layer", "live module", "live fallback")
    note(results, told, {name: name.replace(" ", "_") for name in names})
    told = run("errors", limit, tokens=512)
    names = ("weight error", "row error", "uniform row error")
    note(results, told, {name: name.replace(" ", "_") for name in names})
    results["import"] = import_ms("bertviz_lite")
    return results


def measure_bertviz(sizes: list[int], folder: Path, limit: float, times: int) -> Results:
    """Return BertViz' measures: its head view draws a layer, its model view all maps."""
    results: Results = {"weight error": "floats", "row error": "floats"}
    for tokens in (size for size in sizes if size < 512):
        names = {f"page {tokens}": "page"}
        if tokens == 128:
            names |= {f"{what} 128": what for what in ("build", "peak", "first", "layer", "head")}
        build_and_browse(results, "bertviz head view", tokens, folder, limit, times, names)
    if 128 in sizes:
        names = {"all 128": "first", "memory 128": "memory"}
        build_and_browse(results, "bertviz model view", 128, folder, limit, times, names)
    no_page(results, sizes)
    results["import"] = import_ms("bertviz")
    return results


def measure_circuitsvis(sizes: list[int], folder: Path, limit: float, times: int) -> Results:
    """Return CircuitsVis' measures: a view of the heads of one layer, and twelve of them on a page."""
    results: Results = {"weight error": "floats", "row error": "floats", "layer 128": "no layers"}
    for tokens in (size for size in sizes if size < 512):
        names = {f"page {tokens}": "page"}
        if tokens == 128:
            names |= {"build 128": "build", "peak 128": "peak", "all 128": "first", "memory 128": "memory"}
        build_and_browse(results, "circuitsvis", tokens, folder, limit, times, names)
    if 128 in sizes:
        names = {"first 128": "first", "head 128": "head"}
        build_and_browse(results, "circuitsvis, one layer", 128, folder, limit, times, names)
    no_page(results, sizes)
    results["import"] = import_ms("circuitsvis.attention")
    return results


def no_page(results: Results, sizes: list[int]) -> None:
    """Say how large the page of 512 tokens would be: bytes a weight are the same at every size."""
    page = results.get("page 128")
    if 512 in sizes and isinstance(page, float):
        results["page 512"] = f"{page * 16:,.0f} (computed)"
        results |= dict.fromkeys(("first 512", "layer 512", "hover 512"), "not tried")


def import_ms(module: str) -> float | str:
    """Return the median, over ten new processes, of the milliseconds that importing a module takes."""
    environment = dict(os.environ) if module == "bertviz_lite" else peers.environment()
    try:
        times = [
            float(
                subprocess.run(
                    [sys.executable, "-c", _IMPORT % module],
                    check=True, capture_output=True, text=True, timeout=120, cwd=peers.ROOT, env=environment,
                ).stdout
            )
            for _ in range(10)
        ]  # fmt: skip
    except subprocess.SubprocessError as error:
        return f"failed: {error}"
    return statistics.median(times)


def print_table(columns: dict[str, Results]) -> None:
    """Print the table; a row holds if every measure of ours is at most what is asked."""
    print(f"| 12 × 12 heads, realistic attention | {' | '.join(columns)} | at most | holds |")
    print("| --- " * (len(columns) + 3) + "|")
    for label, names, limits, form in ROWS:
        cells = [
            " / ".join(_written(results.get(name, "–"), form) for name in names)
            for results in columns.values()
        ]
        ours = [columns[OURS].get(name) for name in names]
        measured = [(value, limit) for value, limit in zip(ours, limits, strict=True) if value is not None]
        holds = all(isinstance(value, float | int) and value <= limit for value, limit in measured)
        asked = " / ".join(f"{limit:g}" for limit in limits)
        verdict = ("yes" if holds else "**no**") if measured else "–"
        print(f"| {label} | {' | '.join(cells)} | {asked} | {verdict} |")


def _cell(results: Results, names: tuple[str, ...], form: str) -> str:
    return " / ".join(_written(results.get(name, "–"), form) for name in names)


def _written(value: float | str, form: str) -> str:
    return value if isinstance(value, str) else format(value, form)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, nargs="+", default=[64, 128, 512], help="sizes of the pages")
    parser.add_argument("--no-peers", action="store_true", help="measure ours only")
    parser.add_argument("--limit", type=float, default=120, help="seconds that one job may take")
    parser.add_argument(
        "--peer-runs", type=int, default=1, help="how often each job of a peer is run (median)"
    )
    options, _ = parser.parse_known_args()  # `make bench` gives every benchmark the same arguments
    columns: dict[str, Results] = {}
    with tempfile.TemporaryDirectory() as name:
        folder, sizes = Path(name), options.tokens
        if not options.no_peers:
            try:
                peers.install()
                columns[BERTVIZ] = measure_bertviz(sizes, folder, options.limit, options.peer_runs)
                columns[CIRCUITSVIS] = measure_circuitsvis(sizes, folder, options.limit, options.peer_runs)
            except RuntimeError as error:
                print(f"The peers are not measured: {error}", file=sys.stderr)
                unknown: Results = dict.fromkeys((name for row in ROWS for name in row[1]), "not measured")
                columns |= {BERTVIZ: unknown, CIRCUITSVIS: unknown}
        columns[OURS] = measure_ours(sizes, folder, options.limit)
    print_table(columns)
    also = {name: _written(value, ",.3g") for name, value in columns[OURS].items()}
    print(
        f"\nAlso sent to a live view: {also['live module']} kB of module and style, once; and to a notebook"
    )
    print(
        f"{also['live fallback']} kB that are seen without scripts. Rows that are uniform over some number of"
    )
    print(f"keys up to 512 suffer most from rounding: sums are off by up to {also['uniform row error']}.")


if __name__ == "__main__":
    main()
