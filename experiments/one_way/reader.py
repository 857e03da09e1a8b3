"""A pocket model that reads one way, or both: its attention, its training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from bertviz_lite.chapters.chapter_05.one_way import hidden_states, one_way_bias
from bertviz_lite.data.batches import batches, pad
from bertviz_lite.data.encoded_stories import EncodedStory
from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.masking import Masking, mask_tokens
from bertviz_lite.data.vocabulary import continuation_tokens
from bertviz_lite.models.loading import load
from experiments.common.device import DEVICE

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

SIDES = ("left", "right", "both")


class Reader:
    """A pocket model that reads one way, or both, with what it needs for training and scoring."""

    def __init__(self, side: str) -> None:
        tokenizer, model = load("pocket")
        self.side = side
        self.tokenizer: PreTrainedTokenizerFast = tokenizer  # type: ignore[assignment]
        self.model: BertForPreTraining = model.to(DEVICE)  # type: ignore[arg-type]
        self.masking = Masking(
            vocab_size=len(tokenizer),
            special_ids=tuple(tokenizer.all_special_ids),
            mask_id=tokenizer.mask_token_id,
            continuation=torch.from_numpy(continuation_tokens(self.tokenizer)),
        )

    def log_probabilities(self, input_ids: Tensor, attention_mask: Tensor, chosen: Tensor) -> Tensor:
        """Return log-probabilities of all tokens at the chosen positions: (chosen, vocab_size)."""
        special = (input_ids == self.tokenizer.cls_token_id) | (input_ids == self.tokenizer.sep_token_id)
        bias = one_way_bias(attention_mask, special, self.side, torch.float32)
        states = hidden_states(self.model, input_ids, bias)[chosen]
        result: Tensor = self.model.cls.predictions(states).float().log_softmax(-1)
        return result

    def train(
        self, encoded: Sequence[EncodedStory], steps: int, positions: int, rate: float, bf16: bool
    ) -> float:
        """Train on, with new masks in every pass. Return the mean of the last hundred losses."""
        optimizer = torch.optim.AdamW(self.model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.01)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps, pct_start=0.1)
        generator = torch.Generator().manual_seed(0)
        cpu = torch.device("cpu")
        recent: list[float] = []
        for _, batch in zip(range(steps), shuffled(encoded, positions), strict=False):
            input_ids, attention_mask = pad([story.input_ids for story in batch], cpu)
            masked, labels, attention_mask = (
                tensor.to(DEVICE)
                for tensor in (*mask_tokens(input_ids, self.masking, generator), attention_mask)
            )
            chosen = labels != IGNORED
            with torch.autocast(DEVICE.type, torch.bfloat16, enabled=bf16):
                log_probabilities = self.log_probabilities(masked, attention_mask, chosen)
            loss = nn.functional.nll_loss(log_probabilities, labels[chosen])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            recent = [*recent[-99:], loss.item()]
        return float(np.mean(recent))


def shuffled(encoded: Sequence[EncodedStory], positions: int) -> Iterator[list[EncodedStory]]:
    """Yield batches without end: texts of like length, in a new order in every pass."""
    rng = np.random.default_rng(0)
    while True:
        order = rng.permutation(len(encoded))
        made = list(batches([len(encoded[index].input_ids) for index in order], positions))
        for number in rng.permutation(len(made)):
            yield [encoded[index] for index in order[made[number]]]
