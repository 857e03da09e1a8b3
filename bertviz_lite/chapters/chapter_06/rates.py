"""What a higher rate gains and what it costs, measured on a model that is already trained."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor
from transformers import BertForMaskedLM

from bertviz_lite.data.ignored_label import IGNORED

_SAID = {
    "chosen": "questions in a text",
    "right in a text": "right answers in a text",
    "right": "share of questions right",
    "lost": "tokens hidden or replaced",
}
"""What the rows of the table are called, with their units: counts first, then shares."""


def by_rate(
    model: BertForMaskedLM,
    batch: Mapping[str, Tensor],
    rates: Sequence[float],
    mask: Callable[[float], tuple[Tensor, Tensor]],
) -> dict[str, list[float]]:
    """Mask one batch at several rates, and let a model answer.

    Parameters
    ----------
    model
        What answers.
    batch
        Its inputs, unmasked; (batch, seq_len) each.
    rates
        The rates.
    mask
        Gives ``(masked input_ids, labels)`` of the batch for a rate.

    Returns
    -------
    dict
        For each rate: "chosen" tokens in a text; those "right in a text"; the share of the chosen that is
        "right"; and the share of all tokens, special ones too, that the model reads and that were not there,
        "lost".
    """
    table: dict[str, list[float]] = {"chosen": [], "right in a text": [], "right": [], "lost": []}
    tokens = int(batch["attention_mask"].sum())
    for rate in rates:
        masked, labels = mask(rate)
        chosen = labels != IGNORED
        with torch.no_grad():
            guesses = model(**{**batch, "input_ids": masked}).logits[chosen].argmax(dim=-1)
        right = guesses == labels[chosen]
        table["chosen"].append(int(chosen.sum()) / len(masked))
        table["right"].append(float(right.double().mean()))
        table["right in a text"].append(int(right.sum()) / len(masked))
        table["lost"].append(int((masked != batch["input_ids"]).sum()) / tokens)
    return table


def table(rates: Sequence[float], found: Mapping[str, Sequence[float]]) -> str:
    """Write what `by_rate` returned as a table, a column for each rate."""
    lines = [f"{'rate':26}" + "".join(f"{rate:8.0%}" for rate in rates)]
    for name, row in found.items():
        form = ".0%" if name in ("right", "lost") else ".1f"
        lines.append(f"{_SAID[name]:26}" + "".join(f"{value:8{form}}" for value in row))
    return "\n".join(lines)
