"""A vocabulary by character cuts Chinese as BERT does: compared with the tokenizers of two libraries."""

from __future__ import annotations

from pathlib import Path

import pytest
from tokenizers import BertWordPieceTokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from transformers import BertTokenizer

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.data.vocabulary import SPECIAL_TOKENS, character_tokenizer
from bertviz_lite.training.pretraining.recipe import RECIPES, pocket_config
from bertviz_lite.training.pretraining.vocabulary import load_or_train_tokenizer, make_masking
from bertviz_lite.world.chinese.texts import text, words

TEXTS = [str(text(5, index)) for index in range(300)]
TOKENIZER = character_tokenizer(words())
ODD = "小明买了3本BERT书，花了12.5元！他说：“OK，naïve…” 🙂 銀行"


def test_every_character_of_the_town_is_a_token() -> None:
    for one in TEXTS:
        assert TOKENIZER.tokenize(one) == list(one)
    vocabulary = TOKENIZER.get_vocab()
    assert tuple(sorted(vocabulary, key=vocabulary.__getitem__)[:5]) == SPECIAL_TOKENS
    assert set("".join(words())) <= vocabulary.keys()


def test_texts_are_cut_as_the_libraries_cut_them_with_this_vocabulary(tmp_path: Path) -> None:
    load_or_train_tokenizer(tmp_path, RECIPES["pocket-zh"])
    vocabulary = WordPiece.read_file(str(tmp_path / "vocab.txt"))
    of_tokenizers = BertWordPieceTokenizer(vocabulary, lowercase=True)
    of_transformers = BertTokenizer.from_pretrained(str(tmp_path))
    for one in [*TEXTS, ODD]:
        ids = TOKENIZER(one)["input_ids"]
        assert ids == of_tokenizers.encode(one).ids
        assert ids == of_transformers(one)["input_ids"]


def test_words_are_what_bert_reads_before_it_cuts_them() -> None:
    normal = BertNormalizer(lowercase=True, handle_chinese_chars=True).normalize_str(TEXTS[0])
    assert [part for part, _ in BertPreTokenizer().pre_tokenize_str(normal)] == TOKENIZER.tokenize(TEXTS[0])


def test_latin_words_are_cut_into_letters_and_unknown_characters_are_unknown() -> None:
    assert TOKENIZER.tokenize("BERT 12") == ["b", "##e", "##r", "##t", "1", "##2"]
    assert TOKENIZER.tokenize("銀") == ["[UNK]"]


def test_ids_do_not_depend_on_the_order_of_words() -> None:
    assert character_tokenizer(reversed(words())).get_vocab() == TOKENIZER.get_vocab()


@pytest.mark.parametrize("wrong", ["小狗", 3, [3], None])
def test_what_is_no_list_of_texts_is_refused(wrong: object) -> None:
    with pytest.raises(ArgumentError):
        character_tokenizer(wrong)  # type: ignore[arg-type]


def test_the_model_of_the_recipe_is_small_enough_to_travel() -> None:
    from transformers import BertForPreTraining

    recipe = RECIPES["pocket-zh"]
    model = BertForPreTraining(pocket_config(recipe, len(TOKENIZER)))
    assert 1_200_000 < model.num_parameters() < 1_300_000
    assert make_masking(TOKENIZER, recipe).rate == recipe.mask_rate
