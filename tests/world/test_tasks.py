"""The labelled sets: true to what happened in the town, in words that the model knows, each time the same."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from bertviz_lite.data.pretraining.shards import SEEDS_PER_RUN
from bertviz_lite.evaluation.scores import EVALUATION_SEED
from bertviz_lite.models.loading import load
from bertviz_lite.training.pretraining.recipe import MAX_SEED
from bertviz_lite.world.events.dice import Dice
from bertviz_lite.world.events.town import PEOPLE
from bertviz_lite.world.tasks.account_questions import QUESTIONS
from bertviz_lite.world.tasks.accounts import Plan, plan, tell
from bertviz_lite.world.tasks.feeling_plots import HAPPENS
from bertviz_lite.world.tasks.hypotheses import HYPOTHESES
from bertviz_lite.world.tasks.sets import (
    FEELINGS,
    HELD_OUT_SEED,
    PAIR_LABELS,
    TAGS,
    TRAINING_SEED,
    feelings,
    names,
    questions,
    sentence_pairs,
    split,
)

ALL = (feelings, names, questions, sentence_pairs)


@pytest.fixture(scope="module")
def tokenizer() -> Any:  # noqa: ANN401 - a tokenizer
    return load("pocket")[0]


def texts(example: Any) -> list[str]:  # noqa: ANN401 - any of the four classes
    if hasattr(example, "words"):
        return [" ".join(example.words)]
    fields = ("text", "context", "question", "first", "second")
    return [getattr(example, name) for name in fields if hasattr(example, name)]


@pytest.mark.parametrize("task", ALL)
def test_example_k_depends_on_seed_and_k_alone(task: Any) -> None:  # noqa: ANN401
    few, many = task(5, 4), task(5, 8)
    assert few == many[:4]
    assert task(6, 4) != few
    assert task(5, 0) == []
    with pytest.raises(ValueError, match=r"^n=-1: a whole number of 0 or more"):
        task(5, -1)


@pytest.mark.parametrize("task", ALL)
def test_every_word_is_known_and_few_are_broken(task: Any, tokenizer: Any) -> None:  # noqa: ANN401
    rows = [tokenizer(*texts(example)) for example in task(5, 150)]
    pieces = [piece for row in rows for piece in tokenizer.convert_ids_to_tokens(row["input_ids"])]
    assert "[UNK]" not in pieces
    assert sum(piece.startswith("##") for piece in pieces) / len(pieces) < 0.08
    assert max(len(row["input_ids"]) for row in rows) <= 90


def test_seeds_are_those_of_no_other_set() -> None:
    assert (MAX_SEED + 1) * SEEDS_PER_RUN <= EVALUATION_SEED  # what pre-training may have read
    assert EVALUATION_SEED + 1_000_000 < TRAINING_SEED  # what the pocket model is scored on
    assert TRAINING_SEED + 1_000_000 < HELD_OUT_SEED


@pytest.mark.parametrize("task", ALL)
def test_split_shares_no_text_and_keeps_its_test_set(task: Any) -> None:  # noqa: ANN401
    train, test = split(task, 60, 40)
    assert len(train) == 60
    assert len(test) == 40
    assert not {texts(example)[0] for example in train} & {texts(example)[0] for example in test}
    other_train, other_test = split(task, 30, 40, seed=1)
    assert other_test == test
    assert other_train[0] != train[0]
    assert split(task, 30, 40)[0] == train[:30]


# Feelings


def test_feelings_occur_equally_often_or_with_the_given_shares() -> None:
    counts = Counter(example.label for example in feelings(5, 400))
    assert set(counts) == set(FEELINGS)
    assert min(counts.values()) > 70
    few = Counter(example.label for example in feelings(5, 200, {"glad": 0.9, "sad": 0.1}))
    assert set(few) == {"glad", "sad"}
    assert 8 <= few["sad"] <= 35


@pytest.mark.parametrize("shares", [{"happy": 1.0}, {"glad": 0.0}, {"glad": -1.0, "sad": 2.0}])
def test_shares_that_make_no_sense_are_refused(shares: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="give shares of 0 or more"):
        feelings(5, 3, shares)


def test_the_hero_is_named_first_and_no_feeling_is_named() -> None:
    people = {person.name for person in PEOPLE}
    for example in feelings(5, 200):
        named = [word.strip('.,"').removesuffix("'s") for word in example.text.split()]
        assert next(word for word in named if word in people) == example.hero
        assert not {"glad", "happy", "sad", "angry", "afraid", "frightened"} & set(
            example.text.lower().split()
        )


def test_each_text_also_makes_somebody_else_feel_otherwise() -> None:
    thunder = [example for example in feelings(5, 300) if "thunder" in example.text]
    labels = Counter(example.label for example in thunder)
    assert labels["afraid"] > 3
    assert labels.total() - labels["afraid"] > 3


def test_every_wording_of_a_feeling_comes_up() -> None:
    assert all(len(wordings) >= 5 for wordings in HAPPENS.values())
    told = " ".join(example.text for example in feelings(7, 400))
    for word in (
        "unkind",
        "laugh",
        "mine!",
        "medal",
        "clap",
        "accident",
        "party",
        "wolf",
        "thunder",
        "noise",
    ):
        assert word in told


# Names


def test_tags_mark_names_and_nothing_else() -> None:
    for example in names(5, 200):
        assert len(example.words) == len(example.tags)
        assert set(example.tags) <= set(TAGS)
        assert set(example.tags) != {"O"}
        for word, tag in zip(example.words, example.tags, strict=True):
            assert tag == "O" or word[0].isupper()
        for before, tag in pairwise(("O", *example.tags)):
            if tag.startswith("I-"):
                assert before[2:] == tag[2:]


@pytest.mark.thorough
def test_many_words_are_names_in_one_text_and_ordinary_words_in_another() -> None:
    tags: dict[str, set[str]] = {}
    for example in names(5, 1_200):
        for word, tag in zip(example.words, example.tags, strict=True):
            tags.setdefault(word.lower(), set()).add(tag)
    both = [word for word, kinds in tags.items() if "O" in kinds and len(kinds) > 1]
    assert {"stone", "hill", "field"} <= set(both)
    assert len(both) > 15
    assert any({"B-person", "B-pet"} <= kinds for kinds in tags.values())
    assert {"I-person", "B-place"} <= set().union(*tags.values())


# Questions


def test_answers_are_words_of_the_story_and_of_the_kind_asked_for() -> None:
    people = {person.name for person in PEOPLE}
    some_questions = questions(5, 300)
    assert {example.kind for example in some_questions} == set(QUESTIONS)
    for example in some_questions:
        if example.answer is None:
            assert example.answer_text == ""
            continue
        start, end = example.answer
        assert example.context[start - 1 : start] in ("", " ", '"')
        assert not example.context[end : end + 1].isalpha()
        if example.kind.startswith("who"):
            assert example.answer_text in people
            assert example.answer_text not in example.question
        elif example.kind.startswith("where"):
            assert example.answer_text.lower().split()[0] in {"in", "on", "at", "under", "behind"}
            assert example.answer_text.split()[1] == "the"
        else:
            assert example.answer_text.islower()


def test_a_third_is_not_answered_in_every_kind_and_asks_about_what_is_in_the_story() -> None:
    some_questions = questions(5, 600)
    for kind in QUESTIONS:
        share = Counter(example.answer is None for example in some_questions if example.kind == kind)
        assert 0.18 < share[True] / share.total() < 0.5
    for example in some_questions:
        thing_or_people = [word.strip("?") for word in example.question.split() if word not in _FORM]
        for word in thing_or_people:
            assert word in example.context, example
    assert all(example.answer is not None for example in questions(5, 30, unanswerable=0))
    with pytest.raises(ValueError, match=r"unanswerable=2: a share from 0 to 1"):
        questions(5, 1, unanswerable=2)


_FORM = "Who Where What was the has now? found? bought? found bought gave given to by".split()  # noqa: SIM905


def drawn(seed: str) -> Plan:
    return plan(Dice(seed))


def test_answers_agree_with_what_happened() -> None:
    """Go through the steps of each plan once more, by a way of its own: who holds what after each."""
    checked = Counter[str]()
    for number in range(150):
        planned = drawn(f"check/{number}")
        for index, thing in enumerate(planned.things):
            holder = None
            for step in planned.steps:
                if step.thing is thing:
                    holder = {"lost": None, "gave": step.to}.get(step.kind, step.who)
            text, answer, _ = QUESTIONS["who has"](planned)[index]
            assert text == f"Who has the {thing.noun} now?"
            assert answer is holder
            for sentence, label in HYPOTHESES["has"](planned):
                name, _, rest = sentence.partition(" has the ")
                if rest != f"{thing.noun} now.":
                    continue
                checked[label] += 1
                if holder is not None:
                    assert (label == "follows") == (name == holder.name)
                    assert label != "neither"
                else:
                    assert label != "follows"
    assert set(checked) == set(PAIR_LABELS)


def test_the_text_says_what_the_answer_needs() -> None:
    seen = 0
    for number in range(60):
        planned = drawn(f"told/{number}")
        told = tell(planned)
        if told is None:
            continue
        for kind, asking in QUESTIONS.items():
            for _, answer, step in asking(planned):
                if answer is None or step is None:
                    continue
                start, end = told.span(answer, step)
                seen += 1
                assert str(told)[start:end].endswith(answer.name or answer.noun), kind
    assert seen > 200


def test_people_are_called_by_a_noun_only_after_an_introduction() -> None:
    """A reader does not know who is a baker: "the baker" stands only after "Nora the baker"."""
    for example in questions(9, 300):
        for noun in ("man", "woman", "boy", "girl", "baker", "teacher", "farmer", "nurse"):
            if f"the {noun} " in example.context.lower():
                introduced = example.context.lower().index(noun)
                before = example.context[:introduced].split()[-2:]
                assert before[-1].lower() in ("a", "the")
                after = example.context[introduced:].split()[1:2]
                assert before[0] in {p.name for p in PEOPLE} or after == ["called"], example.context


# Pairs


def test_every_label_occurs_with_every_form() -> None:
    some_pairs = sentence_pairs(5, 600)
    table = Counter((example.kind, example.label) for example in some_pairs)
    assert set(table) == {(kind, label) for kind in HYPOTHESES for label in PAIR_LABELS}
    assert min(table.values()) > 15


def test_what_follows_or_contradicts_is_about_people_of_the_story() -> None:
    people = {person.name for person in PEOPLE}
    strangers = Counter[bool]()
    for example in sentence_pairs(5, 300):
        known = all(name in example.first for name in people & set(example.second.strip(".").split()))
        assert known or example.label == "neither"
        if example.label == "neither":
            strangers[not known] += 1
    assert strangers[True] > 2 * strangers[False] > 0
