"""A batch to train on: how many tokens it hides, what the model reads, and what is never scored."""

from collections.abc import Iterator

import torch
from torch import Tensor

from bertviz_lite.exercises import Case, exercise, question, uniform


@question(
    hints=(
        "[CLS] and both [SEP] are never chosen. How many tokens are left?",
        "Of those, 15 % are chosen; of the chosen, 80 % become [MASK].",
    ),
    note="The model guesses at 18.75 places, on average, and at 3.75 of these it reads no [MASK].",
    rtol=1e-9,
)
def masks_read() -> float:
    """Say how many [MASK] the model reads on average in a pair of texts of 128 tokens.

    Special tokens are counted in the 128: one [CLS] and two [SEP]; there is no padding. Rate 15 %, 80/10/10.
    """
    return (128 - 3) * 0.15 * 0.8


masks_read.mistake("The three special tokens are never chosen: take them off first.", 128 * 0.15 * 0.8)
masks_read.mistake("That is how many are chosen; only 80 % of these become [MASK].", 125 * 0.15)
masks_read.mistake("There are three special tokens: the second text ends in a [SEP] too.", 126 * 0.15 * 0.8)
masks_read.mistake(
    "That is 15 % of all 128: take the special tokens off, and of the chosen only 80 % become [MASK].",
    128 * 0.15,
)


def _re_reading_cases() -> Iterator[Case]:
    yield Case(0.15, 40, 40, label="40 readings, each with a mask of its own")
    yield Case(0.15, 40, 10, label="40 readings, 10 masks: the paper's BERT")
    yield Case(0.4, 3, 10, label="3 readings, 10 masks, rate 40 %")


@exercise(
    cases=_re_reading_cases,
    hints=(
        "With what probability does one mask leave a token alone?",
        "The masks are drawn independently: multiply. A mask that is used again asks nothing new.",
        "How many different masks are used, if there are more masks than readings?",
    ),
    note="With one mask 85 % are never scored; with ten, 20 %.",
)
def never_scored(rate: float, readings: int, masks: int) -> float:
    """Give the share of tokens that are never scored, on average.

    A text is read `readings` times. There are `masks` masks of it, drawn once, each token with probability
    `rate`; the readings take them in turn.
    """
    used = min(readings, masks)
    return (1 - rate) ** used


never_scored.mistake(
    "That is the share that is scored once or more often; take it from 1.",
    lambda rate, readings, masks: 1 - (1 - rate) ** min(readings, masks),
)
never_scored.mistake(
    "That is the share that every mask chooses: a token that is never scored is left alone by every mask.",
    lambda rate, readings, masks: rate ** min(readings, masks),
)
never_scored.mistake(
    "A mask that comes a second time chooses the same tokens: count the different masks, not the readings.",
    lambda rate, readings, _masks: (1 - rate) ** readings,
)
never_scored.mistake(
    "With more masks than readings, some masks are never used.",
    lambda rate, _readings, masks: (1 - rate) ** masks,
)
never_scored.mistake(
    "Masks overlap, so their shares don't add up: multiply what each of them leaves alone.",
    lambda rate, readings, masks: 1 - rate * min(readings, masks),
)


def _replace_cases() -> Iterator[Case]:
    ids = torch.tensor([[2, 7, 8, 9, 10, 11, 3]])
    chosen = torch.tensor([[False, True, True, True, True, False, False]])
    replace_draw = torch.tensor([[0.5, 0.3, 0.85, 0.95, 0.79, 0.1, 0.9]], dtype=torch.float64)
    random_ids = torch.tensor([[20, 21, 22, 23, 24, 25, 26]])
    yield Case(ids, chosen, replace_draw, random_ids, 4)
    many = 10 + torch.arange(600).reshape(3, 200)
    others = 1000 + torch.arange(600).reshape(3, 200)
    yield Case(
        many, uniform(3, 200, seed=1) < 0.5, uniform(3, 200, seed=2), others, 4, label="shape (3, 200)"
    )


@exercise(
    cases=_replace_cases,
    hints=(
        "Start from the ids, then put [MASK] where `chosen` and the draw is below 0.8.",
        "A random id goes where `chosen` and the draw is from 0.8 up to 0.9. The rest needs nothing.",
    ),
    note="One number from 0 to 1 for each token decides between all three.",
)
def replace_chosen(
    input_ids: Tensor, chosen: Tensor, replace_draw: Tensor, random_ids: Tensor, mask_id: int
) -> Tensor:
    """Give what the model reads: 80/10/10, decided by the numbers in `replace_draw`.

    All tensors are (batch, seq_len). Where a token is chosen: below 0.8 it becomes `mask_id`, from 0.8 and
    below 0.9 the id in `random_ids`, and from 0.9 it stays.
    """
    masked = torch.where(chosen & (replace_draw < 0.8), mask_id, input_ids)
    return torch.where(chosen & (replace_draw >= 0.8) & (replace_draw < 0.9), random_ids, masked)


def _by_shares(mask: float, random: float) -> object:
    """Give a wrong answer that divides the draws at other places."""

    def wrong(
        input_ids: Tensor, chosen: Tensor, replace_draw: Tensor, random_ids: Tensor, mask_id: int
    ) -> Tensor:
        masked = torch.where(chosen & (replace_draw < mask), mask_id, input_ids)
        return torch.where(
            chosen & (replace_draw >= mask) & (replace_draw < mask + random), random_ids, masked
        )

    return wrong


replace_chosen.mistake("From 0.9 on it should stay; here it is replaced too: 80/20/0.", _by_shares(0.8, 0.2))
replace_chosen.mistake(
    "No token becomes random: 80/0/20. Where a draw is not below 0.8, it is not below 0.5 or 0.1 either.",
    _by_shares(0.8, 0.0),
)
replace_chosen.mistake("Below 0.9 it is always [MASK]: that is 90/10/0.", _by_shares(0.9, 0.1))
replace_chosen.mistake(
    "& is computed before <: write chosen & (replace_draw < 0.8), with parentheses.",
    lambda _ids, chosen, replace_draw, _random_ids, _mask_id: chosen & replace_draw < 0.8,
)
replace_chosen.mistake(
    "`and`, `or`, `not` and `if` ask one truth value, and here is one for each token: use &, |, ~ "
    "and torch.where.",
    lambda _ids, chosen, _draw, _random_ids, _mask_id: bool(chosen),
)


@replace_chosen.mistake("It replaces tokens that were not chosen.")
def _replace_everywhere(
    input_ids: Tensor, _chosen: Tensor, replace_draw: Tensor, random_ids: Tensor, mask_id: int
) -> Tensor:
    masked = torch.where(replace_draw < 0.8, mask_id, input_ids)
    return torch.where((replace_draw >= 0.8) & (replace_draw < 0.9), random_ids, masked)


@replace_chosen.mistake(
    "The random ids overwrite the masks: below 0.9 everything becomes random. It should be from 0.8 on."
)
def _replace_over(
    input_ids: Tensor, chosen: Tensor, replace_draw: Tensor, random_ids: Tensor, mask_id: int
) -> Tensor:
    masked = torch.where(chosen & (replace_draw < 0.8), mask_id, input_ids)
    return torch.where(chosen & (replace_draw < 0.9), random_ids, masked)
