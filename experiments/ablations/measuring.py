"""Measure a variant: scores, tags, the LM head on the same tokens shown in three ways, pairs, tasks."""

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
from bertviz_lite.evaluation.probes import score_tags, word_vectors
from bertviz_lite.evaluation.scores import EVALUATION_SEED, EvaluationSet, Scores, Size
from bertviz_lite.evaluation.scores.masked_words import score_determined, score_masked_words
from bertviz_lite.evaluation.scores.minimal_pairs import score_minimal_pairs
from bertviz_lite.evaluation.scores.next_part import score_next_part
from bertviz_lite.evaluation.scores.own_words import read_exam
from bertviz_lite.evaluation.scores.own_words.answers import choose_words, judge_pairs
from bertviz_lite.evaluation.scores.probed import probed_senses
from bertviz_lite.world.towns import stories_of
from experiments.ablations.second_head.scoring import score_pairs
from experiments.ablations.tasks import Task, score_as_they_are
from experiments.ablations.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from transformers import PreTrainedTokenizerFast

    from bertviz_lite.evaluation.scores.own_words import Exam
    from bertviz_lite.world import Story, Word
    from experiments.ablations.second_head.scoring import PairKinds

BANDS = {"the 100 most frequent": (0, 100), "the next 400": (100, 500), "all others": (500, None)}


@dataclass(frozen=True)
class Measures:
    """What is measured, and on how much.

    Attributes
    ----------
    size
        Stories, words and pairs of the pocket model's own scores.
    stories
        Stories that fit the linear probes on pairs, and as many that score them.
    read, tagged
        How many of these the LM head reads; how many are probed for tags.
    pairs
        Kinds of false pairs.
    tasks
        What each model is fine-tuned for, by name.
    exam
        Folder of people's own exam; only its half "look" is ever scored.
    """

    size: Size
    stories: int
    read: int
    tagged: int
    pairs: PairKinds
    tasks: Mapping[str, Task]
    exam: Path | None = None


@dataclass(frozen=True)
class AblationSet:
    """The stories that all variants with one vocabulary are measured on, written and encoded once.

    Attributes
    ----------
    measures
        What is measured on them.
    scored
        For the pocket model's own scores.
    fit, test
        Stories that fit the linear probes, and stories that score them.
    ranks
        Shape (vocab_size,): 0 for the most frequent token of the training stories.
    exam
        The half of people's own exam that may be looked at.
    """

    measures: Measures
    scored: EvaluationSet
    fit: list[EncodedStory]
    test: list[EncodedStory]
    ranks: NDArray[np.int64]
    exam: Exam | None = None

    @classmethod
    def make(cls, texts: Texts, measures: Measures, town: str) -> AblationSet:
        """Write the stories."""
        tokenizer = texts.tokenizer
        counts = np.bincount(texts.corpus.ids, minlength=len(tokenizer))
        fit, test = (
            encode_stories(stories_of(town, EVALUATION_SEED + seed, measures.stories), tokenizer)
            for seed in (11, 12)
        )
        return cls(
            measures,
            EvaluationSet.make(tokenizer, measures.size, town=town),
            fit,
            test,
            np.argsort(np.argsort(-counts, kind="stable"), kind="stable"),
            None if measures.exam is None else read_exam(measures.exam, "look"),
        )


def measure(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, ablation_set: AblationSet, seed: int = 0
) -> dict[str, Any]:
    """Measure one model: see "notes" in the recorded file for what the names mean.

    ``seed`` is for the training examples of the tasks.
    """
    scores = _scores(model, tokenizer, ablation_set.scored)
    senses = scores["senses"].details
    measures = ablation_set.measures
    result = {
        "scores": {name: [result.value, result.n] for name, result in scores.items()},
        "senses by layer": [
            senses.get(f"layer {layer}") for layer in range(model.config.num_hidden_layers + 1)
        ],
        "tags by layer": tags(model, ablation_set),
        "read": read(model, tokenizer, ablation_set),
        "pairs": score_pairs(model, tokenizer, ablation_set.fit, ablation_set.test, measures.pairs),
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "next part by kind": scores["next_part"].details,
        "minimal pairs by kind": scores["minimal_pairs"].details,
    }
    if ablation_set.exam is not None:
        result["own words"] = own_words(model, tokenizer, ablation_set.exam)
    if measures.tasks:
        tasks = {name: task.score(model, tokenizer, seed) for name, task in measures.tasks.items()}
        result["tasks"] = tasks | {"names, vectors as they are": score_as_they_are(model, tokenizer, seed)}
    return result


def _scores(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, evaluation_set: EvaluationSet
) -> Scores:
    """Return the pocket model's own scores, but for those of single heads."""
    mask_id = tokenizer.mask_token_id
    return Scores(
        score_determined(model, evaluation_set, mask_id)
        | {
            "masked_words": score_masked_words(model, evaluation_set, mask_id),
            "next_part": score_next_part(model, tokenizer, evaluation_set),
            "minimal_pairs": score_minimal_pairs(model, tokenizer, evaluation_set.pairs),
            "senses": probed_senses(model, evaluation_set),
        }
    )


def own_words(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, exam: Exam
) -> dict[str, dict[str, list[int]]]:
    """Return right answers and items of people's own exam, by kind, first all together."""
    choices, pairs = choose_words(model, tokenizer, exam.choices), judge_pairs(model, tokenizer, exam.pairs)
    return {
        "choices": _by_kind([choice.kind for choice in exam.choices], choices),
        "pairs": _by_kind([pair.kind for pair in exam.pairs], pairs),
    }


def _by_kind(kinds: Sequence[str], right: Sequence[bool]) -> dict[str, list[int]]:
    counts = {"all": [sum(right), len(right)]}
    for kind in sorted(set(kinds)):
        of_kind = [answer for answer, of in zip(right, kinds, strict=True) if of == kind]
        counts[kind] = [sum(of_kind), len(of_kind)]
    return counts


def tags(model: BertForPreTraining, ablation_set: AblationSet) -> dict[str, list[float]]:
    """Read two gold tags off the vectors of unmasked words, layer by layer, by a linear probe."""

    def person(word: Word, story: Story) -> str | None:
        same = (other.text for other in story.words if other.entity == word.entity and other.name == "person")
        return next(same, None) if word.pos == "PRON" and word.entity is not None else None

    def part_of_speech(word: Word, _story: Story) -> str | None:
        return word.pos

    fit_words, score_words = (
        word_vectors(model, half[: ablation_set.measures.tagged], lambda word: word.pos != "PUNCT")
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
    rows, chosen = [story.input_ids for story in ablation_set.test[: ablation_set.measures.read]], []
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
