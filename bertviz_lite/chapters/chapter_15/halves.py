"""Words of two characters, with one of them hidden or both: what the one gives away of the other."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from bertviz_lite.data.encoded_stories import encode_stories

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from bertviz_lite.world.chinese import Story

__all__ = ["Place", "by_neighbour", "places_of", "ranked", "right"]

_LENGTH, _BATCH = 48, 50
_KINDS = {"NOUN", "VERB", "ADJ", "ADV", "TIME"}


class Place(NamedTuple):
    """A word of two characters in an encoded story: the ids, and the position of its first character."""

    ids: Tensor
    start: int


def places_of(stories: Sequence[Story], tokenizer: PreTrainedTokenizerBase, most: int) -> list[Place]:
    """Return words of two characters, at most two of a story, of stories of at most 48 tokens.

    Nouns, verbs, adjectives, adverbs and words of time; no names.
    """
    places: list[Place] = []
    for encoded in encode_stories(stories, tokenizer, _LENGTH):  # type: ignore[arg-type]
        spans = [
            start for word, start, stop in encoded.words if stop - start == 2 and str(word.pos) in _KINDS
        ]
        middle = len(spans) // 2
        places += [Place(torch.from_numpy(encoded.input_ids), start) for start in spans[middle : middle + 2]]
    return places[:most]


def right(
    tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, places: Sequence[Place], hidden: Iterable[int]
) -> Tensor:
    """Hide characters of each word, and say which of them the model's first choice gives back.

    Parameters
    ----------
    tokenizer, model
        A BERT with a head for masked words.
    places
        Words of two characters.
    hidden
        Which characters are hidden: (0,), (1,) or (0, 1).

    Returns
    -------
    Tensor
        Boolean, shape (len(places), number of hidden characters).
    """
    answers = _answers(tokenizer, model, places, tuple(hidden))
    return torch.cat([logits.argmax(dim=-1) == truth for logits, truth in answers])


def ranked(
    tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, places: Sequence[Place], hidden: Iterable[int]
) -> tuple[Tensor, Tensor]:
    """Hide characters of each word; return the probability of each right character, and its place from 1.

    Parameters
    ----------
    tokenizer, model, places, hidden
        As in `right`.

    Returns
    -------
    tuple of Tensor
        Both of shape (len(places), number of hidden characters); a place of 1 is the first choice.
    """
    chances, ranks = [], []
    for logits, truth in _answers(tokenizer, model, places, tuple(hidden)):
        p = logits.softmax(dim=-1)
        own = p.gather(-1, truth[..., None])
        chances.append(own[..., 0])
        ranks.append((p > own).sum(dim=-1) + 1)
    return torch.cat(chances), torch.cat(ranks)


def _answers(
    tokenizer: PreTrainedTokenizerBase,
    model: PreTrainedModel,
    places: Sequence[Place],
    hidden: tuple[int, ...],
) -> Iterator[tuple[Tensor, Tensor]]:
    """Hide characters of some words at a time; give the model's logits there, and the right ids."""
    for first in range(0, len(places), _BATCH):
        some = places[first : first + _BATCH]
        ids = pad_sequence([place.ids for place in some], batch_first=True)
        rows = torch.arange(len(some))[:, None]
        columns = torch.tensor([[place.start + each for each in hidden] for place in some])
        masked = ids.clone()
        masked[rows, columns] = int(tokenizer.mask_token_id)
        mask = (ids != tokenizer.pad_token_id).long()
        with torch.no_grad():
            logits = model(input_ids=masked, attention_mask=mask).prediction_logits
        yield logits[rows, columns], ids[rows, columns]


def by_neighbour(texts: Iterable[str], tokenizer: PreTrainedTokenizerBase, places: Sequence[Place]) -> Tensor:
    """Guess the second character from the first alone: what follows it most often in some texts.

    Returns
    -------
    Tensor
        Boolean, shape (len(places),): whether this guess is right.
    """
    after: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for text in texts:
        ids: list[int] = tokenizer(text, truncation=False, verbose=False)["input_ids"]
        for one, other in pairwise(ids):
            after[one][other] += 1
    words = [place.ids[place.start : place.start + 2].tolist() for place in places]
    guesses = [after[one].most_common(1)[0][0] if after[one] else None for one, _ in words]
    return torch.tensor([guess == other for guess, (_, other) in zip(guesses, words, strict=True)])
