"""Chapter 07 in a reader's words: parameters that share memory are not tied, and the feedback says why."""

import torch
from torch import nn
from transformers import BertForMaskedLM

from bertviz_lite.chapters.chapter_07 import exercises as chapter_07

TWICE = "Each keeps its own gradient, and an optimizer moves the numbers twice."


def test_equal_memory_is_not_accepted_as_a_tie() -> None:
    def by_memory(model: BertForMaskedLM) -> bool:
        table, decoder = model.get_input_embeddings().weight, model.get_output_embeddings().weight
        return table.data_ptr() == decoder.data_ptr()

    verdict = chapter_07.is_tied.check(by_memory)
    assert verdict.passed is False
    assert TWICE in verdict.text


def test_sharing_memory_is_no_retie_and_training_is_not_said_to_part_it() -> None:
    def shares(model: BertForMaskedLM) -> BertForMaskedLM:
        model.get_output_embeddings().weight.data = model.get_input_embeddings().weight.data
        return model

    verdict = chapter_07.retie.check(shares)
    assert verdict.passed is False
    assert TWICE in verdict.text
    assert "parts them" not in verdict.text


def test_what_the_feedback_says_of_shared_memory_holds_in_torch() -> None:
    first, second = (nn.Parameter(torch.zeros(3, dtype=torch.float64)) for _ in range(2))
    second.data = first.data
    optimizer = torch.optim.SGD([first, second], lr=0.1)
    for step in range(1, 4):
        optimizer.zero_grad()
        with torch.enable_grad():
            first.sum().backward()
        assert second.grad is None  # its own gradient, which this loss does not reach
        second.grad = torch.ones_like(second)
        optimizer.step()
        assert torch.allclose(first, torch.full_like(first, -0.2 * step))
        assert torch.equal(first, second)
