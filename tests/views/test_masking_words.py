"""The masking lab with words that are given beside the text, as Chinese needs them."""

from __future__ import annotations

import json
from typing import Any

import pytest
import torch
from transformers import BertForMaskedLM, BertTokenizer

from bertviz_lite import MaskingLab
from bertviz_lite.data.masking import mask_tokens
from bertviz_lite.views import ViewError
from bertviz_lite.views.masking.draws import SEEDS
from tests.helpers.tiny_models import SPECIAL, make

WORDS = ["湖里", "有", "三", "只", "白", "天鹅", "。"]
TEXT = "".join(WORDS)
WORD_OF = [None, 0, 0, 1, 2, 3, 4, 5, 5, 6, None]  # by hand: [CLS] 湖 里 有 三 只 白 天 鹅 。 [SEP]


@pytest.fixture(scope="module")
def parts() -> tuple[Any, Any]:
    characters = (*SPECIAL, *sorted(set(TEXT)))
    tokenizer = BertTokenizer(vocab={token: place for place, token in enumerate(characters)})
    return make(BertForMaskedLM, vocab_size=len(characters)).eval(), tokenizer


def test_given_words_are_chosen_whole_and_otherwise_characters(parts: tuple[Any, Any]) -> None:
    words = MaskingLab(*parts, TEXT, words=WORDS, whole_words=True, rate=0.4)
    characters = MaskingLab(*parts, TEXT, words=WORDS, rate=0.4)
    torn = 0
    for seed in range(SEEDS):
        for lab in (words, characters):
            chosen = [outcome in ("mask", "random", "keep") for outcome in lab.outcomes(seed)]
            assert not chosen[0]
            assert not chosen[-1]
            mixed = chosen[1] != chosen[2] or chosen[7] != chosen[8]
            assert lab is characters or not mixed
            torn += mixed
    assert torn > SEEDS / 4


def test_a_draw_is_that_of_mask_tokens_told_where_words_begin(parts: tuple[Any, Any]) -> None:
    lab = MaskingLab(*parts, TEXT, words=WORDS, whole_words=True, rate=0.4)
    before = [None, *WORD_OF[:-1]]
    marks = [word is not None and word == last for word, last in zip(WORD_OF, before, strict=True)]
    for seed in (0, 7, 99):
        generator = torch.Generator().manual_seed(seed)
        expected = mask_tokens(torch.tensor([lab._ids]), lab.masking, generator, torch.tensor([marks]))
        assert all(map(torch.equal, lab.masked(seed), expected))


def test_all_characters_of_a_given_word_are_hidden_for_a_guess(parts: tuple[Any, Any]) -> None:
    model, tokenizer = parts
    lab = MaskingLab(model, tokenizer, TEXT, words=WORDS, whole_words=True)
    ids = torch.tensor([lab._ids])
    truth = int(ids[0, 7])
    ids[0, 7:9] = tokenizer.mask_token_id
    with torch.no_grad():
        wanted = float(model(ids).logits[0, 7].double().softmax(-1)[truth])
    assert lab.guesses(7)["after"].truth == pytest.approx(wanted, abs=1e-5)
    assert json.loads(bytes(lab._block("word/7")))["after"][1] == pytest.approx(wanted, abs=1e-5)
    assert {"word/1", "word/2", "word/7", "word/8"} == {
        name for name in lab._saved_blocks() if name.startswith("word/")
    }


def test_another_text_has_no_words_of_its_own(parts: tuple[Any, Any]) -> None:
    lab = MaskingLab(*parts, TEXT, words=WORDS, whole_words=True)
    lab.text = "三只白天鹅"
    assert lab._first == list(range(7))
    lab.text = TEXT
    assert lab._first == [0, 1, 1, 3, 4, 5, 6, 7, 7, 9, 10]


@pytest.mark.parametrize("words", [["湖里", "有"], ["湖里", ""], "湖里有", [3], ["湖里 ", *WORDS[1:]]])
def test_words_that_are_not_the_text_are_refused(parts: tuple[Any, Any], words: list[str]) -> None:
    with pytest.raises(ViewError, match=r"^words[^\n]+\.$"):
        MaskingLab(*parts, TEXT, words=words)
