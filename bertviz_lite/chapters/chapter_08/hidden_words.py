"""Hidden words of unread texts, and the vectors that a BERT makes under their masks, layer by layer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from bertviz_lite.data.cloze import Cloze
from bertviz_lite.data.encoded_stories import EncodedStory, encode_stories
from bertviz_lite.data.pretraining.shards import SHARD_STORIES
from bertviz_lite.evaluation.lens import vectors_at
from bertviz_lite.evaluation.probes import linear_probe
from bertviz_lite.world import DETERMINED, stories

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from transformers import BertForPreTraining, PreTrainedTokenizerFast

__all__ = [
    "Hidden",
    "by_kind",
    "commonest",
    "lens_and_probe",
    "shifted_lens",
    "some_tokens",
]

TRAINING_SEEDS = 0, 1
"""Of the first two files of stories that the pocket model learned from, see ``data.pretraining.shards``."""


@dataclass(frozen=True)
class Hidden:
    """Hidden tokens, and what stands under their masks.

    Attributes
    ----------
    vectors
        Shape (layers + 1, n, hidden_size): row 0 from the embeddings, then after each layer.
    answers
        int64, shape (n,): the ids that were there.
    """

    vectors: Tensor
    answers: Tensor


def _hidden(model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, clozes: Sequence[Cloze]) -> Hidden:
    answers = np.concatenate([cloze.input_ids[cloze.positions] for cloze in clozes])
    return Hidden(vectors_at(model, clozes, tokenizer.mask_token_id), torch.from_numpy(answers))


def some_tokens(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, encoded: Sequence[EncodedStory]
) -> Hidden:
    """Hide 15 % of the tokens of each text, drawn by chance."""
    rng = np.random.default_rng(0)
    chosen = [1 + np.flatnonzero(rng.random(len(story.input_ids) - 2) < 0.15) for story in encoded]
    pairs = zip(encoded, chosen, strict=True)
    return _hidden(model, tokenizer, [Cloze(story.input_ids, at) for story, at in pairs if len(at)])


def by_kind(
    model: BertForPreTraining,
    tokenizer: PreTrainedTokenizerFast,
    seed: int,
    count: int,
    kinds: Sequence[str] = DETERMINED,
    *,
    texts: int = 6_000,
) -> dict[str, Hidden]:
    """Hide words that their text leaves no choice about, one at a time, each a token of its own.

    Parameters
    ----------
    model, tokenizer
        A BERT with an LM head.
    seed
        Of the texts that they come from.
    count
        How many of each kind, at most.
    kinds
        "agreement", "pronoun", "mention", "consequence": why there is no choice.
    texts
        How many texts they come from; consequences are rare, one in about ninety.
    """
    encoded = encode_stories(stories(seed, texts), tokenizer)
    found = {}
    for kind in kinds:
        words = _determined(encoded, kind)
        drawn = sorted(np.random.default_rng(0).permutation(len(words))[:count])
        found[kind] = _hidden(model, tokenizer, [Cloze.word(*words[number]) for number in drawn])
    return found


def commonest(
    tokenizer: PreTrainedTokenizerFast, kinds: Iterable[str] = DETERMINED, *, texts: int = SHARD_STORIES
) -> dict[str, int]:
    """Return each kind's most frequent word, an id, in training stories, `texts` of each seed."""
    read = [story for seed in TRAINING_SEEDS for story in stories(seed, texts)]
    encoded = encode_stories(read, tokenizer)
    found = {}
    for kind in kinds:
        counts = Counter(int(input_ids[start]) for input_ids, start, _ in _determined(encoded, kind))
        found[kind] = max(sorted(counts), key=counts.__getitem__)
    return found


def _determined(encoded: Sequence[EncodedStory], kind: str) -> list[tuple[NDArray[np.int64], int, int]]:
    """List the words of a kind that are one token each: the ids of their text, and where they stand."""
    return [
        (story.input_ids, start, stop)
        for story in encoded
        for word, start, stop in story.words
        if word.determined == kind and stop - start == 1
    ]


def lens_and_probe(model: BertForPreTraining, hidden: Hidden, words: Tensor) -> tuple[dict[str, Tensor], int]:
    """Let the LM head and a probe choose among the same words, on the same places: shares right by height.

    The probe learns from the first half of the places at which one of `words` (ids) was hidden; all are
    scored on the second. Returns a curve of shares, (layers + 1,), for the lens with all words of the
    vocabulary, the lens and the probe with `words` only, and habit, which says the most frequent word of the
    first half; and how many places were scored.
    """
    those = torch.isin(hidden.answers, words)
    vectors, answers = hidden.vectors[:, those], hidden.answers[those]
    half = len(answers) // 2
    old, new = vectors[:, :half], vectors[:, half:]
    learned, truth = answers[:half], answers[half:]
    with torch.no_grad():
        logits = model.cls.predictions(new)  # (layers + 1, places, vocab_size)
    pairs = zip(old.numpy(), new.numpy(), strict=True)
    probed = [linear_probe(seen, learned.numpy(), unseen).tolist() for seen, unseen in pairs]
    said = {
        "lens, all words": logits.argmax(dim=-1),
        "lens, these words": words[logits[..., words].argmax(dim=-1)],
        "probe, these words": torch.tensor(probed),
        "always the most frequent": learned.mode().values.expand(len(vectors), len(truth)),
    }
    return {who: (guess == truth).double().mean(dim=1) for who, guess in said.items()}, len(truth)


def shifted_lens(model: BertForPreTraining, hidden: Hidden, words: Tensor) -> Tensor:
    """Let the LM head choose among some words, and add a number for each word that is fitted at each height.

    The numbers are fitted as `lens_and_probe` fits its probe, on the first half of the places; returns the
    shares right on the second, (layers + 1,).
    """
    those = torch.isin(hidden.answers, words)
    truth = (hidden.answers[those][:, None] == words).double().argmax(dim=-1)
    half = len(truth) // 2
    with torch.no_grad():
        heights = model.cls.predictions(hidden.vectors[:, those])[..., words]
    shares = []
    for logits in heights:
        shift = torch.zeros(len(words), dtype=logits.dtype, requires_grad=True)
        optimizer = torch.optim.LBFGS([shift], max_iter=200)

        def loss(logits: Tensor = logits, shift: Tensor = shift) -> Tensor:
            shift.grad = None
            wrong = cross_entropy(logits[:half] + shift, truth[:half]) + 1e-3 * shift.pow(2).sum()
            wrong.backward()
            return wrong

        with torch.enable_grad():
            optimizer.step(loss)
        said = (logits + shift.detach())[half:].argmax(dim=-1)
        shares.append((said == truth[half:]).double().mean())
    return torch.stack(shares)
