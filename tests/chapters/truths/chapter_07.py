"""Chapter 07: truths by the pooler of `transformers`, by torch's gradients and losses, and text by text."""

import torch
from torch import Tensor, nn
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertPooler

from bertviz_lite.exercises import Case, normal
from tests.helpers.truths import Truth


def parameters_of_pooler(hidden_size: int) -> int:
    with torch.device("meta"):
        return sum(part.numel() for part in BertPooler(BertConfig(hidden_size=hidden_size)).parameters())


def rows_of_tokens(states: Tensor, attention_mask: Tensor) -> list[Tensor]:
    return [text[mask.bool()] for text, mask in zip(states, attention_mask, strict=True)]


def gradient_by_torch(gradient: Tensor, pooled: Tensor) -> Tensor:
    before = torch.atanh(pooled).requires_grad_()
    with torch.enable_grad():
        return torch.autograd.grad(torch.tanh(before), before, gradient)[0]


def share_by_looking(queries: Tensor, candidates: Tensor) -> float:
    hits = 0
    for query, texts in zip(queries, candidates, strict=True):
        cosines = [float(nn.functional.cosine_similarity(query, text, dim=0)) for text in texts]
        hits += cosines[0] == max(cosines)
    return hits / len(queries)


def loss_by_torch(queries: Tensor, candidates: Tensor, temperature: float) -> Tensor:
    losses = []
    for number, query in enumerate(queries):
        cosines = [nn.functional.cosine_similarity(query, text, dim=0) for own in candidates for text in own]
        target = torch.tensor(number * len(candidates[0]))
        losses.append(nn.functional.cross_entropy(torch.stack(cosines) / temperature, target))
    return torch.stack(losses).mean()


def masked() -> list[Case]:
    mask = torch.tensor([[1, 1, 1, 0, 0], [1, 0, 0, 0, 0], [1, 1, 1, 1, 1]])
    return [Case(normal(3, 5, 4), mask), Case(normal(3, 5, 2, seed=1) - 4, mask.flip(0))]


TRUTHS = {
    "large_pooler": Truth("transformers' BertPooler", parameters_of_pooler(1024)),
    "last_token_pool": Truth(
        "text by text",
        lambda states, mask: torch.stack([rows[-1] for rows in rows_of_tokens(states, mask)]),
        lambda: [*masked(), Case(normal(2, 4, 3, seed=2), torch.tensor([[0, 1, 1, 0], [0, 0, 0, 1]]))],
    ),
    "max_pool": Truth(
        "text by text",
        lambda states, mask: torch.stack([rows.max(0).values for rows in rows_of_tokens(states, mask)]),
        masked,
    ),
    "through_tanh": Truth(
        "torch.autograd",
        gradient_by_torch,
        lambda: [Case(normal(3, 4), 0.9 * normal(3, 4, seed=1).tanh()), Case(normal(2), normal(2).tanh())],
    ),
    "contrastive_loss": Truth(
        "torch's cross_entropy, cosine by cosine",
        loss_by_torch,
        lambda: [
            Case(normal(4, 3), normal(4, 2, 3, seed=1), 0.05),
            Case(normal(5, 2, seed=2), 4 * normal(5, 3, 2, seed=3), 1.5),
        ],
    ),
    "share_right": Truth(
        "question by question",
        share_by_looking,
        lambda: [
            Case(normal(9, 3), normal(9, 2, 3, seed=1)),
            Case(normal(20, 4, seed=2), normal(20, 4, 4, seed=3)),
        ],
    ),
}
