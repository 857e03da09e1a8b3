"""Chapter 07's questions: right by construction and learnable; and the recorded scores of a real model."""

import copy
import doctest
import re
from types import ModuleType
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from transformers import BertForPreTraining, PreTrainedTokenizerBase

from bertviz_lite import ModelError, load
from bertviz_lite.chapters.chapter_07 import (
    closeness,
    exercises,
    figures,
    next_sentence,
    reading_off,
    same_event,
    scoring,
)
from bertviz_lite.chapters.chapter_07.same_event import (
    CHANGES,
    PROBE_SEED,
    TEST_SEED,
    TRAINING_SEED,
    event_questions,
)
from bertviz_lite.chapters.chapter_07.same_meaning import ENGLISH_CHANGES, english_questions, english_scores
from bertviz_lite.chapters.chapter_07.tuning import Lesson, Schedule, finish, states, tune
from bertviz_lite.data.story_pairs.cutting import people_of
from bertviz_lite.evaluation.poolings import poolings
from bertviz_lite.evaluation.recorded import recorded
from bertviz_lite.evaluation.similarity import SimilarityQuestion, word_overlap
from bertviz_lite.world.events.town import PEOPLE
from tests.helpers.tiny_models import make, save

NAMES = {person.name for person in PEOPLE}
SOME = event_questions(seed=3, n=60)
MINILM = {name: tuple(scores) for name, scores in recorded("similarity")["all-MiniLM-L6-v2"].items()}


def names_in(text: str) -> list[str]:
    return [word for word in re.findall(r"[A-Z][a-z]+", text) if word in NAMES]


# Questions


@pytest.mark.parametrize("module", [closeness, figures, same_event, scoring])
def test_the_examples_in_the_docstrings(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


def test_a_hit_is_a_query_whose_same_event_is_nearest() -> None:
    cosines = [[0.9, 0.1, 0.5], [0.2, 0.3, 0.1], [0.4, 0.4, 0.1]]
    assert scoring.hits(cosines).tolist() == [1.0, 0.0, 0.5]


def test_a_question_does_not_depend_on_the_number_of_questions() -> None:
    assert event_questions(seed=3, n=2) == SOME[:2]
    assert event_questions(seed=4, n=2) != SOME[:2]
    assert event_questions(seed=3, n=0) == []


def test_a_negative_number_is_refused() -> None:
    with pytest.raises(ValueError, match=r"n=-1: ask for 0 or more"):
        event_questions(seed=3, n=-1)


@pytest.mark.parametrize("question", SOME)
def test_each_candidate_is_changed_as_its_name_says(question: SimilarityQuestion) -> None:
    by_change = dict(zip(CHANGES, question.candidates, strict=True))
    assert len(set(question.texts)) == len(question.texts)
    people = set(names_in(question.query))
    assert people
    assert set(names_in(by_change["same event"])) == people
    assert set(names_in(by_change["other thing"])) == people
    assert set(names_in(by_change["other person"])) != people
    assert set(names_in(by_change["other deed"])) <= people


def test_in_half_of_the_questions_giver_and_taker_change_places() -> None:
    swapped = [set(names_in(question.query)) == set(names_in(question.candidates[4])) for question in SOME]
    assert 20 <= sum(swapped) <= 40
    told = [same_event.changes_of(question) for question in SOME]
    assert [kinds[-1] == "swapped" for kinds in told] == swapped
    assert all(kinds[:-1] == CHANGES[:-1] for kinds in told)


def test_each_kind_of_candidate_is_scored_on_the_queries_that_have_one() -> None:
    swap = SimilarityQuestion("Anna met Tom.", ("-", "-", "-", "-", "Tom met Anna."))
    both = SimilarityQuestion("Anna met Tom.", ("-", "-", "-", "-", "Max met Anna."))
    takes_last, takes_first = [0, 0, 0, 0, 1.0], [1.0, 0, 0, 0, 0]
    shares = scoring.nearest([takes_last, takes_first, takes_first], [swap, swap, both])
    assert shares == pytest.approx([2 / 3, 0, 0, 0, 1 / 2, 0])


def test_a_candidate_keeps_the_verbs_if_it_has_the_query_s_and_no_others() -> None:
    others = ("Tom was found by Anna.", "Anna took it and found Tom.", "Anna had Tom.", "Max finds a ball.")
    question = SimilarityQuestion("Anna found Tom.", ("Max found a ball.", *others))
    assert same_event.keeps_verbs(question) == (True, True, False, False, False)
    changed = {kind: kept for kind, (_, kept) in same_event.tally(SOME).items()}
    assert changed["same event"] == 0
    assert changed["other person"] > 10 < changed["other thing"]
    assert sum(same_event.tally(SOME)[kind][0] for kind in ("swapped", "both others")) == len(SOME)


def test_a_rewording_is_the_verbs_of_a_query_and_its_partner_whichever_is_which() -> None:
    sold, bought = "Tom sold Anna a ball.", "Anna bought a ball from Tom."
    for texts in ((sold, bought), (bought, sold)):
        question = SimilarityQuestion(texts[0], (texts[1], "-", "-", "-", "-"))
        assert same_event.rewording(question) == ("buy", "sell")
    told = [same_event.rewording(question) for question in SOME]
    assert all(one != other for one, other in told)


def test_the_test_shares_no_question_with_the_training_or_the_probe_s() -> None:
    queries = [question.query for question in event_questions(TEST_SEED, 100)]
    for seed in (TRAINING_SEED, PROBE_SEED):
        others = {text for question in event_questions(seed, 100) for text in question.texts}
        assert sum(query in others for query in queries) <= 1


def test_english_questions_mislead_a_count_of_shared_words() -> None:
    questions = english_questions()
    assert len(questions) == 24
    assert {len(question.candidates) for question in questions} == {len(ENGLISH_CHANGES)}
    texts = [text for question in questions for text in question.texts]
    assert len(set(texts)) == len(texts)
    assert all(re.fullmatch(r"[A-Z][^|\n]*\.", text) for text in texts)
    overlap = word_overlap(questions)
    assert (overlap.argmax(axis=1) == ENGLISH_CHANGES.index("like words")).all()


def test_no_text_has_a_word_that_the_vocabulary_splits() -> None:
    tokenizer, _ = load()
    texts = [text for question in SOME for text in question.texts]
    assert not any(token.startswith("##") for text in texts for token in tokenizer.tokenize(text))


# Running and training a model

_Small = tuple[PreTrainedTokenizerBase, Any]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> _Small:
    """Give a model of a few thousand weights with the pocket model's words."""
    tokenizer, pocket = load()
    model = make(BertForPreTraining, vocab_size=pocket.config.vocab_size)
    folder = save(tmp_path_factory.mktemp("similarity") / "tiny", model, tokenizer=False)
    tokenizer.save_pretrained(folder)
    tokenizer, read = load(folder)
    return tokenizer, read.double()


def test_finish_goes_on_where_states_has_stopped(small: _Small) -> None:
    tokenizer, model = small
    bert = model.base_model
    last, real = states(bert, tokenizer, SOME[:5])
    for layers in (1, 2):
        inputs = states(bert, tokenizer, SOME[:5], layer=-1 - layers)
        assert torch.equal(inputs[1], real)
        torch.testing.assert_close(finish(bert, inputs, layers), last, rtol=0, atol=1e-12)


def test_poolings_leave_padding_out(small: _Small) -> None:
    tokenizer, model = small
    hidden, real = states(model.base_model, tokenizer, SOME[:5])
    spoiled = hidden.masked_fill(real[..., None] == 0, 1e6)
    assert (real == 0).any()
    for pool in poolings().values():
        assert torch.equal(pool(model.base_model, spoiled, real), pool(model.base_model, hidden, real))


def test_a_text_is_pooled_beside_a_longer_one_as_it_is_alone(small: _Small) -> None:
    bert = small[1].base_model
    generator = torch.Generator().manual_seed(0)
    size = bert.config.hidden_size
    hidden = torch.randn(2, 6, size, generator=generator, dtype=torch.float64) - 5  # below 0
    real = torch.tensor([[1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0]])
    pooled = {name: pool(bert, hidden, real)[1] for name, pool in poolings().items()}
    torch.testing.assert_close(pooled["mean"], hidden[1, :3].mean(0), rtol=0, atol=1e-12)
    assert torch.equal(pooled["max"], hidden[1, :3].amax(0))
    assert torch.equal(pooled["[CLS]"], hidden[1, 0])
    torch.testing.assert_close(pooled["pooler"], bert.pooler.dense(hidden[1, 0]).tanh(), rtol=0, atol=1e-12)


def test_tuning_helps_and_leaves_the_model_alone(small: _Small) -> None:
    tokenizer, model = small
    before = {name: value.clone() for name, value in model.base_model.state_dict().items()}
    mean = poolings()["mean"]
    tuned, losses = tune(model, tokenizer, SOME, mean, Schedule(layers=1, steps=60))
    assert all(torch.equal(value, before[name]) for name, value in model.base_model.state_dict().items())
    changed = [name for name, value in tuned.state_dict().items() if not torch.equal(value, before[name])]
    assert changed
    assert all(name.startswith("encoder.layer.1.") for name in changed)
    assert np.mean(losses[-5:]) < 0.9 * np.mean(losses[:5])
    again = tune(model, tokenizer, SOME, mean, Schedule(layers=1, steps=60)).losses
    assert losses == again


def test_tuning_shows_the_model_before_the_first_step_and_after_the_last(small: _Small) -> None:
    tokenizer, model = small
    steps, weights = [], []

    def watch(step: int, tuned: Any) -> None:  # noqa: ANN401
        steps.append(step)
        weights.append(tuned.encoder.layer[1].output.dense.weight.clone())

    tuned = tune(model, tokenizer, SOME, poolings()["mean"], Schedule(layers=1, steps=3), watch=watch).model
    assert steps == [0, 1, 2, 3]
    assert torch.equal(weights[0], model.base_model.encoder.layer[1].output.dense.weight)
    assert torch.equal(weights[-1], tuned.encoder.layer[1].output.dense.weight)
    assert not torch.equal(weights[0], weights[-1])


def test_another_seed_draws_the_questions_in_another_order(small: _Small) -> None:
    tokenizer, model = small
    mean = poolings()["mean"]
    first, again, other = (
        tune(model, tokenizer, SOME, mean, Schedule(layers=1, steps=2, seed=seed)).losses
        for seed in (0, 0, 1)
    )
    assert first == again
    assert first[0] != other[0]


def test_tuning_refuses_what_cannot_be(small: _Small) -> None:
    tokenizer, model = small
    mean = poolings()["mean"]
    with pytest.raises(ValueError, match=r"layers=3: the model has 2; train 1 or more"):
        tune(model, tokenizer, SOME, mean, Schedule(layers=3))
    with pytest.raises(ValueError, match=r"5 questions are fewer than the 12 of one step"):
        tune(model, tokenizer, SOME[:5], mean)


def test_a_lesson_trains_as_tune_does_and_reads_the_test(small: _Small) -> None:
    tokenizer, model = small
    mean = poolings()["mean"]
    trained, last = Lesson(model, tokenizer, SOME[:20], SOME[20:30]).train(mean)
    expected = tune(model, tokenizer, SOME[:20], mean).model.state_dict()
    assert all(torch.equal(value, expected[name]) for name, value in trained.state_dict().items())
    torch.testing.assert_close(last, states(trained, tokenizer, SOME[20:30])[0], rtol=0, atol=1e-12)


def test_a_lesson_can_leave_candidates_out_and_take_another_loss_and_another_start(small: _Small) -> None:
    tokenizer, model = small
    shapes = []

    def loss(queries: torch.Tensor, candidates: torch.Tensor, temperature: float) -> torch.Tensor:
        shapes.append((len(queries), *candidates.shape[:2], temperature))
        return (queries - candidates[:, 0]).square().sum()

    lesson = Lesson(model, tokenizer, SOME[:20], SOME[20:30])
    pooler = poolings()["pooler"]
    lesson.train(pooler, without=("other person", "two changes"), loss=loss)
    assert shapes == 30 * [(12, 12, 3, 0.05)]
    other = copy.deepcopy(model)
    other.base_model.pooler.dense.weight.data.zero_()
    ways = [lesson.train(pooler, start=start)[0].pooler.dense.weight for start in (other, model)]
    assert not torch.equal(*ways)
    orders = [lesson.train(pooler, order=order)[0].pooler.dense.weight for order in (0, 0, 1)]
    assert torch.equal(*orders[:2])
    assert not torch.equal(*orders[1:])


def test_candidates_that_are_left_out_are_those_of_their_name(small: _Small) -> None:
    tokenizer, model = small
    seen = []

    def loss(queries: torch.Tensor, candidates: torch.Tensor, _: float) -> torch.Tensor:
        seen.append(candidates.detach())
        return (queries - candidates[:, 0]).square().sum()

    def first(bert: Any, hidden: torch.Tensor, _: torch.Tensor) -> torch.Tensor:  # noqa: ANN401
        return hidden[:, 0] + 0 * bert.encoder.layer[-1].output.dense.bias

    Lesson(model, tokenizer, SOME[:12], SOME[:1]).train(first, without=("other person",), loss=loss)
    Lesson(model, tokenizer, SOME[:12], SOME[:1]).train(first, loss=loss)
    few, every = seen[0], seen[30]
    assert torch.equal(few, every[:, [0, 2, 3, 4]])


@pytest.mark.thorough
@pytest.mark.slow
def test_a_search_among_all_texts_finds_what_exercise_7_says() -> None:
    tokenizer, model = load("pocket")
    model = model.double()
    bert, mean = model.base_model, poolings()["mean"]
    exam, lesson = (event_questions(seed, n=200) for seed in (TEST_SEED, TRAINING_SEED))
    below, real = states(bert, tokenizer, exam, layer=-2)
    tuned = tune(model, tokenizer, lesson, mean).model

    def found(bert: Any, k: int) -> int:  # noqa: ANN401
        with torch.no_grad():
            vectors = mean(bert, finish(bert, (below, real)), real).detach().numpy().reshape(200, 6, -1)
        vectors /= np.linalg.norm(vectors, axis=-1, keepdims=True)
        cosines = np.einsum("qh,pch->qpc", vectors[:, 0], vectors[:, 1:])
        own = cosines[range(200), range(200), 0]
        closer = (cosines > own[:, None, None] + 1e-12).sum(axis=(1, 2))
        return int((closer < k).sum())

    assert (found(tuned, 1), found(bert, 1)) == (177, 15)


# The exam of [CLS], and what it holds


def test_the_exam_of_many_pairs_is_that_of_each_pair_alone() -> None:
    tokenizer, model = load()
    pairs = [pair for kind in next_sentence.kinds_of_pairs(3).values() for pair in kind]
    passed = 0
    for pair in pairs:
        logits = model(**tokenizer(*pair.texts, return_tensors="pt")).seq_relationship_logits
        passed += int(logits[0, 0] > logits[0, 1])
    assert next_sentence.passing(model, tokenizer, pairs) == pytest.approx(passed / len(pairs))


def test_pairs_are_changed_as_their_name_says() -> None:
    true, renamed, other, named, before = next_sentence.kinds_of_pairs(20).values()
    assert len(true) == len(renamed) == len(other) == 20
    assert [changed.texts for changed in before] == [pair.texts[::-1] for pair in true]
    assert max(sum(pair.lengths) for pair in true) <= 95
    for pair, changed in zip(true, renamed, strict=True):
        assert changed.texts[0] == pair.texts[0]
        assert people_of(pair.first)
        assert people_of(pair.second)
        assert not set(people_of(changed.second)) & set(pair.people)
    for pair, changed in zip(true, other, strict=True):
        assert changed.texts[0] == pair.texts[0]
        assert changed.source != pair.story
    assert named
    for changed in named:
        assert changed.source != changed.story
        (own,) = [pair for pair in true if pair.story == changed.story]
        assert set(people_of(changed.second)) <= set(own.people)


# Two sentences that fool [CLS]


@pytest.mark.parametrize(
    ("two", "said"),
    [
        (("Max sleeps.", "Alice gave a map to Nina."), ("near isn't close enough.", "far is still close:")),
        (("Max sleeps.", "Alice read the map to Nina."), ("near isn't close enough.", "far is right.")),
        (("Max sleeps.", "Alice sleeps."), ("near isn't close enough.", "exactly one word of the query")),
        (
            ("Ruby gave the map to Luke.", "Alice gave a map to Nina."),
            ("near still has", "far is still close"),
        ),
        (
            ("Ruby gave the belt to Luke.", "Nina gave the map to Alice."),
            ("near is right.", "exactly one word"),
        ),
    ],
)
def test_of_two_sentences_each_gets_its_own_verdict(two: tuple[str, str], said: tuple[str, str]) -> None:
    verdict = exercises.fooled.check(lambda: two)
    assert not verdict
    for sentence in said:
        assert sentence in verdict.text.splitlines()[0]


def test_the_same_deed_by_another_verb_is_no_closer_than_another_deed() -> None:
    tokenizer, model = load("pocket")
    verbs = ("gave", "handed", "showed")
    gave, handed, showed = (
        model.base_model(**tokenizer(f"Alice {verb} the map to Nina.", return_tensors="pt")).last_hidden_state
        for verb in verbs
    )
    same, other = (torch.cosine_similarity(gave[0, 0], each[0, 0], dim=0) for each in (handed, showed))
    assert same < other


def test_a_third_sentence_is_refused() -> None:
    assert "return two sentences" in exercises.fooled.check(lambda: ("Max sleeps.",) * 3).text


# What a probe reads off [CLS]


def test_a_text_names_its_first_person_its_first_verb_and_its_thing_in_the_singular() -> None:
    question = SimilarityQuestion(
        "David found four brushes.",
        ("A yoyo was lost by Anna and Tom.", "A boy called Tom held it.", "It rains."),
    )
    named = {asked: reading_off.first_named([question], words) for asked, words in reading_off.ASKED.items()}
    assert named["person"].tolist() == ["david", "anna", "tom", ""]
    assert named["verb"].tolist() == ["find", "lose", "hold", ""]
    assert named["thing"].tolist() == ["brush", "yoyo", "", ""]


def test_every_text_names_a_person_a_verb_and_a_thing() -> None:
    for words in reading_off.ASKED.values():
        assert "" not in reading_off.first_named(SOME, words)


def test_always_saying_the_commonest_is_right_as_often_as_it_occurs() -> None:
    question = SimilarityQuestion(
        "Anna lost a yoyo.", ("Anna lost a drum.", "Tom lost a yoyo.", "Tom sleeps.")
    )
    assert reading_off.commonest([question]) == pytest.approx({"person": 2 / 4, "verb": 1, "thing": 2 / 3})


def test_a_probe_reads_a_person_only_where_attention_can_carry_the_name_to_cls(small: _Small) -> None:
    tokenizer, model = small
    bert = copy.deepcopy(model.base_model)
    fit, score = event_questions(TRAINING_SEED, 40), SOME
    for layer in bert.encoder.layer:  # nothing that attention fetches gets into the stream
        layer.attention.output.dense.weight.data.zero_()
    deaf = reading_off.read_off_cls(bert, tokenizer, fit, score)
    hears = reading_off.read_off_cls(model.base_model, tokenizer, fit, score)
    assert deaf["person"] < 0.1 < hears["person"]
    assert deaf["thing"] < 0.1


def test_a_probe_reads_the_same_off_a_lesson_s_states(small: _Small) -> None:
    tokenizer, model = small
    fit = event_questions(TRAINING_SEED, 40)
    lesson = Lesson(model, tokenizer, fit, SOME)
    trained, last = lesson.train(poolings()["[CLS]"])
    known = lesson.last_states(trained)
    assert torch.equal(known[1], last)
    torch.testing.assert_close(known[0], states(trained, tokenizer, fit)[0], rtol=0, atol=1e-12)
    read = reading_off.read_off_cls(trained, tokenizer, fit, SOME, known)
    assert read == reading_off.read_off_cls(trained, tokenizer, fit, SOME)
    assert read != reading_off.read_off_cls(model.base_model, tokenizer, fit, SOME)


def test_some_second_parts_name_nobody() -> None:
    assert 0.3 < next_sentence.nameless(60) < 0.9


# Figures


def test_the_four_ways_show_the_tokens_numbers_the_pooled_ones_and_another_text() -> None:
    numbers = np.array([[1.0, -2.0], [3.0, 0.5]])
    pooled, another = {"mean": numbers.mean(axis=0)}, {"c": [0.0, -4.0]}
    above, below, other = figures.four_ways(["a", "b"], numbers, pooled, another, title="x")
    assert above.images[0].get_array().tolist() == numbers.tolist()
    assert below.images[0].get_array().tolist() == [[2.0, -0.75]]
    assert [label.get_text() for label in below.get_yticklabels()] == ["mean"]
    assert other.images[0].get_array().tolist() == [[0.0, -4.0]]
    assert [label.get_text() for label in other.get_yticklabels()] == ["c"]
    assert {ax.images[0].norm.vmax for ax in (above, below, other)} == {4.0}
    plt.close(above.figure)


def test_each_name_has_a_panel_in_which_its_runs_stand_out_from_the_others() -> None:
    steps = [0, 30, 60]
    runs = {"[CLS]": [[0.3, 0.4, 0.9], [0.3, 0.5, 0.8]], "mean": [[0.4, 0.9, 1.0]]}
    panels = figures.curves(steps, {"one": runs, "all": runs}, title="late", reference=30)
    assert [ax.get_title() for ax in panels] == ["[CLS]", "mean", "", ""]
    assert [ax.get_ylabel() for ax in panels] == ["one", "", "all", ""]
    other, first, second, mark = panels[0].lines
    assert other.get_ydata().tolist() == [0.4, 0.9, 1.0]
    assert first.get_ydata().tolist() == [0.3, 0.4, 0.9]
    assert first.get_color() == second.get_color() == panels[0].title.get_color()
    assert other.get_color() not in {first.get_color(), panels[1].lines[2].get_color()}
    assert first.get_linestyle() != second.get_linestyle()
    assert set(mark.get_xdata()) == {30}
    assert [ax.texts[0].get_text() for ax in panels[:2]] == ["at 30: 40 to 50%", "at 30: 90%"]
    alone = figures.curves(steps, {"one": runs}, title="late", reference=30)
    assert [ax.get_ylabel() for ax in alone] == ["", ""]  # the label of all stands there


def test_tanh_is_drawn_with_what_becomes_of_each_number() -> None:
    ax = figures.tanh_curve([0.1, 4.0], title="x")
    assert [text.get_text() for text in ax.texts] == ["0.1 → 0.10", "4.0 → 1.00"]
    curve, *dots = ax.lines
    np.testing.assert_allclose(curve.get_ydata(), np.tanh(curve.get_xdata()))
    assert [dot.get_xdata()[0] for dot in dots] == [0.1, 4.0]
    plt.close(ax.figure)


def test_starts_are_drawn_by_their_strengths_and_by_what_they_reach() -> None:
    strengths, found = {"a": [4.0, 2.0, 1.0]}, {"none": [0.5], "a": [0.5, 0.5]}
    left, right = figures.starts(strengths, found, title="x")
    assert left.lines[0].get_ydata().tolist() == [1.0, 0.5, 0.25]
    assert [bar.get_width() for bar in right.patches] == [0.5, 0.5]
    assert right.lines[1].get_xdata().tolist() == [0.5, 0.5]
    assert right.lines[1].get_ydata().tolist() == pytest.approx([0.9, 1.1])  # two dots, though they are equal
    assert [text.get_text() for text in right.texts] == ["50%", "50%, 50%"]
    assert right.spines["bottom"].get_bounds() == (0, 1)  # no share is beyond 1
    plt.close(left.figure)


def test_a_row_has_a_dot_for_each_order_and_a_heading_has_none() -> None:
    rows = [("gifts", []), ("all", [0.9, 0.9]), ("none", [0.2, 0.5])]
    ax = figures.two_orders(rows, title="x")
    both, apart = ax.lines
    assert both.get_xdata().tolist() == [0.9, 0.9]
    assert len(set(both.get_ydata())) == 2  # two dots, though they are equal
    assert apart.get_xdata().tolist() == [0.2, 0.5]
    assert [text.get_text() for text in ax.texts] == ["90%, 90%", "20%, 50%"]
    assert [label.get_fontweight() for label in ax.get_yticklabels()] == ["bold", "normal", "normal"]
    plt.close(ax.figure)
    ax = figures.two_orders([("mean", [0.9, 0.8])], before=[0.1], reference={"by chance": 0.2}, title="x")
    assert [text.get_text() for text in ax.texts] == ["10%", "90%, 80%", "by chance 20%"]
    plt.close(ax.figure)


def test_a_small_share_is_not_written_as_none() -> None:
    _, right = closeness.one_query([0.5, 1.0, 0.2, 0.2, 0.2, 0.2], CHANGES, 0.09, title="x")
    assert [text.get_text() for text in right.texts][:3] == ["0.004", "1.00", "< 0.001"]
    plt.close(right.figure)


def test_the_map_of_the_nearest_is_written_in_percent() -> None:
    ax = figures.nearest_map({"a": [0.5, 0.25, 0.25, 0, 0, 0], "b": [0, 0, 0, 0, 1, 0]}, title="x")
    written = [text.get_text() for text in ax.texts]
    assert written == ["50", "25", "25", "0", "0", "0", "0", "0", "0", "0", "100", "0"]
    assert [label.get_text() for label in ax.get_xticklabels()][4:] == ["swapped", "both\nothers"]
    assert ax.images[0].get_clim() == (0, 100)  # the same colours before a training and after it
    plt.close(ax.figure)


def test_the_map_of_the_nearest_hides_no_single_query_and_says_of_how_many() -> None:
    of = dict.fromkeys(same_event.KINDS_OF_CANDIDATES, 200) | {"swapped": 109, "both others": 91}
    ax = figures.nearest_map({"a": [0.8, 0.005, 0, 0.195, 0, 0]}, of=of, title="x")
    assert [text.get_text() for text in ax.texts] == ["80", "<1", "0", "20", "0", "0"]
    names = [label.get_text() for label in ax.get_xticklabels()]
    assert names[:1] + names[4:] == ["same\nevent", "swapped\n(of 109)", "both\nothers\n(of 91)"]
    plt.close(ax.figure)


def test_two_maps_of_the_nearest_stand_one_above_the_other() -> None:
    one, two = {"a": [0.5, 0.25, 0.25, 0, 0, 0]}, {"a": [1, 0, 0, 0, 0, 0]}
    above, below = figures.nearest_maps({"before": one, "after": two}, title="x")
    assert [ax.get_title("left") for ax in (above, below)] == ["before", "after"]
    assert [text.get_text() for text in below.texts] == ["100", "0", "0", "0", "0", "0"]
    assert {label.get_text() for label in above.get_xticklabels()} == {""}
    assert below.get_xticklabels()[0].get_text() == "same\nevent"
    assert len(above.figure.axes) == 3  # one bar for both
    plt.close(above.figure)


def test_what_is_read_off_is_a_line_for_each_thing_asked_with_chance_dotted() -> None:
    stages = {"a": {"person": 0.8, "verb": 1.0}, "b": {"person": 0.1, "verb": 0.9}}
    ax = figures.read_off(stages, {"person": 0.03, "verb": 0.17}, title="x")
    person, chance, verb, _ = ax.lines
    assert person.get_ydata().tolist() == [0.8, 0.1]
    assert verb.get_ydata().tolist() == [1.0, 0.9]
    assert set(chance.get_ydata()) == {0.03}
    assert chance.get_color() == person.get_color() != verb.get_color()
    assert [text.get_text() for text in ax.texts] == ["80%", "10% person", "100%", "90% verb"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["a", "b"]
    plt.close(ax.figure)


def test_a_second_run_of_a_stage_is_a_ring() -> None:
    stages = {"a": {"person": 0.8}, "b": {"person": 0.1}}
    ax = figures.read_off(stages, {"person": 0.03}, again={"b": {"person": 0.3}}, title="x")
    ring = ax.lines[-1]
    assert (ring.get_xdata().tolist(), ring.get_ydata().tolist()) == ([1], [0.3])
    assert ring.get_markerfacecolor() == "white"
    plt.close(ax.figure)


def test_the_table_of_a_step_frames_each_query_s_own_candidates() -> None:
    cosines = torch.linspace(-0.5, 0.9, 2 * 6, dtype=torch.float64).unflatten(0, (2, 6))
    one, two = closeness.every_query({"before": cosines, "after": cosines}, title="x")
    for ax, name in ((one, "before"), (two, "after")):
        assert ax.get_title("left") == name
        assert np.asarray(ax.images[0].get_array()).tolist() == cosines.clamp(min=0).tolist()
        frames = [(patch.get_x(), patch.get_y(), patch.get_width()) for patch in ax.patches]
        assert frames == [(0.5, -0.5, 2), (-0.5, -0.5, 1), (3.5, 0.5, 2), (2.5, 0.5, 1)]
        written = [label.get_text() for label in ax.figure.axes[-1].get_yticklabels()]
        assert written == ["0 or less", "0.5", "1"]  # no colour tells how far below 0
    plt.close(one.figure)


def test_a_dashed_line_is_drawn_where_two_texts_usually_are() -> None:
    one, two = closeness.side_by_side({"one": [0.5], "two": [1.0]}, ["a"], title="x", usual=(0.8, 0.9))
    for ax, at in ((one, 0.8), (two, 0.9)):
        assert set(ax.lines[-1].get_xdata()) == {at}
        assert ax.texts[-1].get_text() == f"{at:.2f}"
        assert ax.spines["bottom"].get_bounds()[1] == 1
    plt.close(one.figure)


def test_each_kind_of_vectors_has_a_panel_of_its_own_with_the_first_sentence_on_top() -> None:
    one, two = closeness.side_by_side({"one": [0.5, 0.25], "two": [1.0, 0.75]}, ["a", "b"], title="x")
    for ax, values in ((one, [0.5, 0.25]), (two, [1.0, 0.75])):
        assert [np.asarray(dots.get_xdata()).tolist() for dots in ax.lines] == [values]
        assert [text.get_text() for text in ax.texts] == [f"{value:.3f}" for value in values]
        assert ax.get_xlim()[0] < 0.25
        assert max(ax.get_xticks()) <= 1
        assert ax.yaxis_inverted()
    assert [label.get_text() for label in one.get_yticklabels()] == ["a", "b"]
    plt.close(one.figure)


def test_the_softmax_of_one_query_is_drawn_beside_its_cosines() -> None:
    cosines = torch.linspace(-0.5, 0.9, 15, dtype=torch.float64)
    left, right = closeness.one_query(cosines, CHANGES, 0.05, title="x")
    assert [line.get_xdata()[0] for line in left.lines] == cosines.tolist()
    p = (cosines / 0.05).softmax(dim=0)
    expected = [*p[:5].tolist(), p[5:].sum().item()]
    assert [bar.get_width() for bar in right.patches] == pytest.approx(expected)
    assert [text.get_text() for text in left.texts] == ["−0.50", "−0.40", "−0.30", "−0.20", "−0.10"]
    assert left.get_yticklabels()[0].get_text() == "same event (partner)"
    assert left.get_yticklabels()[-1].get_text() == "10 of other queries"
    assert right.texts[-1].get_text() == f"{expected[-1]:.2f} (all 10)"  # the only bar that adds up several
    plt.close(left.figure)


# Recorded scores


def test_the_recorded_english_scores_are_those_of_the_model() -> None:
    try:
        load("minilm")
    except ModelError as error:
        pytest.skip(str(error))
    scores = english_scores(poolings())
    assert list(scores) == list(MINILM)
    for name, recorded_scores in MINILM.items():
        assert scores[name] == pytest.approx(recorded_scores)


def test_without_the_model_the_recorded_scores_are_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModelError(f"{name}: not installed")

    monkeypatch.setattr("bertviz_lite.models.loading.load", missing)
    assert english_scores(poolings()) == MINILM
