"""Labelled examples as a BERT reads them: labels, tags and answers at the right tokens."""

from __future__ import annotations

from typing import Any

import pytest

from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.task_inputs import collate, encode
from bertviz_lite.models.loading import load
from bertviz_lite.world.tasks.sets import (
    FEELINGS,
    PAIR_LABELS,
    TAGS,
    Labelled,
    Pair,
    Question,
    Tagged,
    names,
    questions,
)


@pytest.fixture(scope="module")
def tokenizer() -> Any:  # noqa: ANN401 - a tokenizer
    return load("pocket")[0]


def test_a_label_is_the_number_of_its_output(tokenizer: Any) -> None:  # noqa: ANN401
    (row,) = encode([Labelled("Anna won the race.", "sad")], tokenizer)
    assert tokenizer.decode(row.input_ids) == "[CLS] anna won the race. [SEP]"
    assert row.labels == {"labels": FEELINGS.index("sad")}
    (row,) = encode([Labelled("Anna won.", "good")], tokenizer, ["bad", "good"])
    assert row.labels == {"labels": 1}


def test_the_second_text_of_a_pair_is_segment_one(tokenizer: Any) -> None:  # noqa: ANN401
    (row,) = encode([Pair("Anna won.", "Tom has it.", "neither")], tokenizer)
    first = row.input_ids.index(tokenizer.sep_token_id) + 1
    assert row.token_type_ids == [0] * first + [1] * (len(row.input_ids) - first)
    assert row.labels == {"labels": PAIR_LABELS.index("neither")}


def test_the_tag_of_a_word_is_on_its_first_token(tokenizer: Any) -> None:  # noqa: ANN401
    example = Tagged(("Anna", "Finch", "ran", "."), ("B-person", "I-person", "O", "O"))
    (row,) = encode([example], tokenizer)
    tokens = tokenizer.convert_ids_to_tokens(row.input_ids)
    assert tokens == ["[CLS]", "anna", "f", "##in", "##ch", "ran", ".", "[SEP]"]
    none, inside = IGNORED, TAGS.index("I-person")
    assert row.labels["labels"] == [none, TAGS.index("B-person"), inside, none, none, 0, 0, none]
    (wrong,) = encode([example], tokenizer, every_token=True)
    assert wrong.labels["labels"] == [none, TAGS.index("B-person"), inside, inside, inside, 0, 0, none]


def test_an_answer_is_its_first_and_last_token(tokenizer: Any) -> None:  # noqa: ANN401
    context = "Anna found a pebble under the bench."
    start = context.index("under")
    (row,) = encode([Question(context, "Where was the pebble found?", (start, start + 15))], tokenizer)
    first, last = row.labels["start_positions"], row.labels["end_positions"]
    assert tokenizer.decode(row.input_ids[first : last + 1]) == "under the bench"
    assert row.token_type_ids[first] == 1
    (row,) = encode([Question(context, "Who bought the pebble?", None)], tokenizer)
    assert row.labels == {"start_positions": 0, "end_positions": 0}
    assert row.input_ids[0] == tokenizer.cls_token_id


def test_every_answer_of_the_town_decodes_to_itself(tokenizer: Any) -> None:  # noqa: ANN401
    examples = questions(5, 200)
    for example, row in zip(examples, encode(examples, tokenizer), strict=True):
        first, last = row.labels["start_positions"], row.labels["end_positions"]
        decoded = tokenizer.decode(row.input_ids[first : last + 1]) if example.answer else ""
        assert decoded == example.answer_text.lower().replace("é", "e")


def test_a_batch_is_padded_and_padding_has_no_label(tokenizer: Any) -> None:  # noqa: ANN401
    rows = encode(names(5, 3), tokenizer)
    batch = collate(rows)
    longest = max(len(row.input_ids) for row in rows)
    assert all(part.shape == (3, longest) for part in batch.values())
    for place, row in enumerate(rows):
        seq_len = len(row.input_ids)
        assert batch["attention_mask"][place].sum() == seq_len
        assert (batch["labels"][place, seq_len:] == IGNORED).all()
        assert not batch["input_ids"][place, seq_len:].any()


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        ([], "examples of none: give one or more"),
        ([Labelled("a", "sad"), Pair("a", "b", "neither")], "examples of Labelled, Pair"),
        ([Labelled("a", "cheerful")], "label 'cheerful' is none of glad, sad, angry, afraid"),
    ],
)
def test_examples_that_do_not_go_together_are_refused(examples: Any, message: str, tokenizer: Any) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match=message):
        encode(examples, tokenizer)
