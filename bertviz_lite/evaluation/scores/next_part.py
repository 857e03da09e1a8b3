"""The next-sentence head: does the second part continue the first, or is it of another story."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray

from bertviz_lite.data.batches import batches, pad, ready
from bertviz_lite.data.pretraining.names import name_groups, name_ids
from bertviz_lite.data.pretraining.pairs import Mix, pair_block, parts
from bertviz_lite.evaluation.scores.evaluation_set import EvaluationSet
from bertviz_lite.evaluation.scores.results import NEEDED, Score
from bertviz_lite.world.towns import FIRST

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast


_SCORED = 1_000  # stories that are cut for the score


def score_next_part(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, evaluation_set: EvaluationSet
) -> Score:
    """Score the head on true pairs (label 0) and pairs with another story's second part (label 1).

    Half of the pairs are true. The score is for parts of three sentences or more: a part of one sentence
    often names nobody ("He was glad."), and then nothing says which story it is from. The details have the
    accuracy on such short parts too; for another town than the first, also that on true pairs of which half
    have changed places, and on pairs whose false second part has the names of the first.
    """
    shares = {}
    count = 0
    mixes = {"whole": Mix(0, 0, 0, fewest=3), "anywhere": Mix(0, 0, 0), "short": Mix(0, 1, 0)}
    names = name_ids(tokenizer, evaluation_set.town)
    if evaluation_set.town != FIRST:
        mixes["swapped"] = Mix(0, 0, 0, other=0.0, swapped=0.5)
        mixes["renamed"] = Mix(0, 0, 0, renamed=1.0, names=names)
    groups = name_groups(names)
    corpus = evaluation_set.corpus
    cls, sep = [tokenizer.cls_token_id], [tokenizer.sep_token_id]
    for name, mix in mixes.items():
        most = _SCORED if name == "whole" else evaluation_set.size.part_pairs
        chosen = np.arange(min(len(corpus), most))
        block = pair_block(corpus, chosen, np.random.default_rng(2), mix)
        kept = np.flatnonzero(block.labels >= 0)
        rows, firsts = [], []
        for index in kept.tolist():
            first, second = parts(corpus, block, index, groups)
            rows.append(np.concatenate([cls, first, sep, second, sep]).astype(np.int64))
            firsts.append(len(first) + 2)
        shares[name] = float((predicted_labels(model, rows, firsts) == block.labels[kept]).mean())
        if name == "whole":
            count = len(rows)
    details = {
        title: shares[name]
        for name, title in {
            "anywhere": "cut after any sentence",
            "short": "two to four sentences in all",
            "swapped": "in the right order or not",
            "renamed": "other story with the same names",
        }.items()
        if name in shares
    }
    return Score(shares["whole"], count, NEEDED["next_part"], {"chance": 0.5}, details)


def predicted_labels(
    model: BertForPreTraining, rows: Sequence[NDArray[np.int64]], firsts: Sequence[int]
) -> NDArray[np.int64]:
    """Return the label that the head predicts for each row; `firsts` are the lengths of segment 0."""
    predicted = np.zeros(len(rows), np.int64)
    with ready(model):
        for batch in batches([len(row) for row in rows]):
            input_ids, attention_mask = pad([rows[index] for index in batch], model.device)
            positions = torch.arange(input_ids.shape[1], device=model.device)
            starts = torch.tensor([firsts[index] for index in batch], device=model.device)
            token_type_ids = (positions >= starts[:, None]).long() * attention_mask
            pooled = model.bert(
                input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).pooler_output
            predicted[batch] = model.cls.seq_relationship(pooled).argmax(-1).cpu().numpy()
    return predicted
