"""Exercises of chapter 08, the LM head: what a tied model takes on disk."""

from collections.abc import Iterable, Iterator
from typing import cast

import torch
from torch import Tensor

from bertviz_lite.chapters.chapter_08.exercises.small_models import small_model
from bertviz_lite.exercises import Case, exercise


def _state_cases() -> Iterator[Case]:
    table, bias = torch.zeros(3, 2), torch.ones(4)
    yield Case(
        {"a": table, "b": bias, "c": table}, label='{"a": table, "b": bias, "c": table}: (3, 2), (4,), (3, 2)'
    )
    yield Case(
        {"a": table, "b": bias, "c": table.detach()},
        label='{"a": table, "b": bias, "c": table.detach()}: (3, 2), (4,), (3, 2)',
    )
    yield Case(
        {"a": table, "b": table.clone(), "c": table.clone()},
        label='{"a": table, "b": table.clone(), "c": table.clone()}, each (3, 2)',
    )
    yield Case(small_model().state_dict(), label="the state_dict() of a tied model")
    yield Case(small_model(tie=False).state_dict(), label="the state_dict() of a model that is not tied")


@exercise(
    cases=_state_cases,
    hints=(
        "`.data_ptr()` says where in memory a tensor's numbers begin.",
        "Collect in a dictionary from data_ptr() to the tensor; what is there twice is kept once.",
    ),
    note="So a file of safetensors is as large as the model, and not larger by a table.",
)
def numbers_on_disk(state_dict: dict[str, Tensor]) -> int:
    """Count the numbers in a state_dict, what several names share once.

    Tensors share their numbers if they begin at the same place in memory.
    """
    once = {tensor.data_ptr(): tensor for tensor in state_dict.values()}
    return sum(tensor.numel() for tensor in once.values())


def _size(tensors: Iterable[Tensor]) -> int:
    return sum(tensor.numel() for tensor in tensors)


numbers_on_disk.mistake(
    "What two names share is counted twice.",
    lambda state_dict: _size(state_dict.values()),
)
numbers_on_disk.mistake(
    "Tensor objects are counted once, but two objects can share their numbers, as after detach().",
    lambda state_dict: _size({id(tensor): tensor for tensor in state_dict.values()}.values()),
)
numbers_on_disk.mistake(
    "These are bytes; count numbers.", lambda state_dict: 4 * cast(int, numbers_on_disk.reference(state_dict))
)


@numbers_on_disk.mistake("Equal numbers are taken for shared ones: a clone has memory of its own.")
def _equal_once(state_dict: dict[str, Tensor]) -> int:
    kept: list[Tensor] = []
    for tensor in state_dict.values():
        if not any(torch.equal(tensor, other) for other in kept):
            kept.append(tensor)
    return _size(kept)
