"""Inputs of pre-training: they fit, they depend on seed and number only; shards are written once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.forbidden import TrainingTown
from bertviz_lite.data.pretraining.inputs import TrainingInputs
from bertviz_lite.data.pretraining.pairs import pair_block
from bertviz_lite.data.pretraining.shards import Shard, story_seeds, town_fingerprint
from bertviz_lite.data.vocabulary import train_tokenizer
from bertviz_lite.training.pretraining.vocabulary import save_tokenizer
from bertviz_lite.world import stories, towns

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


def test_inputs_fit_and_lengths_are_right(corpus: Corpus, tokenizer: PreTrainedTokenizerFast) -> None:
    for max_length in (128, 48):
        block = pair_block(corpus, np.arange(500), np.random.default_rng(1), max_length=max_length)
        assert block.lengths.max() <= max_length
    inputs = TrainingInputs(corpus, 400, 8, 0, tokenizer.cls_token_id, tokenizer.sep_token_id)
    for index in range(400):
        ids = inputs[index]["input_ids"]
        assert len(ids) == inputs.block(0).lengths[index]
        pieces = tokenizer.convert_ids_to_tokens(ids.tolist())
        assert (pieces[0], pieces[-1]) == ("[CLS]", "[SEP]")
        assert pieces.count("[SEP]") == (2 if inputs[index]["next_sentence_label"] >= 0 else 1)
    assert inputs.tokens(400) == sum(len(inputs[index]["input_ids"]) for index in range(400))


def test_parts_are_whole_sentences(corpus: Corpus, tokenizer: PreTrainedTokenizerFast) -> None:
    inputs = TrainingInputs(corpus, 100, 4, 0, tokenizer.cls_token_id, tokenizer.sep_token_id)
    for index in range(100):
        text = tokenizer.decode(inputs[index]["input_ids"].tolist()).replace(" [SEP]", "[SEP]")
        for part in text.removeprefix("[CLS]").split("[SEP]")[:-1]:
            assert part.strip()[-1] in ".!?\"'", part


def test_inputs_depend_on_seed_and_number_only(corpus: Corpus) -> None:
    def make(seed: int = 0, count: int = 4000) -> TrainingInputs:
        return TrainingInputs(corpus, count, 8, seed, 2, 3)

    forward, backward = make(), make()
    last = backward[3999]
    for index in (0, 1000, 3999):
        assert np.array_equal(forward[index]["input_ids"], make()[index]["input_ids"])
    assert np.array_equal(last["input_ids"], forward[3999]["input_ids"])
    assert not np.array_equal(make(seed=1)[0]["input_ids"], forward[0]["input_ids"])
    # The second pass over the stories cuts and pairs them anew.
    seen = {forward[index]["input_ids"].tobytes() for index in range(1000)}
    again = [forward[index]["input_ids"].tobytes() in seen for index in range(1000, 2000)]
    assert np.mean(again) < 0.2
    with pytest.raises(IndexError):
        forward[4000]


def test_the_texts_of_the_town_become_inputs_too() -> None:
    """Many have one sentence, and are single parts; the longest ones are cut to fit."""
    told = [[str(sentence) for sentence in story.sentences] for story in stories(3, 240)]
    vocabulary = train_tokenizer([" ".join(sentences) for sentences in told], vocab_size=600)
    inputs = TrainingInputs(Corpus([Shard.of(told, vocabulary.backend_tokenizer)]), 240, 8, 0, 2, 3)
    one = sum(len(sentences) == 1 for sentences in told)
    labels = [inputs[index]["next_sentence_label"] for index in range(240)]
    assert 40 < one <= labels.count(-100)
    assert min(labels.count(0), labels.count(1)) > 30
    assert max(len(inputs[index]["input_ids"]) for index in range(240)) <= 128


def test_too_few_stories_are_refused(corpus: Corpus) -> None:
    with pytest.raises(ValueError, match="raise --stories"):
        TrainingInputs(corpus, 10, 2000, 0, 2, 3)


def test_shards_are_written_once_and_refused_for_another_seed(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    save_tokenizer(tokenizer, tmp_path / "tokenizer")

    def prepare(seed: int = 0, count: int = 30) -> Corpus:
        return Corpus.prepare(
            tmp_path / "stories", tmp_path / "tokenizer", seed=seed, count=count, processes=1, progress=False
        )

    first = prepare()
    written = (tmp_path / "stories" / "shard-00000.npz").stat().st_mtime_ns
    second = prepare()
    assert (tmp_path / "stories" / "shard-00000.npz").stat().st_mtime_ns == written
    assert np.array_equal(first.ids, second.ids)
    assert len(first) == 30
    told = stories(story_seeds(0, 0), 1)[0]
    assert tokenizer.decode(first.token_ids(0, 1).tolist()) == tokenizer.decode(
        tokenizer(str(told.sentences[0]), add_special_tokens=False)["input_ids"]
    )
    with pytest.raises(ValueError, match="another town, seed"):
        prepare(seed=1)


def test_shards_of_another_town_are_refused_and_hold_its_stories(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(towns.TOWNS, "toy", "tests.helpers.toy_town:story")
    save_tokenizer(tokenizer, tmp_path / "tokenizer")

    def prepare(town: str) -> Corpus:
        folders = tmp_path / "stories", tmp_path / "tokenizer"
        return Corpus.prepare(
            *folders, seed=7, count=30, processes=1, progress=False, town=TrainingTown(town)
        )

    toy = prepare("toy")
    assert np.diff(toy.story_starts).tolist() == [1, 2, 3] * 10
    assert tokenizer.decode(toy.token_ids(0, 1).tolist()) == "count 700000 0 goes on 0."
    with pytest.raises(ValueError, match="another town, seed"):
        prepare(towns.TOWN)
    assert town_fingerprint() == town_fingerprint(towns.TOWN) != town_fingerprint("toy")


def test_a_story_of_one_sentence_is_one_part_and_of_two_a_pair(
    tokenizer: PreTrainedTokenizerFast,
) -> None:
    told = [[f"Tom has {number} apples."] * (1 + number % 2) for number in range(64)]
    inputs = TrainingInputs(Corpus([Shard.of(told, tokenizer.backend_tokenizer)]), 64, 8, 0, 2, 3)
    for index in range(64):
        item = inputs[index]
        parts = int((item["input_ids"] == 3).sum())
        assert parts == (2 if item["next_sentence_label"] >= 0 else 1)
        assert 3 < item["first_length"] <= len(item["input_ids"])
    labels = [inputs[index]["next_sentence_label"] for index in range(64)]
    assert 32 <= labels.count(-100) < 64
