"""What a higher rate gains and what it costs, measured on a model that is already trained."""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor
from transformers import BertForMaskedLM

from bertviz_lite.data.batches import batches
from bertviz_lite.data.ignored_label import IGNORED


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
        (what stays in sight is no question); those "right in a text"; how many are the "commonest" of the
        asked tokens; and the share of the asked that is "right".
    """
    means: list[dict[str, float]] = []
    for rate in rates:
        draws = [_draw(model, batch, *mask(rate, seed)) for seed in seeds]
        means.append({name: sum(draw[name] for draw in draws) / len(draws) for name in draws[0]})
    return {name: [each[name] for each in means] for name in means[0]}


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
