"""Find the bug: coins that are right for the chosen tokens, and change others, too."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise

Toss = Callable[[float], Tensor]


class _Tosses:
    """Two coins that fall in every combination equally often, so that shares are exact."""

    def __init__(self, sides: int) -> None:
        self.sides, self.tossed = sides, 0

    def __call__(self, probability: float) -> Tensor:
        if self.tossed == 2:
            raise ValueError("a third toss: two are enough, the first coin of the chapter made `chosen`")
        heads = (torch.arange(self.sides) + 0.5) / self.sides < probability
        square = heads[:, None] if self.tossed else heads[None, :]
        self.tossed += 1
        return square.expand(self.sides, self.sides).reshape(1, -1).repeat(2, 1)


def _shares(answer: Callable[..., object], sides: int) -> object:
    """Let an answer decide about tokens of which half are chosen, and count."""
    chosen = torch.zeros(2, sides * sides, dtype=torch.bool)
    chosen[0] = True
    decided = answer(chosen.clone(), _Tosses(sides))
    if decided is None or decided is ...:
        return decided
    if not (isinstance(decided, tuple) and all(isinstance(part, Tensor) for part in decided)):
        raise TypeError("two tensors are to be returned: hidden, replaced")
    hidden, replaced = decided
    return {
        "tokens that aren't chosen, and change": int(((hidden | replaced) & ~chosen).sum()),
        "tokens both hidden and replaced": int((hidden & replaced).sum()),
        "share of [MASK]": float(hidden[0].double().mean()),
        "share of random tokens": float(replaced[0].double().mean()),
    }


def _toss_cases() -> Iterator[Case]:
    for sides in (90, 180):
        yield Case(sides, label=f"{sides * sides:,} chosen tokens, and as many that aren't")


@exercise(
    cases=_toss_cases,
    call=_shares,
    hints=(
        "Count what becomes of the tokens that aren't chosen: none of them may change.",
        "`~hidden` is True for all that aren't hidden. Which of these may be replaced?",
    ),
    note="The loss scores chosen tokens only: it never says that half of the others have become random.",
)
def three_coins(chosen: Tensor, toss: Toss) -> tuple[Tensor, Tensor]:
    """Decide which of the chosen tokens are hidden, and which are replaced: 80/10/10.

    `toss(p)` tosses a coin for each token: True with the probability p.
    """
    hidden = chosen & toss(0.8)
    replaced = chosen & ~hidden & toss(0.5)
    return hidden, replaced


@three_coins.mistake("That is 80/2/18. A tenth is wanted, but a tenth of which tokens is it?")
def _a_tenth_of_the_rest(chosen: Tensor, toss: Toss) -> tuple[Tensor, Tensor]:
    hidden = chosen & toss(0.8)
    return hidden, chosen & ~hidden & toss(0.1)


@three_coins.mistake("That is 80/4/16: the second coin is tossed for 20 of 100 chosen tokens.")
def _a_fifth_of_the_rest(chosen: Tensor, toss: Toss) -> tuple[Tensor, Tensor]:
    hidden = chosen & toss(0.8)
    return hidden, chosen & ~hidden & toss(0.2)


@three_coins.mistake("That is 80/20/0: whatever isn't hidden is replaced, and nothing stays.")
def _none_stays(chosen: Tensor, toss: Toss) -> tuple[Tensor, Tensor]:
    hidden = chosen & toss(0.8)
    return hidden, chosen & ~hidden


@three_coins.mistake("Random first and [MASK] with 0.9 of the rest is 81/10/9: 0.9 of 90 % is 81 %.")
def _random_first(chosen: Tensor, toss: Toss) -> tuple[Tensor, Tensor]:
    replaced = chosen & toss(0.1)
    return chosen & ~replaced & toss(0.9), replaced


@three_coins.mistake("Some tokens are both hidden and replaced: leave the hidden ones out.")
def _both(chosen: Tensor, toss: Toss) -> tuple[Tensor, Tensor]:
    return chosen & toss(0.8), chosen & toss(0.1)


@three_coins.mistake("Of the chosen tokens, that's 80/10/10. And what becomes of the others?")
def _not_only_chosen(chosen: Tensor, toss: Toss) -> tuple[Tensor, Tensor]:
    hidden = chosen & toss(0.8)
    return hidden, ~hidden & toss(0.5)
