"""Exercises whose answer is a batch, a test: the feedback is which of the patients pass it.

A patient passes where every tensor that it makes equals the healthy model's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from bertviz_lite.chapters.chapter_12.first_difference import compare
from bertviz_lite.chapters.chapter_12.patients import NUMBERS, healthy, patient
from bertviz_lite.chapters.chapter_12.whole_bert import WholeBert
from bertviz_lite.exercises import Exercise

__all__ = ["SmallTest", "small_test"]

_NAMES = "input_ids", "attention_mask", "token_type_ids"
_MOST = 1_000  # ids, so that a slip of the pen does not take minutes

Batch = Mapping[str, object]


class SmallTest(Exercise):
    """An exercise whose answer is a batch on which just some of the seven patients pass.

    Attributes
    ----------
    passing : tuple of int
        The patients that are to pass.
    most : int
        How many ids the batch may have.
    """

    passing: tuple[int, ...] = ()
    most: int = _MOST

    def _judge_value(self, answer: object) -> tuple[bool | None, str]:
        if not isinstance(answer, Mapping):
            return False, f". It should be a dictionary with the keys {', '.join(map(repr, _NAMES))}."
        if any(value is ... or value is None for value in answer.values()):
            return self._unanswered()
        try:
            batch = _tensors(answer)
        except ValueError as error:
            return False, f". {error}"
        passing, size = _passing(batch), batch["input_ids"].numel()
        if passing == self.passing and size <= self.most:
            return True, f". {self.note}"
        if passing == self.passing:
            return (
                False,
                f". {_listed(passing)} on it, as it should be; but it has {size} ids: fewer will do.",
            )
        for mistake in self.mistakes:
            wrong: Any = mistake.wrong
            if _passing(_tensors(wrong)) == passing:
                return False, f". {mistake.feedback}"
        return False, f". {_listed(passing)} on it: every tensor equals the healthy model's."


def small_test(
    *, passing: tuple[int, ...], most: int, hints: tuple[str, ...], note: str
) -> Callable[[Callable[[], Batch]], SmallTest]:
    """Make a `SmallTest` from a function without parameters that gives one right batch."""

    def make(reference: Callable[[], Batch]) -> SmallTest:
        made = SmallTest(reference, hints, None, lambda answer: answer, note, 0.0)
        made.passing, made.most = passing, most
        return made

    return make


def _listed(numbers: tuple[int, ...]) -> str:
    if not numbers:
        return "No patient passes"
    *others, last = map(str, numbers)
    return f"Patients {', '.join(others)} and {last} pass" if others else f"Patient {last} passes"


def _tensors(answer: Batch) -> dict[str, Tensor]:
    """Make tensors of a reader's lists.

    Raises
    ------
    ValueError
        One line, where they are no batch of the pocket model.
    """
    if set(answer) != set(_NAMES):
        raise ValueError(f"The keys should be {', '.join(_NAMES)}.")
    batch, limits = {}, dict(zip(_NAMES, (_sizes()[0], 2, 2), strict=True))
    for name in _NAMES:
        try:
            numbers = torch.as_tensor(answer[name])
        except (TypeError, ValueError, RuntimeError):
            raise ValueError(
                f"{name} should be a list of rows of equal length, such as [[2, 41, 3]]."
            ) from None
        if numbers.ndim != 2 or not numbers.numel() or numbers.is_floating_point():
            raise ValueError(f"{name} should be a list of rows of whole numbers, such as [[2, 41, 3]].")
        if not 0 <= int(numbers.min()) <= int(numbers.max()) < limits[name]:
            raise ValueError(f"The numbers of {name} go from 0 to {limits[name] - 1}.")
        batch[name] = numbers.long()
    shapes = {tuple(numbers.shape) for numbers in batch.values()}
    if len(shapes) > 1:
        raise ValueError("The three should have one shape: a number for each token.")
    rows, columns = shapes.pop()
    if rows * columns > _MOST or columns > _sizes()[1]:
        raise ValueError(f"A batch of shape ({rows}, {columns}) is more than this exercise tries.")
    return batch


def _sizes() -> tuple[int, int]:
    """Return how many ids and how many positions the pocket model knows."""
    config = _ward()[0].config
    return config.vocab_size, config.max_position_embeddings


@lru_cache(maxsize=1)
def _ward() -> tuple[WholeBert, dict[int, WholeBert]]:
    """Make the healthy model and the patients once: making them takes longer than running them."""
    return healthy(), {number: patient(number) for number in NUMBERS}


def _passing(batch: dict[str, Tensor]) -> tuple[int, ...]:
    """Say which patients make no tensor that differs from the healthy model's."""
    well, patients = _ward()
    with torch.no_grad():
        right = well(**batch)
        return tuple(number for number in NUMBERS if compare(patients[number](**batch), right).first is None)
