"""The pocket model on people's own words: its card's marks are what it earns."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import torch

from bertviz_lite.evaluation.scores.own_words.answers import choose_words, judge_pairs
from bertviz_lite.evaluation.scores.own_words.exam import read_exam
from bertviz_lite.models import POCKET
from bertviz_lite.models.loading import load

EXAM = Path(__file__).parents[1] / "own_words"


# Sentences that a reader typed, which an earlier model answered wrongly.
@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("The dogs of the farmer [MASK] tired.", "are", "is"),
        ("The key near the boxes [MASK] old.", "was", "were"),
        ("The children [MASK] playing in the park.", "are", "at"),
        ("The birds were hungry. Anna gave [MASK] some bread.", "them", "him"),
        ("Tom gave Anna a book. Anna thanked [MASK].", "him", "her"),
    ],
)
def test_it_answers_what_a_reader_typed(text: str, right: str, wrong: str) -> None:
    tokenizer, model = load("pocket")
    batch = tokenizer(text, return_tensors="pt")
    hidden = (batch["input_ids"][0] == tokenizer.mask_token_id).nonzero().item()
    with torch.no_grad():
        logits = model(**batch).prediction_logits[0, hidden]
    assert logits[tokenizer.convert_tokens_to_ids(right)] > logits[tokenizer.convert_tokens_to_ids(wrong)]


def test_it_earns_the_marks_of_its_card_again() -> None:
    """Only how many are right is looked at: the unread half stays unread."""
    tokenizer, model = load("pocket")
    exam = read_exam(EXAM, "unread")
    recorded = json.loads((POCKET / "own_words.json").read_text("utf-8"))["own"]
    right = {
        "choices": sum(choose_words(model, tokenizer, exam.choices)),
        "pairs": sum(judge_pairs(model, tokenizer, exam.pairs)),
    }
    for part, count in right.items():
        # The last bits of a processor may turn an answer that is nearly a tie.
        assert abs(count - sum(kind["right"] for kind in recorded[part].values())) <= 1
    card = (POCKET / "README.md").read_text("utf-8")
    share = sum(kind["right"] for kind in recorded["choices"].values()) / len(exam.choices)
    assert share >= 0.87
    assert re.search(rf"\*\*choices between two words\*\* \|[^|]+\| {share:.3f} \(", card)
