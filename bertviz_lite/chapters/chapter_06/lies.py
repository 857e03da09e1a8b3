"""What a model thinks of the tokens it sees: of true ones, and of others that were put in their place."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor
from transformers import BertForPreTraining, PreTrainedTokenizerBase

__all__ = [
    "Told",
    "belief",
    "border",
    "by_gap",
    "one_at_a_time",
    "quartiles",
    "table",
]


class Told(NamedTuple):
    """A word that stands in a text, true or a lie, and what a model gives to it there and in the gap."""

    truth: float
    """The probability of the true token where that is hidden."""
    gap: float
    """The probability of the word that is told, where the true token is hidden."""
    seen: float
    """The probability of the word that is told, where it stands."""


def belief(p: float, vocab_size: int) -> float:
    """Say how probable it is that a chosen token in sight is the true one, by 80/10/10 and what the gap says.

    Either it was left alone, and the text has it with probability `p`; or it is one random id of
    `vocab_size`. Both happen equally often, so their shares cancel.
    """
    return p / (p + 1 / vocab_size)


def _probabilities(model: BertForPreTraining, **batch: Tensor) -> Tensor:
    with torch.no_grad():
        logits: Tensor = model(**batch).prediction_logits
    return logits.softmax(dim=-1)


def one_at_a_time(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerBase, text: str, lies: Mapping[str, str]
) -> dict[str, Told]:
    """Hide a token of a text, then put a lie in its place, and ask the model each time.

    Parameters
    ----------
    model, tokenizer
        A BERT with an LM head.
    text
        A text without special tokens.
    lies
        From tokens of the text to other ones. Where a token is there twice, the first is meant.

    Returns
    -------
    dict of str to Told
        By lie, in the order of `lies`.
    """
    ids, vocabulary = tokenizer(text, return_tensors="pt")["input_ids"], tokenizer.get_vocab()
    told: dict[str, Told] = {}
    for true, lie in lies.items():
        right, wrong = vocabulary[true], vocabulary[lie]
        place = int((ids[0] == right).nonzero()[0])
        hidden, swapped = ids.clone(), ids.clone()
        hidden[0, place], swapped[0, place] = tokenizer.mask_token_id, wrong
        gap = _probabilities(model, input_ids=hidden)[0, place]
        seen = _probabilities(model, input_ids=swapped)[0, place]
        told[lie] = Told(float(gap[right]), float(gap[wrong]), float(seen[wrong]))
    return told


def table(told: Mapping[str, Told], vocab_size: int) -> str:
    """Write a line for each word: how probable it is in the gap, then what `belief` and the model say."""
    lines = [f"{'':17}{'in the gap':>18}{'perfect reader':>18}{'model':>8}"]
    for word, (_, gap, seen) in told.items():
        share = f"1 in {1 / gap:,.0f}"
        lines.append(f"{word:17}{share:>18}{belief(gap, vocab_size):18.2f}{seen:8.2f}")
    return "\n".join(lines)


def by_gap(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerBase,
    texts: Sequence[str],
    levels: Sequence[float],
    places: int = 2,
) -> dict[float, Tensor]:
    """Put in words that the gap finds about as probable as each level, and ask how far they're believed.

    Parameters
    ----------
    model, tokenizer
        A BERT with an LM head.
    texts
        The texts, each with at least `places` tokens that aren't special.
    levels
        Probabilities in the gap. At each place the word next to a level stands for it, except the true one.
    places
        How many places of a text are asked about, one at a time.

    Returns
    -------
    dict of float to Tensor
        By level, (words, 2): p in the gap and p in sight. A place is left out where the gap gives no word
        between half and twice the level.
    """
    batch = tokenizer(list(texts), padding=True, truncation=True, return_tensors="pt")
    ids, special = batch["input_ids"], torch.tensor(tokenizer.all_special_ids)
    order = torch.rand(ids.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    at = order.masked_fill(torch.isin(ids, special), -1).topk(places, dim=1).indices.flatten()
    text = torch.arange(len(ids)).repeat_interleave(places)
    rows, attention, row = ids[text], batch["attention_mask"][text], torch.arange(len(text))
    hidden = rows.clone()
    hidden[row, at] = tokenizer.mask_token_id
    gap = torch.zeros(len(rows), len(tokenizer), dtype=torch.float64)
    for part, longest in _parts(attention):
        found = _probabilities(
            model, input_ids=hidden[part, :longest], attention_mask=attention[part, :longest]
        )
        gap[part] = found[torch.arange(len(part)), at[part]].double()
    gap[:, special], gap[row, rows[row, at]] = 0, 0  # they're no lies
    result: dict[float, Tensor] = {}
    for level in levels:
        distance, word = (gap.log() - math.log(level)).abs().min(dim=1)
        near = (distance < math.log(2)).nonzero()[:, 0]
        read = rows[near].clone()
        count = torch.arange(len(near))
        read[count, at[near]] = word[near]
        seen = _found(model, read, attention[near], read)[count, at[near]]
        result[level] = torch.stack([gap[near, word[near]], seen], dim=1)
    return result


def border(near: Mapping[float, Tensor]) -> tuple[float, float] | None:
    """Return the two levels of `by_gap` between which the median belief passes one half, the lower first."""
    medians = [
        (level, float(words[:, 1].quantile(0.5))) for level, words in sorted(near.items()) if len(words)
    ]
    for (low, below), (high, above) in pairwise(medians):
        if below <= 0.5 < above:
            return low, high
    return None


def quartiles(near: Mapping[float, Tensor], vocab_size: int) -> str:
    """Write a line for each level of `by_gap`: the words, what a perfect reader believes, and the model."""
    lines = [f"{'in the gap':>15}{'words':>7}{'perfect reader':>16}{'model: median':>15}  middle half"]
    for level, words in near.items():
        if not len(words):
            continue
        low, middle, high = words[:, 1].quantile(torch.tensor([0.25, 0.5, 0.75], dtype=words.dtype)).tolist()
        share, perfect = f"1 in {1 / level:,.0f}", belief(level, vocab_size)
        spread = f"{low:.2f} to {high:.2f}"
        lines.append(f"{share:>15}{len(words):7}{perfect:16.2f}{middle:15.2f}  {spread}")
    return "\n".join(lines)


def _parts(attention: Tensor) -> Iterator[tuple[Tensor, int]]:
    """Yield the numbers of some 32 rows, and their longest length; like lengths together: little padding."""
    order = attention.sum(dim=1).argsort(stable=True)
    for start in range(0, len(order), 32):
        part = order[start : start + 32]
        yield part, int(attention[part].sum(dim=1).max())


def _found(model: BertForPreTraining, reads: Tensor, attention: Tensor, asked: Tensor) -> Tensor:
    """Return at each place of rows the probability of the id that is asked there; padding has 0."""
    result = torch.zeros(reads.shape, dtype=torch.float64)
    for part, longest in _parts(attention):
        batch = {"input_ids": reads[part, :longest], "attention_mask": attention[part, :longest]}
        found = _probabilities(model, **batch).gather(2, asked[part, :longest, None])[..., 0]
        result[part, :longest] = found.double()
    return result
