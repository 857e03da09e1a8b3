"""The four arms of Chinese masking: which characters are hidden together, and what the models are asked."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bertviz_lite.data.pretraining.corpus import Corpus
from bertviz_lite.data.pretraining.shards import Shard
from bertviz_lite.data.vocabulary import character_tokenizer
from bertviz_lite.evaluation.scores import QUICK
from bertviz_lite.training.finetuning import FineTuning
from bertviz_lite.world.chinese.texts import text, words
from bertviz_lite.world.tasks.sets import split
from experiments.ablations import __main__ as ablations
from experiments.ablations.plans import PLANS
from experiments.chinese_masking.boundaries import (
    CHARACTERS,
    SEGMENTER,
    SHUFFLED,
    TOWN,
    found_words,
    marks_of,
    sentences_of,
    spans_from,
    with_boundaries,
)
from experiments.chinese_masking.labelled import chinese_feelings, felt, tagged
from experiments.chinese_masking.segmenter import learn_segmenter, spans_of, word_f1
from experiments.chinese_words import __main__ as words_of_arms

TOKENIZER = character_tokenizer(words())
SENTENCES = ["小明去公园。", "妈妈说：“桌子上有苹果。”"]
WORDS = [
    [(0, 2), (2, 3), (3, 5), (5, 6)],
    [(0, 2), (2, 3), (3, 4), (4, 5), (5, 7), (7, 8), (8, 9), (9, 11), (11, 12), (12, 13)],
]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """Two sentences of one text, with the words that a person marked."""
    return Corpus([Shard.of([SENTENCES], TOKENIZER.backend_tokenizer, words=[WORDS])])


def test_the_towns_words_are_those_that_were_marked(corpus: Corpus) -> None:
    assert sentences_of(corpus, TOKENIZER) == SENTENCES
    same = with_boundaries(corpus, TOKENIZER, TOWN)
    assert same.continues is not None
    assert spans_from(same.continues, corpus.sentence_starts) == WORDS
    assert marks_of(WORDS).tolist() == same.continues.tolist()
    assert found_words(corpus, same) == 1


def test_one_by_one_no_character_goes_on_with_a_word(corpus: Corpus) -> None:
    changed = with_boundaries(corpus, TOKENIZER, CHARACTERS)
    assert changed.continues is not None
    assert not changed.continues.any()
    # 19 characters are found as words, 14 words are marked, 9 of which are single characters.
    assert found_words(corpus, changed) == pytest.approx(2 * 9 / (19 + 14))


def test_shuffled_words_keep_their_lengths_and_punctuation_its_place() -> None:
    many = Corpus([
        Shard.of([SENTENCES] * 50, TOKENIZER.backend_tokenizer, words=[WORDS] * 50),
    ])  # fmt: skip
    changed = with_boundaries(many, TOKENIZER, SHUFFLED)
    assert changed.continues is not None
    seen = set()
    for sentence, spans in zip(
        SENTENCES * 50, spans_from(changed.continues, many.sentence_starts), strict=True
    ):
        pieces = [sentence[first:last] for first, last in spans]
        seen.add(tuple(pieces))
        assert "".join(pieces) == sentence
        assert all(len(piece) == 1 for piece in pieces if set(piece) & set("。：“”"))
        of_town = WORDS[SENTENCES.index(sentence)]
        assert Counter(map(len, pieces)) == Counter(last - first for first, last in of_town)
    assert ("小", "明去", "公园", "。") in seen
    assert 0.3 < found_words(many, changed) < 0.9


def test_the_segmenter_finds_words_of_which_the_text_is_made_up() -> None:
    rng = np.random.default_rng(0)
    made_up = ["蝴蝶", "葡萄", "来", "橡皮", "去", "蜘蛛网"]
    gold, texts = [], []
    for _ in range(400):
        chosen = [made_up[index] for index in rng.integers(0, len(made_up), 6)]
        ends = np.cumsum([len(word) for word in chosen]).tolist()
        gold.append(list(zip([0, *ends[:-1]], ends, strict=True)))
        texts.append("".join(chosen))
    segmenter = learn_segmenter(texts, 30)
    assert word_f1(spans_of(segmenter, texts), gold) > 0.8
    assert word_f1([[(place, place + 1) for place in range(len(each))] for each in texts], gold) < 0.5


def test_the_segmenter_of_an_arm_has_learned_from_the_corpus() -> None:
    texts = [text(5, index) for index in range(300)]
    sentences = [[str(sentence) for sentence in each.sentences] for each in texts]
    spans = [[sentence.spans for sentence in each.sentences] for each in texts]
    corpus = Corpus([Shard.of(sentences, TOKENIZER.backend_tokenizer, words=spans)])
    segmented, single = (with_boundaries(corpus, TOKENIZER, arm) for arm in (SEGMENTER, CHARACTERS))
    assert found_words(corpus, segmented) > 0.5
    assert found_words(corpus, single) < 0.75


def test_f1_counts_words_with_both_ends_right() -> None:
    gold = [[(0, 2), (2, 3), (3, 5)]]
    assert word_f1(gold, gold) == 1
    assert word_f1([[(0, 2), (2, 5)]], gold) == pytest.approx(2 * 1 / (2 + 3))


def test_every_character_of_a_person_is_tagged_and_no_other() -> None:
    one = tagged(text(1, 0))
    assert "".join(one.words).startswith("小刚的小猫一直围着他叫，原来它饿了。小刚拿来")
    assert [place for place, tag in enumerate(one.tags) if tag == "B-person"] == [0, 18]
    assert [place for place, tag in enumerate(one.tags) if tag == "I-person"] == [1, 19]


def test_a_feeling_is_that_of_the_sentence_that_was_taken_away() -> None:
    kinds = Counter()
    for index in range(400):
        story = text(2, index)
        one = felt(story)
        if one is None:
            continue
        kinds[one.label] += 1
        assert story.text.startswith(one.text)
        taken = story.text[len(one.text) :].split("。")[0]
        glad = any(word in taken for word in ("高兴", "开心", "快乐", "得意", "放心"))
        assert (one.label == "glad") == glad
    assert min(kinds.values()) > 10


@pytest.mark.thorough
def test_held_out_feelings_are_of_other_stories() -> None:
    train, test = split(chinese_feelings, 40, 40)
    openings = [{example.text[-12:] for example in half} for half in (train, test)]
    assert not openings[0] & openings[1]


@pytest.mark.thorough
def test_every_arm_is_trained_and_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = PLANS["chinese"]
    recipe = replace(
        plan.recipe, steps=2, batch_size=8, stories=120, hidden_size=24, num_layers=1, intermediate_size=32
    )
    size = replace(
        QUICK, stories=150, per_kind=4, random_stories=10, minimal_pairs=1, part_pairs=40, counted=50
    )
    tasks = {
        name: replace(task, train=8, test=8, recipe=FineTuning(epochs=1))
        for name, task in plan.measures.tasks.items()
    }
    small = replace(plan, recipe=recipe, measures=replace(plan.measures, size=size, tasks=tasks))
    monkeypatch.setattr(ablations, "PLANS", {"chinese": small, "second": PLANS["second"]})
    target = tmp_path / "found.json"
    options = ["--steps", "2", "--runs", str(tmp_path / "runs"), "--output", str(target), "--no-progress"]
    assert ablations.main(["--town", "chinese", "--seeds", "0", *options]) == 0
    results = json.loads(target.read_text(encoding="utf-8"))["variants"]
    assert list(results) == ["whole words", "characters", "segmented words", "shuffled words"]
    for variant in results.values():
        (one,) = variant["seeds"]
        assert (
            one["scores"]["masked_words"][1]
            == results["whole words"]["seeds"][0]["scores"]["masked_words"][1]
        )
        assert 0 <= one["characters"][0] < 0.5
        assert set(one["tasks"]) == {"feelings", "names"}

    monkeypatch.setattr(words_of_arms, "PLANS", {"chinese": replace(small, seeds=1)})
    assert words_of_arms.main(["--runs", str(tmp_path / "runs"), "--output", str(target)]) == 0
    words = json.loads(target.read_text(encoding="utf-8"))["words"]
    assert list(words) == list(results)
    assert words["whole words"]["f1"] == 1 > words["segmented words"]["f1"]
    assert words["characters"]["characters"] == 1 < words["whole words"]["characters"]
    for about in words.values():
        hidden = about["one character"][1] + about["several"][1]
        assert hidden == results["whole words"]["seeds"][0]["scores"]["masked_words"][1]
