"""Whole words of Chinese are masked by the town's own marks; names of two tokens change places."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from bertviz_lite.basics.arguments import ArgumentError
from bertviz_lite.data.ignored_label import IGNORED
from bertviz_lite.data.masking import Masking, mask_tokens
from bertviz_lite.data.pretraining.collator import Collator
from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.forbidden import TrainingTown
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.data.pretraining.names import name_groups, name_ids, with_names_of
from bertviz_lite.data.pretraining.pairs import Mix
from bertviz_lite.data.pretraining.shards import story_seeds
from bertviz_lite.data.vocabulary import character_tokenizer
from bertviz_lite.training.pretraining.vocabulary import save_tokenizer
from bertviz_lite.world.chinese.texts import words
from bertviz_lite.world.towns import CHINESE, stories_of

TOKENIZER = character_tokenizer(words())
RULES = Masking(len(TOKENIZER), (0, 1, 2, 3, 4), 4, rate=0.3, mask_share=1.0, random_share=0.0)
NAMES = name_ids(TOKENIZER, CHINESE)


def prepared(folder: Path, count: int, town: TrainingTown) -> Corpus:
    """Write some texts."""
    return Corpus.prepare(folder / "stories", folder / "tokenizer", 0, count, 1, False, town=town)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Write 300 texts with the marks of their words."""
    folder: Path = tmp_path_factory.mktemp("chinese")
    save_tokenizer(TOKENIZER, folder / "tokenizer")
    return prepared(folder, 300, TrainingTown(CHINESE, boundaries="gold"))


def inputs_of(corpus: Corpus, mix: Mix) -> TrainingInputs:
    return TrainingInputs(corpus, 280, 8, 0, 2, 3, mix)


def test_marks_are_where_the_town_says_that_words_end(corpus: Corpus) -> None:
    texts = stories_of(CHINESE, story_seeds(0, 0), 300)
    said = [offset > 0 for text in texts for word in text.words for offset in range(len(word.text))]
    assert corpus.continues is not None
    assert corpus.continues.tolist() == said
    assert corpus.first(10).continues is not None
    assert len(corpus.first(10).continues) == len(corpus.first(10).ids)  # type: ignore[arg-type]


def test_a_word_is_hidden_as_a_whole_or_not_at_all(corpus: Corpus) -> None:
    inputs = inputs_of(corpus, Mix(names=NAMES, renamed=0.5))
    collate = Collator(RULES, 0, independent=True)
    chosen = words_seen = 0
    for start in range(0, 280, 8):
        items = [inputs[index] for index in range(start, start + 8)]
        labels = collate(items)["labels"]
        for row, item in enumerate(items):
            hidden = (labels[row] != IGNORED)[: len(item["input_ids"])].tolist()
            assert not item["continues"][item["input_ids"] < 5].any()
            for place, goes_on in enumerate(item["continues"].tolist()):
                assert not goes_on or hidden[place] == hidden[place - 1]
                words_seen += not goes_on and item["input_ids"][place] >= 5
                chosen += not goes_on and hidden[place]
    assert chosen / words_seen == pytest.approx(0.3, abs=0.02)


def test_without_marks_characters_are_hidden_one_by_one(corpus: Corpus) -> None:
    items = [inputs_of(corpus, Mix())[index] for index in range(8)]
    marked = [item.pop("continues") for item in items]
    labels = Collator(RULES, 0, independent=True)(items)["labels"]
    pairs = [
        (bool(labels[row, place] != IGNORED), bool(labels[row, place - 1] != IGNORED))
        for row, marks in enumerate(marked)
        for place in np.flatnonzero(marks)
    ]
    assert any(one != other for one, other in pairs)


def test_masks_by_marks_are_as_worked_out_by_hand() -> None:
    ids = torch.tensor([[2, 10, 11, 12, 13, 3, 0]])
    goes_on = torch.tensor([[False, False, True, False, True, False, False]])
    for seed in range(30):
        hidden = mask_tokens(ids, RULES, torch.Generator().manual_seed(seed), goes_on)[1][0] != IGNORED
        draws = torch.rand((1, 7), generator=torch.Generator().manual_seed(seed))[0]
        first, second = bool(draws[1] < 0.3), bool(draws[3] < 0.3)
        assert hidden.tolist() == [False, first, first, second, second, False, False]


@pytest.mark.parametrize("wrong", [torch.zeros(1, 3, dtype=torch.bool), torch.zeros(1, 2), "no"])
def test_marks_of_another_shape_are_refused(wrong: object) -> None:
    with pytest.raises(ArgumentError):
        mask_tokens(torch.tensor([[7, 8]]), RULES, torch.Generator(), wrong)  # type: ignore[arg-type]


def test_names_of_two_characters_become_those_of_the_first_part() -> None:
    groups = name_groups(NAMES)

    def replaced(first: str, second: str) -> str:
        one, other = (
            np.array(TOKENIZER(text, add_special_tokens=False)["input_ids"]) for text in (first, second)
        )
        return "".join(TOKENIZER.convert_ids_to_tokens(with_names_of(one, other, groups).tolist()))

    assert replaced("婷婷来了。", "丽丽笑了，兰兰没笑。") == "婷婷笑了，兰兰没笑。"
    assert replaced("婷婷和明明来了。", "小军和丽丽笑了。") == "明明和婷婷笑了。"
    assert replaced("来了。", "小军笑了。") == "小军笑了。"
    assert replaced("婷婷来了。", "红红的太阳") == "红红的太阳"
    assert all(len(group) >= 5 for group in NAMES)


def test_a_corpus_of_pieces_has_no_marks(tmp_path: Path) -> None:
    save_tokenizer(TOKENIZER, tmp_path / "tokenizer")
    plain = prepared(tmp_path, 20, TrainingTown(CHINESE))
    assert plain.continues is None
    with pytest.raises(ValueError, match="another town"):
        prepared(tmp_path, 20, TrainingTown(CHINESE, boundaries="gold"))
