"""Chapter 02: truths by the embeddings of `transformers`, by torch, and by the formulas number by number."""

import math
from functools import cache
from operator import mul

import torch
from torch import Tensor, nn
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertEmbeddings

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


def the_part_that_changes() -> str:
    """Run the library's embeddings on the same word twice; see which table has given two rows."""
    embeddings, seen = library_embeddings(9, 4, 5), {}
    tables = {
        "token": embeddings.word_embeddings,
        "position": embeddings.position_embeddings,
        "segment": embeddings.token_type_embeddings,
    }
    for name, table in tables.items():
        table.register_forward_hook(lambda _module, _inputs, rows, name=name: seen.update({name: rows[0]}))
    embeddings(torch.tensor([[7, 7]]))
    (changed,) = [name for name, rows in seen.items() if not torch.equal(rows[0], rows[1])]
    return changed


def added_by_library(
    input_ids: Tensor, token_type_ids: Tensor, words: Tensor, positions: Tensor, segments: Tensor
) -> Tensor:
    embeddings = library_embeddings(len(words), words.shape[1], len(positions))
    embeddings.word_embeddings.weight.data = words.clone()
    embeddings.position_embeddings.weight.data = positions.clone()
    embeddings.token_type_embeddings.weight.data = segments.clone()
    embeddings.LayerNorm = nn.Identity()
    with torch.no_grad():
        return embeddings(input_ids[None], token_type_ids[None])[0]


def nearest_by_angles(word: str, k: int, tokens: list[str], table: Tensor) -> list[str]:
    """Measure every angle in Python's own numbers."""
    rows = dict(zip(tokens, table.tolist(), strict=True))

    def angle(token: str) -> float:
        lengths = math.hypot(*rows[token]) * math.hypot(*rows[word])
        return math.acos(min(1.0, max(-1.0, sum(map(mul, rows[token], rows[word])) / lengths)))

    special = [token for token in tokens if token[:1] == "[" and token[-1:] == "]" and len(token) > 2]
    return sorted(set(tokens) - {word, *special}, key=angle)[:k]


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


def fresh_additions() -> list[Case]:
    tables = normal(6, 3), normal(5, 3, seed=1), normal(2, 3, seed=2)
    ids, types = torch.tensor([5, 0, 0, 2]), torch.tensor([1, 0, 1, 1])
    return [Case(ids, types, *tables), Case(ids[:1], types[:1], *tables)]


TRUTHS = {
    "which_part_changes": Truth("transformers' BertEmbeddings", the_part_that_changes()),
    "lengths": Truth(
        "torch.linalg.vector_norm",
        lambda table: torch.linalg.vector_norm(table, dim=1),
        lambda: [Case(normal(5, 7)), Case(normal(1, 3, seed=1)), Case(-normal(4, 1, seed=2))],
    ),
    "add_by_hand": Truth("transformers' BertEmbeddings", added_by_library, fresh_additions),
    "layer_norm": Truth(
        "torch.nn.functional.layer_norm",
        lambda x, gain, bias, eps: nn.functional.layer_norm(x, x.shape[-1:], gain, bias, eps),
        lambda: [
            Case(5 * normal(3, 4, 6) + 2, normal(6, seed=1), normal(6, seed=2), 0.1),
            Case(torch.ones(2, 3).double(), normal(3, seed=1), normal(3, seed=2), 1e-5),
        ],
    ),
    "nearest": Truth(
        "angles by math.acos",
        nearest_by_angles,
        lambda: [
            Case("c", 3, ["[UNK]", "a", "b", "c", "[SEP]", "d", "e"], normal(7, 3)),
            Case("a", 9, ["a", "b", "[", "[PAD]", "[]", "[x]"], normal(6, 5, seed=1)),
        ],
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
