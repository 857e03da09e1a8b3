"""Exercises of chapter 11, fine-tuning: the best start and end of an answer."""

from collections.abc import Callable, Iterable, Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise


def _logit_cases() -> Iterator[Case]:
    yield Case(_row([0.0, 1.0, 5.0, 2.0, 0.0]), _row([0.0, 3.0, 1.0, 4.0, 2.0]), 3)
    yield Case(_row([0.0, 1.0, 2.0, 6.0, 0.0]), _row([0.0, 5.0, 3.0, 1.0, 0.0]), 3)  # the best end is first
    yield Case(_row([4.0, 1.0, 3.0, 2.0]), _row([5.0, 2.0, 3.0, 1.0]), 2)  # no answer
    yield Case(_row([0.0, 7.0, 1.0, 1.0, 4.0, 1.0]), _row([0.0, 1.0, 2.0, 1.0, 3.0, 7.0]), 3)  # too far apart
    yield Case(_row([0.0, 1.0, 6.0, 0.0, 1.0, 0.0]), _row([0.0, 1.0, 0.0, 1.5, 3.0, 6.0]), 3)  # by one token
    yield Case(_row([0.0, 2.0, 0.0, 0.0, 3.0, 0.0]), _row([6.0, 0.0, 4.0, 0.0, 1.0, 0.0]), 3)
    yield Case(_row([6.0, 1.0, 3.0, 1.0]), _row([0.0, 1.0, 2.0, 2.0]), 2)  # [CLS] wins, by its start alone


def _row(numbers: list[float]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float64)


def _two_places(answer: Callable[..., object], *arguments: object) -> object:
    """Take a tensor of two places as (start, end)."""
    result = answer(*arguments)
    return tuple(result.tolist()) if isinstance(result, Tensor) and result.shape == (2,) else result


@exercise(
    cases=_logit_cases,
    call=_two_places,
    hints=(
        "Score every pair of a start and an end by the sum of its two logits.",
        "Allowed are start <= end < start + longest, both from 1 on: place 0 is [CLS].",
        "Compare the best of them with start_logits[0] + end_logits[0], the score of (0, 0).",
    ),
    note="A sum of logits ranks as the product of the two probabilities does.",
)
def best_answer(start_logits: Tensor, end_logits: Tensor, longest: int) -> tuple[int, int]:
    """Give (start, end) of the best answer, at most `longest` tokens, or (0, 0) if “no answer” scores higher.

    Both logits are (seq_len,); place 0 is [CLS], which stands for “the text does not say”.
    """
    best, span = start_logits[0] + end_logits[0], (0, 0)
    for start in range(1, len(start_logits)):
        for end in range(start, min(start + longest, len(end_logits))):
            if start_logits[start] + end_logits[end] > best:
                best, span = start_logits[start] + end_logits[end], (start, end)
    return span


def _best_of(places: Iterable[tuple[int, int]], starts: Tensor, ends: Tensor) -> tuple[int, int]:
    return max(places, key=lambda place: (starts[place[0]] + ends[place[1]]).item())


def _spans(length: int, longest: int, first: int = 1) -> list[tuple[int, int]]:
    return [(i, j) for i in range(first, length) for j in range(i, min(i + longest, length))]


def _greedy(starts: Tensor, ends: Tensor, longest: int) -> tuple[int, int]:
    start = int(starts.argmax())
    return start, start + int(ends[start : start + longest].argmax())


def _one_further(place: object) -> tuple[int, int]:
    assert isinstance(place, tuple)
    start, end = map(int, place)
    return start, end + 1


best_answer.mistake(
    "Start and end are chosen one without the other: so the end can come before the start.",
    lambda starts, ends, _: (int(starts.argmax()), int(ends.argmax())),
)
best_answer.mistake(
    "There is always an answer here: compare it with the score of [CLS], (0, 0).",
    lambda starts, ends, longest: _best_of(_spans(len(starts), longest), starts, ends),
)
best_answer.mistake(
    "The answers may be of any length: the end lies before start + longest.",
    lambda starts, ends, longest: _best_of([(0, 0), *_spans(len(starts), len(starts))], starts, ends),
)
best_answer.mistake(
    "An answer may be one token longer here: the end lies before start + longest.",
    lambda starts, ends, longest: _best_of([(0, 0), *_spans(len(starts), longest + 1)], starts, ends),
)
best_answer.mistake(
    "The end may come before the start here: start <= end.",
    lambda starts, ends, longest: _best_of(
        [(0, 0), *((i, j) for i in range(1, len(starts)) for j in range(1, len(ends)) if j < i + longest)],
        starts,
        ends,
    ),
)
best_answer.mistake(
    "An answer begins or ends at [CLS] here: it is 0 in both places, or in none.",
    lambda starts, ends, longest: _best_of(_spans(len(starts), longest, first=0), starts, ends),
)
best_answer.mistake(
    "The best start is chosen first, and then the best end for it: another pair can have a larger sum.",
    _greedy,
)
best_answer.mistake(
    "“No answer” is decided by the start alone: compare the sum of both logits of [CLS] with the best sum.",
    lambda starts, ends, longest: (
        _best_of(_spans(len(starts), longest), starts, ends) if starts.argmax() > 0 else (0, 0)
    ),
)
best_answer.mistake(
    "end is one too far: give the last token of the answer itself.",
    lambda starts, ends, longest: _one_further(best_answer.reference(starts, ends, longest)),
)
