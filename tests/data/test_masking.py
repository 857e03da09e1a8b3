"""Masking: 80/10/10 of 15 percent, whole words, and nothing but what is chosen."""

from __future__ import annotations

import dataclasses
import hashlib

import pytest
import torch
from torch import Tensor

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.masking import Masking, apply_draws, draw, mask_tokens


@pytest.fixture(scope="module")
def rules() -> Masking:
    continuation = torch.zeros(1000, dtype=torch.bool)
    continuation[800:] = True
    return Masking(vocab_size=1000, special_ids=(0, 1, 2, 3, 4), mask_id=4, continuation=continuation)


@pytest.fixture(scope="module")
def many_ids() -> Tensor:
    ids = torch.randint(5, 1000, (2000, 64), generator=torch.Generator().manual_seed(0))
    ids[:, 0], ids[:, 20], ids[:, 50], ids[:, 51:] = 2, 3, 3, 0
    return ids


@pytest.mark.parametrize("whole_words", [True, False])
def test_masking_is_80_10_10_of_15_percent(rules: Masking, many_ids: Tensor, whole_words: bool) -> None:
    if not whole_words:
        rules = Masking(rules.vocab_size, rules.special_ids, rules.mask_id)
    masked, labels = mask_tokens(many_ids, rules, torch.Generator().manual_seed(1))
    ordinary = many_ids > 4
    chosen = labels != IGNORED
    count = int(chosen.sum())
    assert count / int(ordinary.sum()) == pytest.approx(0.15, abs=0.005)
    assert (masked[chosen] == 4).sum() / count == pytest.approx(0.8, abs=0.01)
    same = (masked[chosen] == many_ids[chosen]).sum() / count
    assert same == pytest.approx(0.1, abs=0.01)
    other = (masked[chosen] != 4) & (masked[chosen] != many_ids[chosen])
    assert other.sum() / count == pytest.approx(0.1, abs=0.01)
    assert masked[chosen][other].min() > 4


def test_the_default_shares_give_the_masks_of_the_shipped_model(rules: Masking, many_ids: Tensor) -> None:
    """The shipped model was trained on these masks: a digest of them, taken before the fields were added."""
    masked, labels = mask_tokens(many_ids, rules, torch.Generator().manual_seed(1))
    digest = hashlib.sha256(masked.numpy().tobytes() + labels.numpy().tobytes()).hexdigest()
    assert digest[:16] == "b60d8af86d3a8a33"


@pytest.mark.parametrize(("mask_share", "random_share"), [(1.0, 0.0), (0.0, 1.0), (0.0, 0.0), (0.5, 0.3)])
def test_the_shares_can_be_set(
    rules: Masking, many_ids: Tensor, mask_share: float, random_share: float
) -> None:
    rules = dataclasses.replace(rules, mask_share=mask_share, random_share=random_share)
    masked, labels = mask_tokens(many_ids, rules, torch.Generator().manual_seed(1))
    chosen = labels != IGNORED
    hidden = (masked[chosen] == 4).double().mean()
    other = ((masked[chosen] != 4) & (masked[chosen] != many_ids[chosen])).double().mean()
    assert hidden == pytest.approx(mask_share, abs=0.01)
    assert other == pytest.approx(random_share, abs=0.01)
    assert rules.keep_share == pytest.approx(1 - mask_share - random_share)


def test_with_the_same_draws_and_a_higher_rate_what_was_chosen_stays_chosen(
    rules: Masking, many_ids: Tensor
) -> None:
    draws = draw(tuple(many_ids.shape), rules, torch.Generator().manual_seed(1))
    fewer, more = (
        apply_draws(many_ids, dataclasses.replace(rules, rate=rate), draws)[1] != IGNORED
        for rate in (0.1, 0.4)
    )
    assert (more | ~fewer).all()
    assert fewer.sum() < more.sum() / 3


def test_shares_that_cannot_be_are_refused(rules: Masking) -> None:
    with pytest.raises(ValueError, match=r"mask_share=1\.2: a share from 0 to 1"):
        dataclasses.replace(rules, mask_share=1.2)
    with pytest.raises(ValueError, match=r"add up to more than 1: lower one"):
        dataclasses.replace(rules, random_share=0.3)


def test_masking_leaves_special_tokens_padding_and_the_rest_alone(rules: Masking, many_ids: Tensor) -> None:
    before = many_ids.clone()
    masked, labels = mask_tokens(many_ids, rules, torch.Generator().manual_seed(1))
    assert torch.equal(many_ids, before)
    special = many_ids < 5
    assert (labels[special] == IGNORED).all()
    assert torch.equal(masked[special], many_ids[special])
    untouched = labels == IGNORED
    assert torch.equal(masked[untouched], many_ids[untouched])
    assert torch.equal(labels[~untouched], many_ids[~untouched])


@pytest.mark.parametrize("special", range(5))
def test_no_special_token_is_chosen_or_drawn_a_mask_in_the_text_neither(special: int) -> None:
    rules = Masking(10, (0, 1, 2, 3, 4), 4, rate=0.9, mask_share=0.0, random_share=1.0)
    ids = torch.tensor([[2, 7, special, 8, 3]]).repeat(500, 1)
    masked, labels = mask_tokens(ids, rules, torch.Generator().manual_seed(1))
    assert (labels[:, 2] == IGNORED).all()
    assert (masked[:, 2] == special).all()
    assert set(masked[:, [1, 3]].flatten().tolist()) == {5, 6, 7, 8, 9}


def test_whole_words_are_chosen_with_all_their_tokens(rules: Masking) -> None:
    ids = torch.tensor([[2, 10, 11, 801, 802, 12, 3, 803, 13, 3]]).repeat(
        3000, 1
    )  # 803 follows [SEP]: its own word
    _, labels = mask_tokens(ids, rules, torch.Generator().manual_seed(3))
    chosen = labels != IGNORED
    assert torch.equal(chosen[:, 2], chosen[:, 3])
    assert torch.equal(chosen[:, 2], chosen[:, 4])
    assert not torch.equal(chosen[:, 1], chosen[:, 2])
    shares = chosen.double().mean(0)
    assert shares[[1, 2, 5, 8]].tolist() == pytest.approx([0.15] * 4, abs=0.03)


def test_masking_repeats_with_its_generator(rules: Masking, many_ids: Tensor) -> None:
    first, second, third = (
        mask_tokens(many_ids, rules, torch.Generator().manual_seed(seed))[1] for seed in (5, 5, 6)
    )
    assert torch.equal(first, second)
    assert not torch.equal(first, third)


@pytest.mark.parametrize("rate", [0.0, 1.0, -1])
def test_impossible_rate_is_refused(rate: float) -> None:
    with pytest.raises(ValueError, match="rate="):
        Masking(10, (0,), 4, rate=rate)
