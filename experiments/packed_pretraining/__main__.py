"""Train the pocket model on: ``python -m experiments.packed_pretraining --output FOLDER``."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from transformers import AutoTokenizer, BertConfig, BertForPreTraining

from bertviz_lite.basics.files import write_text
from bertviz_lite.data.pretraining.by_hand import SHARE, ByHand
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.forbidden import TrainingTown
from bertviz_lite.data.pretraining.names import name_ids
from bertviz_lite.evaluation.scores.own_words import forbidden_sentences
from bertviz_lite.models import POCKET
from bertviz_lite.training.pretraining.model import bare_model, round_to_float16, save_model
from bertviz_lite.training.pretraining.recipe import RECIPES
from bertviz_lite.training.pretraining.trainer import fast_bf16
from bertviz_lite.training.pretraining.vocabulary import save_tokenizer
from experiments.common.device import DEVICE
from experiments.packed_pretraining.averaging import raise_continues
from experiments.packed_pretraining.producing import Source, producers, texts_by_hand
from experiments.packed_pretraining.rows import Ends
from experiments.packed_pretraining.step import PackedStep

EARLY, LATE = (0.08, 0.04), (0.16, 0.08)
"""Shares of pairs with another story's second part, and of pairs in the wrong order: at first, and late."""
LATE_FROM = 0.6
MASK_RATE, LAST_MASK_RATE = 0.2, 0.13
ADAMW, MUON, WARM_UP = 1.2e-3, 5e-3, 0.02
NSP_SHIFT = 3.0
SAVE_EVERY = 600.0


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the stories, train, and save model, tokenizer and log."""
    options = _parse(arguments)
    torch.manual_seed(options.seed)
    by_hand = ByHand.read(options.by_hand, options.by_hand_share)
    tokenizer: Any = AutoTokenizer.from_pretrained(options.start)
    corpus = Corpus.prepare(
        options.output / "stories",
        options.start,
        seed=options.seed,
        count=options.stories,
        processes=os.cpu_count() or 1,
        town=TrainingTown(forbidden=forbidden_sentences(options.exam), by_hand=by_hand),
    )
    source = Source(
        corpus=corpus,
        mix=replace(RECIPES["pocket"].mix(name_ids(tokenizer)), other=EARLY[0], swapped=EARLY[1]),
        ends=Ends(tokenizer.cls_token_id, tokenizer.sep_token_id),
        rows=options.rows,
        late_from=options.late_from,
        late_other=LATE[0],
        late_swapped=LATE[1],
        seed=options.seed,
        by_hand=texts_by_hand(corpus, by_hand, options.seed) if options.late_by_hand < 1 else None,
        late_by_hand=options.late_by_hand,
    )
    config = BertConfig.from_pretrained(options.start)
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
    model = BertForPreTraining.from_pretrained(options.start, config=config).float().to(DEVICE).train()
    step = PackedStep(model, tokenizer, options.rows, fast=fast_bf16())
    schedule = Schedule(options.seconds, options.adamw, options.muon, options.mask_rate, options.late_from)

    def save() -> None:
        _save(model, tokenizer, options.start, options.output, options.nsp_shift)

    log = train(step, source, schedule, options.workers, save=save)
    save()
    write_text(options.output / "log.json", json.dumps(log) + "\n")


@dataclass(frozen=True)
class Schedule:
    """How long a run takes, and what its rates are meanwhile.

    Attributes
    ----------
    seconds
        Time of training.
    adamw, muon
        The highest learning rates; they rise over the first 2 % of the time and fall to 0 in a line.
    mask_rate
        Share of chosen words at first.
    late_from
        The share of the time after which it falls to ``LAST_MASK_RATE``.
    """

    seconds: float
    adamw: float = ADAMW
    muon: float = MUON
    mask_rate: float = MASK_RATE
    late_from: float = LATE_FROM

    def rates(self, over: float) -> tuple[float, float, float]:
        """Return both learning rates and the share of chosen words, after a share of the time."""
        height = min(1.0, max(over, 1e-4) / WARM_UP) * (1 - over)
        late = max(0.0, (over - self.late_from) / (1 - self.late_from))
        mask_rate = self.mask_rate + (LAST_MASK_RATE - self.mask_rate) * late
        return self.adamw * height, self.muon * height, mask_rate


def train(
    step: PackedStep,
    source: Source,
    schedule: Schedule,
    workers: int,
    log_every: float = 3.5,
    save: Callable[[], None] | None = None,
) -> list[dict[str, float]]:
    """Train a step's model in place; return what was logged: losses, tokens and inputs so far.

    ``save`` is called every ten minutes, so that a run that breaks off has not been in vain.
    """
    log: list[dict[str, float]] = []
    steps = inputs = tokens = 0
    with producers(source, workers) as (queue, progress):
        start = last = saved = time.monotonic()
        while (over := (time.monotonic() - start) / schedule.seconds) < 1:
            block = queue.get(timeout=300)
            if not steps:
                start = last = saved = time.monotonic()
                over = 0.0
            progress.value = over
            step.set_rates(*schedule.rates(over))
            for rows, places, labels in zip(*map(torch.from_numpy, block[:3]), strict=True):
                step.feed(rows, places, labels)
                step()
            steps, inputs, tokens = steps + len(block.rows), inputs + block.inputs, tokens + block.tokens
            if time.monotonic() - last > log_every:
                last = time.monotonic()
                words, pairs, count = step.sums.tolist()
                step.sums.zero_()
                if words != words:
                    raise FloatingPointError(f"the loss at step {steps:,} is not a number")
                row = {"step": steps, "mlm_loss": words / count, "nsp_loss": pairs / count}
                log.append({**row, "tokens": tokens, "inputs": inputs})
                sys.stderr.write(f"{over:.1%}: {log[-1]}\n")
            if save is not None and time.monotonic() - saved > SAVE_EVERY:
                saved = time.monotonic()
                save()
    return log


def _save(
    model: BertForPreTraining,
    tokenizer: Any,  # noqa: ANN401
    start: Path,
    folder: Path,
    nsp_shift: float,
) -> None:
    """Raise the logit of *continues*, round to float16 and save."""
    finished = bare_model(model, BertConfig.from_pretrained(start))
    raise_continues(finished, nsp_shift)
    round_to_float16(finished)
    save_model(finished, folder / "pocket", float16=True)
    save_tokenizer(tokenizer, folder / "pocket")


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m experiments.packed_pretraining",
        description=main.__doc__,
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--output", type=Path, required=True, help="folder for stories, model and log")
    parser.add_argument("--start", type=Path, default=POCKET, help="folder of the model that is trained on")
    parser.add_argument("--seconds", type=float, default=522, help="time of training")
    parser.add_argument("--adamw", type=float, default=ADAMW, help="highest learning rate of AdamW")
    parser.add_argument("--muon", type=float, default=MUON, help="highest learning rate of the matrices")
    parser.add_argument("--mask-rate", type=float, default=MASK_RATE, help="share of chosen words at first")
    parser.add_argument(
        "--nsp-shift", type=float, default=NSP_SHIFT, help="by how much the logit of *continues* is raised"
    )
    parser.add_argument("--stories", type=int, default=1_000_000, help="different texts")
    parser.add_argument("--rows", type=int, default=256, help="rows of 128 positions in a step")
    parser.add_argument("--workers", type=int, default=10, help="processes that pack")
    parser.add_argument(
        "--exam", type=Path, default=Path("tests/own_words"), help="its sentences are left out"
    )
    parser.add_argument(
        "--by-hand", type=Path, default=Path("experiments/packed_pretraining/written_by_hand")
    )
    parser.add_argument("--by-hand-share", type=float, default=SHARE, help="share of the texts by hand")
    parser.add_argument(
        "--late-by-hand", type=float, default=1.0, help="share of these that is read at all in the last part"
    )
    parser.add_argument(
        "--late-from",
        type=float,
        default=LATE_FROM,
        help="share of the time before the last part",
    )
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    if not 0 <= options.late_from < 1:
        parser.error(f"--late-from {options.late_from:g}: a share from 0 to below 1 is needed")
    return options


if __name__ == "__main__":
    main()
