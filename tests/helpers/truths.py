"""Truths for exercises: what an answer should give, by something other than the exercise's own solution.

A truth is a function of torch, `transformers` or `tokenizers`, a number worked out by hand, or the definition
tried out by brute force. `wrong_places` compares; `disturbed` makes results that are slightly wrong, to see
that a truth notices them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from bertviz_lite.exercises import Case, Exercise
from bertviz_lite.exercises.running import Raised, run

__all__ = ["Truth", "agrees", "cases_of", "disturbed", "results", "wrong_places"]


@dataclass(frozen=True)
class Truth:
    """What an exercise should give.

    Parameters
    ----------
    source
        Where it comes from, in a few words.
    answer
        A function (or class) that answers the exercise; for a question, the value.
    fresh
        Inputs that are not among the exercise's own. Questions have none.
    """

    source: str
    answer: object
    fresh: Callable[[], Iterable[Case]] = tuple


def results(exercise: Exercise, answer: object, cases: Iterable[Case]) -> list[object]:
    """Run an answer on some inputs; for a question, give the one value."""
    if exercise.cases is None:
        return [answer() if callable(answer) else answer]
    return [run(exercise.call, answer, case.copy()) for case in cases]


def cases_of(exercise: Exercise, truth: Truth) -> list[Case]:
    """List the exercise's own inputs and the fresh ones."""
    return [*(exercise.cases() if exercise.cases else ()), *truth.fresh()]


def wrong_places(exercise: Exercise, truth: Truth, answer: object) -> list[int]:
    """List the numbers of the inputs on which an answer differs from the truth."""
    cases = cases_of(exercise, truth)
    pairs = zip(results(exercise, answer, cases), results(exercise, truth.answer, cases), strict=True)
    return [number for number, (result, expected) in enumerate(pairs) if not agrees(result, expected)]


def agrees(result: object, expected: object) -> bool:
    """Whether two results are the same: text and counts exactly, other numbers to five digits."""
    if isinstance(result, Raised) or isinstance(expected, Raised):
        return False
    if expected is None or isinstance(expected, str):
        return result == expected
    if isinstance(expected, dict):
        if not isinstance(result, dict) or result.keys() != expected.keys():
            return False
        return all(agrees(result[key], value) for key, value in expected.items())
    given, right = _as_numbers(result), _as_numbers(expected)
    if right is None:
        return (
            isinstance(expected, list | tuple)
            and isinstance(result, list | tuple)
            and len(result) == len(expected)
            and all(map(agrees, result, expected))
        )
    if given is None or given.shape != right.shape:
        return False
    if given.dtype.kind in "biu" and right.dtype.kind in "biu":
        return bool((given == right).all())
    with np.errstate(over="ignore"):  # the lowest and the highest number differ by more than the highest
        return bool(np.allclose(given, right, 1e-5, 1e-6, equal_nan=True))


def disturbed(result: object) -> Iterator[object]:
    """Make wrong results of a right one: each a little off, in one place or in all, or moved along."""
    if isinstance(result, str):
        yield f"{result}x"
    elif isinstance(result, bool):
        yield not result
    elif isinstance(result, int | float):
        yield result + (1 if isinstance(result, int) else 0.01 * max(1.0, abs(result)))
    elif isinstance(result, torch.Tensor):
        yield from _disturbed_tensor(result)
    elif isinstance(result, dict):
        for key, value in result.items():
            yield from (result | {key: wrong} for wrong in disturbed(value))
    elif isinstance(result, list | tuple):
        yield [*result, *result[-1:]] if result else [0]
        for number, item in enumerate(result[:3]):
            yield from ([*result[:number], wrong, *result[number + 1 :]] for wrong in disturbed(item))
    else:
        raise TypeError(f"how should a {type(result).__name__} be disturbed?")


def _disturbed_tensor(result: torch.Tensor) -> Iterator[torch.Tensor]:
    if result.dtype == torch.bool:
        yield ~result
        moved = result.roll(1, dims=-1)
    else:
        step = 0.01 * result.abs().clamp(min=1) if result.is_floating_point() else torch.ones_like(result)
        yield result + step
        last = torch.zeros_like(result)
        last[(-1,) * last.ndim] = 1
        yield result + last * step
        moved = result.roll(1, dims=-1) if result.ndim else result
    if not torch.equal(moved, result):
        yield moved


def _as_numbers(value: object) -> npt.NDArray[Any] | None:
    """Make an array of a number, a tensor, or nested lists of these; None of anything else."""
    if isinstance(value, torch.Tensor):
        return value.detach().numpy()
    if isinstance(value, list | tuple):
        parts = [_as_numbers(item) for item in value]
        if any(part is None for part in parts) or len({part.shape for part in parts if part is not None}) > 1:
            return None
        return np.array(parts)
    return np.asarray(value) if isinstance(value, int | float | np.ndarray | np.generic) else None
