"""How the page's engine compares with torch on one thread, and how many bytes and how much memory it takes.

Both do the same: a forward pass of one text with attention, hidden states and the logits of all positions.
They are timed in turns, so that a busy machine slows both; the ratio is what counts. Of a saved page it
says how many bytes it has, and how soon after opening its first answer is there.

``--write`` puts what was measured into ``docs/page_engine.md`` and into the README.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import page_engine_words
import torch

sys.path.insert(0, str(Path(__file__).parents[2]))
from bertviz_lite import FillIn, load
from bertviz_lite.views.engine.packed import engine_source, pack_model
from tests.helpers.browser import open_browser, open_context

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

RUNS, TURNS = 15, 3
AT_MOST = {12: 4.0, 128: 8.0}
"""By tokens: how many times as long as torch the engine may take."""
OPENINGS = 9
FIRST_ANSWER_AT_MOST = 600.0
"""Milliseconds from opening a page to the first answer to what is typed there, on a machine at rest."""
# Types as soon as there is a view; times in a page count from its opening.
FIRST_ANSWER = """async () => {
    const wait = () => new Promise((done) => setTimeout(done, 2));
    while (!window.bertvizLite) await wait();
    const field = document.querySelector("textarea");
    field.value = "The key is in the [MASK] .";
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    const { model } = bertvizLite;
    const isAnswered = () => model.get("text") === field.value
        && document.querySelector(".bvl").getAttribute("aria-busy") === "false";
    while (!isAnswered()) await wait();
    return performance.now();
}"""
RUNNER = Path(__file__).with_name("page_engine.mjs")


def torch_milliseconds(model: PreTrainedModel, input_ids: torch.Tensor) -> float:
    """Return the median time of a pass."""
    times = []
    with torch.no_grad():
        for _ in range(RUNS + 3):
            start = time.perf_counter()
            model(input_ids, output_attentions=True, output_hidden_states=True)
            times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times[3:])


def node_times(folder: Path, texts: dict[int, str], *, simd: bool) -> dict[str, Any]:
    """Return what one process of Node found."""
    given = json.dumps({"texts": texts, "simd": simd, "runs": RUNS})
    command = ["node", str(RUNNER), str(folder / "engine.mjs"), str(folder / "model.bin"), given]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def measure(
    name: str, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, folder: Path
) -> dict[str, Any]:
    """Return and print a model's figures."""
    packed = pack_model(model, tokenizer)
    (folder / "model.bin").write_bytes(packed.data)
    print(f"{name}: {packed.megabytes:.1f} MB, {packed.precision}")
    return {
        "name": name,
        "parameters": model.num_parameters(),
        "megabytes": packed.megabytes,
        "precision": packed.precision,
        "ways": [measure_way(simd, model, tokenizer, folder) for simd in (True, False)],
    }


def measure_way(
    simd: bool, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, folder: Path
) -> dict[str, Any]:
    """Return and print the figures of the engine with SIMD, or without."""
    texts = {length: "the " * (length - 2) for length in AT_MOST}
    inputs = {length: tokenizer(text, return_tensors="pt")["input_ids"] for length, text in texts.items()}
    turns = []
    for _ in range(TURNS):
        by_torch = {length: torch_milliseconds(model, ids) for length, ids in inputs.items()}
        turns.append((by_torch, node_times(folder, texts, simd=simd)))
    last = turns[-1][1]
    name = "with SIMD" if simd else "plain"
    print(
        f"  {name}: opened in {last['opened']:.0f} ms, "
        f"{last['memory']:.0f} MB of memory, a page's own thread held for {last['held']:.0f} ms at most"
    )
    lengths = []
    for tokens, most in AT_MOST.items():
        engine = [found["times"][str(tokens)] for _, found in turns]
        wanted = [by_torch[tokens] for by_torch, _ in turns]
        length = {
            "tokens": tokens,
            "engine": min(engine),
            "by_torch": min(wanted),
            "ratio": statistics.median(one / other for one, other in zip(engine, wanted, strict=True)),
            "at_most": most,
            "first": last["times"][f"first {tokens}"],
        }
        lengths.append(length)
        print(
            f"    {tokens:4} tokens {min(engine):6.1f} ms, torch {min(wanted):5.1f} ms: "
            f"{length['ratio']:4.1f} times, at most {most:.0f}; the first pass {length['first']:3.0f} ms"
        )
    return {"name": name, **{key: last[key] for key in ("opened", "memory", "held")}, "lengths": lengths}


def measure_page(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, folder: Path) -> dict[str, Any]:
    """Return and print how large a page is, and when its first answer is there."""
    view = FillIn(model, tokenizer, "Anna lost her [MASK] .")
    page, recording = folder / "page.html", folder / "recording.html"
    view.save(page)
    view.save(recording, live=False)
    times = []
    with open_browser() as browser:
        for _ in range(OPENINGS):
            with open_context(browser) as (context, _):  # nothing is remembered from the opening before
                opened = context.new_page()
                opened.goto(page.as_uri(), wait_until="commit")
                times.append(opened.evaluate(FIRST_ANSWER))
    measured = {
        "bytes": page.stat().st_size,
        "bytes_recording": recording.stat().st_size,
        "first_answer": statistics.median(times),
        "quickest": min(times),
        "at_most": FIRST_ANSWER_AT_MOST,
    }
    print(
        f"a page of {measured['bytes'] / 1e6:.2f} MB, {measured['bytes_recording'] / 1e6:.2f} of them "
        f"without engine and model; its first answer {measured['first_answer']:.0f} ms after opening, "
        f"{min(times):.0f} at best; at rest at most {FIRST_ANSWER_AT_MOST:.0f}"
    )
    return measured


def processor() -> str:
    """Return what the processor is called."""
    information = Path("/proc/cpuinfo")
    lines = information.read_text(encoding="utf-8").splitlines() if information.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def main() -> int:
    """Print the figures, write them if asked to; fail if the engine with SIMD is too slow beside torch."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--write", action="store_true", help="put them into the document and the README")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    tokenizer, pocket = load()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "engine.mjs").write_text(engine_source(), encoding="utf-8")
        measured = {
            "processor": processor(),
            "cores": os.cpu_count(),
            "torch": torch.__version__.partition("+")[0],
            "node": subprocess.check_output(["node", "--version"], text=True).strip().removeprefix("v"),
            "page": measure_page(pocket, tokenizer, folder),
            "models": [measure("pocket model", pocket, tokenizer, folder)],
        }
    if arguments.write:
        page_engine_words.write(measured)
    return int(
        any(
            length["ratio"] > length["at_most"]
            for model in measured["models"]
            for length in model["ways"][0]["lengths"]
        )
    )


if __name__ == "__main__":
    sys.exit(main())
