"""Teach the pocket model a task: a head of the standard kind, ``transformers``' Trainer, and an honest score.

Four kinds of examples (``world.tasks``), and for each the model class that ``transformers`` has for it::

    Labelled   BertForSequenceClassification    a label for a text, read off the pooled vector
    Pair       BertForSequenceClassification    the same for two texts, [CLS] A [SEP] B [SEP]
    Tagged     BertForTokenClassification       a label for every word, read off its first piece
    Question   BertForQuestionAnswering         first and last piece of the answer; [CLS] where there is none

>>> from bertviz_lite.models.loading import load
>>> from bertviz_lite.world.tasks.sets import feelings, split
>>> tokenizer, pocket = load("pocket")
>>> train, test = split(feelings, 8, 20)
>>> tuned = fine_tune(pocket, tokenizer, train, recipe=FineTuning(epochs=1), progress=False)
>>> type(tuned.model).__name__, tuned.steps
('BertForSequenceClassification', 1)

Left out: early stopping, several devices, and answers longer than ``task_scores.LONGEST_ANSWER`` pieces.
"""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from transformers import (
    BertConfig,
    BertForPreTraining,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertForTokenClassification,
    Trainer,
    TrainerCallback,
    TrainingArguments,
    set_seed,
)
from transformers.trainer_callback import PrinterCallback, ProgressCallback

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.task_inputs import LABELS, Encoded, collate, encode, kind_of
from bertviz_lite.evaluation.task_scores import Answer, Result, evaluate, labels_of
from bertviz_lite.world.tasks.sets import Labelled, Pair, Question, Tagged

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerFast

    from bertviz_lite.world.tasks.sets import Example

__all__ = [
    "HEADS",
    "Answer",
    "FineTuning",
    "Result",
    "Tuned",
    "encode",
    "evaluate",
    "fine_tune",
    "new_model",
    "with_old_heads",
]

HEADS: dict[type, type[PreTrainedModel]] = {
    Labelled: BertForSequenceClassification,
    Pair: BertForSequenceClassification,
    Tagged: BertForTokenClassification,
    Question: BertForQuestionAnswering,
}


@dataclass(frozen=True)
class FineTuning:
    """Everything that decides what fine-tuning does to a model; what is set here suits the pocket model.

    Attributes
    ----------
    epochs
        How often every example is seen.
    steps
        Stop after so many steps, whatever ``epochs`` says; None for no such limit.
    batch_size
        Examples per step.
    learning_rate
        The highest; it rises over the first ``warmup`` of the steps and falls to 0 in a straight line.
    warmup, weight_decay
        As in pre-training.
    dropout
        Share of the numbers that training sets to 0 at random, in body and head; None for the body's own.
    frozen
        Train the head alone; the body, pooler included, stays as it is.
    balanced
        Weigh each label in the loss by 1 / (its share among the examples), so that a rare one counts as much.
    seed
        For the head's first weights, the order of the examples, and dropout.
    """

    epochs: float = 6
    steps: int | None = None
    batch_size: int = 16
    learning_rate: float = 1e-3
    warmup: float = 0.1
    weight_decay: float = 0.01
    dropout: float | None = 0.0
    frozen: bool = False
    balanced: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("epochs", "batch_size", "learning_rate"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name}={getattr(self, name)}: more than 0 is needed")
        if self.dropout is not None and not 0 <= self.dropout < 1:
            raise ValueError(f"dropout={self.dropout}: a share from 0 to below 1 is needed")


# Models


def new_model(
    body: PreTrainedModel,
    kind: type,
    labels: Sequence[str] | None = None,
    *,
    pretrained: bool = True,
    dropout: float | None = None,
    seed: int = 0,
) -> PreTrainedModel:
    """Put a fresh head of the standard class on a copy of a model's body.

    Parameters
    ----------
    body
        Any BERT: its ``base_model`` is copied, and stays as it is.
    kind
        ``Labelled``, ``Tagged``, ``Question`` or ``Pair``.
    labels
        Of the head; those of the task where None.
    pretrained
        Copy the body's weights; with False it starts from random ones, the same architecture.
    dropout
        See ``FineTuning``.
    seed
        For all weights that are not copied.

    Returns
    -------
    PreTrainedModel
        What ``HEADS[kind].from_pretrained(folder of the body)`` gives, in evaluation mode.
    """
    names = tuple(labels or LABELS.get(kind, ()))
    config: Any = BertConfig.from_dict(body.config.to_dict())
    if names:
        config.id2label = dict(enumerate(names))
        config.label2id = {name: number for number, name in enumerate(names)}
    if dropout is not None:
        config.hidden_dropout_prob = config.attention_probs_dropout_prob = dropout
        config.classifier_dropout = None  # the head's: that of the body
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        config._attn_implementation = "sdpa"
        model: Any = HEADS[kind](config)
    if pretrained:
        weights = dict(body.base_model.state_dict().items())
        known = model.base_model.state_dict().keys()
        model.base_model.load_state_dict(
            {key: value for key, value in weights.items() if key in known}, strict=False
        )
    ready: PreTrainedModel = model.eval()
    return ready


# Training


class _Progress(TrainerCallback):
    """A bar with the loss, in a notebook or a terminal."""

    def __init__(self) -> None:
        self._bar: Any = None

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:  # noqa: ANN401, ARG002
        from tqdm.auto import tqdm

        self._bar = tqdm(total=state.max_steps, desc="fine-tuning", unit="step", leave=False)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:  # noqa: ANN401, ARG002
        self._bar.update(state.global_step - self._bar.n)

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **kwargs: Any) -> None:  # noqa: ANN401, ARG002
        if logs and "loss" in logs:
            self._bar.set_postfix(loss=f"{float(logs['loss']):.3f}")

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class _HeadTrainer(Trainer):
    """A Trainer whose loss can weigh the labels."""

    label_weights: Tensor | None = None

    def compute_loss(
        self,
        model: nn.Module,
        inputs: dict[str, Tensor],
        return_outputs: bool = False,
        num_items_in_batch: Tensor | int | None = None,  # noqa: ARG002 - the Trainer passes it
    ) -> Any:  # noqa: ANN401 - as the Trainer
        """Return the head's own loss, or the weighted one."""
        outputs = model(**inputs)
        loss = outputs.loss
        if self.label_weights is not None:
            logits, labels = outputs.logits.flatten(0, -2), inputs["labels"].flatten()
            weights = self.label_weights.to(logits)
            loss = nn.functional.cross_entropy(logits, labels, weights, ignore_index=IGNORED)
        return (loss, outputs) if return_outputs else loss


@dataclass(frozen=True)
class Tuned:
    """A model that has learned a task.

    Attributes
    ----------
    model
        In evaluation mode; ``save_pretrained`` and ``from_pretrained`` work as with any model.
    losses
        Step and training loss (the mean since the entry before), in order.
    steps, seconds
        How many optimizer steps were made, and how long they took.
    interrupted
        Whether somebody stopped it; the model is as it was then.
    recipe
        What was asked for.
    """

    model: PreTrainedModel
    losses: list[tuple[int, float]]
    steps: int
    seconds: float
    interrupted: bool
    recipe: FineTuning


def bars_are_wanted() -> bool:
    """Whether progress bars are to be seen: ``HF_HUB_DISABLE_PROGRESS_BARS`` switches them off."""
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled

    return not are_progress_bars_disabled()


def fine_tune(
    body: PreTrainedModel,
    tokenizer: PreTrainedTokenizerFast,
    examples: Sequence[Example],
    *,
    recipe: FineTuning | None = None,
    labels: Sequence[str] | None = None,
    pretrained: bool = True,
    every_token: bool = False,
    progress: bool = True,
) -> Tuned:
    """Teach a copy of a model a task.

    Interrupting it (the kernel's stop button, Ctrl-C) is no error: what has been learned so far is returned.

    Parameters
    ----------
    body
        Any BERT. It stays as it is.
    tokenizer
        The model's.
    examples
        All of one class of ``world.tasks``.
    recipe
        See ``FineTuning``.
    labels
        Of a new head; those of the task where None.
    pretrained
        Start from the body's weights; with False from random ones.
    every_token
        See ``encode``.
    progress
        Show a bar while it runs (none where ``bars_are_wanted`` says no).

    Raises
    ------
    ValueError
        For examples that ``encode`` refuses, and for questions with a balanced loss.
    """
    recipe = recipe or FineTuning()
    kind = kind_of(examples)
    if recipe.balanced and kind is Question:
        raise ValueError("balanced=True: answers are places, not labels; leave it out for questions")
    model = new_model(body, kind, labels, pretrained=pretrained, dropout=recipe.dropout, seed=recipe.seed)
    names = labels_of(model)
    rows = encode(examples, tokenizer, names, every_token=every_token)
    model.base_model.requires_grad_(not recipe.frozen)
    set_seed(recipe.seed)
    bar = _Progress()
    began = time.perf_counter()
    interrupted = False
    with tempfile.TemporaryDirectory() as folder:
        trainer = _HeadTrainer(
            model=model,
            args=_arguments(recipe, len(rows), folder),
            train_dataset=rows,
            data_collator=lambda chosen: collate(chosen, tokenizer.pad_token_id),
        )
        trainer.remove_callback(PrinterCallback)
        trainer.remove_callback(ProgressCallback)
        if recipe.balanced:
            trainer.label_weights = _label_weights(rows, len(names))
        if progress and bars_are_wanted():
            trainer.add_callback(bar)
        mine = gc.get_freeze_count() == 0  # else it is done, and to be kept, by who runs this
        try:
            # The Trainer looks for garbage among all that there is: a fifth of a second in a notebook.
            if mine:
                gc.freeze()
            with torch.enable_grad():  # a notebook may have switched gradients off
                trainer.train()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            if mine:
                gc.unfreeze()
            bar.close()
    model.requires_grad_(True).eval()
    losses = [(int(one["step"]), float(one["loss"])) for one in trainer.state.log_history if "loss" in one]
    return Tuned(model, losses, trainer.state.global_step, time.perf_counter() - began, interrupted, recipe)


def _arguments(recipe: FineTuning, count: int, folder: str) -> TrainingArguments:
    per_epoch = -(-count // recipe.batch_size)
    steps = max(1, round(recipe.epochs * per_epoch))
    steps = steps if recipe.steps is None else min(steps, recipe.steps)
    return TrainingArguments(
        output_dir=folder,
        max_steps=steps,
        per_device_train_batch_size=recipe.batch_size,
        learning_rate=recipe.learning_rate,
        lr_scheduler_type="linear",
        warmup_steps=round(recipe.warmup * steps),
        weight_decay=recipe.weight_decay,
        logging_steps=max(1, steps // 40),
        save_strategy="no",
        use_cpu=not torch.cuda.is_available(),
        seed=recipe.seed,
        dataloader_pin_memory=False,
        remove_unused_columns=False,
        report_to=[],
        disable_tqdm=True,
    )


def _label_weights(rows: Sequence[Encoded], count: int) -> Tensor:
    """Return 1 / share of each label among the examples, scaled to a mean of 1 over the labels that occur."""
    labels = np.concatenate([np.atleast_1d(row.labels["labels"]) for row in rows])
    counts = np.bincount(labels[labels != IGNORED], minlength=count).astype(np.float64)
    weights = np.divide(1.0, counts, out=np.zeros(count), where=counts > 0)
    return torch.tensor(weights / weights[counts > 0].mean(), dtype=torch.float32)


def with_old_heads(tuned: PreTrainedModel, pretrained: BertForPreTraining) -> BertForPreTraining:
    """Put a fine-tuned body back under the heads of pre-training, to ask what it has forgotten.

    A body without a pooler (of the heads for words and for answers) keeps the pre-trained one.
    """
    model: Any = BertForPreTraining(pretrained.config)
    model.load_state_dict(pretrained.state_dict())
    body = dict(tuned.base_model.state_dict().items())
    model.bert.load_state_dict({**model.bert.state_dict(), **body})
    ready: BertForPreTraining = model.eval()
    return ready
