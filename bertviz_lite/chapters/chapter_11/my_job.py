"""Fine-tune a BERT on labelled sentences: the cells of chapter 11 as one file, for one processor or for many.

::

    python -m bertviz_lite.chapters.chapter_11.my_job bert-base-uncased my_labels.txt my_model
    accelerate launch --num_processes 8 -m bertviz_lite.chapters.chapter_11.my_job bert-base-uncased ...

A line of ``my_labels.txt`` is ``label | sentence``. Copy this file and change what you like; with several
processes nothing in it changes, as the Trainer shares out each batch, and only the first process writes.

Left out: texts of several windows, and labels with weights.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    PrinterCallback,
    Trainer,
    TrainingArguments,
    set_seed,
)

from bertviz_lite.chapters.chapter_11.messages import labels_of, messages
from bertviz_lite.chapters.chapter_11.reports import by_epoch, by_label

FEWEST_STEPS = 90
"""As for the learning curve of the chapter."""


def rows(pairs: Sequence[tuple[str, str]], tokenizer: Any, labels: Sequence[str]) -> list[dict[str, Any]]:  # noqa: ANN401
    """Return each text as a BERT reads it, cut to what it takes, with the number of its label."""
    return [{**tokenizer(text, truncation=True), "labels": labels.index(label)} for text, label in pairs]


def metrics_for(labels: Sequence[str]) -> Callable[[Any], dict[str, float]]:
    """Return what the Trainer calls: accuracy, precision, recall and F1 by label, and their mean."""

    def compute_metrics(prediction: Any) -> dict[str, float]:  # noqa: ANN401 - the Trainer's
        said, true = prediction.predictions.argmax(axis=-1), prediction.label_ids
        scores = {"accuracy": float((said == true).mean())}
        for number, label in enumerate(labels):
            called, are = int((said == number).sum()), int((true == number).sum())
            right = int(((said == number) & (true == number)).sum())
            scores[f"precision_{label}"] = right / max(called, 1)
            scores[f"recall_{label}"] = right / max(are, 1)
            scores[f"f1_{label}"] = 2 * right / max(called + are, 1)
        scores["macro_f1"] = float(np.mean([scores[f"f1_{label}"] for label in labels]))
        return scores

    return compute_metrics


def epochs_for(texts: int, batch: int, fewest_steps: int = FEWEST_STEPS) -> int:
    """Return 6 epochs, or as many as make the fewest steps: a few texts are read in a few steps.

    >>> epochs_for(1_000, 16), epochs_for(18, 8)
    (6, 30)
    """
    return max(6, -(-fewest_steps // -(-texts // batch)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, keep the best epoch by the validation part, score the test part once, and save."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("checkpoint", help="a folder, or a name on the Hugging Face hub")
    parser.add_argument("labels", type=Path, help='a text file, a line for each sentence: "label | sentence"')
    parser.add_argument("output", type=Path, help="the folder for the model")
    parser.add_argument("--rate", type=float, default=5e-5, help="learning rate (default: %(default)s)")
    parser.add_argument(
        "--epochs", type=float, help="passes over the texts (default: 6, and more for few texts)"
    )
    parser.add_argument("--batch", type=int, default=16, help="texts of a process in a step")
    parser.add_argument("--seed", type=int, default=0, help="fixes all draws (default: %(default)s)")
    options = parser.parse_args(arguments)
    pairs = messages(options.labels.read_text(encoding="utf-8"))
    labels = labels_of(pairs["train"])
    tokenizer = AutoTokenizer.from_pretrained(options.checkpoint)
    parts = {part: rows(some, tokenizer, labels) for part, some in pairs.items()}
    set_seed(options.seed)
    model = AutoModelForSequenceClassification.from_pretrained(
        options.checkpoint,
        num_labels=len(labels),
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    settings = TrainingArguments(
        str(options.output),  # one folder for all processes, so that each can load the best model
        learning_rate=options.rate,
        lr_scheduler_type="linear",
        warmup_steps=5,
        num_train_epochs=options.epochs or epochs_for(len(parts["train"]), options.batch),
        per_device_train_batch_size=options.batch,
        eval_strategy="epoch",
        save_strategy="best",
        save_only_model=True,
        save_total_limit=1,
        load_best_model_at_end=True,
        metric_for_best_model="macro_f1",
        logging_strategy="epoch",
        seed=options.seed,
        bf16=torch.cuda.is_bf16_supported(including_emulation=False),
        dataloader_pin_memory=torch.cuda.is_available(),
        use_cpu=not torch.cuda.is_available(),
        disable_tqdm=True,
        report_to="none",
    )
    trainer: Any = Trainer(  # it takes lists, too
        model,
        settings,
        train_dataset=parts["train"],
        eval_dataset=parts["validation"],
        processing_class=tokenizer,
        compute_metrics=metrics_for(labels),
    )
    trainer.remove_callback(PrinterCallback)
    trainer.train()
    metrics = trainer.predict(parts["test"]).metrics
    trainer.save_model()
    if trainer.is_world_process_zero():
        sys.stdout.write(by_epoch(trainer.state.log_history, "macro_f1") + "\n")
        sys.stdout.write(f"test: accuracy {metrics['test_accuracy']:.2f}\n{by_label(metrics, labels)}\n")


if __name__ == "__main__":
    main()
