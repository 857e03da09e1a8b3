"""The pair view's answers in the page are those of Python."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from transformers import BertForNextSentencePrediction, BertForPreTraining

from bertviz_lite import load
from bertviz_lite.views import PairView, ViewError
from bertviz_lite.views.base.asking import unpack_found
from tests.helpers.odd_texts import odd_texts, story_texts
from tests.helpers.page_answers import Refused, page_answers
from tests.helpers.tiny_models import SPECIAL, WORDS, make
from tests.views.test_fill_in import tiny_tokenizer

pytestmark = pytest.mark.thorough

STORIES = story_texts(512, 26)
ASKED = [
    *(("pocket", first, second) for first, second in pairwise(STORIES)),
    ("pocket", "Anna lost her key.", "[MASK] looked for it [MASK]."),
    ("pocket", "the\tkey [SEP] \u3000 é\u0301 !", "[CLS]"),
    ("pocket", "Tom", "Tom"),
    ("pocket", "She unwrapped the bumblebee-shaped pancake!", "He didn't."),
    ("tiny", "the cat [MASK] .", "the dog runs ."),
    ("next", "the cat .", "[MASK]"),
    ("pocket", "", "a key"),
    ("pocket", "a key", " \u2003 \x1c"),
    ("pocket", "\ufeff", "a key"),
    ("pocket", "\u200b", "\u200b"),
    ("pocket", "a key", "x" * 20_001),
    ("pocket", "a ☃ key", "a key"),
    ("pocket", "a key", "[UNK] ☃☃ [MASK] [UNK]" + "☃" * 40),
    ("pocket", "the key " * 50, "the door " * 50),
    ("pocket", "the key " * 31, "the door " * 31 + "!"),
    *(("pocket", text, "It is odd.") for text in odd_texts(7, 40)[20:]),
]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, Any, Any]]:
    """For each question the answer of Python, and the page's to "ask" and to the block "words"."""
    tokenizer, model = load()
    size = len(SPECIAL) + len(WORDS)
    models = {
        "pocket": (model, tokenizer),
        "tiny": (make(BertForPreTraining, vocab_size=size), tiny_tokenizer()),
        "next": (make(BertForNextSentencePrediction, vocab_size=size), tiny_tokenizer()),
    }
    questions = [
        (name, {"type": kind, "name": "words", "values": {"first": first, "second": second}})
        for name, first, second in ASKED
        for kind in ("ask", "block")
    ]
    in_page = page_answers(tmp_path_factory.mktemp("answers"), "pair", models, questions)
    views = {name: PairView(*its, "the cat .", "the dog .") for name, its in models.items()}
    in_python: list[Any] = []
    for name, first, second in ASKED:
        view = views[name]
        try:
            view._take({"first": first, "second": second})
        except ViewError as error:
            in_python.append(Refused(error))
        else:
            asked = {trait: getattr(view, trait) for trait in (*PairView.asks, "word", "_found")}
            in_python.append((asked, view._block("words")))
    return list(zip(in_python, in_page[::2], in_page[1::2], strict=True))


def test_every_pair_is_judged_or_refused_in_the_words_of_python(both: list[tuple[Any, Any, Any]]) -> None:
    for (_, first, _), (python, asked, words) in zip(ASKED, both, strict=True):
        if isinstance(python, Refused):
            assert asked == words == python, first
            continue
        assert {**asked, "_found": b""} == {**python[0], "_found": b""}
        for page, expected in ((asked["_found"], python[0]["_found"]), (words, python[1])):
            facts, truth = (unpack_found(found)[0] for found in (page, expected))
            assert facts == {
                **truth,
                "probability": pytest.approx(truth["probability"], abs=1e-5),
                "log_odds": pytest.approx(truth["log_odds"], abs=5e-5),
            }
    refused = sum(isinstance(python, Refused) for python, _, _ in both)
    assert 10 <= refused <= len(ASKED) - 40


def test_what_hiding_each_word_changes_is_what_python_says(both: list[tuple[Any, Any, Any]]) -> None:
    for python, _, words in both:
        if not isinstance(python, Refused):
            (shares, odds), expected = (unpack_found(found)[1].reshape(2, -1) for found in (words, python[1]))
            np.testing.assert_allclose(shares, expected[0], atol=1e-5, rtol=0)
            np.testing.assert_allclose(odds, expected[1], atol=5e-5, rtol=0)
            assert np.isfinite(shares).all()


def test_there_is_no_other_block(tmp_path: Any) -> None:  # noqa: ANN401
    tokenizer, model = load()
    values = {"first": "a key", "second": "a door"}
    (page,) = page_answers(
        tmp_path,
        "pair",
        {"pocket": (model, tokenizer)},
        [("pocket", {"type": "block", "name": "tables", "values": values})],
    )
    with pytest.raises(ViewError) as refused:
        PairView(model, tokenizer, **values)._block("tables")
    assert page == Refused(refused.value)
