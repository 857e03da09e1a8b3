"""What a higher rate gains and what it costs, measured on a model that is already trained."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor
from transformers import BertForMaskedLM

from bertviz_lite.data.batches import batches
from bertviz_lite.data.ignored_label import IGNORED

_SAID = {
    "asked": "questions in a text",
    "right in a text": "right answers in a text",
    "lowest": "  lowest of the draws",
    "highest": "  highest of the draws",
    "commonest": "always the commonest token",
    "right": "share of questions right",
    "lost": "tokens hidden or replaced",
}
"""What the rows of the table are called, with their units: counts first, then shares."""


def by_rate(
    model: BertForMaskedLM,
    batch: Mapping[str, Tensor],
    rates: Sequence[float],
    mask: Callable[[float, int], tuple[Tensor, Tensor]],
    seeds: Sequence[int],
) -> dict[str, list[float]]:
    """Mask one batch at several rates, a few times at each, and let a model answer.

    Parameters
    ----------
    model
        What answers.
    batch
        Its inputs, unmasked; (batch, seq_len) each.
    rates
        The rates.
    mask
        Gives ``(masked input_ids, labels)`` of the batch for a rate and a seed.
    seeds
        One for each draw of the masks.

    Returns
    -------
    dict
        For each rate, means of the draws: tokens "asked" in a text, those chosen that are hidden or replaced
        (what stays in sight is no question); those "right in a text", with the "lowest" and the "highest"
        draw; how many are the "commonest" of the asked tokens; the share of the asked that is "right"; and
        their share of all tokens, special ones too, "lost".
    """
    table: dict[str, list[float]] = {name: [] for name in _SAID}
    for rate in rates:
        draws = [_draw(model, batch, *mask(rate, seed)) for seed in seeds]
        means = {name: sum(draw[name] for draw in draws) / len(draws) for name in draws[0]}
        right = [draw["right in a text"] for draw in draws]
        for name, value in (means | {"lowest": min(right), "highest": max(right)}).items():
            table[name].append(value)
    return table


def _draw(
    model: BertForMaskedLM, batch: Mapping[str, Tensor], masked: Tensor, labels: Tensor
) -> dict[str, float]:
    """Let the model answer one draw of the masks, and count; a chosen token that stays is no question."""
    asked = (labels != IGNORED) & (masked != batch["input_ids"])
    right, count = _right(model, batch, masked, asked), int(asked.sum())
    truths = batch["input_ids"][asked]
    return {
        "asked": count / len(masked),
        "right in a text": right / len(masked),
        "commonest": int((truths == truths.mode().values).sum()) / len(masked),
        "right": right / count,
        "lost": count / int(batch["attention_mask"].sum()),
    }


def _right(model: BertForMaskedLM, batch: Mapping[str, Tensor], masked: Tensor, asked: Tensor) -> int:
    """Count the questions that the model answers right; the head is applied where something is asked."""
    inputs = {**batch, "input_ids": masked}
    lengths, right = batch["attention_mask"].sum(dim=1).tolist(), 0
    for rows in batches(lengths):
        longest = max(lengths[row] for row in rows)
        here = {name: ids[rows, :longest] for name, ids in inputs.items()}
        places = asked[rows, :longest]
        with torch.no_grad():
            vectors = model.base_model(**here).last_hidden_state[places]
            guesses = model.cls(vectors).argmax(dim=-1)
        right += int((guesses == batch["input_ids"][rows, :longest][places]).sum())
    return right


def table(rates: Sequence[float], found: Mapping[str, Sequence[float]]) -> str:
    """Write what `by_rate` returned as a table, a column for each rate."""
    lines = [f"{'rate':26}" + "".join(f"{rate:8.0%}" for rate in rates)]
    for name, row in found.items():
        form = ".0%" if name in ("right", "lost") else ".1f"
        lines.append(f"{_SAID[name]:26}" + "".join(f"{value:8{form}}" for value in row))
    return "\n".join(lines)
