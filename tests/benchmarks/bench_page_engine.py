"""How the page's engine compares with torch on one thread, and how many bytes and how much memory it takes.

Both do the same: a forward pass of one text with attention, hidden states and the logits of all positions.
They are timed in turns, so that a busy machine slows both; the ratio is what counts.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from transformers import BertConfig, BertForPreTraining

from bertviz_lite import load
from bertviz_lite.views.engine.packed import engine_source, pack_model

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

RUNS, TURNS = 15, 3
AT_MOST = {12: 4.0, 128: 8.0}
"""By tokens: how many times as long as torch the engine may take."""
RUNNER = Path(__file__).with_name("page_engine.mjs")
LARGER = {
    "vocab_size": 3_750,
    "hidden_size": 192,
    "num_hidden_layers": 4,
    "num_attention_heads": 6,
    "intermediate_size": 640,
    "max_position_embeddings": 128,
}


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
) -> list[bool]:
    """Print a model's figures; return whether each ratio of the faster way is small enough."""
    packed = pack_model(model, tokenizer)
    (folder / "model.bin").write_bytes(packed.data)
    texts = {length: "the " * (length - 2) for length in AT_MOST}
    inputs = {length: tokenizer(text, return_tensors="pt")["input_ids"] for length, text in texts.items()}
    print(f"{name}: {packed.megabytes:.1f} MB, {packed.precision}")
    fits = []
    for simd in (True, False):
        turns = []
        for _ in range(TURNS):
            by_torch = {length: torch_milliseconds(model, ids) for length, ids in inputs.items()}
            turns.append((by_torch, node_times(folder, texts, simd=simd)))
        last = turns[-1][1]
        print(
            f"  {'with SIMD' if simd else 'plain'}: opened in {last['opened']:.0f} ms, "
            f"{last['memory']:.0f} MB of memory, a page's own thread held for {last['held']:.0f} ms at most"
        )
        for length, most in AT_MOST.items():
            engine = [found["times"][str(length)] for _, found in turns]
            wanted = [by_torch[length] for by_torch, _ in turns]
            ratio = statistics.median(one / other for one, other in zip(engine, wanted, strict=True))
            print(
                f"    {length:4} tokens {min(engine):6.1f} ms, torch {min(wanted):5.1f} ms: {ratio:4.1f} "
                f"times, at most {most:.0f}; the first pass {last['times'][f'first {length}']:3.0f} ms"
            )
            if simd:
                fits.append(ratio <= most)
    return fits


def main() -> int:
    """Print the figures; fail if the engine with SIMD is too slow beside torch."""
    torch.set_num_threads(1)
    tokenizer, pocket = load()
    torch.manual_seed(0)
    larger = BertForPreTraining(BertConfig(**LARGER, attn_implementation="eager")).eval()
    larger = larger.half().float()  # so that its weights are float16 numbers
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "engine.mjs").write_text(engine_source(), encoding="utf-8")
        fits = measure("pocket model", pocket, tokenizer, folder)
        fits += measure("192 wide, 640 between, 3,750 words", larger, tokenizer, folder)
    return int(not all(fits))


if __name__ == "__main__":
    sys.exit(main())
