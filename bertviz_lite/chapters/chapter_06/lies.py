"""What a model thinks of the tokens it sees: of true ones, and of others that were put in their place."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from transformers import BertForPreTraining, PreTrainedTokenizerBase

__all__ = ["Doubts", "at_random", "one_at_a_time"]


class Doubts(NamedTuple):
    """The probabilities that a model gives to what it reads, at the same time, in one set of texts."""

    true: Tensor
    """Of the tokens that are as they were."""
    random: Tensor
    """Of the random tokens in the place of others."""


def _probabilities(model: BertForPreTraining, **batch: Tensor) -> Tensor:
    with torch.no_grad():
        logits: Tensor = model(**batch).prediction_logits
    return logits.softmax(dim=-1)


def one_at_a_time(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerBase, text: str, lies: Mapping[str, str]
) -> list[list[float]]:
    """Hide a token of a text, put a lie in its place, leave it as it is, and ask the model each time.

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
    list of list of float
        Three rows, a number for each of `lies`: the probability of the true token where it is hidden, of
        the lie where that stands, and of the true token in plain sight.
    """
    ids, vocabulary = tokenizer(text, return_tensors="pt")["input_ids"], tokenizer.get_vocab()
    rows: list[list[float]] = [[], [], []]
    for true, lie in lies.items():
        right, wrong = vocabulary[true], vocabulary[lie]
        place = int((ids[0] == right).nonzero()[0])
        for row, (read, asked) in enumerate(
            ((tokenizer.mask_token_id, right), (wrong, wrong), (right, right))
        ):
            changed = ids.clone()
            changed[0, place] = read
            rows[row].append(float(_probabilities(model, input_ids=changed)[0, place, asked]))
    return rows


def at_random(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], rate: float = 0.05
) -> Doubts:
    """Replace some tokens of texts by random ones, the same each time, and ask the model about all.

    Parameters
    ----------
    model, tokenizer
        A BERT with an LM head.
    texts
        The texts.
    rate
        The probability with which a token is replaced.

    Returns
    -------
    Doubts
        Special tokens are not among them, nor tokens that were replaced by themselves.
    """
    batch = tokenizer(list(texts), padding=True, truncation=True, return_tensors="pt")
    ids, special = batch["input_ids"], torch.tensor(tokenizer.all_special_ids)
    generator = torch.Generator().manual_seed(0)
    drawn = torch.randint(len(tokenizer), ids.shape, generator=generator)
    chosen = torch.rand(ids.shape, generator=generator) < rate
    ordinary = ~torch.isin(ids, special)
    replaced = chosen & ordinary & ~torch.isin(drawn, special) & (drawn != ids)
    read = torch.where(replaced, drawn, ids)
    found = _probabilities(model, input_ids=read, attention_mask=batch["attention_mask"])
    of_read = found.gather(2, read[..., None])[..., 0]
    return Doubts(of_read[ordinary & ~chosen], of_read[replaced])
