"""Chapter 07: truths by the pooler of `transformers`, by torch's gradients and losses, and text by text."""

from itertools import permutations, product

import torch
from torch import Tensor, nn
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertPooler

from bertviz_lite import load
from bertviz_lite.chapters.chapter_07.exercises.fooling import QUERY
from bertviz_lite.exercises import Case, normal
from tests.helpers.truths import Truth


def weights_by_trying() -> tuple[list[list[float]], list[float]]:
    """Try whole numbers in transformers' pooler until the head tells equal numbers from unequal ones."""
    corners = torch.tensor(list(product((1.0, -1.0), repeat=2)))
    equal = corners[:, 0] == corners[:, 1]
    pooler = BertPooler(BertConfig(hidden_size=2))
    head = torch.tensor([1.0, -1.0])
    for row, b in product(product(range(-3, 4), repeat=2), product(range(-3, 4), repeat=2)):
        pooler.load_state_dict({"dense.weight": torch.tensor([row, row]), "dense.bias": torch.tensor(b)})
        with torch.no_grad():
            says = pooler(corners[:, None]) @ head + 1 > 0
        if torch.equal(says, equal):
            return [list(row), list(row)], list(b)
    raise AssertionError("no such weights")


def sentences_by_looking() -> tuple[str, str]:
    """Of some sentences, take the closest to the query and the farthest, by the library's own model."""
    tokenizer, model = load("pocket")
    query = "Alice gave the map to Nina."
    near = [
        f"{a} gave the {thing} to {b}."
        for a, b in permutations(("Ruby", "Luke", "Tom"), 2)
        for thing in ("belt", "key")
    ]
    far = [query.replace("gave", verb) for verb in ("read", "lost", "found", "took")]

    def cosine(line: str) -> float:
        ids = tokenizer([query, line], padding=True, return_tensors="pt")
        with torch.no_grad():
            vectors = model.bert(**ids, output_hidden_states=True).hidden_states[-1][:, 0]
        return float(vectors[0] @ vectors[1] / vectors[0].norm() / vectors[1].norm())

    return max(near, key=cosine), min(far, key=cosine)


def rows_of_tokens(states: Tensor, attention_mask: Tensor) -> list[Tensor]:
    return [text[mask.bool()] for text, mask in zip(states, attention_mask, strict=True)]


def gradient_by_torch(gradient: Tensor, pooled: Tensor) -> Tensor:
    before = torch.atanh(pooled).requires_grad_()
    with torch.enable_grad():
        return torch.autograd.grad(torch.tanh(before), before, gradient)[0]


def recall_by_sorting(queries: Tensor, candidates: Tensor, k: int) -> float:
    """Sort all texts for each query, and look for its partner among the first."""
    texts = [(number, place, text) for number, own in enumerate(candidates) for place, text in enumerate(own)]
    found = 0
    for number, query in enumerate(queries):
        nearest = sorted(
            texts, key=lambda entry: -float(nn.functional.cosine_similarity(query, entry[2], dim=0))
        )
        found += (number, 0) in [entry[:2] for entry in nearest[:k]]
    return found / len(queries)


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
    "two_switches": Truth(
        "transformers' BertPooler, by trying",
        weights_by_trying,
        lambda: [Case(torch.tensor([1.0, -1.0]).double()), Case(torch.tensor([-1.0, -1.0]).double())],
    ),
    "fooled": Truth("transformers' BertModel, by looking", sentences_by_looking, lambda: [Case(QUERY)]),
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
    "recall_at": Truth(
        "all texts sorted",
        recall_by_sorting,
        lambda: [
            Case(normal(9, 3), normal(9, 2, 3, seed=1), 2),
            Case(normal(20, 4, seed=2), normal(20, 4, 4, seed=3), 9),
        ],
    ),
}
