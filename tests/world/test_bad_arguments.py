"""What the town's functions cannot work with is refused in one line that says what is needed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bertviz_lite import load, marked, minimal_pairs, stories, word_groups
from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.world import story
from bertviz_lite.world.tasks.sets import feelings, names, questions, sentence_pairs, split

if TYPE_CHECKING:
    from collections.abc import Callable

NO_NUMBERS = [
    None,
    "2",
    "",
    1.0,
    math.nan,
    math.inf,
    True,
    b"1",
    [1],
    np.float32(1),
    np.ones(2),
    10**5000,
    -(2**63),
]
NO_COUNTS = [*NO_NUMBERS, -1, np.int64(-1)]
NO_SHARES = [None, "0.5", math.nan, math.inf, -0.1, 1.5, 10**400, True, [0.5], 1j]

DRAWS: dict[str, Callable[..., Any]] = {
    "stories": stories,
    "story": story,
    "minimal_pairs": minimal_pairs,
    "feelings": feelings,
    "names": names,
    "questions": questions,
    "sentence_pairs": sentence_pairs,
}


def message(call: Callable[[], object]) -> str:
    with pytest.raises(ArgumentError) as caught:
        call()
    line = str(caught.value)
    assert "\n" not in line
    assert 20 < len(line) < 260
    assert caught.value._render_traceback_() == [f"ArgumentError: {line}"]
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, TypeError)
    return line


def test_a_language_that_no_town_writes_in_is_refused() -> None:
    languages: list[Any] = [*NO_NUMBERS, "de", "zh ", "ZH", ["zh"]]
    for language in languages:
        line = message(lambda language=language: stories(1, 1, language=language))
        assert line.endswith("'en' or 'zh' is needed.")


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_a_seed_that_is_no_whole_number_is_refused(draw: Callable[..., Any]) -> None:
    for value in NO_NUMBERS:
        assert message(lambda value=value: draw(value, 1)).startswith("seed")  # type: ignore[misc]


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_a_count_that_is_no_whole_number_of_0_or_more_is_refused(draw: Callable[..., Any]) -> None:
    for value in NO_COUNTS:
        assert "a whole number" in message(lambda value=value: draw(1, value))  # type: ignore[misc]


def test_the_line_names_what_was_given() -> None:
    assert message(lambda: stories(None, 1)) == (  # type: ignore[arg-type]
        "seed=None: a whole number is needed, not None."
    )
    assert message(lambda: stories(1, "2")) == (  # type: ignore[arg-type]
        "n='2': a whole number of 0 or more is needed, not a str."
    )


def test_numbers_of_numpy_are_numbers() -> None:
    (same,) = stories(np.int64(1), np.uint8(1))  # type: ignore[arg-type]
    assert str(same) == str(stories(1, 1)[0])
    assert (same.seed, type(same.seed)) == (1, int)


@pytest.mark.parametrize("vocabulary", [3, "the cat", math.nan, object(), iter(["cat"])])
def test_a_vocabulary_that_cannot_hold_words_is_refused(vocabulary: Any) -> None:  # noqa: ANN401
    assert message(lambda: word_groups(vocabulary)).startswith("vocabulary=")


def test_a_tokenizer_is_no_vocabulary() -> None:
    tokenizer: Any = load("pocket")[0]
    assert "as tokenizer.get_vocab()" in message(lambda: word_groups(tokenizer))
    assert word_groups(tokenizer.get_vocab())["days"]


@pytest.mark.parametrize("text", ["text", None, 3, math.nan, stories(1, 1), stories(1, 1)[0].sentences[0]])
def test_marked_refuses_anything_but_a_story(text: Any) -> None:  # noqa: ANN401
    assert "a story of the town is needed, as stories(seed=1, n=1)[0], not " in message(lambda: marked(text))


@pytest.mark.parametrize("share", NO_SHARES, ids=[str(index) for index in range(len(NO_SHARES))])
def test_a_share_outside_0_to_1_is_refused(share: Any) -> None:  # noqa: ANN401
    assert message(lambda: questions(1, 1, unanswerable=share)).startswith("unanswerable=")


@pytest.mark.parametrize(
    "shares",
    [
        3,
        "glad",
        ["glad"],
        {},
        {"glad": 0},
        {"glad": -1},
        {"glad": math.nan},
        {"glad": "1"},
        {"happy": 1},
        {1: 1},
    ],
)
def test_shares_that_cannot_be_drawn_from_are_refused(shares: Any) -> None:  # noqa: ANN401
    assert message(lambda: feelings(1, 1, shares=shares)).startswith("shares=")


def test_a_split_needs_a_task_and_counts() -> None:
    assert message(lambda: split("feelings", 1, 1)).startswith("task='feelings'")  # type: ignore[arg-type]
    for arguments in [(None, 1), (-1, 1), (1, "1"), (1, -1)]:
        assert "a whole number of 0 or more" in message(
            lambda arguments=arguments: split(feelings, *arguments)  # type: ignore[misc]
        )
