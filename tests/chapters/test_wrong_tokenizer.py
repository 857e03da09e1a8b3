"""Patient 8 of chapter 12: model and tokenizer are well, each by itself."""

import torch

from bertviz_lite import load
from bertviz_lite.chapters.chapter_12.exam import Exam
from bertviz_lite.chapters.chapter_12.patients import healthy
from bertviz_lite.chapters.chapter_12.wrong_tokenizer import foreign_tokenizer


def test_it_cuts_alike_and_numbers_otherwise() -> None:
    tokenizer, _ = load("pocket")
    other = foreign_tokenizer(tokenizer)
    text = "Anna unwrapped the bumblebee's pancakes, and Tom laughed."
    right, wrong = tokenizer(text)["input_ids"], other(text)["input_ids"]
    assert tokenizer.convert_ids_to_tokens(right) == other.convert_ids_to_tokens(wrong)
    assert tokenizer.decode(right) == other.decode(wrong)
    assert sum(mine != theirs for mine, theirs in zip(right, wrong, strict=True)) > len(right) / 2
    assert [right[0], right[-1]] == [wrong[0], wrong[-1]]
    assert sorted(tokenizer.get_vocab()) == sorted(other.get_vocab())
    assert sorted(tokenizer.get_vocab().values()) == sorted(other.get_vocab().values())


def test_with_it_a_healthy_model_knows_next_to_nothing() -> None:
    tokenizer, _ = load("pocket")
    model = healthy()
    kinds = tokenizer, foreign_tokenizer(tokenizer)
    marks = [Exam(kind, pairs=8).mark(model)["hidden words"] for kind in kinds]
    assert marks[0][0] > 0.8 * marks[0][1]
    assert marks[1][0] < 0.2 * marks[1][1]


def test_an_exam_hides_what_it_asks_and_pads() -> None:
    tokenizer, _ = load("pocket")
    exam = Exam(tokenizer, pairs=8)
    ids = exam.batch["input_ids"]
    assert (ids[exam.hidden] == tokenizer.mask_token_id).all()
    assert not torch.isin(exam.answers, torch.tensor(tokenizer.all_special_ids)).any()
    assert exam.batch["attention_mask"].min() == 0
    assert exam.continues.tolist() == [True] * 4 + [False] * 4
