"""What a fine-tuned model predicts for one example: a label, tags, or an answer in the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from bertviz_lite.data.task_inputs import Encoded, collate
from bertviz_lite.evaluation.task_scores.results import Answer
from bertviz_lite.world.tasks.sets import Labelled, Pair, Question, Tagged

if TYPE_CHECKING:
    from transformers import PreTrainedModel


LONGEST_ANSWER = 8


def class_probabilities(
    model: PreTrainedModel, rows: Sequence[Encoded], pad_id: int, size: int = 64
) -> list[list[NDArray[np.float64]]]:
    """Return each row's probabilities: one array for each output of its head, padding cut off."""
    probabilities: list[Any] = [None] * len(rows)
    order = sorted(range(len(rows)), key=lambda index: len(rows[index].input_ids))
    model.eval()
    with torch.inference_mode():
        for start in range(0, len(order), size):
            chosen = order[start : start + size]
            batch = collate([rows[index] for index in chosen], pad_id)
            inputs = {name: batch[name].to(model.device) for name in list(batch)[:3]}
            outputs = model(**inputs)
            spans = "start_logits" in outputs
            logits = [outputs.start_logits, outputs.end_logits] if spans else [outputs.logits]
            for place, index in enumerate(chosen):
                seq_len = len(rows[index].input_ids)
                parts = [head[place].double() for head in logits]
                parts = [part if part.dim() == 1 and not spans else part[:seq_len] for part in parts]
                probabilities[index] = [part.softmax(-1).cpu().numpy() for part in parts]
    return probabilities


def answer_label(example: Labelled | Pair, output: list[NDArray[np.float64]], names: list[str]) -> Answer:
    """Return the most probable label of a text or a pair."""
    best = int(output[0].argmax())
    return Answer(example, names[best], example.label, names[best] == example.label, float(output[0][best]))


def answer_tags(example: Tagged, row: Encoded, output: list[NDArray[np.float64]], names: list[str]) -> Answer:
    """Return the most probable tag of each word, read off its first token."""
    firsts = {word: place for place, word in reversed(list(enumerate(row.words))) if word is not None}
    inside = [word for word in range(len(example.words)) if word in firsts]  # the others were cut off
    probabilities = output[0][[firsts[word] for word in inside]]
    predicted = ["O"] * len(example.words)
    for word, best in zip(inside, probabilities.argmax(-1), strict=True):
        predicted[word] = names[best]
    tags = tuple(predicted)
    return Answer(example, tags, example.tags, tags == example.tags, float(probabilities.max(-1).min()))


def answer_question(example: Question, row: Encoded, output: list[NDArray[np.float64]]) -> Answer:
    """Return the most probable span of the text, or nothing where [CLS] is more probable."""
    starts, ends = output
    inside = np.array([word is not None for word in row.words])
    joint = np.outer(starts * inside, ends * inside)
    joint = np.triu(joint) - np.triu(joint, LONGEST_ANSWER)
    first, last = np.unravel_index(int(joint.argmax()), joint.shape)
    nothing = float(starts[0] * ends[0])
    predicted = ""
    if joint[first, last] > nothing:
        predicted = example.context[row.offsets[first][0] : row.offsets[last][1]]
    true = example.answer_text
    confidence = float(max(joint[first, last], nothing))
    return Answer(example, predicted, true, predicted.lower() == true.lower(), confidence)
