"""A model and its tokenizer as bytes for a page: what is in them, how large they are, what is refused."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from tokenizers import AddedToken
from tokenizers.processors import BertProcessing
from transformers import (
    BertForMaskedLM,
    BertForPreTraining,
    BertForQuestionAnswering,
    BertModel,
    BertTokenizer,
)

from bertviz_lite import load
from bertviz_lite.views import ViewError
from bertviz_lite.views.base.sources import read_module
from bertviz_lite.views.engine.packed import MOST_MEGABYTES, PackedModel, engine_source, pack_model
from tests.helpers.tiny_families import family, tokenizer as tokenizer_of
from tests.helpers.tiny_models import SPECIAL, WORDS, make


def tiny_tokenizer() -> BertTokenizer:
    vocab = {token: i for i, token in enumerate((*SPECIAL, *WORDS))}
    return BertTokenizer(vocab=vocab, do_lower_case=True)


def header_of(packed: PackedModel) -> dict[str, Any]:
    stop = 4 + int.from_bytes(packed.data[:4], "little")
    header: dict[str, Any] = json.loads(packed.data[4:stop])
    return header


def test_weights_that_are_float16_numbers_take_half_the_bytes_and_stay_exact() -> None:
    model, tokenizer = make(BertForPreTraining), tiny_tokenizer()
    full = pack_model(model, tokenizer)
    half = pack_model(model.half().float(), tokenizer)
    assert (full.precision, half.precision) == ("float32", "float16")
    header = header_of(half)
    planes = np.frombuffer(half.data[4 + int.from_bytes(half.data[:4], "little") :], dtype=np.uint8)
    low, high = planes.reshape(2, -1)  # the low bytes of all numbers, then the high ones
    stored = np.stack([low, high], axis=1).copy().view("<f2").ravel()
    assert len(stored) == sum(count for _, count in header["weights"])
    (name, count), *_ = header["weights"]
    assert name == "embeddings.word_embeddings.weight"
    words = model.bert.embeddings.word_embeddings.weight.detach().numpy()
    np.testing.assert_array_equal(stored[:count].astype(np.float32), words.ravel())
    assert len(full.data) - len(half.data) == pytest.approx(2 * len(stored), abs=8)
    assert half.megabytes == len(half.data) / 1e6


def test_a_model_in_float64_with_weights_of_float32_is_packed_as_the_model_that_it_was() -> None:
    model, tokenizer = make(BertForPreTraining), tiny_tokenizer()
    before = pack_model(model, tokenizer).data
    assert pack_model(model.double(), tokenizer).data == before
    model.bert.pooler.dense.bias.data += 1e-12
    with pytest.raises(ViewError, match=r"^BertForPreTraining computes in float64, a page in float32: give "):
        pack_model(model, tokenizer)


def test_a_tied_matrix_travels_once() -> None:
    names = [name for name, _ in header_of(pack_model(make(BertForMaskedLM), tiny_tokenizer()))["weights"]]
    assert "cls.predictions.decoder.weight" not in names
    untied = make(BertForMaskedLM, tie_word_embeddings=False)
    names = [name for name, _ in header_of(pack_model(untied, tiny_tokenizer()))["weights"]]
    assert "cls.predictions.decoder.weight" in names
    assert "cls.predictions.bias" not in names, "the decoder's bias is the one that is used"


def test_the_pocket_model_is_a_few_megabytes() -> None:
    tokenizer, model = load()
    packed = pack_model(model, tokenizer)
    assert packed.megabytes < 6
    assert repr(packed) == f"PackedModel(precision={packed.precision!r})"


def test_both_kinds_of_templates_come_to_the_same() -> None:
    model, tokenizer = make(BertModel), tiny_tokenizer()
    one = header_of(pack_model(model, tokenizer))["tokenizer"]
    tokenizer.backend_tokenizer.post_processor = BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    other = header_of(pack_model(model, tokenizer))["tokenizer"]
    assert (one["single"], one["pair"]) == (other["single"], other["pair"])


def refusal(model: object, tokenizer: object, most: float = MOST_MEGABYTES) -> str:
    with pytest.raises(ViewError) as error:
        pack_model(model, tokenizer, most)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)
    return str(error.value)


def test_what_a_page_cannot_run_is_refused_in_one_line() -> None:
    tokenizer = tiny_tokenizer()
    classes = (
        "a page runs BertModel, BertForPreTraining, BertForMaskedLM, BertForNextSentencePrediction, "
        "BertForSequenceClassification and BertForTokenClassification, nothing else."
    )
    assert refusal(None, tokenizer) == "model is None: give a BERT of transformers, as load() does."
    assert refusal(make(BertForQuestionAnswering), tokenizer) == f"BertForQuestionAnswering: {classes}"
    for name in ("gpt2", "roberta", "distilbert", "bart"):
        model, its = family(name)
        assert refusal(model, its) == f"{type(model).__name__}: {classes}"
    assert refusal(make(BertModel, hidden_act="relu"), tokenizer) == (
        "BertModel has hidden_act='relu': "
        "a page runs gelu, gelu_python, gelu_new, gelu_pytorch_tanh, gelu_fast."
    )
    assert refusal(make(BertModel, is_decoder=True), tokenizer) == (
        "BertModel is a decoder (is_decoder=True): a page runs encoders only."
    )
    relative = make(BertModel)
    relative.config.position_embedding_type = "relative_key"
    assert refusal(relative, tokenizer) == (
        "BertModel has position_embedding_type='relative_key': a page runs absolute positions only."
    )
    assert refusal(make(BertModel).half(), tokenizer) == (
        "BertModel computes in float16, a page in float32: give model.float()."
    )


def test_what_is_too_large_is_refused_with_its_size() -> None:
    tokenizer, model = load()
    assert re.fullmatch(
        r"BertForPreTraining: a page would have 6 MB, and may have 1: take a smaller model\.",
        refusal(model, tokenizer, most=1),
    )


def test_other_tokenizers_are_refused_in_one_line() -> None:
    model = make(BertModel)
    assert refusal(model, tokenizer_of("bytes")) == (
        "the tokenizer's normalizer is missing: a page runs BertNormalizer."
    )
    spaced = tiny_tokenizer()
    spaced.add_special_tokens({"mask_token": AddedToken("[MASK]", lstrip=True, normalized=False)})
    assert refusal(model, spaced) == "the tokenizer's [MASK] has lstrip: a page does not do this."
    bare = tiny_tokenizer()
    bare.backend_tokenizer.post_processor = None
    assert refusal(model, bare) == (
        "the tokenizer's post_processor is missing: a page runs TemplateProcessing or BertProcessing."
    )


def test_the_engine_is_one_module_without_requests() -> None:
    source = engine_source()
    assert source.count("export default") == 1
    assert not re.search(r"^\s*import\b|fetch\(|innerHTML", source, re.MULTILINE)
    assert len(source) < 80_000
    client = read_module("engine", "js/client.js")
    assert "class BertEngine" not in client
    assert len(client) < 10_000
