"""The page's engine against `tokenizers` and `transformers`: the same ids, numbers and refusals.

All is asked in one process of Node: see js/engine_run.mjs.
"""

from __future__ import annotations

import copy
import hashlib
import json
import subprocess
from dataclasses import dataclass, field
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from tokenizers import normalizers, pre_tokenizers
from transformers import (
    BertForMaskedLM,
    BertForNextSentencePrediction,
    BertForPreTraining,
    BertForSequenceClassification,
    BertForTokenClassification,
    BertModel,
    BertTokenizer,
)

from bertviz_lite import load
from bertviz_lite.capture import CaptureError
from bertviz_lite.views.engine.packed import engine_source, pack_model
from bertviz_lite.views.engine.torch_engine import TorchEngine
from tests.helpers.browser import find_program
from tests.helpers.odd_texts import SCRIPTS, odd_texts, story_texts
from tests.helpers.tiny_models import SPECIAL, WORDS, make

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from bertviz_lite.views.engine.interface import Encoded, Pass

    Floats = npt.NDArray[np.float32]

# test_browser_page_engine asks the same of one page and a few texts.
pytestmark = pytest.mark.thorough

RUNNER = Path(__file__).parent / "js" / "engine_run.mjs"
MOST_OF_ATTENTION, MOST_OF_LOGITS = 2e-6, 5e-5
BLOCKS = range(0, 0x110000, 256)
# Capitals of Unicode 16 and 17, which an older Node.js cannot make small; half characters are no text.
LEFT_OUT = {
    *range(0xA7CB, 0xA7DD),
    *range(0x10D50, 0x10D66),
    *range(0x16EA0, 0x16EB9),
    *range(0xD800, 0xE000),
}
NORMALIZERS = [
    {"clean_text": True, "handle_chinese_chars": True, "strip_accents": True, "lowercase": True},
    {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False},
]
REFUSED: list[tuple[str, str, str | None, str, list[Any]]] = [
    ("pocket", "", None, "run", []),
    ("pocket", " \x1c\u2003", None, "run", []),
    ("pocket", "a", "\n", "run", []),
    ("pocket", "\u200b", None, "run", []),
    ("pocket", "ab\ud83d cd", None, "run", []),
    ("pocket", "the key " * 100, None, "run", []),
    ("pocket", "the key", None, "run", [{"9": "key"}]),
    ("pocket", "the key", None, "run", [{"1": "Schlüsselbund"}]),
    ("pocket", "the key", None, "run", [{"1": "☃"}]),
    ("pocket", "the key", None, "run", [{"1": "it's"}]),
    ("pocket", "the key", None, "run", [{}, [[4, 0]]]),
    ("pocket", "the key", None, "run", [{}, [[0, -1]]]),
    ("bare", "the cat", None, "readLayers", [[1]]),
    ("tanh", "the cat", None, "judgePair", []),
]


@dataclass
class Question:
    """What one engine is asked about one text."""

    model: str
    text: str | None
    pair: str | None = None
    ask: str = "run"
    given: list[Any] = field(default_factory=list)
    simd: bool = True


Answer = dict[str, Any]


@dataclass
class Answers:
    """All that Node found."""

    models: dict[str, tuple[PreTrainedModel, PreTrainedTokenizerBase]]
    ids: dict[str, list[tuple[str, str | None, int | None]]]
    asked: list[Question]
    found: dict[str, Any]
    numbers: Floats

    def of(self, ask: str, models: set[str]) -> Iterator[tuple[Question, Answer, Floats]]:
        """Return the questions of a kind about some models, with their answers."""
        start = 0
        for question, answer in zip(self.asked, self.found["answers"], strict=True):
            stop = start + answer.get("count", 0)
            if question.ask == ask and question.model in models and "refused" not in answer:
                yield question, answer, self.numbers[start:stop]
            start = stop

    def engine(self, name: str) -> TorchEngine:
        return TorchEngine(*self.models[name])


def spelling(texts: list[str], *, lower: bool) -> BertTokenizer:
    """Make a tokenizer that can spell all letters of the texts, so that each counts."""
    empty = BertTokenizer(vocab={token: i for i, token in enumerate(SPECIAL)}, do_lower_case=lower)
    backend = empty.backend_tokenizer
    letters = sorted({letter for text in texts for letter in backend.normalizer.normalize_str(text)})
    vocab = [*SPECIAL, *letters, *(f"##{letter}" for letter in letters), "the", "##ey"]
    return BertTokenizer(vocab={token: i for i, token in enumerate(vocab)}, do_lower_case=lower)


def all_models() -> dict[str, tuple[PreTrainedModel, PreTrainedTokenizerBase]]:
    tiny = BertTokenizer(vocab={token: i for i, token in enumerate((*SPECIAL, *WORDS))}, do_lower_case=True)
    cased = BertTokenizer(vocab={token: i for i, token in enumerate((*SPECIAL, *WORDS))}, do_lower_case=False)
    tokenizer, model = load()
    odd = {"hidden_size": 15, "num_attention_heads": 3, "intermediate_size": 21}  # no multiples of four
    models: dict[str, tuple[PreTrainedModel, PreTrainedTokenizerBase]] = {
        "pocket": (model, tokenizer),
        "tanh": (make(BertForMaskedLM, hidden_act="gelu_new"), cased),
        "untied": (make(BertForPreTraining, tie_word_embeddings=False, **odd), tiny),
        "half": (make(BertForPreTraining).half().float(), tiny),
        "text class": (make(BertForSequenceClassification, num_labels=3), tiny),
        "token class": (make(BertForTokenClassification, num_labels=5, **odd), tiny),
        "next": (make(BertForNextSentencePrediction), tiny),
        "bare": (make(BertModel, add_pooling_layer=False), tiny),
    }
    return {name: (one.eval(), its) for name, (one, its) in models.items()}


def all_ids(
    models: dict[str, tuple[PreTrainedModel, PreTrainedTokenizerBase]],
) -> dict[str, list[tuple[str, str | None, int | None]]]:
    """Return by tokenizer: text, second text, longest length."""
    stories, odd = story_texts(20_260, 700), odd_texts(1, 900)
    few = odd_texts(2, 300)
    models["spelling"] = (make(BertModel), spelling([*few, *SCRIPTS], lower=True))
    models["spelling cased"] = (make(BertModel), spelling([*few, *SCRIPTS], lower=False))
    long = [" ".join(stories[i : i + 30]) for i in range(0, 60, 3)]
    pocket: list[tuple[str, str | None, int | None]] = [(text, None, None) for text in [*stories, *odd]]
    pocket += [(text, pair, None) for text, pair in zip(stories[::3], stories[1::3], strict=False)]
    pocket += [(text, pair, None) for text, pair in zip(odd[::3], odd[1::3], strict=False)]
    pocket += [(text, None, most) for text, most in product(long, (128, 17, 2))]
    pocket += [(one, other, most) for one, other in zip(long, stories, strict=False) for most in (128, 40, 9)]
    pocket += [(one, other, most) for one, other in zip(stories, long, strict=False) for most in (127, 3)]
    pocket += [(one, other, 64) for one, other in zip(long, reversed(long), strict=True)]
    spelled: list[tuple[str, str | None, int | None]] = [(text, None, None) for text in [*few, *SCRIPTS]]
    return {"pocket": pocket, "spelling": spelled, "spelling cased": spelled}


def all_questions() -> list[Question]:
    stories = story_texts(20_260, 700)
    asked = [Question("pocket", text) for text in stories[:110]]
    asked += [Question("pocket", a, b) for a, b in zip(stories[200:240], stories[240:280], strict=True)]
    asked += [Question("pocket", text) for text in odd_texts(3, 60)[11:] if 0 < len(text.strip()) < 60]
    long = [" ".join(stories[i : i + 30]) for i in range(2)]
    cut = [" ".join(text.split()[:85]) for text in long]
    asked += [Question("pocket", text, simd=simd) for text in cut for simd in (True, False)]
    for number, text in enumerate(stories[300:350]):
        edits = {str(1 + number % 4): ("[MASK]", "key", "The", "[SEP]")[number % 4]} if number % 3 else {}
        heads = [[layer, (number + layer) % 6] for layer in range(number % 5)]
        asked.append(Question("pocket", text, given=[edits, heads]))
    asked += [Question("pocket", text, given=[{}, [[1, head] for head in range(6)]]) for text in stories[:2]]
    texts = ["The cat sits, the Dog sleeps.", "she walks", "a bird sings over the river near the house ."]
    for model in ("tanh", "untied", "half", "text class", "token class", "next", "bare"):
        pairs = [(text, None) for text in texts] + [(texts[1], texts[2])]
        asked += [Question(model, *pair) for pair in pairs]
        asked += [Question(model, texts[0], given=[{"2": "[MASK]"}, [[0, 1], [1, 0]]])]
        if model.endswith("class"):
            asked += [Question(model, *pair, ask="classify") for pair in pairs]
    for number, text in enumerate(stories[400:420]):
        asked.append(Question("pocket", text, ask="readLayers", given=[[1, 2, 4]]))
        asked.append(Question("pocket", text, stories[421 + number], "judgePair", [[[], [1], [2, 5]]]))
    asked += [Question(model, *pairs[-1], ask="judgePair") for model in ("untied", "next")]
    asked += [Question(model, texts[2], ask="readLayers", given=[[3, 0]]) for model in ("tanh", "untied")]
    asked.append(Question("pocket", "the key", "a cat", "readLayers", [[1, 5]]))
    for number, question in enumerate(asked):
        question.simd = question.simd and number % 2 == 0
    asked += [Question("pocket", None, None, "tokenize", [text]) for text in texts]
    asked += [Question("pocket", None, None, "names", [[0, 5, 3749, 3750]])]
    asked += [Question("pocket", None, None, "idOf", [token]) for token in ("the", "[MASK]", "The", "")]
    return asked + [Question(model, a, b, ask, given) for model, a, b, ask, given in REFUSED]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    node = find_program(["node", "nodejs"], "Node.js")
    models = all_models()
    ids = all_ids(models)
    asked = all_questions()
    folder = tmp_path_factory.mktemp("engine")
    for name, parts in models.items():
        (folder / f"{name}.bin").write_bytes(pack_model(*parts).data)
    (folder / "engine.mjs").write_text(engine_source(), encoding="utf-8")
    questions = {
        "models": list(models),
        "ids": ids,
        "blocks": list(BLOCKS),
        "left_out": sorted(LEFT_OUT),
        "normalizers": NORMALIZERS,
        "asked": [vars(question) for question in asked],
    }
    (folder / "questions.json").write_text(json.dumps(questions), encoding="ascii")
    run = subprocess.run(
        [node, str(RUNNER), str(folder)], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert run.returncode == 0, run.stderr
    found = json.loads((folder / "answers.json").read_text(encoding="utf-8"))
    numbers = np.fromfile(folder / "numbers.bin", dtype="<f4")
    return Answers(models, ids, asked, found, numbers)


# ---- ids


def test_more_than_two_thousand_texts_get_the_ids_of_tokenizers(answers: Answers) -> None:
    assert sum(map(len, answers.ids.values())) > 2_500
    for name, cases in answers.ids.items():
        tokenizer = answers.models[name][1]
        for (text, pair, most), (ids, segments) in zip(cases, answers.found["ids"][name], strict=True):
            cut = {} if most is None else {"truncation": "longest_first", "max_length": most}
            wanted = tokenizer(text, pair, verbose=False, **cut)
            assert ids == wanted["input_ids"], (name, text, pair, most)
            assert segments == wanted["token_type_ids"], (name, text, pair, most)


@pytest.mark.parametrize("number", range(len(NORMALIZERS)))
def test_every_character_of_unicode_is_treated_as_by_tokenizers(answers: Answers, number: int) -> None:
    normalizer, cutter = normalizers.BertNormalizer(**NORMALIZERS[number]), pre_tokenizers.BertPreTokenizer()
    differing = []
    for start, found in zip(BLOCKS, answers.found["blocks"][number], strict=True):
        letters = (chr(code) for code in range(start, start + 256) if code not in LEFT_OUT)
        text = normalizer.normalize_str(" ".join(f"a{letter}b" for letter in letters))
        words = "\n".join(word for word, _ in cutter.pre_tokenize_str(text))
        if hashlib.md5(words.encode(), usedforsecurity=False).hexdigest() != found:
            differing.append(hex(start))
    assert not differing


# ---- numbers


def torch_pass(engine: TorchEngine, question: Question) -> tuple[Floats, Floats, Encoded, Pass]:
    """Return weights, all other numbers in the page's order, the text as read, and the pass."""
    edits, heads = question.given or ({}, [])
    encoded = engine.encode(str(question.text), question.pair)
    seen = engine.run(
        encoded, {int(position): token for position, token in edits.items()}, [tuple(pair) for pair in heads]
    )
    bert: Any = engine.model.base_model
    values, states = [], [torch.tensor(states).to(bert.dtype) for states in seen.hidden_states]
    with torch.no_grad():
        for layer, hidden in zip(bert.encoder.layer, states[:-1], strict=True):
            flat = layer.attention.self.value(hidden).float().numpy()
            values.append(flat.reshape(len(flat), bert.config.num_attention_heads, -1).transpose(1, 0, 2))
        pooled = [] if bert.pooler is None else [bert.pooler(states[-1][None]).float().numpy()]
    logits = [] if seen.logits is None else [seen.logits]
    others = [*seen.queries, *seen.keys, *values, *seen.hidden_states, *logits, *pooled]
    return _joined(seen.attentions), _joined(others), encoded, seen


@pytest.fixture(scope="module")
def exact(answers: Answers) -> dict[str, TorchEngine]:
    """Return torch's engines in float64: their digits do not depend on the processor, as float32's do."""
    return {
        name: TorchEngine(copy.deepcopy(model).double(), its) for name, (model, its) in answers.models.items()
    }


def _joined(arrays: Iterable[Floats]) -> Floats:
    return np.concatenate([array.ravel() for array in arrays])


def largest(one: Floats, other: Floats) -> float:
    assert one.shape == other.shape
    return float(np.abs(one - other).max())


def test_passes_are_those_of_torch(answers: Answers, exact: dict[str, TorchEngine]) -> None:
    """Attention, queries, keys, values, hidden states, logits; tokens replaced and heads off.

    Torch's float32 rounds too, with the pocket model by up to 1.3e-6 of a weight and 6e-5 of a logit: so what
    is asked is that the page is as near to float64, and no further from float32 than both roundings together.
    """
    found: list[tuple[float, ...]] = []
    lengths = set()
    for question, answer, numbers in answers.of("run", {*answers.models}):
        weights, others, encoded, seen = torch_pass(answers.engine(question.model), question)
        exact_weights, exact_others, _, _ = torch_pass(exact[question.model], question)
        check_tokens(answer, encoded, seen)
        middle = weights.size
        found.append(
            (
                *(largest(numbers[:middle], exact_weights), largest(numbers[:middle], weights)),
                *(largest(weights, exact_weights), largest(numbers[middle:], exact_others)),
                *(largest(numbers[middle:], others), largest(others, exact_others)),
            )
        )
        lengths.add(len(seen.tokens))
    weights64, weights32, rounding, others64, others32, others_rounding = np.max(found, axis=0)
    print(
        f"\n{len(found)} passes: attention within {weights64:.1e} of float64 and {weights32:.1e} of float32 "
        f"(torch itself: {rounding:.1e}); all else within {others64:.1e} and {others32:.1e} "
        f"(torch itself: {others_rounding:.1e})"
    )
    assert len(found) > 250
    assert max(lengths) > 100
    assert weights64 <= MOST_OF_ATTENTION
    assert weights32 <= MOST_OF_ATTENTION + rounding
    assert np.median([one[1] for one in found]) <= MOST_OF_ATTENTION / 2
    assert others64 <= MOST_OF_LOGITS
    assert others32 <= MOST_OF_LOGITS + others_rounding


def check_tokens(answer: Answer, encoded: Encoded, seen: Pass) -> None:
    tokens = seen.kinds["self"].query_tokens
    for name in ("input_ids", "segments", "special", "attention_mask", "words"):
        assert answer["tokens"][name] == getattr(tokens, name).tolist(), (name, tokens)
    assert tuple(answer["tokens"]["tokens"]) == tokens.tokens
    words = [(word["text"], word["start"], word["stop"], word["segment"]) for word in answer["words"]]
    assert words == [tuple(word) for word in encoded.words]
    scores = seen.kinds["self"].scores
    assert scores is not None
    assert answer["scaling"] == pytest.approx(scores[0].scaling)
    assert scores[0].bias is None


def test_the_lens_reads_every_layer_as_torch_does(answers: Answers, exact: dict[str, TorchEngine]) -> None:
    checked = 0
    for question, _, numbers in answers.of("readLayers", {"pocket", "tanh", "untied"}):
        engine = exact[question.model]
        wanted = engine.read_layers(engine.encode(str(question.text), question.pair), question.given[0])
        np.testing.assert_allclose(numbers, wanted.ravel(), rtol=0, atol=MOST_OF_LOGITS)
        checked += 1
    assert checked >= 23


def test_pairs_are_judged_as_by_torch(answers: Answers, exact: dict[str, TorchEngine]) -> None:
    checked = 0
    for question, _, numbers in answers.of("judgePair", {"pocket", "untied", "next"}):
        engine = exact[question.model]
        wanted = engine.judge_pair(engine.encode(str(question.text), question.pair), *question.given)
        np.testing.assert_allclose(numbers, wanted, rtol=0, atol=MOST_OF_LOGITS)
        checked += 1
    assert checked >= 22


def test_classes_are_those_of_torch(answers: Answers) -> None:
    checked = 0
    for question, answer, numbers in answers.of("classify", {"text class", "token class"}):
        model, tokenizer = answers.models[question.model]
        with torch.no_grad():
            wanted = model(**tokenizer(question.text, question.pair, return_tensors="pt")).logits
        np.testing.assert_allclose(numbers, wanted.numpy().ravel(), rtol=0, atol=MOST_OF_LOGITS)
        assert answer["labels"] == [f"LABEL_{number}" for number in range(wanted.shape[-1])]
        checked += 1
    assert checked == 8


# ---- the rest of the interface


def test_names_ids_and_facts_are_those_of_python(answers: Answers) -> None:
    engine = answers.engine("pocket")
    methods = {"tokenize": engine.tokenize, "names": engine.names, "idOf": engine.id_of}
    for ask, method in methods.items():
        for question, answer, _ in answers.of(ask, {"pocket"}):
            wanted: Any = method(*question.given)
            assert answer["found"] == wanted, question
    for name in answers.models:
        for simd in ("true", "false"):
            facts = vars(answers.engine(name).facts)
            assert answers.found["facts"][f"{name}/{simd}"] == facts | {
                "special_ids": [*facts["special_ids"]]
            }


def test_refusals_are_in_the_words_of_python(answers: Answers) -> None:
    methods = {"run": "run", "readLayers": "read_layers", "judgePair": "judge_pair"}
    refused = islice(
        zip(answers.asked, answers.found["answers"], strict=True), len(answers.asked) - len(REFUSED), None
    )
    for question, answer in refused:
        engine = answers.engine(question.model)
        given = [
            {int(position): token for position, token in value.items()} if isinstance(value, dict) else value
            for value in question.given
        ]
        with pytest.raises((CaptureError, TypeError)) as error:
            getattr(engine, methods[question.ask])(engine.encode(str(question.text), question.pair), *given)
        assert answer.get("refused") == str(error.value), question


def test_node_multiplies_in_both_ways(answers: Answers) -> None:
    assert answers.found["multipliers"] == ["WebAssembly SIMD", "plain JavaScript"]
