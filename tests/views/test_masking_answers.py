"""The masking lab's answers in the page are those of Python, its random draws included."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from transformers import BertForMaskedLM, BertModel

from bertviz_lite import load
from bertviz_lite.views import MaskingLab, ViewError
from tests.helpers.odd_texts import odd_texts, story_texts
from tests.helpers.page_answers import Refused, page_answers
from tests.helpers.tiny_models import SPECIAL, WORDS, make
from tests.views.test_fill_in import tiny_tokenizer

pytestmark = pytest.mark.thorough

TEXTS = [
    *(("pocket", text) for text in story_texts(513, 30)),
    ("pocket", "Anna unwrapped the bumblebee-shaped pancake!"),
    ("pocket", "Anna [MASK] her [MASK] ##s [UNK] ☃ ."),
    ("pocket", "x"),
    ("pocket", "the key " * 62),
    ("tiny", "the cat sees the dog ."),
    ("headless", "the cat sees the dog ."),
    ("pocket", ""),
    ("pocket", " \u2003 \x1c"),
    ("pocket", "\u200b"),
    ("pocket", "[MASK] [PAD]"),
    ("pocket", "☃"),
    ("pocket", "the key " * 90),
    *(("pocket", text) for text in odd_texts(8, 40)[22:]),
]
TEXT_TRAITS = ("_tokens", "_ids", "_ordinary", "_first", "_drawn_ids", "_drawn_names")
BYTES = ("_luck", "_fate", "_drawn")


def blocks_of(lab: MaskingLab) -> list[str]:
    """Return some blocks of a text, and some that there are not."""
    places = range(0, len(lab.tokens), 3)
    drawn = []
    for seed in (0, 41):
        ids, labels = (part[0].tolist() for part in lab.masked(seed))
        chosen = [f"{place}:{ids[place]}" for place, label in enumerate(labels) if label != -100]
        drawn.append(f"drawn/{','.join(chosen)}")
    refused = [
        "drawn/1:99999999",
        "drawn/0:1",
        "drawn/1",
        "piece/999",
        "piece/-1",
        "piece/",
        "word",
        "drawn/1:2,",
    ]
    return [
        *(f"piece/{place}" for place in places[:4]),
        *(f"word/{place}" for place in places[:4]),
        *drawn,
        *refused,
    ]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Any, Any]]:
    """For each question its name, the answer of Python and that of the page."""
    tokenizer, model = load()
    size = len(SPECIAL) + len(WORDS)
    models = {
        "pocket": (model, tokenizer),
        "tiny": (make(BertForMaskedLM, vocab_size=size), tiny_tokenizer()),
        "headless": (make(BertModel, vocab_size=size), tiny_tokenizer()),
    }
    labs = {name: MaskingLab(*parts, "the cat .", rate=0.4) for name, parts in models.items()}
    questions: list[tuple[str, dict[str, Any]]] = []
    python: list[Any] = []
    for name, text in TEXTS:
        lab = labs[name]
        questions.append((name, {"type": "ask", "values": {"text": text}}))
        try:
            lab.text = text
        except ViewError as error:
            python.append(Refused(error))
            continue
        python.append({trait: getattr(lab, trait) for trait in ("text", "selected", *TEXT_TRAITS, *BYTES)})
        for block in blocks_of(lab):
            questions.append((name, {"type": "block", "name": block, "values": {"text": text}}))
            try:
                python.append(lab._block(block))
            except ViewError as error:
                python.append(Refused(error))
    page = page_answers(tmp_path_factory.mktemp("answers"), "masking", models, questions)
    names = [f"{question['values']['text'][:20]!r} {question.get('name', '')}" for _, question in questions]
    return list(zip(names, python, page, strict=True))


def test_a_text_has_the_tokens_and_the_random_draws_of_python(both: list[tuple[str, Any, Any]]) -> None:
    read = [(name, expected, page) for name, expected, page in both if isinstance(expected, dict)]
    assert len(read) >= 40
    for name, expected, page in read:
        assert page == expected, name


def test_what_python_refuses_the_page_refuses_in_the_same_words(both: list[tuple[str, Any, Any]]) -> None:
    refused = [(name, expected, page) for name, expected, page in both if isinstance(expected, Refused)]
    assert len(refused) >= 40
    for name, expected, page in refused:
        assert page == expected, name


def flat(guesses: Any) -> tuple[list[str], list[float]]:  # noqa: ANN401
    """Take words and numbers out of guesses, in order."""
    if isinstance(guesses, dict):
        guesses = [guesses["before"], guesses["after"]]
    words = [word for *_, top, _ in guesses for word, _ in top]
    numbers = [number for *_, top, truth in guesses for number in [*(share for _, share in top), truth]]
    return words, numbers


def test_the_model_guesses_the_same_words(both: list[tuple[str, Any, Any]]) -> None:
    guessed = [(name, *map(json.loads, pair)) for name, *pair in both if isinstance(pair[0], bytes)]
    assert len(guessed) >= 200
    for name, expected, page in guessed:
        (words, numbers), (words_here, numbers_here) = flat(expected), flat(page)
        assert [each[0] for each in page if isinstance(each, list)] == [
            each[0] for each in expected if isinstance(each, list)
        ]
        np.testing.assert_allclose(numbers_here, numbers, atol=1e-5, rtol=0, err_msg=name)
        assert words_here == words, name


def test_a_draw_is_answered_at_its_chosen_places() -> None:
    tokenizer, model = load()
    lab = MaskingLab(model, tokenizer, "Anna finds her key in the park.", rate=0.4, mask_share=1.0, seed=3)
    masked, labels = (part[0].tolist() for part in lab.masked())
    chosen = [place for place, label in enumerate(labels) if label != -100]
    answers = lab.answers()
    assert list(answers) == chosen
    assert len(chosen) >= 2
    alone = lab.guesses(chosen[0])["after"]
    assert answers[chosen[0]].truth != pytest.approx(alone.truth, abs=1e-9)  # the others are hidden, too
    import torch

    with torch.no_grad():
        logits = model(input_ids=torch.tensor([masked])).prediction_logits[0]
    shares = logits.double().softmax(-1)
    for place in chosen:
        assert answers[place].truth == pytest.approx(float(shares[place, labels[place]]), abs=1e-6)
        best = int(shares[place].argmax())
        assert answers[place].top[0] == (
            tokenizer.convert_ids_to_tokens(best),
            pytest.approx(float(shares[place, best]), abs=1e-6),
        )
