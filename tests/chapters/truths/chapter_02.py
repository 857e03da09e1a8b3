"""Chapter 02: truths by the embeddings of `transformers`, by torch, and by the formulas number by number."""

import math
from functools import cache
from operator import mul

import torch
from torch import Tensor, nn
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertEmbeddings

from bertviz_lite.chapters.chapter_02.broken_layers import broken_layers
from bertviz_lite.exercises import Case, normal
from tests.helpers.truths import Truth


def library_embeddings(vocab_size: int, hidden_size: int, positions: int) -> BertEmbeddings:
    config = BertConfig(
        vocab_size=vocab_size,
        hidden_size=hidden_size,
        num_attention_heads=1,
        max_position_embeddings=positions,
    )
    return BertEmbeddings(config).double().eval()


def the_broken_ones() -> str:
    """Break the library's embeddings in each of the three ways, and see which layer gives the same."""
    embeddings = library_embeddings(9, 4, 5)
    ids, types = torch.tensor([[7, 3, 7, 1]]), torch.tensor([[0, 0, 1, 1]])
    total = embeddings.word_embeddings(ids) + embeddings.position_embeddings.weight[None, :4]
    total = total + embeddings.token_type_embeddings(types)
    nn.init.constant_(embeddings.LayerNorm.bias, 0.25)
    expected = [
        embeddings(ids, types, position_ids=torch.zeros(1, 4, dtype=torch.int64)),
        embeddings(ids),
        nn.functional.layer_norm(total.mT, (4,), eps=embeddings.LayerNorm.eps).mT + 0.25,
    ]
    layers = broken_layers(embeddings)
    assert torch.equal(layers.pop("healthy")(ids, types), embeddings(ids, types))
    found = [
        [name for name, layer in layers.items() if torch.allclose(layer(ids, types), wrong)]
        for wrong in expected
    ]
    assert [len(names) for names in found] == [1, 1, 1]
    return "".join(name for (name,) in found)


def read_by_angles(total: Tensor, table: Tensor, tokens: list[str]) -> str:
    """Measure the angle between the sum and every row in Python's own numbers."""
    angles = {}
    for token, row in zip(tokens, table.tolist(), strict=True):
        if (length := math.hypot(*row)) > 0:
            cosine = math.fsum(map(mul, row, total.tolist())) / (length * math.hypot(*total.tolist()))
            angles[token] = math.acos(min(1.0, max(-1.0, cosine)))
    return min(angles, key=angles.__getitem__)


def waves(seq_len: int, hidden_size: int) -> list[list[float]]:
    """Write the paper's formula for one number at a time."""
    return [
        [
            math.sin(position / 10000 ** (column / hidden_size))
            if column % 2 == 0
            else math.cos(position / 10000 ** ((column - 1) / hidden_size))
            for column in range(hidden_size)
        ]
        for position in range(seq_len)
    ]


@cache
def fresh_embeddings() -> BertEmbeddings:
    embeddings = library_embeddings(11, 6, 8)
    with torch.no_grad():
        for seed, parameter in enumerate(embeddings.parameters()):
            parameter.copy_(normal(*parameter.shape, seed=seed))
    return embeddings


TRUTHS = {
    "which_is_broken": Truth("transformers' BertEmbeddings", the_broken_ones()),
    "read_word": Truth(
        "angles by math.acos",
        read_by_angles,
        lambda: [
            Case(normal(5, seed=2), normal(6, 5), ["a", "b", "c", "d", "e", "f"]),
            Case(
                torch.tensor([2.0, 1.0]).double(),
                torch.tensor([[0.0, 0], [-1, 0], [-3, -1]]).double(),
                list("abc"),
            ),
        ],
    ),
    "layer_norm": Truth(
        "torch.nn.functional.layer_norm",
        lambda x, gain, bias, eps: nn.functional.layer_norm(x, x.shape[-1:], gain, bias, eps),
        lambda: [
            Case(5 * normal(3, 4, 6) + 2, normal(6, seed=1), normal(6, seed=2), 0.1),
            Case(torch.ones(2, 3).double(), normal(3, seed=1), normal(3, seed=2), 1e-5),
        ],
    ),
    "spoiled_positions": Truth(
        "each word's own opposite: at its own place every word's sum is zero",
        torch.neg,
        lambda: [Case(normal(4, 3, seed=3))],
    ),
    "sinusoidal": Truth("Vaswani et al., section 3.5", waves, lambda: [Case(5, 2), Case(11, 10)]),
    "embedding_layer": Truth(
        "transformers' BertEmbeddings itself",
        lambda embeddings: embeddings,
        lambda: [
            Case(fresh_embeddings(), torch.tensor([[3, 1, 10, 0]])),
            Case(fresh_embeddings(), torch.tensor([[3, 1]]), torch.tensor([[1, 0]])),
            Case(fresh_embeddings(), torch.tensor([[3]]), torch.tensor([[1]]), torch.tensor([[7]])),
        ],
    ),
}
