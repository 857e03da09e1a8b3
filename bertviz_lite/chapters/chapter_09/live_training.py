"""Pre-training in under a minute: a small BERT on the town's smallest stories, scored while it learns.

Recipe, pairs, masks, losses and schedule are the pocket model's own code (`pretraining`, `pairs`, `masking`);
only the numbers in `LIVE` are smaller, and the text is simpler (`tiny_stories`).

Left out: dropout (as in the full run), and checkpoints.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from transformers import AutoTokenizer, BertForPreTraining, get_cosine_schedule_with_warmup, set_seed

from bertviz_lite.basics.threads import threads
from bertviz_lite.chapters.chapter_09.live_curve import LiveCurve
from bertviz_lite.chapters.chapter_09.tiny_stories import (
    EXAM_SEED,
    Batch,
    Exam,
    small_tokenizer,
    tiny_stories,
)
from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.pretraining.collator import Collator
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.data.pretraining.pairs import Mix
from bertviz_lite.data.pretraining.shards import Shard
from bertviz_lite.training.pretraining.model import PretrainingModel
from bertviz_lite.training.pretraining.recipe import Recipe, pocket_config
from bertviz_lite.training.pretraining.vocabulary import make_masking

if TYPE_CHECKING:
    from bertviz_lite.world.events.text import Story

LIVE = Recipe(
    steps=700, batch_size=32, learning_rate=5e-3, stories=4_000, mask_rate=0.3, warmup=0.1,
    initializer_range=0.12, hidden_size=48, num_layers=2, num_heads=4, intermediate_size=96,
)  # fmt: skip
"""The live run's recipe: what is not named is as for the pocket model."""


def parameter_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Sort parameters as the Trainer does: weight decay for all but biases and LayerNorm."""
    bare = {name for name, _ in model.named_parameters() if name.endswith("bias") or "LayerNorm" in name}
    named = list(model.named_parameters())
    return [
        {"params": [one for name, one in named if name not in bare], "weight_decay": weight_decay},
        {"params": [one for name, one in named if name in bare], "weight_decay": 0.0},
    ]


def optimizer_of(
    model: nn.Module, recipe: Recipe
) -> tuple[torch.optim.AdamW, torch.optim.lr_scheduler.LambdaLR]:
    """Return AdamW and its schedule, warm-up and cosine, as a recipe wants them."""
    optimizer = torch.optim.AdamW(
        parameter_groups(model, recipe.weight_decay),
        lr=recipe.learning_rate,
        betas=(0.9, recipe.adam_beta2),
        fused=True,  # as in the Trainer; of a step this small, one by one it would be a tenth
    )
    warmup = round(recipe.warmup * recipe.steps)
    return optimizer, get_cosine_schedule_with_warmup(optimizer, warmup, recipe.steps)


def two_losses(model: BertForPreTraining, batch: Batch) -> tuple[Tensor, Tensor]:
    """Return the mean loss of the hidden words and that of the pairs; the library gives their sum alone.

    Only hidden words go through the LM head: what it would say of the others is in no loss.
    """
    outputs = model.bert(**{name: batch[name] for name in ("input_ids", "attention_mask", "token_type_ids")})
    asked = batch["labels"] != IGNORED
    words = model.cls.predictions(outputs.last_hidden_state[asked])
    pairs = model.cls.seq_relationship(outputs.pooler_output)
    return cross_entropy(words, batch["labels"][asked]), cross_entropy(pairs, batch["next_sentence_label"])


@dataclass(frozen=True)
class Moment:
    """What the exam said after some steps: shares right, 0 to 1.

    ``beside`` and ``across`` are those of `Exam`.
    """

    step: int
    beside: float
    across: float


class LiveTraining:
    """A small pre-training that is scored while it runs.

    Parameters
    ----------
    recipe
        Everything that decides what the weights will be.
    told
        The stories that are learned from; the recipe's number of tiny ones if None.
    mix
        What share of the pairs is false; half if not given.
    change
        Changes each batch before it is learned from: for experiments.
    moments
        How many times the model is asked, after the first time.

    Attributes
    ----------
    model
        As it stands.
    losses
        One row for each step: the loss of the masked words and that of the pairs.
    learning_rates, norms
        One number for each step: the learning rate, and the length of the gradient before it was clipped.
    scores
        One `Moment` for each time the model was asked, the first before any training.
    """

    def __init__(
        self,
        recipe: Recipe = LIVE,
        *,
        told: Sequence[Story] | None = None,
        mix: Mix | None = None,
        change: Callable[[Batch], Batch] | None = None,
        moments: int = 20,
    ) -> None:
        self.recipe, self.change = recipe, change
        self.told = tiny_stories(recipe.seed, recipe.stories) if told is None else told
        self.tokenizer = small_tokenizer()
        source = chain.from_iterable(tiny_stories(EXAM_SEED + block, 100) for block in count())
        self.exam = Exam.make(self.tokenizer, source, unlike=self.told)
        self.inputs = self._inputs(self.told, recipe.steps * recipe.batch_size, recipe.batch_size, mix)
        self.collator = Collator(make_masking(self.tokenizer, recipe), recipe.seed)
        set_seed(recipe.seed)
        # float64: another processor's last bits then change nothing that can be seen after 700 steps
        model: Any = BertForPreTraining(pocket_config(recipe, len(self.tokenizer), dropout=0.0)).double()
        self.model: BertForPreTraining = model
        self.optimizer, self.schedule = optimizer_of(self.model, recipe)
        self.every = max(1, recipe.steps // moments)
        self.losses: list[tuple[float, float]] = []
        self.learning_rates: list[float] = []
        self.norms: list[float] = []
        self.scores: list[Moment] = []

    def _inputs(self, told: Sequence[Story], count: int, group: int, mix: Mix | None) -> TrainingInputs:
        sentences = [[str(sentence) for sentence in one.sentences] for one in told]
        corpus = Corpus([Shard.of(sentences, self.tokenizer.backend_tokenizer)])
        special = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        return TrainingInputs(corpus, count, group, self.recipe.seed, *special, mix or Mix(0, 0, 0))

    @property
    def step(self) -> int:
        """Steps done."""
        return len(self.losses)

    def batch(self, step: int) -> Batch:
        """Return the batch of a step, shape (batch, seq_len): the same one each time."""
        size = self.recipe.batch_size
        made = self.collator([self.inputs[index] for index in range(step * size, (step + 1) * size)])
        longest = int(made["attention_mask"].sum(dim=1).max())  # the collator pads beyond, which costs here
        made = {name: one[:, :longest].contiguous() if one.ndim == 2 else one for name, one in made.items()}
        return made if self.change is None else self.change(made)

    def train_step(self) -> None:
        """Do one step: two losses, their gradient, clipped, and AdamW."""
        self.model.train()
        words, pairs = two_losses(self.model, self.batch(self.step))
        self.optimizer.zero_grad()
        (words + pairs).backward()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.max_grad_norm)
        self.norms.append(float(norm))
        self.learning_rates.append(float(self.schedule.get_last_lr()[0]))
        self.optimizer.step()
        self.schedule.step()
        self.losses.append((words.item(), pairs.item()))

    def ask(self) -> Moment:
        """Score the model as it stands."""
        return Moment(self.step, **self.exam.shares(self.exam.right(self.model, self.tokenizer)))

    def run(self, steps: int | None = None, *, curve: bool = True) -> None:
        """Train to the end of the recipe, or for some steps; an interrupt stops it and keeps what it has.

        Parameters
        ----------
        steps
            How many; all that are left if None.
        curve
            Draw the curve while it runs, where there is a notebook to draw in.
        """
        end = self.recipe.steps if steps is None else min(self.recipe.steps, self.step + steps)
        drawn = LiveCurve.shown(self.recipe.steps) if curve else None
        start = time.monotonic()
        try:
            with threads(1), torch.enable_grad():
                while self.step < end:
                    if not self.scores:
                        self.scores.append(self.ask())
                    self.train_step()
                    if self.step % self.every == 0 or self.step == self.recipe.steps:
                        self.scores.append(self.ask())
                    if drawn is not None and (self.step % 5 == 0 or self.step == end):
                        drawn.draw(self.losses, self.scores, time.monotonic() - start)
        except KeyboardInterrupt:
            said = (
                f"Interrupted after {self.step:,} of {self.recipe.steps:,} steps; .run() goes on from there."
            )
            sys.stdout.write(f"{said}\n")


@dataclass(frozen=True)
class Launched:
    """What each process of a finished run began with.

    Attributes
    ----------
    recipe, model, optimizer, schedule
        As the processes had them before the first step.
    inputs
        All inputs of the run.
    collator
        Hides pieces of a batch.
    """

    recipe: Recipe
    model: PretrainingModel
    optimizer: torch.optim.AdamW
    schedule: torch.optim.lr_scheduler.LambdaLR
    inputs: TrainingInputs
    collator: Collator

    def batch(self, step: int, part: int, parts: int) -> Batch:
        """Return one of the equal parts of a step's inputs, as a process of its own would get it."""
        size = self.inputs.group // parts
        start = step * self.inputs.group + part * size
        return self.collator([self.inputs[index] for index in range(start, start + size)])


def as_launched(folder: str | os.PathLike[str]) -> Launched:
    """Make the first weights, inputs and masks of a run of `pretraining` again, from its output folder.

    Raises
    ------
    FileNotFoundError
        Where the folder holds no such run.
    """
    where = Path(folder)
    settings = json.loads((where / "recipe.json").read_text(encoding="utf-8"))
    processes = settings.pop("processes")
    recipe = Recipe(**settings)
    tokenizer: Any = AutoTokenizer.from_pretrained(where / "tokenizer")
    corpus = Corpus.prepare(where / "stories", where / "tokenizer", recipe.seed, recipe.stories, 1, False)
    group = recipe.batch_size * processes
    special = tokenizer.cls_token_id, tokenizer.sep_token_id
    inputs = TrainingInputs(corpus, recipe.steps * group, group, recipe.seed, *special)
    set_seed(recipe.seed)
    model = PretrainingModel(pocket_config(recipe, len(tokenizer), dropout=0.0))
    model.train()
    optimizer, schedule = optimizer_of(model, recipe)
    return Launched(
        recipe, model, optimizer, schedule, inputs, Collator(make_masking(tokenizer, recipe), recipe.seed)
    )
