"""How many weights there are, and how much of them lies at a distance."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, normal, question


@question(
    hints=(
        "One head of one layer makes a square: a row for every query, a column for every key.",
        "Tokens times tokens, times heads, times layers.",
    ),
    note="With twice as many tokens it is four times as many: the square is what makes long texts expensive.",
)
def weights_in_all() -> int:
    """Say how many attention weights 3 layers of 5 heads make for a text of 7 tokens."""
    return 3 * 5 * 7 * 7


weights_in_all.mistake("Every token looks at every token: 7 times 7 for one head.", 3 * 5 * 7)
weights_in_all.mistake("That is one layer; there are three.", 5 * 7 * 7)
weights_in_all.mistake("That is one head a layer; there are five.", 3 * 7 * 7)
weights_in_all.mistake("A token also looks at itself: a row has 7 weights, not 6.", 3 * 5 * 7 * 6)


def _distance_cases() -> Iterator[Case]:
    small = torch.tensor([[[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.2, 0.7, 0.1]]], dtype=torch.float64)
    yield Case(small, -1)
    yield Case(small, 1)
    weights = (2 * normal(4, 7, 7)).softmax(dim=-1)
    for distance in (-1, 0, 3):
        yield Case(weights, distance, label=f"random weights of shape (4, 7, 7), distance = {distance}")


@exercise(
    cases=_distance_cases,
    hints=(
        "The weights at one distance are on a diagonal: weights.diagonal(offset, dim1=…, dim2=…).",
        "Key minus query is -1 for the token before: below the main diagonal, offset=-1.",
        "The mean over a diagonal leaves out the tokens that have no partner at this distance.",
    ),
    note="This is how chapter 03 found the heads that look at the word before.",
)
def weight_at_distance(attentions: Tensor, distance: int) -> Tensor:
    """Give the mean weight that each head puts on the token at a distance: (num_heads, n, n) -> (num_heads,).

    Distance -1 is the token before, 1 the token after. Tokens without such a neighbour do not count.
    """
    return attentions.diagonal(distance, dim1=-2, dim2=-1).mean(dim=-1)


def _diagonal(attentions: Tensor, distance: int) -> Tensor:
    return attentions.diagonal(distance, dim1=-2, dim2=-1)


weight_at_distance.mistake(
    "The direction is the wrong way round: rows are queries, the token before is left of the diagonal.",
    lambda attentions, distance: _diagonal(attentions, -distance).mean(dim=-1),
)
weight_at_distance.mistake(
    "The sum is divided by all tokens, also by those that have no partner at this distance.",
    lambda attentions, distance: _diagonal(attentions, distance).sum(dim=-1) / attentions.shape[-1],
)
weight_at_distance.mistake(
    "This is the sum of the weights; take the mean.",
    lambda attentions, distance: _diagonal(attentions, distance).sum(dim=-1),
)
weight_at_distance.mistake(
    "This is one number for all heads: keep their axis.",
    lambda attentions, distance: _diagonal(attentions, distance).mean(),
)
weight_at_distance.mistake(
    "torch.diagonal takes the first two axes by default: here they are heads and queries.",
    lambda attentions, distance: attentions.diagonal(distance).mean(dim=-1),
)
