"""How good is a fine-tuned model? Scores with their intervals, and every wrong answer to look at.

Left out: training (``finetuning``) and the form of the inputs (``task_inputs``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from bertviz_lite.data.task_inputs import Encoded, collate, encode, kind_of
from bertviz_lite.evaluation.intervals import interval
from bertviz_lite.world.tasks.sets import Labelled, Pair, Question, Tagged

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerFast

    from bertviz_lite.world.tasks.sets import Example

LONGEST_ANSWER = 8
_ENDS = {
    Labelled: "SequenceClassification",
    Pair: "SequenceClassification",
    Tagged: "TokenClassification",
    Question: "QuestionAnswering",
}


@dataclass(frozen=True)
class Answer:
    """What a model says to one example.

    Attributes
    ----------
    example
        The example.
    said, true
        A label; the tags of all words; or the words of the answer, empty for "the story does not say".
    right
        Whether they are the same, all of them.
    confidence
        Probability of what it says (of the least certain tag; of first times last piece).
    """

    example: Example
    said: Any
    true: Any
    right: bool
    confidence: float


@dataclass(frozen=True)
class Result:
    """How good a model is on examples it has not learned from.

    Attributes
    ----------
    metric
        What ``value`` is: "accuracy", "F1 of names" or "exact match".
    value, interval
        The score, and the interval that holds it in 95 of 100 cases; ``how`` says how that is found.
    how
        "Wilson" for shares, "bootstrap" (over examples) for F1.
    answers
        One an example, in order.
    parts
        Further numbers by name: the share right of each label or kind, F1 of words for questions.
    """

    metric: str
    value: float
    interval: tuple[float, float]
    how: str
    answers: tuple[Answer, ...] = field(repr=False)
    parts: dict[str, float] = field(default_factory=dict)

    @property
    def errors(self) -> list[Answer]:
        """The wrong answers, the most confident first."""
        wrong = [answer for answer in self.answers if not answer.right]
        return sorted(wrong, key=lambda answer: -answer.confidence)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.metric} {self.value:.3f} ({low:.3f} to {high:.3f}, {len(self.answers)} examples)"


def evaluate(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, examples: Sequence[Example]
) -> Result:
    """Score a fine-tuned model.

    Accuracy for labels, exact match for questions, each with Wilson's interval; F1 of whole names for tags
    (a name counts only with both ends and its kind right), with a bootstrap interval over texts.

    Raises
    ------
    ValueError
        Where the model's head does not fit the examples.
    """
    kind = kind_of(examples)
    if not type(model).__name__.endswith(f"For{_ENDS[kind]}"):
        raise ValueError(
            f"{type(model).__name__} has no head for {kind.__name__} examples: fine_tune() a "
            f"BertFor{_ENDS[kind]} on such examples first"
        )
    names = labels_of(model)
    rows = encode(examples, tokenizer, names)
    outputs = _run(model, rows, tokenizer.pad_token_id)
    asked: Any = examples
    together = zip(asked, rows, outputs, strict=True)
    if kind is Question:
        return _exact_match([_answer_question(*one) for one in together])
    if kind is Tagged:
        return name_f1([_answer_tags(*one, names) for one in together])
    return _accuracy([_answer_label(one, output, names) for one, _, output in together])


def labels_of(model: PreTrainedModel) -> list[str]:
    """Return the labels of a model's head, in the order of its outputs."""
    return list(dict(model.config.id2label or {}).values())


def _run(
    model: PreTrainedModel, rows: Sequence[Encoded], pad_id: int, size: int = 64
) -> list[list[NDArray[np.float64]]]:
    """Return each row's probabilities: one array for each output of its head, padding cut off."""
    found: list[Any] = [None] * len(rows)
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
                parts = [one[place].double() for one in logits]
                parts = [one if one.dim() == 1 and not spans else one[:seq_len] for one in parts]
                found[index] = [part.softmax(-1).cpu().numpy() for part in parts]
    return found


def _answer_label(example: Labelled | Pair, output: list[NDArray[np.float64]], names: list[str]) -> Answer:
    best = int(output[0].argmax())
    return Answer(example, names[best], example.label, names[best] == example.label, float(output[0][best]))


def _answer_tags(
    example: Tagged, row: Encoded, output: list[NDArray[np.float64]], names: list[str]
) -> Answer:
    firsts = {word: place for place, word in reversed(list(enumerate(row.words))) if word is not None}
    inside = [word for word in range(len(example.words)) if word in firsts]  # the others were cut off
    probabilities = output[0][[firsts[word] for word in inside]]
    said = ["O"] * len(example.words)
    for word, best in zip(inside, probabilities.argmax(-1), strict=True):
        said[word] = names[best]
    tags = tuple(said)
    return Answer(example, tags, example.tags, tags == example.tags, float(probabilities.max(-1).min()))


def _answer_question(example: Question, row: Encoded, output: list[NDArray[np.float64]]) -> Answer:
    starts, ends = output
    inside = np.array([word is not None for word in row.words])
    joint = np.outer(starts * inside, ends * inside)
    joint = np.triu(joint) - np.triu(joint, LONGEST_ANSWER)
    first, last = np.unravel_index(int(joint.argmax()), joint.shape)
    nothing = float(starts[0] * ends[0])
    said = ""
    if joint[first, last] > nothing:
        said = example.context[row.offsets[first][0] : row.offsets[last][1]]
    true = example.answer_text
    confidence = float(max(joint[first, last], nothing))
    return Answer(example, said, true, said.lower() == true.lower(), confidence)


def _accuracy(answers: Sequence[Answer]) -> Result:
    hits = [answer.right for answer in answers]
    parts = _shares(answers, lambda answer: answer.true)
    return Result(
        "accuracy", float(np.mean(hits)), interval(sum(hits), len(hits)), "Wilson", tuple(answers), parts
    )


def _exact_match(answers: Sequence[Answer]) -> Result:
    hits = [answer.right for answer in answers]
    parts = _shares(answers, lambda answer: "answered by the story" if answer.true else "not answered")
    parts["F1 of words"] = float(np.mean([word_f1(answer.said, answer.true) for answer in answers]))
    return Result(
        "exact match", float(np.mean(hits)), interval(sum(hits), len(hits)), "Wilson", tuple(answers), parts
    )


def _shares(answers: Sequence[Answer], group: Callable[[Answer], str]) -> dict[str, float]:
    """Return the share right among the answers of each group."""
    hits: dict[str, list[bool]] = {}
    for answer in answers:
        hits.setdefault(group(answer), []).append(answer.right)
    return {name: float(np.mean(hits[name])) for name in sorted(hits)}


def name_f1(answers: Sequence[Answer]) -> Result:
    """Score tags by the names that they mark: F1 over all texts together."""
    counts = _span_counts(answers)
    draws = np.random.default_rng(0).integers(0, len(counts), (2_000, len(counts)))
    low, high = np.quantile(_f1(counts[draws].sum(1)), (0.025, 0.975))
    kinds = ("person", "pet", "place")
    parts = {name: float(_f1(_span_counts(answers, name).sum(0))) for name in kinds}
    pairs = [(said, true) for one in answers for said, true in zip(one.said, one.true, strict=True)]
    parts["accuracy of tags"] = float(np.mean([said == true for said, true in pairs]))
    value = float(_f1(counts.sum(0)))
    return Result("F1 of names", value, (float(low), float(high)), "bootstrap", tuple(answers), parts)


def _span_counts(answers: Sequence[Answer], name: str | None = None) -> NDArray[np.int64]:
    """Count in each text the names found, there, and said to be there; of one kind, or all."""
    rows = []
    for answer in answers:
        true, said = (
            {span for span in spans_of(tags) if name in (None, span[2])}
            for tags in (answer.true, answer.said)
        )
        rows.append((len(true & said), len(true), len(said)))
    return np.array(rows)


def spans_of(tags: Sequence[str]) -> set[tuple[int, int, str]]:
    """Return first word, the one after the last, and kind of all names that some tags mark.

    An I- that goes on with nothing begins a name, as in the scoring script of CoNLL-2003.

    Examples
    --------
    >>> sorted(spans_of(("B-person", "I-person", "O", "B-pet", "I-place")))
    [(0, 2, 'person'), (3, 4, 'pet'), (4, 5, 'place')]
    """
    spans: list[tuple[int, int, str]] = []
    for at, tag in enumerate(tags):
        mark, _, name = tag.partition("-")
        if mark == "I" and spans and spans[-1][1:] == (at, name):
            spans[-1] = (spans[-1][0], at + 1, name)
        elif mark in ("B", "I"):
            spans.append((at, at + 1, name))
    return set(spans)


def _f1(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return 2 · hits / (true + said), for counts of shape (…, 3); 1 where there is nothing to find."""
    hits, true, said = np.moveaxis(counts, -1, 0)
    return np.where(true + said > 0, 2 * hits / np.maximum(true + said, 1), 1.0)


def word_f1(said: str, true: str) -> float:
    """Return the F1 of the words of two answers, as for SQuAD (https://arxiv.org/abs/1606.05250).

    Examples
    --------
    >>> round(word_f1("the bed", "under the bed"), 2), word_f1("", "")
    (0.8, 1.0)
    """
    ours, theirs = said.lower().split(), true.lower().split()
    if not ours or not theirs:
        return float(ours == theirs)
    shared = sum(min(ours.count(word), theirs.count(word)) for word in set(ours))
    return 2 * shared / (len(ours) + len(theirs))
