"""The small training that a chapter runs: its stories, its exam, its steps, its interruptions, its curve."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
import torch

from bertviz_lite.chapters.chapter_10.live_curve import LiveCurve
from bertviz_lite.chapters.chapter_10.live_training import LIVE, LiveTraining, Moment
from bertviz_lite.chapters.chapter_10.tiny_stories import (
    PLURAL,
    SINGULAR,
    agreeing_verb,
    small_tokenizer,
    tiny_stories,
)
from bertviz_lite.chapters.chapter_10.training_step import parameter_groups
from bertviz_lite.chapters.chapter_10.verb_exam import Exam

TINY = replace(
    LIVE, steps=8, batch_size=4, stories=60, hidden_size=8, num_layers=1, num_heads=2, intermediate_size=16
)


def small() -> LiveTraining:
    return LiveTraining(TINY, moments=4)


def test_half_of_the_subjects_are_plural_and_the_verb_agrees() -> None:
    stories = tiny_stories(0, 400)
    assert stories[:50] == tiny_stories(0, 50)
    plural = 0
    for story in stories:
        verb = agreeing_verb(story)
        assert verb.subject is not None
        subject = story.sentences[1].words[verb.subject]
        assert verb.text in (PLURAL if subject.form == "plural" else SINGULAR)
        plural += subject.form == "plural"
    assert 160 < plural < 240
    with pytest.raises(ValueError, match="n=-1: take 0 or more stories"):
        tiny_stories(0, -1)


def test_the_small_vocabulary_spells_every_story() -> None:
    tokenizer = small_tokenizer()
    assert len(tokenizer) < 120
    for story in tiny_stories(7, 100):
        assert tokenizer.unk_token_id not in tokenizer(str(story))["input_ids"]


def test_the_exam_has_as_many_questions_of_each_kind_and_no_story_that_was_read() -> None:
    stories, tokenizer = tiny_stories(0, 300), small_tokenizer()
    exam = Exam.make(tokenizer, chain(stories, iter(tiny_stories(1, 600))), each=10, unlike=stories)
    assert not set(map(str, exam.stories)) & set(map(str, stories))
    assert exam.plural.sum() == exam.between.sum() == 20
    hidden = exam.batch["input_ids"] == tokenizer.mask_token_id
    assert torch.equal(hidden.nonzero()[:, 1], exam.places)
    with pytest.raises(ValueError, match="too few stories for 10 questions"):
        Exam.make(tokenizer, iter(stories[:20]), each=10)


def test_neighbouring_words_decide_verbs_beside_their_subject_and_mislead_across_a_noun() -> None:
    stories = tiny_stories(0, 2_000)
    exam = Exam.make(small_tokenizer(), iter(tiny_stories(1, 800)), each=30, unlike=stories)
    shares = exam.shares(exam.by_neighbours(stories))
    assert shares["direct"] > 0.8
    assert shares["across"] < 0.3


def test_an_answer_is_right_where_the_number_gets_more_probability() -> None:
    tokenizer = small_tokenizer()
    exam = Exam.make(tokenizer, iter(tiny_stories(1, 400)), each=5)
    model: Any = small().model
    with torch.no_grad():
        model.cls.predictions.bias[tokenizer.convert_tokens_to_ids(list(PLURAL))] = 50.0
    assert torch.equal(exam.right(model, tokenizer), exam.plural)


def test_a_run_in_two_parts_ends_with_the_same_weights() -> None:
    whole, parts = small(), small()
    whole.run(curve=False)
    parts.run(3, curve=False)
    parts.run(curve=False)
    assert whole.losses == parts.losses
    assert whole.scores == parts.scores
    assert [moment.step for moment in whole.scores] == [0, 2, 4, 6, 8]
    for expected, made in zip(whole.model.parameters(), parts.model.parameters(), strict=True):
        assert torch.equal(expected, made)


def test_after_an_interrupt_training_goes_on_from_there(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        if live.step == 3 and not capsys.readouterr().out:
            live.change = None
            raise KeyboardInterrupt
        return batch

    live = LiveTraining(TINY, moments=4, change=interrupted)
    threads = torch.get_num_threads()
    live.run(curve=False)
    assert capsys.readouterr().out.startswith("Interrupted after 3 of 8 steps")
    assert torch.get_num_threads() == threads
    live.run(curve=False)
    assert live.losses == _finished().losses


def _finished() -> LiveTraining:
    live = small()
    live.run(curve=False)
    return live


def test_the_loss_equals_that_of_transformers() -> None:
    live = small()
    expected = live.model(**live.batch(0)).loss.item()
    live.run(1, curve=False)
    assert sum(live.losses[0]) == pytest.approx(expected, abs=1e-12)
    assert live.losses[0][0] == pytest.approx(math.log(len(live.tokenizer)), rel=0.2)


def test_biases_and_norms_are_not_decayed() -> None:
    decayed, bare = parameter_groups(small().model, 0.01)
    assert decayed["weight_decay"] == 0.01
    assert bare["weight_decay"] == 0.0
    assert all(weight.ndim == 2 for weight in decayed["params"])
    assert all(weight.ndim == 1 for weight in bare["params"])


def test_the_curve_shows_step_losses_and_scores() -> None:
    curve = LiveCurve(8)
    curve.draw([(4.0, 0.7), (2.0, 0.6)], [Moment(0, 0.5, 0.25)], 1.0)
    assert "step 2 of 8" in curve.value
    assert 'value="2"' in curve.value
    assert curve.value.count("<polyline") == 4
    assert repr(curve) == "LiveCurve(8 steps)"
    bundle = curve._repr_mimebundle_()
    assert "<svg" not in bundle["text/html"]
    assert bundle["text/html"].startswith("<p>")
    assert LiveCurve.shown(8) is None
