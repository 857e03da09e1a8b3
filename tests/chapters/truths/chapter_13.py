"""Chapter 13: truths by ModernBERT in `transformers`, and by brute force."""

import math

import torch
from torch import Tensor
from transformers.models.modernbert.modeling_modernbert import apply_rotary_pos_emb

from bertviz_lite.exercises import Case, normal
from tests.helpers.truths import Truth


def mean_of_tokens(states: Tensor, attention_mask: Tensor) -> list[list[float]]:
    """Leave padding out of each text, average column by column, divide by the length."""
    vectors = []
    for text, seen in zip(states.tolist(), attention_mask.tolist(), strict=True):
        tokens = [token for token, is_seen in zip(text, seen, strict=True) if is_seen]
        mean = [sum(column) / len(tokens) for column in zip(*tokens, strict=True)]
        vectors.append([number / math.hypot(*mean) for number in mean])
    return vectors


def left_out_one_by_one(vectors: Tensor, labels: Tensor) -> float:
    """Take every vector out of the lists, and compare distances in Python's own numbers."""
    points = list(zip(vectors.tolist(), labels.tolist(), strict=True))
    right = 0
    for number, (vector, label) in enumerate(points):
        rest = points[:number] + points[number + 1 :]
        distances = {}
        for kind in (0, 1):
            columns = zip(*(other for other, its in rest if its == kind), strict=True)
            distances[kind] = math.dist(vector, [sum(column) / len(column) for column in columns])
        right += min(distances, key=distances.__getitem__) == label
    return right / len(points)


def turned_by_library(vectors: Tensor, positions: Tensor) -> Tensor:
    """Rotate with the library's function, with angles written as the paper has them."""
    half = vectors.shape[-1] // 2
    angles = torch.tensor(
        [[place / 10_000 ** (pair / half) for pair in range(half)] * 2 for place in positions.tolist()],
        dtype=torch.float64,
    )
    rows = vectors.reshape(1, -1, *vectors.shape[-2:])
    rotated, _ = apply_rotary_pos_emb(rows, rows, angles.cos()[None], angles.sin()[None])
    return rotated.reshape(vectors.shape)


TRUTHS = {
    "sentence_vector": Truth(
        "token by token",
        mean_of_tokens,
        lambda: [Case(normal(3, 4, 2, seed=5), torch.tensor([[1, 0, 0, 0], [1, 1, 1, 1], [1, 1, 0, 0]]))],
    ),
    "leave_one_out": Truth(
        "one by one, in lists",
        left_out_one_by_one,
        lambda: [Case(normal(10, 3, seed=seed), torch.arange(10) % 2) for seed in range(3)],
    ),
    "rotate": Truth(
        "transformers' rotation for ModernBERT",
        turned_by_library,
        lambda: [Case(normal(2, 5, 8), torch.tensor([0, 1, 5, 100, 2])), Case(normal(3, 2), torch.arange(3))],
    ),
}
