"""The small training that a chapter runs: its stories, its exam, its steps, its interruptions, its curve."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from bertviz_lite.chapters.chapter_10.live import no_warm_up, ten_seeds
from bertviz_lite.chapters.chapter_10.live.curve import LiveCurve
from bertviz_lite.chapters.chapter_10.live.step import parameter_groups
from bertviz_lite.chapters.chapter_10.live.tiny_stories import (
    PLURAL,
    SINGULAR,
    agreeing_verb,
    small_tokenizer,
    tiny_stories,
)
from bertviz_lite.chapters.chapter_10.live.training import LIVE, LiveTraining, Moment
from bertviz_lite.chapters.chapter_10.live.verb_exam import FIRSTS, Exam
from bertviz_lite.data.pretraining.pairs import Mix

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


def test_the_same_questions_are_asked_with_another_first_sentence_or_none() -> None:
    tokenizer = small_tokenizer()
    exam = Exam.make(tokenizer, iter(tiny_stories(1, 400)), each=5)
    for first in (*FIRSTS, "none"):
        changed = exam.after(first)
        assert torch.equal(changed.plural, exam.plural)
        for k, story in enumerate(exam.stories):
            ids = changed.batch["input_ids"][k]
            assert ids[changed.places[k]] == tokenizer.mask_token_id
            read = tokenizer.decode(ids[changed.batch["attention_mask"][k] == 1])
            sentences = [part.strip() for part in read.removeprefix("[CLS]").split("[SEP]")[:-1]]
            own = [str(sentence).lower() for sentence in story.sentences]
            verb = agreeing_verb(story).text
            assert sentences[-1] == own[1].replace(f" {verb} ", " [MASK] ")
            types = changed.batch["token_type_ids"][k]
            assert types.sum() == (0 if first == "none" else len(tokenizer(own[1])["input_ids"]) - 1)
            if first == "none":
                assert len(sentences) == 1
            else:
                same = first == "another of the same number"
                assert ((" a " not in sentences[0]) == exam.plural[k]) == same
                assert " a " in own[0] if not exam.plural[k] else " a " not in own[0]
                assert not same or sentences[0].split()[-1] != own[0].split()[-1]  # another toy
    with pytest.raises(ValueError, match="it is one of 'another of the same number', 'one of the other"):
        exam.after("two")


def test_right_answers_are_counted_by_kind() -> None:
    exam = Exam.make(small_tokenizer(), iter(tiny_stories(1, 400)), each=5)
    assert exam.counts(exam.plural) == [5, 0, 5, 0]
    assert exam.counts(exam.between) == [0, 0, 5, 5]


def test_ten_seeds_are_recorded_as_they_run() -> None:
    record = ten_seeds.record()
    assert record["steps"] == list(range(0, LIVE.steps + 1, LIVE.steps // ten_seeds.MOMENTS))
    assert ten_seeds.across().shape == (ten_seeds.SEEDS, len(record["steps"]))
    assert all(len(ends) == ten_seeds.SEEDS for ends in record["end"].values())
    steps, right, _ = ten_seeds.run(3, steps=35)
    assert steps == [0, 35]
    assert right == record["right"][3][:2]
    assert ten_seeds.run(3, steps=35, mixed=True)[1] == record["mixed"][3][:2]
    assert np.shape(record["mixed"]) == np.shape(record["right"])
    _, ax = plt.subplots()
    ten_seeds.behind(ax)
    assert [line.get_ydata().tolist() for line in ax.get_lines()] == ten_seeds.across()[:, 1:].tolist()


def test_a_batch_of_the_live_training_has_texts_of_one_length_unless_lengths_are_mixed() -> None:
    stories = tiny_stories(0, 640)
    grouped, mixed = (
        LiveTraining(LIVE, stories=stories, mix=mix) for mix in (None, Mix(0, 0, 0, spread=math.inf))
    )
    lengths = [
        [set(live.batch(step)["attention_mask"].sum(dim=1).tolist()) for step in range(10)]
        for live in (grouped, mixed)
    ]
    assert np.median([len(each) for each in lengths[0]]) == 1
    assert min(len(each) for each in lengths[1]) > 3


def test_falls_are_counted_between_tests_of_one_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    one = [[0, 0, 0, 0], [50, 50, 50, 50], [50, 50, 40, 40], [50, 50, 50, 41], [50, 50, 45, 40]]
    monkeypatch.setattr(ten_seeds, "record", lambda: {"right": [one, one[::-1]], "mixed": [one]})
    # of 100, without the first test: 100, 80, 91, 85 falls once by 20; 91, 80, 100, 0 falls once by more
    assert (ten_seeds.falls(), ten_seeds.falls("mixed")) == (2, 1)


@pytest.mark.parametrize("times", no_warm_up.TIMES)
def test_trainings_without_warm_up_are_recorded_as_they_run(times: int) -> None:
    record = no_warm_up.recorded(times)
    assert record.shape == (2, no_warm_up.SEEDS, 80 // no_warm_up.EVERY)
    with_it, without = no_warm_up.recipes(times, seed=2)
    assert (with_it.learning_rate, without.learning_rate) == (times * LIVE.learning_rate,) * 2
    assert round(with_it.warmup * with_it.steps) == 8
    assert without.warmup == 0
    for row, recipe in enumerate((with_it, without)):
        made = no_warm_up.losses(recipe, steps=2 * no_warm_up.EVERY)
        assert made == pytest.approx(record[row, 2, :2], abs=0.02)
    _, ax = plt.subplots()
    no_warm_up.behind(ax, times)
    drawn = [np.asarray(line.get_ydata()).tolist() for line in ax.get_lines()]
    assert drawn == record.reshape(2 * no_warm_up.SEEDS, -1).tolist()


def test_a_moment_counts_what_is_right_of_each_kind() -> None:
    moment = small().score()
    direct_plural, direct_singular, across_plural, across_singular = moment.counts
    assert moment.direct == pytest.approx((direct_plural + direct_singular) / 100)
    assert moment.across == pytest.approx((across_plural + across_singular) / 100)


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
