"""Chapter 03 in a reader's words: other right ways pass, and the feedback to a wrong one helps."""

import math

import pytest
import torch
from torch import Tensor

from bertviz_lite.chapters.chapter_03 import exercises as chapter_03


@pytest.mark.parametrize("hidden", [torch.finfo(torch.float64).min, -math.inf, -1e9])
def test_an_inverted_causal_mask_is_named(hidden: float) -> None:
    def head(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        scores = query @ key.transpose(-1, -2) / key.shape[-1] ** 0.5
        triangle = torch.ones(scores.shape[-2:]).tril()
        return scores.masked_fill(triangle == 1, hidden).softmax(dim=-1) @ value

    assert "not yet. The mask is inverted" in chapter_03.causal_head.check(head).text


def test_an_inverted_mask_that_is_added_is_named() -> None:
    def head(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        scores = query @ key.transpose(-1, -2) / key.shape[-1] ** 0.5
        return (scores + torch.ones(scores.shape[-2:]).tril() * -1e9).softmax(dim=-1) @ value

    assert "not yet. The mask is inverted" in chapter_03.causal_head.check(head).text


def test_softmax_may_not_be_left_to_torch() -> None:
    for answer in (
        lambda scores: torch.softmax(scores, -1),
        lambda scores: scores.softmax(dim=-1),
        torch.nn.Softmax(dim=-1),
        lambda scores: torch.nn.functional.log_softmax(scores, dim=-1).exp(),
    ):
        assert "torch's own softmax has made them" in chapter_03.softmax_row.check(answer).text
    assert chapter_03.softmax_row.check(lambda scores: (scores - scores.logsumexp(-1, keepdim=True)).exp())
