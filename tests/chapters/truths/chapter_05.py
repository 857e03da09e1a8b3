"""Chapter 05: truths by powers of matrices, by counting paths, rules token by token, and hooks of torch."""

import itertools
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from bertviz_lite import load
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


def glue_by_worlds(p: Tensor, left: Tensor, right: Tensor) -> Tensor:
    """Build a world in which each word stands behind either text independently, and keep where both meet."""
    rows = []
    for one, other in zip(left.tolist(), right.tolist(), strict=True):
        behind = [
            min(share / side for share, side in zip(p.tolist(), given, strict=True)) for given in (one, other)
        ]
        kept = []
        for word, share in enumerate(p.tolist()):
            has_left = behind[0] * one[word] / share  # of this word's places, those with that left side
            has_right = behind[1] * other[word] / share
            kept.append(share * has_left * has_right)
        rows.append([part / sum(kept) for part in kept])
    return torch.tensor(rows, dtype=p.dtype)


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


def twins_by_hooks() -> tuple[str, str, int]:
    """Count on a model of the library's own: both at once, the gap's vector copied after one layer."""
    tokenizer, model = load("pocket")
    text, twin = "Anna feeds two [MASK].", "Anna feeds a [MASK]."
    both = tokenizer([text, twin], return_tensors="pt")
    gap = both["input_ids"][0].tolist().index(tokenizer.mask_token_id)

    def copy(_module: nn.Module, _given: object, states: Tensor) -> Tensor:
        copied = states.clone()
        copied[0, gap] = states[1, gap]
        return copied

    with torch.no_grad():
        plain = model(**both).prediction_logits[:, gap]
        first, second = plain.argmax(dim=-1).tolist()
        start, end = (plain[:, second] - plain[:, first]).tolist()
        for number, layer in enumerate(model.bert.encoder.layer):
            hook = layer.register_forward_hook(copy)
            logits = model(**both).prediction_logits[0, gap]
            hook.remove()
            if (float(logits[second] - logits[first]) - start) / (end - start) > 0.5:
                return text, twin, number
    raise AssertionError("the clue never reaches the gap")


def fresh_readers() -> list[Case]:
    is_token = torch.tensor([[True] * 7, [True] * 3 + [False] * 4])
    is_special = torch.tensor(
        [[True, False, False, True, False, False, True], [True, False, True] + [False] * 4]
    )
    return [Case(is_token, is_special), Case(is_token[:1, :3], is_special[1:, :3])]


def fresh_guesses() -> list[Case]:
    p = torch.tensor([0.5, 0.25, 0.25], dtype=torch.float64)
    sides = normal(2, 4, 3, seed=9).softmax(dim=-1)
    return [Case(p, sides[0], sides[1]), Case(p, sides[0, :1], p[None])]


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
    "glue": Truth("a world in which the formula is exact", glue_by_worlds, fresh_guesses),
    "rollout": Truth(
        "all paths, one by one",
        rollout_by_paths,
        lambda: [
            Case((3 * normal(2, 3, 5, 5, seed=5)).softmax(dim=-1)),
            Case((3 * normal(4, 1, 3, 3, seed=6)).softmax(dim=-1)),
        ],
    ),
    "left_only": Truth("the rules, token by token", left_one_by_one, fresh_readers),
    "swap_vector": Truth("hooks on torch.nn.Sequential", swap_by_hooks, fresh_swaps),
    "own_twins": Truth(
        "hooks on transformers' layers", twins_by_hooks, lambda: [Case("pocket", label="the pocket model")]
    ),
}
