"""Writing with a BERT: a gap filled at once or word by word, and how much of it the town would say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from bertviz_lite.world import stories

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerBase

__all__ = ["Opening", "asked", "fill_gap", "known_from", "known_runs", "runs_of_three", "write"]

ASKED_SEED, KNOWN_SEED = 900_000_091, 900_000_092

Run = tuple[int, int, int]


def fill_gap(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerBase, start: str, count: int, *, at_once: bool
) -> list[int]:
    """Fill `count` masks between a beginning and a full stop with the likeliest words.

    Parameters
    ----------
    model, tokenizer
        A BERT with an LM head.
    start
        The beginning of the text.
    count
        How many tokens are missing before the full stop.
    at_once
        True: all masks are answered in one pass; False: the first one, which is then read with the rest of
        the text when the next is answered, and so on.

    Returns
    -------
    list of int
        The ids that were written, with the full stop.
    """
    text = f"{start} {' '.join([tokenizer.mask_token] * count)}."
    input_ids = tokenizer(text, return_tensors="pt")["input_ids"]
    places = (input_ids[0] == tokenizer.mask_token_id).nonzero().flatten()
    with torch.no_grad():
        for part in [places] if at_once else places.split(1):
            input_ids[0, part] = model(input_ids).prediction_logits[0, part].argmax(dim=-1)
    written: list[int] = input_ids[0, places[0] : -1].tolist()
    return written


def write(model: torch.nn.Module, input_ids: Tensor, end: int, most: int) -> list[int]:
    """Let a model that reads from left to right say the next word, again and again, up to the id `end`.

    `input_ids`, (1, seq_len), is the beginning; `most` tokens are written at most.
    """
    written: list[int] = []
    with torch.no_grad():
        while len(written) < most and end not in written:
            following = torch.tensor([written], dtype=torch.long)
            logits = model(torch.cat([input_ids, following], dim=1)).logits[0, -1]
            written.append(int(logits.argmax()))
    return written


def runs_of_three(ids: Sequence[int]) -> list[Run]:
    """Return every three neighbouring ids."""
    return list(zip(ids, ids[1:], ids[2:], strict=False))


def known_runs(sentences: Iterable[Sequence[int]], known: set[Run]) -> tuple[int, int]:
    """Count the runs of three ids that are among the known ones, and all runs."""
    found = [run in known for sentence in sentences for run in runs_of_three(sentence)]
    return sum(found), len(found)


@dataclass(frozen=True)
class Opening:
    """The first sentence of a text, and the ids of the second, which is to be written."""

    start: str
    second: tuple[int, ...]


def asked(tokenizer: PreTrainedTokenizerBase, count: int) -> list[Opening]:
    """Take `count` unread texts of the town whose second sentence ends in a full stop, and has no other."""
    stop = tokenizer.convert_tokens_to_ids(".")
    found = []
    for story in stories(ASKED_SEED, 4 * count):
        if len(story.sentences) < 2:
            continue
        first, second = map(str, story.sentences[:2])
        ids = tokenizer(second, add_special_tokens=False)["input_ids"]
        if ids[-1] == stop and ids.count(stop) == 1:
            found.append(Opening(first, tuple(ids)))
    return found[:count]


def known_from(tokenizer: PreTrainedTokenizerBase, count: int) -> set[Run]:
    """Collect the runs of three tokens that `count` other texts of the town hold."""
    return {
        run
        for story in stories(KNOWN_SEED, count)
        for run in runs_of_three(tokenizer(str(story), add_special_tokens=False, verbose=False)["input_ids"])
    }
