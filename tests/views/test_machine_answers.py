"""The machine's answers in the page are those of Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from transformers import BertForMaskedLM, BertForPreTraining, BertModel

from bertviz_lite import load
from bertviz_lite.views import Machine, ViewError
from bertviz_lite.views.base.asking import unpack_found
from bertviz_lite.views.machine import readings
from tests.helpers.page_answers import Refused, page_answers
from tests.helpers.tiny_models import SPECIAL, WORDS, make
from tests.views.test_fill_in import tiny_tokenizer

if TYPE_CHECKING:
    from collections.abc import Mapping

ASKED: list[tuple[str, dict[str, Any], str | None]] = [
    ("pocket", {"text": "Anna is hungry, so [MASK] eats an apple."}, None),
    ("pocket", {"text": "Anna is hungry .", "text_pair": "So she eats an apple ."}, None),
    ("pocket", {"text": "é 猫 \U0001f600 un\u200bhappy\u202e"}, None),
    ("pocket", {"text": "the key " * 60}, None),
    ("pocket", {"text": "Anna is hungry .", "text_pair": "So she eats ."}, "layer/0"),
    ("pocket", {"text": "Anna is hungry."}, "layer/3"),
    ("tiny", {"text": "the cat [MASK] the [MASK] ."}, None),
    ("tiny", {"text": "the cat"}, "layer/1"),
    ("untied", {"text": "the cat"}, None),
    ("bare", {"text": "the cat", "text_pair": "a dog"}, None),
    ("tiny", {"text": "the cat"}, "layer/2"),
    ("tiny", {"text": "the cat"}, "layer/x"),
    ("tiny", {"text": "the cat"}, "words"),
    ("pocket", {"text": " \u2003"}, None),
    ("pocket", {"text": "the", "text_pair": " "}, None),
    ("pocket", {"text": "the key " * 90}, None),
    ("pocket", {"text": "the key " * 40, "text_pair": "the key " * 40}, None),
]


def python_answer(model: Any, tokenizer: Any, values: Mapping[str, Any], block: str | None) -> Any:  # noqa: ANN401
    try:
        view = Machine(model, tokenizer, **values)
        return view._block(block) if block else {name: getattr(view, name) for name in (*view.asks, "_found")}
    except ViewError as error:
        return Refused(error)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, Any]]:
    """For each question the answer of Python and that of the page."""
    tokenizer, model = load()
    size = len(SPECIAL) + len(WORDS)
    untied = make(BertForMaskedLM, vocab_size=size, hidden_act="gelu_new", tie_word_embeddings=False)
    models = {
        "pocket": (model, tokenizer),
        "tiny": (make(BertForPreTraining, vocab_size=size), tiny_tokenizer()),
        "untied": (untied, tiny_tokenizer()),
        "bare": (make(BertModel, vocab_size=size), tiny_tokenizer()),
    }
    questions = [
        (name, {"type": "block" if block else "ask", "name": block, "values": {"text_pair": "", **values}})
        for name, values, block in ASKED
    ]
    in_page = page_answers(tmp_path_factory.mktemp("answers"), "machine", models, questions)
    in_python = [python_answer(*models[name], values, block) for name, values, block in ASKED]
    return list(zip(in_python, in_page, strict=True))


def test_every_question_is_answered_or_refused_in_the_words_of_python(both: list[tuple[Any, Any]]) -> None:
    for asked, (python, page) in zip(ASKED, both, strict=True):
        if isinstance(python, Refused):
            assert page == python, asked
        elif isinstance(python, bytes):
            assert unpack_found(page)[0] == unpack_found(python)[0], asked
        else:
            assert {**page, "_found": b""} == {**python, "_found": b""}
            assert unpack_found(page["_found"])[0] == unpack_found(python["_found"])[0], asked
    assert sum(isinstance(python, Refused) for python, _ in both) == 7


def test_every_vector_is_that_of_python(both: list[tuple[Any, Any]]) -> None:
    compared = 0
    for python, page in both:
        if isinstance(python, Refused):
            continue
        found = [answer if isinstance(answer, bytes) else answer["_found"] for answer in (python, page)]
        (_, expected), (_, numbers) = map(readings.unpack, found)
        for name, array in expected.items():
            np.testing.assert_allclose(numbers[name], array, rtol=2e-4, atol=2e-5, err_msg=name)
            compared += 1
    assert compared > 60
