"""The capstone's exercises: an answer mends a patient, the feedback is the first tensor that still differs.

A repair is right if every tensor then equals the library's: a part written anew, a wrapper around the old
one, other weights. It is tried on three inputs. For the last, the token table has changed since, so that a
copy of it shows.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor, nn

from bertviz_lite.chapters.chapter_12.first_difference import Comparison, compare
from bertviz_lite.chapters.chapter_12.patients import healthy, patient
from bertviz_lite.chapters.chapter_12.whole_bert import Output, WholeBert
from bertviz_lite.exercises import Case, Exercise
from bertviz_lite.exercises.running import Answer

__all__ = ["Treatment", "treatment"]

_INPUTS = {
    "two pairs of texts, one of them padded": ([2, 41, 77, 3, 91, 18, 3], [2, 55, 3, 60, 3], [4, 3]),
    "one text alone": ([2, 99, 120, 405, 7, 3], [], [6, 0]),
}
_AFTER_TRAINING = "the first batch again, after training has changed the token table"


def _batch(label: str) -> dict[str, Tensor]:
    long, short, first = _INPUTS.get(label) or next(iter(_INPUTS.values()))
    rows = [row for row in (long, short) if row]
    ids = torch.zeros(len(rows), len(long), dtype=torch.long)
    seen, segments = torch.zeros_like(ids), torch.zeros_like(ids)
    for number, (row, length) in enumerate(zip(rows, first, strict=False)):
        ids[number, : len(row)] = torch.tensor(row)
        seen[number, : len(row)] = 1
        segments[number, length : len(row)] = 1
    return {"input_ids": ids, "attention_mask": seen, "token_type_ids": segments}


def _run_on(whole: nn.Module, label: str) -> object:
    """Run a model on one of the cases, as a training step would leave it for the last."""
    with torch.no_grad():
        if label == _AFTER_TRAINING:
            table: Any = whole.get_parameter("bert.embeddings.word_embeddings.weight")
            table.mul_(1.1)
        return whole(**_batch(label))


@lru_cache(maxsize=8)
def _healthy_output(label: str) -> Output:
    return _run_on(healthy(), label)  # type: ignore[return-value]


@lru_cache(maxsize=32)
def _untreated(number: int, label: str) -> Comparison:
    return compare(_run_on(patient(number), label), _healthy_output(label))


_HEALED = "Every tensor equals the library's."


def _treat(number: int, answer: Callable[[Any], object], label: str) -> object:
    """Let the answer mend a fresh patient; return in one sentence what is still wrong."""
    sick = patient(number)
    returned = answer(sick)
    if returned is ...:
        return ...
    mended = sick if returned is None else returned
    if not isinstance(mended, WholeBert):
        return f"It returns a {type(returned).__name__}; return the patient itself."
    before, healthy_output = _untreated(number, label), _healthy_output(label)
    now = compare(_run_on(mended, label), healthy_output)
    if len(now.rows) < len(before.rows):
        return f"The patient returns {len(now.rows)} tensors; it should return {len(before.rows)}."
    if returned is None and now == before:
        return None  # nothing returned, nothing changed
    return _feedback(now, before)


def _feedback(now: Comparison, before: Comparison) -> str:
    if now.first is None:
        return _HEALED
    names = [row.name for row in now.rows]
    row = now.rows[names.index(now.first)]
    where = f"{row.name} differs first, most by {row.difference:.4g}"
    if row.shapes[0] != row.shapes[1]:
        where = f"{row.name} is {row.shapes[0]}; it should be {row.shapes[1]}"
    if now == before:
        return f"Nothing has changed: {where}, as before. Is it the right module?"
    if before.first is None or names.index(now.first) < names.index(before.first):
        return f"{where}, which was right before: a healthy part has been hurt."
    if now.first == before.first:
        was = before.rows[names.index(now.first)].difference
        return f"{where}; before the repair it was {was:.4g}."
    return f"{where}; {before.first} is right now, so the repair goes in the right direction."


class Treatment(Exercise):
    """An exercise whose answer changes a model; its result, a sentence, says what came of it."""

    def _what_is_wrong(self, result: object, expected: object) -> str | None:
        if isinstance(result, str):
            return None if result == expected else result
        return super()._what_is_wrong(result, expected)

    def _explain(
        self, answer: Answer, inputs: list[Case], results: list[object], wrong: str, expected: object
    ) -> str:
        if not isinstance(results[-1], str):
            return super()._explain(answer, inputs, results, wrong, expected)
        cause = self._known_mistake(answer, inputs, results)
        shown = [cause, f"    {wrong}"] if cause else [wrong]
        return "\n".join([*shown, f"    input: {inputs[len(results) - 1].label}"])


def treatment(
    number: int, *, hints: tuple[str, ...], note: str
) -> Callable[[Callable[[Any], Any]], Exercise]:
    """Make a `Treatment` of a patient from its reference solution; parameters are those of `exercise`."""
    labels = (*_INPUTS, _AFTER_TRAINING)
    return lambda reference: Treatment(
        reference,
        hints,
        lambda: [Case(label, label=label) for label in labels],
        lambda answer, label: _treat(number, answer, label),
        note,
        1e-4,
    )
