"""One inner number of one FFN: how large it is at each token of some texts, and at an "it"."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from transformers import BertForPreTraining, PreTrainedTokenizerBase

__all__ = [
    "ANIMALS", "OTHERS", "THINGS", "Heard", "at_it", "hear", "loudest_and_any", "margins", "moved",
    "silenced",
]  # fmt: skip

ANIMALS = (
    "cat", "dog", "hen", "donkey", "rabbit", "frog", "spider", "wolf",
    "goat", "kitten", "bird", "sheep", "fox", "stork", "cow", "mole",
)  # fmt: skip
THINGS = (
    "lamp", "cake", "letter", "boat", "drum", "basket", "ladder", "key",
    "umbrella", "hat", "bell", "table", "clock", "stone", "book", "kite",
)  # fmt: skip
"""Sixteen of each, every one a single token of the pocket model."""

OTHERS = {
    "animals": (
        "mouse", "horse", "pig", "duck", "goose", "bear", "owl", "crow",
        "hare", "hedgehog", "pony", "calf", "swan", "lion", "squirrel", "badger",
    ),
    "things": (
        "cup", "chair", "door", "bag", "cart", "pot", "spoon", "coat",
        "candle", "ball", "broom", "mirror", "bucket", "ring", "box", "pillow",
    ),
}  # fmt: skip
"""Sixteen more of each, by which no number was chosen."""

_BATCH = 25
_BEFORE, _AFTER = 4, 2


@dataclass(frozen=True)
class Heard:
    """An inner number at every token of some texts, special tokens not counted."""

    values: npt.NDArray[np.float64]
    """Shape (tokens,), as it leaves the linear map up."""
    tokens: tuple[str, ...]
    places: tuple[str, ...]
    """Each token in brackets, with a few others around it."""


def hear(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerBase,
    texts: Sequence[str],
    layer: int,
    number: int,
) -> Heard:
    """Return what one inner number of a layer is at each token of some texts."""
    values: list[float] = []
    tokens: list[str] = []
    places: list[str] = []
    for start in range(0, len(texts), _BATCH):
        batch = tokenizer(list(texts[start : start + _BATCH]), padding=True, return_tensors="pt")
        inner = _inner(model, batch, layer)[..., number]
        rows = zip(batch["input_ids"], batch["attention_mask"].sum(dim=1).tolist(), inner, strict=True)
        for input_ids, length, row in rows:
            words = tokenizer.convert_ids_to_tokens(input_ids[1 : length - 1].tolist())
            values += row[1 : length - 1].tolist()
            tokens += words
            places += [_around(words, at) for at in range(len(words))]
    return Heard(np.array(values), tuple(tokens), tuple(places))


def loudest_and_any(heard: Heard, n: int) -> str:
    """Return two lists side by side: where the number is largest, each token once, and places by chance."""
    order = np.argsort(-heard.values, kind="stable")
    first = {heard.tokens[index]: index for index in order[::-1]}  # the last one stays: the largest
    loudest = sorted(first.values(), key=lambda index: -heard.values[index])[:n]
    drawn = np.random.default_rng(0).choice(len(heard.values), size=n, replace=False)
    lists = [
        [f"{heard.values[index]:+.1f}  {heard.places[index]}" for index in chosen]
        for chosen in (loudest, drawn)
    ]
    lines = [("largest, each word once", "by chance"), *zip(*lists, strict=True)]
    width = max(len(left) for left, _ in lines) + 3
    return "\n".join(f"{left:{width}}{right}" for left, right in lines)


def at_it(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerBase,
    sentence: str,
    nouns: Sequence[str],
    layer: int,
    number: int,
) -> npt.NDArray[np.float64]:
    """Return the inner number at the only "it" of a sentence, once for each noun in the place of {}."""
    inner = _at(model, tokenizer, [sentence.format(noun) for noun in nouns], "it", layer)
    found: npt.NDArray[np.float64] = inner[:, number].double().numpy()
    return found


def margins(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerBase, sentence: str, layer: int
) -> torch.Tensor:
    """Return by how much every inner number of a layer parts animals from things at the only "it".

    It is the least value at an animal in the place of {}, less the largest at a thing: above 0 they are
    parted. The shape is (intermediate_size,).
    """
    animals, things = (
        _at(model, tokenizer, [sentence.format(noun) for noun in nouns], "it", layer)
        for nouns in (ANIMALS, THINGS)
    )
    return animals.amin(dim=0) - things.amax(dim=0)


def silenced(model: BertForPreTraining, layer: int, number: int) -> BertForPreTraining:
    """Return a copy of a model in which one inner number of one FFN adds nothing, at any token."""
    copy = deepcopy(model)
    block: Any = copy.bert.encoder.layer[layer]
    with torch.no_grad():
        block.output.dense.weight[:, number].zero_()
    return copy


def moved(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerBase,
    sentence: str,
    nouns: Sequence[str],
    layer: int,
    numbers: Sequence[int],
    at: str = "",
) -> torch.Tensor:
    """Return what share of the probability moves to other tokens if an inner number is silenced.

    It is asked at the only [MASK] of a sentence, with each noun in the place of {}, and averaged over the
    nouns. The shape is (numbers,): each is silenced on its own; at every token, or only `at` one: "noun",
    "it" or "[MASK]".
    """
    batch = tokenizer([sentence.format(noun) for noun in nouns], padding=True, return_tensors="pt")
    input_ids = batch["input_ids"]
    gaps = input_ids == tokenizer.mask_token_id
    token = list(nouns) if at == "noun" else at
    places = torch.ones_like(gaps)
    if at:
        wanted = torch.tensor(tokenizer.convert_tokens_to_ids(token)).reshape(-1, 1)
        places = input_ids == wanted  # a row for each noun, or the same token in all
    block: Any = model.bert.encoder.layer[layer]
    down = block.output.dense
    shares = []
    with torch.no_grad():
        before = model(**batch).prediction_logits[gaps].softmax(dim=-1)
        for number in numbers:
            with down.register_forward_hook(partial(_silence, number=number, places=places)):
                after = model(**batch).prediction_logits[gaps].softmax(dim=-1)
            shares.append((after - before).abs().sum(dim=-1).mean() / 2)
    return torch.stack(shares)


def _at(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerBase,
    texts: Sequence[str],
    token: str,
    layer: int,
) -> torch.Tensor:
    """Return all inner numbers at the only such token of each text, (texts, intermediate_size)."""
    batch = tokenizer(list(texts), padding=True, return_tensors="pt")
    return _inner(model, batch, layer)[batch["input_ids"] == tokenizer.convert_tokens_to_ids(token)]


def _inner(model: BertForPreTraining, batch: dict[str, torch.Tensor], layer: int) -> torch.Tensor:
    """Return all inner numbers of a layer, before the activation: (batch, seq_len, intermediate_size)."""
    kept: list[torch.Tensor] = []
    block: Any = model.bert.encoder.layer[layer]
    up = block.intermediate.dense
    with torch.no_grad(), up.register_forward_hook(lambda *call: kept.append(call[-1])):
        model.bert(**batch)
    return kept[0]


def _silence(
    down: torch.nn.Linear, given: tuple[torch.Tensor], fed: torch.Tensor, *, number: int, places: torch.Tensor
) -> torch.Tensor:
    """Return what a linear map gives without one of its inputs, at some places."""
    taken: torch.Tensor = (given[0][..., number] * places)[..., None] * down.weight[:, number]
    return fed - taken


def _around(words: Sequence[str], at: int) -> str:
    before, after = words[max(0, at - _BEFORE) : at], words[at + 1 : at + 1 + _AFTER]
    return " ".join([*before, f"[{words[at]}]", *after])
