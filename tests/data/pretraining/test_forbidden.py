"""Stories that hold a sentence of an exam: the next ones are training text in their place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.forbidden import Forbidden, TrainingTown
from bertviz_lite.data.pretraining.shards import story_seeds
from bertviz_lite.training.pretraining.vocabulary import save_tokenizer
from bertviz_lite.world import towns

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

SEED = story_seeds(7, 0)


@pytest.fixture(autouse=True)
def toy_town(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a town whose story k holds the sentences "Count SEED k goes on n." for n up to k modulo 3."""
    monkeypatch.setitem(towns.TOWNS, "toy", "tests.helpers.toy_town:story")


def test_the_next_stories_take_the_places_of_those_that_hold_a_forbidden_sentence() -> None:
    # Story 1 holds it as its second sentence, stories 3 and 4 as their first.
    forbidden = Forbidden.of(
        [f"COUNT {SEED} 1, goes on: 1!", f"Count {SEED} 3 goes on 0", f'"Count {SEED} 4 goes on 0."']
    )
    written, left_out = TrainingTown("toy", forbidden).stories_and_left_out(SEED, 4)
    assert [story.index for story in written] == [0, 2, 5, 6]
    assert left_out == [0, 1, 2, 0]
    whole = TrainingTown("toy").stories(SEED, 4)
    assert [story.index for story in whole] == [0, 1, 2, 3]


def test_a_sentence_is_forbidden_from_four_words_on_and_wherever_it_is_said() -> None:
    forbidden = Forbidden.of(["It was cold.", "The dog's bowl is empty."])
    assert len(forbidden.hashes) == 1
    assert not forbidden.is_in(["It was cold."])
    assert forbidden.is_in(["It rained.", "the dog’s bowl is empty!"])
    assert forbidden.is_in(["“The dog's bowl is empty,” said Tom."])
    assert forbidden.is_in(['He said, "It rained. The dog\'s bowl is empty." She nodded.'])
    assert not forbidden.is_in(["The dogs bowl is empty.", "Tom said that the dog's bowl is empty."])
    assert not Forbidden()


def test_the_digest_is_of_the_set_of_sentences() -> None:
    one, other = "The cat is very old.", "The dog is very old."
    assert Forbidden.of([one, other]).digest == Forbidden.of([other, one, other, "Too short."]).digest
    assert Forbidden.of([one, other]).digest != Forbidden.of([one]).digest
    assert "cat" not in repr(Forbidden.of([one]))


def test_a_town_that_says_nothing_else_is_refused() -> None:
    forbidden = Forbidden.of(f"Count 5 {index} goes on 0." for index in range(2_000))
    with pytest.raises(ValueError, match="1,000 texts in a row hold a sentence of the exam"):
        TrainingTown("toy", forbidden).stories(5, 1)


def test_shards_leave_out_forbidden_stories_in_one_process_as_in_two(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_tokenizer(tokenizer, tmp_path / "tokenizer")
    sentence = "Anna was very tired that day."
    first = Forbidden.of(_sentences("first", range(0, 30, 4)) | {sentence})

    def prepare(name: str, town: TrainingTown, processes: int = 1, count: int = 30) -> Corpus:
        folders = tmp_path / name, tmp_path / "tokenizer"
        return Corpus.prepare(*folders, seed=7, count=count, processes=processes, progress=False, town=town)

    plain = prepare("plain", TrainingTown("first"))
    filtered = prepare("filtered", TrainingTown("first", first))
    assert (len(plain), plain.left_out) == (30, 0)
    assert len(filtered) == 30
    assert 8 <= filtered.left_out <= 12
    kept = np.isin(plain.fingerprints, filtered.fingerprints)
    assert not kept[::4].any()
    assert kept[1:4].all()
    assert filtered.first(3).left_out == 1, "story 0 made place for story 1"
    monkeypatch.setattr("bertviz_lite.data.pretraining.corpus.SHARD_STORIES", 15)
    shards = [prepare(f"in {count}", TrainingTown("first", first), count) for count in (1, 2)]
    assert np.array_equal(shards[0].ids, shards[1].ids)
    assert shards[0].left_out == shards[1].left_out > 0
    assert np.array_equal(shards[0].fingerprints[:15], filtered.fingerprints[:15])


def test_shards_with_other_sentences_forbidden_are_refused(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    save_tokenizer(tokenizer, tmp_path / "tokenizer")

    def prepare(*sentences: str) -> Corpus:
        town = TrainingTown("toy", Forbidden.of(sentences))
        folders = tmp_path / "stories", tmp_path / "tokenizer"
        return Corpus.prepare(*folders, seed=7, count=6, processes=1, progress=False, town=town)

    prepare(f"Count {SEED} 2 goes on 0.")
    prepare(f"Count {SEED} 2 goes on 0!")
    for sentences in ([], [f"Count {SEED} 2 goes on 1."]):
        with pytest.raises(ValueError, match="written with another --exam, --by-hand or none"):
            prepare(*sentences)


def _sentences(town: str, numbers: range) -> set[str]:
    """Return the longest sentence of some stories."""
    told = towns.stories_of(town, SEED, numbers.stop)
    return {max(map(str, told[number].sentences), key=len) for number in numbers}
