"""Chapter 09: truths by `transformers`' model and its loss, and by brute force."""

from collections.abc import Callable
from itertools import product

import numpy as np
import torch
from torch import Tensor
from transformers import BertConfig, BertForPreTraining

from bertviz_lite.exercises import Case, normal
from tests.helpers.truths import Truth


def loss_of_library(
    prediction_logits: Tensor, labels: Tensor, seq_relationship_logits: Tensor, next_sentence_label: Tensor
) -> Tensor:
    """Let BertForPreTraining compute its loss, with these logits in place of its own."""
    config = BertConfig(
        vocab_size=prediction_logits.shape[-1], hidden_size=2, num_hidden_layers=1, num_attention_heads=1,
        intermediate_size=2,
    )  # fmt: skip
    model = BertForPreTraining(config)
    model.cls.forward = lambda *_: (prediction_logits, seq_relationship_logits)
    with torch.no_grad():
        output = model(
            torch.zeros_like(labels).clamp(min=0), labels=labels, next_sentence_label=next_sentence_label
        )
    return output.loss


def most_hits_in_a_table(seconds: list[list[str]], labels: list[int]) -> str:
    """Make a table of words and Bs, and take the row that is most often like the labels."""
    words = np.unique([word for second in seconds for word in second])  # sorted
    has = np.array([[word in second for second in seconds] for word in words])
    return str(words[(has == np.array(labels, bool)).sum(axis=1).argmax()])


def falls_one_by_one(
    score: Callable[[Tensor], Tensor], input_ids: Tensor, spans: list[tuple[int, int]], mask_id: int
) -> list[float]:
    numbers = input_ids.tolist()

    def log_odds(row: list[int]) -> float:
        return float(score(torch.tensor([row]))[0])

    return [
        log_odds(numbers)
        - log_odds([mask_id if start <= place < stop else number for place, number in enumerate(numbers)])
        for start, stop in spans
    ]


def losses() -> list[Case]:
    labels = torch.tensor([[-100, 2, -100], [1, -100, -100], [0, 3, 1], [-100, 1, 1]])
    return [Case(normal(4, 3, 5), labels, normal(4, 2, seed=1), torch.tensor(kinds))
            for kinds in ([0, 0, 1, 1], [1, 0, 1, 0])]  # fmt: skip


def score(input_ids: Tensor) -> Tensor:
    return (input_ids.double() ** 0.5).cumsum(-1)[:, -1] + input_ids[:, 0] * input_ids[:, -2].double().log()


TRUTHS = {
    "pair_cost": Truth(
        "torch's cross-entropy",
        torch.nn.functional.cross_entropy(torch.tensor([[1.5, -0.5]]).double(), torch.tensor([1])).item(),
    ),
    "giveaway": Truth(
        "a table of words and Bs, by numpy",
        most_hits_in_a_table,
        lambda: [
            Case([["a", "b"], ["b", "c", "c"], ["a", "c"], ["d"]], list(labels))
            for labels in product((0, 1), repeat=4)
        ],
    ),
    "pretraining_loss": Truth("transformers' BertForPreTraining", loss_of_library, losses),
    "falls": Truth(
        "one word at a time, in lists",
        falls_one_by_one,
        lambda: [Case(score, torch.tensor([5, 9, 30, 31, 4, 12, 4]), [(1, 2), (2, 4), (5, 6)], 3)],
    ),
}
