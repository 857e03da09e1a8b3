"""Chapter 03: truths by torch's attention and softmax, by `transformers`, and entry by entry."""

from itertools import combinations, product

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from transformers import BertConfig, BertModel

from bertviz_lite import load
from bertviz_lite.chapters.chapter_03.exercises.causes import FRAME
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


def cause_by_looking() -> tuple[tuple[int, int], tuple[str, str]]:
    """Try every head on four sentences, its keys swapped by hand; then two other tokens far apart."""
    tokenizer, model = load("pocket")
    pairs = [("Anna", "Tom"), ("Tom", "Anna"), ("Mia", "Luke"), ("Luke", "Mia")]
    batch = tokenizer([f"{a} promised {b} that [MASK] would come." for a, b in pairs], return_tensors="pt")
    tokens = tokenizer.convert_ids_to_tokens(batch["input_ids"][0])
    gap, order = tokens.index("[MASK]"), [0, 3, 2, 1, *range(4, len(tokens))]  # the names are tokens 1 and 3

    def firsts_fit(at: tuple[int, int] | None = None) -> Tensor:
        maker = model.base_model.encoder.layer[at[0] if at else 0].attention.self.key
        usual = maker.forward

        def make(states: Tensor) -> Tensor:
            keys = list(usual(states).chunk(6, dim=-1))
            if at:
                keys[at[1]] = keys[at[1]][:, order]
            return torch.cat(keys, dim=-1)

        maker.forward = make
        with torch.no_grad():
            logits = model(**batch).prediction_logits[:, gap]
        maker.forward = usual
        return logits[:, tokenizer.vocab["she"]] > logits[:, tokenizer.vocab["he"]]

    before = firsts_fit()
    best = max(product(range(4), range(6)), key=lambda at: int((firsts_fit(at) != before).sum()))
    with torch.no_grad():
        maps = model.base_model(**batch, output_attentions=True).attentions
    row = maps[best[0]][:, best[1], gap].mean(dim=0)
    others = [place for place in range(len(tokens)) if place not in (1, 3)]
    one, other = max(combinations(others, 2), key=lambda two: abs(float(row[two[0]] - row[two[1]])))
    return best, (tokens[one], tokens[other])


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
    "cause": Truth("transformers' BertModel, by looking", cause_by_looking, lambda: [Case(FRAME)]),
}
