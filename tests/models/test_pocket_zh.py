"""The shipped model of Chinese: each score measured again, and a few plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import torch

from bertviz_lite import load
from bertviz_lite.evaluation.scores import Scores
from bertviz_lite.evaluation.scores.chinese import ChineseSet, evaluation_set_of, score_on
from bertviz_lite.models.loading import folder_of
from bertviz_lite.world.towns import CHINESE
from tests.helpers.sampled_scores import SAMPLE, far_from_recorded

if TYPE_CHECKING:
    from transformers import BertForPreTraining, PreTrainedTokenizerFast


def recorded_scores() -> Scores:
    return Scores.from_json((folder_of("pocket-zh") / "scores.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def loaded() -> tuple[PreTrainedTokenizerFast, BertForPreTraining]:
    return load("pocket-zh")  # type: ignore[return-value]


@pytest.mark.thorough
def test_a_sample_of_texts_gives_about_the_recorded_scores(
    loaded: tuple[PreTrainedTokenizerFast, BertForPreTraining],
) -> None:
    tokenizer, model = loaded
    measured = score_on(model, tokenizer, ChineseSet.write(tokenizer, SAMPLE))
    assert far_from_recorded(measured, recorded_scores()) == []


@pytest.mark.thorough
def test_the_weights_earn_the_recorded_scores(
    loaded: tuple[PreTrainedTokenizerFast, BertForPreTraining],
) -> None:
    tokenizer, model = loaded
    recorded = recorded_scores()
    measured = score_on(model, tokenizer, evaluation_set_of(CHINESE, tokenizer))
    assert set(measured) == set(recorded)
    for name, score in recorded.items():
        assert measured[name].n == score.n, name
        assert measured[name].value == pytest.approx(score.value, abs=0.005), name
        assert measured[name].baselines == pytest.approx(score.baselines, abs=0.005), name
        assert score.value > max(score.baselines.values(), default=0), name


def test_every_character_is_a_token_and_no_space_is_needed(
    loaded: tuple[PreTrainedTokenizerFast, BertForPreTraining],
) -> None:
    tokenizer, _ = loaded
    assert tokenizer.tokenize("小明去银行取钱。") == list("小明去银行取钱。")
    assert tokenizer.tokenize("小 明") == list("小明")
    assert tokenizer.tokenize("饕餮") == ["[UNK]", "[UNK]"]


@pytest.mark.parametrize(
    ("sentence", "right", "wrong"),
    [
        ("小红养了一[MASK]小猫。", "只", "本"),
        ("河里有一[MASK]大鱼。", "条", "本"),
        ("外面下[MASK]了，快打伞。", "雨", "床"),
        ("小明饿了，想吃[MASK]包。", "面", "书"),
        ("爸爸在厨房里做[MASK]。", "饭", "床"),
        ("天黑了，我们回[MASK]吧。", "家", "钱"),
    ],
)
def test_a_plain_sentence_gets_the_character_that_fits(
    loaded: tuple[PreTrainedTokenizerFast, BertForPreTraining], sentence: str, right: str, wrong: str
) -> None:
    tokenizer, model = loaded
    batch = tokenizer(sentence, return_tensors="pt")
    with torch.no_grad():
        logits = model(**batch).prediction_logits[0]
    (place,) = (batch["input_ids"][0] == tokenizer.mask_token_id).nonzero()[:, 0].tolist()
    of_right, of_wrong = (
        logits[place, tokenizer.convert_tokens_to_ids(char)].item() for char in (right, wrong)
    )
    assert of_right > of_wrong + 1  # more than 2.7 times as probable
