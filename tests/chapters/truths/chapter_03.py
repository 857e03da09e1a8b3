"""Chapter 03: truths by torch's attention and softmax, by `transformers`, and entry by entry."""

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from transformers import BertConfig, BertModel

from bertviz_lite.exercises import Case, normal
from tests.helpers.truths import Truth


def weights_of_library() -> int:
    config = BertConfig(
        vocab_size=9, hidden_size=10, num_hidden_layers=3, num_attention_heads=5, intermediate_size=4
    )
    config._attn_implementation = "eager"
    with torch.no_grad():
        maps = BertModel(config).eval()(torch.arange(7)[None], output_attentions=True).attentions
    return sum(weights.numel() for weights in maps)


def by_library(vector: Tensor, matrix: Tensor, bias: Tensor, keys: Tensor) -> Tensor:
    """Read from values that are a row of the identity each: what comes out are the weights."""
    query = torch.nn.functional.linear(vector, matrix.T, bias)
    return scaled_dot_product_attention(query[None], keys, torch.eye(len(keys)).double())[0]


def mean_at_distance(attentions: Tensor, distance: int) -> list[float]:
    tokens = range(attentions.shape[-1])
    pairs = [(query, query + distance) for query in tokens if query + distance in tokens]
    return [sum(float(head[pair]) for pair in pairs) / len(pairs) for head in attentions]


def heads() -> list[Case]:
    query, key, value = normal(2, 4, 8), normal(2, 3, 8, seed=1), normal(2, 3, 5, seed=2)
    return [Case(query, key, value, normal(2, 4, 3, seed=3)), Case(query[0], key[0], value[0], normal(4, 3))]


TRUTHS = {
    "weights_in_all": Truth("the attentions of a BertModel", weights_of_library()),
    "softmax_row": Truth(
        "torch.softmax",
        lambda scores: torch.softmax(scores, dim=-1),
        lambda: [Case(5 * normal(3, 6)), Case(torch.tensor([-2000.0, -2001.0]).double()), Case(normal(1))],
    ),
    "weights_of_query": Truth(
        "torch.nn.functional.linear and scaled_dot_product_attention",
        by_library,
        lambda: [
            Case(normal(5), normal(5, 2, seed=1), normal(2, seed=2), normal(6, 2, seed=3)),
            Case(normal(3), normal(3, 3, seed=4), normal(3, seed=5), normal(1, 3, seed=6)),
        ],
    ),
    "cross_head": Truth(
        "torch.nn.functional.scaled_dot_product_attention",
        lambda query, key, value, mask: scaled_dot_product_attention(query, key, value, attn_mask=mask),
        heads,
    ),
    "split_heads": Truth(
        "torch.chunk",
        lambda states, num_heads: torch.stack(states.chunk(num_heads, dim=-1), dim=1),
        lambda: [Case(normal(2, 3, 8), 4), Case(normal(1, 5, 6), 1), Case(normal(3, 2, 6), 6)],
    ),
    "weight_at_distance": Truth(
        "the mean over all pairs",
        mean_at_distance,
        lambda: [Case(normal(3, 6, 6).softmax(-1), distance) for distance in (-5, -4, -1, 2)],
    ),
    "causal_head": Truth(
        "torch.nn.functional.scaled_dot_product_attention, is_causal",
        lambda query, key, value: scaled_dot_product_attention(query, key, value, is_causal=True),
        lambda: [
            Case(*(3 * normal(7, 4, seed=seed) for seed in range(3))),
            Case(*(normal(2, 3, 9, 5, seed=seed) for seed in range(3))),
        ],
    ),
}
