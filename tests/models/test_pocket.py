"""The shipped model: its files, and every score measured again from its weights."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForPreTraining, AutoTokenizer, BertForPreTraining

from bertviz_lite.data.vocabulary import train_tokenizer
from bertviz_lite.evaluation import scores as evaluation
from bertviz_lite.evaluation.scores import NEEDED, EvaluationSet, Scores
from bertviz_lite.models import POCKET
from bertviz_lite.models.loading import load
from bertviz_lite.training.watched import decode_attention

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    return AutoTokenizer.from_pretrained(POCKET)  # type: ignore[return-value]


@pytest.fixture(scope="module")
def model() -> BertForPreTraining:
    return AutoModelForPreTraining.from_pretrained(POCKET)  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def evaluation_set(tokenizer: PreTrainedTokenizerFast) -> EvaluationSet:
    return EvaluationSet.make(tokenizer)


@pytest.fixture(scope="module")
def measured(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast, evaluation_set: EvaluationSet
) -> Scores:
    return evaluation.score(model, tokenizer, evaluation_set)


@pytest.fixture(scope="module")
def recorded() -> Scores:
    return Scores.from_json((POCKET / "scores.json").read_text(encoding="utf-8"))


def test_files_are_small_and_standard(model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast) -> None:
    assert type(model) is BertForPreTraining
    names = {path.name for path in POCKET.iterdir()}
    needed = "README.md config.json history.json history_attention.npz model.safetensors scores.json"
    assert {*needed.split(), "tokenizer.json", "tokenizer_config.json", "vocab.txt"} <= names
    assert not [name for name in names if name.endswith((".bin", ".pt", ".pkl", ".pth"))]
    assert (POCKET / "model.safetensors").stat().st_size <= 5_000_000
    assert (POCKET / "history_attention.npz").stat().st_size <= 300_000
    pieces = (POCKET / "vocab.txt").read_text(encoding="utf-8").splitlines()
    assert pieces == tokenizer.convert_ids_to_tokens(list(range(model.config.vocab_size)))
    assert tokenizer.model_max_length == model.config.max_position_embeddings == 128


def test_the_weights_are_those_of_the_pin_and_of_the_card() -> None:
    digest = hashlib.sha256((POCKET / "model.safetensors").read_bytes()).hexdigest()
    assert (POCKET / "SHA256SUMS").read_text(encoding="utf-8") == f"{digest}  model.safetensors\n"
    assert f"`{digest}`" in (POCKET / "README.md").read_text(encoding="utf-8")


def test_the_weights_are_stored_as_float16_and_loaded_as_float32(model: BertForPreTraining) -> None:
    stored = load_file(POCKET / "model.safetensors")
    assert {weights.dtype for weights in stored.values()} == {torch.float16}
    assert {weights.dtype for weights in load("pocket")[1].parameters()} == {torch.float32}
    assert sum(weights.numel() for weights in model.parameters()) <= 2_500_000


def test_padding_row_is_zero(model: BertForPreTraining) -> None:
    weight = model.bert.embeddings.word_embeddings.weight
    assert model.config.pad_token_id == 0
    assert not weight[0].any()
    assert weight[1:].abs().sum(1).min() > 0


def test_no_trace_of_the_machine_that_made_it() -> None:
    for path in POCKET.iterdir():
        if path.suffix in {".json", ".md", ".txt"}:
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"/(home|root|tmp|work|Users)/|[A-Z]:\\\\", text), path.name


def test_the_card_shows_the_recorded_scores(recorded: Scores) -> None:
    card = (POCKET / "README.md").read_text(encoding="utf-8")
    # Of two rows with one title the first is that of the scores.
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in reversed(card.splitlines())}
    assert set(recorded) == set(evaluation.TITLES)
    for name, score in recorded.items():
        _, value, mark, beside, items = (
            cell.strip() for cell in rows[evaluation.TITLES[name]].split("|")[1:-1]
        )
        assert (value, items) == (f"{score.value:.4f}", f"{score.n:,}"), name
        assert score.needed == NEEDED.get(name), name
        met = "met" if score.passed else "MISSED"
        assert mark == ("" if score.needed is None else f"{score.needed:.2f} {met}"), name
        shown = dict(part.rsplit(" ", 1) for part in beside.split(", "))
        assert {guess: float(share) for guess, share in shown.items()} == pytest.approx(
            score.baselines, abs=0.00056
        ), name


@pytest.mark.slow
def test_the_weights_earn_the_recorded_scores(measured: Scores, recorded: Scores) -> None:
    assert set(measured) == set(recorded)
    for name, score in recorded.items():
        assert measured[name].n == score.n, name
        assert measured[name].value == pytest.approx(score.value, abs=0.005), name
        assert measured[name].baselines == pytest.approx(score.baselines, abs=0.005), name


@pytest.mark.slow
def test_scores_beat_what_is_simpler(measured: Scores) -> None:
    words = measured["masked_words"]
    assert words.value > max(words.baselines.values()) + 0.1
    senses = measured["senses"]
    assert senses.value > senses.baselines["static embedding"] + 0.2
    assert senses.details["words"] >= 10
    person = measured["head.person"]
    assert person.value > max(person.baselines.values()) + 0.4
    assert len(measured["minimal_pairs"].details) == 9
    assert min(measured["minimal_pairs"].details.values()) > 0.8


@pytest.mark.slow
def test_whole_stories_fit(evaluation_set: EvaluationSet) -> None:
    assert evaluation_set.fitting > 0.95


def test_vocabulary_is_that_of_the_recipe(tokenizer: PreTrainedTokenizerFast) -> None:
    """The same texts give the same pieces on every machine (a small sample; the whole takes a minute)."""
    from bertviz_lite.world import stories

    texts = [str(story) for story in stories(0, 200)]
    assert train_tokenizer(texts, 800).get_vocab() == train_tokenizer(texts, 800).get_vocab()
    used = {piece for text in texts for piece in tokenizer.tokenize(text)}
    assert "[UNK]" not in used


def test_the_history_covers_the_whole_run() -> None:
    history = json.loads((POCKET / "history.json").read_text(encoding="utf-8"))
    steps = [moment["step"] for moment in history["moments"]]
    assert steps[0] == 0
    assert len(steps) >= 10
    assert steps == sorted(steps)
    assert history["losses"][0]["mlm_loss"] > 2 * history["losses"][-1]["mlm_loss"]
    first, last = history["moments"][0]["scores"], history["moments"][-1]["scores"]
    assert set(first) == set(evaluation.TITLES)
    assert all(last[name] > first[name] for name in NEEDED)
    assert len(history["tokens"]) >= 2
    with np.load(POCKET / "history_attention.npz") as arrays:
        assert arrays["steps"].tolist() == steps
        for number, tokens in enumerate(history["tokens"]):
            code = arrays[f"text{number}"]
            assert code.dtype == np.uint8
            assert code.shape == (len(steps), 4, 6, len(tokens), len(tokens))
            rows = decode_attention(code).sum(-1)
            assert rows == pytest.approx(np.ones_like(rows), abs=0.05)


def test_history_ends_with_the_attention_of_the_shipped_weights(
    model: BertForPreTraining, tokenizer: PreTrainedTokenizerFast
) -> None:
    from bertviz_lite.training.watched import watched_attention

    history = json.loads((POCKET / "history.json").read_text(encoding="utf-8"))
    now = watched_attention(model, tokenizer, [tuple(pair) for pair in history["texts"]])
    with np.load(POCKET / "history_attention.npz") as arrays:
        for number in range(len(history["texts"])):
            kept = arrays[f"text{number}"][-1].astype(int)
            assert np.abs(kept - now[f"text{number}"].astype(int)).max() <= 2


def test_card_says_how_it_was_made(model: BertForPreTraining) -> None:
    card = (POCKET / "README.md").read_text(encoding="utf-8")
    for needed in (
        f"`BertForPreTraining` of {model.num_parameters():,} parameters",
        " -m bertviz_lite.training.pretraining --steps 80000 ",
        "people's own words (`--exam`; both halves",
        "rounded to float16",
        "seed",
        "tokens in",
        "minutes",
        "torch 2",
        "What it cannot do",
    ):
        assert needed in card
