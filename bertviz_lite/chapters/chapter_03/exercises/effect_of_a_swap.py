"""Does a head cause an answer? Swap what should matter, and, beside it, what should not."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from bertviz_lite.exercises import Case, exercise

if TYPE_CHECKING:
    from typing import Self

Pair: TypeAlias = tuple[int, int]
Ask: TypeAlias = Callable[[], float]


class _Head:
    """A head with one query: how likely *she* is, by what it hears; two of its keys can be swapped."""

    def __init__(self, weights: list[float], values: list[float]) -> None:
        self.scores, self.values = [math.log(weight) for weight in weights], values

    def ask(self) -> float:
        """Give the blend of the values."""
        powers = [math.exp(score) for score in self.scores]
        return sum(power * value for power, value in zip(powers, self.values, strict=True)) / sum(powers)

    def swap(self, one: int, other: int) -> _Swapped:
        """Swap two keys at once, and with them the scores, until the handle is removed."""
        return _Swapped(self, (one, other))


class _Swapped:
    """What a swap gives back: it ends as a hook of PyTorch does, after `with` or by `remove`."""

    def __init__(self, head: _Head, pair: Pair) -> None:
        self.head, self.pair = head, pair
        self._exchange()

    def _exchange(self) -> None:
        one, other = self.pair
        scores = self.head.scores
        scores[one], scores[other] = scores[other], scores[one]

    def remove(self) -> None:
        """Swap back."""
        self._exchange()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


Swap: TypeAlias = Callable[[int, int], _Swapped]


def _of_a_fresh_head(
    answer: Callable[[Ask, Swap, Pair, Pair], object],
    weights: list[float],
    values: list[float],
    names: Pair,
    control: Pair,
) -> object:
    """Call an answer with a head of its own: what it forgets to undo harms nobody else."""
    head = _Head(weights, values)
    return answer(head.ask, head.swap, names, control)


def _effect_cases() -> Iterator[Case]:
    label = "a head with the weights {} and the values {} (1 is she), names = (0, 1), control = (2, 3)"
    for weights, values in (
        ([0.1, 0.7, 0.1, 0.1], [0.0, 1.0, 0.5, 0.5]),
        ([0.1, 0.6, 0.2, 0.1], [0.0, 1.0, 0.5, 0.0]),
        ([0.5, 0.2, 0.1, 0.2], [0.2, 0.8, 0.1, 0.6]),
    ):
        yield Case(weights, values, (0, 1), (2, 3), label=label.format(weights, values))


@exercise(
    cases=_effect_cases,
    call=_of_a_fresh_head,
    hints=(
        "Three numbers: ask() with nothing changed, with the names swapped, and with the control swapped.",
        "with swap(*names): here the swap holds. When the block ends, it's undone.",
        "Inside each block, call ask() and subtract what it gave with nothing changed.",
    ),
    note="A large first number beside a small second one: that is what a cause looks like.",
)
def effect(ask: Ask, swap: Swap, names: Pair, control: Pair) -> tuple[float, float]:
    """Give by how much ask() changes with the names' keys swapped, and with those of the control.

    ask() gives the probability of *she*; `with swap(one, other):` swaps two keys until the block ends.
    """
    usual = ask()
    with swap(*names):
        by_names = ask() - usual
    with swap(*control):
        by_control = ask() - usual
    return by_names, by_control


def _said(ask: Ask, swap: Swap, pair: Pair) -> float:
    with swap(*pair):
        return ask()


def _never_undone(ask: Ask, swap: Swap, names: Pair, control: Pair) -> tuple[float, float]:
    usual = ask()
    swap(*names)
    by_names = ask() - usual
    swap(*control)
    return by_names, ask() - usual


def _asked_too_late(ask: Ask, swap: Swap, names: Pair, control: Pair) -> tuple[float, float]:
    usual = ask()
    with swap(*names):
        pass
    by_names = ask() - usual
    with swap(*control):
        pass
    return by_names, ask() - usual


effect.mistake(
    "The names are still swapped when you ask for the control: write `with swap(...):`, which undoes it.",
    _never_undone,
)
effect.mistake("You ask after the block has ended, when the swap is undone: ask inside.", _asked_too_late)
effect.mistake(
    "These are the probabilities themselves: subtract what ask() gave with nothing changed.",
    lambda ask, swap, names, control: (_said(ask, swap, names), _said(ask, swap, control)),
)
effect.mistake(
    "The sign is the wrong way round: a fall should be below zero.",
    lambda ask, swap, names, control: (ask() - _said(ask, swap, names), ask() - _said(ask, swap, control)),
)
effect.mistake(
    "Names and control have changed places.",
    lambda ask, swap, names, control: (_said(ask, swap, control) - ask(), _said(ask, swap, names) - ask()),
)
effect.mistake(
    "This is one number. Give both changes: the control is there to be looked at.",
    lambda ask, swap, names, control: _said(ask, swap, names) - _said(ask, swap, control),
)
effect.mistake(
    "This is only the change by the names. Give that by the control too.",
    lambda ask, swap, names, control: _said(ask, swap, names) - ask(),
)
