"""The exercises of the capstone: an answer mends a patient, and is told which tensor still differs first.

Any repair is right after which every tensor equals the library's: a part written anew, a wrapper around the
old one, other weights. It is tried on three inputs, the last with a token table that has changed since, so
that a copy of it shows.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor, nn

from bertviz_lite.chapters.chapter_11.first_difference import Comparison, compare
from bertviz_lite.chapters.chapter_11.patients import healthy, patient
from bertviz_lite.chapters.chapter_11.whole_bert import Output, WholeBert
from bertviz_lite.exercises import Case, Exercise

__all__ = ["Treatment", "treatment"]

_TEXTS = {
    "two pairs of texts, one of them padded": ([2, 41, 77, 3, 91, 18, 3], [2, 55, 3, 60, 3], [4, 3]),
    "one text alone": ([2, 99, 120, 405, 7, 3], [], [6, 0]),
}
_GROWN = "the first batch again, after training has changed the token table"


def _batch(label: str) -> dict[str, Tensor]:
    long, short, first = _TEXTS.get(label) or next(iter(_TEXTS.values()))
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
        if label == _GROWN:
            table: Any = whole.get_parameter("bert.embeddings.word_embeddings.weight")
            table.mul_(1.1)
        return whole(**_batch(label))


@lru_cache(maxsize=8)
def _should_be(label: str) -> Output:
    return _run_on(healthy(), label)  # type: ignore[return-value]


@lru_cache(maxsize=32)
def _untreated(number: int, label: str) -> Comparison:
    return compare(_run_on(patient(number), label), _should_be(label))


_WELL = "Every tensor equals the library's."


def _treat(number: int, answer: Callable[[Any], object], label: str) -> object:
    """Let the answer mend a fresh patient; say in one sentence what is still wrong."""
    sick = patient(number)
    given = answer(sick)
    if given is ...:
        return ...
    mended = sick if given is None else given
    if not isinstance(mended, WholeBert):
        return f"It gives a {type(given).__name__}; give back the patient itself."
    before, should = _untreated(number, label), _should_be(label)
    now = compare(_run_on(mended, label), should)
    if len(now.rows) < len(before.rows):
        return f"The patient gives {len(now.rows)} tensors; it should give {len(before.rows)}."
    if given is None and now == before:
        return None  # nothing returned, nothing changed
    return _said(now, before)


def _said(now: Comparison, before: Comparison) -> str:
    if now.first is None:
        return _WELL
    names = [row.name for row in now.rows]
    row = now.rows[names.index(now.first)]
    found = f"{row.name} differs first, most by {row.difference:.4g}"
    if row.shapes[0] != row.shapes[1]:
        found = f"{row.name} is {row.shapes[0]}; it should be {row.shapes[1]}"
    if now == before:
        return f"Nothing has changed: {found}, as before. Is it the right module?"
    if before.first is None or names.index(now.first) < names.index(before.first):
        return f"{found}, which was right before: a healthy part has been hurt."
    if now.first == before.first:
        was = before.rows[names.index(now.first)].difference
        return f"{found}; before the repair it was {was:.4g}."
    return f"{found}; {before.first} is right now, so the repair goes in the right direction."


class Treatment(Exercise):
    """An exercise whose answer mends a patient; what is said of it is the first tensor that still differs."""

    def _what_is_wrong(self, result: object, expected: object) -> str | None:
        if isinstance(result, str):
            return None if result == _WELL else result
        return super()._what_is_wrong(result, expected)

    def _explain(
        self, answer: object, inputs: list[Case], results: list[object], said: str, expected: object
    ) -> str:
        if not isinstance(results[-1], str):
            return super()._explain(answer, inputs, results, said, expected)
        cause = self._known_mistake(answer, inputs, results)
        shown = [cause, f"    {said}"] if cause else [said]
        return "\n".join([*shown, f"    input: {inputs[len(results) - 1].label}"])


def treatment(
    number: int, *, hints: tuple[str, ...], note: str
) -> Callable[[Callable[[Any], Any]], Exercise]:
    """Make a `Treatment` of a patient from its reference solution; parameters are those of `exercise`."""
    labels = (*_TEXTS, _GROWN)
    return lambda reference: Treatment(
        reference,
        hints,
        lambda: [Case(label, label=label) for label in labels],
        lambda answer, label: _treat(number, answer, label),
        note,
        1e-4,
    )
