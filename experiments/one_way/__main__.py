"""Train readers of one side and write the recorded numbers "one_way"."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bertviz_lite.basics.files import write_text
from bertviz_lite.chapters.chapter_05.one_way import log_frequencies
from bertviz_lite.data.encoded_stories import encode_stories
from bertviz_lite.data.pretraining.shards import story_seeds
from bertviz_lite.evaluation.recorded import file_of
from bertviz_lite.world import stories
from experiments.one_way.measuring import measure
from experiments.one_way.reader import SIDES, Reader

FILE = file_of("one_way")
TEST_SEED = 900_000_051


def main(arguments: Sequence[str] | None = None) -> None:
    """Train three readers, score them, write the file."""
    parser = argparse.ArgumentParser(prog="python -m experiments.one_way", description=main.__doc__)
    parser.add_argument("--steps", type=int, default=1_200, help="optimizer steps (default: %(default)s)")
    parser.add_argument(
        "--positions", type=int, default=4_096, help="tokens and padding in a step (default: %(default)s)"
    )
    parser.add_argument(
        "--rate", type=float, default=5e-4, help="highest learning rate (default: %(default)s)"
    )
    parser.add_argument("--stories", type=int, default=16_000, help="texts to read (default: %(default)s)")
    parser.add_argument("--test", type=int, default=800, help="texts to score on (default: %(default)s)")
    parser.add_argument("--bf16", action="store_true", help="matrix products in bfloat16")
    parser.add_argument("--output", type=Path, default=FILE, help="the file to write")
    options = parser.parse_args(arguments)
    readers = {side: Reader(side) for side in SIDES}
    tokenizer = readers["both"].tokenizer
    training = encode_stories(stories(story_seeds(1, 0), options.stories), tokenizer)
    test = encode_stories(stories(TEST_SEED, options.test), tokenizer)
    prior = log_frequencies(training, len(tokenizer))
    result: dict[str, Any] = {"steps": options.steps, "positions": options.positions}
    result["before"] = measure(readers, test, prior)
    for reader in readers.values():
        start = time.monotonic()
        loss = reader.train(training, options.steps, options.positions, options.rate, options.bf16)
        sys.stdout.write(f"{reader.side}: loss {loss:.3f}, {time.monotonic() - start:.0f} s\n")
        sys.stdout.flush()
    result["after"] = measure(readers, test, prior)
    for when in ("before", "after"):
        result[when] = {name: round(value, 4) for name, value in result[when].items()}
    write_text(options.output, json.dumps(result, indent=1) + "\n")
    sys.stdout.write(options.output.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
