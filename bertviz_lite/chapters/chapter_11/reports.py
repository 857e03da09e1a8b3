"""What a training and a test gave, as text: a line for each epoch, for each label, and for their mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["by_epoch", "by_label"]


def by_epoch(log_history: Iterable[Mapping[str, Any]], metric: str) -> str:
    """Write the losses and a metric of the validation set after each epoch; the best epoch is marked.

    Parameters
    ----------
    log_history
        Of a Trainer's state: what it logged, evaluations and training losses.
    metric
        The metric by which the best epoch is kept, without "eval_".
    """
    entries = list(log_history)
    losses = {entry["epoch"]: entry["loss"] for entry in entries if "loss" in entry}
    evaluated = [entry for entry in entries if f"eval_{metric}" in entry]
    best = max((entry[f"eval_{metric}"] for entry in evaluated), default=None)
    lines = [f"epoch  loss in training  in validation  {metric} in validation"]
    for entry in evaluated:
        score, epoch = entry[f"eval_{metric}"], entry["epoch"]
        is_best = score == best
        best = None if is_best else best  # the first of equals is kept
        line = (
            f"{epoch:5.0f}  {losses.get(epoch, float('nan')):16.2f}  {entry['eval_loss']:13.2f}  {score:.2f}"
        )
        lines.append(f"{line}  <- kept" if is_best else line)
    return "\n".join(lines)


def by_label(metrics: Mapping[str, float], labels: Sequence[str], part: str = "test") -> str:
    """Write precision, recall and F1 of each label, from metrics named "test_precision_LABEL" and so on.

    The last line is "test_macro_f1", the mean of the labels' F1.
    """
    width = max(len("macro F1"), *map(len, labels))
    lines = [f"{'':{width}}  precision  recall    F1"]
    for label in labels:
        precision, recall, f1 = (metrics[f"{part}_{name}_{label}"] for name in ("precision", "recall", "f1"))
        lines.append(f"{label:{width}}  {precision:9.2f}  {recall:6.2f}  {f1:.2f}")
    lines.append(f"{'macro F1':{width}}  {'':9}  {'':6}  {metrics[f'{part}_macro_f1']:.2f}")
    return "\n".join(lines)
