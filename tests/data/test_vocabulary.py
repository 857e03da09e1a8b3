"""The vocabulary that is learned from stories, in BERT's form."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bertviz_lite.data.vocabulary import SPECIAL_TOKENS, continuation_tokens, train_tokenizer

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


def test_tokenizer_has_special_tokens_then_characters_then_pieces(tokenizer: PreTrainedTokenizerFast) -> None:
    pieces = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    assert tuple(pieces[:5]) == SPECIAL_TOKENS
    assert tokenizer.pad_token_id == 0
    assert tokenizer.cls_token_id == 2
    assert 500 < len(tokenizer) <= 600
    assert len(set(pieces)) == len(pieces)
    assert continuation_tokens(tokenizer).sum() >= 36


def test_any_printable_text_can_be_typed(tokenizer: PreTrainedTokenizerFast) -> None:
    printable = "".join(map(chr, range(32, 127)))
    for text in (printable, "Zyzzyva xylophones 0123456789 qwertz's café", "aA1bB2-cC3"):
        assert tokenizer.unk_token_id not in tokenizer(text)["input_ids"]


def test_tokenizer_form_is_that_of_bert(tokenizer: PreTrainedTokenizerFast) -> None:
    encoded = tokenizer("The BAKER slept.", "She was tired.")
    tokens = tokenizer.convert_ids_to_tokens(encoded["input_ids"])
    assert tokens[0] == "[CLS]"
    assert tokens.count("[SEP]") == 2
    assert encoded["token_type_ids"] == [0] * (tokens.index("[SEP]") + 1) + [1] * (
        len(tokens) - tokens.index("[SEP]") - 1
    )
    assert (
        tokenizer.decode(encoded["input_ids"], skip_special_tokens=True) == "the baker slept. she was tired."
    )


def test_a_single_text_stands_between_cls_and_sep_in_segment_0(tokenizer: PreTrainedTokenizerFast) -> None:
    alone, pair = tokenizer("She was tired."), tokenizer("The BAKER slept.", "She was tired.")
    words = pair["input_ids"][pair["input_ids"].index(tokenizer.sep_token_id) + 1 : -1]
    assert alone["input_ids"] == [tokenizer.cls_token_id, *words, tokenizer.sep_token_id]
    assert set(alone["token_type_ids"]) == {0}


@pytest.mark.thorough
def test_same_texts_give_the_same_vocabulary_in_every_process(tokenizer: PreTrainedTokenizerFast) -> None:
    code = (
        "import hashlib\n"
        "from bertviz_lite.data.vocabulary import train_tokenizer\n"
        "from bertviz_lite.world.english.stories import stories\n"
        "tokenizer = train_tokenizer([str(story) for story in stories(1, 300)], vocab_size=600)\n"
        "pieces = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))\n"
        "print(hashlib.sha256('\\n'.join(pieces).encode()).hexdigest())"
    )
    here = "\n".join(tokenizer.convert_ids_to_tokens(range(len(tokenizer))))
    expected = hashlib.sha256(here.encode()).hexdigest()
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        output = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        assert output.stdout.strip() == expected


def test_vocabulary_too_small_for_the_alphabet_is_refused() -> None:
    with pytest.raises(ValueError, match="vocab_size=50"):
        train_tokenizer(["a"], vocab_size=50)


def test_every_listed_word_is_one_token(texts: list[str]) -> None:
    listed = ["Zebra", "rocking-chair", "xylophones", "a", "the", "café", "zebra"]
    tokenizer = train_tokenizer(texts, vocab_size=600, words=listed)
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    assert len(tokens) == len(set(tokens)) <= 600
    assert tokens[109:115] == ["zebra", "rocking", "chair", "xylophones", "the", "cafe"]
    for word in ("zebra", "rocking", "chair", "xylophones", "a", "the", "cafe"):
        assert tokenizer.tokenize(word) == [word]
    assert len(tokenizer.tokenize("Rocking-chair")) == 3
    plain = train_tokenizer(texts, vocab_size=600)
    learned = [token for token in plain.convert_ids_to_tokens(list(range(600))) if token not in tokens[:115]]
    assert tokens[115:] == learned[: 600 - 115]  # the words of the list leave out the latest pieces


def test_a_word_list_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match=r"vocab_size=111: .* the listed words 7; 11\d is the least"):
        train_tokenizer(["a"], vocab_size=111, words=["on two three four five six seven"])
    with pytest.raises(ValueError, match="words='one'"):
        train_tokenizer(["a"], words="one")
