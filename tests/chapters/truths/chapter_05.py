"""Chapter 05: truths by powers of matrices, by counting paths, rules token by token, and hooks of torch."""

import itertools
import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from bertviz_lite.exercises import Case, normal
from tests.helpers.truths import Truth


def layers_by_powers(seq_len: int, window: int) -> int:
    """Multiply who reads whom until every entry is filled."""
    places = torch.arange(seq_len)
    reads = ((places[:, None] - places[None, :]).abs() <= window).double()
    heard, layers = reads, 1
    while not bool((heard > 0).all()):
        heard, layers = (heard @ reads > 0).double(), layers + 1
    return layers


def rollout_by_paths(attentions: Tensor) -> Tensor:
    """Add up, over all paths from a token at the input to a place at the top, what each path lets through."""
    layers, _, seq_len, _ = attentions.shape
    result = torch.zeros(seq_len, seq_len, dtype=attentions.dtype)
    for path in itertools.product(range(seq_len), repeat=layers + 1):  # the input first
        share = 1.0
        for layer, (read, reader) in enumerate(itertools.pairwise(path)):
            looks = sum(float(head[reader, read]) for head in attentions[layer]) / attentions.shape[1]
            share *= 0.5 * looks + 0.5 * (read == reader)
        result[path[-1], path[0]] += share
    return result


def left_one_by_one(is_token: Tensor, is_special: Tensor) -> Tensor:
    result = torch.zeros(*is_token.shape, is_token.shape[1], dtype=torch.bool)
    for text, looks, seen in itertools.product(*map(range, result.shape)):
        if not is_token[text, seen]:
            continue
        if is_special[text, seen]:
            result[text, looks, seen] = True
        elif not is_special[text, looks]:
            result[text, looks, seen] = seen <= looks
    return result


def glue_by_division(left: Tensor, right: Tensor, frequency: Tensor) -> Tensor:
    """Work with probabilities, one place and one word after the other."""
    result = torch.zeros_like(left)
    for place in itertools.product(*map(range, left.shape[:-1])):
        products = [
            math.exp(one) * math.exp(other) / math.exp(prior)
            for one, other, prior in zip(
                left[place].tolist(), right[place].tolist(), frequency.tolist(), strict=True
            )
        ]
        result[place] = torch.tensor([math.log(product / sum(products)) for product in products])
    return result


class Called(nn.Module):
    """A function as a module, so that a hook can be put on it."""

    def __init__(self, function: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: Tensor) -> Tensor:
        return self.function(x)


def swap_by_hooks(
    layers: Sequence[Callable[[Tensor], Tensor]], x: Tensor, twin: Tensor, height: int, place: int
) -> Tensor:
    """Run both at once, as a batch of two, and let a hook copy one vector at the height that is wanted."""
    stack = nn.Sequential(nn.Identity(), *map(Called, layers))

    def copy(_module: nn.Module, _given: object, both: Tensor) -> Tensor:
        where = torch.zeros(both.shape[-2], dtype=torch.bool)
        where[place] = True
        return torch.stack([torch.where(where[:, None], both[1], both[0]), both[1]])

    stack[height].register_forward_hook(copy)
    return stack(torch.stack([x, twin]))[0]


def fresh_readers() -> list[Case]:
    is_token = torch.tensor([[True] * 7, [True] * 3 + [False] * 4])
    is_special = torch.tensor(
        [[True, False, False, True, False, False, True], [True, False, True] + [False] * 4]
    )
    return [Case(is_token, is_special), Case(is_token[:1, :3], is_special[1:, :3])]


def fresh_swaps() -> list[Case]:
    layers = [lambda x: x.cumsum(dim=-2), torch.tanh, lambda x: x.flip(-2), torch.exp]
    return [
        Case(layers, normal(5, 3), normal(5, 3, seed=1), height, place)
        for height, place in ((0, 4), (1, 0), (2, 2), (4, 3))
    ]


TRUTHS = {
    "layers_needed": Truth(
        "powers of the matrix of who reads whom",
        layers_by_powers,
        lambda: [Case(2, 5), Case(10, 3), Case(11, 3), Case(30, 7), Case(31, 5)],
    ),
    "rollout": Truth(
        "all paths, one by one",
        rollout_by_paths,
        lambda: [
            Case((3 * normal(2, 3, 5, 5, seed=5)).softmax(dim=-1)),
            Case((3 * normal(4, 1, 3, 3, seed=6)).softmax(dim=-1)),
        ],
    ),
    "left_only": Truth("the rules, token by token", left_one_by_one, fresh_readers),
    "glue": Truth(
        "probabilities multiplied, divided and scaled one by one",
        glue_by_division,
        lambda: [
            Case(
                normal(2, 3, 5).log_softmax(dim=-1),
                normal(2, 3, 5, seed=1).log_softmax(dim=-1),
                normal(5, seed=2).log_softmax(dim=-1),
            )
        ],
    ),
    "swap_vector": Truth("hooks on torch.nn.Sequential", swap_by_hooks, fresh_swaps),
}
