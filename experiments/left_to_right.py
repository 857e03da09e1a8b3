"""Let BERT write beside a model that reads from left to right.

``python -m experiments.left_to_right`` gives the pocket model's weights to `BertLMHeadModel`, in which each
token reads only backwards, and trains it on to say the next token. It records, as "left_to_right", how that
model goes on from some beginnings, and how many of the runs of three tokens that it and the pocket model
write are found in other stories. Chapter 08 reads these numbers.
The 6,000 steps take about three minutes on a GPU. Another model, or other steps, means new sentences about
it in chapter 08.

Left out: a model trained from nothing to write. This one here starts from weights that read both ways.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch.nn.functional import cross_entropy
from transformers import BertForPreTraining, BertLMHeadModel

from bertviz_lite.basics.files import write_text
from bertviz_lite.chapters.chapter_08 import writing
from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.pretraining.shards import story_seeds
from bertviz_lite.evaluation.recorded import file_of
from bertviz_lite.models.loading import load
from bertviz_lite.world import stories
from experiments.common.device import DEVICE

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

STARTS = (
    "Anna is hungry, so she",
    "Anna lost her key. She",
    "Tom wants to bake a cake, so he",
    "One evening",
)
MOST = 25
RATE = 2e-3


def pocket() -> tuple[PreTrainedTokenizerBase, BertForPreTraining]:
    """Load the pocket model."""
    tokenizer, model = load("pocket")
    if not isinstance(model, BertForPreTraining):
        raise TypeError(f"the pocket model is a {type(model).__name__}")
    return tokenizer, model


def causal_reader() -> tuple[PreTrainedTokenizerBase, BertLMHeadModel]:
    """Give the pocket model's weights to a BERT that reads only backwards."""
    tokenizer, model = pocket()
    config = copy.deepcopy(model.config)
    config.is_decoder = True
    reader = BertLMHeadModel(config)
    missing = reader.load_state_dict(model.state_dict(), strict=False).missing_keys
    if missing:
        raise ValueError(f"the pocket model lacks {missing}")
    return tokenizer, reader.eval()


def train(
    reader: BertLMHeadModel, tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], batch_size: int
) -> float:
    """Train on, once through the texts: at each token, say the next. Return the mean loss of the last 50."""
    steps = len(texts) // batch_size
    reader.to(DEVICE).train()  # type: ignore[arg-type]
    optimizer = torch.optim.AdamW(reader.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.1)
    torch.manual_seed(0)
    recent: list[float] = []
    for step in range(steps):
        some = list(texts[step * batch_size : (step + 1) * batch_size])
        batch = tokenizer(some, padding=True, return_tensors="pt").to(DEVICE)
        labels = batch["input_ids"].masked_fill(batch["attention_mask"] == 0, IGNORED)
        logits = reader(batch["input_ids"], attention_mask=batch["attention_mask"]).logits[:, :-1]
        loss = cross_entropy(logits.flatten(0, 1), labels[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        recent = [*recent[-49:], loss.item()]
    reader.cpu().eval()
    return sum(recent) / len(recent)


def both_ways(asked: Sequence[writing.Opening]) -> dict[str, list[Sequence[int]]]:
    """Return the second sentences themselves, and what the pocket model puts in their place."""
    tokenizer, model = pocket()

    def fill(*, at_once: bool) -> list[Sequence[int]]:
        return [
            writing.fill_gap(model, tokenizer, opening.start, len(opening.second) - 1, at_once=at_once)
            for opening in asked
        ]

    return {
        "the town": [opening.second for opening in asked],
        "all masks at once": fill(at_once=True),
        "one mask at a time": fill(at_once=False),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, let it write, write the file."""
    parser = argparse.ArgumentParser(prog="python -m experiments.left_to_right", description=main.__doc__)
    parser.add_argument("--steps", type=int, default=6_000, help="optimizer steps (default: %(default)s)")
    parser.add_argument("--batch-size", type=int, default=8, help="stories a step (default: %(default)s)")
    parser.add_argument("--test", type=int, default=200, help="sentences to write (default: %(default)s)")
    parser.add_argument("--known", type=int, default=5_000, help="stories whose runs are known")
    parser.add_argument("--output", type=Path, default=file_of("left_to_right"), help="the file to write")
    options = parser.parse_args(arguments)
    tokenizer, reader = causal_reader()
    began = time.monotonic()
    read = stories(story_seeds(1, 0), options.steps * options.batch_size)
    texts = [" ".join(map(str, story.sentences[:4])) for story in read]
    loss = train(reader, tokenizer, texts, options.batch_size)
    sys.stdout.write(f"loss {loss:.3f}, {time.monotonic() - began:.0f} s\n")
    stop = tokenizer.get_vocab()["."]

    def go_on(start: str) -> list[int]:
        beginning = tokenizer(start, return_tensors="pt")["input_ids"][:, :-1]  # without [SEP]
        return writing.write(reader, beginning, stop, MOST)

    asked = writing.asked(tokenizer, options.test)
    written = both_ways(asked) | {"left to right": [go_on(opening.start) for opening in asked]}
    known = writing.known_from(tokenizer, options.known)
    result: dict[str, Any] = {
        "steps": options.steps,
        "batch_size": options.batch_size,
        "loss": round(loss, 2),
        "sentences": len(asked),
        "known runs": {name: writing.known_runs(those, known) for name, those in written.items()},
        "written": {start: tokenizer.decode(go_on(start)) for start in STARTS},
    }
    write_text(options.output, json.dumps(result, indent=1) + "\n")
    sys.stdout.write(options.output.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
