"""The explorer's answers in the page are those of Python: its sides, weights, predictions and refusals."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from transformers import BertForMaskedLM, BertForPreTraining, BertModel

from bertviz_lite import capture, load
from bertviz_lite.views import Explorer, ViewError
from bertviz_lite.views.attention.passes.weights import encode_rows, summarise
from bertviz_lite.views.engine.torch_engine import TorchEngine
from tests.helpers.odd_texts import odd_texts, story_texts
from tests.helpers.page_answers import Refused, page_answers
from tests.helpers.tiny_models import SPECIAL, WORDS, make
from tests.views.test_fill_in import tiny_tokenizer

ASKS = ("text", "text_pair", "edits", "heads_off", "side", "query", "key", "direction", "_meta", "_version")
STORIES = story_texts(514, 40)
BLOCKS = ("thumbs", "stats", "mean", "max", "layer/0", "layer/1", "rollout/1", "exact/1/0/1", "why/0/1")
NO_BLOCKS = (
    "",
    "0",
    "0/self",
    "2/self/mean",
    "0/cross/mean",
    "0/self/layer/99",
    "0/self/exact/0/0",
    "0/self/why/0/-1",
)


@dataclass
class Case:
    """A text that is shown, and what is asked then."""

    text: str
    pair: str = ""
    then: dict[str, Any] = field(default_factory=dict)
    """New values of traits."""
    before: dict[str, Any] = field(default_factory=dict)
    """Traits that were set before."""
    model: str = "pocket"


CASES = [
    *(Case(text) for text in STORIES[:8]),
    *(Case(first, second) for first, second in pairwise(STORIES[8:14])),
    *(Case(text, then={"edits": {"2": "[MASK]"}}) for text in STORIES[14:20]),
    *(Case(text, then={"heads_off": [[1, 2], [0, 1]]}) for text in STORIES[20:26]),
    *(
        Case(text, then={"edits": {"1": "[MASK]", "3": "the"}, "heads_off": [[2, 0]]})
        for text in STORIES[26:30]
    ),
    Case("Anna lost her [MASK] in the [MASK].", then={"heads_off": [[3, head] for head in range(6)]}),
    Case("Anna lost her [MASK].", then={"edits": {"4": "key", "2": "Finds", "1": "anna"}}),
    Case("Anna lost her key.", "She cries.", {"edits": {"5": "[SEP]", "2": "[PAD]"}}, {"direction": "B→A"}),
    Case("Anna lost her key.", then={"edits": {}}, before={"edits": {"2": "[MASK]"}, "side": "difference"}),
    Case(
        "Anna lost her key.",
        then={"edits": {"3": "[MASK]"}},
        before={"heads_off": [[0, 0]], "side": "second"},
    ),
    Case(
        "Anna lost it.",
        then={"text": "Tom finds a door."},
        before={"edits": {"2": "[MASK]"}, "heads_off": [[1, 1]]},
    ),
    Case(
        "Anna lost it.",
        "He ran.",
        {"text": "Tom.", "text_pair": ""},
        {"direction": "A→B", "query": 7, "key": 1},
    ),
    Case("Anna lost it.", then={"text_pair": "She has a cat."}, before={"edits": {"2": "[MASK]"}}),
    Case("the cat sees [MASK] .", then={"heads_off": [[0, 0]]}, model="tiny"),
    Case("the cat sees the dog .", then={"heads_off": [[0, 0]]}, model="masked"),
    Case("the cat sees the dog .", then={"edits": {"1": "[MASK]"}}, model="headless"),
    Case(" ".join(["the cat sees the dog ."] * 20), then={"heads_off": [[1, 1]]}, model="tiny"),
    Case("unbelievablenesses bumblebee-shaped!"),
    *(Case(text) for text in odd_texts(9, 34)[22:]),
    *(
        Case("a key", then={"text": text})
        for text in ("", " \u2003", "\u200b", "x" * 20_001, "the key " * 90)
    ),
    Case("a key", then={"text": "", "text_pair": "a door"}),
    Case("a key", then={"text_pair": "\x1c"}),
    Case("a key", then={"edits": {"9": "[MASK]"}}),
    Case("a key", then={"edits": {"1": ""}}),
    Case("a key", then={"edits": {"1": "☃"}}),
    Case("a key", then={"edits": {"1": "unbelievablenesses"}}),
    Case("a key", then={"heads_off": [[9, 0]]}),
    Case("a key", then={"heads_off": [[0, 0], [1, 4]]}),
]


@cache
def models() -> dict[str, Any]:
    tokenizer, model = load()
    size = len(SPECIAL) + len(WORDS)
    return {
        "pocket": (model, tokenizer),
        "tiny": (make(BertForPreTraining, vocab_size=size, max_position_embeddings=256), tiny_tokenizer()),
        "masked": (make(BertForMaskedLM, vocab_size=size), tiny_tokenizer()),
        "headless": (make(BertModel, vocab_size=size), tiny_tokenizer()),
        "even": (even_model(size), tiny_tokenizer()),
    }


def even_model(vocab_size: int) -> BertModel:
    """Make a model whose heads attend to all tokens nearly alike."""
    model = make(BertModel, vocab_size=vocab_size, max_position_embeddings=256)
    assert isinstance(model, BertModel)
    for layer in model.encoder.layer:
        for part in layer.attention.self.query.parameters():
            part.data *= 0.02
    return model


def values_of(view: Explorer) -> dict[str, Any]:
    return {name: getattr(view, name) for name in ASKS}


def python_answer(view: Explorer, then: dict[str, Any]) -> dict[str, Any] | Refused:
    """Put the question to Python as the page does."""
    try:
        view._take(then)
    except ViewError as error:
        return Refused(error)
    return {**values_of(view), "_predictions": view._predictions}


@dataclass
class Asked:
    """A case with both answers, and blocks of each."""

    case: Case
    python: dict[str, Any] | Refused
    page: Any
    blocks: dict[str, tuple[Any, Any]]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[Asked]:
    engines = {name: TorchEngine(*parts) for name, parts in models().items()}
    questions: list[tuple[str, dict[str, Any]]] = []
    python: list[tuple[Case, Any, dict[str, Any]]] = []
    for case in CASES:
        try:
            view = Explorer(engines[case.model], text=(case.text, case.pair), **case.before)
        except ViewError:
            continue
        questions.append((case.model, {"type": "ask", "values": {**values_of(view), **case.then}}))
        answer = python_answer(view, case.then)
        sides = range(len(view._meta["sides"]))
        names = [*(f"{side}/self/{block}" for side in sides for block in BLOCKS), *NO_BLOCKS]
        blocks = {}
        for name in names if not isinstance(answer, Refused) else ():
            questions.append((case.model, {"type": "block", "name": name, "values": values_of(view)}))
            try:
                blocks[name] = view._block(name)
            except ViewError as error:
                blocks[name] = Refused(error)
        python.append((case, answer, blocks))
    page = iter(page_answers(tmp_path_factory.mktemp("answers"), "attention", models(), questions))
    return [
        Asked(case, answer, next(page), {name: (block, next(page)) for name, block in blocks.items()})
        for case, answer, blocks in python
    ]


def close(expected: Any) -> Any:  # noqa: ANN401
    """Allow the error of float32 in every number that is no whole one."""
    if isinstance(expected, float):
        return pytest.approx(expected, abs=2e-5)
    if isinstance(expected, dict):
        return {name: close(value) for name, value in expected.items()}
    return [close(value) for value in expected] if isinstance(expected, list | tuple) else expected


def test_every_question_is_answered_or_refused_as_python_does(asked: list[Asked]) -> None:
    for each in asked:
        if isinstance(each.python, Refused):
            assert each.page == each.python, each.case
            continue
        traits = {name: each.page[name] for name in each.python}
        assert traits.pop("_version") >= 1
        assert traits.pop("_meta") == {**close(each.python["_meta"])}, each.case
        expected = {name: value for name, value in each.python.items() if name in traits}
        assert traits == close(expected), each.case
    refused = [each for each in asked if isinstance(each.python, Refused)]
    assert len(refused) >= 12
    assert len(asked) - len(refused) >= 50


def test_weights_queries_and_keys_are_those_of_python(asked: list[Asked]) -> None:
    for each in asked:
        for name, (python, page) in each.blocks.items():
            if isinstance(python, Refused):
                assert page == python, name
            elif "exact" in name or "why" in name:
                expected, numbers = (np.frombuffer(block, "<f4") for block in (python, page))
                atol = 2e-6 if "exact" in name else 2e-5
                np.testing.assert_allclose(
                    numbers, expected, atol=atol, rtol=0, err_msg=f"{each.case} {name}"
                )


def test_what_is_drawn_differs_by_one_step_in_a_few_cells_at_most(asked: list[Asked]) -> None:
    drawn, different = 0, 0
    for each in asked:
        for name, (python, page) in each.blocks.items():
            if isinstance(python, Refused) or not isinstance(python, bytes):
                continue
            if name.endswith("stats"):
                expected, numbers = (np.frombuffer(block, "<f4") for block in (python, page))
                np.testing.assert_allclose(numbers, expected, atol=5e-3, rtol=0)
            elif not ("exact" in name or "why" in name):
                codes, codes_here = (np.frombuffer(block, np.uint8).astype(int) for block in (python, page))
                assert codes.shape == codes_here.shape
                drawn += codes.size
                different += int((codes != codes_here).sum())
                assert np.abs(codes - codes_here).max() <= 1, (each.case, name)
    assert drawn > 100_000
    assert different < 1e-3 * drawn


def test_a_capture_of_tokens_is_repeated_by_its_ids(tmp_path: Any) -> None:  # noqa: ANN401
    model, tokenizer = models()["pocket"]
    given = tokenizer("Anna unwrapped it.", "She laughs.", return_tensors="pt")
    view = Explorer(capture(model, tokenizer, inputs=given), edits={2: "[MASK]"})
    assert view.text == ""
    (page,) = page_answers(
        tmp_path, "attention", models(), [("pocket", {"type": "ask", "values": values_of(view)})]
    )
    assert page["_meta"] == close(view._meta)
    assert page["_predictions"] == close(view._predictions)


def test_codes_and_numbers_follow_from_the_weights_by_the_same_rules(tmp_path: Any) -> None:  # noqa: ANN401
    """From the page's own weights Python makes the page's codes, also of long even rows, rounded back."""
    text = " ".join(["the cat sees the dog ."] * 34)
    view = Explorer(TorchEngine(*models()["even"]), text=text)
    maps = view.capture.kinds["self"]
    layers, (heads, size, _) = len(maps.attentions), maps.attentions[0].shape
    names = [
        f"0/self/{name}"
        for name in ("thumbs", "mean", "max", "stats", *(f"layer/{i}" for i in range(layers)))
    ]
    names += [f"0/self/rollout/{layer}" for layer in range(layers)]
    exact = [
        f"0/self/exact/{layer}/{head}/{query}"
        for layer in range(layers)
        for head in range(heads)
        for query in range(size)
    ]
    questions = [
        ("even", {"type": "block", "name": name, "values": values_of(view)}) for name in [*names, *exact]
    ]
    blocks = dict(
        zip([*names, *exact], page_answers(tmp_path, "attention", models(), questions), strict=True)
    )
    weights = np.frombuffer(b"".join(blocks[name] for name in exact), "<f4").reshape(
        layers, heads, size, size
    )
    tokens = maps.query_tokens
    summary = summarise(list(weights), special=tokens.special, is_real=tokens.attention_mask, is_self=True)
    rounded_back = 0
    for layer in range(layers):
        codes = np.frombuffer(blocks[f"0/self/layer/{layer}"], np.uint8).reshape(heads, size, size)
        np.testing.assert_array_equal(codes, encode_rows(weights[layer]))
        rounded_back += int((codes != np.rint(255 * np.sqrt(weights[layer]))).sum())
        rollout = np.frombuffer(blocks[f"0/self/rollout/{layer}"], np.uint8).astype(int)
        assert np.abs(rollout - summary.rollout[layer].ravel().astype(int)).max() <= 1
    assert rounded_back > 1000
    for name in ("thumbs", "max"):
        np.testing.assert_array_equal(
            np.frombuffer(blocks[f"0/self/{name}"], np.uint8), getattr(summary, name).ravel()
        )
    stats = np.frombuffer(blocks["0/self/stats"], "<f4")
    np.testing.assert_allclose(stats, summary.stats.ravel(), rtol=1e-5, atol=1e-4)
