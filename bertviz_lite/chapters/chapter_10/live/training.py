"""Pre-training in under a minute: a small BERT on the town's smallest stories, scored while it learns.

Recipe, pairs, masks, losses and schedule are the pocket model's own code (`pretraining`, `pairs`, `masking`);
only the numbers in `LIVE` are smaller, and the text is simpler (`tiny_stories`).

Left out: dropout (as in the full run), and checkpoints.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from transformers import BertForPreTraining, set_seed

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.basics.threads import threads
from bertviz_lite.chapters.chapter_10.live.curve import LiveCurve
from bertviz_lite.chapters.chapter_10.live.step import optimizer_of, two_losses
from bertviz_lite.chapters.chapter_10.live.tiny_stories import small_tokenizer, tiny_stories
from bertviz_lite.chapters.chapter_10.live.verb_exam import EXAM_SEED, Exam
from bertviz_lite.data.batches import ready
from bertviz_lite.data.pretraining.collator import Collator
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.data.pretraining.pairs import Mix
from bertviz_lite.data.pretraining.shards import Shard
from bertviz_lite.training.pretraining.recipe import Recipe, pocket_config
from bertviz_lite.training.pretraining.vocabulary import make_masking

if TYPE_CHECKING:
    from bertviz_lite.world.events.text import Story

Batch = dict[str, Tensor]

LIVE = Recipe(
    steps=700, batch_size=32, learning_rate=5e-3, stories=4_000, mask_rate=0.3, warmup=0.1,
    initializer_range=0.12, hidden_size=48, num_layers=2, num_heads=4, intermediate_size=96,
)  # fmt: skip
"""The live run's recipe: what is not named is as for the pocket model."""


@dataclass(frozen=True)
class Moment:
    """Scores of the exam after some steps: accuracies, 0 to 1.

    ``direct`` and ``across`` are those of `Exam`; ``counts``, how many were right of its four kinds, as
    `Exam.counts` orders them.
    """

    step: int
    direct: float
    across: float
    counts: tuple[int, ...] = ()


@lru_cache(maxsize=32)
def _exam_stories(block: int) -> list[Story]:
    """Write a block of the stories that exams are made from: the same for every training, so written once."""
    return tiny_stories(EXAM_SEED + block, 100)


class LiveTraining:
    """A small pre-training that is scored while it runs.

    Parameters
    ----------
    recipe
        Everything that decides what the weights will be.
    stories
        The stories to train on; the recipe's number of tiny ones if None.
    mix
        What share of the pairs is false; half if not given.
    change
        Changes each batch before the step: for experiments.
    moments
        How many times the model is scored, after the first time.

    Attributes
    ----------
    model
        As it is now.
    losses
        One row for each step: the loss of the masked words and that of the pairs.
    learning_rates
        One number for each step.
    scores
        One `Moment` for each time the model was scored, the first before any training.
    """

    def __init__(
        self,
        recipe: Recipe = LIVE,
        *,
        stories: Sequence[Story] | None = None,
        mix: Mix | None = None,
        change: Callable[[Batch], Batch] | None = None,
        moments: int = 20,
    ) -> None:
        self.recipe, self.change = recipe, change
        self.stories = tiny_stories(recipe.seed, recipe.stories) if stories is None else stories
        self.tokenizer = small_tokenizer()
        source = chain.from_iterable(_exam_stories(block) for block in count())
        self.exam = Exam.make(self.tokenizer, source, unlike=self.stories)
        self.inputs = self._inputs(self.stories, recipe.steps * recipe.batch_size, recipe.batch_size, mix)
        self.collator = Collator(make_masking(self.tokenizer, recipe), recipe.seed)
        set_seed(recipe.seed)
        # float64: another processor's last bits then change no curve after 700 steps, and hardly an answer
        model: Any = BertForPreTraining(pocket_config(recipe, len(self.tokenizer), dropout=0.0)).double()
        self.model: BertForPreTraining = model
        self.optimizer, self.schedule = optimizer_of(self.model, recipe)
        self.every = max(1, recipe.steps // moments)
        self.losses: list[tuple[float, float]] = []
        self.learning_rates: list[float] = []
        self.scores: list[Moment] = []

    def _inputs(self, stories: Sequence[Story], count: int, group: int, mix: Mix | None) -> TrainingInputs:
        sentences = [[str(sentence) for sentence in story.sentences] for story in stories]
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
        made = {name: ids[:, :longest].contiguous() if ids.ndim == 2 else ids for name, ids in made.items()}
        return made if self.change is None else self.change(made)

    def pairs(self) -> list[tuple[str, str]]:
        """Return all pairs of the training as two strings each, true and false ones, nothing hidden."""
        texts = []
        for index in range(len(self.inputs)):
            item = self.inputs[index]
            ids, end = item["input_ids"], item["first_length"]
            texts += [ids[1 : end - 1], ids[end:-1]]
        decoded = self.tokenizer.batch_decode(texts)
        return list(zip(decoded[::2], decoded[1::2], strict=True))

    def train_step(self) -> None:
        """Do one step: two losses, their gradient, clipped, and AdamW."""
        self.model.train()
        words, pairs = two_losses(self.model, self.batch(self.step))
        self.optimizer.zero_grad()
        (words + pairs).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.recipe.max_grad_norm)
        self.learning_rates.append(float(self.schedule.get_last_lr()[0]))
        self.optimizer.step()
        self.schedule.step()
        self.losses.append((words.item(), pairs.item()))

    def score(self) -> Moment:
        """Score the model as it is now."""
        right = self.exam.right(self.model, self.tokenizer)
        return Moment(self.step, **self.exam.shares(right), counts=tuple(self.exam.counts(right)))

    def fill(self, first: str, second: str, k: int = 4) -> list[tuple[str, float]]:
        """Return the ``k`` most probable tokens for the [MASK] of a story's second sentence.

        Raises
        ------
        ArgumentError
            Where a word is none of the stories', or there is no [MASK] or more than one.
        """
        inputs = self.tokenizer(first, second, return_tensors="pt")
        ids = inputs["input_ids"][0]
        places = (ids == self.tokenizer.mask_token_id).nonzero().flatten()
        if len(places) != 1:
            raise ArgumentError(f"{len(places)} [MASK] in these sentences: put in exactly one.")
        if (ids == self.tokenizer.unk_token_id).any():
            known = sorted(token for token in self.tokenizer.get_vocab() if token.isalpha())
            raise ArgumentError(
                f"a word occurs in no story, so the model can't read it. It knows: {', '.join(known)}."
            )
        with ready(self.model):
            logits = self.model(**inputs).prediction_logits[0, places[0]]
        top = logits.softmax(-1).topk(k)
        tokens = self.tokenizer.convert_ids_to_tokens(top.indices)
        return list(zip(tokens, top.values.tolist(), strict=True))

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
                        self.scores.append(self.score())
                    self.train_step()
                    if self.step % self.every == 0 or self.step == self.recipe.steps:
                        self.scores.append(self.score())
                    if drawn is not None and (self.step % 5 == 0 or self.step == end):
                        drawn.draw(self.losses, self.scores, time.monotonic() - start)
        except KeyboardInterrupt:
            message = (
                f"Interrupted after {self.step:,} of {self.recipe.steps:,} steps; .run() goes on from there."
            )
            sys.stdout.write(f"{message}\n")
