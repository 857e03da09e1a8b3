"""The scores of a model of Chinese: an untrained one, one that has learned a little, and rivals by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import BertConfig, BertForPreTraining

from bertviz_lite.data.vocabulary import character_tokenizer
from bertviz_lite.evaluation import scores as evaluation
from bertviz_lite.evaluation.scores.chinese import ChineseSet, evaluation_set_of, score_on
from bertviz_lite.evaluation.scores.chinese.__main__ import main
from bertviz_lite.evaluation.scores.chinese.all_scores import accepts, hidden_words
from bertviz_lite.evaluation.scores.chinese.counts import NGRAMS, WordCounts
from bertviz_lite.training.pretraining.vocabulary import save_tokenizer
from bertviz_lite.world.chinese import Story
from bertviz_lite.world.chinese.texts import text, words
from bertviz_lite.world.events.minimal_pair import MinimalPair
from bertviz_lite.world.towns import FIRST

TOKENIZER = character_tokenizer(words())
SIZE = replace(
    evaluation.QUICK,
    stories=150,
    per_kind=40,
    random_stories=20,
    minimal_pairs=2,
    part_pairs=100,
    counted=150,
)


def small_model(seed: int = 0) -> BertForPreTraining:
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(TOKENIZER),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
    )
    model: BertForPreTraining = BertForPreTraining(config).eval()
    return model


@pytest.fixture(scope="module")
def texts() -> ChineseSet:
    """Write a small evaluation set."""
    return ChineseSet.write(TOKENIZER, SIZE)


def test_an_untrained_model_knows_nothing_and_every_score_is_there(texts: ChineseSet) -> None:
    scores = score_on(small_model(), TOKENIZER, texts)
    assert list(scores) == [
        "classifier",
        "pronoun",
        "mention",
        "consequence",
        "count",
        "masked_words",
        "next_part",
        "minimal_pairs",
        "senses",
    ]
    for name in ("classifier", "pronoun", "mention", "consequence", "masked_words"):
        assert scores[name].value < 0.2
        assert scores[name].n > 10
        assert set(scores[name].baselines) >= {"left neighbour", "both neighbours", NGRAMS}
    assert 0.2 < scores["minimal_pairs"].value < 0.8
    assert scores["minimal_pairs"].baselines[NGRAMS] > 0.7
    assert "classifier" in scores["minimal_pairs"].details
    assert evaluation.Scores.from_json(scores.to_json()).keys() == scores.keys()
    assert not math.isnan(scores["senses"].value)


@pytest.mark.thorough
def test_a_model_that_learns_which_characters_are_frequent_gets_some_right(texts: ChineseSet) -> None:
    model = small_model().train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    rows = [TOKENIZER(str(text(1, index))[:60])["input_ids"] for index in range(64)]
    for _ in range(15):
        batch = TOKENIZER.pad({"input_ids": rows}, return_tensors="pt")
        hide = (torch.rand(batch["input_ids"].shape) < 0.3) & (batch["input_ids"] > 4)
        masked = torch.where(hide, TOKENIZER.mask_token_id, batch["input_ids"])
        logits = model(masked, attention_mask=batch["attention_mask"]).prediction_logits[hide]
        torch.nn.functional.cross_entropy(logits, batch["input_ids"][hide]).backward()
        optimizer.step()
        optimizer.zero_grad()
    before = score_on(small_model(), TOKENIZER, texts)["masked_words"].value
    assert score_on(model.eval(), TOKENIZER, texts)["masked_words"].value > before


def test_only_words_of_their_kind_are_hidden(texts: ChineseSet) -> None:
    chosen = {
        kind: [one.story.words[number] for one, number in words]
        for kind, words in hidden_words(texts).items()
    }
    assert all(word.pos == "CLF" for word in chosen["classifier"])
    assert {word.text for word in chosen["pronoun"]} <= {"他", "她", "他们", "她们", "它"}
    for kind in ("mention", "consequence", "count"):
        assert {word.determined for word in chosen[kind]} == {kind}


def test_a_noun_with_two_classifiers_takes_either() -> None:
    word = next(word for index in range(400) for word in text(2, index).words if word.noun == "小狗")
    assert accepts(word, "只")
    assert accepts(word, "条")
    assert not accepts(word, "辆")


def test_long_texts_lose_whole_sentences_at_the_end_only(texts: ChineseSet) -> None:
    for encoded in texts.test:
        part: Story = encoded.story
        whole = text(evaluation.EVALUATION_SEED, part.index)
        assert len(encoded.input_ids) <= 128
        assert whole.sentences[: len(part.sentences)] == part.sentences
        if len(part.sentences) < len(whole.sentences):
            assert whole.sentences[len(part.sentences)].words[-1].end > 126
    assert 0.5 < texts.fitting < 0.95


def test_rivals_guess_what_they_have_counted() -> None:
    texts = [text(3, index) for index in range(300)]
    counts = WordCounts.of(texts)
    seen = [(one, word) for one in texts[:40] for word in one.words if word.pos == "CLF"]
    shares = counts.accuracies(seen, accepts)
    assert shares["both neighbours"] > shares["left neighbour"]
    assert shares[NGRAMS] > 0.8
    pair = MinimalPair("classifier", "小明有一", "只", "辆", "小狗。")
    assert counts.of_pairs([pair])[NGRAMS] == [1.0]


def test_training_and_evaluation_share_no_seed(texts: ChineseSet) -> None:
    assert len(texts.fingerprints()) == len(
        {str(text(evaluation.EVALUATION_SEED, index)) for index in range(150)}
    )


def test_the_command_scores_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small_model().save_pretrained(tmp_path)
    save_tokenizer(TOKENIZER, tmp_path)
    monkeypatch.setattr("bertviz_lite.evaluation.scores.chinese.any_town.size_of", lambda *_, **__: SIZE)
    assert main([str(tmp_path), "--quick"]) == 1
    assert "masked word: classifier" in capsys.readouterr().out


def test_a_town_in_english_is_scored_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(
        "bertviz_lite.evaluation.scores.chinese.any_town.EvaluationSet.make",
        lambda *_, **options: asked.append(options["town"]),
    )
    evaluation_set_of(FIRST, TOKENIZER)
    assert asked == [FIRST]
