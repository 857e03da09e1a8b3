"""Measure trace beside torchinfo, torchview and torchlens: BERT Base on 2 × 128 tokens, pocket on 16.

    python tests/benchmarks/bench_trace.py [--rounds 5] [--no-peers]

Every tool runs in a process of its own. In each round that process times one bare forward pass and one trace,
one after the other, and the figure is the median of the rounds' ratios: absolute times depend on what else
the machine does. *All* has the names, the numbers and the table in it; of the peers, what they make by
themselves. "first" is the first call of a new process, after torch, transformers and the model are there; of
pocket, the median of five processes. Python keeps its compiled code between them, as it does for any user.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import peers

OURS, VALUES = "trace", "trace, values=True"
TOOLS = (OURS, VALUES, "torchinfo 1.8.0", "torchview 0.2.7", "torchlens 2.36.1")
MODELS = ("base", "pocket")
INSIDE = ("view", "transpose", "matmul", "softmax")
LIMITS = {(OURS, "base"): 0.5, (VALUES, "base"): 1.3}
FIRST_MS = 30.0


def prepare(name: str) -> tuple[Any, dict[str, Any]]:
    """Make a model and what it is given: Base with random weights, 2 × 128; pocket, 1 × 16."""
    import torch

    if name == "base":
        from transformers import BertConfig, BertForPreTraining

        model, shape = BertForPreTraining(BertConfig()).eval(), (2, 128)
    else:
        from bertviz_lite import load

        model, shape = load()[1], (1, 16)
    ids = torch.arange(shape[0] * shape[1]).reshape(shape) + 5
    return model, {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "token_type_ids": torch.zeros_like(ids),
    }


def tracer(tool: str, model: Any, inputs: dict[str, Any]) -> Callable[[], set[str]]:  # noqa: ANN401
    """Return a function that traces once, and returns which operations inside attention it has seen."""
    if tool in (OURS, VALUES):
        from bertviz_lite.trace import trace

        return lambda: {
            wanted
            for step in trace(model, values=tool == VALUES, **inputs)
            for wanted in INSIDE
            if step.name.startswith(wanted)
        }
    kind = tool.split(maxsplit=1)[0]
    if kind == "torchinfo":
        from torchinfo import summary

        def summed() -> set[str]:
            result = summary(model, input_data=inputs, verbose=0, depth=9)
            return _named(str(row.class_name) for row in result.summary_list)

        return summed
    if kind == "torchview":
        from torchview import draw_graph

        def drawn() -> set[str]:
            graph = draw_graph(model, input_data=inputs, depth=9, expand_nested=True, device="cpu")
            return _named(str(node.name) for edge in graph.edge_list for node in edge)

        return drawn
    import torchlens

    return lambda: _named(map(str, torchlens.trace(model, (), inputs).layer_labels))


def _named(names: Any) -> set[str]:  # noqa: ANN401
    return {wanted for name in names for wanted in INSIDE if wanted in name.lower()}


def measure(tool: str, name: str, rounds: int) -> None:
    """Print, as JSON, the first call in ms, the ratios to a bare pass, and what was seen."""
    import torch

    model, inputs = prepare(name)

    def bare() -> float:
        start = time.perf_counter()
        with torch.no_grad():
            model(**inputs)
        return time.perf_counter() - start

    bare()
    start = time.perf_counter()
    once = tracer(tool, model, inputs)
    seen = once()
    first = 1000 * (time.perf_counter() - start)
    ratios, times = [], []
    for _ in range(rounds):
        before = bare()
        start = time.perf_counter()
        once()
        took = time.perf_counter() - start
        ratios.append(took / ((before + bare()) / 2))
        times.append(1000 * took)
    measured = {
        "first": first,
        "ratio": statistics.median(ratios),
        "ms": statistics.median(times),
        "seen": sorted(seen),
    }
    print(json.dumps(measured))


def run(tool: str, name: str, rounds: int) -> dict[str, Any]:
    """Measure in new processes; a tool that fails says why."""
    measured = run_once(tool, name, rounds)
    if name == "pocket" and "problem" not in measured:
        others = [run_once(tool, name, 1)["first"] for _ in range(4)]
        measured["first"] = statistics.median([measured["first"], *others])
    return measured


def run_once(tool: str, name: str, rounds: int) -> dict[str, Any]:
    """Measure in a new process; a tool that fails says why."""
    environment = dict(os.environ) if tool in (OURS, VALUES) else peers.environment()
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, __file__, "--tool", tool, "--model", name, "--rounds", str(rounds)]
    ran = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, cwd=peers.ROOT
    )
    if ran.returncode:
        return {"problem": (ran.stderr.strip().splitlines() or ["no message"])[-1]}
    measured: dict[str, Any] = json.loads(ran.stdout.strip().splitlines()[-1])
    return measured


def main() -> None:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="how often each is timed (median)")
    parser.add_argument("--no-peers", action="store_true", help="measure ours only")
    parser.add_argument("--tool", help=argparse.SUPPRESS)
    parser.add_argument("--model", help=argparse.SUPPRESS)
    options, _ = parser.parse_known_args()  # `make bench` gives every benchmark the same arguments
    if options.tool:
        measure(options.tool, options.model, options.rounds)
        return
    tools = TOOLS[:2]
    if not options.no_peers:
        try:
            peers.install()
            tools = TOOLS
        except RuntimeError as error:
            print(f"The peers are not measured: {error}", file=sys.stderr)
    print("| tool | model | over a bare pass | at most | first call, ms | at most | seen inside attention |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in MODELS:
        for tool in tools:
            measured = run(tool, name, options.rounds)
            if "problem" in measured:
                print(f"| {tool} | {name} | failed: {measured['problem']} | | | | |")
                continue
            limit = LIMITS.get((tool, name))
            first = FIRST_MS if (tool, name) == (OURS, "pocket") else None
            times = f"{measured['ratio']:.2f} | {_limit(measured['ratio'], limit)} | {measured['first']:,.0f}"
            seen = ", ".join(measured["seen"]) or "none"
            print(f"| {tool} | {name} | {times} | {_limit(measured['first'], first)} | {seen} |")


def _limit(value: float, limit: float | None) -> str:
    return "" if limit is None else f"{limit:g}" + ("" if value <= limit else " **exceeded**")


if __name__ == "__main__":
    main()
