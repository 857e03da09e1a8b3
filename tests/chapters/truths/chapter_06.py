"""Chapter 06: truths by torch's cross-entropy, by hand, and by rules applied token by token."""

from fractions import Fraction
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from bertviz_lite.chapters.chapter_06.collators import collate
from bertviz_lite.exercises import Case, normal, uniform
from tests.helpers.truths import Truth

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


def never_scored_by_distribution(rate: float, readings: int, masks: int) -> float:
    """Say with what probability none of the masks that are used chooses a token: torch's own binomial."""
    used = len({reading % masks for reading in range(readings)})
    chosen_times = torch.distributions.Binomial(used, torch.tensor(rate, dtype=torch.float64))
    return float(chosen_times.log_prob(torch.tensor(0.0, dtype=torch.float64)).exp())


def replaced_one_by_one(
    input_ids: Tensor, chosen: Tensor, replace_draw: Tensor, random_ids: Tensor, mask_id: int
) -> Tensor:
    result = input_ids.clone()
    for place in chosen.nonzero().tolist():
        at = tuple(place)
        if replace_draw[at] < 0.8:
            result[at] = mask_id
        elif replace_draw[at] < 0.9:
            result[at] = random_ids[at]
    return result


def words_one_by_one(choose_draw: Tensor, continues: Tensor, ordinary: Tensor, rate: float) -> Tensor:
    chosen = torch.zeros_like(ordinary)
    for row in range(len(choose_draw)):
        hit = False
        for place in range(choose_draw.shape[1]):
            if place == 0 or not continues[row, place]:
                hit = bool(choose_draw[row, place] < rate)
            chosen[row, place] = hit and bool(ordinary[row, place])
    return chosen


def lowest_one_by_one(choose_draw: Tensor, ordinary: Tensor, rate: float, most: int) -> Tensor:
    chosen = torch.zeros_like(ordinary)
    for row, allowed in enumerate(ordinary.tolist()):
        places = [place for place, may in enumerate(allowed) if may]
        share = rate * len(places)
        count = min(range(1, most + 1), key=lambda number: abs(number - share))  # the nearest, 1 to most
        for place in sorted(places, key=lambda place: float(choose_draw[row, place]))[:count]:
            chosen[row, place] = True
    return chosen


class Ids:
    """A tokenizer of 5,000 ids, of which 0 to 4 are special, and 4 is [MASK]."""

    mask_token_id, all_special_ids = 4, [0, 1, 2, 3, 4]

    def __len__(self) -> int:
        return 5_000


def examined() -> dict[str, str]:
    """Let the collators mask other ids than the exercise's, and tell faults by what none may do."""
    ids = 5 + torch.arange(2_000 * 90).reshape(2_000, 90) % 4_995
    ids[:, 0], ids[:, -1] = 2, 3
    found = {}
    for letter in "ABCD":
        masked, labels = collate(letter, ids, cast("PreTrainedTokenizerBase", Ids()))
        scored = labels != -100
        shares = [
            float((masked == 4)[scored].double().mean()),
            float((masked == ids)[scored].double().mean()),
        ]
        if scored.all():
            found[letter] = "labels"
        elif scored[:, [0, -1]].any():
            found[letter] = "special"
        elif (masked != ids)[~scored].any():
            found[letter] = "others"
        elif (scored == scored[0]).all():
            found[letter] = "one row"
        elif len(scored.sum(dim=1).unique()) == 1:
            found[letter] = "fixed"
        elif abs(shares[0] - 0.81) < abs(shares[0] - 0.8) and shares[1] < 0.095:
            found[letter] = "order"
        else:
            found[letter] = "nothing"
    return found


def believed_case_by_case() -> dict[str, str]:
    """Add up, in fractions, all ways in which a word comes to stand in sight, and those where it's true."""
    rows = {
        "A": (1_000, 10, 10, 3_750),
        "B": (10_000, 10, 10, 3_750),
        "C": (10_000, 10, 10, 30_522),
        "D": (10_000, 2, 18, 3_750),
        "E": (1_000_000, 0, 20, 3_750),
        "F": (100, 20, 0, 3_750),
    }
    found = {}
    for case, (one_in, random, stays, size) in rows.items():
        here, chance = Fraction(1, one_in), Fraction(1, size)
        ways = {  # (is the text's word this one, did it stay): how often it's seen
            (True, True): here * Fraction(stays, 100),
            (True, False): here * Fraction(random, 100) * chance,
            (False, False): (1 - here) * Fraction(random, 100) * chance,
        }
        true = sum(share for (is_true, _), share in ways.items() if is_true)
        found[case] = "believed" if true / sum(ways.values()) > Fraction(1, 2) else "doubted"
    return found


def fresh_replacements() -> list[Case]:
    ids = torch.arange(40).reshape(2, 20)
    edges = torch.tensor([[0.0, 0.8, 0.9, 0.799, 0.899]], dtype=torch.float64)
    return [
        Case(ids, uniform(2, 20) < 0.7, uniform(2, 20, seed=1), ids + 100, 999),
        Case(ids[:1, :5], torch.ones(1, 5, dtype=torch.bool), edges, ids[:1, :5] + 50, 4),
    ]


def fresh_words() -> list[Case]:
    draws, ordinary = uniform(3, 30), torch.ones(3, 30, dtype=torch.bool)
    continues = uniform(3, 30, seed=1) < 0.5
    continues[:, 0] = False
    at_the_rate = torch.tensor([[0.2, 0.5, 0.5, 0.1]], dtype=torch.float64)
    second_continues = torch.tensor([[False, True, False, True]])
    return [
        Case(draws, continues, ordinary, 0.3),
        Case(draws, continues, uniform(3, 30, seed=2) < 0.8, 0.6),
        Case(at_the_rate, second_continues, torch.ones(1, 4, dtype=torch.bool), 0.5),
    ]


def fresh_counts() -> list[Case]:
    rows = uniform(4, 33, seed=1) < 0.7
    return [Case(uniform(4, 33), rows, rate, most) for rate, most in ((0.15, 20), (0.37, 5), (0.01, 3))]


TRUTHS = {
    "masks_read": Truth("by hand: 125 · 15 % = 18.75, of which 80 %", 15.0),
    "never_scored": Truth(
        "torch.distributions.Binomial, no hit",
        never_scored_by_distribution,
        lambda: [Case(0.15, 7, 1), Case(0.3, 4, 9), Case(0.5, 6, 2)],
    ),
    "replace_chosen": Truth("token by token", replaced_one_by_one, fresh_replacements),
    "masked_loss": Truth(
        "torch.nn.functional.cross_entropy",
        lambda logits, labels: cross_entropy(logits.flatten(0, 1), labels.flatten()),
        lambda: [
            Case(3 * normal(3, 4, 6), torch.tensor([[5, -100, 0, 2], [-100] * 4, [1, 1, -100, 3]])),
            Case(normal(1, 5, 9, seed=1), torch.tensor([[-100, 8, 7, 0, 4]])),
        ],
    ),
    "diagnosis": Truth("the collators, on other ids, by what none may do", examined),
    "whole_words": Truth("token by token", words_one_by_one, fresh_words),
    "word_in_sight": Truth("all ways to stand in sight, added up in fractions", believed_case_by_case),
    "capped_choice": Truth("the lowest, sorted", lowest_one_by_one, fresh_counts),
}
