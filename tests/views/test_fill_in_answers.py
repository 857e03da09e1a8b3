"""The fill-in view's answers in the page are those of Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from transformers import BertForMaskedLM, BertForPreTraining, BertForSequenceClassification

from bertviz_lite import load
from bertviz_lite.views import FillIn, ViewError
from bertviz_lite.views.base.asking import unpack_found
from tests.helpers.page_answers import Refused, page_answers
from tests.helpers.tiny_models import SPECIAL, WORDS, make
from tests.views.test_fill_in import tiny_tokenizer

if TYPE_CHECKING:
    from collections.abc import Sequence

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("pocket", {"text": "Anna lost her [MASK], so she could not open the door."}),
    ("pocket", {"text": "[MASK] finds the [MASK] in the [MASK] .", "k": 3, "follow": ["key", "Anna"]}),
    ("pocket", {"text": "she [MASK]", "k": 20, "follow": ["[SEP]", "the", "The", "##s"]}),
    ("pocket", {"text": "[MASK]", "k": 1}),
    ("pocket", {"text": "the\tkey [MASK] \u3000 é\u0301 !"}),
    ("tiny", {"text": "the cat [MASK] the [MASK] .", "follow": ["boat"]}),
    ("tiny", {"text": "[MASK] " * 8, "k": 20}),
    ("masked", {"text": "the cat [MASK]", "k": 5}),
    ("pocket", {"text": "no mask here"}),
    ("pocket", {"text": "  \u2003 \x1c"}),
    ("pocket", {"text": "\ufeff"}),
    ("pocket", {"text": "x" * 20_001}),
    ("pocket", {"text": "[MASK] \U0001f600" + "\U0001f600" * 20_000}),
    ("pocket", {"text": "a ☃ [MASK]"}),
    ("pocket", {"text": "[UNK] ☃☃ [MASK] [UNK]" + "☃" * 40}),
    ("pocket", {"text": "the [MASK] " * 90}),
    ("pocket", {"text": "[MASK] .", "follow": [" "]}),
    ("pocket", {"text": "[MASK] .", "follow": ["☃"]}),
    ("pocket", {"text": "[MASK] .", "follow": ["unbelievablenesses"]}),
    ("pocket", {"text": "[MASK] .", "follow": ["a b c d e f g h i j k l m n o p q r s t u v w x y z"]}),
    ("pocket", {"text": "[MASK] .", "follow": ["the", "a", "key", "she", "he", "it", "cat"]}),
    ("class", {"text": "the [MASK]"}),
]


def text_of(asked: Sequence[tuple[str, dict[str, Any]]]) -> list[str]:
    return [f"{model}: {question['text'][:30]!r}" for model, question in asked]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, Any]]:
    """For each question the answer of Python and that of the page."""
    tokenizer, model = load()
    size = len(SPECIAL) + len(WORDS)
    models = {
        "pocket": (model, tokenizer),
        "tiny": (make(BertForPreTraining, vocab_size=size), tiny_tokenizer()),
        "masked": (make(BertForMaskedLM, vocab_size=size, hidden_act="gelu_new"), tiny_tokenizer()),
        "class": (make(BertForSequenceClassification, vocab_size=size), tiny_tokenizer()),
    }
    asked = [(name, {"k": 8, "follow": [], **values}) for name, values in ASKED]
    in_page = page_answers(
        tmp_path_factory.mktemp("answers"),
        "fill_in",
        models,
        [(name, {"type": "ask", "values": values}) for name, values in asked],
    )
    in_python = []
    for name, values in asked:
        try:
            view = FillIn(*models[name], **values)
        except ViewError as error:
            in_python.append(Refused(error))
        else:
            in_python.append({trait: getattr(view, trait) for trait in (*FillIn.asks, "_found")})
    return list(zip(in_python, in_page, strict=True))


def test_every_question_is_answered_or_refused_in_the_words_of_python(both: list[tuple[Any, Any]]) -> None:
    for asked, (python, page) in zip(text_of(ASKED), both, strict=True):
        if isinstance(python, Refused):
            assert page == python, asked
        else:
            assert {**page, "follow": tuple(page["follow"]), "_found": b""} == {**python, "_found": b""}
            assert unpack_found(page["_found"])[0] == unpack_found(python["_found"])[0], asked
    assert sum(isinstance(python, Refused) for python, _ in both) == 14


def test_probabilities_and_ranks_are_those_of_python(both: list[tuple[Any, Any]]) -> None:
    for python, page in both:
        if not isinstance(python, Refused):
            expected, numbers = (unpack_found(answer["_found"])[1] for answer in (python, page))
            np.testing.assert_allclose(numbers, expected, rtol=2e-4, atol=1e-7)
