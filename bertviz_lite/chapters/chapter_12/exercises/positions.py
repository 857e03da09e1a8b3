"""Exercises of chapter 12, a real BERT: RoBERTa's position ids."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise


def _position_cases() -> Iterator[Case]:
    yield Case(torch.tensor([[0, 7, 8, 2], [0, 9, 2, 1]]), 1)
    yield Case(torch.tensor([[5, 6, 7, 0, 0], [5, 6, 7, 8, 9], [5, 0, 0, 0, 0]]), 0)
    yield Case(torch.tensor([[4, 3, 9, 9, 5, 3, 3]]), 3)


@exercise(
    cases=_position_cases,
    hints=(
        "Which tokens are real? (input_ids != padding_id), as 1 and 0.",
        "cumsum(dim=1) counts the real ones; times the same 1 and 0, padding gets 0. Then add padding_id.",
    ),
    note="That is why RoBERTa's table has 514 rows for 512 places: rows 0 and 1 are never a token's place.",
)
def roberta_positions(input_ids: Tensor, padding_id: int) -> Tensor:
    """Give every token its position as RoBERTa does.

    Real tokens are padding_id + 1, padding_id + 2, … in each row; padding is padding_id itself.
    `input_ids` is (batch, seq_len), and so is the result.
    """
    real = (input_ids != padding_id).long()
    return real.cumsum(dim=1) * real + padding_id


roberta_positions.mistake(
    "That is BERT's way: 0, 1, 2, … in every row.",
    lambda ids, padding: torch.arange(ids.shape[1]).expand(ids.shape),
)
roberta_positions.mistake(
    "Padding goes on counting; it gets padding_id itself.",
    lambda ids, padding: torch.arange(ids.shape[1]).expand(ids.shape) + padding + 1,
)
roberta_positions.mistake(
    "Padding keeps the last number; it gets padding_id.",
    lambda ids, padding: (ids != padding).long().cumsum(dim=1) + padding,
)
roberta_positions.mistake(
    "padding_id is not added.",
    lambda ids, padding: (ids != padding).long().cumsum(dim=1) * (ids != padding),
)
roberta_positions.mistake(
    "The first real token gets padding_id + 1, not padding_id.",
    lambda ids, padding: ((ids != padding).long().cumsum(dim=1) - 1) * (ids != padding) + padding,
)
roberta_positions.mistake(
    "Padding gets 0; it gets padding_id.",
    lambda ids, padding: ((ids != padding).long().cumsum(dim=1) + padding) * (ids != padding),
)
