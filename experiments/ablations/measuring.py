"""Measure a variant: scores, tags, the LM head on the same tokens shown in three ways, pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import BertForPreTraining

from bertviz_lite.data.batches import batches, pad, ready
from bertviz_lite.data.encoded_stories import EncodedStory, encode_stories
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.evaluation.probes import score_tags, word_vectors
from bertviz_lite.evaluation.scores import EVALUATION_SEED, EvaluationSet, score
from bertviz_lite.world import stories
from experiments.ablations.pairs import score_pairs

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.world import Story, Word

BANDS = {"the 100 most frequent": (0, 100), "the next 400": (100, 500), "all others": (500, None)}


@dataclass(frozen=True)
class AblationSet:
    """The stories that all variants are measured on, written and encoded once.

    Attributes
    ----------
    scored
        For the pocket model's own scores.
    fit, test
        Stories that fit the linear probes, and stories that score them.
    ranks
        Shape (vocab_size,): 0 for the most frequent token of the training stories.
    """

    scored: EvaluationSet
    fit: list[EncodedStory]
    test: list[EncodedStory]
    ranks: NDArray[np.int64]

    @classmethod
    def make(cls, tokenizer: PreTrainedTokenizerFast, corpus: Corpus, count: int = 3_000) -> AblationSet:
        """Write the stories."""
        counts = np.bincount(corpus.ids, minlength=len(tokenizer))
        return cls(
            EvaluationSet.make(tokenizer),
            encode_stories(stories(EVALUATION_SEED + 11, count), tokenizer),
            encode_stories(stories(EVALUATION_SEED + 12, count), tokenizer),
            np.argsort(np.argsort(-counts, kind="stable"), kind="stable"),
        )


def measure(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, ablation_set: AblationSet
) -> dict[str, Any]:
    """Measure one model: see ``ablations.json``'s "notes" for what the names mean."""
    scores = score(model, tokenizer, ablation_set.scored)
    senses = scores["senses"].details
    return {
        "scores": {
            name: [result.value, result.n] for name, result in scores.items() if not name.startswith("head")
        },
        "senses by layer": [
            senses.get(f"layer {layer}") for layer in range(model.config.num_hidden_layers + 1)
        ],
        "tags by layer": tags(model, ablation_set),
        "read": read(model, tokenizer, ablation_set),
        "pairs": score_pairs(model, tokenizer, ablation_set.fit, ablation_set.test),
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
    }


def tags(model: BertForPreTraining, ablation_set: AblationSet) -> dict[str, list[float]]:
    """Read two gold tags off the vectors of unmasked words, layer by layer, by a linear probe."""

    def person(word: Word, story: Story) -> str | None:
        same = (other.text for other in story.words if other.entity == word.entity and other.name == "person")
        return next(same, None) if word.pos == "PRON" and word.entity is not None else None

    def part_of_speech(word: Word, _story: Story) -> str | None:
        return word.pos

    fit_words, score_words = (
        word_vectors(model, half[:1_000], lambda word: word.pos != "PUNCT")
        for half in (ablation_set.fit, ablation_set.test)
    )
    return {
        "part of speech": list(score_tags(fit_words, score_words, part_of_speech).by_layer),
        "who is meant": list(score_tags(fit_words, score_words, person).by_layer),
    }


def read(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, ablation_set: AblationSet
) -> dict[str, Any]:
    """Query the LM head about the same tokens three times: masked, unchanged, replaced by a random token.

    Everything around them is visible. For each: the share whose true token is the first choice, and the mean
    of -ln p(true token).
    """
    rng = np.random.default_rng(3)
    ordinary = np.setdiff1d(np.arange(len(tokenizer)), tokenizer.all_special_ids)
    rows, chosen = [story.input_ids for story in ablation_set.test[:1_000]], []
    for row in rows:
        inner = np.flatnonzero(np.isin(row, ordinary))
        chosen.append(rng.permutation(inner)[: max(1, round(0.1 * len(inner)))])
    shown = {
        "masked": [np.full(len(places), tokenizer.mask_token_id) for places in chosen],
        "as it stands": [row[places] for row, places in zip(rows, chosen, strict=True)],
        "replaced": [rng.choice(ordinary, len(places)) for places in chosen],
    }
    answers = np.concatenate([row[places] for row, places in zip(rows, chosen, strict=True)])
    result: dict[str, Any] = {"pieces": len(answers)}
    for name, tokens in shown.items():
        changed = []
        for row, places, ids in zip(rows, chosen, tokens, strict=True):
            changed.append(row.copy())
            changed[-1][places] = ids
        log_probabilities = _log_probabilities(model, changed, chosen)
        right = (log_probabilities.argmax(-1).numpy() == answers).astype(np.float64)
        surprise = -log_probabilities[torch.arange(len(answers)), torch.from_numpy(answers)].mean()
        result[name] = {"right": right.mean(), "-ln p": surprise.item()}
        if name == "masked":
            ranks = ablation_set.ranks[answers]
            for band, (start, stop) in BANDS.items():
                inside = (ranks >= start) & (ranks < (stop or len(tokenizer)))
                result[name][band] = right[inside].mean()
                result[name][f"{band}, pieces"] = int(inside.sum())
    return result


def _log_probabilities(
    model: BertForPreTraining, rows: list[NDArray[np.int64]], chosen: list[NDArray[np.int64]]
) -> Tensor:
    """Return log-probabilities at the chosen places, (places, vocab_size), in the rows' order."""
    by_row: dict[int, Tensor] = {}
    with ready(model):
        for batch in batches([len(row) for row in rows]):
            input_ids, attention_mask = pad([rows[index] for index in batch], model.device)
            states = model.bert(input_ids, attention_mask=attention_mask).last_hidden_state
            for place, index in enumerate(batch):
                logits = model.cls.predictions(states[place, torch.from_numpy(chosen[index])])
                by_row[int(index)] = logits.double().log_softmax(-1).float()
    return torch.cat([by_row[index] for index in range(len(rows))])
