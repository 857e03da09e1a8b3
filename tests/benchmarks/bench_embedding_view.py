"""Time the embedding view in headless Chromium: the page, the first view, a change of token.

    python tests/benchmarks/bench_embedding_view.py

Sizes are of a BERT-base input: up to 512 tokens of 768 components, all different. Milliseconds are medians;
they mean something only beside each other, on one machine.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from bertviz_lite.evaluation.embeddings import InputParts
from bertviz_lite.views import EmbeddingView
from tests.helpers.browser import open_browser, open_context

SIZES = ((16, 128), (128, 768), (512, 768))

SWITCH = """async (count) => {
  const { model } = window.bertvizLite;
  const frame = () => new Promise(requestAnimationFrame);
  const times = [];
  for (let i = 1; i <= count; i += 1) {
    await frame();
    const start = performance.now();
    model.set("token", i);
    model.save_changes();
    await frame();
    await new Promise((done) => setTimeout(done)); // after the frame has been painted
    times.push(performance.now() - start);
  }
  return times;
}"""

FIRST = """async () => {
  while (!window.bertvizLite) await new Promise((done) => setTimeout(done, 1));
  await new Promise(requestAnimationFrame);
  await new Promise((done) => setTimeout(done));
  return performance.now();
}"""


def random_parts(seq_len: int, hidden_size: int) -> InputParts:
    """Return parts of the sizes found in BERT: token vectors longer than position vectors, two segments."""
    draw = np.random.default_rng(0)
    segments = np.arange(seq_len) * 2 // seq_len
    return InputParts(
        tokens=tuple(f"token{i}" for i in range(seq_len)),
        input_ids=np.arange(seq_len),
        token_type_ids=segments,
        position_ids=np.arange(seq_len),
        token=draw.normal(scale=0.05, size=(seq_len, hidden_size)),
        position=draw.normal(scale=0.02, size=(seq_len, hidden_size)),
        segment=draw.normal(scale=0.01, size=(2, hidden_size))[segments],
        gain=np.ones(hidden_size),
        bias=np.zeros(hidden_size),
    )


def main() -> None:
    """Print one line per size."""
    print("| tokens | hidden_size | save, ms | page, MB | first view, ms | token switch, ms |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        for seq_len, hidden_size in SIZES:
            page_file = Path(folder) / f"{seq_len}.html"
            start = time.perf_counter()
            EmbeddingView(random_parts(seq_len, hidden_size)).save(page_file)
            saved = 1000 * (time.perf_counter() - start)
            firsts, switches = [], []
            for _ in range(3):
                with open_context(browser, viewport={"width": 1280, "height": 1000}) as (context, _watched):
                    page = context.new_page()
                    page.goto(page_file.as_uri())
                    firsts.append(page.evaluate(FIRST))
                    switches += page.evaluate(SWITCH, min(15, seq_len - 1))
            print(
                f"| {seq_len} | {hidden_size} | {saved:.0f} | {page_file.stat().st_size / 1e6:.2f} "
                f"| {statistics.median(firsts):.0f} | {statistics.median(switches):.0f} |"
            )


if __name__ == "__main__":
    main()
