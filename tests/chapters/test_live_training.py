"""The small training that a chapter runs: its stories, its exam, its steps, its interruptions, its curve."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
import torch

from bertviz_lite.chapters.chapter_09.live_curve import LiveCurve
from bertviz_lite.chapters.chapter_09.live_training import LIVE, LiveTraining, Moment, parameter_groups
from bertviz_lite.chapters.chapter_09.tiny_stories import (
    PLURAL,
    SINGULAR,
    Exam,
    agreeing_verb,
    small_tokenizer,
    tiny_stories,
)

TINY = replace(
    LIVE, steps=8, batch_size=4, stories=60, hidden_size=8, num_layers=1, num_heads=2, intermediate_size=16
)


def small() -> LiveTraining:
    return LiveTraining(TINY, moments=4)


def test_half_of_the_subjects_are_plural_and_the_verb_agrees() -> None:
    told = tiny_stories(0, 400)
    assert told[:50] == tiny_stories(0, 50)
    plural = 0
    for one in told:
        verb = agreeing_verb(one)
        assert verb.subject is not None
        subject = one.sentences[1].words[verb.subject]
        assert verb.text in (PLURAL if subject.form == "plural" else SINGULAR)
        plural += subject.form == "plural"
    assert 160 < plural < 240
    with pytest.raises(ValueError, match="n=-1: ask for 0 or more stories"):
        tiny_stories(0, -1)


def test_the_small_vocabulary_spells_every_story() -> None:
    tokenizer = small_tokenizer()
    assert len(tokenizer) < 120
    for one in tiny_stories(7, 100):
        assert tokenizer.unk_token_id not in tokenizer(str(one))["input_ids"]


def test_the_exam_asks_each_kind_alike_and_nothing_that_was_read() -> None:
    told, tokenizer = tiny_stories(0, 300), small_tokenizer()
    exam = Exam.make(tokenizer, chain(told, iter(tiny_stories(1, 600))), each=10, unlike=told)
    assert not {str(one) for one in exam.told} & {str(one) for one in told}
    assert exam.plural.sum() == exam.between.sum() == 20
    hidden = exam.batch["input_ids"] == tokenizer.mask_token_id
    assert torch.equal(hidden.nonzero()[:, 1], exam.places)
    with pytest.raises(ValueError, match="too few stories for 10 questions"):
        Exam.make(tokenizer, iter(told[:20]), each=10)


def test_the_neighbours_are_right_beside_and_wrong_across() -> None:
    told = tiny_stories(0, 2_000)
    exam = Exam.make(small_tokenizer(), iter(tiny_stories(1, 800)), each=30, unlike=told)
    shares = exam.shares(exam.by_neighbours(told))
    assert shares["beside"] > 0.8
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
    assert [one.step for one in whole.scores] == [0, 2, 4, 6, 8]
    for one, other in zip(whole.model.parameters(), parts.model.parameters(), strict=True):
        assert torch.equal(one, other)


def test_an_interrupt_keeps_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
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


def test_the_loss_is_the_library_s() -> None:
    live = small()
    expected = live.model(**live.batch(0)).loss.item()
    live.run(1, curve=False)
    assert sum(live.losses[0]) == pytest.approx(expected, abs=1e-12)
    assert live.losses[0][0] == pytest.approx(math.log(len(live.tokenizer)), rel=0.2)


def test_biases_and_norms_are_not_decayed() -> None:
    decayed, bare = parameter_groups(small().model, 0.01)
    assert decayed["weight_decay"] == 0.01
    assert bare["weight_decay"] == 0.0
    assert all(one.ndim == 2 for one in decayed["params"])
    assert all(one.ndim == 1 for one in bare["params"])


def test_the_curve_draws_what_it_is_given() -> None:
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
