"""What does reading both ways at once bring? Measured on pocket models that have learned to read one way.

``python -m experiments.one_way`` trains the pocket model on for a while, three times: with each piece seeing
only what stands left of it, in every layer, only what stands right of it, or everything. Then it hides words
of other stories and writes to ``one_way.json``, beside this file, what the three guess, and what the two
one-way models guess together. The chapter on the encoder reads the file: the training takes too long for a
notebook.

Left out: one-way models trained from nothing. These here start from weights that had both sides.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from bertviz_lite.basics.files import write_text
from bertviz_lite.chapters.chapter_04.one_way import log_frequencies, one_way_bias
from bertviz_lite.data.batches import batches, pad
from bertviz_lite.data.encoded_stories import EncodedStory, encode_stories
from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.masking import Masking, mask_tokens
from bertviz_lite.data.pretraining.shards import story_seeds
from bertviz_lite.data.vocabulary import continuation_tokens
from bertviz_lite.evaluation.recorded import file_of
from bertviz_lite.models.loading import load
from bertviz_lite.world import stories

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

FILE = file_of("one_way")
SIDES = ("left", "right", "both")
ASKED_SEED = 900_000_051


def hidden_states(model: BertForPreTraining, input_ids: Tensor, bias: Tensor) -> Tensor:
    """Run the encoder with a bias of one's own: (batch, seq_len, hidden_size)."""
    states = model.bert.embeddings(input_ids)
    for layer in model.bert.encoder.layer:
        states = layer(states, bias)
        states = states[0] if isinstance(states, tuple) else states
    result: Tensor = states
    return result


class Reader:
    """A pocket model that reads one way, or both, with what it needs to be trained and asked."""

    def __init__(self, side: str) -> None:
        tokenizer, model = load("pocket")
        self.side = side
        self.tokenizer: PreTrainedTokenizerFast = tokenizer  # type: ignore[assignment]
        self.model: BertForPreTraining = model  # type: ignore[assignment]
        self.masking = Masking(
            vocab_size=len(tokenizer),
            special_ids=tuple(tokenizer.all_special_ids),
            mask_id=tokenizer.mask_token_id,
            continuation=torch.from_numpy(continuation_tokens(self.tokenizer)),
        )

    def log_probabilities(self, input_ids: Tensor, attention_mask: Tensor, chosen: Tensor) -> Tensor:
        """Return log-probabilities of all pieces at the chosen positions: (chosen, vocab_size)."""
        special = (input_ids == self.tokenizer.cls_token_id) | (input_ids == self.tokenizer.sep_token_id)
        bias = one_way_bias(attention_mask, special, self.side, torch.float32)
        states = hidden_states(self.model, input_ids, bias)[chosen]
        result: Tensor = self.model.cls.predictions(states).float().log_softmax(-1)
        return result

    def train(self, told: Sequence[EncodedStory], steps: int, batch_size: int, bf16: bool) -> float:
        """Train on; the stories come in a new order, with new masks, in every pass. Return the last loss."""
        optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3, betas=(0.9, 0.98), weight_decay=0.01)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-3, total_steps=steps, pct_start=0.1)
        generator, rng = torch.Generator().manual_seed(0), np.random.default_rng(0)
        order: list[int] = []
        recent: list[float] = []
        for _ in range(steps):
            if len(order) < batch_size:
                order = rng.permutation(len(told)).tolist()
            batch, order = order[:batch_size], order[batch_size:]
            input_ids, attention_mask = pad([told[index].input_ids for index in batch], self.model.device)
            masked, labels = mask_tokens(input_ids, self.masking, generator)
            chosen = labels != IGNORED
            with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
                log_probabilities = self.log_probabilities(masked, attention_mask, chosen)
            loss = nn.functional.nll_loss(log_probabilities, labels[chosen])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            recent = [*recent[-99:], loss.item()]
        return float(np.mean(recent))


def hide_words(told: Sequence[EncodedStory], rate: float = 0.15) -> list[np.ndarray[Any, Any]]:
    """Choose words, no punctuation, to be hidden: a boolean array, (seq_len,), for each story."""
    rng = np.random.default_rng(1)
    chosen = []
    for story in told:
        one = np.zeros(len(story.input_ids), dtype=bool)
        for word, start, stop in story.words:
            one[start:stop] = word.pos != "PUNCT" and rng.random() < rate
        chosen.append(one)
    return chosen


def ask(reader: Reader, told: Sequence[EncodedStory]) -> tuple[Tensor, Tensor]:
    """Return log-probabilities, (hidden pieces, vocab_size), and the pieces that were hidden."""
    found: dict[int, tuple[Tensor, Tensor]] = {}
    hidden = hide_words(told)
    with torch.inference_mode():
        for batch in batches([len(story.input_ids) for story in told]):
            input_ids, attention_mask = pad([told[index].input_ids for index in batch], reader.model.device)
            chosen = pad([hidden[index].astype(np.int64) for index in batch], reader.model.device)[0].bool()
            masked = input_ids.masked_fill(chosen, reader.masking.mask_id)
            guessed = reader.log_probabilities(masked, attention_mask, chosen).double()
            bounds = chosen.sum(-1).tolist()
            parts = zip(guessed.split(bounds), input_ids[chosen].split(bounds), strict=True)
            found |= zip(batch.tolist(), parts, strict=True)
    in_order = [found[index] for index in range(len(told))]
    return torch.cat([one for one, _ in in_order]), torch.cat([one for _, one in in_order])


def glue(left: Tensor, right: Tensor, prior: Tensor, weights: tuple[float, ...]) -> Tensor:
    """Add up the weighted log-probabilities of two readings and take off the prior's, (vocab_size,)."""
    return weights[0] * left + weights[1] * right - weights[2] * prior


def measure(readers: dict[str, Reader], asked: Sequence[EncodedStory], prior: Tensor) -> dict[str, float]:
    """Return the share of hidden pieces that each reader has right, and the two one-way ones together."""
    found = {side: ask(reader, asked) for side, reader in readers.items()}
    answers = found["both"][1]
    left, to_right = found["left"][0], found["right"][0]
    glued: Counter[tuple[float, ...]] = Counter()
    for rows in torch.arange(len(answers)).split(64):  # few at a time: they stay in the processor's cache
        two = left[rows], to_right[rows]
        for weights in product((0.4, 0.7, 1.0, 1.3), repeat=3):
            glued[weights] += int((glue(*two, prior, weights).argmax(-1) == answers[rows]).sum())
    return {
        **{
            side: float((guessed.argmax(-1) == answers).double().mean())
            for side, (guessed, _) in found.items()
        },
        "glued": glued[1.0, 1.0, 1.0] / len(answers),
        "best glue": max(glued.values()) / len(answers),
        "pieces": len(answers),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Train three readers, ask them, write the file."""
    parser = argparse.ArgumentParser(prog="python -m experiments.one_way", description=main.__doc__)
    parser.add_argument("--steps", type=int, default=1_200, help="optimizer steps (default: %(default)s)")
    parser.add_argument("--batch-size", type=int, default=64, help="stories a step (default: %(default)s)")
    parser.add_argument("--stories", type=int, default=30_000, help="stories to read (default: %(default)s)")
    parser.add_argument("--asked", type=int, default=300, help="stories to be asked (default: %(default)s)")
    parser.add_argument("--bf16", action="store_true", help="matrix products in bfloat16")
    parser.add_argument("--output", type=Path, default=FILE, help="the file to write")
    options = parser.parse_args(arguments)
    readers = {side: Reader(side) for side in SIDES}
    tokenizer = readers["both"].tokenizer
    told = encode_stories(stories(story_seeds(1, 0), options.stories), tokenizer)
    asked = encode_stories(stories(ASKED_SEED, options.asked), tokenizer)
    prior = log_frequencies(told, len(tokenizer))
    result: dict[str, Any] = {"steps": options.steps, "inputs": options.steps * options.batch_size}
    result["before"] = measure(readers, asked, prior)
    for reader in readers.values():
        start = time.monotonic()
        loss = reader.train(told, options.steps, options.batch_size, options.bf16)
        sys.stdout.write(f"{reader.side}: loss {loss:.3f}, {time.monotonic() - start:.0f} s\n")
        sys.stdout.flush()
    result["after"] = measure(readers, asked, prior)
    for when in ("before", "after"):
        result[when] = {name: round(value, 4) for name, value in result[when].items()}
    write_text(options.output, json.dumps(result, indent=1) + "\n")
    sys.stdout.write(options.output.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
